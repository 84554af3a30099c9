/*
 * The map of bins that points are looked up in, and the look-up.
 *
 * Boxes of cells are single precision, rounded outwards; a point is rounded to nearest, which keeps
 * its order with respect to them, so that no box that holds the point is missed. Bins, and 256
 * steps within each, are found from the same rounded numbers by one rising function, for points and
 * boxes alike: a bin keeps its share of a box in bytes, and what they let pass is a little more
 * than what the box holds, never less.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ids.h"
#include "base/vec3.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct {
  float lo[3], hi[3];
} LocateBox;

/* Some cells of a bin, by rising number, and how far from step lo to step hi of the bin each
 * reaches; places that are left over in the last block have lo above hi. */
enum { LOCATE_BLOCK = 16, LOCATE_STEPS = 256 };

typedef struct {
  uint8_t lo[3][LOCATE_BLOCK], hi[3][LOCATE_BLOCK];
  LocalId cell[LOCATE_BLOCK];
} LocateBlock;

/* Signed distance is n . p - d, positive outside of the cell. */
typedef struct {
  double n[3], d;
} LocatePlane;

typedef struct {
  LocateBox box;        /* around all boxes */
  double per_length[3]; /* steps */
  int n[3];             /* bins; 0 where there are no cells */
} LocateBins;

typedef struct {
  LocateBins bins;
  const LocalId *block_start; /* bins + 1 */
  const LocateBlock *block;
  const LocateBox *box;       /* cells */
  const LocalId *plane_start; /* cells + 1 */
  const LocatePlane *plane;   /* the largest faces of a cell first: they tell most */
} LocateMap;

/* The step along one axis, of all bins, of a number that is not below the box. */
static inline int locate_step(const LocateBins *bins, int axis, float x)
{
  const double at = ((double)x - (double)bins->box.lo[axis]) * bins->per_length[axis];
  const int end = bins->n[axis] * LOCATE_STEPS;
  return at < end ? (int)at : end - 1;
}

/* Also false for NaN. */
static inline bool locate_box_holds(const LocateBox *box, const float p[3])
{
  return p[0] >= box->lo[0] && p[0] <= box->hi[0] && p[1] >= box->lo[1] && p[1] <= box->hi[1] &&
         p[2] >= box->lo[2] && p[2] <= box->hi[2];
}

/* The bin of a point, x fastest, or -1 beyond the box; and its steps within. */
static inline LocalId locate_bin(const LocateBins *bins, const float p[3], uint8_t step[3])
{
  if (!locate_box_holds(&bins->box, p)) return -1;
  LocalId bin = 0;
  for (int i = 2; i >= 0; i--) {
    const int at = locate_step(bins, i, p[i]);
    step[i] = (uint8_t)(at % LOCATE_STEPS);
    bin = bin * bins->n[i] + at / LOCATE_STEPS;
  }
  return bin;
}

/* The cell of least excess, then of least number, of each of n points; -1 and INFINITY: none. */
void locate_find(const LocateMap *map, int n, const Vec3 *restrict p, LocalId *restrict cell,
                 double *restrict excess);
