/*
 * Parts of the primitives that live in their own files. SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "geom/primitive.h"
#include "geom/surface_impl.h"

/* Refuse a tessellation that would not fit; the figure is told. */
PetscErrorCode PrimitiveCheckCount(double n_triangles, double spacing);

PetscErrorCode IcosphereCreate(const ShapeSpec *spec, Surface **surface);

/* Cylinder, capsule and cone: closed surfaces of revolution about the axis of the spec. */
PetscErrorCode RevolvedCreate(const ShapeSpec *spec, Surface **surface);

/* Longest edge wanted on curved parts. */
static inline double curved_spacing(const ShapeSpec *spec)
{
  return isnan(spec->spacing) ? spec->radius / 20.0 : spec->spacing;
}

static inline void triangle_set(int t[3], int a, int b, int c)
{
  t[0] = a;
  t[1] = b;
  t[2] = c;
}
