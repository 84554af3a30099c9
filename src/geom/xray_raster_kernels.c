#include "geom/xray_raster_kernels.h"

typedef struct {
  int u0, u1, v0, v1; /* inclusive; empty when u0 > u1 or v0 > v1 */
} Range;

static double min3(const double x[3])
{
  const double m = x[0] < x[1] ? x[0] : x[1];
  return m < x[2] ? m : x[2];
}

static double max3(const double x[3])
{
  const double m = x[0] > x[1] ? x[0] : x[1];
  return m > x[2] ? m : x[2];
}

/* Columns touched by the bounding rectangle, one grid step wider for the snapping. */
static Range column_range(const RasterLattice *l, const FlatTriangle *t)
{
  const double scale = 1.0 / l->spacing, widen = ldexp(2.0, -l->bits);
  const double u0 = (min3(t->u) - l->origin_u) * scale + 0.5 - widen;
  const double u1 = (max3(t->u) - l->origin_u) * scale + 0.5 + widen;
  const double v0 = (min3(t->v) - l->origin_v) * scale + 0.5 - widen;
  const double v1 = (max3(t->v) - l->origin_v) * scale + 0.5 + widen;
  Range r = {(int)floor(u0), (int)floor(u1), (int)floor(v0), (int)floor(v1)};
  r.u0 = r.u0 < 0 ? 0 : r.u0;
  r.v0 = r.v0 < 0 ? 0 : r.v0;
  r.u1 = r.u1 >= l->n_u ? l->n_u - 1 : r.u1;
  r.v1 = r.v1 >= l->n_v ? l->n_v - 1 : r.v1;
  return r;
}

int64_t raster_bound(const RasterLattice *l, const FlatTriangle *t)
{
  const Range r = column_range(l, t);
  return r.u0 > r.u1 || r.v0 > r.v1 ? 0 : (int64_t)(r.u1 - r.u0 + 1) * (r.v1 - r.v0 + 1);
}

/* An edge function along a row of rays: value at the first ray, change per ray and per row. */
typedef struct {
  int64_t value, per_u, per_v;
} EdgeWalk;

/* Edge from a to b; the value is positive on its left, and zero counts as left if the edge runs up
 * (or level towards +u), which the opposite direction never does. */
static EdgeWalk edge_walk(int64_t ua, int64_t va, int64_t ub, int64_t vb, const Range *r, int bits)
{
  const int64_t du = ub - ua, dv = vb - va;
  const int64_t u0 = (int64_t)r->u0 << bits, v0 = (int64_t)r->v0 << bits;
  const int64_t owns_ties = dv > 0 || (dv == 0 && du > 0);
  return (EdgeWalk){du * (v0 - va) - dv * (u0 - ua) - (owns_ties ? 0 : 1),
                    -dv * ((int64_t)1 << bits), du * ((int64_t)1 << bits)};
}

int raster_rays(const RasterLattice *l, const FlatTriangle *t, int id, RayHit hit[])
{
  const double scale = ldexp(1.0, l->bits) / l->spacing;
  int64_t u[3], v[3];
  for (int k = 0; k < 3; k++) {
    u[k] = llrint((t->u[k] - l->origin_u) * scale);
    v[k] = llrint((t->v[k] - l->origin_v) * scale);
  }
  const int64_t area = (u[1] - u[0]) * (v[2] - v[0]) - (v[1] - v[0]) * (u[2] - u[0]);
  if (area == 0) return 0;
  const Range r = column_range(l, t);
  /* Run through the corners so that the inside is on the left. */
  const int b = area > 0 ? 1 : 2, c = 3 - b;
  EdgeWalk ab = edge_walk(u[0], v[0], u[b], v[b], &r, l->bits);
  EdgeWalk bc = edge_walk(u[b], v[b], u[c], v[c], &r, l->bits);
  EdgeWalk ca = edge_walk(u[c], v[c], u[0], v[0], &r, l->bits);
  const double to_w = 1.0 / (double)(area > 0 ? area : -area);
  const double slope_b = (t->w[b] - t->w[0]) * to_w, slope_c = (t->w[c] - t->w[0]) * to_w;
  const double lo = min3(t->w), hi = max3(t->w);
  int n = 0;
  for (int j = r.v0; j <= r.v1; j++) {
    int64_t eab = ab.value, ebc = bc.value, eca = ca.value;
    for (int i = r.u0; i <= r.u1; i++) {
      if ((eab | ebc | eca) >= 0) {
        const double w = t->w[0] + slope_b * (double)eca + slope_c * (double)eab;
        hit[n++] = (RayHit){w < lo ? lo : w > hi ? hi : w, i + l->n_u * j, 2 * id + (area > 0)};
      }
      eab += ab.per_u, ebc += bc.per_u, eca += ca.per_u;
    }
    ab.value += ab.per_v, bc.value += bc.per_v, ca.value += ca.per_v;
  }
  return n;
}

