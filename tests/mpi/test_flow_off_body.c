#include "flow/off_body.h"
#include "grid/cell_state.h"
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double gamma_air = 1.4;

/* A periodic cube of edge 4 with a corner refined twice; the sensor adds levels of its own. */
static RefineSpec corner = {{-2, -2, -2}, {-0.5, -0.5, 0}, 2};

static OffBodySpec cube(int patch, int order, bool adapt)
{
  OffBodySpec spec = {.given = true,
                      .box = {{-2, -2, -2}, {2, 2, 2}},
                      .spacing = 2.0 / patch,
                      .n_refine = 1,
                      .refine = &corner,
                      .levels = 3,
                      .patch = patch,
                      .order = order,
                      .adapt = {.given = adapt, .every = 4, .threshold = 0.02}};
  for (int side = 0; side < SIDES; side++) spec.boundaries[side] = BOUNDARY_PERIODIC;
  return spec;
}

static OffBodyInput input_of(const OffBodySpec *spec)
{
  return (OffBodyInput){
      .spec = spec, .gas = {.gamma = gamma_air}, .stream = {1.0, {0.5, 0.3, 0.2}, 1.0 / gamma_air}};
}

static Initial initial_of(InitialKind kind, const OffBodyInput *input)
{
  return (Initial){kind, {0.1, 0.05, 0}, 0.6, gamma_air, input->stream};
}

/* Sub-steps at a Courant number of 0.5, adapting now and then; *bad counts unsound cells. Returns
 * how often the forest changed. */
static int advance(OffBody *air, int steps, bool adapt, GlobalId *bad)
{
  int changes = 0;
  *bad = 0;
  for (int step = 0; step < steps && *bad == 0; step++) {
    double dt = 0.0;
    bool changed = false;
    MustPass(OffBodyTimeStep(air, &dt));
    for (int k = 0; k < 3 && *bad == 0; k++) MustPass(OffBodyStage(air, k, 0.5 * dt, bad));
    if (adapt && step % 4 == 3) MustPass(OffBodyAdapt(air, 2.0 * dt, 0, NULL, &changed));
    changes += changed;
  }
  return changes;
}

static OffBody *start(MPI_Comm comm, const OffBodySpec *spec, InitialKind kind)
{
  const OffBodyInput input = input_of(spec);
  const Initial initial = initial_of(kind, &input);
  OffBody *air = NULL;
  MustPass(OffBodyCreate(comm, &input, 0, NULL, &air));
  MustPass(OffBodyFill(air, &initial, 0, NULL));
  return air;
}

/* Do the patches of this rank have the bits of a run that one rank did alone? */
static bool same_bits(OffBody *many, OffBody *one)
{
  const Forest *f = off_body_forest(many), *g = off_body_forest(one);
  const int n = off_body_patch(many);
  const size_t state = (size_t)PATCH_VARIABLES * n * n * n;
  if (forest_total(f) != forest_total(g)) return false;
  const PatchPlace *place = forest_places(g) + forest_first(f);
  for (LocalId c = 0; c < forest_n(f); c++)
    if (memcmp(&forest_places(f)[c], &place[c], sizeof *place) != 0) return false;
  return memcmp(off_body_state(many), off_body_state(one) + (size_t)forest_first(f) * state,
                (size_t)forest_n(f) * state * sizeof(double)) == 0;
}

START_TEST(the_bits_do_not_depend_on_the_ranks)
{
  const OffBodySpec spec = cube(8, _i == 0 ? 2 : 5, true);
  const InitialKind kind = _i == 2 ? INITIAL_BLAST : INITIAL_VORTEX;
  GlobalId bad = 0, bad_alone = 0;
  OffBody *many = start(PETSC_COMM_WORLD, &spec, kind), *one = start(MPI_COMM_SELF, &spec, kind);
  advance(many, 12, true, &bad);
  advance(one, 12, true, &bad_alone);
  ck_assert(all_ranks(bad == 0 && bad_alone == 0));
  ck_assert(all_ranks(same_bits(many, one)));
  MustPass(OffBodyDestroy(&many));
  MustPass(OffBodyDestroy(&one));
}
END_TEST

/* A small vortex on its way, with patches of two levels around it. */
static OffBodySpec travel(void)
{
  OffBodySpec spec = cube(8, 5, true);
  spec.spacing = 0.125;
  spec.n_refine = 0;
  spec.levels = 2;
  return spec;
}

