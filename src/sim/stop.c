#include "sim/stop.h"

#include "io/file.h"
#include "sim/clock.h"

#include <math.h>
#include <signal.h>
#include <unistd.h>

/* A signal handler can only speak through a global. */
static volatile sig_atomic_t signal_seen = 0;

static void on_signal(int number)
{
  signal_seen = number;
}

PetscErrorCode StopInit(MPI_Comm comm, const char *directory, double wall_seconds, StopWatch *stop)
{
  PetscFunctionBeginUser;
  *stop = (StopWatch){.comm = comm, .deadline = clock_now() + wall_seconds};
  PetscCall(FileJoin(directory, "STOP", stop->file, sizeof stop->file));
  PetscCall(FileRemove(comm, stop->file));
  signal_seen = 0;
  const int numbers[] = {SIGINT, SIGTERM, SIGUSR1, SIGUSR2};
  struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
  for (int k = 0; k < 4; k++) sigaction(numbers[k], &action, NULL);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The request this rank knows of; only rank 0 looks at the clock and the file. */
static StopReason own_request(StopWatch *stop)
{
  const double pause = 0.05; /* seconds between looks at the disk */
  int rank = 0;
  MPI_Comm_rank(stop->comm, &rank);
  if (signal_seen != 0) return STOP_SIGNAL;
  const double now = clock_now();
  if (rank != 0 || now < stop->next_look) return STOP_NONE;
  stop->next_look = isfinite(stop->deadline) ? now : now + pause;
  if (access(stop->file, F_OK) == 0) return STOP_FILE;
  return now >= stop->deadline ? STOP_WALL : STOP_NONE;
}

PetscErrorCode StopCheck(StopWatch *stop, bool trouble, StopReason *reason, bool *troubled)
{
  PetscFunctionBeginUser;
  int say[2] = {(int)own_request(stop), trouble};
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, say, 2, MPI_INT, MPI_MAX, stop->comm));
  *reason = (StopReason)say[0];
  *troubled = say[1] != 0;
  if (*reason == STOP_FILE) PetscCall(FileRemove(stop->comm, stop->file));
  PetscFunctionReturn(PETSC_SUCCESS);
}

const char *stop_reason_text(StopReason reason)
{
  static const char *const texts[] = {"none", "wall limit", "STOP file", "signal"};
  return texts[reason];
}
