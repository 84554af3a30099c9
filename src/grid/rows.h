/*
 * Values that cells receive from other grids: an interface between those who know where they come
 * from and those who need them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/error.h"
#include "base/pose.h"

enum { ROW_VALUES = 5 };

/* What is read from donors and written to receivers. */
typedef struct {
  double *const *near; /* per grid and local cell a record that begins with density, velocity and
                          pressure; those of the halo are current */
  int near_record;     /* numbers of a record */
  double *off;         /* conserved values [patch][variable][z][y][x] of this rank's patches */
  double gamma;
} RowFields;

typedef struct {
  void *context;
  /* Fill the fringe cells of all grids at these poses. Collective. */
  PetscErrorCode (*fill)(void *context, const Pose pose[], const RowFields *fields);
} Rows;
