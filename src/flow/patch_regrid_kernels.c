#include "flow/patch_regrid_kernels.h"

#include "grid/cell_state.h"

#include <math.h>

enum { POINTS = 5 };

/* Weights for fine places along one axis of the half that begins at `first`. */
static void fine_weights(int n, int first, int start[], double weight[][POINTS])
{
  for (int f = 0; f < n; f++) {
    const int c = first + f / 2, most = n - POINTS, low = c - 2;
    const double x = c + (f % 2 ? 0.25 : -0.25);
    start[f] = low < 0 ? 0 : low > most ? most : low;
    for (int i = 0; i < POINTS; i++) {
      weight[f][i] = 1.0;
      for (int j = 0; j < POINTS; j++)
        if (j != i) weight[f][i] *= (x - (start[f] + j)) / (i - j);
    }
  }
}

/* Interpolate along an axis with `inner` numbers between neighbours, `outer` times. */
static void refine_axis(int n, int first, int outer, int inner, const double *restrict in,
                        double *restrict out)
{
  int start[PATCH_LARGEST];
  double weight[PATCH_LARGEST][POINTS];
  fine_weights(n, first, start, weight);
  for (int r = 0; r < outer; r++)
    for (int f = 0; f < n; f++) {
      const double *from = in + ((ptrdiff_t)r * n + start[f]) * inner, *w = weight[f];
      double *to = out + ((ptrdiff_t)r * n + f) * inner;
      for (int i = 0; i < inner; i++)
        to[i] = w[0] * from[i] + w[1] * from[inner + i] + w[2] * from[2 * inner + i] +
                w[3] * from[3 * inner + i] + w[4] * from[4 * inner + i];
    }
}

/* Offset of cell k (0 to 7) of the eight that begin at a place. */
static inline ptrdiff_t eighth(int n, int k)
{
  return (k & 1) + (k >> 1 & 1) * n + (ptrdiff_t)(k >> 2) * n * n;
}

/* Density and inner energy of a cell, `cells` doubles between its variables. */
static inline int has_enough(const double *u, ptrdiff_t cells, double rho, double inner)
{
  const double mx = u[cells], my = u[2 * cells], mz = u[3 * cells];
  const double left = u[4 * cells] - 0.5 * (mx * mx + my * my + mz * mz) / u[0];
  return u[0] > 0.5 * rho && u[0] < 2.0 * rho && left > 0.5 * inner && left < 2.0 * inner;
}

/* Give eight cells the mean they come from, or that state itself if one would be nearly empty. */
static void conserve_eight(int n, const double *restrict from, double *restrict to)
{
  const ptrdiff_t cells = (ptrdiff_t)n * n * n;
  const double mx = from[cells], my = from[2 * cells], mz = from[3 * cells];
  const double inner = from[4 * cells] - 0.5 * (mx * mx + my * my + mz * mz) / from[0];
  int good = 1;
  for (int v = 0; v < PATCH_VARIABLES; v++) {
    double sum = 0.0;
    for (int k = 0; k < 8; k++) sum += to[v * cells + eighth(n, k)];
    const double miss = from[v * cells] - 0.125 * sum;
    for (int k = 0; k < 8; k++) to[v * cells + eighth(n, k)] += miss;
  }
  for (int k = 0; k < 8; k++) good = good && has_enough(to + eighth(n, k), cells, from[0], inner);
  for (int v = 0; v < PATCH_VARIABLES && !good; v++)
    for (int k = 0; k < 8; k++) to[v * cells + eighth(n, k)] = from[v * cells];
}

void patch_refine(int n, int child, const double *restrict parent, double *restrict work,
                  double *restrict out)
{
  const int half = n / 2, x0 = (child & 1) * half, y0 = (child >> 1 & 1) * half;
  const int z0 = (child >> 2) * half;
  double *other = work + (ptrdiff_t)PATCH_VARIABLES * n * n * n;
  refine_axis(n, x0, PATCH_VARIABLES * n * n, 1, parent, work);
  refine_axis(n, y0, PATCH_VARIABLES * n, n, work, other);
  refine_axis(n, z0, PATCH_VARIABLES, n * n, other, out);
  for (int k = 0; k < half; k++)
    for (int j = 0; j < half; j++)
      for (int i = 0; i < half; i++)
        conserve_eight(n, parent + ((z0 + k) * n + y0 + j) * n + x0 + i,
                       out + (2 * k * n + 2 * j) * n + 2 * i);
}

void patch_coarsen(int n, int child, const double *restrict fine, double *restrict parent)
{
  const int half = n / 2;
  const ptrdiff_t cells = (ptrdiff_t)n * n * n;
  for (int v = 0; v < PATCH_VARIABLES; v++)
    for (int c = 0; c < half * half * half; c++) {
      const int i = c % half, j = c / half % half, k = c / (half * half);
      const double *from = fine + v * cells + (2 * k * n + 2 * j) * n + 2 * i;
      double sum = 0.0;
      for (int e = 0; e < 8; e++) sum += from[eighth(n, e)];
      const int x = i + (child & 1) * half, y = j + (child >> 1 & 1) * half;
      parent[v * cells + ((k + (child >> 2) * half) * n + y) * n + x] = 0.125 * sum;
    }
}

