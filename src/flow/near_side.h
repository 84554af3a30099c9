/*
 * The state that a cell gives to a face. SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "flow/near_arrays.h"
#include "flow/row.h"

/* Gradients by x, y and z; the number after the last of z is the calm. */
typedef struct {
  Row x, y, z;
} Slopes;

/* A record of slopes is two rows: x and the first of y, the rest of y with z and the calm. */
static inline void slopes_pack(const Slopes *s, Row record[2])
{
  record[0] = __builtin_shufflevector(s->x, s->y, 0, 1, 2, 3, 4, 8, 9, 10);
  record[1] = __builtin_shufflevector(s->y, s->z, 3, 4, 8, 9, 10, 11, 12, 13);
}

static inline Slopes slopes_unpack(Row first, Row second)
{
  return (Slopes){first, __builtin_shufflevector(first, second, 5, 6, 7, 8, 9, 5, 6, 7),
                  __builtin_shufflevector(second, second, 2, 3, 4, 5, 6, 7, 0, 1)};
}

/* The state that cell c gives to face f, the first NEAR_VARS numbers of the row, and how
 * calm the pressure is there. */
static inline Row near_side(const NearArrays *a, LocalId c, LocalId f)
{
  const double *record = a->cell + NEAR_CELL * (size_t)c, *g = a->slope + NEAR_SLOPE * (size_t)c;
  const double x = a->fx[f] - record[NEAR_X], y = a->fy[f] - record[NEAR_X + 1],
               z = a->fz[f] - record[NEAR_X + 2];
  const Slopes s = slopes_unpack(row_load(g), row_load(g + ROW));
  Row w = row_load(record) + (s.x * x + s.y * y + s.z * z);
  w[NEAR_VARS] = s.z[NEAR_VARS];
  return w;
}
