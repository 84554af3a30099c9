/*
 * A look at slices before a grid is made of them: volumes as they are, and faces of one cell that
 * no boundary names. Readers use it to mend what files leave out.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "grid/grid_input.h"

typedef struct {
  double *volume; /* owned, beside the cells of the input; negative for cells inside out */
  LocalId n_open; /* faces of one cell that nothing names */
  LocalId *start; /* owned, n_open + 1 */
  GlobalId *ring; /* owned: their vertices */
  Vec3 *at;       /* owned, beside ring */
} GridSurvey;

/* Collective. The input must be sound as far as ids go; orientation does not matter. */
PetscErrorCode GridSurveyCreate(MPI_Comm comm, const GridInput *input, GridSurvey *survey);
PetscErrorCode GridSurveyFree(GridSurvey *survey);
