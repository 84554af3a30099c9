/*
 * Which point of a flat triangle is nearest to a point, and on which feature does it lie?
 *
 * The interior is decided by edge functions (triple products with the normal), which keep their
 * sign on needles where the usual products of products cancel; outside, the nearest point lies
 * on an edge the point is beyond, because the triangle is convex.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/vec3.h"

typedef struct {
  Vec3 a, b, c;
} Corners;

/* Where on a triangle; edge e runs from corner e to corner e + 1. */
typedef enum {
  FOOT_FACE = 0,
  FOOT_CORNER = 1, /* + corner */
  FOOT_EDGE = 4    /* + edge */
} FootFeature;

typedef struct {
  double distance2;
  Vec3 point;
  double u, v; /* weights of b and c */
  int feature; /* FOOT_FACE, FOOT_CORNER + 0..2, FOOT_EDGE + 0..2 */
} TriangleFoot;

/* Nearest parameter in [0, 1] of the segment from 0 along e to the point r. */
static inline double segment_nearest(Vec3 e, Vec3 r)
{
  const double along = vec3_dot(e, r), length2 = vec3_norm2(e);
  return along <= 0.0 ? 0.0 : along >= length2 ? 1.0 : along / length2;
}

/* Take the nearest point of edge e (from corner a along the vector ab) if it beats the best. */
static inline void triangle_try_edge(TriangleFoot *best, int e, Vec3 a, Vec3 ab, Vec3 p)
{
  const double t = segment_nearest(ab, vec3_sub(p, a));
  const Vec3 q = vec3_axpy(a, t, ab);
  const double d2 = vec3_norm2(vec3_sub(p, q));
  if (d2 >= best->distance2) return;
  const int next = e == 2 ? 0 : e + 1;
  const double weight[3] = {e == 0   ? 1.0 - t
                            : e == 2 ? t
                                     : 0.0,
                            e == 1   ? 1.0 - t
                            : e == 0 ? t
                                     : 0,
                            e == 2   ? 1.0 - t
                            : e == 1 ? t
                                     : 0.0};
  best->distance2 = d2;
  best->point = q;
  best->u = weight[1];
  best->v = weight[2];
  best->feature = t == 0.0 ? FOOT_CORNER + e : t == 1.0 ? FOOT_CORNER + next : FOOT_EDGE + e;
}

static inline TriangleFoot triangle_foot(const Corners *t, Vec3 p)
{
  const Vec3 ab = vec3_sub(t->b, t->a), bc = vec3_sub(t->c, t->b), ca = vec3_sub(t->a, t->c);
  const Vec3 ap = vec3_sub(p, t->a), bp = vec3_sub(p, t->b);
  const Vec3 n = vec3_cross(ca, ab);
  const double n2 = vec3_norm2(n);
  const double in_ab = vec3_dot(n, vec3_cross(ab, ap));
  const double in_bc = vec3_dot(n, vec3_cross(bc, bp));
  const double in_ca = vec3_dot(n, vec3_cross(ca, ap));
  if (in_ab > 0.0 && in_bc > 0.0 && in_ca > 0.0) {
    const double height = vec3_dot(n, ap) / n2;
    return (TriangleFoot){height * height * n2, vec3_axpy(p, -height, n), in_ca / n2, in_ab / n2,
                          FOOT_FACE};
  }
  TriangleFoot foot = {INFINITY, t->a, 0.0, 0.0, FOOT_CORNER};
  if (in_ab <= 0.0) triangle_try_edge(&foot, 0, t->a, ab, p);
  if (in_bc <= 0.0) triangle_try_edge(&foot, 1, t->b, bc, p);
  if (in_ca <= 0.0) triangle_try_edge(&foot, 2, t->c, ca, p);
  return foot;
}
