#include "flow/patch_border_kernels.h"

#include "grid/cell_state.h"

#include <math.h>

/* Between these multiples of the nearest density and pressure an interpolated value is believed. */
static const double believed_low = 0.5, believed_high = 2.0;

/* Weights of m points at start, start + 1, ... for the value at x. */
static void lagrange(int m, int start, double x, double weight[])
{
  for (int i = 0; i < m; i++) {
    weight[i] = 1.0;
    for (int j = 0; j < m; j++)
      if (j != i) weight[i] *= (x - (start + j)) / (i - j);
  }
}

static int clamp_start(int start, int most)
{
  return start < 0 ? 0 : start > most ? most : start;
}

static inline int believed(double rho, double p, double near_rho, double near_p)
{
  return rho > believed_low * near_rho && rho < believed_high * near_rho &&
         p > believed_low * near_p && p < believed_high * near_p;
}

void slab_take(int n, double gamma, int side, int layers, const double *restrict u,
               double *restrict slab)
{
  const ptrdiff_t cells = (ptrdiff_t)n * n * n, variable = (ptrdiff_t)layers * n * n;
  const int d = side / 2, upper = side % 2;
  const int stride[3] = {1, n, n * n};
  const int sa = stride[d == 0 ? 1 : 0], sb = stride[d == 2 ? 1 : 2];
  for (int m = 0; m < layers; m++)
    for (int b = 0; b < n; b++) {
      const double *from = u + (upper ? n - 1 - m : m) * stride[d] + b * sb;
      double *to = slab + (m * n + b) * n;
      for (int a = 0; a < n; a++) {
        const double *c = from + a * sa;
        const double rho = c[0], over = 1.0 / rho;
        const double vx = c[cells] * over, vy = c[2 * cells] * over, vz = c[3 * cells] * over;
        to[a] = rho;
        to[a + variable] = vx;
        to[a + 2 * variable] = vy;
        to[a + 3 * variable] = vz;
        to[a + 4 * variable] =
            (gamma - 1.0) * (c[4 * cells] - 0.5 * rho * (vx * vx + vy * vy + vz * vz));
      }
    }
}

/* Where shocks are, take the coarse cell that holds the fine one. */
static void keep_to_coarse(int n, int part, const double *restrict slab, double *restrict border)
{
  const ptrdiff_t variable = (ptrdiff_t)PATCH_GHOST * n * n;
  const int a0 = part % 2 * (n / 2), b0 = part / 2 * (n / 2);
  for (int r = 0; r < PATCH_GHOST * n; r++)
    for (int a = 0; a < n; a++) {
      const double *near = slab + ((r / n) * n + b0 + r % n / 2) * n + a0 + a / 2;
      double *at = border + r * n + a;
      if (believed(at[0], at[4 * variable], near[0], near[4 * variable])) continue;
      for (int v = 0; v < PATCH_VARIABLES; v++) at[v * variable] = near[v * variable];
    }
}

void border_to_fine(int n, int part, const double *restrict slab, double *restrict work,
                    double *restrict border)
{
  const int first[2] = {part % 2 * (n / 2), part / 2 * (n / 2)};
  int start[2][PATCH_LARGEST];
  double weight[2][PATCH_LARGEST][BORDER_POINTS];
  for (int d = 0; d < 2; d++)
    for (int f = 0; f < n; f++) {
      const int c = first[d] + f / 2;
      start[d][f] = clamp_start(c - 2, n - BORDER_POINTS);
      lagrange(BORDER_POINTS, start[d][f], c + (f % 2 ? 0.25 : -0.25), weight[d][f]);
    }
  for (int r = 0; r < PATCH_VARIABLES * PATCH_GHOST * n; r++)
    for (int a = 0; a < n; a++) {
      const double *from = slab + r * n + start[0][a], *w = weight[0][a];
      work[r * n + a] =
          w[0] * from[0] + w[1] * from[1] + w[2] * from[2] + w[3] * from[3] + w[4] * from[4];
    }
  for (int layer = 0; layer < PATCH_VARIABLES * PATCH_GHOST; layer++)
    for (int b = 0; b < n; b++) {
      const double *from = work + (layer * n + start[1][b]) * n, *w = weight[1][b];
      for (int a = 0; a < n; a++)
        border[(layer * n + b) * n + a] = w[0] * from[a] + w[1] * from[n + a] +
                                          w[2] * from[2 * n + a] + w[3] * from[3 * n + a] +
                                          w[4] * from[4 * n + a];
    }
  keep_to_coarse(n, part, slab, border);
}

