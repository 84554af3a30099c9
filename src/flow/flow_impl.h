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
  GridMotion *motion_other;         /* owned: of an instant at which loads are asked for */
  Rows rows;                        /* fill is NULL: grids are not joined */
  Pose *pose;                       /* owned: of the present call */
  double **record;                  /* owned: records of the cells of each grid, borrowed */
  double **backup;                  /* owned: the state of each grid at the start of the step */
  double passed;                    /* mass that has gone out through the boundaries */
  double passed_kept;               /* the same at the start of the step */
  double counts[2];        /* of cells times stages, and of fallbacks, before this invocation */
  bool implicit;           /* near-body grids, and the forest unless mixed */
  bool mixed;              /* the forest is explicit */
  double **ahead;          /* owned, mixed: near-body states at the end of the step */
  double **older;          /* owned, implicit: the state one step before the present */
  Screw *twist_old;        /* owned, implicit: the motion that led to the present */
  double dt_old;           /* 0: there is no older state */
  double passed_last;      /* mass that went out in the last implicit step */
  struct Implicit *solver; /* owned; NULL: nothing is implicit */
};

/* The motion of grid g at a time after the start of the step, in reference units. */
NearMotion flow_motion_at(const Flow *flow, int g, double t);

/* Fill the cells that receive before stage k, at a time after the start of the step. */
PetscErrorCode FlowFillStage(Flow *flow, int k, double t);

/* Keep the states of all grids, and bring them back. */
PetscErrorCode FlowSave(Flow *flow);
PetscErrorCode FlowRestore(Flow *flow);

/* Explicit sub-steps over a time in reference units. flow/explicit.c */
PetscErrorCode FlowAdvanceExplicit(Flow *flow, double dt, FlowVerdict *verdict);

/* Near-body grids implicit, the forest in explicit sub-steps. flow/mixed.c */
PetscErrorCode FlowAdvanceMixed(Flow *flow, double dt, FlowVerdict *verdict);
