/*
 * Holes are joined to the loop around them by a bridge there and back, from their leftmost point to
 * one it can see; then ears are cut off, the best shaped first.
 *
 * D. Eberly, Triangulation by ear clipping, 2002; G. H. Meisters, Polygons have ears, 1975.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "geom/polygon.h"

#include <math.h>
#include <stdlib.h>

/* A corner of a ring; a bridge gives a point two corners. */
typedef struct {
  int point, next, previous;
  bool outer; /* on a ring that is not a hole, or no longer */
  double ear; /* how well shaped the triangle with both neighbours is; negative: no ear */
} Corner;

typedef struct {
  const double *x, *y;
  Corner *corner;
  int n;
} Rings;

/* Twice the area of the triangle of three points. */
static double area2(const Rings *r, int a, int b, int c)
{
  return (r->x[b] - r->x[a]) * (r->y[c] - r->y[a]) - (r->y[b] - r->y[a]) * (r->x[c] - r->x[a]);
}

static double loop_area2(const Rings *r, int first, int end)
{
  double sum = 0.0;
  for (int k = first + 1; k + 1 < end; k++) sum += area2(r, first, k, k + 1);
  return sum;
}

static int leftmost(const Rings *r, int first)
{
  int best = first;
  for (int c = r->corner[first].next; c != first; c = r->corner[c].next) {
    const int p = r->corner[c].point, q = r->corner[best].point;
    if (r->x[p] < r->x[q] || (r->x[p] == r->x[q] && r->y[p] < r->y[q])) best = c;
  }
  return best;
}

/* Is the point p in the triangle abc or on its rim? */
static bool in_triangle(const Rings *r, int a, int b, int c, int p)
{
  return area2(r, a, b, p) >= 0.0 && area2(r, b, c, p) >= 0.0 && area2(r, c, a, p) >= 0.0;
}

static bool same_place(const Rings *r, int p, int q)
{
  return r->x[p] == r->x[q] && r->y[p] == r->y[q];
}

/*
 * The corner at which the side lies that a ray from the hole's point h to the left meets first, or
 * -1; sides that run down have the inside on their right. *at is where on the ray.
 */
static int side_to_the_left(const Rings *r, int h, double *at)
{
  int best = -1;
  *at = -INFINITY;
  for (int c = 0; c < r->n; c++) {
    const Corner *k = &r->corner[c];
    if (!k->outer) continue;
    const int p = k->point, q = r->corner[k->next].point;
    if (!(r->y[p] >= r->y[h] && r->y[q] <= r->y[h] && r->y[p] > r->y[q])) continue;
    const double t = (r->y[p] - r->y[h]) / (r->y[p] - r->y[q]);
    const double x = r->x[p] + t * (r->x[q] - r->x[p]);
    if (x <= r->x[h] && x > *at) *at = x, best = c;
  }
  return best;
}

/* Does the way from corner c to the point h start inside the ring? A point may have two corners. */
static bool looks_inside(const Rings *r, int c, int h)
{
  const Corner *k = &r->corner[c];
  const int before = r->corner[k->previous].point, at = k->point, after = r->corner[k->next].point;
  const bool left_after = area2(r, at, after, h) >= 0.0,
             left_before = area2(r, before, at, h) >= 0.0;
  return area2(r, before, at, after) > 0.0 ? left_after && left_before : left_after || left_before;
}

/* Is p in the triangle of h, the place on the level of h at x = at, and m? */
static bool may_hide(const Rings *r, int h, double at, int m, int p)
{
  const double up = r->y[m] - r->y[h], dy = r->y[p] - r->y[h];
  if (dy * up < 0.0 || fabs(dy) > fabs(up)) return false;
  return fabs(up) * (r->x[p] - at) >= fabs(dy) * (r->x[m] - at) &&
         fabs(up) * (r->x[p] - r->x[h]) <= fabs(dy) * (r->x[m] - r->x[h]);
}

/* A corner that the point h of a hole can see, or -1. */
static int visible_corner(const Rings *r, int h)
{
  double at, least = INFINITY;
  const int side = side_to_the_left(r, h, &at);
  if (side < 0) return -1;
  const int other = r->corner[side].next;
  int best = r->x[r->corner[side].point] < r->x[r->corner[other].point] ? side : other;
  /* Of the corners that may hide it from h, the one of least slope is seen. */
  const int m = r->corner[best].point;
  for (int c = 0; c < r->n; c++) {
    const int p = r->corner[c].point;
    if (!r->corner[c].outer || !may_hide(r, h, at, m, p) || !looks_inside(r, c, h)) continue;
    const double dx = r->x[h] - r->x[p], slope = dx > 0.0 ? fabs(r->y[p] - r->y[h]) / dx : INFINITY;
    const bool nearer = slope == least && r->x[p] > r->x[r->corner[best].point];
    if (slope < least || nearer) least = slope, best = c;
  }
  return best;
}

/* Join the ring of corner h to that of corner v: ... v h ... h' v' ... */
static void add_bridge(Rings *r, int v, int h)
{
  Corner *c = r->corner;
  const int v2 = r->n++, h2 = r->n++;
  c[v2] = (Corner){.point = c[v].point, .next = c[v].next, .previous = h2, .outer = true};
  c[h2] = (Corner){.point = c[h].point, .next = v2, .previous = c[h].previous, .outer = true};
  c[c[v].next].previous = v2;
  c[c[h].previous].next = h2;
  c[v].next = h;
  c[h].previous = v;
  for (int k = h; k != h2; k = c[k].next) c[k].outer = true;
}

