/*
 * What the kernels of a near-body grid work on. Views only: the grid and flow/near_flow own them.
 *
 * A cell's record fills one cache line: the five primitives (density, velocity in inertial axes,
 * pressure), then the centre in the frame of the grid. So a gather of the record brings both
 * sides of a difference quotient. A face has two records of six: the states that its left and
 * right cell give it, and how calm the pressure is around them; its flux replaces the first.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ids.h"
#include "base/mat3.h"
#include "base/screw.h"
#include "flow/gas.h"

#include <stddef.h>
#include <stdint.h>

enum {
  NEAR_VARS = 5,
  NEAR_CELL = 8,       /* numbers of a cell's record */
  NEAR_SLOPE = 16,     /* numbers of a cell's slopes: x, y, z of five, then the calm */
  NEAR_CALM = 15,      /* lowest over highest pressure of a cell and its neighbours */
  NEAR_FACE = 12,      /* numbers of a face's record */
  NEAR_SIDE = 6,       /* numbers of one side of it */
  NEAR_FACE_SPEED = 5, /* where the flux leaves the face's wave speed times its area */
};

typedef struct {
  /* The grid. */
  LocalId n_own, n_local, n_inner, n_interior, n_faces;
  const double *volume;
  const LocalId *left, *right;
  const double *sx, *sy, *sz, *tx, *ty, *tz, *fx, *fy, *fz;
  const LocalId *face_start, *face;
  const double *face_sign;
  /* Beside `face`: the cell behind it (the cell itself at a boundary), and the weights with which
   * its difference enters the gradient, three each. */
  LocalId *neighbor;
  double *weight;
  /* The flow. */
  double *cell, *slope, *side;
  double *raw;   /* n_local records of NEAR_SLOPE: gradients from face neighbours alone; NULL:
                    the grid has no tetrahedra */
  double *limit; /* n_own records of NEAR_SIDE: what the limiter leaves of the slopes, and the
                    calm; NULL unless they are to be held while a solver iterates */
  const uint8_t *state; /* n_local CellStates; NULL: all cells are computed */
  unsigned char *weak;  /* n_local: cells that take first order; NULL: none */
  /* Boundary cells whose gradient knows more than their neighbours. */
  LocalId n_special;
  struct NearSpecial *special; /* n_special, by rising cell */
  LocalId *special_of;         /* n_own: the cell's place there, or -1; NULL: no cell is special */
} NearArrays;

/* What a special cell sees behind a face. */
typedef enum { NEAR_SEES_NEIGHBOR, NEAR_SEES_MIRROR, NEAR_SEES_WALL } NearSight;

/*
 * A cell at planes of symmetry, whose mirror image counts as a neighbour, or at walls to which the
 * gas sticks, whose velocity counts. The gradient of its velocity has weights of its own.
 */
typedef struct NearSpecial {
  LocalId cell;
  unsigned char *sight; /* owned, one NearSight per face of the cell */
  double *weight;       /* owned, three per face of the cell */
} NearSpecial;

/* Where the grid is and how it moves. */
typedef struct {
  Mat3 r;      /* axes of the grid to inertial axes */
  Screw twist; /* in axes of the grid, reference units */
} NearMotion;
