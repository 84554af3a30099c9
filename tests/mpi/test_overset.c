#include "allocations.h"
#include "base/hash.h"
#include "base/screw.h"
#include "geom/primitive.h"
#include "grid/extruded_grid.h"
#include "overset/overset.h"
#include "support.h"

#include <math.h>
#include <string.h>

enum { MOST_BODIES = 3, PATCH = 8, RECORD = 8, CELLS = PATCH * PATCH * PATCH };

static const double radius = 0.5, first_layer = 0.04, gamma_air = 1.4;

/* Spheres with grids in a forest of two levels. */
typedef struct {
  MPI_Comm comm;
  int n;
  NearGrid *grid[MOST_BODIES];
  XRay *xray;
  Forest *forest;
  OffBodySpec spec;
  OversetSpec overset;
  RefineSpec fine;
  Pose pose[MOST_BODIES];
  double *near[MOST_BODIES], *off;
  OversetGrid of[MOST_BODIES];
} Scene;

static BoundaryKind kinds[2];

static void make_forest(Scene *s)
{
  s->fine = (RefineSpec){{-1.5, -1.5, -1.5}, {1.5, 1.5, 1.5}, 1};
  s->spec = (OffBodySpec){.given = true,
                          .box = {{-4, -3, -3}, {4, 3, 3}},
                          .spacing = 0.25,
                          .n_refine = 1,
                          .refine = &s->fine,
                          .levels = 2,
                          .patch = PATCH,
                          .order = 5};
  for (int side = 0; side < SIDES; side++) s->spec.boundaries[side] = BOUNDARY_FARFIELD;
  MustPass(ForestCreate(s->comm, &s->spec, 0, NULL, &s->forest));
}

static void make_bodies(Scene *s)
{
  const ShapeSpec shape = {.kind = SHAPE_SPHERE, .radius = radius, .spacing = 0.2};
  const ExtrudedGridSpec spec = {
      .name = "ball", .shape = &shape, .layers = {8, first_layer, 1.2, NULL}};
  Surface *surface = NULL;
  MustPass(PrimitiveCreate(&shape, &surface));
  MustPass(XRayCreate(surface, (XRaySpec){NAN, NAN}, &s->xray));
  MustPass(SurfaceDestroy(&surface));
  for (int g = 0; g < s->n; g++) {
    MustPass(ExtrudedGridCreate(s->comm, &spec, &s->grid[g], NULL));
    s->of[g] = (OversetGrid){.grid = s->grid[g], .kind = kinds, .body = g, .xray = s->xray};
    s->pose[g] = pose_identity();
    MustPass(PetscCalloc1(RECORD * s->grid[g]->n_local, &s->near[g]));
  }
  kinds[near_grid_find_patch(s->grid[0], "body")] = BOUNDARY_SLIP;
  kinds[near_grid_find_patch(s->grid[0], "outer")] = BOUNDARY_OVERSET;
}

static void make_scene(MPI_Comm comm, int n, Scene *s)
{
  *s = (Scene){.comm = comm, .n = n};
  make_forest(s);
  make_bodies(s);
  MustPass(PetscCalloc1((size_t)forest_n(s->forest) * CELLS * ROW_VALUES, &s->off));
}

static Overset *join(Scene *s)
{
  Overset *joined = NULL;
  const OversetInput input = {&s->overset, s->n, s->of, PATCH, 3};
  MustPass(OversetCreate(s->comm, &input, &joined));
  return joined;
}

static void end_scene(Scene *s)
{
  for (int g = 0; g < s->n; g++) {
    MustPass(NearGridDestroy(&s->grid[g]));
    MustPass(PetscFree(s->near[g]));
  }
  MustPass(XRayDestroy(&s->xray));
  MustPass(ForestDestroy(&s->forest));
  MustPass(PetscFree(s->off));
}

/* Some smooth flow. */
static void flow_at(Vec3 x, double w[ROW_VALUES])
{
  w[0] = 1.0 + 0.1 * sin(x.x + 2.0 * x.y);
  w[1] = 0.3 * cos(x.y - x.z), w[2] = 0.2 * sin(x.z), w[3] = 0.1 * x.x;
  w[4] = 0.7 + 0.1 * cos(x.x - x.y + x.z);
}

static void put_flow(Scene *s)
{
  for (int g = 0; g < s->n; g++) {
    const Frame frame = pose_frame(s->pose[g]);
    const NearGrid *grid = s->grid[g];
    for (LocalId c = 0; c < grid->n_local; c++)
      flow_at(frame_to_world(&frame, vec3(grid->x[c], grid->y[c], grid->z[c])),
              s->near[g] + RECORD * c);
  }
  for (LocalId p = 0; p < forest_n(s->forest); p++) {
    const PatchPlace place = forest_places(s->forest)[p];
    const double h = forest_spacing(s->forest, place.level);
    const Vec3 lo = forest_corner(s->forest, place);
    for (int c = 0; c < CELLS; c++) {
      double w[ROW_VALUES], *u = s->off + (size_t)p * CELLS * ROW_VALUES + c;
      flow_at(vec3(lo.x + (c % PATCH + 0.5) * h, lo.y + (c / PATCH % PATCH + 0.5) * h,
                   lo.z + (c / (PATCH * PATCH) + 0.5) * h),
              w);
      u[0] = w[0];
      for (int v = 1; v <= 3; v++) u[v * CELLS] = w[0] * w[v];
      u[4 * CELLS] =
          w[4] / (gamma_air - 1.0) + 0.5 * w[0] * (w[1] * w[1] + w[2] * w[2] + w[3] * w[3]);
    }
  }
}