typedef struct {
  double x;
  int corner;
} Hole;

static int compare_holes(const void *a, const void *b)
{
  const Hole *p = a, *q = b;
  if (p->x != q->x) return p->x < q->x ? -1 : 1;
  return (p->corner > q->corner) - (p->corner < q->corner);
}

/* Rings of all loops, the holes joined; ring[] gets a corner of each ring that is left. */
static PetscErrorCode RingsBuild(Rings *r, int n_loops, const int start[], int ring[], int *n_rings)
{
  PetscFunctionBeginUser;
  Hole *hole = NULL;
  int n_holes = 0;
  PetscCall(PetscMalloc1(n_loops, &hole));
  *n_rings = 0;
  r->n = start[n_loops];
  for (int l = 0; l < n_loops; l++) {
    const int first = start[l], end = start[l + 1];
    const bool outer = loop_area2(r, first, end) >= 0.0;
    for (int k = first; k < end; k++)
      r->corner[k] =
          (Corner){k, k + 1 < end ? k + 1 : first, k > first ? k - 1 : end - 1, outer, -1.0};
    if (outer) {
      ring[(*n_rings)++] = first;
    } else {
      const int left = leftmost(r, first);
      hole[n_holes++] = (Hole){r->x[r->corner[left].point], left};
    }
  }
  qsort(hole, (size_t)n_holes, sizeof *hole, compare_holes);
  for (int k = 0; k < n_holes; k++) {
    const int v = visible_corner(r, r->corner[hole[k].corner].point);
    if (v >= 0)
      add_bridge(r, v, hole[k].corner);
    else
      ring[(*n_rings)++] = hole[k].corner;
  }
  PetscCall(PetscFree(hole));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* How well shaped an ear at corner c would be, 0 to 1; negative when it is none. */
static double ear_quality(const Rings *r, int c)
{
  const Corner *k = &r->corner[c];
  const int before = r->corner[k->previous].point, at = k->point, after = r->corner[k->next].point;
  const double area = area2(r, before, at, after);
  if (!(area > 0.0)) return -1.0;
  for (int o = r->corner[k->next].next; o != k->previous; o = r->corner[o].next) {
    const int p = r->corner[o].point;
    if (same_place(r, p, before) || same_place(r, p, at) || same_place(r, p, after)) continue;
    if (in_triangle(r, before, at, after, p)) return -1.0;
  }
  const double e = hypot(r->x[at] - r->x[before], r->y[at] - r->y[before]);
  const double f = hypot(r->x[after] - r->x[at], r->y[after] - r->y[at]);
  const double g = hypot(r->x[before] - r->x[after], r->y[before] - r->y[after]);
  return 2.0 / sqrt(3.0) * area * 3.0 / (e * e + f * f + g * g);
}

/* The corner with the best ear, or -1. */
static int best_ear(const Rings *r, int ring)
{
  int best = ring;
  double most = -1.0;
  int c = ring;
  do {
    if (r->corner[c].ear > most) most = r->corner[c].ear, best = c;
    c = r->corner[c].next;
  } while (c != ring);
  return most > 0.0 ? best : -1;
}

/* When rounding has left no ear: the corner whose triangle is smallest. */
static int any_corner(const Rings *r, int ring)
{
  int best = ring, c = ring;
  double least = INFINITY;
  do {
    const Corner *k = &r->corner[c];
    const double area =
        fabs(area2(r, r->corner[k->previous].point, k->point, r->corner[k->next].point));
    if (area < least) least = area, best = c;
    c = k->next;
  } while (c != ring);
  return best;
}

static void measure_ring(Rings *r, int ring)
{
  int c = ring;
  do {
    r->corner[c].ear = ear_quality(r, c);
    c = r->corner[c].next;
  } while (c != ring);
}

/* Cut a ring into triangles. */
static int clip_ears(Rings *r, int ring, int triangle[][3])
{
  int n = 0;
  measure_ring(r, ring);
  for (;;) {
    const Corner *first = &r->corner[ring];
    if (first->next == first->previous || first->next == ring) return n;
    int c = best_ear(r, ring);
    if (c < 0) {
      /* Corners that were in the way may be gone. */
      measure_ring(r, ring);
      c = best_ear(r, ring);
    }
    if (c < 0) c = any_corner(r, ring);
    const int before = r->corner[c].previous, after = r->corner[c].next;
    triangle[n][0] = r->corner[before].point;
    triangle[n][1] = r->corner[c].point;
    triangle[n++][2] = r->corner[after].point;
    r->corner[before].next = after;
    r->corner[after].previous = before;
    ring = after;
    if (r->corner[before].previous == after) continue;
    r->corner[before].ear = ear_quality(r, before);
    r->corner[after].ear = ear_quality(r, after);
  }
}

PetscErrorCode PolygonTriangulate(int n_loops, const int start[], const double x[],
                                  const double y[], int triangle[][3], int *n_triangles)
{
  PetscFunctionBeginUser;
  Rings rings = {.x = x, .y = y};
  int *ring = NULL, n_rings = 0;
  PetscCall(PetscMalloc2(start[n_loops] + 2 * n_loops, &rings.corner, n_loops, &ring));
  PetscCall(RingsBuild(&rings, n_loops, start, ring, &n_rings));
  *n_triangles = 0;
  for (int k = 0; k < n_rings; k++)
    *n_triangles += clip_ears(&rings, ring[k], triangle + *n_triangles);
  PetscCall(PetscFree2(rings.corner, ring));
  PetscFunctionReturn(PETSC_SUCCESS);
}
