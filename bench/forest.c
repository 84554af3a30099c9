/*
 * What does a forest cost? Whole stages of the off-body flow, following a vortex with patches of
 * three levels, and a look at a forest that need not change. Alone or under mpirun.
 * Usage: bench/forest [seconds]
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/start.h"
#include "flow/off_body.h"

#include "bench.h"

#include <math.h>
#include <stdlib.h>

enum { N = 16, EVERY = 10 };

static const double gamma_air = 1.4;
static int n_ranks, rank;

static OffBodySpec box_of(int patches, int levels, double thick)
{
  const double half = 10.0;
  OffBodySpec spec = {.given = true,
                      .spacing = 2.0 * half / (patches * N),
                      .levels = levels,
                      .patch = N,
                      .order = 5,
                      .adapt = {.given = levels > 1, .every = EVERY, .threshold = 0.002}};
  spec.box = (Box){{-half, -half, -half}, {half, half, -half + thick * 2.0 * half}};
  for (int side = 0; side < SIDES; side++) spec.boundaries[side] = BOUNDARY_PERIODIC;
  return spec;
}

static PetscErrorCode Start(const OffBodySpec *spec, OffBody **air)
{
  PetscFunctionBeginUser;
  const OffBodyInput input = {
      .spec = spec, .gas = {.gamma = gamma_air}, .stream = {1.0, {0.5, 0.0, 0.0}, 1.0 / gamma_air}};
  const Initial initial = {INITIAL_VORTEX, {0, 0, 0}, 1.0, gamma_air, input.stream};
  PetscCall(OffBodyCreate(PETSC_COMM_WORLD, &input, 0, NULL, air));
  PetscCall(OffBodyFill(*air, &initial, 0, NULL));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* One line, from the first rank, with the number of ranks in the name when there are several. */
static void report(const char *what, double work, const char *unit, double seconds)
{
  char name[96];
  if (n_ranks > 1)
    snprintf(name, sizeof name, "forest/%s, %d ranks", what, n_ranks);
  else
    snprintf(name, sizeof name, "forest/%s", what);
  if (rank == 0) bench_report(name, work, unit, seconds);
}

static PetscErrorCode Step(OffBody *air, double dt)
{
  PetscFunctionBeginUser;
  for (int k = 0; k < 3; k++) {
    GlobalId bad = 0;
    PetscCall(OffBodyStage(air, k, dt, &bad));
    PetscCheck(bad == 0, PETSC_COMM_WORLD, PETSC_ERR_PLIB, "the vortex is not sound");
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static double cells_of(const OffBody *air)
{
  return (double)forest_total(off_body_forest(air)) * N * N * N;
}

/* Stages of Runge-Kutta: messages, borders, fluxes, update, and the look for unsound cells. */
static PetscErrorCode MeasureStages(int patches, int steps)
{
  PetscFunctionBeginUser;
  const OffBodySpec spec = box_of(patches, 1, 1.0);
  OffBody *air = NULL;
  double dt = 0.0, best = INFINITY;
  char name[64];
  PetscCall(Start(&spec, &air));
  PetscCall(OffBodyTimeStep(air, &dt));
  PetscCall(Step(air, 0.5 * dt));
  for (int k = 0; k < steps; k++) {
    PetscCallMPI(MPI_Barrier(PETSC_COMM_WORLD));
    const double start = bench_now();
    PetscCall(Step(air, 0.5 * dt));
    PetscCallMPI(MPI_Barrier(PETSC_COMM_WORLD));
    best = fmin(best, bench_now() - start);
  }
  snprintf(name, sizeof name, "stages %d^3", patches * N);
  report(name, 3.0 * cells_of(air), "cell-RHS", best);
  double bytes = (double)off_body_memory(air);
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &bytes, 1, MPI_DOUBLE, MPI_SUM, PETSC_COMM_WORLD));
  if (rank == 0 && n_ranks == 1)
    fprintf(stderr, "forest: %.0f bytes per cell of %d^3\n", bytes / cells_of(air), patches * N);
  PetscCall(OffBodyDestroy(&air));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A vortex through patches of three levels, which follow it every ten steps. */
static PetscErrorCode MeasureAdaption(int rounds)
{
  PetscFunctionBeginUser;
  const OffBodySpec spec = box_of(8, 3, 1.0 / 8.0);
  OffBody *air = NULL;
  double stepping = 0.0, adapting = 0.0, work = 0.0, changes = 0.0;
  PetscCall(Start(&spec, &air));
  for (int k = 0; k < rounds; k++) {
    double dt = 0.0;
    bool changed = false;
    const double start = bench_now();
    PetscCall(OffBodyTimeStep(air, &dt));
    for (int step = 0; step < EVERY; step++) PetscCall(Step(air, 0.5 * dt));
    const double between = bench_now();
    work += 3.0 * EVERY * cells_of(air);
    PetscCall(OffBodyAdapt(air, EVERY * 0.5 * dt, 0, NULL, &changed));
    stepping += between - start;
    adapting += bench_now() - between;
    changes += changed;
  }
  report("three levels", work, "cell-RHS", stepping + adapting);
  report("adapt every 10 steps", rounds, "looks", adapting);
  if (rank == 0 && n_ranks == 1)
    fprintf(stderr, "forest: adapting takes %.1f %% of the time, %.0f of %d looks change it\n",
            100.0 * adapting / (stepping + adapting), changes, rounds);
  PetscCall(OffBodyDestroy(&air));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Is there anything to do for 10,648 leaves around a ball that has its fine ones? */
static PetscErrorCode MeasureRest(int looks)
{
  PetscFunctionBeginUser;
  const OffBodySpec spec = box_of(22, 1, 1.0);
  const ForestBall ball = {{0, 0, 0}, 2.0, 0.5, 0};
  Forest *forest = NULL;
  double best = INFINITY;
  PetscCall(ForestCreate(PETSC_COMM_WORLD, &spec, 1, &ball, &forest));
  for (int k = 0; k < looks; k++) {
    ForestChange change;
    const double start = bench_now();
    PetscCall(ForestAdapt(forest, NULL, 1, &ball, &change));
    best = fmin(best, bench_now() - start);
    PetscCheck(!change.changed, PETSC_COMM_WORLD, PETSC_ERR_PLIB, "the forest did not rest");
    PetscCall(ForestChangeDestroy(&change));
  }
  report("nothing to adapt", (double)forest_total(forest), "leaves", best);
  PetscCall(ForestDestroy(&forest));
  PetscFunctionReturn(PETSC_SUCCESS);
}

int main(int argc, char **argv)
{
  const double seconds = argc > 1 ? atof(argv[1]) : 0.5;
  PetscCall(PetscStart("forest", 0, NULL));
  PetscCallMPI(MPI_Comm_size(PETSC_COMM_WORLD, &n_ranks));
  PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, &rank));
  PetscCall(MeasureStages(4, 2 + (int)(10.0 * seconds)));
  PetscCall(MeasureStages(8, 2 + (int)(2.0 * seconds)));
  PetscCall(MeasureAdaption(2 + (int)(4.0 * seconds)));
  PetscCall(MeasureRest(20));
  PetscCall(PetscFinalize());
  return 0;
}
