/*
 * How many right-hand sides of near-body cells per second, and how much memory?
 *
 * The isentropic vortex on 64^3 hexahedra, held as any unstructured grid is. A cell-RHS is one
 * evaluation of one cell in one stage: gradients, limiter, fluxes, update.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "bench.h"
#include "near_scene.h"

/* Bytes of a grid, as grid/near_grid.h lists them. */
static double grid_memory(const NearGrid *g)
{
  const double cells = g->n_local, faces = g->n_faces, own = g->n_own, ends = g->n_vertices;
  const double places = g->face_start[g->n_own], corners = g->corner_start[g->n_own];
  const double doubles = 4 * cells + 9 * faces + 3 * ends, ids = cells + ends;
  const double locals = 2 * faces + 2 * own + places + corners;
  return sizeof(double) * doubles + sizeof(GlobalId) * ids + sizeof(LocalId) * locals +
         sizeof(CellKind) * own + places;
}

static PetscErrorCode measure(CellKind kind, const char *name, int n, bool viscous)
{
  PetscFunctionBeginUser;
  enum { REPEATS = 5, STEPS = 2 };
  SceneSpec spec = scene_spec(0.5, INITIAL_VORTEX);
  spec.box = (BoxGridSpec){.box = {{-10, -10, -10}, {10, 10, 10}},
                           .n = {n, n, n},
                           .kind = kind,
                           .periodic = {true, true, true}};
  if (viscous) spec.flow.equations = EQUATIONS_LAMINAR, spec.flow.reynolds = 1e3;
  Scene *s = NULL;
  bool sound;
  int rank;
  PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, &rank));
  PetscCall(SceneCreate(PETSC_COMM_WORLD, &spec, pose_identity(), &s));
  const Screw still = {{0, 0, 0}, {0, 0, 0}};
  const double dt = 0.4 * 20.0 / n / 3.5;
  PetscCall(SceneRun(s, pose_identity(), still, dt, 1, &sound));
  double best = INFINITY;
  for (int k = 0; k < REPEATS; k++) {
    const double start = bench_now();
    PetscCall(SceneRun(s, pose_identity(), still, dt, STEPS, &sound));
    best = PetscMin(best, bench_now() - start);
  }
  const NearCounts counts = near_flow_counts(flow_grid(s->flow, 0));
  const double stages = (double)counts.cell_stages / s->grid->n_own / (1 + REPEATS * STEPS);
  if (rank == 0) {
    bench_report(name, stages * STEPS * (double)s->grid->n_global, "cell-RHS", best);
    const double own = s->grid->n_own;
    const double flow = (double)near_flow_memory(flow_grid(s->flow, 0)) / own;
    const double grid = grid_memory(s->grid) / own;
    fprintf(stderr, "%s: %.0f bytes per cell, %.0f of them for the flow, %.0f for the grid\n", name,
            flow + grid, flow, grid);
  }
  PetscCall(SceneDestroy(&s));
  PetscFunctionReturn(PETSC_SUCCESS);
}

int main(int argc, char **argv)
{
  PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
  PetscCall(measure(CELL_HEXA, "nearbody/hexahedra 64^3", 64, false));
  PetscCall(measure(CELL_HEXA, "nearbody/laminar 64^3", 64, true));
  PetscCall(measure(CELL_TETRA, "nearbody/tetrahedra 24^3", 24, false));
  PetscCall(PetscFinalize());
  return 0;
}
