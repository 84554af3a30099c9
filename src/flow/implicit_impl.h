/*
 * Inside implicit time. SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "flow/implicit.h"

#include "flow/flow_impl.h"

#include <petscsnes.h>

struct Implicit {
  Flow *flow; /* borrowed */
  SNES snes;  /* owned, as all below */
  Vec x, residual, known;
  Mat product, first_order;
  PC near; /* with a forest: the preconditioner of the near-body unknowns alone */
  Vec near_in, near_out;
  double *a0;       /* one per cell of all grids and the forest */
  double *diagonal; /* a0 times volume */
  double *volume;
  NearMotion *motion;   /* of each grid at the end of the step */
  LocalId *first;       /* n_grids + 1: first cell of each grid in the vectors of this rank */
  int vars;             /* unknowns of a cell: those of the gas, and one of turbulence */
  double scale;         /* the unknown of turbulence over rho nu_tilde: it is about one then */
  double *apart;        /* room for a grid's values with those of turbulence behind the gas's */
  LocalId n;            /* cells of all, the forest's behind those of the grids */
  PetscInt first_block; /* of this rank in the near-body matrix */
  double time;          /* after the start of the step, when cells that receive are filled */
  bool unsound;         /* a state in the last solve was not sound */
  bool frozen;          /* limiters stay as they were kept last */
  double dt, out;       /* of the step that may be accepted: its length, the mass that went out */
};

/* The forest, if its cells are unknowns too; NULL: there is none, or it has a time of its own. */
static inline OffBody *implicit_forest(const Implicit *s)
{
  return s->flow->mixed ? NULL : s->flow->off_body;
}

/* Where the forest's unknowns begin in the vectors of this rank. */
static inline LocalId implicit_forest_start(const Implicit *s)
{
  return s->vars * s->first[s->flow->n_grids];
}

/* From values of grid g as a flow keeps them to unknowns, and back. flow/implicit_solve.c, as all
 * below. */
void implicit_pack(const Implicit *s, int g, const double state[], double x[]);
void implicit_unpack(const Implicit *s, int g, const double x[], double state[]);

/* Put the unknowns into the grids and fill the cells that receive; are all sound? */
PetscErrorCode ImplicitSpread(Implicit *s, Vec x, bool *sound);

/* Take the unknowns from the grids. */
PetscErrorCode ImplicitCollect(Implicit *s, Vec x);

/* Fluxes out of the cells by volume, negated: what the flow alone does to them. */
PetscErrorCode ImplicitTakeRates(Implicit *s, NearLimit limit, double rate[]);

/* r <- V (a0 x + known - rate), with the rate in r. */
PetscErrorCode ImplicitFinishResidual(Implicit *s, Vec x, double r[]);

/* Solve for the state from the present one; limiters are taken from it. */
PetscErrorCode ImplicitSolve(Implicit *s, FlowVerdict *verdict, SNESConvergedReason *reason);
