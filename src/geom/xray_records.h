/*
 * The records an x-ray is made of: plain values without pointers, so that a block of them can be
 * shared between processes and written to a file as it is.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "geom/triangle.h"

#include <stdint.h>

/* Where a ray pierces the surface. Rays run upwards along their axis. */
typedef struct {
  double elevation; /* coordinate along the axis of the ray */
  int32_t triangle;
  int32_t sign; /* +1 where the ray enters the solid, -1 where it leaves */
} RayCrossing;

/*
 * A lattice of rays along one axis; u and v are the next two axes in cyclic order. Ray (i, j)
 * stands at (origin_u + i spacing, origin_v + j spacing) and has the number i + n_u j. Its
 * crossings are numbers start[ray] .. start[ray + 1] - 1, sorted by elevation.
 */
typedef struct {
  int32_t axis, n_u, n_v, n_crossings;
  double origin_u, origin_v, spacing;
} Lattice;

/*
 * A column is the square around a ray. Outside its slabs no triangle reaches into the column, so
 * the winding number there is that of the ray; lo and hi are rounded outwards.
 */
typedef struct {
  float lo, hi;
  int32_t first;   /* of the column's triangles that reach into this slab */
  int32_t winding; /* of the gap above the slab, up to the next one */
} Slab;

enum {
  EDGE_CREASE = 1,   /* the corner normals of the two sides differ at both ends */
  EDGE_SINGULAR = 2, /* not shared by exactly two triangles in opposite directions */
  EDGE_CURVED = 4    /* the patches bend along this edge */
};

/* One per pair of vertices that are joined; the first triangle runs from vertex 0 to vertex 1. */
typedef struct {
  int32_t vertex[2];
  int32_t triangle[2]; /* second: -1 on a singular edge */
  int32_t side[2];     /* the edge's number 0..2 in each of them */
  int32_t flags;
} SurfaceEdge;

enum {
  TRIANGLE_FLAT = 1, /* the patch is the triangle: corner normals equal its own, edges straight */
  TRIANGLE_SHARP = 2 /* a corner of it is a VERTEX_CREASE */
};

typedef struct {
  int32_t vertex[3];
  int32_t edge[3]; /* edge e joins corners e and e + 1; ~edge when it runs the other way */
  float bulge;     /* no point of the patch is farther than this from its flat counterpart */
  int32_t flags;
} TriangleLinks;

enum {
  VERTEX_CREASE = 1,  /* the corner normals around it differ */
  VERTEX_SINGULAR = 2 /* touches a singular edge */
};

/*
 * A triangle that may be nearest in a voxel, and its distance from the voxel's middle, rounded
 * down; the nearer ones come first, roughly. Another list has the slopes of these distances there
 * in units of 1 / SLOPE_UNIT: for the n entries of a voxel n along x, then n along y, n along z.
 */
#define SLOPE_UNIT 127.0f

typedef struct {
  int32_t triangle;
  float distance;
} VoxelEntry;

/* Bounding sphere of a flat triangle, rounded outwards. */
typedef struct {
  float x, y, z, radius;
} BoundSphere;
