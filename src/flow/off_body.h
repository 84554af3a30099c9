/*
 * The air off the bodies: patches of cubic cells on a forest, explicit in time.
 *
 * Units are those of flow/freestream.h with the case's own unit of length, as on near-body grids.
 * Values are points at cell centres. A state that is not sound is a count that the caller acts on.
 *
 * Overset grids come in between the stages. OffBodySetStates says which cells are whose; before
 * each OffBodyStage (and each OffBodyRate) the caller writes the fringe cells of the values that
 * are about to be read, off_body_stage(k), and borders are packed after that, so that patches on
 * other ranks and levels see them too. Cells that are not STATE_FIELD keep what they have through
 * the stage and are left out of time step, sums, extremes, sensors and the matching of fluxes;
 * patches without any field cell are skipped. Field cells read three cells in each direction, so
 * three layers of fringe keep them from what is in holes; only friction at the ends of a patch and
 * changes of the forest look further, for which OffBodyExtend puts a smooth state into holes.
 *
 * Donors: the cells of a patch itself, read in place. A stencil of three points along each axis
 * always fits into the patch that holds the point, shifted inward where the point is less than a
 * cell from the patch's side (a point beyond the outermost centres is at most half a cell out:
 * third order still). So a donor never needs neighbours, edges or corners of a patch.
 *
 * Every call with a capital is collective.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "flow/gas.h"
#include "flow/initial.h"
#include "flow/patch_kernels.h"
#include "grid/forest.h"

typedef struct OffBody OffBody;

typedef struct {
  const OffBodySpec *spec; /* borrowed, must outlive it */
  Gas gas;
  Primitive stream;
  bool viscous, implicit;
} OffBodyInput;

PetscErrorCode OffBodyCreate(MPI_Comm comm, const OffBodyInput *input, int n_balls,
                             const ForestBall ball[], OffBody **off_body);

/* On a forest that was read; taken. */
PetscErrorCode OffBodyCreateOn(Forest *forest, const OffBodyInput *input, OffBody **off_body);
PetscErrorCode OffBodyDestroy(OffBody **off_body);

/* Fill all cells, and refine where the sensor asks for it until it does no more. */
PetscErrorCode OffBodyFill(OffBody *off_body, const Initial *initial, int n_balls,
                           const ForestBall ball[]);

/* The longest time step at a Courant number of 1; 0: the state is not sound. */
PetscErrorCode OffBodyTimeStep(OffBody *off_body, double *dt);

/* Stage k of 3 of a step dt (SSP Runge-Kutta of third order); the state becomes the result after
 * the last. *bad cells of all ranks are not sound afterwards: the state is still that before. */
PetscErrorCode OffBodyStage(OffBody *off_body, int k, double dt, GlobalId *bad);

/*
 * The rate of change of the state as it is, [patch][variable][z][y][x], with fluxes matched where
 * levels meet; zero in cells that are not STATE_FIELD. Only an implicit flow can keep which faces
 * are rough. *passing (may be NULL): mass that leaves the
 * domain per time, over all ranks.
 */
PetscErrorCode OffBodyRate(OffBody *off_body, PatchHold hold, double rate[], double *passing);

/* Keep the state as it is now, and go back to what was kept; the forest must be the same. */
PetscErrorCode OffBodySave(OffBody *off_body);
PetscErrorCode OffBodyRestore(OffBody *off_body);

/* A step is taken: what has passed in it is added to the mass that passed before, step by step, so
 * that a resumed run adds the same numbers in the same order. */
PetscErrorCode OffBodyAccept(OffBody *off_body);

/* The values that stage k reads, [patch][variable][z][y][x]. */
double *off_body_stage(OffBody *off_body, int k);

/* One CellState per cell, [patch][z][y][x]; copied. NULL: all are field. Allocates only the first
 * time after the forest has changed. */
PetscErrorCode OffBodySetStates(OffBody *off_body, const uint8_t state[]);

/* Let holes take over the state of the cells around them, layer by layer within their patch;
 * patches that are holes all through take the free stream. In the values that stage k reads. */
PetscErrorCode OffBodyExtend(OffBody *off_body, int k);

/*
 * Follow the flow and the bodies. `ahead` is the time until the next adaptation: what the sensor
 * sees may move that far. *changed tells whether the forest is another one; cell states are then
 * forgotten.
 */
PetscErrorCode OffBodyAdapt(OffBody *off_body, double ahead, int n_balls, const ForestBall ball[],
                            bool *changed);

typedef struct {
  double rho_min, rho_max, p_min, p_max;
  double total[PATCH_VARIABLES]; /* of density, momentum and energy times volume */
  double passed;                 /* mass that has gone out through the sides */
  GlobalId cells, field, fringe, holes;
  GlobalId patch_steps;      /* patches times stages computed, since the start */
  GlobalId rough, fallbacks; /* faces not linear, and at first order, since the start */
} OffBodySummary;

PetscErrorCode OffBodySummarise(OffBody *off_body, OffBodySummary *summary);

const Forest *off_body_forest(const OffBody *off_body);
int off_body_patch(const OffBody *off_body); /* cells along an edge */
const uint8_t *off_body_states(const OffBody *off_body);

/* Conserved values of this rank's cells, [patch][variable][z][y][x]. */
double *off_body_state(OffBody *off_body);

/*
 * What a checkpoint keeps besides: the mass that has passed, and the counts of patches times
 * stages, of rough faces and of fallbacks, over all ranks since the start of the run.
 */
PetscErrorCode OffBodyCounters(OffBody *off_body, double counter[4]);
void off_body_set_counters(OffBody *off_body, const double counter[4]);

/* Bytes this rank holds for it, and bytes per cell that it takes about. */
size_t off_body_memory(const OffBody *off_body);
double off_body_bytes_per_cell(int patch);