START_TEST(what_is_in_a_periodic_box_stays)
{
  const OffBodySpec spec = travel();
  OffBodySummary before, after;
  GlobalId bad = 0;
  OffBodyInput input = input_of(&spec);
  input.stream.u = vec3(1.5, 0.9, 0.2);
  const Initial initial = {INITIAL_VORTEX, {0.1, 0.05, 0}, 0.3, gamma_air, input.stream};
  OffBody *air = NULL;
  MustPass(OffBodyCreate(PETSC_COMM_WORLD, &input, 0, NULL, &air));
  MustPass(OffBodyFill(air, &initial, 0, NULL));
  MustPass(OffBodySummarise(air, &before));
  const int changes = advance(air, 48, true, &bad);
  MustPass(OffBodySummarise(air, &after));
  ck_assert(all_ranks(bad == 0 && changes > 0));
  for (int v = 0; v < PATCH_VARIABLES; v++) {
    const double change = fabs(after.total[v] - before.total[v]);
    ck_assert(all_ranks(change <= 1e-14 * before.total[4]));
  }
  MustPass(OffBodyDestroy(&air));
}
END_TEST

START_TEST(a_uniform_stream_crosses_levels_unchanged)
{
  const OffBodySpec spec = cube(8, 5, false);
  GlobalId bad = 0;
  OffBody *air = start(PETSC_COMM_WORLD, &spec, INITIAL_FREESTREAM);
  OffBodySummary range;
  advance(air, 10, false, &bad);
  MustPass(OffBodySummarise(air, &range));
  ck_assert(all_ranks(bad == 0 && range.rho_max - range.rho_min < 1e-13 &&
                      range.p_max - range.p_min < 1e-13 && range.fallbacks == 0));
  MustPass(OffBodyDestroy(&air));
}
END_TEST

/* A hole in the shape of a ball, three layers of fringe around it. */
static void dig_hole(const OffBody *air, Vec3 center, double radius, uint8_t state[])
{
  const Forest *f = off_body_forest(air);
  const int n = off_body_patch(air), cells = n * n * n;
  for (LocalId i = 0; i < forest_n(f) * cells; i++) {
    const PatchPlace place = forest_places(f)[i / cells];
    const double h = forest_spacing(f, place.level);
    const int k = i % cells;
    const Vec3 in = vec3((k % n + 0.5) * h, (k / n % n + 0.5) * h, (k / (n * n) + 0.5) * h);
    const double r = vec3_norm(vec3_sub(vec3_add(forest_corner(f, place), in), center));
    state[i] = r < radius ? STATE_HOLE : r < radius + 3.0 * h ? STATE_FRINGE : STATE_FIELD;
  }
}

/* Give fringe cells the values of a run without a hole, and holes another sound state. */
static void fill_fringe(OffBody *air, OffBody *whole, int k, const uint8_t state[])
{
  const int n = off_body_patch(air), cells = n * n * n;
  double *to = off_body_stage(air, k);
  const double *from = off_body_stage(whole, k);
  const double strange[PATCH_VARIABLES] = {0.3, 0.2, -0.1, 0.3, 0.9};
  for (LocalId i = 0; i < forest_n(off_body_forest(air)) * cells; i++)
    for (int v = 0; v < PATCH_VARIABLES; v++) {
      const size_t at = ((size_t)(i / cells) * PATCH_VARIABLES + v) * cells + i % cells;
      if (state[i] == STATE_FRINGE) to[at] = from[at];
      if (state[i] == STATE_HOLE) to[at] = strange[v];
    }
}

static bool same_field(OffBody *air, OffBody *whole, const uint8_t state[])
{
  const int n = off_body_patch(air), cells = n * n * n;
  const double *a = off_body_state(air), *b = off_body_state(whole);
  for (LocalId i = 0; i < forest_n(off_body_forest(air)) * cells; i++)
    for (int v = 0; v < PATCH_VARIABLES; v++) {
      const size_t at = ((size_t)(i / cells) * PATCH_VARIABLES + v) * cells + i % cells;
      if (state[i] == STATE_FIELD && a[at] != b[at]) return false;
    }
  return true;
}

/* One step of both at once, fringe cells before each stage. */
static GlobalId step_both(OffBody *air, OffBody *whole, const uint8_t state[], double dt)
{
  GlobalId bad = 0, bad_whole = 0, all = 0;
  for (int k = 0; k < 3; k++) {
    fill_fringe(air, whole, k, state);
    MustPass(OffBodyStage(air, k, dt, &bad));
    MustPass(OffBodyStage(whole, k, dt, &bad_whole));
    all += bad + bad_whole;
  }
  return all;
}

