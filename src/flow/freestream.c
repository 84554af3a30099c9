/*
 * What is the air of a case? Two of pressure, temperature and density, or the altitude, and a
 * Mach number with angles or a velocity.
 */
#include "flow/freestream.h"

#include "flow/atmosphere.h"

/* Sutherland's law for air [Pa s, K]. */
static const double sutherland_factor = 1.458e-6, sutherland_constant = 110.4;

static double sutherland(double t)
{
  return sutherland_factor * t * sqrt(t) / (t + sutherland_constant);
}

/* Pressure, temperature and density from the two that are given, or from the altitude. */
static void find_state(const FreestreamSpec *spec, double gas_constant, FreeStream *s)
{
  s->pressure = spec->pressure;
  s->temperature = spec->temperature;
  s->density = spec->density;
  if (!isnan(spec->altitude)) {
    const Air air = atmosphere_at(spec->altitude);
    s->pressure = air.pressure;
    s->temperature = air.temperature;
  }
  if (isnan(s->pressure)) s->pressure = s->density * gas_constant * s->temperature;
  if (isnan(s->temperature)) s->temperature = s->pressure / (gas_constant * s->density);
  if (isnan(s->density)) s->density = s->pressure / (gas_constant * s->temperature);
}

static Vec3 direction(double alpha, double beta)
{
  const double degree = acos(-1.0) / 180.0, a = alpha * degree, b = beta * degree;
  return vec3(cos(a) * cos(b), sin(b), sin(a) * cos(b));
}

FreeStream freestream_of(const FlowSpec *spec, const ReferenceSpec *reference)
{
  const FreestreamSpec *stream = &spec->freestream;
  FreeStream s;
  find_state(stream, spec->gas.gas_constant, &s);
  s.sound = sqrt(spec->gas.gamma * s.pressure / s.density);
  s.velocity = isnan(stream->mach)
                   ? stream->velocity
                   : vec3_scale(stream->mach * s.sound, direction(stream->alpha, stream->beta));
  s.viscosity = isnan(spec->gas.viscosity) ? sutherland(s.temperature) : spec->gas.viscosity;
  if (!isnan(spec->reynolds))
    s.viscosity = s.density * vec3_norm(s.velocity) * reference->length / spec->reynolds;
  if (spec->equations == EQUATIONS_EULER) s.viscosity = 0.0;
  return s;
}

Units units_of(const FreeStream *s, double length)
{
  Units u = {.length = length, .density = s->density, .speed = s->sound};
  u.time = length / s->sound;
  u.pressure = s->density * s->sound * s->sound;
  u.force = u.pressure * length * length;
  u.moment = u.force * length;
  u.temperature = s->temperature;
  return u;
}

Gas gas_of(const FlowSpec *spec, const FreeStream *s, const Units *units)
{
  Gas gas = {.gamma = spec->gas.gamma, .prandtl = spec->gas.prandtl};
  gas.viscosity = s->viscosity / (units->density * units->speed * units->length);
  gas.sutherland = isnan(spec->gas.viscosity) ? sutherland_constant / s->temperature : NAN;
  return gas;
}

Primitive freestream_primitive(const FreeStream *s, const Units *units)
{
  return (Primitive){s->density / units->density, vec3_scale(1.0 / units->speed, s->velocity),
                     s->pressure / units->pressure};
}
