/*
 * The list of mistakes found in a case file, each one line with its place.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/arena.h"

#include <stdarg.h>

typedef struct {
  int line, column;
  const char *text; /* owned by the arena: the whole line */
} Complaint;

typedef struct {
  Arena *arena;     /* borrowed, must outlive this */
  const char *file; /* borrowed: what messages call the file */
  int n, capacity;
  Complaint *list; /* owned */
} Complaints;

/* Bytes that a value or a path may take in a message, the closing zero included. */
enum { SHOWN = 64, PATH_SHOWN = 256 };

/* Append "file:line:column: path: message"; an empty path is left out. */
PetscErrorCode ComplaintsAdd(Complaints *complaints, int line, int column, const char *path,
                             const char *format, va_list arguments);

/* Bring the list into file order; mistakes at one place keep the order of their finding. */
PetscErrorCode ComplaintsSort(Complaints *complaints);

/* Keep the first ones when there are very many, and say how many were left out. */
PetscErrorCode ComplaintsShorten(Complaints *complaints);

PetscErrorCode ComplaintsFree(Complaints *complaints);

/*
 * A text of the file as messages show it: on one line, clipped to a readable length, and in
 * quotes unless it is a number. Returns shown.
 */
const char *text_show(const char *text, size_t length, char shown[static SHOWN]);
