/*
 * A run: owns everything, takes the steps, stops and resumes.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "body/bodies.h"
#include "config/case.h"
#include "contact/contact.h"
#include "sim/air.h"
#include "sim/clock.h"
#include "sim/output.h"
#include "sim/shapes.h"

#include <stdint.h>

/* A case is text that people write: what has more bytes is some other file. */
enum { CASE_LIMIT = 64 << 20 };

/* What the step says of itself: go on, or repeat with a smaller step. */
typedef enum { STEP_ACCEPTED, STEP_DIVERGED } StepVerdict;

typedef struct {
  MPI_Comm comm;
  CaseFile *file;                  /* owned */
  const Case *the_case;            /* borrowed from file */
  char folder[PETSC_MAX_PATH_LEN]; /* to which the paths of the case are relative */
  uint64_t case_hash;
  Shapes shapes;
  Bodies *bodies;   /* owned */
  Contact *contact; /* owned; NULL: nothing can touch */
  Air *air;         /* owned; NULL: a dry run */
  int64_t step, n_steps;
  int n_lasting, lasting_room; /* of the record of contacts before the step */
  int64_t *lasting;            /* owned */
  int64_t n_contacts;          /* so far */
  int64_t saved;               /* step of the newest checkpoint; -1: there is none */
  Output output;
  Clock clock;
} Sim;

/* What the flags of one invocation ask for. */
typedef struct {
  const char *directory; /* of the results; NULL: as the case says */
  int64_t steps;         /* at most so many; -1: no limit */
  double until;          /* stop after the first step at or past it; INFINITY: no limit */
  double wall;           /* seconds; INFINITY: no limit */
  bool quiet, force;
} RunOptions;

RunOptions run_options_default(void);

/*
 * Read and check a case file and build what it describes. folder (NULL: that of the file) is what
 * its paths refer to; directory (NULL: as the case says) is for the results. All mistakes are
 * printed and PETSC_ERR_USER_INPUT raised. Collective.
 */
PetscErrorCode SimCreate(MPI_Comm comm, const char *path, const char *folder, const char *directory,
                         Sim **sim);
PetscErrorCode SimDestroy(Sim **sim);

/* Time at the end of step n. */
double sim_time_of(const Sim *sim, int64_t n);

/*
 * One whole step, in smaller parts where it fails, and its contacts into the histories. When even
 * those fail, *verdict says so and the state is that of the moment before. sim/advance.c
 */
PetscErrorCode SimAdvance(Sim *sim, StepVerdict *verdict);

/* Contacts that last, as they were before the present part of the step. */
PetscErrorCode SimRewindContacts(Sim *sim);

/* One step, or a part of one, to t_end: sim/step.c. */
PetscErrorCode SimStep(Sim *sim, double t_end, StepVerdict *verdict);

/* Run a case from its beginning; *status is the exit status. Collective. */
PetscErrorCode SimRun(Sim *sim, const RunOptions *options, int *status);

/* Go on from the newest valid checkpoint of a results directory. Collective. */
PetscErrorCode SimResume(MPI_Comm comm, const RunOptions *options, int *status);

/* Print bodies, mass properties and cost of a case that was read. Collective. */
PetscErrorCode SimDescribe(const Sim *sim, FILE *out);