/* Where eight patches meet, and on a forest with levels. */
START_TEST(what_is_in_holes_does_not_matter)
{
  OffBodySpec spec = cube(16, _i == 0 ? 2 : 5, false);
  spec.n_refine = _i == 2;
  const Vec3 center = _i == 2 ? vec3(1, 1, 1) : vec3(0, 0, 0);
  OffBody *air = start(PETSC_COMM_WORLD, &spec, INITIAL_VORTEX);
  OffBody *whole = start(PETSC_COMM_WORLD, &spec, INITIAL_VORTEX);
  OffBodySummary summary;
  uint8_t *state = NULL;
  double dt = 0.0;
  GlobalId bad = 0;
  MustPass(PetscMalloc1((size_t)forest_n(off_body_forest(air)) * 4096, &state));
  dig_hole(air, center, _i == 2 ? 0.2 : 0.7, state);
  MustPass(OffBodySetStates(air, state));
  MustPass(OffBodyTimeStep(whole, &dt));
  for (int step = 0; step < 4; step++) bad += step_both(air, whole, state, 0.5 * dt);
  MustPass(OffBodySummarise(air, &summary));
  ck_assert(all_ranks(bad == 0 && summary.holes > 0 && summary.rho_min > 0.5));
  ck_assert(all_ranks(same_field(air, whole, state)));
  MustPass(PetscFree(state));
  MustPass(OffBodyDestroy(&air));
  MustPass(OffBodyDestroy(&whole));
}
END_TEST

START_TEST(holes_take_over_what_is_around_them)
{
  const OffBodySpec spec = cube(16, 5, false);
  OffBody *air = start(PETSC_COMM_WORLD, &spec, INITIAL_VORTEX);
  OffBody *whole = start(PETSC_COMM_WORLD, &spec, INITIAL_VORTEX);
  uint8_t *state = NULL;
  MustPass(PetscMalloc1((size_t)forest_n(off_body_forest(air)) * 4096, &state));
  dig_hole(air, vec3(0, 0, 0), 0.7, state);
  MustPass(OffBodySetStates(air, state));
  fill_fringe(air, whole, 0, state);
  MustPass(OffBodyExtend(air, 0));
  MustPass(OffBodySetStates(air, NULL));
  OffBodySummary summary;
  MustPass(OffBodySummarise(air, &summary));
  ck_assert(all_ranks(summary.holes == 0 && summary.rho_min > 0.5 && summary.p_min > 0.3));
  MustPass(PetscFree(state));
  MustPass(OffBodyDestroy(&air));
  MustPass(OffBodyDestroy(&whole));
}
END_TEST

/* A wave of shear along (1, 2, -1), too weak to stir anything else; a whole number fits the box. */
static const double shear_size = 1e-5, shear_mu = 0.02;
static const Vec3 shear_along = {M_PI / 2, M_PI, -M_PI / 2}, shear_across = {1, 0, 1};

static Vec3 shear_at(Vec3 x, Vec3 stream, double t)
{
  const double phase = vec3_dot(shear_along, vec3_axpy(x, -t, stream));
  const double size = shear_size * exp(-shear_mu * vec3_norm2(shear_along) * t);
  return vec3_axpy(stream, size * sin(phase), shear_across);
}

/* Write the wave at time t into the cells, or (write false) find the largest error of momentum. */
static double compare_shear(OffBody *air, Vec3 stream, double t, bool write)
{
  const Forest *f = off_body_forest(air);
  const int n = off_body_patch(air), cells = n * n * n;
  double worst = 0.0;
  for (LocalId i = 0; i < forest_n(f) * cells; i++) {
    const PatchPlace place = forest_places(f)[i / cells];
    const double h = forest_spacing(f, place.level);
    const int k = i % cells;
    const Vec3 in = vec3((k % n + 0.5) * h, (k / n % n + 0.5) * h, (k / (n * n) + 0.5) * h);
    const Vec3 v = shear_at(vec3_add(forest_corner(f, place), in), stream, t);
    double *u = off_body_state(air) + (size_t)(i / cells) * PATCH_VARIABLES * cells + k;
    for (int d = 0; d < 3 && !write; d++)
      worst = fmax(worst, fabs(u[(1 + d) * cells] - vec3_at(v, d)));
    for (int d = 0; d < 3 && write; d++) u[(1 + d) * cells] = vec3_at(v, d);
    if (write) u[4 * cells] = 1.0 / (gamma_air * (gamma_air - 1.0)) + 0.5 * vec3_norm2(v);
  }
  MPI_Allreduce(MPI_IN_PLACE, &worst, 1, MPI_DOUBLE, MPI_MAX, PETSC_COMM_WORLD);
  return worst / shear_size;
}

