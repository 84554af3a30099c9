#include "sim/progress.h"

#include "sim/clock.h"

#include <stdio.h>
#include <unistd.h>

Progress progress_start(MPI_Comm comm, bool quiet, double t_start, double t_end)
{
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  const double now = clock_now();
  return (Progress){.speaks = rank == 0 && !quiet,
                    .terminal = isatty(STDOUT_FILENO) == 1,
                    .started = now,
                    .last = now,
                    .t_start = t_start,
                    .t_end = t_end};
}

/* "1:02:03" */
static void write_duration(char text[static 32], double seconds)
{
  const long s = (long)(seconds + 0.5);
  snprintf(text, 32, "%ld:%02ld:%02ld", s / 3600, s / 60 % 60, s % 60);
}

void progress_step(Progress *p, int64_t step, int64_t n_steps, double t, int64_t contacts)
{
  if (!p->speaks) return;
  const double now = clock_now(), pause = p->terminal ? 0.1 : 5.0;
  const bool last = step == n_steps;
  if (now - p->last < pause && !last) return;
  p->last = now;

  const double done = (t - p->t_start) / (p->t_end - p->t_start);
  char eta[32] = "-";
  if (done > 0.0) write_duration(eta, (now - p->started) * (1.0 - done) / done);
  printf("%sstep %lld/%lld  t = %.6g  %3.0f %%  ETA %s  contacts %lld%s", p->terminal ? "\r" : "",
         (long long)step, (long long)n_steps, t, 100.0 * t / p->t_end, eta, (long long)contacts,
         p->terminal ? "   " : "\n");
  fflush(stdout);
}

void progress_finish(Progress *p)
{
  if (!p->speaks) return;
  if (p->terminal) printf("\n");
  fflush(stdout);
  p->speaks = false;
}
