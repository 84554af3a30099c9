/*
 * Closed triangulated surfaces: what a body looks like from outside.
 *
 * Triangles run counter-clockwise seen from outside. Every triangle corner has a unit normal
 * of the smooth surface it stands for; corners at a crease carry different normals at the
 * same vertex. Built once, in the frame of the shape, then constant.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/box.h"
#include "base/error.h"
#include "base/mat3.h"

typedef struct {
  int n_vertices;
  Vec3 *vertex; /* owned, n_vertices */
  int n_triangles;
  int (*triangle)[3]; /* owned, n_triangles, vertex ids */
  Vec3 (*normal)[3];  /* owned, n_triangles, unit corner normals of the smooth surface */
  bool *half;         /* owned, or NULL: n_triangles, this and the next are halves of a quad */
  Box box;            /* of all vertices */
} Surface;

/*
 * Build a surface from triangles; all arrays are copied. normal may be NULL: then corner normals
 * are made from the triangles (Max 1999), split where neighbours meet at more than
 * SURFACE_CREASE_DEGREES. Does not check that the surface is closed. Not collective.
 */
PetscErrorCode SurfaceCreate(int n_vertices, const Vec3 vertex[], int n_triangles,
                             const int triangle[][3], const Vec3 normal[][3], Surface **surface);
PetscErrorCode SurfaceDestroy(Surface **surface);

#define SURFACE_CREASE_DEGREES 30.0

/* More triangles than this are refused before any memory is taken. */
#define SURFACE_MOST_TRIANGLES 50e6

/* What one triangle takes in memory, with the half vertex that goes with it [bytes]. */
#define SURFACE_BYTES_PER_TRIANGLE (sizeof(int[3]) + sizeof(Vec3[3]) + sizeof(Vec3) / 2)

/* Volume and its moments for density one. */
typedef struct {
  double volume;
  Vec3 center;
  Mat3 inertia; /* about the center, shape axes */
} MassProperties;

/* Of the solid inside the surface, exactly (divergence theorem). */
MassProperties surface_mass_properties(const Surface *surface);