/* Four points around the middle of two, or the nearest four at the ends of m. */
static void halve_weights(int m, int o, int *start, double weight[4])
{
  *start = clamp_start(2 * o - 1, m - 4);
  lagrange(4, *start, 2 * o + 0.5, weight);
}

/* Halve the axis that has `inner` numbers between neighbours, from m to m_out points, `outer`
 * times. */
static void halve_axis(int outer, int m, int m_out, int inner, const double *restrict in,
                       double *restrict out)
{
  for (int o = 0; o < m_out; o++) {
    int start = 0;
    double w[4];
    halve_weights(m, o, &start, w);
    for (int r = 0; r < outer; r++) {
      const double *from = in + (r * m + start) * inner;
      double *to = out + (r * m_out + o) * inner;
      for (int i = 0; i < inner; i++)
        to[i] = w[0] * from[i] + w[1] * from[inner + i] + w[2] * from[2 * inner + i] +
                w[3] * from[3 * inner + i];
    }
  }
}

/* Where shocks are, take the mean of the eight fine cells. */
static void keep_to_mean(int n, int layers, const double *restrict slab, double *restrict quarter)
{
  const int half = n / 2;
  const ptrdiff_t variable = (ptrdiff_t)layers * n * n;
  for (int c = 0; c < PATCH_GHOST * half * half; c++) {
    const int a = 2 * (c % half), b = 2 * (c / half % half), m = 2 * (c / (half * half));
    double mean[PATCH_VARIABLES];
    for (int v = 0; v < PATCH_VARIABLES; v++) {
      const double *s = slab + v * variable + (m * n + b) * n + a, *t = s + n * n;
      mean[v] = 0.125 * (s[0] + s[1] + s[n] + s[n + 1] + t[0] + t[1] + t[n] + t[n + 1]);
    }
    double *at = quarter + c;
    const ptrdiff_t next = (ptrdiff_t)PATCH_GHOST * half * half;
    if (believed(at[0], at[4 * next], mean[0], mean[4])) continue;
    for (int v = 0; v < PATCH_VARIABLES; v++) at[v * next] = mean[v];
  }
}

void border_to_coarse(int n, const double *restrict slab, double *restrict work,
                      double *restrict quarter)
{
  const int half = n / 2, layers = n < BORDER_REACH ? n : BORDER_REACH;
  double *other = work + slab_size(n, layers) / 2;
  halve_axis(PATCH_VARIABLES * layers * n, n, half, 1, slab, work);
  halve_axis(PATCH_VARIABLES * layers, n, half, half, work, other);
  halve_axis(PATCH_VARIABLES, layers, PATCH_GHOST, half * half, other, quarter);
  keep_to_mean(n, layers, slab, quarter);
}

void border_from_coarse(int n, const double *restrict coarse, const double *restrict own,
                        double *restrict border)
{
  /* Places in widths of a coarse cell from the face: two own cells, then three coarse ones. */
  static const double place[5] = {-0.75, -0.25, 0.5, 1.5, 2.5};
  const int face = n * n;
  const ptrdiff_t variable = (ptrdiff_t)PATCH_GHOST * face;
  for (int m = 0; m < PATCH_GHOST; m++) {
    double w[5];
    for (int i = 0; i < 5; i++) {
      w[i] = 1.0;
      for (int j = 0; j < 5; j++)
        if (j != i) w[i] *= (0.25 + 0.5 * m - place[j]) / (place[i] - place[j]);
    }
    for (int v = 0; v < PATCH_VARIABLES; v++) {
      const double *mine = own + (ptrdiff_t)v * 2 * face, *theirs = coarse + v * variable;
      double *to = border + v * variable + m * face;
      for (int f = 0; f < face; f++)
        to[f] = w[0] * mine[face + f] + w[1] * mine[f] + w[2] * theirs[f] +
                w[3] * theirs[face + f] + w[4] * theirs[2 * face + f];
    }
    const double *near = coarse + m / 2 * face;
    for (int f = 0; f < face; f++) {
      double *at = border + m * face + f;
      if (believed(at[0], at[4 * variable], near[f], near[f + 4 * variable])) continue;
      for (int v = 0; v < PATCH_VARIABLES; v++) at[v * variable] = near[f + v * variable];
    }
  }
}

void border_from_fine(int n, const double *const quarter[4], double *restrict border)
{
  const int half = n / 2;
  for (int part = 0; part < 4; part++)
    for (int r = 0; r < PATCH_VARIABLES * PATCH_GHOST * half; r++) {
      const double *from = quarter[part] + (ptrdiff_t)r * half;
      const int layer = r / half, b = r % half + part / 2 * half;
      double *to = border + ((ptrdiff_t)layer * n + b) * n + part % 2 * half;
      for (int a = 0; a < half; a++) to[a] = from[a];
    }
}

