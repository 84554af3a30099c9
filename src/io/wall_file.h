/*
 * The walls of a field or surface file, read back: where the faces are and the pressure on them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/error.h"

/* Faces of one grid, from one rank. */
typedef struct {
  char name[33]; /* of the grid; a long one is cut */
  int n;
  double *center;   /* owned: three of each face */
  double *pressure; /* owned */
} WallZone;

typedef struct {
  double t;
  int n;
  WallZone *zone; /* owned */
} WallFile;

/* Fails with CAROM_ERR_FILE when the file cannot be read or is not whole. Not collective. */
PetscErrorCode WallFileRead(const char *path, WallFile *file);
PetscErrorCode WallFileDestroy(WallFile *file);
