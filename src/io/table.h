/*
 * Tables of numbers in CSV files: motion tables and load tables.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/error.h"

typedef struct {
  int n_rows, n_columns;
  double *value; /* owned, row by row */
} NumberTable;

/*
 * Parse rows of exactly n_columns finite numbers divided by commas. Empty lines and lines that
 * begin with # are skipped; the first other line is a heading if it is not numbers. The first
 * column must ascend strictly. On a mistake *complaint (size bytes) holds "line 3: ..." and the
 * table is empty; otherwise it is "".
 */
PetscErrorCode NumberTableParse(const char *text, int n_columns, NumberTable *table,
                                char complaint[], size_t size);
PetscErrorCode NumberTableDestroy(NumberTable *table);