/* States, donors and what is given, by global ids. */
static uint64_t hash_of(Scene *s, Overset *joined)
{
  uint64_t donors = 0, sum = 0, all = 0;
  const Rows rows = overset_rows(joined);
  const RowFields fields = {s->near, RECORD, s->off, gamma_air};
  MustPass(OversetHash(joined, s->pose, &donors));
  put_flow(s);
  MustPass(rows.fill(rows.context, s->pose, &fields));
  for (int g = 0; g < s->n; g++) {
    const uint64_t first = (uint64_t)(g + 1) << 40;
    for (LocalId c = 0; c < s->grid[g]->n_own; c++) {
      const uint64_t at = first + 8 * (uint64_t)(s->grid[g]->first + c);
      sum += hash_word(at, overset_near_states(joined, g)[c]);
      sum += hash_bytes(at + 1, s->near[g] + RECORD * c, ROW_VALUES * sizeof(double));
    }
  }
  for (size_t c = 0; c < (size_t)forest_n(s->forest) * CELLS; c++) {
    const uint64_t at = 8 * (uint64_t)((size_t)forest_first(s->forest) * CELLS + c);
    sum += hash_word(at, overset_off_states(joined)[c]);
    for (int v = 0; v < ROW_VALUES; v++)
      sum += hash_bytes(at + 1 + (uint64_t)v,
                        s->off + (c / CELLS * ROW_VALUES + (size_t)v) * CELLS + c % CELLS,
                        sizeof(double));
  }
  MPI_Allreduce(&sum, &all, 1, MPI_UINT64_T, MPI_SUM, s->comm);
  return all + 3 * donors;
}

static void place(Scene *s)
{
  s->pose[0].x = vec3(-0.8, 0.1, 0.0);
  s->pose[1].x = vec3(0.7, 0.0, 0.2);
  if (s->n > 2) s->pose[2].x = vec3(-2.4, 0.3, -0.4);
}

/* Some of the bodies move by part of a cell. */
static void move(Scene *s, Random *random)
{
  for (int g = 0; g < s->n; g++) {
    Screw twist;
    double *number[] = {&twist.v.x, &twist.v.y, &twist.v.z, &twist.w.x, &twist.w.y, &twist.w.z};
    const bool moves = random_unit(random) < 0.4;
    for (int i = 0; i < 6; i++) *number[i] = random_in(random, -0.04, 0.04);
    twist.v = vec3_axpy(twist.v, -0.02, s->pose[g].x);
    if (moves) s->pose[g] = screw_move(s->pose[g], twist, 1.0);
  }
}

/* A few steps; the hash of each. */
static void travel(MPI_Comm comm, int steps, uint64_t hash[])
{
  Scene s;
  Random random = random_seeded(5);
  make_scene(comm, 3, &s);
  place(&s);
  Overset *joined = join(&s);
  for (int k = 0; k < steps; k++) {
    OversetReport report;
    MustPass(OversetUpdate(joined, s.pose, s.forest, &report));
    hash[k] = hash_of(&s, joined);
    if (!report.leapt) overset_accept(joined);
    move(&s, &random);
  }
  MustPass(OversetDestroy(&joined));
  end_scene(&s);
}

START_TEST(states_donors_and_values_do_not_depend_on_the_ranks)
{
  enum { STEPS = 4 };
  uint64_t wanted[STEPS], got[STEPS];
  int rank, size;
  bool ok = true;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  MPI_Comm_size(PETSC_COMM_WORLD, &size);
  travel(PETSC_COMM_SELF, STEPS, wanted);
  travel(PETSC_COMM_WORLD, STEPS, got);
  for (int k = 0; k < STEPS; k++) ok = ok && got[k] == wanted[k];
  if (size == 4) {
    /* Three ranks, counted backwards: other shares of all grids. */
    MPI_Comm three;
    MPI_Comm_split(PETSC_COMM_WORLD, rank == 1, -rank, &three);
    travel(three, STEPS, got);
    for (int k = 0; k < STEPS; k++) ok = ok && got[k] == wanted[k];
    MPI_Comm_free(&three);
  }
  ck_assert(all_ranks(ok));
}
END_TEST

