/*
 * The air of a run: grids read for the bodies, the flow on them, loads handed to the bodies, and
 * its part of histories, fields and checkpoints.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "body/bodies.h"
#include "config/case.h"
#include "flow/flow.h"
#include "io/checkpoint.h"
#include "io/history.h"
#include "overset/overset.h"
#include "sim/shapes.h"

/* The load on a body through a step: sim/air_couple.h. */
typedef struct {
  Wrench now, rate;     /* at the start of the step, and its change as it is believed to be */
  Wrench kept;          /* the rate with which the step began */
  Wrench miss;          /* of the pass before: what the flow answered less what was believed */
  double factor[2];     /* of the relaxation of force and moment */
  bool away;            /* the body has left the box of the forest */
  double closed;        /* its wall faces in closed gaps, at the end of the step */
  double closed_before; /* and at its start */
} AirTrack;

typedef struct AirGaps AirGaps;

typedef struct {
  MPI_Comm comm;
  const Case *the_case;       /* borrowed */
  int n;                      /* grids */
  NearGrid **grid;            /* owned */
  int *body;                  /* owned: the body of each grid */
  BoundaryKind **kind;        /* owned: of the patches of each grid */
  Flow *flow;                 /* owned */
  GridMotion *motion;         /* owned: poses now, twists of the last step */
  GridLoads *loads;           /* owned: at the end of the step, or now */
  AirTrack *track;            /* owned */
  AirGaps *gaps;              /* owned: sim/air_gaps.h */
  int passes;                 /* through the present step */
  double disagreement;        /* of bodies and air in the last of them, relative */
  const char *trouble;        /* why the last step was not sound */
  Overset *overset;           /* owned; NULL: grids are not joined */
  OversetReport joined;       /* of the last update */
  Pose *pose;                 /* owned, one per grid: of the present call */
  const uint8_t **near_state; /* owned, one per grid: borrowed from overset */
  bool *closed;               /* owned, one per grid: a gap at its wall is, as last told */
  double seconds_overset;     /* in connectivity since the start */
  FlowVerdict verdict;        /* of the last pass */
  int inner, linear;          /* iterations of all passes */
  double first_mass;          /* at the start of the run */
  double seconds;             /* in the flow since the last row */
  History *history;           /* owned: flow.csv */
} Air;

/* Read the grids and make the flow; mistakes become complaints of the case file. Collective. */
PetscErrorCode AirCreate(MPI_Comm comm, CaseFile *file, const char *folder, const Shapes *shapes,
                         Air **air);
PetscErrorCode AirDestroy(Air **air);

/* Fill the grids as the case says and join them where the bodies are. Collective. */
PetscErrorCode AirFill(Air *air, const Bodies *bodies);

/* The same, find a steady flow if it is to begin with one, and give its
 * loads to the bodies. Collective. */
PetscErrorCode AirStart(Air *air, const char *folder, Bodies *bodies);

/* Advance to t_end while the bodies move as they do in their present step, and find the loads
 * there. Collective. */
PetscErrorCode AirAdvance(Air *air, Bodies *bodies, double t_end, bool *sound);

/* Let the forest follow bodies and flow after a step, if it is time to. Collective. */
PetscErrorCode AirAdapt(Air *air, const Bodies *bodies, int64_t step);

/* The grids are where their bodies are. */
void air_place_grids(Air *air, const Bodies *bodies);

/* flow.csv: begin, go on with it, add a row. A dry run has none. sim/air_output.c */
PetscErrorCode AirBeginHistory(Air *air, const char *directory);
PetscErrorCode AirResumeHistory(Air *air, const char *directory, int64_t length);
PetscErrorCode AirAddRow(Air *air, int64_t step, double t);

/* Print cells, boundaries and memory of the grids on rank 0. Collective. */
PetscErrorCode AirDescribe(const Air *air, FILE *out);

/* A field file of this step in the results directory. Collective. */
PetscErrorCode AirWriteFields(Air *air, const char *directory, int64_t step, double t);

/* Slices and surfaces that are due after this step; all of them where it is the last. Collective.
 * sim/air_slices.c */
PetscErrorCode AirWritePictures(Air *air, const char *directory, int64_t step, bool last, double t);

/* State, loads and counters in a checkpoint. Collective. sim/air_restart.c */
PetscErrorCode AirPut(Air *air, Checkpoint *file);
PetscErrorCode AirGet(Air *air, Checkpoint *file, Bodies *bodies, int64_t *history_length);

/* Fill the grids from the newest checkpoint of another run of the same grids. */
PetscErrorCode AirTakeState(Air *air, const char *directory);
