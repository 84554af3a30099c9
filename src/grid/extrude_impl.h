/*
 * The front that moves from layer to layer, and the parts of the method that have files of their
 * own. SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "grid/extrude.h"

/* A face seen from one of its vertices. */
typedef struct {
  int face;
  int next, before; /* neighbours of the vertex along the face */
} Link;

typedef struct {
  const WallMesh *wall; /* borrowed: topology and first layer */
  int *start;           /* owned, n_vertices + 1 */
  Link *link;           /* owned: those of vertex v from start[v] to start[v + 1] */
  Vec3 *x;              /* owned: where the front is */
  Vec3 *to;             /* owned: where it goes */
  Vec3 *corner;         /* owned, one per link: unit normal of the face at the vertex */
  Vec3 *best;           /* owned: direction from which all faces at the vertex are seen best */
  double *visible;      /* owned: smallest cosine between it and their normals */
  Vec3 *direction;      /* owned: smoothed */
  Vec3 *work;           /* owned */
  double *edge;         /* owned: mean length of the edges at the vertex */
  double *height;       /* owned: step of the layer at hand */
  double *ease;         /* owned: how much of the smoothing a vertex takes, 0 to 1 */
  double *slow;         /* owned: part of the height that a vertex can make, carried on */
  double *concave;      /* owned: how far neighbours are ahead, 0 to 1 */
  double *scratch;      /* owned */
  const double *range;  /* borrowed: thickness that all layers together may have, per vertex */
  double thickness;     /* of the layers so far, where nothing is in the way */
} Front;

PetscErrorCode FrontCreate(const WallMesh *wall, Front *front);
PetscErrorCode FrontDestroy(Front *front);

/* Put the front back on the wall. */
void front_reset(Front *front);

/* Mean of the neighbours of a vertex when the vertices lie at x. */
Vec3 front_middle(const Front *front, const Vec3 x[], int v);

/* Directions to march in from where the front is; n_smooth passes of smoothing. */
void front_directions(Front *front, int n_smooth);

/*
 * Move the front by one layer of the given heights, less where cells would be bad. How many
 * vertices could not move enough, noted in stuck[]; if any, the front has not moved.
 */
int front_march(Front *front, const double height[], bool stuck[]);

/*
 * How much a cell between a face and the face above it deserves trust: the smallest coefficient of
 * its Jacobian as a polynomial, relative to area times height. The Jacobian of a prism is
 * positive throughout when it is. from and to are the corners.
 */
double cell_soundness(int n_corners, const Vec3 from[], const Vec3 to[]);

/* Triangles of a front, found by place. */
typedef struct {
  Box box;
  int n[3];
  double width;
  int n_triangles;
  Vec3 (*triangle)[3]; /* owned */
  int (*id)[3];        /* owned: vertex ids */
  int *start, *item;   /* owned: of bin b from start[b] to start[b + 1] */
} Bins;

/* Faces with their vertices at x; quads are cut along a diagonal. */
PetscErrorCode BinsCreate(const WallMesh *wall, const Vec3 x[], Bins *bins);
PetscErrorCode BinsDestroy(Bins *bins);

/* The bins that a box touches. */
void bins_range(const Bins *bins, Box box, int lo[3], int hi[3]);
static inline int bins_at(const Bins *bins, int i, int j, int k)
{
  return (k * bins->n[1] + j) * bins->n[0] + i;
}

/*
 * How thick all layers together may be at each vertex: not above full, not above half of the gap
 * that the vertex sees, and not growing steeply along the wall.
 */
PetscErrorCode ThicknessLimit(const Front *front, double full, double limit[]);

/* Bring the limits back to the allowed slope after some were lowered. */
void thickness_spread(const Front *front, double limit[]);

/* Vertices of front faces that cross each other are noted in crossing[]; how many faces do. */
PetscErrorCode FrontCrossings(const Front *front, bool crossing[], int *n);

/* Measure the finished grid. */
PetscErrorCode ExtrusionMeasure(const WallMesh *wall, const double limit[], Extrusion *extrusion);