/* The part of the triangle between v0 and v1: its range in u. Empty: lo > hi. */
static void strip_range(const FlatTriangle *t, double v0, double v1, double *lo, double *hi)
{
  *lo = INFINITY, *hi = -INFINITY;
  for (int k = 0; k < 3; k++) {
    const int next = k == 2 ? 0 : k + 1;
    double ua = t->u[k], va = t->v[k], ub = t->u[next], vb = t->v[next];
    if (va > vb) {
      const double u = ua, v = va;
      ua = ub, va = vb, ub = u, vb = v;
    }
    if (vb < v0 || va > v1) continue;
    const double slope = vb > va ? (ub - ua) / (vb - va) : 0.0;
    const double us = va < v0 ? ua + slope * (v0 - va) : ua;
    const double ue = vb > v1 ? ua + slope * (v1 - va) : ub;
    *lo = us < *lo ? us : *lo;
    *lo = ue < *lo ? ue : *lo;
    *hi = us > *hi ? us : *hi;
    *hi = ue > *hi ? ue : *hi;
  }
}

/* Elevation of the triangle's plane, w = w0 + gu (u - u0) + gv (v - v0), and its steepness over a
 * column; a vertical triangle has gu = gv = 0 and counts with its full height. */
typedef struct {
  double gu, gv, half, lo, hi;
} PlaneOver;

static PlaneOver plane_over(const RasterLattice *l, const FlatTriangle *t)
{
  const double u1 = t->u[1] - t->u[0], v1 = t->v[1] - t->v[0], w1 = t->w[1] - t->w[0];
  const double u2 = t->u[2] - t->u[0], v2 = t->v[2] - t->v[0], w2 = t->w[2] - t->w[0];
  const double nu = v1 * w2 - w1 * v2, nv = w1 * u2 - u1 * w2, nw = u1 * v2 - v1 * u2;
  const double lo = min3(t->w) - l->middle_w - l->margin_w;
  const double hi = max3(t->w) - l->middle_w + l->margin_w;
  if (nw * nw <= 1e-12 * (nu * nu + nv * nv)) return (PlaneOver){0.0, 0.0, INFINITY, lo, hi};
  const double gu = -nu / nw, gv = -nv / nw;
  /* The last part outweighs the rounding of steep planes. */
  const double half = (fabs(gu) + fabs(gv)) * l->spacing * (0.5 + ldexp(4.0, -l->bits) + 1e-6);
  return (PlaneOver){gu, gv, half + l->margin_w, lo, hi};
}

static float below(double x)
{
  return nextafterf((float)x, -INFINITY);
}

static float above(double x)
{
  return nextafterf((float)x, INFINITY);
}

int raster_columns(const RasterLattice *l, const FlatTriangle *t, int id, ColumnEntry entry[])
{
  const Range r = column_range(l, t);
  const PlaneOver plane = plane_over(l, t);
  const double scale = 1.0 / l->spacing, widen = ldexp(2.0, -l->bits);
  const double w0 = t->w[0] - l->middle_w;
  int n = 0;
  for (int j = r.v0; j <= r.v1; j++) {
    const double v = l->origin_v + j * l->spacing, half = l->spacing * (0.5 + widen);
    double lo, hi;
    strip_range(t, v - half, v + half, &lo, &hi);
    if (lo > hi) continue;
    int i0 = (int)floor((lo - l->origin_u) * scale + 0.5 - widen);
    int i1 = (int)floor((hi - l->origin_u) * scale + 0.5 + widen);
    i0 = i0 < r.u0 ? r.u0 : i0;
    i1 = i1 > r.u1 ? r.u1 : i1;
    const double row = w0 + plane.gv * (v - t->v[0]);
    for (int i = i0; i <= i1; i++) {
      const double w = row + plane.gu * (l->origin_u + i * l->spacing - t->u[0]);
      double bottom = w - plane.half > plane.lo ? w - plane.half : plane.lo;
      double top = w + plane.half < plane.hi ? w + plane.half : plane.hi;
      if (bottom > top) bottom = plane.lo, top = plane.hi;
      entry[n++] = (ColumnEntry){i + l->n_u * j, id, below(bottom), above(top)};
    }
  }
  return n;
}
