/*
 * How the files of this folder make surfaces. SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "geom/surface.h"

/* A surface with room for the given numbers; the caller fills the arrays, then the box. */
PetscErrorCode SurfaceAllocate(int n_vertices, int n_triangles, Surface **surface);

/* The box of the vertices. */
Box surface_box(const Surface *surface);

/*
 * The uses of all edges, grouped by edge: edge e owns use[start[e]] up to use[start[e + 1]].
 * A use is 3 * triangle + corner for the edge from that corner to the next one.
 */
typedef struct {
  int n_edges;
  int *start; /* owned, n_edges + 1 */
  int *use;   /* owned, 3 * n_triangles; of one edge in ascending order */
} EdgeTable;

PetscErrorCode EdgeTableCreate(int n_vertices, int n_triangles, const int triangle[][3],
                               EdgeTable *table);
PetscErrorCode EdgeTableDestroy(EdgeTable *table);

/* Vertex a use starts from, and the one it goes to. */
static inline int use_from(const int triangle[][3], int use)
{
  return triangle[use / 3][use % 3];
}

static inline int use_to(const int triangle[][3], int use)
{
  return triangle[use / 3][(use % 3 + 1) % 3];
}

/* Twice the area vector of a triangle. */
static inline Vec3 triangle_area2(const Vec3 vertex[], const int t[3])
{
  return vec3_cross(vec3_sub(vertex[t[1]], vertex[t[0]]), vec3_sub(vertex[t[2]], vertex[t[0]]));
}
