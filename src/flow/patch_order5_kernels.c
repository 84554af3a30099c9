/*
 * Fluxes of fifth order on point values: the alternative formulation of finite-difference WENO
 * (Jiang, Shu and Zhang 2013).
 *
 * Primitive variables are interpolated to both sides of each face, by the linear scheme of five
 * points where the two sides agree, by WENO-Z (Borges et al. 2008) elsewhere. HLLC makes a flux of
 * them, and a linear combination of nodal fluxes, h^2/24 f'' - 7 h^4/5760 f'''', turns the flux at
 * the face into one whose difference is the derivative. Where that flux alone could empty a cell
 * next to a rough face, it goes without the correction, or if need be the flux of first order takes
 * its place (after Hu, Adams and Shu 2013).
 */
#include "flow/patch_column_impl.h"

/* A state this share of the one it came from is as good as empty. */
static const double nearly_empty = 1e-3;

/* Interpolation of five points to both ends of the middle cell, split into even and odd part. */
static inline void linear_ends(Lanes m2, Lanes m1, Lanes q, Lanes p1, Lanes p2, Lanes *lo,
                               Lanes *hi)
{
  const Lanes even = (90.0 / 128) * q + (20.0 / 128) * (m1 + p1) - (1.0 / 128) * (m2 + p2);
  const Lanes odd = (40.0 / 128) * (p1 - m1) - (4.0 / 128) * (p2 - m2);
  *lo = even - odd;
  *hi = even + odd;
}

static void interpolate_linear(const Column *column, ColumnWork *work)
{
  const ptrdiff_t step = column->step;
  for (int c = 0; c < PATCH_VARIABLES; c++) {
    const double *q = column->q[c] - 3 * step;
    Lanes m2 = lanes_load(q), m1 = lanes_load(q + step), q0 = lanes_load(q + 2 * step);
    Lanes p1 = lanes_load(q + 3 * step);
    q += 4 * step;
    for (int i = 0; i < column->n + 2; i++, q += step) {
      const Lanes p2 = lanes_load(q);
      linear_ends(m2, m1, q0, p1, p2, &work->upper[i][c], &work->lower[i + 1][c]);
      m2 = m1;
      m1 = q0;
      q0 = p1;
      p1 = p2;
    }
  }
}

/*
 * Where do the two sides of a face differ by more than a resolved flow would let them? A step of
 * unit height shows up as 0.023 to 0.14 in all six faces that see it.
 */
static LaneMask find_rough(const Column *column, ColumnWork *work)
{
  const double *c = column->q[5];
  LaneMask any = {0};
  for (int f = 1; f < column->n + 2; f++) {
    const Lanes *l = work->lower[f], *r = work->upper[f];
    const ptrdiff_t at = (f - 1) * column->step;
    const Lanes slow =
        column->scheme.smooth * lanes_min(lanes_load(c + at), lanes_load(c + at - column->step));
    const Lanes du = lanes_max(lanes_max(lanes_abs(r[1] - l[1]), lanes_abs(r[2] - l[2])),
                               lanes_abs(r[3] - l[3]));
    const Lanes rho = column->scheme.smooth * lanes_min(l[0], r[0]);
    const Lanes p = column->scheme.smooth * lanes_min(l[4], r[4]);
    /* Written so that what is not a number counts as rough. */
    const LaneMask quiet =
        (lanes_abs(r[0] - l[0]) <= rho) & (lanes_abs(r[4] - l[4]) <= p) & (du <= slow);
    work->rough[f] = ~quiet;
    any |= ~quiet;
  }
  return any;
}

/* One bit per lane of each face: put away, or taken up again. */
static void keep_rough(const Column *column, const ColumnWork *work)
{
  for (int f = 1; f < column->n + 2; f++) {
    int bits = 0;
    for (int l = 0; l < LANES; l++) bits |= (work->rough[f][l] != 0) << l;
    column->scheme.rough[f - 1] = (uint8_t)bits;
  }
}

static LaneMask take_rough(const Column *column, ColumnWork *work)
{
  LaneMask any = {0};
  for (int f = 1; f < column->n + 2; f++) {
    for (int l = 0; l < LANES; l++)
      work->rough[f][l] = column->scheme.rough[f - 1] >> l & 1 ? -1 : 0;
    any |= work->rough[f];
  }
  return any;
}

