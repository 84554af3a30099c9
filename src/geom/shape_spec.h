/*
 * What a case says about a shape. Numbers that were not given are NaN, texts NULL.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/names.h"
#include "base/vec3.h"

typedef enum {
  SHAPE_NONE, /* a fixed or prescribed body that is only a grid */
  SHAPE_SPHERE,
  SHAPE_BOX,
  SHAPE_CYLINDER,
  SHAPE_CAPSULE,
  SHAPE_CONE,
  SHAPE_STL,
  SHAPE_CGNS
} ShapeKind;

typedef struct {
  ShapeKind kind;
  double radius;     /* sphere, cylinder, capsule; cone: of the base */
  Vec3 size;         /* box: full edge lengths */
  double length;     /* cylinder, cone: height; capsule: between the cap centres */
  Vec3 axis;         /* cylinder, capsule, cone; any length but zero */
  const char *file;  /* stl, cgns */
  NameList families; /* cgns */
  double scale;      /* stl, cgns */
  double spacing;    /* primitives: longest surface edge; NaN: 1/20 of the radius */
} ShapeSpec;