enum { EXTEND_NOT = 0, EXTEND_OLD = 1, EXTEND_NEW = 2 };

/* The mean of the neighbours of cell c that have a state already; how many are there? */
static int mean_of_done(int n, int c, const uint8_t *restrict done, const double *restrict u,
                        double mean[PATCH_VARIABLES])
{
  const int cells = n * n * n, stride[3] = {1, n, n * n};
  const int at[3] = {c % n, c / n % n, c / (n * n)};
  int count = 0;
  for (int v = 0; v < PATCH_VARIABLES; v++) mean[v] = 0.0;
  for (int side = 0; side < 6; side++) {
    const int d = side / 2, up = side % 2, other = c + (up ? stride[d] : -stride[d]);
    if (at[d] == (up ? n - 1 : 0) || done[other] != EXTEND_OLD) continue;
    for (int v = 0; v < PATCH_VARIABLES; v++) mean[v] += u[v * cells + other];
    count++;
  }
  for (int v = 0; v < PATCH_VARIABLES && count > 0; v++) mean[v] /= count;
  return count;
}

void patch_extend(int n, const uint8_t *restrict state, const double far[PATCH_VARIABLES],
                  uint8_t *restrict done, double *restrict u)
{
  const int cells = n * n * n;
  int left = 0, before = 0;
  for (int c = 0; c < cells; c++) {
    done[c] = state[c] == STATE_HOLE ? EXTEND_NOT : EXTEND_OLD;
    left += done[c] == EXTEND_NOT;
  }
  const int all = left == cells;
  while (left > 0 && left != before) {
    before = left;
    for (int c = 0; c < cells; c++) {
      double mean[PATCH_VARIABLES];
      if (done[c] != EXTEND_NOT || (!all && mean_of_done(n, c, done, u, mean) == 0)) continue;
      for (int v = 0; v < PATCH_VARIABLES; v++) u[v * cells + c] = all ? far[v] : mean[v];
      done[c] = EXTEND_NEW;
      left--;
    }
    for (int c = 0; c < cells; c++) done[c] = done[c] == EXTEND_NEW ? EXTEND_OLD : done[c];
  }
}

/* What is compared from cell to cell: the field itself, or the logarithm of the entropy. */
static void fill_sensed(const PatchBlock *block, double gamma, SensorKind sensor,
                        double *restrict value)
{
  const int n = block->n, rows = n * n;
  for (int r = 0; r < rows; r++) {
    const double *rho =
        block->core + (r / n + PATCH_GHOST) * block->plane + (r % n + PATCH_GHOST) * block->row;
    const double *p = rho + 4 * block->field;
    double *to = value + r * n;
    for (int i = 0; i < n; i++) {
      if (sensor == SENSOR_ENTROPY)
        to[i] = log(p[i]) - gamma * log(rho[i]);
      else
        to[i] = sensor == SENSOR_PRESSURE ? p[i] : rho[i];
    }
  }
}

/* Shear across an axis, per speed of sound, stands for vorticity. */
static double shear(const PatchBlock *block, int c, int d)
{
  const int n = block->n;
  const ptrdiff_t step[3] = {1, block->row, block->plane};
  const double *at = block->core + (c / (n * n) + PATCH_GHOST) * block->plane +
                     (c / n % n + PATCH_GHOST) * block->row + c % n;
  double most = 0.0;
  for (int e = 0; e < 3; e++) {
    const double *u = at + (1 + e) * block->field;
    const double jump = e == d ? 0.0 : fabs(u[step[d]] - u[0]);
    if (jump > most) most = jump;
  }
  return most / at[5 * block->field];
}

double patch_sense(const PatchBlock *block, const PatchSensor *sensor, double gamma,
                   const uint8_t *restrict state, double *restrict value, int *near)
{
  const int n = block->n, cells = n * n * n, stride[3] = {1, n, n * n};
  const int relative = sensor->kind == SENSOR_DENSITY || sensor->kind == SENSOR_PRESSURE;
  double most = 0.0;
  *near = 0;
  fill_sensed(block, gamma, sensor->kind, value);
  for (int c = 0; c < cells; c++) {
    const int at[3] = {c % n, c / n % n, c / (n * n)};
    for (int d = 0; d < 3; d++) {
      if (at[d] + 1 == n) continue;
      if (state != NULL && (state[c] != STATE_FIELD || state[c + stride[d]] != STATE_FIELD))
        continue;
      const double a = value[c], b = value[c + stride[d]];
      const double scale = !relative ? 1.0 : a < b ? a : b;
      const double s = sensor->kind == SENSOR_VORTICITY ? shear(block, c, d) : fabs(b - a) / scale;
      if (s > most) most = s;
      for (int e = 0; e < 3 && s > sensor->threshold; e++) {
        if (at[e] < sensor->margin) *near |= 1 << 2 * e;
        if (at[e] + (e == d) >= n - sensor->margin) *near |= 2 << 2 * e;
      }
    }
  }
  return most;
}