START_TEST(what_is_kept_is_what_would_be_found_anew)
{
  enum { STEPS = 40 };
  Scene s;
  Random random = random_seeded(11);
  bool ok = true;
  make_scene(PETSC_COMM_WORLD, 3, &s);
  place(&s);
  Overset *kept = join(&s), *anew = join(&s);
  for (int k = 0; k < STEPS; k++) {
    OversetReport a, b;
    MustPass(OversetUpdate(kept, s.pose, s.forest, &a));
    overset_forget_poses(anew);
    MustPass(OversetUpdate(anew, s.pose, s.forest, &b));
    ok = ok && memcmp(&a, &b, sizeof a) == 0 && hash_of(&s, kept) == hash_of(&s, anew);
    if (!a.leapt) overset_accept(kept);
    if (!b.leapt) overset_accept(anew);
    move(&s, &random);
  }
  MustPass(OversetDestroy(&kept));
  MustPass(OversetDestroy(&anew));
  end_scene(&s);
  ck_assert(all_ranks(ok));
}
END_TEST

static const double gaps[] = {1.0, 0.5, 0.25, 0.2, 0.15, 0.12, 0.1, 0.07, 0.05, 0.02, 0.01, 0.005};
enum { GAPS = sizeof gaps / sizeof *gaps };

/* Two spheres at a gap, in small steps from where they are; *orphans are added up. */
static void approach(Scene *s, Overset *joined, double gap, OversetReport *report,
                     GlobalId *orphans)
{
  const double from = s->pose[1].x.x - s->pose[0].x.x, to = 2.0 * radius + gap;
  const int steps = (int)ceil(fabs(to - from) / 0.05) + 1;
  for (int k = 1; k <= steps; k++) {
    const double half = 0.5 * (from + (to - from) * k / steps);
    s->pose[0].x.x = -half, s->pose[1].x.x = half;
    MustPass(OversetUpdate(joined, s->pose, s->forest, report));
    *orphans += report->all.orphans + report->leapt;
    overset_accept(joined);
  }
}

START_TEST(spheres_close_their_gap_without_orphans_and_open_it_again)
{
  Scene s;
  OversetReport report, before;
  GlobalId orphans = 0;
  bool ok = true;
  make_scene(PETSC_COMM_WORLD, 2, &s);
  s.pose[0].x = vec3(-1.0, 0, 0), s.pose[1].x = vec3(1.0, 0.0, 0.0);
  Overset *joined = join(&s);
  approach(&s, joined, gaps[0], &before, &orphans);
  for (int k = 0; k < GAPS; k++) {
    approach(&s, joined, gaps[k], &report, &orphans);
    if (gaps[k] >= 2.2 * first_layer) ok = ok && report.closed == 0;
    if (gaps[k] <= first_layer) ok = ok && report.closed > 0;
  }
  int by;
  ok = ok && overset_closed(joined, 0, &by) > 0 && by == 1;
  ok = ok && overset_near_count(joined, 0).field > overset_near_count(joined, 0).hole;
  approach(&s, joined, gaps[0], &report, &orphans);
  ok = ok && orphans == 0 && report.closed == 0 && report.all.hole == before.all.hole &&
       report.all.field == before.all.field;
  MustPass(OversetDestroy(&joined));
  end_scene(&s);
  ck_assert(all_ranks(ok));
}
END_TEST

START_TEST(nothing_is_allocated_once_the_grids_have_been_where_they_go)
{
  Scene s;
  OversetReport report;
  long before = 0;
  int failed = 0;
  make_scene(PETSC_COMM_WORLD, 2, &s);
  s.pose[0].x = vec3(-0.8, 0, 0), s.pose[1].x = vec3(0.8, 0.0, 0.0);
  Overset *joined = join(&s);
  const Rows rows = overset_rows(joined);
  const RowFields fields = {s.near, RECORD, s.off, gamma_air};
  put_flow(&s);
  for (int k = 0; k < 12; k++) {
    if (k == 8) before = allocations_so_far();
    s.pose[0].x.x = -0.8 + 0.03 * (k % 4);
    /* An assertion of the harness allocates. */
    failed |= OversetUpdate(joined, s.pose, s.forest, &report);
    failed |= rows.fill(rows.context, s.pose, &fields);
    overset_accept(joined);
  }
  /* What MPI asks for to send is its own business. */
  int size;
  MPI_Comm_size(PETSC_COMM_WORLD, &size);
  const bool ok =
      failed == 0 && (!allocations_are_counted() || size > 1 || allocations_so_far() == before);
  MustPass(OversetDestroy(&joined));
  end_scene(&s);
  ck_assert(all_ranks(ok));
}
END_TEST

Suite *test_suite(void)
{
  Suite *suite = suite_create("overset");
  TCase *tests = tcase_create("core");
  tcase_add_test(tests, states_donors_and_values_do_not_depend_on_the_ranks);
  tcase_add_test(tests, what_is_kept_is_what_would_be_found_anew);
  tcase_add_test(tests, spheres_close_their_gap_without_orphans_and_open_it_again);
  tcase_add_test(tests, nothing_is_allocated_once_the_grids_have_been_where_they_go);
  suite_add_tcase(suite, tests);
  return suite;
}
