#include "flow/patch_kernels.h"
#include "grid/cell_state.h"
#include "support.h"

#include <math.h>
#include <stdlib.h>

static const double gamma_air = 1.4, mu = 0.02, sutherland = 0.4, prandtl = 0.72;

enum { U, V, W, T };

/* Waves in different directions for the velocities and the temperature, and their gradients. */
static void field_at(const double x[3], double q[4], double g[4][3])
{
  static const double k[4][3] = {{1, 2, -1}, {-1, 1, 2}, {2, -1, 1}, {1, 1, 1}};
  static const double size[4] = {0.3, 0.2, 0.25, 0.2}, mean[4] = {0.1, -0.2, 0.3, 1.0};
  for (int f = 0; f < 4; f++) {
    const double phase = k[f][0] * x[0] + k[f][1] * x[1] + k[f][2] * x[2] + 0.3 * f;
    q[f] = mean[f] + size[f] * sin(phase);
    for (int d = 0; d < 3; d++) g[f][d] = size[f] * k[f][d] * cos(phase);
  }
}

/* Exact flux of momentum and energy by friction along an axis. */
static void flux_at(const double x[3], int axis, double flux[4])
{
  double q[4], g[4][3];
  field_at(x, q, g);
  const double m = mu * (1.0 + sutherland) * q[T] * sqrt(q[T]) / (q[T] + sutherland);
  const double spread = g[U][0] + g[V][1] + g[W][2];
  flux[3] = m / (prandtl * (gamma_air - 1.0)) * g[T][axis];
  for (int f = 0; f < 3; f++) {
    flux[f] = m * (g[f][axis] + g[axis][f]) - (f == axis ? 2.0 / 3 * m * spread : 0.0);
    flux[3] += q[f] * flux[f];
  }
}

/* Its divergence, by differences of eighth order over steps too small to err. */
static void exact_at(const double x[3], double sum[4])
{
  static const double w[4] = {0.8, -0.2, 4.0 / 105, -1.0 / 280};
  const double step = 0.02;
  for (int f = 0; f < 4; f++) sum[f] = 0.0;
  for (int axis = 0; axis < 3; axis++)
    for (int k = -4; k <= 4; k++) {
      double y[3] = {x[0], x[1], x[2]}, flux[4];
      if (k == 0) continue;
      y[axis] += k * step;
      flux_at(y, axis, flux);
      for (int f = 0; f < 4; f++) sum[f] += (k > 0 ? 1 : -1) * w[abs(k) - 1] / step * flux[f];
    }
}

/* The primitive variables of a cell, ghosts included. */
static void state_at(int i, int j, int k, double h, double w[PATCH_VARIABLES])
{
  const double x[3] = {(i + 0.5) * h, (j + 0.5) * h, (k + 0.5) * h};
  double q[4], g[4][3];
  field_at(x, q, g);
  w[0] = 1.0 + 0.1 * sin(x[0]);
  for (int f = 0; f < 3; f++) w[1 + f] = q[f];
  w[4] = w[0] * q[T] / gamma_air;
}

/* A block of the field with its sides at a spacing, `first` cells along x from the origin. */
static void fill_block(const PatchBlock *block, int first, double h)
{
  const int n = block->n, cells = n * n * n, face = n * n;
  double *u = malloc(sizeof(double) * PATCH_VARIABLES * (size_t)cells);
  double *border = malloc(sizeof(double) * PATCH_VARIABLES * PATCH_GHOST * (size_t)face);
  double w[PATCH_VARIABLES];
  for (int c = 0; c < cells; c++) {
    state_at(first + c % n, c / n % n, c / face, h, w);
    const double squares = w[1] * w[1] + w[2] * w[2] + w[3] * w[3];
    u[c] = w[0];
    for (int v = 1; v < 4; v++) u[v * cells + c] = w[0] * w[v];
    u[4 * cells + c] = w[4] / (gamma_air - 1.0) + 0.5 * w[0] * squares;
  }
  patch_take_core(block, gamma_air, u);
  for (int side = 0; side < 6; side++) {
    for (int i = 0; i < PATCH_GHOST * face; i++) {
      const int m = i / face, b = i / n % n, a = i % n;
      const int at = side % 2 ? n + m : -1 - m;
      if (side < 2) state_at(first + at, a, b, h, w);
      if (side / 2 == 1) state_at(first + a, at, b, h, w);
      if (side / 2 == 2) state_at(first + a, b, at, h, w);
      for (int v = 0; v < PATCH_VARIABLES; v++) border[v * PATCH_GHOST * face + i] = w[v];
    }
    patch_take_border(block, gamma_air, side, border);
  }
  free(u);
  free(border);
}

