/*
 * Which rays of a lattice does a triangle meet, and which columns does it reach into?
 *
 * Rays: vertices are snapped to a grid that divides the ray spacing by a power of two, so that
 * rays stand on grid points and 64-bit edge functions are exact. A point on an edge belongs to
 * the triangle on the left of the edge's upward direction: each shared edge and vertex belongs to
 * one triangle of a fan, and a closed surface is entered as often as it is left.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "geom/xray_records.h"

/* Coordinates along the lattice's u, v and ray axis. */
typedef struct {
  double u[3], v[3], w[3];
} FlatTriangle;

typedef struct {
  double elevation;
  int32_t ray;
  int32_t code; /* 2 triangle + (the ray leaves the solid) */
} RayHit;

typedef struct {
  int32_t cell, triangle;
  float lo, hi; /* elevations above the lattice's middle */
} ColumnEntry;

/* Everything a kernel needs to know about a lattice. */
typedef struct {
  int n_u, n_v;
  double origin_u, origin_v, spacing;
  double middle_w; /* column elevations are counted from here */
  double margin_w; /* rounding of elevations */
  int bits;        /* the snapping grid divides the spacing by 2^bits */
} RasterLattice;

static inline FlatTriangle flat_triangle(const Corners *t, int axis)
{
  const int u = axis == 2 ? 0 : axis + 1, v = u == 2 ? 0 : u + 1;
  return (FlatTriangle){{vec3_at(t->a, u), vec3_at(t->b, u), vec3_at(t->c, u)},
                        {vec3_at(t->a, v), vec3_at(t->b, v), vec3_at(t->c, v)},
                        {vec3_at(t->a, axis), vec3_at(t->b, axis), vec3_at(t->c, axis)}};
}

/* At most this many hits or entries come from the triangle. */
int64_t raster_bound(const RasterLattice *lattice, const FlatTriangle *t);

/* Write the crossings of triangle number id; returns how many. */
int raster_rays(const RasterLattice *lattice, const FlatTriangle *t, int id, RayHit hit[]);

/* Write the columns the triangle reaches into, with the elevations between which it does. */
int raster_columns(const RasterLattice *lattice, const FlatTriangle *t, int id,
                   ColumnEntry entry[]);
