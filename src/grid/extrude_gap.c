/*
 * How thick may the layers be at each place of the wall?
 *
 * From every vertex a ray goes out along its best direction. Where it meets a part of the wall that
 * faces the vertex there is a gap, and each side may have a little less than half of it. Then
 * the limits are made to vary gently: thickness grows along the wall with a bounded slope.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "grid/extrude_impl.h"

/* Part of the gap that one side may fill. */
#define GAP_SHARE 0.45

/* A wall faces the ray when the cosine between its normal and the ray is below this. */
#define FACING -0.3

/* Thickness grows along the wall by no more than this. */
#define THICKNESS_SLOPE 0.4

/* Distance along the ray to the triangle; infinite when it is missed or turns away. */
static double ray_hit(Vec3 p, Vec3 d, const Vec3 t[3])
{
  const Vec3 a = vec3_sub(t[1], t[0]), b = vec3_sub(t[2], t[0]), n = vec3_cross(a, b);
  const double against = vec3_dot(n, d);
  if (against >= FACING * vec3_norm(n)) return INFINITY;
  const Vec3 r = vec3_sub(p, t[0]), q = vec3_cross(r, d);
  const double u = -vec3_dot(b, q) / -against, v = vec3_dot(a, q) / -against;
  if (u < 0.0 || v < 0.0 || u + v > 1.0) return INFINITY;
  const double s = -vec3_dot(n, r) / against;
  return s > 0.0 ? s : INFINITY;
}

/* Nearest facing wall in the bins along a piece of the ray. */
static double piece_hit(const Bins *bins, Vec3 p, Vec3 d, double from, double to, int self)
{
  const Vec3 a = vec3_axpy(p, from, d), b = vec3_axpy(p, to, d);
  int lo[3], hi[3];
  double nearest = INFINITY;
  bins_range(bins, box_add_point(box_add_point(box_empty(), a), b), lo, hi);
  for (int k = lo[2]; k <= hi[2]; k++)
    for (int j = lo[1]; j <= hi[1]; j++)
      for (int i = lo[0]; i <= hi[0]; i++) {
        const int bin = bins_at(bins, i, j, k);
        for (int m = bins->start[bin]; m < bins->start[bin + 1]; m++) {
          const int t = bins->item[m], *id = bins->id[t];
          if (id[0] == self || id[1] == self || id[2] == self) continue;
          nearest = PetscMin(nearest, ray_hit(p, d, bins->triangle[t]));
        }
      }
  return nearest;
}

/* The gap that a vertex sees, infinite beyond reach. */
static double visible_gap(const Bins *bins, Vec3 p, Vec3 d, double reach, int self)
{
  for (double s = 0.0; s < reach; s += bins->width) {
    const double hit = piece_hit(bins, p, d, s, s + bins->width, self);
    if (hit <= s + bins->width) return hit;
  }
  return INFINITY;
}

void thickness_spread(const Front *front, double limit[])
{
  const int n = front->wall->n_vertices;
  bool changed = true;
  for (int pass = 0; changed; pass++) {
    changed = false;
    for (int m = 0; m < n; m++) {
      const int v = pass % 2 == 0 ? m : n - 1 - m;
      for (int i = front->start[v]; i < front->start[v + 1]; i++) {
        const int w = front->link[i].next;
        const double along = vec3_distance(front->wall->vertex[v], front->wall->vertex[w]);
        const double most = limit[w] + THICKNESS_SLOPE * along;
        if (limit[v] <= most * (1.0 + 1e-12)) continue;
        limit[v] = most;
        changed = true;
      }
    }
  }
}

PetscErrorCode ThicknessLimit(const Front *front, double full, double limit[])
{
  PetscFunctionBeginUser;
  Bins bins;
  PetscCall(BinsCreate(front->wall, front->wall->vertex, &bins));
  const double reach = PetscMin(full / GAP_SHARE, vec3_norm(box_size(bins.box)));
  for (int v = 0; v < front->wall->n_vertices; v++) {
    const double gap = visible_gap(&bins, front->wall->vertex[v], front->best[v], reach, v);
    limit[v] = PetscMin(full, GAP_SHARE * gap);
  }
  PetscCall(BinsDestroy(&bins));
  thickness_spread(front, limit);
  PetscFunctionReturn(PETSC_SUCCESS);
}
