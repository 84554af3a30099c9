/*
 * Where the time goes: seconds per stage of a run, and the table at its end.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/error.h"

#include <stdio.h>

typedef enum {
  STAGE_SETUP,
  STAGE_BODIES,
  STAGE_CONTACT,
  STAGE_FLOW,
  STAGE_ADAPT,
  STAGE_WRITE,
  STAGE_CHECKPOINT,
  STAGES
} Stage;

typedef struct {
  double seconds[STAGES];
  double started; /* when the run began */
  double lap;     /* when the present stage began */
} Clock;

/* Seconds of a clock that only goes forward. */
double clock_now(void);

Clock clock_start(void);

/* Charge the time since the last lap to a stage. */
void clock_lap(Clock *clock, Stage stage);

/* Print min, mean and max over the ranks of each stage, on rank 0. Collective. */
PetscErrorCode ClockPrint(const Clock *clock, MPI_Comm comm, FILE *out);
