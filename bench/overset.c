/*
 * How fast are the grids of a flow joined?
 *
 * The near-body grid is a shell between radius 1 and 2 of 104,448 hexahedra: a cube's surface of
 * 32 x 32 squares per side blown up to a sphere, 17 layers. It moves by a third of a cell per
 * update. usage: [mpirun -n 2] bench/overset [many]     many: 27 shells side by side, too
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "overset/overset.h"
#include "bench.h"
#include "grid/extruded_grid.h"
#include "grid/near_locate.h"

enum { EDGE = 32, LAYERS = 17 };

/* The vertices of the cube's surface, pushed onto the sphere, and their numbers on the lattice. */
static int sphere_vertices(Vec3 vertex[], int number[EDGE + 1][EDGE + 1][EDGE + 1])
{
  const double quarter = acos(-1.0) / 4.0;
  int n = 0;
  for (int k = 0; k <= EDGE; k++)
    for (int j = 0; j <= EDGE; j++)
      for (int i = 0; i <= EDGE; i++) {
        if (i % EDGE != 0 && j % EDGE != 0 && k % EDGE != 0) continue;
        const Vec3 p = {tan(quarter * (2.0 * i / EDGE - 1.0)),
                        tan(quarter * (2.0 * j / EDGE - 1.0)),
                        tan(quarter * (2.0 * k / EDGE - 1.0))};
        number[k][j][i] = n;
        vertex[n++] = vec3_unit(p);
      }
  return n;
}

/* Corner (a, b) of side s of the cube: a and b turn right-handed about the way out. */
static int corner_of(int number[EDGE + 1][EDGE + 1][EDGE + 1], int s, int a, int b)
{
  int at[3];
  at[s / 2] = s % 2 == 0 ? 0 : EDGE;
  at[(s / 2 + 1) % 3] = s % 2 == 0 ? b : a;
  at[(s / 2 + 2) % 3] = s % 2 == 0 ? a : b;
  return number[at[2]][at[1]][at[0]];
}

static void sphere_quads(int number[EDGE + 1][EDGE + 1][EDGE + 1], int quad[][4])
{
  int f = 0;
  for (int s = 0; s < 6; s++)
    for (int b = 0; b < EDGE; b++)
      for (int a = 0; a < EDGE; a++, f++)
        for (int k = 0; k < 4; k++)
          quad[f][k] = corner_of(number, s, a + (k == 1 || k == 2), b + (k >= 2));
}

