/*
 * Requests to stop: signals, a file named STOP, the wall clock.
 *
 * A request is noticed between steps and all ranks agree on it, so that the run can leave a
 * checkpoint behind.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/error.h"

typedef struct {
  MPI_Comm comm;
  char file[PETSC_MAX_PATH_LEN]; /* DIR/STOP */
  double deadline;               /* clock_now() at which to stop; INFINITY: never */
  double next_look;              /* when to look for the file again */
} StopWatch;

typedef enum { STOP_NONE, STOP_WALL, STOP_FILE, STOP_SIGNAL } StopReason;

/* Catch the signals, and forget a STOP file left from an earlier run. Collective. */
PetscErrorCode StopInit(MPI_Comm comm, const char *directory, double wall_seconds, StopWatch *stop);

/*
 * Is there a request on any rank? trouble is another reason to speak up now: *troubled tells
 * whether any rank has it. Collective.
 */
PetscErrorCode StopCheck(StopWatch *stop, bool trouble, StopReason *reason, bool *troubled);

/* "wall limit", "STOP file", "signal" */
const char *stop_reason_text(StopReason reason);
