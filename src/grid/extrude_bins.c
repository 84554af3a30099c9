/*
 * Which triangles of a front are near a place, and do any two of them cross?
 *
 * Triangles lie in all cubes of a lattice that their boxes touch. Two triangles cross when an edge
 * of one pierces the other; of two that share a vertex only the edges across from it can.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "grid/extrude_impl.h"

/* Cubes along the longest side of the box at most. */
#define MOST_ALONG 128.0

static Box triangle_box(const Vec3 t[3])
{
  return box_add_point(box_add_point(box_add_point(box_empty(), t[0]), t[1]), t[2]);
}

static void put_triangle(Bins *bins, const Vec3 x[], int a, int b, int c)
{
  const int v[3] = {a, b, c};
  for (int k = 0; k < 3; k++) {
    bins->id[bins->n_triangles][k] = v[k];
    bins->triangle[bins->n_triangles][k] = x[v[k]];
    bins->box = box_add_point(bins->box, x[v[k]]);
  }
  bins->n_triangles++;
}

void bins_range(const Bins *bins, Box box, int lo[3], int hi[3])
{
  for (int d = 0; d < 3; d++) {
    const double from = vec3_at(bins->box.lo, d), last = bins->n[d] - 1;
    const double a = floor((vec3_at(box.lo, d) - from) / bins->width);
    const double b = floor((vec3_at(box.hi, d) - from) / bins->width);
    lo[d] = a < 0.0 ? 0 : a > last ? bins->n[d] : (int)a;
    hi[d] = b < 0.0 ? -1 : b > last ? (int)last : (int)b;
  }
}

/* Count the triangles of each bin, or deal them when item is there. */
static void deal(Bins *bins, int count[])
{
  for (int t = 0; t < bins->n_triangles; t++) {
    int lo[3], hi[3];
    bins_range(bins, triangle_box(bins->triangle[t]), lo, hi);
    for (int k = lo[2]; k <= hi[2]; k++)
      for (int j = lo[1]; j <= hi[1]; j++)
        for (int i = lo[0]; i <= hi[0]; i++) {
          const int b = bins_at(bins, i, j, k);
          if (bins->item != NULL) bins->item[bins->start[b] + count[b]] = t;
          count[b]++;
        }
  }
}