static PetscErrorCode ShellCreate(MPI_Comm comm, NearGrid **grid)
{
  PetscFunctionBeginUser;
  enum { QUADS = 6 * EDGE * EDGE, WALL = QUADS + 2 };
  static int number[EDGE + 1][EDGE + 1][EDGE + 1];
  Extrusion e = {.n_layers = LAYERS, .n_wall_vertices = WALL, .n_faces = QUADS};
  e.n_vertices = WALL * (LAYERS + 1);
  e.n_hexahedra = QUADS * LAYERS;
  PetscCall(PetscMalloc1(e.n_vertices, &e.vertex));
  PetscCall(PetscMalloc1(e.n_hexahedra, &e.hexahedron));
  PetscCall(PetscMalloc2(QUADS, &e.body, QUADS, &e.outer));
  const int n = sphere_vertices(e.vertex, number);
  PetscCheck(n == WALL, PETSC_COMM_SELF, PETSC_ERR_PLIB, "%d vertices", n);
  sphere_quads(number, e.outer);
  for (int l = 0; l <= LAYERS; l++)
    for (int v = 0; v < WALL; v++)
      e.vertex[l * WALL + v] = vec3_scale(1.0 + (double)l / LAYERS, vec3_unit(e.vertex[v]));
  for (int l = 0; l < LAYERS; l++)
    for (int f = 0; f < QUADS; f++)
      for (int k = 0; k < 4; k++) {
        e.hexahedron[l * QUADS + f][k] = e.outer[f][k] + l * WALL;
        e.hexahedron[l * QUADS + f][4 + k] = e.outer[f][k] + (l + 1) * WALL;
      }
  for (int f = 0; f < QUADS; f++)
    for (int k = 0; k < 4; k++) {
      e.body[f][3 - k] = e.outer[f][k];
      e.outer[f][k] += LAYERS * WALL;
    }
  PetscCall(ExtrudedGridFromLayers(comm, "shell", &e, grid));
  PetscCall(PetscFree(e.vertex));
  PetscCall(PetscFree(e.hexahedron));
  PetscCall(PetscFree2(e.body, e.outer));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static double random_unit(unsigned long long *state)
{
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (double)(*state >> 11) / 9007199254740992.0;
}

/* Points at random in the shell. */
static void points_in_shell(int n, Vec3 p[])
{
  unsigned long long state = 7;
  for (int i = 0; i < n;) {
    const double x = random_unit(&state), y = random_unit(&state), z = random_unit(&state);
    p[i] = vec3(4.0 * x - 2.0, 4.0 * y - 2.0, 4.0 * z - 2.0);
    const double r = vec3_norm(p[i]);
    if (r > 1.0 && r < 2.0) i++;
  }
}

static PetscErrorCode MeasureLocate(const NearGrid *grid)
{
  PetscFunctionBeginUser;
  enum { POINTS = 1000000, REPEATS = 3 };
  NearLocator *locator = NULL;
  Vec3 *p = NULL;
  NearPlace *place = NULL;
  PetscCall(PetscMalloc2(POINTS, &p, POINTS, &place));
  points_in_shell(POINTS, p);
  const double before = bench_now();
  PetscCall(NearLocatorCreate(grid, &locator));
  const double made = bench_now() - before;
  double best = INFINITY;
  for (int k = 0; k < REPEATS; k++) {
    const double start = bench_now();
    near_locator_find_many(locator, POINTS, p, place);
    best = PetscMin(best, bench_now() - start);
  }
  int inside = 0;
  for (int i = 0; i < POINTS; i++) inside += place[i].excess <= 0.0;
  bench_report("overset/locate near", POINTS, "points", best);
  fprintf(stderr, "overset/locate near: %.4f inside a cell; map: %.3f s, %.0f bytes per cell\n",
          (double)inside / POINTS, made, (double)near_locator_memory(locator) / grid->n_own);
  PetscCall(NearLocatorDestroy(&locator));
  PetscCall(PetscFree2(p, place));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A domain of 128^3 cells of side 0.0625 around the shell, and records and states to exchange. */
typedef struct {
  MPI_Comm comm;
  OffBodySpec spec;
  OversetSpec overset;
  Forest *forest;
  Overset *joined;
  Pose *pose; /* one per grid */
  int n;
  double **near, *off;
} Scene;

enum { RECORD = 8, PATCH = 16 };

static PetscErrorCode SceneCreate(MPI_Comm comm, int n, NearGrid *const grid[], double half,
                                  Scene *s)
{
  PetscFunctionBeginUser;
  static BoundaryKind kind[2];
  OversetGrid *of;
  *s = (Scene){.comm = comm, .n = n};
  kind[near_grid_find_patch(grid[0], "body")] = BOUNDARY_SLIP;
  kind[near_grid_find_patch(grid[0], "outer")] = BOUNDARY_OVERSET;
  s->spec = (OffBodySpec){.given = true,
                          .box = {{-half, -half, -half}, {half, half, half}},
                          .spacing = 0.0625,
                          .levels = 1,
                          .patch = PATCH,
                          .order = 5};
  for (int side = 0; side < SIDES; side++) s->spec.boundaries[side] = BOUNDARY_FARFIELD;
  PetscCall(ForestCreate(comm, &s->spec, 0, NULL, &s->forest));
  PetscCall(PetscCalloc1(n, &of));
  for (int g = 0; g < n; g++) of[g] = (OversetGrid){.grid = grid[g], .kind = kind, .body = g};
  const OversetInput input = {&s->overset, n, of, PATCH, 3};
  PetscCall(OversetCreate(comm, &input, &s->joined));
  PetscCall(PetscFree(of));
  PetscCall(PetscCalloc1(n, &s->pose));
  PetscCall(PetscCalloc1(n, &s->near));
  for (int g = 0; g < n; g++) {
    s->pose[g] = pose_identity();
    PetscCall(PetscMalloc1(RECORD * (size_t)grid[g]->n_local, &s->near[g]));
    for (size_t i = 0; i < RECORD * (size_t)grid[g]->n_local; i++) s->near[g][i] = 1.0;
  }
  const size_t cells = (size_t)forest_n(s->forest) * PATCH * PATCH * PATCH;
  PetscCall(PetscMalloc1(ROW_VALUES * cells, &s->off));
  for (size_t i = 0; i < ROW_VALUES * cells; i++) s->off[i] = 1.0;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode SceneDestroy(Scene *s)
{
  PetscFunctionBeginUser;
  PetscCall(OversetDestroy(&s->joined));
  PetscCall(ForestDestroy(&s->forest));
  for (int g = 0; g < s->n; g++) PetscCall(PetscFree(s->near[g]));
  PetscCall(PetscFree(s->near));
  PetscCall(PetscFree(s->pose));
  PetscCall(PetscFree(s->off));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void move_all(Scene *s)
{
  for (int g = 0; g < s->n; g++) s->pose[g].x = vec3_add(s->pose[g].x, vec3(0.02, 0.006, 0.004));
}

/* Updates of grids that have moved, each with the donors for its poses; then exchanges at rest. */
static PetscErrorCode MeasureScene(const char *name, Scene *s)
{
  PetscFunctionBeginUser;
  enum { UPDATES = 11, FILLS = 20 };
  int rank;
  const RowFields fields = {s->near, RECORD, s->off, 1.4};
  const Rows rows = overset_rows(s->joined);
  OversetReport report;
  double took[UPDATES], filled[FILLS];
  char text[64];
  for (int k = 0; k < UPDATES; k++) {
    move_all(s);
    const double start = bench_now();
    PetscCall(OversetUpdate(s->joined, s->pose, s->forest, &report));
    took[k] = bench_now() - start;
    overset_accept(s->joined);
  }
  for (int k = 0; k < FILLS; k++) {
    const double start = bench_now();
    PetscCall(rows.fill(rows.context, s->pose, &fields));
    filled[k] = bench_now() - start;
  }
  PetscCallMPI(MPI_Comm_rank(s->comm, &rank));
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, took, UPDATES, MPI_DOUBLE, MPI_MAX, s->comm));
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, filled, FILLS, MPI_DOUBLE, MPI_MAX, s->comm));
  if (rank > 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscSortReal(UPDATES, took));
  PetscCall(PetscSortReal(FILLS, filled));
  snprintf(text, sizeof text, "overset/update %s", name);
  bench_report(text, 1, "updates", took[UPDATES / 2]);
  snprintf(text, sizeof text, "overset/exchange %s", name);
  bench_report(text, (double)report.all.fringe, "receivers", filled[FILLS / 2]);
  fprintf(stderr, "overset %s: %lld field, %lld fringe, %lld hole, %lld poor, %lld orphans\n", name,
          (long long)report.all.field, (long long)report.all.fringe, (long long)report.all.hole,
          (long long)report.quality[2], (long long)report.all.orphans);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Shells side by side in a cube of them, each with room for its fringe. */
static PetscErrorCode MeasureMany(NearGrid *shell)
{
  PetscFunctionBeginUser;
  enum { ALONG = 3, SHELLS = ALONG * ALONG * ALONG };
  NearGrid *grid[SHELLS];
  Scene scene;
  const double apart = 4.5;
  for (int g = 0; g < SHELLS; g++) grid[g] = shell;
  PetscCall(SceneCreate(PETSC_COMM_WORLD, SHELLS, grid, 8.0, &scene));
  for (int g = 0; g < SHELLS; g++)
    scene.pose[g].x = vec3(apart * (g % ALONG - 1), apart * (g / ALONG % ALONG - 1),
                           apart * (g / (ALONG * ALONG) - 1));
  PetscCall(MeasureScene("27 shells", &scene));
  PetscCall(SceneDestroy(&scene));
  PetscFunctionReturn(PETSC_SUCCESS);
}

int main(int argc, char **argv)
{
  PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
  NearGrid *shell = NULL;
  Scene scene;
  int size;
  PetscCallMPI(MPI_Comm_size(PETSC_COMM_WORLD, &size));
  PetscCall(ShellCreate(PETSC_COMM_WORLD, &shell));
  if (size == 1) PetscCall(MeasureLocate(shell));
  PetscCall(SceneCreate(PETSC_COMM_WORLD, 1, &shell, 4.0, &scene));
  PetscCall(MeasureScene("shell", &scene));
  PetscCall(SceneDestroy(&scene));
  if (argc > 1) PetscCall(MeasureMany(shell));
  PetscCall(NearGridDestroy(&shell));
  PetscCall(PetscFinalize());
  return 0;
}