/* WENO-Z of five points to both ends of the middle cell; one division serves both. */
static inline void weno_ends(Lanes m2, Lanes m1, Lanes q, Lanes p1, Lanes p2, Lanes *lo, Lanes *hi)
{
  const double tiny = 1e-20;
  const Lanes d0 = m2 - 2.0 * m1 + q, d1 = m1 - 2.0 * q + p1, d2 = q - 2.0 * p1 + p2;
  const Lanes s0 = m2 - 4.0 * m1 + 3.0 * q, s1 = p1 - m1, s2 = 3.0 * q - 4.0 * p1 + p2;
  const Lanes b0 = (13.0 / 12) * d0 * d0 + 0.25 * s0 * s0 + tiny;
  const Lanes b1 = (13.0 / 12) * d1 * d1 + 0.25 * s1 * s1 + tiny;
  const Lanes b2 = (13.0 / 12) * d2 * d2 + 0.25 * s2 * s2 + tiny;

  /* Weights gamma (1 + (tau / b)^2), all multiplied by (b0 b1 b2)^2. */
  const Lanes tau = b2 - b0, t = tau * tau;
  const Lanes c0 = b0 * b0, c1 = b1 * b1, c2 = b2 * b2;
  const Lanes a0 = (c0 + t) * c1 * c2, a1 = 10.0 * (c1 + t) * c0 * c2, a2 = (c2 + t) * c0 * c1;
  const Lanes sum_hi = a0 + a1 + 5.0 * a2, sum_lo = 5.0 * a0 + a1 + a2;
  const Lanes over = 0.125 / (sum_hi * sum_lo);

  const Lanes hi0 = 3.0 * m2 - 10.0 * m1 + 15.0 * q, lo0 = 6.0 * m1 + 3.0 * q - m2;
  const Lanes hi1 = 6.0 * q + 3.0 * p1 - m1, lo1 = 6.0 * q + 3.0 * m1 - p1;
  const Lanes hi2 = 6.0 * p1 + 3.0 * q - p2, lo2 = 3.0 * p2 - 10.0 * p1 + 15.0 * q;
  *hi = (a0 * hi0 + a1 * hi1 + 5.0 * a2 * hi2) * over * sum_lo;
  *lo = (5.0 * a0 * lo0 + a1 * lo1 + a2 * lo2) * over * sum_hi;
}

/* Replace the linear values at rough faces. */
static void interpolate_weno(const Column *column, ColumnWork *work)
{
  const ptrdiff_t step = column->step;
  work->rough[0] = work->rough[column->n + 2] = (LaneMask){0};
  for (int i = 0; i < column->n + 2; i++) {
    if (!lanes_any(work->rough[i] | work->rough[i + 1])) continue;
    for (int c = 0; c < PATCH_VARIABLES; c++) {
      const double *q = column->q[c] + (i - 1) * step;
      Lanes lo, hi;
      weno_ends(lanes_load(q - 2 * step), lanes_load(q - step), lanes_load(q), lanes_load(q + step),
                lanes_load(q + 2 * step), &lo, &hi);
      work->upper[i][c] = lanes_select(work->rough[i], lo, work->upper[i][c]);
      work->lower[i + 1][c] = lanes_select(work->rough[i + 1], hi, work->lower[i + 1][c]);
    }
  }
}

static void nodal_fluxes(const Column *column, ColumnWork *work)
{
  const double energy_factor = column->scheme.gamma / (column->scheme.gamma - 1.0);
  for (int i = 0; i < column->n + 2 * PATCH_GHOST; i++) {
    const ptrdiff_t at = (i - PATCH_GHOST) * column->step;
    const Lanes rho = lanes_load(column->q[0] + at), u = lanes_load(column->q[1] + at);
    const Lanes v = lanes_load(column->q[2] + at), w = lanes_load(column->q[3] + at);
    const Lanes p = lanes_load(column->q[4] + at), mass = rho * u;
    work->nodal[i][0] = mass;
    work->nodal[i][1] = mass * u + p;
    work->nodal[i][2] = mass * v;
    work->nodal[i][3] = mass * w;
    work->nodal[i][4] = energy_factor * p * u + 0.5 * mass * (u * u + v * v + w * w);
  }
}

static inline void load_cell(const Column *column, int i, Lanes q[PATCH_VARIABLES])
{
  for (int c = 0; c < PATCH_VARIABLES; c++) q[c] = lanes_load(column->q[c] + i * column->step);
}

