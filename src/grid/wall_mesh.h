/*
 * The surface mesh that a near-body grid grows from: triangles and quads.
 *
 * Not the surface that contact sees: faces here should be of even size, because every one of them
 * becomes a column of cells.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "geom/shape_spec.h"
#include "geom/surface.h"

typedef struct {
  int n_vertices;
  Vec3 *vertex; /* owned, n_vertices */
  int n_faces;
  int (*face)[4]; /* owned, n_faces: counter-clockwise seen from outside; triangles end with -1 */
} WallMesh;

static inline int face_corners(const int face[4])
{
  return face[3] < 0 ? 3 : 4;
}

/* Copies of the arrays. Fails with CAROM_ERR_MESH, naming the place, unless every edge joins two
 * faces that run it in opposite ways. */
PetscErrorCode WallMeshCreate(int n_vertices, const Vec3 vertex[], int n_faces, const int face[][4],
                              WallMesh **mesh);
PetscErrorCode WallMeshDestroy(WallMesh **mesh);

/*
 * The triangles of a surface, divided until no edge is longer than spacing (a positive number).
 * With an infinite spacing they stay as they are, and those that are halves of a quad become one.
 */
PetscErrorCode WallMeshFromSurface(const Surface *surface, double spacing, WallMesh **mesh);

/*
 * How a grid wants a shape to be divided where the case leaves it open: primitives get a spacing
 * for flat faces too; and the spacing for the surface that comes of it. Surfaces with quads were
 * divided by someone with a grid in mind and stay as they are.
 */
ShapeSpec wall_mesh_shape(const ShapeSpec *shape);
double wall_mesh_spacing(const ShapeSpec *shape, const Surface *surface);
