/*
 * Inside the air of a run. SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "flow/flow.h"
#include "flow/initial.h"

struct Flow {
  MPI_Comm comm;
  const FlowSpec *spec; /* borrowed */
  FreeStream stream;
  Units units;
  Gas gas;
  Initial initial;
  int n_grids;
  NearFlow **grid;                  /* owned */
  const OffBodySpec *off_body_spec; /* borrowed */
  OffBody *off_body;                /* owned; NULL: none */
  GridMotion *motion;               /* owned: of this step, reference units */
  double **backup;                  /* owned: the state of each grid at the start of the step */
};

/* The motion of grid g at a time after the start of the step, in reference units. */
NearMotion flow_motion_at(const Flow *flow, int g, double t);

/* Explicit sub-steps over a time in reference units. flow/explicit.c */
PetscErrorCode FlowAdvanceExplicit(Flow *flow, double dt, FlowVerdict *verdict);
