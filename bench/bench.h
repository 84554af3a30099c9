/*
 * What every benchmark needs: a clock, and one line of result in the form scripts/bench reads.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* Wall time [s]; with BENCH_CPU in the environment that of the process on its core, which a busy
 * machine disturbs less. */
static inline double bench_now(void)
{
  struct timespec t;
  clock_gettime(getenv("BENCH_CPU") == NULL ? CLOCK_MONOTONIC : CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Print `name | work unit | seconds | rate unit/s`; work is how many units were done in seconds. */
static inline void bench_report(const char *name, double work, const char *unit, double seconds)
{
  printf("%s | %.6g %s | %.6g | %.6g %s/s\n", name, work, unit, seconds, work / seconds, unit);
  fflush(stdout);
}
