/*
 * Three numbers that belong together: positions, velocities, forces.
 *
 * Values, passed and returned by value; every operation is exact to rounding in the
 * order written, so that the same input gives the same bits everywhere.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <math.h>
#include <stdbool.h>

typedef struct {
  double x, y, z;
} Vec3;

static inline Vec3 vec3(double x, double y, double z)
{
  return (Vec3){x, y, z};
}

static inline Vec3 vec3_add(Vec3 a, Vec3 b)
{
  return (Vec3){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline Vec3 vec3_sub(Vec3 a, Vec3 b)
{
  return (Vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline Vec3 vec3_scale(double s, Vec3 a)
{
  return (Vec3){s * a.x, s * a.y, s * a.z};
}

/* a + s b */
static inline Vec3 vec3_axpy(Vec3 a, double s, Vec3 b)
{
  return (Vec3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

static inline double vec3_dot(Vec3 a, Vec3 b)
{
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline Vec3 vec3_cross(Vec3 a, Vec3 b)
{
  return (Vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline double vec3_norm2(Vec3 a)
{
  return vec3_dot(a, a);
}

static inline double vec3_norm(Vec3 a)
{
  return sqrt(vec3_dot(a, a));
}

static inline double vec3_distance(Vec3 a, Vec3 b)
{
  return vec3_norm(vec3_sub(a, b));
}

/* a / |a|; the zero vector stays zero. */
static inline Vec3 vec3_unit(Vec3 a)
{
  const double n = vec3_norm(a);
  return n > 0.0 ? vec3_scale(1.0 / n, a) : a;
}

static inline bool vec3_finite(Vec3 a)
{
  return isfinite(a.x) && isfinite(a.y) && isfinite(a.z);
}

/* A unit vector at right angles to the unit vector n, the same for the same n always. */
static inline Vec3 vec3_normal_to(Vec3 n)
{
  const Vec3 least = fabs(n.x) <= fabs(n.y) && fabs(n.x) <= fabs(n.z) ? vec3(1, 0, 0)
                     : fabs(n.y) <= fabs(n.z)                         ? vec3(0, 1, 0)
                                                                      : vec3(0, 0, 1);
  return vec3_unit(vec3_cross(n, least));
}

/* Component 0, 1 or 2. */
static inline double vec3_at(Vec3 a, int i)
{
  return i == 0 ? a.x : i == 1 ? a.y : a.z;
}