PetscErrorCode BinsCreate(const WallMesh *wall, const Vec3 x[], Bins *bins)
{
  PetscFunctionBeginUser;
  *bins = (Bins){.box = box_empty()};
  PetscCall(PetscMalloc2(2 * (size_t)wall->n_faces, &bins->triangle, 2 * (size_t)wall->n_faces,
                         &bins->id));
  for (int f = 0; f < wall->n_faces; f++) {
    const int *face = wall->face[f];
    put_triangle(bins, x, face[0], face[1], face[2]);
    if (face[3] >= 0) put_triangle(bins, x, face[0], face[2], face[3]);
  }
  const double longest = box_longest(bins->box);
  bins->box = box_grow(bins->box, 1e-9 * longest);
  const double along = PetscMin(MOST_ALONG, PetscMax(1.0, sqrt(0.5 * bins->n_triangles)));
  bins->width = box_longest(bins->box) / along;
  size_t n_bins = 1;
  for (int d = 0; d < 3; d++) {
    bins->n[d] = 1 + (int)(vec3_at(box_size(bins->box), d) / bins->width);
    n_bins *= (size_t)bins->n[d];
  }
  int *count = NULL;
  PetscCall(PetscCalloc1(n_bins, &count));
  PetscCall(PetscMalloc1(n_bins + 1, &bins->start));
  deal(bins, count);
  bins->start[0] = 0;
  for (size_t b = 0; b < n_bins; b++) bins->start[b + 1] = bins->start[b] + count[b];
  PetscCall(PetscMalloc1(bins->start[n_bins] + 1, &bins->item));
  PetscCall(PetscArrayzero(count, n_bins));
  deal(bins, count);
  PetscCall(PetscFree(count));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode BinsDestroy(Bins *bins)
{
  PetscFunctionBeginUser;
  PetscCall(PetscFree2(bins->triangle, bins->id));
  PetscCall(PetscFree(bins->start));
  PetscCall(PetscFree(bins->item));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static double volume6(Vec3 a, Vec3 b, Vec3 c, Vec3 d)
{
  return vec3_dot(vec3_cross(vec3_sub(b, a), vec3_sub(c, a)), vec3_sub(d, a));
}

/* Points whose distance from a plane is this part of the lengths at hand lie in it. */
#define FLAT 1e-10

/* Does the segment p-q go through the triangle? Not when an end only touches its plane: triangles
 * of a flat part, which share a vertex, would seem to cross at random. */
static bool pierces(Vec3 p, Vec3 q, const Vec3 t[3])
{
  const Vec3 n = vec3_cross(vec3_sub(t[1], t[0]), vec3_sub(t[2], t[0]));
  const Vec3 tp = vec3_sub(p, t[0]), tq = vec3_sub(q, t[0]);
  const double sp = vec3_dot(n, tp), sq = vec3_dot(n, tq), flat = FLAT * vec3_norm(n);
  if ((sp > 0.0) == (sq > 0.0)) return false;
  if (fabs(sp) <= flat * vec3_norm(tp) || fabs(sq) <= flat * vec3_norm(tq)) return false;
  const double a = volume6(p, q, t[0], t[1]), b = volume6(p, q, t[1], t[2]);
  const double c = volume6(p, q, t[2], t[0]);
  return (a > 0.0) == (b > 0.0) && (b > 0.0) == (c > 0.0);
}

static bool has_vertex(const int id[3], int v)
{
  return id[0] == v || id[1] == v || id[2] == v;
}

/* An edge of s pierces t; edges that end on a vertex of t do not count. */
static bool edge_pierces(const Bins *bins, int s, int t)
{
  for (int k = 0; k < 3; k++) {
    const int next = (k + 1) % 3;
    if (has_vertex(bins->id[t], bins->id[s][k]) || has_vertex(bins->id[t], bins->id[s][next]))
      continue;
    if (pierces(bins->triangle[s][k], bins->triangle[s][next], bins->triangle[t])) return true;
  }
  return false;
}

static int common_vertices(const Bins *bins, int s, int t)
{
  int n = 0;
  for (int k = 0; k < 3; k++) n += has_vertex(bins->id[t], bins->id[s][k]);
  return n;
}

static bool triangles_cross(const Bins *bins, int s, int t)
{
  if (common_vertices(bins, s, t) >= 2) return false;
  if (!box_overlaps(triangle_box(bins->triangle[s]), triangle_box(bins->triangle[t]))) return false;
  return edge_pierces(bins, s, t) || edge_pierces(bins, t, s);
}

PetscErrorCode FrontCrossings(const Front *front, bool crossing[], int *n)
{
  PetscFunctionBeginUser;
  Bins bins;
  PetscCall(BinsCreate(front->wall, front->x, &bins));
  *n = 0;
  for (int v = 0; v < front->wall->n_vertices; v++) crossing[v] = false;
  const int n_bins = bins.n[0] * bins.n[1] * bins.n[2];
  for (int b = 0; b < n_bins; b++)
    for (int i = bins.start[b]; i < bins.start[b + 1]; i++)
      for (int j = i + 1; j < bins.start[b + 1]; j++) {
        const int s = bins.item[i], t = bins.item[j];
        if (!triangles_cross(&bins, s, t)) continue;
        (*n)++;
        for (int k = 0; k < 3; k++) crossing[bins.id[s][k]] = crossing[bins.id[t][k]] = true;
      }
  PetscCall(BinsDestroy(&bins));
  PetscFunctionReturn(PETSC_SUCCESS);
}
