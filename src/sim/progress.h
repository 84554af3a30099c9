/*
 * What a run says while it goes on: one line that rewrites itself on a terminal, plain lines now
 * and then in a log.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/error.h"

#include <stdint.h>

typedef struct {
  bool speaks;   /* rank 0 and not --quiet */
  bool terminal; /* standard output is one */
  double started, last;
  double t_start, t_end;
} Progress;

Progress progress_start(MPI_Comm comm, bool quiet, double t_start, double t_end);

/* Tell of a finished step, if it is time to. */
void progress_step(Progress *progress, int64_t step, int64_t n_steps, double t, int64_t contacts);

/* End the line on a terminal. */
void progress_finish(Progress *progress);