/* Friction alone on a block, and its fluxes through the two ends in x. */
static PatchBlock rub(int n, int first, double h, double *memory, double *low, double *high)
{
  const PatchBlock block = patch_block_in(memory, n);
  const PatchFriction friction = {mu, sutherland, 1.0 / (prandtl * (gamma_air - 1.0)), h};
  double *const face[6] = {low, high};
  fill_block(&block, first, h);
  for (int i = 0; i < PATCH_VARIABLES * n * n * block.row; i++) block.difference[i] = 0.0;
  for (int i = 0; i < PATCH_VARIABLES * n * n; i++) low[i] = high[i] = 0.0;
  patch_add_friction(&block, &friction, face);
  return block;
}

static double *block_memory(int n)
{
  return aligned_alloc(64, (patch_block_size(n) + 7) / 8 * 64);
}

enum { LARGEST = 32, FACE = PATCH_VARIABLES * LARGEST * LARGEST };

/* The largest error of friction over the cells of a patch, rim included. */
static double worst_error(int n, double edge)
{
  const double h = edge / n;
  const int cells = n * n * n;
  static double low[FACE], high[FACE], rate[LARGEST * FACE];
  double *memory = block_memory(n), worst = 0.0;
  const PatchBlock block = rub(n, 0, h, memory, low, high);
  patch_rate(&block, h, rate);
  for (int c = 0; c < cells; c++) {
    const double x[3] = {(c % n + 0.5) * h, (c / n % n + 0.5) * h, (c / (n * n) + 0.5) * h};
    double sum[4];
    exact_at(x, sum);
    for (int f = 0; f < 4; f++) worst = fmax(worst, fabs(rate[(1 + f) * cells + c] - sum[f]));
  }
  free(memory);
  return worst;
}

/* Viscosity and density vary, and so does every velocity along every axis. */
START_TEST(friction_is_of_fourth_order_up_to_the_rim)
{
  const double coarse = worst_error(8, 1.6), mid = worst_error(16, 1.6),
               fine = worst_error(32, 1.6);
  ck_assert_double_ge(log2(coarse / mid), 3.8);
  ck_assert_double_ge(log2(mid / fine), 3.8);
  ck_assert_double_le(fine, 1e-5);
}
END_TEST

START_TEST(two_patches_agree_on_the_flux_between_them)
{
  enum { N = 12 };
  static double low[2][FACE], high[2][FACE];
  double *memory = block_memory(N);
  for (int k = 0; k < 2; k++) rub(N, k * N, 0.1, memory, low[k], high[k]);
  double most = 0.0;
  for (int i = 0; i < PATCH_VARIABLES * N * N; i++) {
    ck_assert_double_le(fabs(high[0][i] - low[1][i]), TOL_SUM(100, 1.0));
    most = fmax(most, fabs(high[0][i]));
  }
  ck_assert_double_ge(most, 1e-3);
  free(memory);
}
END_TEST

START_TEST(heat_spreads_faster_than_momentum)
{
  enum { N = 8, CELLS = N * N * N };
  static double u[PATCH_VARIABLES * CELLS];
  static uint8_t state[CELLS];
  const PatchFriction friction = {mu, NAN, 1.0 / (prandtl * (gamma_air - 1.0)), 0.1};
  for (int c = 0; c < CELLS; c++) {
    u[c] = c == 5 ? 0.25 : 1.0;
    u[4 * CELLS + c] = 2.0;
  }
  const double nu = patch_diffusivity(N, gamma_air, &friction, u, NULL);
  ck_assert_double_le(fabs(nu - 4.0 * mu * gamma_air / prandtl), TOL_ROUND(1.0));
  state[5] = STATE_HOLE;
  const double without = patch_diffusivity(N, gamma_air, &friction, u, state);
  ck_assert_double_le(fabs(without - mu * gamma_air / prandtl), TOL_ROUND(1.0));
}
END_TEST

Suite *test_suite(void)
{
  Suite *suite = suite_create("flow/patch_viscous");
  TCase *tests = tcase_create("core");

  tcase_add_test(tests, friction_is_of_fourth_order_up_to_the_rim);
  tcase_add_test(tests, two_patches_agree_on_the_flux_between_them);
  tcase_add_test(tests, heat_spreads_faster_than_momentum);
  suite_add_tcase(suite, tests);
  return suite;
}