/* The error after a while in a box of patch * 2 cells across, in steps that do not matter. */
static double decay_error(int patch, double *lost)
{
  OffBodySpec spec = cube(patch, 5, false);
  spec.n_refine = 0;
  OffBodyInput input = input_of(&spec);
  input.viscous = true;
  input.gas.viscosity = shear_mu;
  input.gas.prandtl = 0.72;
  input.gas.sutherland = NAN;
  const double end = 0.5;
  double dt = 0.0;
  OffBodySummary before, after;
  OffBody *air = NULL;
  MustPass(OffBodyCreate(PETSC_COMM_WORLD, &input, 0, NULL, &air));
  const Initial initial = initial_of(INITIAL_FREESTREAM, &input);
  MustPass(OffBodyFill(air, &initial, 0, NULL));
  compare_shear(air, input.stream.u, 0.0, true);
  MustPass(OffBodySummarise(air, &before));
  MustPass(OffBodyTimeStep(air, &dt));
  const int steps = (int)ceil(end / (0.5 * dt));
  GlobalId bad = 0, all = 0;
  for (int k = 0; k < 3 * steps; k++, all += bad)
    MustPass(OffBodyStage(air, k % 3, end / steps, &bad));
  MustPass(OffBodySummarise(air, &after));
  const double error = compare_shear(air, input.stream.u, end, false);
  *lost = 0.0;
  for (int v = 0; v < PATCH_VARIABLES; v++)
    *lost = fmax(*lost, fabs(after.total[v] - before.total[v]) / before.total[4]);
  MustPass(OffBodyDestroy(&air));
  return all == 0 ? error : NAN;
}

START_TEST(shear_decays_as_it_should)
{
  double lost[3];
  const double coarse = decay_error(8, &lost[0]), fine = decay_error(16, &lost[1]);
  ck_assert(all_ranks(log2(coarse / fine) >= 3.8 && fine < 1e-3));
  ck_assert(all_ranks(lost[0] <= 1e-14 && lost[1] <= 1e-14));
}
END_TEST

/* The largest momentum across the stream, where there should be none. */
static double noise_of(OffBody *air)
{
  const size_t n = off_body_patch(air), cells = n * n * n;
  double most = 0.0;
  for (size_t i = 0; i < (size_t)forest_n(off_body_forest(air)) * cells; i++)
    for (size_t v = 1; v < 4; v++)
      most = fmax(most, fabs(off_body_state(air)[(i / cells * 5 + v) * cells + i % cells]));
  MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_DOUBLE, MPI_MAX, PETSC_COMM_WORLD);
  return most;
}

/* At the longest step there is, where friction alone sets it. */
START_TEST(friction_calms_noise)
{
  const OffBodySpec spec = cube(8, 5, false);
  OffBodyInput input = input_of(&spec);
  input.viscous = true;
  input.gas.viscosity = 5.0;
  input.gas.prandtl = 0.72;
  input.gas.sutherland = NAN;
  input.stream.u = vec3(0, 0, 0);
  OffBody *air = NULL;
  double dt = 0.0;
  GlobalId bad = 0, all = 0;
  MustPass(OffBodyCreate(PETSC_COMM_WORLD, &input, 0, NULL, &air));
  const Initial initial = initial_of(INITIAL_FREESTREAM, &input);
  MustPass(OffBodyFill(air, &initial, 0, NULL));
  unsigned seed = 0;
  const size_t state = PATCH_VARIABLES * 512, n = (size_t)forest_n(off_body_forest(air));
  for (size_t i = 0; i < n * state; i++) {
    if (i % state == 0) seed = 12345u + (unsigned)(forest_first(off_body_forest(air)) + i / state);
    seed = seed * 1664525u + 1013904223u;
    if (i % state >= 512 && i % state < 4 * 512)
      off_body_state(air)[i] = 1e-4 * (seed / 2147483648.0 - 1.0);
  }
  const double before = noise_of(air);
  MustPass(OffBodyTimeStep(air, &dt));
  for (int k = 0; k < 3 * 60; k++, all += bad) MustPass(OffBodyStage(air, k % 3, dt, &bad));
  ck_assert(all_ranks(all == 0 && before > 5e-5 && noise_of(air) < 0.5 * before));
  MustPass(OffBodyDestroy(&air));
}
END_TEST

Suite *test_suite(void)
{
  Suite *suite = suite_create("flow/off_body");
  TCase *tests = tcase_create("core");

  tcase_add_loop_test(tests, the_bits_do_not_depend_on_the_ranks, 0, 3);
  tcase_add_test(tests, what_is_in_a_periodic_box_stays);
  tcase_add_test(tests, a_uniform_stream_crosses_levels_unchanged);
  tcase_add_loop_test(tests, what_is_in_holes_does_not_matter, 0, 3);
  tcase_add_test(tests, holes_take_over_what_is_around_them);
  tcase_add_test(tests, shear_decays_as_it_should);
  tcase_add_test(tests, friction_calms_noise);
  suite_add_tcase(suite, tests);
  return suite;
}
