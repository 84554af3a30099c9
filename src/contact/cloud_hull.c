/*
 * Which three or four points stand for a convex hull in the plane?
 *
 * The mean of the points must be the centroid of the hull, or a flat body would tip; the points
 * must lie in the hull, or it would stand on air. The widest quadrilateral and the widest triangle
 * of hull points are moved until their mean is the centroid and shrunk about it until they are
 * inside again; the larger one is taken. A rectangle, any triangle, and the widest rectangle of
 * a regular polygon with an even number of sides keep their places.
 *
 * Hull: A. M. Andrew, Information Processing Letters 9 (1979).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/cloud_impl.h"

/* Hull points nearer than this share of the size are one: an edge between them has no direction. */
static const double same_point = 1e-9;

/* Areas that differ by less are equal, so that rounding does not choose among equals. */
static const double same_area = 1e-9;

/* A mean this near to the centroid is there. */
static const double same_center = 1e-13;

/* Twice the area of the triangle, positive when a, b, c run counter-clockwise. */
static double doubled_area(FlatPoint a, FlatPoint b, FlatPoint c)
{
  return (b.u - a.u) * (c.v - a.v) - (b.v - a.v) * (c.u - a.u);
}

static bool flat_before(const void *context, int ia, int ib)
{
  const FlatPoint *a = (const FlatPoint *)context + ia, *b = (const FlatPoint *)context + ib;
  if (a->u != b->u) return a->u < b->u;
  return a->v != b->v ? a->v < b->v : a->hit < b->hit;
}

/* Drop hull points that lie on the one before them. */
static int merge_points(int n, double distance, FlatPoint hull[])
{
  int kept = 0;
  for (int i = 0; i < n; i++) {
    const FlatPoint before = hull[kept > 0 ? kept - 1 : 0];
    if (kept == 0 || hypot(hull[i].u - before.u, hull[i].v - before.v) > distance)
      hull[kept++] = hull[i];
  }
  while (kept > 1 && hypot(hull[kept - 1].u - hull[0].u, hull[kept - 1].v - hull[0].v) <= distance)
    kept--;
  return kept;
}

/* Andrew's chains: the lower one from left to right, then the upper one back. */
int cloud_hull(int n, const FlatPoint point[], double size, int order[], FlatPoint hull[])
{
  for (int i = 0; i < n; i++) order[i] = i;
  cloud_sort(n, order, flat_before, point);

  int h = 0, base = 2;
  for (int step = 0; step < 2 * n - 1; step++) {
    if (step == n) base = h + 1;
    const FlatPoint p = point[order[step < n ? step : 2 * n - 2 - step]];
    while (h >= base && doubled_area(hull[h - 2], hull[h - 1], p) <= 0.0) h--;
    hull[h++] = p;
  }
  return merge_points(h, same_point * size, hull);
}

typedef struct {
  double u, v, area;
} Centroid;

static Centroid centroid_of(int n, const FlatPoint hull[])
{
  Centroid c = {0.0, 0.0, 0.0};
  for (int i = 1; i + 1 < n; i++) {
    const double area = 0.5 * doubled_area(hull[0], hull[i], hull[i + 1]);
    c.u += area * ((hull[i].u - hull[0].u) + (hull[i + 1].u - hull[0].u)) / 3.0;
    c.v += area * ((hull[i].v - hull[0].v) + (hull[i + 1].v - hull[0].v)) / 3.0;
    c.area += area;
  }
  return (Centroid){hull[0].u + c.u / c.area, hull[0].v + c.v / c.area, c.area};
}

static FlatPoint mean_corner(const FlatPick *pick)
{
  FlatPoint m = {0.0, 0.0, -1};
  for (int k = 0; k < pick->n; k++) {
    m.u += pick->corner[k].u / pick->n;
    m.v += pick->corner[k].v / pick->n;
  }
  return m;
}

/* The area of a choice, less when its mean is far from the centroid and it will have to shrink. */
static double score_of(const FlatPick *pick, double area, Centroid c)
{
  const FlatPoint m = mean_corner(pick);
  const double shrink = 1.0 + hypot(m.u - c.u, m.v - c.v) / sqrt(c.area);
  return area / (shrink * shrink);
}

