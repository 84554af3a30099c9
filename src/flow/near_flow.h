/*
 * The air on one near-body grid: cell-centred finite volumes, conserved values in inertial axes,
 * geometry in the frame of the grid.
 *
 * Units are those of flow/freestream.h with the case's own unit of length, so that the grid is
 * taken as it is; times are lengths that sound travels. Density and pressure of a state are
 * positive; a state that is not is a count that the caller acts on, never an error.
 *
 * Every call with a capital is collective over the ranks of the grid.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "flow/gas.h"
#include "flow/near_arrays.h"
#include "flow/near_sa_kernels.h"
#include "grid/grid_spec.h"
#include "grid/near_grid.h"

typedef struct NearFlow NearFlow;
struct _p_Mat;

typedef struct {
  Gas gas;
  Primitive stream;
  bool viscous;
  double wall_temperature;  /* of walls to which the gas sticks; NaN: adiabatic */
  const BoundaryKind *kind; /* of each patch of the grid */
  const SaSpec *turbulence; /* borrowed; NULL: there is none */
} NearFlowSpec;

/* How often something had to be helped, since the flow was made. */
typedef struct {
  GlobalId cell_stages; /* cells times stages computed */
  GlobalId fallbacks;   /* of these, first order to stay positive */
} NearCounts;

/* The grid is borrowed and must outlive the flow. */
PetscErrorCode NearFlowCreate(const NearGrid *grid, const NearFlowSpec *spec, NearFlow **flow);
PetscErrorCode NearFlowDestroy(NearFlow **flow);

/* Conserved values of own cells, five each: read them, or write and then call NearFlowBegin. With
 * turbulence rho nu_tilde of each own cell stands behind them. */
double *near_flow_state(NearFlow *flow);
double *near_flow_turbulence(NearFlow *flow);     /* NULL: there is none */
int near_flow_variables(const NearFlow *flow);    /* five or six per cell */
const NearSa *near_flow_sa(const NearFlow *flow); /* NULL: there is none */

/* Distances of all cells, halo included, from the nearest wall: what the model reads, to be changed
 * where another body's wall is nearer; and from the walls of the grid itself. */
double *near_flow_wall_distance(NearFlow *flow);
const double *near_flow_own_distance(const NearFlow *flow);

/* Heights of the first cells' centres above walls in units of the wall (y+), of the last fluxes:
 * least, mean by area and greatest over all ranks; NaN without walls. */
typedef struct {
  double least, mean, most;
} NearWallUnits;
PetscErrorCode NearFlowWallUnits(NearFlow *flow, NearWallUnits *units);

/* Greatest height of the first cells' centres above walls that the gas sticks to, and the longest
 * edge of the box around these; 0 without walls. */
PetscErrorCode NearFlowWallExtent(NearFlow *flow, double *height, double *extent);

/* Make the state the one that fluxes are taken of; *bad cells of all ranks are not sound. */
PetscErrorCode NearFlowBegin(NearFlow *flow, GlobalId *bad);

/*
 * Overset grids come in before the fluxes of a stage: NearFlowShare makes the records of halo cells
 * current, the caller writes density, velocity and pressure of fringe cells into the records
 * (near_flow_arrays()->cell), near_flow_take_fringe makes them what stage k begins with. Cells that
 * are not STATE_FIELD are not computed and count nowhere.
 */
PetscErrorCode NearFlowSetStates(NearFlow *flow, const uint8_t state[]); /* n_local; copied */
PetscErrorCode NearFlowShare(NearFlow *flow);
void near_flow_take_fringe(NearFlow *flow, int k);

/* Fluxes through all faces of the grid where it is and as it moves. */
PetscErrorCode NearFlowFluxes(NearFlow *flow, const NearMotion *motion, NearLimit limit);

/* From the fluxes: the rate of change of the state (that of rho nu_tilde behind that of the gas, as
 * in the state), and the longest step at a Courant number of 1.
 */
PetscErrorCode NearFlowRate(NearFlow *flow, double rate[]);
PetscErrorCode NearFlowTimeStep(NearFlow *flow, double *dt);

/* Room to hold limiters while a solver iterates. */
PetscErrorCode NearFlowHoldLimits(NearFlow *flow);

/*
 * Add to a matrix of blocks of near_flow_variables, at rows from first_block on, the derivative of
 * the fluxes out of own cells at first order, and diagonal[c] on the diagonal of cell c. Couplings
 * to other ranks are left out. The unknown of turbulence is `scale` times rho nu_tilde. Not
 * collective.
 */
PetscErrorCode NearFlowAssemble(NearFlow *flow, const NearMotion *motion, const double diagonal[],
                                double scale, PetscInt first_block, struct _p_Mat *matrix);

/*
 * One explicit stage k of 3 of a step dt, after the fluxes of the stage before; the state becomes
 * the result after the last. Cells that turn out unsound are computed again at first order
 * together with their neighbours; *bad are left after that.
 */
PetscErrorCode NearFlowStage(NearFlow *flow, const NearMotion *motion, int k, double dt,
                             GlobalId *bad);

/* Force and moment about the origin of the grid's frame, inertial axes: of pressure less that of
 * the free stream, and of friction. From the fluxes. Cells that are left out give none. */
typedef struct {
  Vec3 pressure_force, friction_force, pressure_moment, friction_moment;
} NearLoads;
PetscErrorCode NearFlowLoads(NearFlow *flow, const NearMotion *motion, NearLoads *loads);

/* Count the mass that the present fluxes carry out in a time. */
void near_flow_note_passed(NearFlow *flow, double dt);

/* Mass that has gone out through the boundaries since this was last asked. */
PetscErrorCode NearFlowTakePassed(NearFlow *flow, double *passed);

/* Least and greatest density and pressure over all ranks, the mass there is, and (for a whole flow)
 * the mass that has gone out. */
typedef struct {
  double rho_min, rho_max, p_min, p_max, mass, passed;
} NearRange;
PetscErrorCode NearFlowRange(NearFlow *flow, NearRange *range);

const Gas *near_flow_gas(const NearFlow *flow);
const Primitive *near_flow_stream(const NearFlow *flow);
const NearGrid *near_flow_grid(const NearFlow *flow);
const NearArrays *near_flow_arrays(const NearFlow *flow);
NearCounts near_flow_counts(const NearFlow *flow);

/* Bytes this rank holds for it. */
size_t near_flow_memory(const NearFlow *flow);
