/*
 * Curved triangles: a cubic patch from three vertices and their normals.
 *
 * The ten control points follow Vlachos, Peters, Boyd and Mitchell, Curved PN triangles (2001).
 * The points on the edges are given from outside, because the two sides of a crease must agree on
 * one curve, and lie farther along their tangents than there, which makes arcs of circles better by
 * two orders. Normals are normalised linear corner normals: better than the slope of the patch.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/vec3.h"

/* Barycentric weights are (1 - u - v, u, v) for corners 0, 1, 2. */
typedef struct {
  Vec3 corner[3];
  Vec3 edge[3][2]; /* edge e from corner e to e + 1: control points at 1/3 and 2/3 */
  Vec3 middle;
  Vec3 normal[3]; /* at the corners */
} PnPatch;

/*
 * The control point of an edge next to its end a, on the tangent t there. On a circle this length
 * makes the cubic an arc to sixth order, where the plain third leaves a fourth-order error.
 */
static inline Vec3 pn_tangent_point(Vec3 a, Vec3 ab, Vec3 t)
{
  const double chord = vec3_norm(ab), along = fabs(vec3_dot(ab, t));
  return vec3_axpy(a, (vec3_dot(ab, t) < 0.0 ? -2.0 : 2.0) / 3.0 * chord * chord / (chord + along),
                   t);
}

/* The same in the tangent plane of a. */
static inline Vec3 pn_edge_point(Vec3 a, Vec3 b, Vec3 normal_a)
{
  const Vec3 ab = vec3_sub(b, a);
  return pn_tangent_point(a, ab, vec3_unit(vec3_axpy(ab, -vec3_dot(ab, normal_a), normal_a)));
}

/* Set the control point in the middle from the others. */
void pn_patch_finish(PnPatch *patch);

/* The largest distance between a point of the patch and the flat point of equal weights: a bound.
 */
double pn_patch_bulge(const PnPatch *patch);

Vec3 pn_patch_point(const PnPatch *patch, double u, double v);

/* Value and derivatives of the patch in (u, v). */
typedef struct {
  Vec3 s, su, sv, suu, suv, svv;
} PatchJet;

PatchJet pn_patch_jet(const PnPatch *patch, double u, double v);

/* The normalised linear corner normal at the weights, which need not be inside. */
Vec3 pn_patch_normal(const PnPatch *patch, double u, double v);

/*
 * The normal at a point q of the patch: the linear normal at those weights from whose flat point
 * it leads to q. Exact on spheres, cylinders and cones. (u, v) is where to start.
 */
Vec3 pn_patch_normal_at(const PnPatch *patch, Vec3 q, double u, double v);

typedef struct {
  double distance2;
  Vec3 point;
  double u, v;
  int feature; /* as in triangle.h */
} PatchFoot;

/* The point of the patch nearest to p that Newton's method finds from the weights (u, v). */
PatchFoot pn_patch_foot(const PnPatch *patch, Vec3 p, double u, double v);

/*
 * From the weights (u, v) to those of the nearest point of the patch continued beyond its border;
 * the jet is that of the place, valid if it lies no farther outside than half an edge.
 */
void pn_patch_settle(const PnPatch *patch, Vec3 p, double *u, double *v, PatchJet *jet);
