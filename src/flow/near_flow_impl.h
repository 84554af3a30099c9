/*
 * Inside a near-body flow. SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "flow/near_boundary_kernels.h"
#include "flow/near_cell_kernels.h"
#include "flow/near_flow.h"

struct NearFlow {
  const NearGrid *grid; /* borrowed */
  NearFlowSpec spec;    /* kind is owned */
  NearArrays arrays;    /* views; neighbor, inverse, steepest, limit and specials are owned */
  double *records;      /* owned: cell, slope, raw, flux and skin of the arrays */
  uint8_t *state;       /* owned, n_local; NULL: all cells are computed */
  bool has_holes;       /* some of them are left out */
  unsigned char *weak;  /* owned, n_local */
  double *weak_number;  /* owned, n_local: weak as it is exchanged */
  double *start, *in,
      *out;             /* owned, conserved values of own cells and ROW_PAD; start is the state */
  double *wall_load;    /* owned: loads of the faces of walls */
  double *passed;       /* owned: mass that went out through each boundary face so far */
  NearSa *sa;           /* owned; NULL: no turbulence */
  double *own_distance; /* owned, n_local: from the grid's own walls */
  NearCounts counts;
  size_t memory;
};

/* Weights of the gradients, and the special cells. flow/near_weights.c */
PetscErrorCode NearWeightsCreate(const NearGrid *grid, const NearFlowSpec *spec,
                                 NearArrays *arrays);
PetscErrorCode NearWeightsDestroy(NearArrays *arrays);

/* Room for the loads of walls. flow/near_loads.c */
PetscErrorCode NearWallLoadsCreate(NearFlow *flow);

/* The turbulence model; nothing happens without. flow/near_turbulence.c */
PetscErrorCode NearTurbulenceCreate(NearFlow *flow);
PetscErrorCode NearTurbulenceDestroy(NearFlow *flow);
PetscErrorCode NearTurbulenceShare(NearFlow *flow); /* halo and viscosity, before the gas */
PetscErrorCode NearTurbulenceFluxes(NearFlow *flow, const NearMotion *motion, NearLimit limit);
void near_turbulence_take(NearFlow *flow, double *state); /* nu_tilde of own cells from a state */
void near_turbulence_stage(NearFlow *flow, NearStage stage, double *in, double *out);
void near_turbulence_take_fringe(NearFlow *flow, LocalId c, double *state);

/* Where rho nu_tilde stands in a state; NULL: there is none. */
double *near_turbulence_of(const NearFlow *flow, double *state);

/* What stands behind a boundary of a kind. */
NearBeyond near_beyond_of(BoundaryKind kind);

/* Does the gas stick to a boundary of this kind? */
static inline bool near_sticks(const NearFlowSpec *spec, BoundaryKind kind)
{
  return spec->viscous && kind == BOUNDARY_WALL;
}

static inline bool near_is_wall(BoundaryKind kind)
{
  return kind == BOUNDARY_WALL || kind == BOUNDARY_SLIP;
}

/* The patch of a boundary face. */
static inline int near_patch_of(const NearGrid *grid, LocalId f)
{
  int p = 0;
  while (f >= grid->patch[p].first_face + grid->patch[p].n_faces) p++;
  return p;
}
