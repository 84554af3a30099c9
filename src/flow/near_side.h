/*
 * The state that a cell gives to a face. SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "flow/near_arrays.h"
#include "flow/row.h"

/* The state that cell c gives to face f, the first NEAR_VARS numbers of the row, and how
 * calm the pressure is there. */
static inline Row near_side(const NearArrays *a, LocalId c, LocalId f)
{
  const double *record = a->cell + NEAR_CELL * (size_t)c, *g = a->slope + NEAR_SLOPE * (size_t)c;
  const double x = a->fx[f] - record[NEAR_X], y = a->fy[f] - record[NEAR_X + 1],
               z = a->fz[f] - record[NEAR_X + 2];
  const Row last = row_load(g + 2 * NEAR_VARS);
  Row w = row_load(record) + (row_load(g) * x + row_load(g + NEAR_VARS) * y + last * z);
  w[NEAR_VARS] = last[NEAR_VARS];
  return w;
}
