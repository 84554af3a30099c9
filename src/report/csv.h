/*
 * CSV files line by line: histories may be larger than memory, and end in half a row.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/error.h"

#include <stdint.h>
#include <stdio.h>

typedef struct {
  FILE *file; /* NULL: the file cannot be read */
  char *line; /* owned: the row that was read, without its newline */
  size_t room;
  int64_t offset; /* where the row begins */
  int64_t number; /* of the row, the heading is 1 */
} Csv;

/* Open a file; csv->file is NULL and errno says why when that fails. */
void csv_open(Csv *csv, const char *path);
void csv_close(Csv *csv);

/* Read the next whole row; false at the end, or when the last row has no newline yet. */
bool csv_next(Csv *csv);

/* Go to a row that begins at offset. */
bool csv_seek(Csv *csv, int64_t offset);

/* Cut the row at its commas, in place; returns the number of fields, at most max are stored. */
int csv_split(char *line, char *field[], int max);

/* Read n numbers from fields; false if one is none. nan and inf are numbers. */
bool csv_numbers(char *const field[], int n, double value[]);
