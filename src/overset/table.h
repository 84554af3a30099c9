/*
 * Rows: what cells of this rank give to places that were asked about.
 *
 *   value = U_0 + sum of weight (U_k - U_0)
 *
 * so an even flow stays even to rounding. A table is made for one set of poses and used until
 * they change: a fill then costs one pass over it and one exchange. Giving cells are computed
 * ones, so rows never depend on what other rows fill.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/error.h"
#include "base/ids.h"
#include "grid/rows.h"

#include <stdbool.h>

/* Room for the values of a row: one vector. */
enum { ROW_ROOM = 8 };

/* Rows over any cells of a grid (numbers of records) or of the forest (see table_cell). */
typedef struct {
  int n, room, n_terms, term_room;
  int *slot;      /* owned: which value is made */
  LocalId *cell;  /* owned: U_0 */
  int *start;     /* owned, n + 1: terms */
  LocalId *other; /* owned */
  double *weight; /* owned, beside other */
} RowList;

/* Rows over bricks of 3 x 3 x 3 cells of a patch: weights along each axis. */
typedef struct {
  LocalId first;  /* the lowest cell; lines of four along x stay within the patch */
  LocalId middle; /* U_0 */
  int slot;
  double x[4], y[3], z[3];
} Brick;

typedef struct {
  int n, room;
  Brick *item; /* owned */
} BrickList;

PetscErrorCode RowListClear(RowList *list);
PetscErrorCode RowListDestroy(RowList *list);
PetscErrorCode BrickListAdd(BrickList *list, Brick brick);

/* Begin a row; then add its terms. */
PetscErrorCode RowListBegin(RowList *list, int slot, LocalId cell);
PetscErrorCode RowListAdd(RowList *list, LocalId other, double weight);

size_t row_list_memory(const RowList *list);

/* Where the first value of cell c, counted [patch][z][y][x], is in the states of the forest. */
static inline size_t table_cell(size_t c, size_t cells)
{
  return c / cells * cells * ROW_VALUES + c % cells;
}

/*
 * Values of rows into value[ROW_ROOM * slot]: density, velocity, pressure. One that would lose
 * nine tenths of the density or pressure of its first cell is that cell's.
 */
void rows_from_records(const RowList *list, const double *record, int size, double *value);
void rows_from_forest(const RowList *list, const double *off, size_t cells, double gamma,
                      double *value);
void bricks_from_forest(const BrickList *list, const double *off, int n, double gamma,
                        double *value);
