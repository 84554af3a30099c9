/*
 * What the kernels of a near-body grid work on. Views only: the grid and flow/near_flow own them.
 *
 * A cell's record fills one cache line: the five primitives (density, velocity in inertial axes,
 * pressure), then the centre in the frame of the grid. So a gather of the record brings both
 * sides of a difference quotient. A face keeps its flux; the states on its two sides are made of
 * the records and slopes of its cells where they are needed, which costs less than to carry them.
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
  NEAR_CELL = 8,   /* numbers of a cell's record */
  NEAR_X = 5,      /* place of the centre in it */
  NEAR_SLOPE = 16, /* numbers of a cell's slopes: x, y, z of five, then the calm */
  NEAR_CALM = 15,  /* lowest over highest pressure of a cell and its neighbours */
  NEAR_FLUX = 6,   /* numbers of a face's flux; the last is its wave speed times its area */
  NEAR_SPEED = 5,
  NEAR_SKIN = 4,  /* numbers of a boundary face: pressure, and the force of friction on the wall */
  NEAR_LIMIT = 6, /* numbers of a held limit: what is left of five slopes, and the calm */
  NEAR_INVERSE = 6, /* of a symmetric matrix: xx, xy, xz, yy, yz, zz */
  NEAR_AHEAD =
      48 /* how far ahead the lists of neighbours are looked at, to have the cells by then */
};

typedef struct {
  /* The grid. */
  LocalId n_own, n_local, n_inner, n_interior, n_faces;
  const double *volume;
  const LocalId *left, *right;
  const double *sx, *sy, *sz, *tx, *ty, *tz, *fx, *fy, *fz;
  const LocalId *face_start, *face;
  const signed char *face_sign;
  LocalId *neighbor; /* beside `face`: the cell behind it, the cell itself at a boundary;
                        NEAR_AHEAD more that are valid */
  double *inverse;   /* n_own records of NEAR_INVERSE: the inverse of the least squares' matrix */
  double *steepest;  /* n_own: 0.999 / r^2, r the distance from the centre to the farthest face's */
  /* The flow. */
  double *cell, *slope, *flux;
  double *skin;  /* n_faces - n_interior records of NEAR_SKIN */
  double *raw;   /* n_local records of NEAR_SLOPE: gradients from face neighbours alone; NULL:
                    the grid has no tetrahedra */
  double *limit; /* n_own records of NEAR_LIMIT; NULL unless limits are to be held while a solver
                    iterates */
  const uint8_t *state; /* n_local CellStates; NULL: all cells are computed */
  const double *eddy;   /* n_local: viscosity of turbulence; NULL: there is none */
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

/* Limit afresh; limit and keep how; or limit as kept. */
typedef enum { NEAR_LIMIT_FRESH, NEAR_LIMIT_KEEP, NEAR_LIMIT_HELD } NearLimit;

/* Where the grid is and how it moves. */
typedef struct {
  Mat3 r;      /* axes of the grid to inertial axes */
  Screw twist; /* in axes of the grid, reference units */
} NearMotion;