/* From hull point `from`, go on while the triangle with a and b grows, but not to `end`. */
static int advance(int n, const FlatPoint hull[], FlatPoint a, FlatPoint b, int from, int end)
{
  double area = fabs(doubled_area(a, b, hull[from % n]));
  while (from + 1 < end) {
    const double next = fabs(doubled_area(a, b, hull[(from + 1) % n]));
    if (next <= area * (1.0 + same_area)) break;
    area = next;
    from++;
  }
  return from;
}

static void keep_better(const FlatPick *trial, double area, Centroid c, double *score,
                        FlatPick *best)
{
  const double s = score_of(trial, area, c);
  if (s <= *score * (1.0 + same_area)) return;
  *score = s;
  *best = *trial;
}

/* For each diagonal (i, j) the farthest hull points p and q of either side, which turn with j. */
static FlatPick widest_four(int n, const FlatPoint hull[], Centroid c)
{
  FlatPick best = {0};
  double score = 0.0;
  for (int i = 0; i + 2 < n; i++)
    for (int j = i + 2, p = i + 1, q = i + 3; j < n && j + 1 < n + i; j++) {
      if (q <= j) q = j + 1;
      p = advance(n, hull, hull[i], hull[j], p, j);
      q = advance(n, hull, hull[i], hull[j], q, n + i);
      const FlatPick trial = {.n = 4, .corner = {hull[i], hull[p], hull[j], hull[q % n]}};
      const double area = 0.5 * (doubled_area(hull[i], hull[p], hull[j]) +
                                 doubled_area(hull[i], hull[j], hull[q % n]));
      keep_better(&trial, area, c, &score, &best);
    }
  return best;
}

static FlatPick widest_three(int n, const FlatPoint hull[], Centroid c)
{
  FlatPick best = {0};
  double score = 0.0;
  for (int i = 0; i + 2 < n; i++)
    for (int j = i + 1, k = i + 2; j + 1 < n; j++) {
      if (k <= j) k = j + 1;
      k = advance(n, hull, hull[i], hull[j], k, n);
      const FlatPick trial = {.n = 3, .corner = {hull[i], hull[j], hull[k]}};
      keep_better(&trial, 0.5 * doubled_area(hull[i], hull[j], hull[k]), c, &score, &best);
    }
  return best;
}

/* How much the corners must shrink towards the centroid to stay within every edge of the hull. */
static double shrink_of(const FlatPick *pick, int n, const FlatPoint hull[], Centroid c)
{
  const FlatPoint m = mean_corner(pick), center = {c.u, c.v, -1};
  double shrink = 1.0;
  for (int i = 0; i < n; i++) {
    const FlatPoint a = hull[i], b = hull[(i + 1) % n];
    const double room = doubled_area(a, b, center);
    for (int k = 0; k < pick->n; k++) {
      const double out =
          (pick->corner[k].u - m.u) * (b.v - a.v) - (pick->corner[k].v - m.v) * (b.u - a.u);
      if (out * shrink > room) shrink = room / out;
    }
  }
  return shrink;
}

/* Move the corners so that their mean is the centroid; returns the area they then span. */
static double settle(FlatPick *pick, int n, const FlatPoint hull[], Centroid c, double size)
{
  const FlatPoint m = mean_corner(pick);
  const bool there = hypot(m.u - c.u, m.v - c.v) <= same_center * size;
  const double shrink = there ? 1.0 : shrink_of(pick, n, hull, c);
  for (int k = 0; k < pick->n; k++) {
    const FlatPoint *p = &pick->corner[k];
    pick->u[k] = there ? p->u : c.u + shrink * (p->u - m.u);
    pick->v[k] = there ? p->v : c.v + shrink * (p->v - m.v);
  }
  return shrink * shrink * centroid_of(pick->n, pick->corner).area;
}

FlatPick cloud_pick(int n, const FlatPoint hull[], double size)
{
  const Centroid c = centroid_of(n, hull);
  FlatPick three = widest_three(n, hull, c);
  const double area_three = settle(&three, n, hull, c, size);
  if (n == 3) return three;
  FlatPick four = widest_four(n, hull, c);
  const double area_four = settle(&four, n, hull, c, size);
  return area_three > area_four * (1.0 + same_area) ? three : four;
}
