/*
 * How fast do free bodies move, and does a step ask for memory?
 *
 * Each body tumbles under gravity with an inertia of its own; nothing is shared between them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "body/bodies.h"
#include "allocations.h"
#include "bench.h"

static PetscErrorCode make_bodies(int n, Bodies **bodies)
{
  PetscFunctionBeginUser;
  BodySpec *specs;
  BodyInput *inputs;
  MotionTable **tables;
  const Vec3 none = {NAN, NAN, NAN};
  PetscCall(PetscCalloc3(n, &specs, n, &inputs, n, &tables));
  for (int b = 0; b < n; b++) {
    specs[b] = (BodySpec){.name = "a", .attitude = {1, 0, 0, 0}, .pivot = none, .axis = none};
    specs[b].position = vec3(b, 0, 0);
    specs[b].velocity = vec3(0, 1, 0);
    specs[b].spin = vec3(1, 2, 3);
    specs[b].spin_body = none;
    inputs[b] = (BodyInput){&specs[b], 1.0, mat3_diagonal(1, 2, 2.5 + 0.4 * b / n)};
  }
  PetscCall(BodiesCreate(n, inputs, tables, 0, NULL, vec3(0, 0, -9.81), bodies));
  PetscCall(PetscFree3(specs, inputs, tables));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode take_steps(Bodies *bodies, int n_steps)
{
  PetscFunctionBeginUser;
  for (int k = 0; k < n_steps; k++) {
    PetscCall(BodiesBegin(bodies, bodies_time(bodies) + 1e-3));
    bodies_end(bodies);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode measure(int n)
{
  PetscFunctionBeginUser;
  Bodies *bodies = NULL;
  char name[64];
  const int n_steps = 1000000 / (n < 10 ? 10 : n);
  PetscCall(make_bodies(n, &bodies));
  PetscCall(take_steps(bodies, 2));
  const long before = allocations_so_far();
  const double start = bench_now();
  PetscCall(take_steps(bodies, n_steps));
  const double seconds = bench_now() - start;
  const long asked = allocations_so_far() - before;
  PetscCall(PetscSNPrintf(name, sizeof name, "bodies/%d", n));
  bench_report(name, (double)n * n_steps, "body-steps", seconds);
  fprintf(stderr, "bodies/%d: %.4g ms per step, %.3g allocations per step\n", n,
          1e3 * seconds / n_steps, (double)asked / n_steps);
  PetscCall(BodiesDestroy(&bodies));
  PetscFunctionReturn(PETSC_SUCCESS);
}

int main(int argc, char **argv)
{
  PetscFunctionBeginUser;
  PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
  PetscCall(measure(1));
  PetscCall(measure(100));
  PetscCall(measure(10000));
  PetscCall(PetscFinalize());
  return 0;
}