void border_mirror(int n, int side, const double *restrict own, double *restrict border)
{
  const ptrdiff_t variable = (ptrdiff_t)PATCH_GHOST * n * n;
  for (int v = 0; v < PATCH_VARIABLES; v++) {
    const double sign = v == 1 + side / 2 ? -1.0 : 1.0;
    for (ptrdiff_t i = v * variable; i < (v + 1) * variable; i++) border[i] = sign * own[i];
  }
}

void border_repeat(int n, const double *restrict own, double *restrict border)
{
  const int face = n * n;
  for (int layer = 0; layer < PATCH_VARIABLES * PATCH_GHOST; layer++)
    for (int f = 0; f < face; f++)
      border[layer * face + f] = own[layer / PATCH_GHOST * PATCH_GHOST * face + f];
}

void border_set(int n, const double state[PATCH_VARIABLES], double *restrict border)
{
  const int slab = PATCH_GHOST * n * n;
  for (int v = 0; v < PATCH_VARIABLES; v++)
    for (int f = 0; f < slab; f++) border[v * slab + f] = state[v];
}

void border_farfield(int n, double gamma, int side, const double state[PATCH_VARIABLES],
                     const double *restrict own, double *restrict border)
{
  const int face = n * n, normal = 1 + side / 2;
  const ptrdiff_t variable = (ptrdiff_t)PATCH_GHOST * face;
  const double out = side % 2 ? 1.0 : -1.0, g1 = gamma - 1.0;
  const double c_far = sqrt(gamma * state[4] / state[0]), u_far = out * state[normal];
  for (int f = 0; f < face; f++) {
    const double rho = own[f], p = own[f + 4 * variable], u = out * own[f + normal * variable];
    const double c = sqrt(gamma * p / rho);
    /* Outgoing waves leave with the state within, incoming ones bring the free stream. */
    const double plus = u_far < -c_far ? u_far + 2.0 * c_far / g1 : u + 2.0 * c / g1;
    const double minus = u > c ? u - 2.0 * c / g1 : u_far - 2.0 * c_far / g1;
    const double un = 0.5 * (plus + minus), cn = 0.25 * g1 * (plus - minus);
    const int leaves = un > 0.0;
    const double rho_s = leaves ? rho : state[0], p_s = leaves ? p : state[4];
    const double c2_s = gamma * p_s / rho_s;
    const double r = cn > 0.0 ? rho_s * pow(cn * cn / c2_s, 1.0 / g1) : rho_s;
    double made[PATCH_VARIABLES];
    for (int v = 1; v < 4; v++) made[v] = leaves ? own[f + v * variable] : state[v];
    made[0] = r;
    made[normal] = out * un;
    made[4] = cn > 0.0 ? r * cn * cn / gamma : p_s;
    for (int v = 0; v < PATCH_VARIABLES; v++)
      for (int m = 0; m < PATCH_GHOST; m++) border[v * variable + m * face + f] = made[v];
  }
}

void flux_quarter(int n, const double *restrict flux, double *restrict quarter)
{
  const int half = n / 2;
  for (int r = 0; r < PATCH_VARIABLES * half; r++) {
    const double *lower = flux + (ptrdiff_t)2 * r * n, *upper = lower + n;
    for (int a = 0; a < half; a++)
      quarter[r * half + a] =
          0.25 * ((lower[2 * a] + lower[2 * a + 1]) + (upper[2 * a] + upper[2 * a + 1]));
  }
}

void flux_quarter_none(int n, double *restrict quarter)
{
  for (int i = 0; i < PATCH_VARIABLES * (n / 2) * (n / 2); i++) quarter[i] = NAN;
}

void flux_match(int n, int side, double factor, const double *restrict own,
                const double *const quarter[4], const uint8_t *restrict state, double *restrict out)
{
  const int half = n / 2, d = side / 2, stride[3] = {1, n, n * n};
  const int sa = stride[d == 0 ? 1 : 0], sb = stride[d == 2 ? 1 : 2];
  const int edge = side % 2 ? (n - 1) * stride[d] : 0;
  const double signed_factor = side % 2 ? -factor : factor;
  for (int v = 0; v < PATCH_VARIABLES; v++)
    for (int b = 0; b < n; b++)
      for (int a = 0; a < n; a++) {
        const double *fine = quarter[a / half + 2 * (b / half)];
        const double other = fine[(v * half + b % half) * half + a % half];
        const int cell = edge + b * sb + a * sa;
        if (isnan(other) || (state != NULL && state[cell] != STATE_FIELD)) continue;
        out[(ptrdiff_t)v * n * n * n + cell] += signed_factor * (other - own[(v * n + b) * n + a]);
      }
}
