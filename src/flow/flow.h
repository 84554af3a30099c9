/*
 * The air of a run: all its near-body grids and the off-body forest, advanced together.
 *
 * Outside, everything is in units of the case; inside, in reference units (flow/freestream.h).
 * Grids are seen by their poses and twists, never by their bodies. A step that cannot be taken is
 * a verdict, not an error: the state is then that of the start of the step.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "flow/freestream.h"
#include "flow/near_flow.h"
#include "flow/off_body.h"
#include "grid/rows.h"

typedef struct Flow Flow;

typedef struct {
  const FlowSpec *spec;
  ReferenceSpec reference;
  int n_grids;
  NearGrid *const *grid;           /* borrowed, must outlive the flow */
  const BoundaryKind *const *kind; /* of the patches of each grid */
  const double *wall_temperature;  /* of each grid; NaN: adiabatic */
  const OffBodySpec *off_body;     /* borrowed, must outlive the flow; NULL: there is none */
} FlowInput;

/* Where a grid is at the start of a step and how it moves through it, in units of the case. */
typedef struct {
  Pose start;
  Screw twist;
} GridMotion;

/* Forces and moments about the origin of the grid's frame, inertial axes. */
typedef NearLoads GridLoads;

/* How the last step went. */
typedef struct {
  bool sound;      /* else the state is as it was before the step */
  int inner;       /* explicit sub-steps, or Newton steps */
  int linear;      /* linear iterations */
  double residual; /* of the equations, relative to that at the start of the solve; 0: explicit */
} FlowVerdict;

PetscErrorCode FlowCreate(MPI_Comm comm, const FlowInput *input, Flow **flow);
PetscErrorCode FlowDestroy(Flow **flow);

/* Fill the grids, which are at these poses, as the case says, and refine the forest around balls.
 * Collective. */
PetscErrorCode FlowInitialise(Flow *flow, const Pose pose[], int n_balls, const ForestBall ball[]);

/*
 * Let the forest follow the flow and the balls around bodies (units of the case); `ahead` is the
 * time until it is asked again. Collective.
 */
PetscErrorCode FlowAdapt(Flow *flow, double ahead, int n_balls, const ForestBall ball[],
                         bool *changed);

/* Put another forest in place of the one there is; its cells are for the caller to fill. Taken. */
PetscErrorCode FlowTakeForest(Flow *flow, Forest **forest);

/*
 * Overset grids: states of the cells of each grid (n_local) and of the forest for the next step,
 * and the rows that fill those that receive, called at the poses of every stage (units of the
 * case). The rows are borrowed until they are set again. Collective.
 */
PetscErrorCode FlowSetOverset(Flow *flow, const uint8_t *const near[], const uint8_t off[],
                              const Rows *rows);

/* Fill the cells that receive at these poses, in the present state. Collective. */
PetscErrorCode FlowFill(Flow *flow, const Pose pose[]);

/*
 * Advance by dt: tried until it is accepted, which makes it the past of the next step, or undone by
 * FlowRewind. Collective.
 */
PetscErrorCode FlowAdvance(Flow *flow, const GridMotion motion[], double dt, FlowVerdict *verdict);
PetscErrorCode FlowRewind(Flow *flow);
PetscErrorCode FlowAccept(Flow *flow);

/* Look for the steady flow about grids that stand still, or as much of it as the case asks for.
 * What it does is not counted as time. Collective. */
PetscErrorCode FlowSettle(Flow *flow, const GridMotion motion[], FlowVerdict *verdict);

/* Loads on the walls of each grid at the present state, of grids that are at motion.start and move
 * with motion.twist at this instant. Collective. */
PetscErrorCode FlowLoads(Flow *flow, const GridMotion motion[], GridLoads loads[]);

/* Extremes and masses over all grids, units of the case; how many cells; how much of the work fell
 * back to first order. Collective. */
typedef struct {
  NearRange range;
  GlobalId n_cells;
  double fallback_share; /* of all cells and stages so far */
} FlowSummary;
PetscErrorCode FlowSummarise(Flow *flow, FlowSummary *summary);

/* Take the states as they stand, after they were written from outside. Collective. */
PetscErrorCode FlowBegin(Flow *flow);

/*
 * What a restart needs: conserved values of the own cells of each grid at so many time levels,
 * newest first, and numbers that are the same on all ranks. FlowRecordSet comes after the levels
 * are filled. Collective.
 */
int flow_levels(const Flow *flow);
int flow_forest_levels(const Flow *flow);
double *flow_level(Flow *flow, int g, int level);
int flow_record_size(const Flow *flow);
PetscErrorCode FlowRecordGet(Flow *flow, double record[]);
PetscErrorCode FlowRecordSet(Flow *flow, const double record[]);

int flow_variables(const Flow *flow); /* of a cell: five, or six with turbulence */
int flow_n_grids(const Flow *flow);
NearFlow *flow_grid(Flow *flow, int g);
OffBody *flow_off_body(Flow *flow); /* NULL: there is none */
const FreeStream *flow_stream(const Flow *flow);
const Units *flow_units(const Flow *flow);
