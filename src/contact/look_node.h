/*
 * Nodes of the sphere trees of two bodies in one frame: how far apart are they at least, and can
 * their surfaces face each other? SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/pose.h"
#include "geom/sphere_tree.h"

typedef struct {
  Vec3 c, axis;
  double r, low, high, cone_cos, cone_sin;
} LookNode;

/* A node as it is, and one moved into another frame. */
static inline LookNode look_node(const SphereNode *n)
{
  return (LookNode){
      {n->x, n->y, n->z}, {n->nx, n->ny, n->nz}, n->radius, n->low, n->high, n->cone_cos,
      n->cone_sin};
}

static inline LookNode look_node_moved(const Frame *f, const SphereNode *n)
{
  LookNode node = look_node(n);
  node.c = frame_to_world(f, node.c);
  node.axis = mat3_apply(&f->r, node.axis);
  return node;
}

/* How far a node reaches along a direction that makes an angle with cosine c and sine s with its
 * slab. */
static inline double look_node_reach(const LookNode *n, double c, double s)
{
  return c * (c > 0.0 ? n->high : n->low) + s * n->r;
}

/* The space between the slab of p and the node q, whose middle lies `way` further along p's slab,
 * and whose own slab makes an angle of cosine c and sine s with it. */
static inline double look_slab_space(const LookNode *p, const LookNode *q, double way, double c,
                                     double s)
{
  const double above = way - look_node_reach(q, -c, s) - p->high;
  const double below = p->low - way - look_node_reach(q, c, s);
  return above > below ? above : below;
}

/* A lower bound of the distance between what two nodes hold; negative: none. */
static inline double look_nodes_apart(const LookNode *a, const LookNode *b)
{
  const Vec3 way = vec3_sub(b->c, a->c);
  const double d = vec3_norm(way), balls = d - a->r - b->r;
  const double c = vec3_dot(a->axis, b->axis), s2 = 1.0 - c * c, s = s2 > 0.0 ? sqrt(s2) : 0.0;
  const double over_a = look_slab_space(a, b, vec3_dot(way, a->axis), c, s);
  const double over_b = look_slab_space(b, a, -vec3_dot(way, b->axis), c, s);
  /* The axes are unit vectors in single precision. */
  const double slabs = (over_a > over_b ? over_a : over_b) - 1e-6 * (a->r + b->r + d);
  return balls > slabs ? balls : slabs;
}

/* Is no sharp edge or vertex among what the node holds? */
static inline bool look_node_is_smooth(const LookNode *n)
{
  return n->cone_cos > -1.5;
}

/*
 * Can points of two smooth nodes be each other's feet, apart by at most `before` or, if they have
 * passed each other, by `behind`? Such feet lie on a normal of each, which leaves the node's axis
 * by its cone and the slack.
 */
static inline bool look_nodes_face(const LookNode *a, const LookNode *b, double before,
                                   double behind, double slack_cos, double slack_sin)
{
  const Vec3 way = vec3_sub(a->c, b->c);
  const double way2 = vec3_norm2(way), radii = a->r + b->r, rounding = 1e-6 * radii;
  const double over_b = vec3_dot(way, b->axis), over_a = -vec3_dot(way, a->axis);
  const double beside_b = radii + rounding + behind * (b->cone_sin * slack_cos + slack_sin);
  const double beside_a = radii + rounding + behind * (a->cone_sin * slack_cos + slack_sin);
  if (way2 - over_b * over_b > beside_b * beside_b) return false;
  if (way2 - over_a * over_a > beside_a * beside_a) return false;
  const double c = vec3_dot(a->axis, b->axis), s2 = 1.0 - c * c, s = s2 > 0.0 ? sqrt(s2) : 0.0;
  return over_b - look_node_reach(a, -c, s) - b->high <= before + rounding &&
         over_a - look_node_reach(b, -c, s) - a->high <= before + rounding &&
         over_b + look_node_reach(a, c, s) - b->low >= -behind - rounding;
}

/* Are a normal of a and a normal of b opposite but for an angle of that cosine and sine? */
static inline bool look_nodes_oppose(const LookNode *a, const LookNode *b, double slack_cos,
                                     double slack_sin)
{
  const double c = a->cone_cos * b->cone_cos - a->cone_sin * b->cone_sin;
  const double s = a->cone_sin * b->cone_cos + a->cone_cos * b->cone_sin;
  const double opening = c * slack_cos - s * slack_sin;
  if (a->cone_cos < 0.0 || b->cone_cos < 0.0 || s * slack_cos + c * slack_sin < 0.0) return true;
  return -vec3_dot(a->axis, b->axis) >= opening;
}

/* cos and sin of 60 degrees: normals of one neighbourhood are nearer than that. */
static const double look_cos_near = 0.5, look_sin_near = 0.86602540378443865;

/* Are all normals of a node in the neighbourhood of n? */
static inline bool look_cone_is_near(const LookNode *node, Vec3 n)
{
  return node->cone_cos > look_cos_near &&
         vec3_dot(node->axis, n) >= look_cos_near * node->cone_cos + look_sin_near * node->cone_sin;
}
