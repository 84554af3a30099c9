/*
 * How good a grid is: sizes and shapes of cells, and whether boundaries close.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "grid/near_grid.h"

typedef struct {
  double value;
  Vec3 at;
} Extreme;

typedef struct {
  GlobalId n_kind[CELL_KINDS]; /* cells of each kind */
  double volume;               /* of all cells [m3] */
  Extreme smallest, largest;   /* volumes of cells */

  /* Worst over the faces between cells: how far the line between the centres misses the centre of
   * the face, in units of that line; and the angle between the line and the normal [rad]. */
  Extreme skewness, slant;
} GridQuality;

/* The same numbers on any number of ranks, but for the rounding of the sum. Collective. */
PetscErrorCode GridQualityCompute(const NearGrid *grid, GridQuality *quality);

/* Area of each patch [m2]. Collective. */
PetscErrorCode GridPatchAreas(const NearGrid *grid, double area[]);

/*
 * Edges of a group of patches that only one of its faces has: none if the group is closed.
 * chosen[p] says whether patch p belongs to it. Collective.
 */
PetscErrorCode GridOpenEdges(const NearGrid *grid, const bool chosen[], GlobalId *n);

/* Bytes the grid takes on this rank. */
size_t near_grid_bytes(const NearGrid *grid);
