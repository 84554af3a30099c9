#include "flow/initial.h"

/* An isentropic vortex about the z axis through the centre, carried by the stream. */
static Primitive vortex_at(const Initial *in, Vec3 x)
{
  const double pi = 3.14159265358979323846, gamma = in->gamma;
  const double dx = (x.x - in->center.x) / in->radius, dy = (x.y - in->center.y) / in->radius;
  const double f = exp(0.5 * (1.0 - dx * dx - dy * dy)) / pi;
  const double speed = f * sqrt(in->stream.p / in->stream.rho);
  const double t = 1.0 - (gamma - 1.0) / (2.0 * gamma) * f * f;
  const double rho = pow(t, 1.0 / (gamma - 1.0));
  return (Primitive){in->stream.rho * rho,
                     vec3_add(in->stream.u, vec3(-dy * speed, dx * speed, 0.0)),
                     in->stream.p * rho * t};
}

Primitive initial_at(const Initial *in, Vec3 x)
{
  Primitive w = in->stream;
  switch (in->kind) {
  case INITIAL_VORTEX:
    return vortex_at(in, x);
  case INITIAL_SOD:
    w.u = vec3(0, 0, 0);
    if (x.x >= in->center.x) w.rho *= 0.125, w.p *= 0.1;
    return w;
  case INITIAL_BLAST:
    w.u = vec3(0, 0, 0);
    if (vec3_distance(x, in->center) < in->radius) w.p *= 1e5;
    return w;
  default:
    return w;
  }
}
