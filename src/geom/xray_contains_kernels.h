/*
 * Inside tests in bulk: the column of each point, its slabs, and whether the ray may decide.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "geom/xray_records.h"

#include <stdbool.h>

/* What an inside test reads, with the scale and shift of the lattice worked out. */
typedef struct {
  const int32_t *start;
  const Slab *slab;
  double origin_u, origin_v, per_spacing, middle_w;
  int n_u, n_v;
} Columns;

/* The column of a point, or -1 if it is beyond all columns (also for NaN). */
static inline int columns_find(const Columns *c, double u, double v)
{
  const double fu = (u - c->origin_u) * c->per_spacing + 0.5;
  const double fv = (v - c->origin_v) * c->per_spacing + 0.5;
  if (!(fu >= 0.0 && fu < c->n_u && fv >= 0.0 && fv < c->n_v)) return -1;
  return (int)fu + c->n_u * (int)fv;
}

/*
 * For n points (u, v, w) set inside[k] where the rays decide. Returns the number of points in
 * slabs, whose numbers are written to doubtful[] and whose slabs to slab[] (both at least n).
 */
int columns_contain(const Columns *columns, int n, const double *restrict u,
                    const double *restrict v, const double *restrict w, bool *restrict inside,
                    int *restrict doubtful, int *restrict slab);
