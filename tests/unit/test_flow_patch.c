#include "flow/patch_kernels.h"
#include "patch_reference.h"
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The kernels and the plain form differ by the order of some hundred operations. */
#define TOL_PLAIN 1e-13

static const double gamma_air = 1.4;

/* Primitive state at a place; seed or other data in context. */
typedef Plain (*Field)(double x, double y, double z);

/* A patch of n^3 cells of width h, lower corner at -n h / 2, with its six neighbours. */
typedef struct {
  int n;
  double h;
  Field field;
  double *memory, *own, *other; /* owned */
  PatchBlock block;
} Bench;

static Plain at_cell(const Bench *b, int i, int j, int k)
{
  const double half = 0.5 * (b->n - 1);
  return b->field((i - half) * b->h, (j - half) * b->h, (k - half) * b->h);
}

static void fill(const Bench *b, int i0, int j0, int k0, double *u)
{
  const int n = b->n, cells = n * n * n;
  for (int c = 0; c < cells; c++) {
    const Plain s = at_cell(b, i0 + c % n, j0 + c / n % n, k0 + c / (n * n));
    const double *q = s.q;
    u[c] = q[0];
    for (int v = 1; v < 4; v++) u[v * cells + c] = q[0] * q[v];
    u[4 * cells + c] =
        q[4] / (gamma_air - 1.0) + 0.5 * q[0] * (q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  }
}

static Bench bench_create(int n, double h, Field field)
{
  Bench b = {.n = n, .h = h, .field = field};
  const size_t state = (size_t)PATCH_VARIABLES * n * n * n * sizeof(double);
  b.memory = aligned_alloc(64, (patch_block_size(n) * sizeof(double) + 63) / 64 * 64);
  b.own = malloc(state);
  b.other = malloc(state);
  b.block = patch_block_in(b.memory, n);
  fill(&b, 0, 0, 0, b.own);
  patch_take_core(&b.block, gamma_air, b.own);
  for (int side = 0; side < 6; side++) {
    int at[3] = {0, 0, 0};
    at[side / 2] = side % 2 ? n : -n;
    fill(&b, at[0], at[1], at[2], b.other);
    patch_take_neighbour(&b.block, gamma_air, side, b.other);
  }
  return b;
}

static void bench_destroy(Bench *b)
{
  free(b->memory);
  free(b->own);
  free(b->other);
}

/* Flux through the lower face of a cell in a direction, momentum in the usual order. */
static void lower_flux(const Bench *b, const PatchScheme *scheme, int d, const int cell[3],
                       double flux[PATCH_VARIABLES])
{
  static const int turn[3][PATCH_VARIABLES] = {{0, 1, 2, 3, 4}, {0, 2, 1, 3, 4}, {0, 3, 1, 2, 4}};
  Plain line[6];
  double turned[PATCH_VARIABLES];
  for (int m = 0; m < 6; m++) {
    int at[3] = {cell[0], cell[1], cell[2]};
    at[d] += m - 3;
    const Plain s = at_cell(b, at[0], at[1], at[2]);
    for (int v = 0; v < PATCH_VARIABLES; v++) line[m].q[v] = s.q[turn[d][v]];
  }
  plain_flux(line, scheme, turned);
  for (int v = 0; v < PATCH_VARIABLES; v++) flux[turn[d][v]] = turned[v];
}

/* Largest difference between the kernels and the plain form. */
static double worst_difference(const Bench *b, const PatchScheme *scheme)
{
  const int n = b->n;
  double worst = 0.0;
  for (int c = 0; c < n * n * n; c++) {
    double sum[PATCH_VARIABLES] = {0};
    for (int d = 0; d < 3; d++) {
      double lower[PATCH_VARIABLES], upper[PATCH_VARIABLES];
      int cell[3] = {c % n, c / n % n, c / (n * n)};
      lower_flux(b, scheme, d, cell, lower);
      cell[d]++;
      lower_flux(b, scheme, d, cell, upper);
      for (int v = 0; v < PATCH_VARIABLES; v++) sum[v] += upper[v] - lower[v];
    }
    for (int v = 0; v < PATCH_VARIABLES; v++) {
      const double got = b->block.difference[(v * n * n + c / n) * b->block.row + c % n];
      const double off = fabs(got - sum[v]) / (1.0 + fabs(sum[v]));
      if (!(off <= worst)) worst = off;
    }
  }
  return worst;
}

/* A fixed scramble of the place, in [0, 1). */
static double scramble(double x, double y, double z, int k)
{
  const double s = sin(12.9898 * x + 78.233 * y + 37.719 * z + 4.581 * k) * 43758.5453;
  return s - floor(s);
}

static Plain rough_field(double x, double y, double z)
{
  Plain s;
  for (int k = 0; k < PATCH_VARIABLES; k++) s.q[k] = scramble(x, y, z, k) - 0.5;
  s.q[0] = 1.0 + s.q[0];
  s.q[4] = 1.0 + s.q[4];
  return s;
}

static Plain smooth_field(double x, double y, double z)
{
  return (Plain){{1.0 + 0.1 * sin(x + y), 0.3 * cos(y - z), 0.2 * sin(z + x), 0.1 * cos(x),
                  1.0 + 0.1 * cos(y + z - x)}};
}

/* Smooth, but for a step in density and pressure along a slanted plane. */
static Plain step_field(double x, double y, double z)
{
  Plain s = smooth_field(x, y, z);
  if (x + 0.5 * y - 0.3 * z > 0.1) {
    s.q[0] *= 0.1;
    s.q[4] *= 1e-3;
  }
  return s;
}

static const struct {
  int n;
  Field field;
  PatchScheme scheme;
} trials[] = {{8, smooth_field, {2, 1.4, 0.0, 0.0, PATCH_FRESH, NULL}},
              {10, rough_field, {2, 1.4, 0.0, 0.0, PATCH_FRESH, NULL}},
              {16, smooth_field, {5, 1.4, PATCH_SMOOTH, 0.0, PATCH_FRESH, NULL}},
              {8, rough_field, {5, 1.4, PATCH_SMOOTH, 0.02, PATCH_FRESH, NULL}},
              {16, step_field, {5, 1.4, PATCH_SMOOTH, 0.05, PATCH_FRESH, NULL}},
              {10, step_field, {5, 1.4, -1.0, 0.05, PATCH_FRESH, NULL}},
              {6, smooth_field, {5, 1.4, -1.0, 0.0, PATCH_FRESH, NULL}}};

START_TEST(the_kernels_agree_with_the_plain_form)
{
  double *const no_flux[6] = {NULL};
  Bench b = bench_create(trials[_i].n, 0.1, trials[_i].field);
  patch_rhs(&b.block, &trials[_i].scheme, no_flux);
  ck_assert_double_le(worst_difference(&b, &trials[_i].scheme), TOL_PLAIN);
  bench_destroy(&b);
}
END_TEST

/* The vortex of the case file at rest: nothing changes. */
static Plain vortex_field(double x, double y, double z)
{
  (void)z;
  const double f = exp(0.5 * (1.0 - x * x - y * y)) / M_PI;
  const double t = 1.0 - (gamma_air - 1.0) / (2.0 * gamma_air) * f * f;
  const double rho = pow(t, 1.0 / (gamma_air - 1.0));
  return (Plain){{rho, -y * f, x * f, 0.0, rho * t}};
}

/* Mean rate of change of a patch of edge 4 that covers the vortex. */
static double vortex_error(int n, const PatchScheme *scheme)
{
  double *const no_flux[6] = {NULL}, sum = 0.0;
  Bench b = bench_create(n, 4.0 / n, vortex_field);
  patch_rhs(&b.block, scheme, no_flux);
  for (int r = 0; r < PATCH_VARIABLES * n * n; r++)
    for (int i = 0; i < n; i++) sum += fabs(b.block.difference[r * b.block.row + i]);
  const double h = b.h;
  bench_destroy(&b);
  return sum / (h * n * n * n);
}

START_TEST(a_vortex_at_rest_shows_fifth_order)
{
  const PatchScheme linear = {5, 1.4, PATCH_SMOOTH, 0.0, PATCH_FRESH, NULL},
                    weno = {5, 1.4, -1.0, 0.0, PATCH_FRESH, NULL};
  ck_assert_double_ge(log2(vortex_error(24, &linear) / vortex_error(48, &linear)), 4.8);
  ck_assert_double_ge(log2(vortex_error(32, &weno) / vortex_error(64, &weno)), 4.8);
}
END_TEST

START_TEST(a_vortex_at_rest_shows_second_order)
{
  const PatchScheme scheme = {2, 1.4, 0.0, 0.0, PATCH_FRESH, NULL};
  ck_assert_double_ge(log2(vortex_error(32, &scheme) / vortex_error(64, &scheme)), 1.8);
}
END_TEST

START_TEST(a_vortex_of_three_cells_per_radius_is_all_linear)
{
  double *const no_flux[6] = {NULL};
  const PatchScheme scheme = {5, 1.4, PATCH_SMOOTH, 0.1, PATCH_FRESH, NULL};
  Bench b = bench_create(16, 0.3, vortex_field);
  const PatchCounts counts = patch_rhs(&b.block, &scheme, no_flux);
  ck_assert_int_eq(counts.rough, 0);
  ck_assert_int_eq(counts.fallback, 0);
  bench_destroy(&b);
}
END_TEST

/* The step field, moved by the edge of a patch of 8 cells of 0.1. */
static Plain moved_field(double x, double y, double z)
{
  return step_field(x + 0.8, y, z);
}

START_TEST(neighbours_agree_on_their_common_face_to_the_bit)
{
  enum { N = 8, FACE = PATCH_VARIABLES * N * N };
  const PatchScheme scheme = {5, 1.4, PATCH_SMOOTH, 0.05, PATCH_FRESH, NULL};
  static double one[FACE], two[FACE];
  double *const of_one[6] = {NULL, one}, *const of_two[6] = {two};
  Bench a = bench_create(N, 0.1, step_field), b = bench_create(N, 0.1, moved_field);
  patch_take_neighbour(&a.block, gamma_air, 1, b.own);
  patch_take_neighbour(&b.block, gamma_air, 0, a.own);
  patch_rhs(&a.block, &scheme, of_one);
  patch_rhs(&b.block, &scheme, of_two);
  ck_assert_int_eq(memcmp(one, two, sizeof one), 0);
  bench_destroy(&a);
  bench_destroy(&b);
}
END_TEST

/* Gas at rest, at 1e5 times the pressure in a ball. */
static Plain blast_field(double x, double y, double z)
{
  return (Plain){{1.0, 0.0, 0.0, 0.0, x * x + y * y + z * z < 0.1 ? 1e5 : 1.0}};
}

static double least_pressure(const double *u, int cells)
{
  double least = INFINITY;
  for (int c = 0; c < cells; c++) {
    const double *m = u + cells + c,
                 kinetic =
                     0.5 * (m[0] * m[0] + m[cells] * m[cells] + m[2 * cells] * m[2 * cells]) / u[c];
    const double p = (gamma_air - 1.0) * (u[4 * cells + c] - kinetic);
    if (!(p >= least) || u[c] <= 0.0) least = u[c] > 0.0 ? p : -1.0;
  }
  return least;
}

START_TEST(a_blast_stays_positive)
{
  enum { N = 16, CELLS = N * N * N };
  double *const no_flux[6] = {NULL};
  Bench b = bench_create(N, 0.1, blast_field);
  /* A third of the time step that sound needs through a cell in three directions. */
  PatchScheme scheme = {5, 1.4, PATCH_SMOOTH, 1.0 / (9.0 * sqrt(1.4e5)), PATCH_FRESH, NULL};
  for (int step = 0; step < 10; step++) {
    patch_take_core(&b.block, gamma_air, b.own);
    patch_rhs(&b.block, &scheme, no_flux);
    patch_update(&b.block, 1.0, scheme.time_ratio, b.own, b.own, b.other);
    memcpy(b.own, b.other, sizeof(double) * PATCH_VARIABLES * CELLS);
    ck_assert_double_gt(least_pressure(b.own, CELLS), 0.0);
  }
  bench_destroy(&b);
}
END_TEST

START_TEST(a_border_gives_what_the_neighbour_gives)
{
  enum { N = 8, CELLS = N * N * N, FACE = N * N };
  const int side = _i, d = side / 2;
  static double border[PATCH_VARIABLES * PATCH_GHOST * FACE], first[PATCH_VARIABLES * CELLS];
  double *const no_flux[6] = {NULL};
  const PatchScheme scheme = {5, 1.4, PATCH_SMOOTH, 0.0, PATCH_FRESH, NULL};
  Bench b = bench_create(N, 0.1, smooth_field);
  patch_rhs(&b.block, &scheme, no_flux);
  memcpy(first, b.block.difference, sizeof first);
  for (int m = 0; m < PATCH_GHOST; m++)
    for (int f = 0; f < FACE; f++) {
      const int layer = side % 2 ? N + m : -1 - m;
      const int i = d == 0 ? layer : f % N, j = d == 1 ? layer : d == 0 ? f % N : f / N;
      const Plain s = at_cell(&b, i, j, d == 2 ? layer : f / N);
      for (int v = 0; v < PATCH_VARIABLES; v++) border[(v * PATCH_GHOST + m) * FACE + f] = s.q[v];
    }
  patch_take_border(&b.block, gamma_air, side, border);
  patch_rhs(&b.block, &scheme, no_flux);
  for (int c = 0; c < PATCH_VARIABLES * CELLS; c++)
    ck_assert_double_le(fabs(first[c] - b.block.difference[c]), TOL_PLAIN);
  bench_destroy(&b);
}
END_TEST

Suite *test_suite(void)
{
  Suite *suite = suite_create("flow/patch");
  TCase *tests = tcase_create("core");

  tcase_add_loop_test(tests, the_kernels_agree_with_the_plain_form, 0,
                      sizeof trials / sizeof *trials);
  tcase_add_test(tests, a_vortex_at_rest_shows_fifth_order);
  tcase_add_test(tests, a_vortex_at_rest_shows_second_order);
  tcase_add_test(tests, a_vortex_of_three_cells_per_radius_is_all_linear);
  tcase_add_test(tests, neighbours_agree_on_their_common_face_to_the_bit);
  tcase_add_test(tests, a_blast_stays_positive);
  tcase_add_loop_test(tests, a_border_gives_what_the_neighbour_gives, 0, 6);
  suite_add_tcase(suite, tests);
  return suite;
}
