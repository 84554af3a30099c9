/*
 * The cells of a near-body grid as donors: centres, neighbours and the linear fit through them,
 * made once, packed by cell.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/vec3.h"
#include "grid/near_grid.h"

typedef struct {
  const NearGrid *grid; /* borrowed */
  Vec3 *center;         /* owned, n_local */
  LocalId *first;       /* owned, n_own + 1: neighbours of an own cell, */
  LocalId *neighbour;   /* owned: across its faces, boundaries left out */
  double (*inverse)[6]; /* owned, n_own: xx, xy, xz, yy, yz, zz of the inverse matrix of the least
                           squares; zero where three directions are not resolved */
} DonorCells;

PetscErrorCode DonorCellsCreate(const NearGrid *grid, DonorCells **cells);
PetscErrorCode DonorCellsDestroy(DonorCells **cells);
size_t donor_cells_memory(const DonorCells *cells);
