#include "flow/patch_sgs_kernels.h"

#include "grid/cell_state.h"

#include <math.h>

enum { VARIABLES = 5 };

void patch_linearise(int n, double gamma, const double *restrict u, double *restrict linear)
{
  const int cells = n * n * n;
#pragma omp simd
  for (int c = 0; c < cells; c++) {
    const double over = 1.0 / u[c], x = u[c + cells] * over, y = u[c + 2 * cells] * over;
    const double z = u[c + 3 * cells] * over, e = u[c + 4 * cells] * over;
    const double half = 0.5 * (x * x + y * y + z * z), p_rho = (gamma - 1.0) * (e - half);
    linear[c] = x;
    linear[c + cells] = y;
    linear[c + 2 * cells] = z;
    linear[c + 3 * cells] = e + p_rho;
    linear[c + 4 * cells] = sqrt(gamma * p_rho);
  }
}

/* What a change dx of a cell's state changes in its flux along axis d, plus `wave` times dx. */
static inline void push(double gamma, const double *restrict linear, int cells, int c, int d,
                        double wave, const double dx[VARIABLES], double out[VARIABLES])
{
  const double v[3] = {linear[c], linear[c + cells], linear[c + 2 * cells]};
  const double half = 0.5 * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  const double dp =
      (gamma - 1.0) * (half * dx[0] - v[0] * dx[1] - v[1] * dx[2] - v[2] * dx[3] + dx[4]);
  const double dm = dx[1 + d], along = v[d], turn = dm - along * dx[0];
  out[0] = dm + wave * dx[0];
  for (int k = 0; k < 3; k++) out[1 + k] = along * dx[1 + k] + v[k] * turn + wave * dx[1 + k];
  out[1 + d] += dp;
  out[4] = linear[c + 3 * cells] * turn + along * (dx[4] + dp) + wave * dx[4];
}

/* The fastest wave along axis d in a cell. */
static inline double wave_of(const SgsPatch *p, const double *restrict linear, int cells, int c,
                             int d)
{
  return fabs(linear[c + d * cells]) + linear[c + 4 * cells] + p->slow;
}

/* The diagonal of a cell, per volume. */
static inline double diagonal_of(const SgsPatch *p, const double *restrict linear, int cells, int c,
                                 double a0)
{
  double sum = 0.0;
  for (int d = 0; d < 3; d++) sum += wave_of(p, linear, cells, c, d);
  return a0 + sum / p->spacing;
}

/* Sum over the neighbours before (sign -1) or after (+1) a cell of what they push into it. */
static void gather(const SgsPatch *p, const double *restrict linear, int c, int sign,
                   const double *restrict x, double sum[VARIABLES])
{
  const int n = p->n, cells = n * n * n, stride[3] = {1, n, n * n};
  const int at[3] = {c % n, c / n % n, c / (n * n)};
  for (int k = 0; k < VARIABLES; k++) sum[k] = 0.0;
  for (int d = 0; d < 3; d++) {
    const int other = c + sign * stride[d];
    double one[VARIABLES];
    if (at[d] == (sign < 0 ? 0 : n - 1)) continue;
    const double wave = -sign * wave_of(p, linear, cells, other, d);
    push(p->gamma, linear, cells, other, d, wave, x + VARIABLES * other, one);
    for (int k = 0; k < VARIABLES; k++) sum[k] -= sign * one[k];
  }
}

void patch_sgs(const SgsPatch *p, const uint8_t *restrict state, const double *restrict linear,
               const double *restrict a0, const double *restrict r, double *restrict x)
{
  const int cells = p->n * p->n * p->n;
  const double per_volume = 1.0 / (p->spacing * p->spacing * p->spacing);
  const double half = 0.5 / p->spacing;
  for (int c = 0; c < cells; c++) {
    const int field = state == NULL || state[c] == STATE_FIELD;
    const double over = 1.0 / (field ? diagonal_of(p, linear, cells, c, a0[c]) : a0[c]);
    double sum[VARIABLES] = {0.0};
    if (field) gather(p, linear, c, -1, x, sum);
    for (int k = 0; k < VARIABLES; k++)
      x[VARIABLES * c + k] = over * (per_volume * r[VARIABLES * c + k] + half * sum[k]);
  }
  for (int c = cells - 1; c >= 0; c--) {
    double sum[VARIABLES];
    if (state != NULL && state[c] != STATE_FIELD) continue;
    const double over = half / diagonal_of(p, linear, cells, c, a0[c]);
    gather(p, linear, c, 1, x, sum);
    for (int k = 0; k < VARIABLES; k++) x[VARIABLES * c + k] += over * sum[k];
  }
}
