#include "sim/clock.h"

#include <string.h>
#include <time.h>

double clock_now(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

Clock clock_start(void)
{
  Clock c = {.started = clock_now()};
  c.lap = c.started;
  return c;
}

void clock_lap(Clock *c, Stage stage)
{
  const double now = clock_now();
  c->seconds[stage] += now - c->lap;
  c->lap = now;
}

PetscErrorCode ClockPrint(const Clock *c, MPI_Comm comm, FILE *out)
{
  PetscFunctionBeginUser;
  static const char *const names[STAGES] = {"set-up", "bodies", "contact",   "flow",
                                            "adapt",  "write",  "checkpoint"};
  double mine[STAGES + 1], least[STAGES + 1], most[STAGES + 1], sum[STAGES + 1];
  memcpy(mine, c->seconds, sizeof c->seconds);
  mine[STAGES] = clock_now() - c->started;
  PetscCallMPI(MPI_Reduce(mine, least, STAGES + 1, MPI_DOUBLE, MPI_MIN, 0, comm));
  PetscCallMPI(MPI_Reduce(mine, most, STAGES + 1, MPI_DOUBLE, MPI_MAX, 0, comm));
  PetscCallMPI(MPI_Reduce(mine, sum, STAGES + 1, MPI_DOUBLE, MPI_SUM, 0, comm));
  int rank = 0, size = 1;
  PetscCallMPI(MPI_Comm_rank(comm, &rank));
  PetscCallMPI(MPI_Comm_size(comm, &size));
  if (rank != 0) PetscFunctionReturn(PETSC_SUCCESS);

  fprintf(out, "%-12s %10s %10s %10s %7s\n", "stage", "min [s]", "mean [s]", "max [s]", "share");
  for (int k = 0; k <= STAGES; k++)
    fprintf(out, "%-12s %10.3f %10.3f %10.3f %6.1f%%\n", k < STAGES ? names[k] : "total", least[k],
            sum[k] / size, most[k], 100.0 * sum[k] / (sum[STAGES] > 0.0 ? sum[STAGES] : 1.0));
  PetscFunctionReturn(PETSC_SUCCESS);
}
