/*
 * Where do two solids cut each other: which edges of one pierce which triangles of the other?
 *
 * Answers are those for solids of which the second is moved by (e, e^2, e^3), e positive and as
 * small as one likes: nothing then merely touches, so that every edge pierces or does not,
 * triangles meet in whole segments or not at all, and all answers fit together.
 *
 * H. Edelsbrunner and E. P. Muecke, Simulation of simplicity, ACM Trans. Graphics 9(1), 1990.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "geom/surface_impl.h"
#include "geom/triangles.h"

/* One of two closed, oriented solids. */
typedef struct {
  const Triangles *mesh; /* borrowed */
  EdgeTable edges;       /* owned */
  int *edge_of;          /* owned, 3 * n_triangles: edge of a use */
  bool moves;            /* the one that is moved by as little as one likes */
} Solid;

PetscErrorCode SolidCreate(const Triangles *mesh, bool moves, Solid *solid);
PetscErrorCode SolidDestroy(Solid *solid);

/* The ends of an edge, the lower number first. */
void solid_edge_ends(const Solid *solid, int edge, int end[2]);

/* An edge of solid `of` pierces a triangle of the other. */
typedef struct {
  int of, edge, triangle;
  bool enters; /* going from the lower to the higher vertex one comes inside */
  double s;    /* how far along, 0 to 1 */
  Vec3 at;
} Piercing;

/* Where triangle[0] of solid 0 and triangle[1] of solid 1 meet. On triangle[0] what is outside
 * of solid 1 lies left of the way from `from` to `to`, on triangle[1] right of it. */
typedef struct {
  int triangle[2];
  int from, to; /* piercings */
} Seam;

typedef struct {
  int n_piercings;
  Piercing *piercing; /* owned, sorted by solid, edge, triangle */
  int n_seams;
  Seam *seam; /* owned */
} Cut;

/* All of it; *consistent is false when the solids are not closed. */
PetscErrorCode CutCreate(const Solid solid[2], Cut *cut, bool *consistent);
PetscErrorCode CutDestroy(Cut *cut);

/* How often solid `other` wraps around vertex v of the solid. */
int solid_winding(const Solid *solid, int v, const Solid *other);
