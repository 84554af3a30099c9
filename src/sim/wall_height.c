/*
 * Turbulent friction of a plate of length L: cf = 0.026 / Re^(1/7), u_tau = U sqrt(cf / 2).
 */
#include "sim/wall_height.h"

#include "flow/freestream.h"

double wall_unit_per_length(const Case *c, int b, double length)
{
  const FreeStream air = freestream_of(&c->flow, &c->reference);
  const Vec3 v = c->bodies[b].velocity;
  const Vec3 past = isnan(v.x) ? air.velocity : vec3_sub(air.velocity, v);
  const double speed = vec3_norm(past), nu = air.viscosity / air.density;
  if (!(speed > 0.0 && nu > 0.0)) return NAN;
  const double cf = 0.026 / pow(speed * length / nu, 1.0 / 7.0);
  return speed * sqrt(0.5 * cf) / nu;
}

double wall_first_height(const Case *c, int b, double length)
{
  return 2.0 * c->grids[b].y_plus / wall_unit_per_length(c, b, length);
}