/* Would the cell's share of the next state, q taken s (flux - nodal) further, be nearly empty? */
static inline LaneMask would_empty(const Lanes q[PATCH_VARIABLES], const Lanes nodal[],
                                   const Lanes flux[], double s, double gamma)
{
  Lanes next[PATCH_VARIABLES];
  const double factor = 1.0 / (gamma - 1.0);
  const Lanes rho = q[0], squares = q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
  next[0] = rho + s * (flux[0] - nodal[0]);
  for (int c = 1; c < 4; c++) next[c] = rho * q[c] + s * (flux[c] - nodal[c]);
  next[4] = factor * q[4] + 0.5 * rho * squares + s * (flux[4] - nodal[4]);
  const Lanes kinetic = 0.5 * (next[1] * next[1] + next[2] * next[2] + next[3] * next[3]);
  const LaneMask full = (next[0] > nearly_empty * rho) &
                        ((next[4] - nearly_empty * factor * q[4]) * next[0] > kinetic);
  return ~full;
}

/* In which lanes would a flux through face f empty one of its two cells? */
static inline LaneMask empties(const Column *column, const ColumnWork *work, int f,
                               const Lanes l[PATCH_VARIABLES], const Lanes r[PATCH_VARIABLES],
                               const Lanes flux[PATCH_VARIABLES])
{
  const double s = 6.0 * column->scheme.time_ratio, gamma = column->scheme.gamma;
  return would_empty(l, work->nodal[f + 2], flux, -s, gamma) |
         would_empty(r, work->nodal[f + 3], flux, s, gamma);
}

/*
 * Where the flux of high order would empty a neighbour, leave its correction out; where that is
 * not enough, take the flux of first order. Returns in how many lanes.
 */
static int keep_positive(const Column *column, ColumnWork *work, int f, Lanes sound,
                         const Lanes uncorrected[PATCH_VARIABLES])
{
  Lanes l[PATCH_VARIABLES], r[PATCH_VARIABLES], first[PATCH_VARIABLES];
  Lanes *flux = work->flux[f];
  load_cell(column, f - 1, l);
  load_cell(column, f, r);
  LaneMask bad = work->rough[f + 1] & empties(column, work, f, l, r, flux);
  if (!lanes_any(bad)) return 0;
  for (int c = 0; c < PATCH_VARIABLES; c++) flux[c] = lanes_select(bad, uncorrected[c], flux[c]);
  bad &= empties(column, work, f, l, r, flux);
  if (!lanes_any(bad)) return 0;
  hllc_flux(l, r, sound, 1.0 / (column->scheme.gamma - 1.0), first);
  for (int c = 0; c < PATCH_VARIABLES; c++) flux[c] = lanes_select(bad, first[c], flux[c]);
  return lanes_count(bad);
}

void column_flux5(const Column *column, ColumnWork *work, PatchCounts *counts)
{
  const double energy_factor = 1.0 / (column->scheme.gamma - 1.0);
  interpolate_linear(column, work);
  const PatchHold hold = column->scheme.hold;
  const int rough =
      lanes_any(hold == PATCH_HELD ? take_rough(column, work) : find_rough(column, work));
  if (hold == PATCH_KEEP) keep_rough(column, work);
  if (rough) interpolate_weno(column, work);
  nodal_fluxes(column, work);

  for (int f = 0; f <= column->n; f++) {
    const double *c = column->q[5] + f * column->step;
    const Lanes sound = lanes_max(lanes_load(c), lanes_load(c - column->step));
    Lanes *flux = work->flux[f], uncorrected[PATCH_VARIABLES];
    hllc_flux(work->lower[f + 1], work->upper[f + 1], sound, energy_factor, uncorrected);
    const Lanes(*g)[PATCH_VARIABLES] = &work->nodal[f];
    for (int v = 0; v < PATCH_VARIABLES; v++)
      flux[v] = uncorrected[v] + (354.0 / 11520) * (g[2][v] + g[3][v]) -
                (411.0 / 11520) * (g[1][v] + g[4][v]) + (57.0 / 11520) * (g[0][v] + g[5][v]);
    if (!rough) continue;
    counts->rough += lanes_count(work->rough[f + 1]);
    if (column->scheme.time_ratio > 0.0)
      counts->fallback += keep_positive(column, work, f, sound, uncorrected);
  }
}
