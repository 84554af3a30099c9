/*
 * Values that cells receive from other grids: an interface between those who know where they come
 * from and those who need them.
 *
 * All receivers take from computed cells alone (STATE_FIELD), never from other receivers. So a fill
 * is one explicit map from the computed cells to those that receive: filling twice changes nothing,
 * and a residual that fills first is a function of the computed cells. A matrix-free Jacobian that
 * differences it therefore has the couplings of all grids in it; receivers and holes themselves
 * keep identity equations. At poses that were those of the last fill no weights are looked for
 * again: one pass over a table and one message.
 *
 * The map is linear in the primitive values of near-body givers and in the conserved ones of the
 * forest, but for conversions and one switch: a value that would lose nine tenths of the density
 * or pressure of its first giver is replaced by that giver's.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/error.h"
#include "base/pose.h"

/* Density, three velocities (conserved: momenta), pressure (energy), then what is carried along
 * (conserved: times density). */
enum { ROW_VALUES = 5 };

/* What is read from donors and written to receivers. */
typedef struct {
  double *const *near; /* per grid and local cell a record that begins with ROW_VALUES primitive
                          values; those of the halo are current */
  int near_record;     /* numbers of a record, 8 at least */
  double *off;         /* conserved values [patch][variable][z][y][x] of this rank's patches */
  double gamma;
} RowFields;

typedef struct {
  void *context;
  /* Fill the fringe cells of all grids at these poses. Collective. */
  PetscErrorCode (*fill)(void *context, const Pose pose[], const RowFields *fields);
} Rows;
