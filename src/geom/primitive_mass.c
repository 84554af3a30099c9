/*
 * Volume, mass centre and inertia of the solid primitives in closed form, density one.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "geom/primitive.h"

/* A tensor with one value along the unit vector a and another across it. */
static Mat3 axial_tensor(double along, double across, Vec3 a)
{
  const double d = along - across;
  return mat3_symmetric(across + d * a.x * a.x, across + d * a.y * a.y, across + d * a.z * a.z,
                        d * a.x * a.y, d * a.x * a.z, d * a.y * a.z);
}

static MassProperties sphere_mass(double r)
{
  const double volume = 4.0 / 3.0 * M_PI * r * r * r, i = 0.4 * volume * r * r;
  return (MassProperties){volume, vec3(0, 0, 0), mat3_diagonal(i, i, i)};
}

static MassProperties box_mass(Vec3 s)
{
  const double volume = s.x * s.y * s.z, k = volume / 12.0;
  const double xx = s.x * s.x, yy = s.y * s.y, zz = s.z * s.z;
  return (MassProperties){volume, vec3(0, 0, 0),
                          mat3_diagonal(k * (yy + zz), k * (xx + zz), k * (xx + yy))};
}

static MassProperties cylinder_mass(double r, double l, Vec3 axis)
{
  const double volume = M_PI * r * r * l;
  return (MassProperties){
      volume, vec3(0, 0, 0),
      axial_tensor(0.5 * volume * r * r, volume * (3.0 * r * r + l * l) / 12.0, axis)};
}

static MassProperties capsule_mass(double r, double l, Vec3 axis)
{
  const double rod = M_PI * r * r * l, caps = 4.0 / 3.0 * M_PI * r * r * r;
  const double along = 0.5 * rod * r * r + 0.4 * caps * r * r;

  /* Each cap is a half sphere whose mass centre lies 3/8 r beyond the end of the rod. */
  const double across =
      rod * (3.0 * r * r + l * l) / 12.0 + caps * (0.4 * r * r + 0.25 * l * l + 0.375 * l * r);
  return (MassProperties){rod + caps, vec3(0, 0, 0), axial_tensor(along, across, axis)};
}

static MassProperties cone_mass(double r, double l, Vec3 axis)
{
  const double volume = M_PI * r * r * l / 3.0;
  return (MassProperties){
      volume, vec3_scale(0.25 * l, axis),
      axial_tensor(0.3 * volume * r * r, volume * (0.15 * r * r + 0.0375 * l * l), axis)};
}

MassProperties primitive_mass_properties(const ShapeSpec *spec)
{
  const Vec3 axis = vec3_unit(spec->axis);
  switch (spec->kind) {
  case SHAPE_SPHERE:
    return sphere_mass(spec->radius);
  case SHAPE_BOX:
    return box_mass(spec->size);
  case SHAPE_CYLINDER:
    return cylinder_mass(spec->radius, spec->length, axis);
  case SHAPE_CAPSULE:
    return capsule_mass(spec->radius, spec->length, axis);
  case SHAPE_CONE:
    return cone_mass(spec->radius, spec->length, axis);
  default:
    return (MassProperties){0.0, vec3(0, 0, 0), mat3_diagonal(0, 0, 0)};
  }
}
