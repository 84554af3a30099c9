/*
 * A tree of spheres around the triangles of a surface: what is near, from anywhere?
 *
 * Every node's sphere holds its triangles and the curved patches over them, and so does a slab
 * between two planes along their mean normal: surfaces that touch lie in thin slabs. A cone around
 * that normal holds the normals of the patches: smooth surfaces touch where theirs are opposite.
 * Nodes stand in one array, root first, the two children of a node side by side and after it.
 * Leaves name a run of the triangle list.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "geom/surface.h"
#include "geom/xray_records.h"

#include <stdint.h>

#define SPHERE_TREE_LEAF 4

typedef struct {
  float x, y, z, radius;    /* rounded outwards */
  float nx, ny, nz;         /* along the slab, of unit length but for rounding */
  float low, high;          /* of the slab over the middle of the sphere, rounded outwards */
  float cone_cos, cone_sin; /* of the half angle of the cone, rounded outwards; -1: normals lie all
                               around; -2: a sharp edge or vertex is among the triangles */
  int32_t first;            /* leaf: of its triangles in the list; else: its first child */
  int32_t n_triangles;      /* leaf: how many; else 0 */
} SphereNode;

typedef struct {
  int n_nodes, n_triangles;
  SphereNode *node;  /* owned, n_nodes */
  int32_t *triangle; /* owned, n_triangles: each triangle once */
} SphereTree;

/* A tree that somebody else owns. */
typedef struct {
  int n_nodes;
  const SphereNode *node;
  const int32_t *triangle;
} SphereTreeView;

/* links: bulge and flags of every triangle. */
PetscErrorCode SphereTreeCreate(const Surface *surface, const TriangleLinks links[],
                                SphereTree **tree);
PetscErrorCode SphereTreeDestroy(SphereTree **tree);

/* A lower bound of the distance from p to everything in the node; negative inside the sphere. */
static inline double sphere_node_distance(const SphereNode *n, Vec3 p)
{
  const double x = p.x - n->x, y = p.y - n->y, z = p.z - n->z;
  return sqrt(x * x + y * y + z * z) - n->radius;
}
