/*
 * How fast is the right-hand side off the bodies? The isentropic vortex in a periodic box of
 * patches of 16^3 cells, the gathering of neighbours included, on one core.
 * Usage: bench/offbody [seconds]
 * What a forest adds is measured by bench/forest.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "flow/patch_kernels.h"

#include "bench.h"

#include <math.h>
#include <stdlib.h>

enum { N = 16, CELLS = N * N * N, STATE = PATCH_VARIABLES * CELLS };

/* A periodic box of m^3 patches, without any forest: rates of the kernels alone. */
typedef struct {
  int m;
  double *u, *u0, *out;
  PatchBlock block;
} Box;

static const double gamma_air = 1.4, half_width = 10.0;

static void fill_cell(double *u, double x, double y)
{
  const double f = exp(0.5 * (1.0 - x * x - y * y)) / M_PI, mach = 0.5;
  const double t = 1.0 - (gamma_air - 1.0) / (2.0 * gamma_air) * f * f;
  const double rho = pow(t, 1.0 / (gamma_air - 1.0)), p = rho * t;
  const double vx = mach * sqrt(gamma_air) - y * f, vy = x * f;
  u[0] = rho;
  u[CELLS] = rho * vx;
  u[2 * CELLS] = rho * vy;
  u[3 * CELLS] = 0.0;
  u[4 * CELLS] = p / (gamma_air - 1.0) + 0.5 * rho * (vx * vx + vy * vy);
}

static double *doubles(size_t n)
{
  double *p = aligned_alloc(64, (n * sizeof(double) + 63) / 64 * 64);
  if (p == NULL) abort();
  return p;
}

static Box make_box(int m)
{
  const size_t n = (size_t)m * m * m * STATE;
  Box box = {.m = m, .u = doubles(n), .u0 = doubles(n), .out = doubles(n)};
  box.block = patch_block_in(doubles(patch_block_size(N)), N);
  const double h = 2.0 * half_width / (m * N);
  for (int b = 0; b < m * m * m; b++)
    for (int c = 0; c < CELLS; c++) {
      const double x = (b % m * N + c % N + 0.5) * h - half_width;
      const double y = (b / m % m * N + c / N % N + 0.5) * h - half_width;
      fill_cell(box.u + (size_t)b * STATE + c, x, y);
    }
  for (size_t i = 0; i < n; i++) box.u0[i] = box.out[i] = box.u[i];
  return box;
}

static void free_box(Box *box)
{
  free(box->u);
  free(box->u0);
  free(box->out);
  free(box->block.core);
}

static void gather(const Box *box, int b)
{
  const int m = box->m, at[3] = {b % m, b / m % m, b / (m * m)};
  const int stride[3] = {1, m, m * m};
  patch_take_core(&box->block, gamma_air, box->u + (size_t)b * STATE);
  for (int side = 0; side < 6; side++) {
    const int d = side / 2, to = (at[d] + (side % 2 ? 1 : m - 1)) % m;
    const int other = b + (to - at[d]) * stride[d];
    patch_take_neighbour(&box->block, gamma_air, side, box->u + (size_t)other * STATE);
  }
}

static void pass(const Box *box, const PatchScheme *scheme, int rhs, int update)
{
  double *const no_flux[6] = {NULL};
  for (int b = 0; b < box->m * box->m * box->m; b++) {
    const size_t at = (size_t)b * STATE;
    gather(box, b);
    if (rhs) patch_rhs(&box->block, scheme, no_flux);
    if (update) patch_update(&box->block, 0.25, 1e-3, box->u0 + at, box->u + at, box->out + at);
  }
}

static void measure(const Box *box, const char *what, PatchScheme scheme, int rhs, int update,
                    double seconds)
{
  const double cells = (double)box->m * box->m * box->m * CELLS;
  double done = 0.0, elapsed = 0.0;
  char name[64];
  pass(box, &scheme, rhs, update);
  for (const double start = bench_now(); elapsed < seconds; elapsed = bench_now() - start) {
    pass(box, &scheme, rhs, update);
    done += cells;
  }
  snprintf(name, sizeof name, "offbody/%s %d^3", what, box->m * N);
  bench_report(name, done, "cell-RHS", elapsed);
}

int main(int argc, char **argv)
{
  const double seconds = argc > 1 ? atof(argv[1]) : 0.5;
  const PatchScheme second = {.order = 2, .gamma = gamma_air};
  const PatchScheme weno = {.order = 5, .gamma = gamma_air, .smooth = -1.0, .time_ratio = 1e-3};
  const PatchScheme hybrid = {
      .order = 5, .gamma = gamma_air, .smooth = PATCH_SMOOTH, .time_ratio = 1e-3};
  for (int m = 4; m <= 8; m += 4) {
    Box box = make_box(m);
    measure(&box, "gather", hybrid, 0, 0, seconds);
    measure(&box, "order 2", second, 1, 0, seconds);
    measure(&box, "order 5 WENO", weno, 1, 0, seconds);
    measure(&box, "order 5", hybrid, 1, 0, seconds);
    measure(&box, "RK3 stage", hybrid, 1, 1, seconds);
    free_box(&box);
  }
  return 0;
}
