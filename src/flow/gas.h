/*
 * An ideal gas in reference units: density of the free stream, its speed of sound, and the
 * reference length are one, so that pressure is 1/gamma and temperature T = c^2 is 1 far away.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/vec3.h"

typedef struct {
  double gamma;
  double prandtl;
  double viscosity;  /* at T = 1; 0: none */
  double sutherland; /* Sutherland's constant over the temperature of the free stream; NaN: the
                        viscosity is constant */
} Gas;

/* Density, velocity in inertial axes, pressure. */
typedef struct {
  double rho;
  Vec3 u;
  double p;
} Primitive;

/* Density, momentum, total energy, each per volume. */
typedef struct {
  double rho;
  Vec3 m;
  double e;
} Conserved;

static inline Conserved gas_conserved(const Gas *gas, Primitive w)
{
  const double e = w.p / (gas->gamma - 1.0) + 0.5 * w.rho * vec3_norm2(w.u);
  return (Conserved){w.rho, vec3_scale(w.rho, w.u), e};
}

static inline Primitive gas_primitive(const Gas *gas, Conserved v)
{
  const Vec3 u = vec3_scale(1.0 / v.rho, v.m);
  return (Primitive){v.rho, u, (gas->gamma - 1.0) * (v.e - 0.5 * vec3_dot(v.m, u))};
}

static inline double gas_sound(const Gas *gas, Primitive w)
{
  return sqrt(gas->gamma * w.p / w.rho);
}

static inline double gas_temperature(const Gas *gas, Primitive w)
{
  return gas->gamma * w.p / w.rho;
}

/* Viscosity at temperature t. */
static inline double gas_viscosity(const Gas *gas, double t)
{
  const double s = gas->sutherland;
  return isnan(s) ? gas->viscosity : gas->viscosity * t * sqrt(t) * (1.0 + s) / (t + s);
}
