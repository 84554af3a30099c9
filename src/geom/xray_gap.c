/*
 * How far is the curved surface, and which way is out?
 *
 * Every patch stays within its bulge of its flat triangle. So the flat distances, less the
 * bulges, tell which patches can hold the nearest point; Newton's method finds it on each.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "geom/xray_impl.h"

PnPatch xray_patch(const XRay *xray, int t)
{
  return topology_patch(&xray->corners[t], xray->normal[t], &xray->links[t], xray->edge_control);
}

const Vec3 *xray_corner_normals(const XRay *xray, int t)
{
  return xray->normal[t];
}

static Vec3 face_normal(const XRay *xray, int t)
{
  const Corners *c = &xray->corners[t];
  return vec3_unit(vec3_cross(vec3_sub(c->b, c->a), vec3_sub(c->c, c->a)));
}

Vec3 xray_patch_point(const XRay *xray, int t, double u, double v, Vec3 *normal)
{
  if (xray_triangle_is_flat(xray, t)) {
    const Corners *c = &xray->corners[t];
    if (normal != NULL) *normal = face_normal(xray, t);
    return vec3_axpy(vec3_axpy(c->a, u, vec3_sub(c->b, c->a)), v, vec3_sub(c->c, c->a));
  }
  const PnPatch patch = xray_patch(xray, t);
  const Vec3 q = pn_patch_point(&patch, u, v);
  if (normal != NULL) *normal = pn_patch_normal_at(&patch, q, u, v);
  return q;
}

typedef struct {
  PatchFoot foot;
  int triangle;
  double distance; /* of the foot */
} Best;

/* Try the patch over a triangle unless it cannot be nearer than the best. */
static void try_patch(const XRay *xray, int t, Vec3 p, Best *best)
{
  const TriangleLinks *links = &xray->links[t];
  if (bound_distance(&xray->bound[t], p) - links->bulge >= best->distance) return;
  const TriangleFoot flat = triangle_foot(&xray->corners[t], p);
  if (sqrt(flat.distance2) - links->bulge >= best->distance) return;
  PatchFoot foot = {flat.distance2, flat.point, flat.u, flat.v, flat.feature};
  if (!(links->flags & TRIANGLE_FLAT)) {
    const PnPatch patch = xray_patch(xray, t);
    foot = pn_patch_foot(&patch, p, flat.u, flat.v);
  }
  if (foot.distance2 >= best->distance * best->distance) return;
  *best = (Best){foot, t, sqrt(foot.distance2)};
}

static void search_list(const XRay *xray, int voxel, Vec3 p, Best *best)
{
  const VoxelEntry *entry = xray->voxel_entry + xray->voxel_start[voxel];
  const int n = xray->voxel_start[voxel + 1] - xray->voxel_start[voxel];
  const double off = xray_off_middle(xray, voxel, p) + xray->head->max_bulge;
  /* The triangle whose sphere is nearest makes the first bound a good one. */
  int first = 0;
  double least = INFINITY;
  for (int k = 0; k < n && entry[k].distance - off < entry[0].distance + off; k++) {
    const double d = bound_distance(&xray->bound[entry[k].triangle], p);
    if (d < least) least = d, first = k;
  }
  try_patch(xray, entry[first].triangle, p, best);
  for (int k = 0; k < n; k++)
    if (entry[k].distance - off < best->distance && k != first)
      try_patch(xray, entry[k].triangle, p, best);
}

/* Deep enough for two children per level of a balanced tree of 2^31 triangles. */
#define STACK 96

static void search_tree(const XRay *xray, Vec3 p, Best *best)
{
  int stack[STACK], n = 0;
  stack[n++] = 0;
  while (n > 0) {
    const SphereNode *node = &xray->node[stack[--n]];
    if (sphere_node_distance(node, p) > best->distance) continue;
    for (int k = 0; k < node->n_triangles; k++)
      try_patch(xray, xray->node_triangle[node->first + k], p, best);
    if (node->n_triangles > 0) continue;
    const bool swap = sphere_node_distance(&xray->node[node->first], p) <
                      sphere_node_distance(&xray->node[node->first + 1], p);
    stack[n++] = node->first + (swap ? 1 : 0);
    stack[n++] = node->first + (swap ? 0 : 1);
  }
}

/* The normal of a patch at its point q with weights (u, v). */
static Vec3 smooth_normal(const XRay *xray, int t, Vec3 q, double u, double v)
{
  if (xray_triangle_is_flat(xray, t)) return face_normal(xray, t);
  const PnPatch patch = xray_patch(xray, t);
  return pn_patch_normal_at(&patch, q, u, v);
}

/* The sum of the normals of both sides of a crease where the foot lies. */
static Vec3 crease_normal(const XRay *xray, const SurfaceEdge *edge, const Best *b)
{
  const int mine = edge->triangle[0] == b->triangle ? 0 : 1;
  const double weight[3] = {1.0 - b->foot.u - b->foot.v, b->foot.u, b->foot.v};
  const double ahead = weight[(edge->side[mine] + 1) % 3];
  const int side = edge->side[1 - mine], t = edge->triangle[1 - mine];
  double other[3] = {0.0, 0.0, 0.0};
  other[side] = ahead;
  other[(side + 1) % 3] = 1.0 - ahead;
  return vec3_add(smooth_normal(xray, b->triangle, b->foot.point, b->foot.u, b->foot.v),
                  smooth_normal(xray, t, b->foot.point, other[1], other[2]));
}

/* Is the foot on a crease or a sharp vertex? Then *normal is a pseudo-normal there. */
static bool on_crease(const XRay *xray, const Best *b, Vec3 *normal, bool *sure)
{
  const TriangleLinks *links = &xray->links[b->triangle];
  const int feature = b->foot.feature;
  if (feature >= FOOT_EDGE) {
    const int e = links->edge[feature - FOOT_EDGE], id = e < 0 ? ~e : e;
    const SurfaceEdge *edge = &xray->edge[id];
    if (edge->flags & EDGE_SINGULAR) {
      *sure = false;
      *normal = xray->edge_normal[id];
      return true;
    }
    if (!(edge->flags & EDGE_CREASE)) return false;
    *normal = crease_normal(xray, edge, b);
    return true;
  }
  if (feature < FOOT_CORNER) return false;
  const int v = links->vertex[feature - FOOT_CORNER];
  if (!(xray->vertex_flags[v] & VERTEX_CREASE)) return false;
  if (xray->vertex_flags[v] & VERTEX_SINGULAR) *sure = false;
  *normal = xray->vertex_normal[v];
  return true;
}

static SurfaceHit finish(const XRay *xray, Vec3 p, const Best *b)
{
  const Vec3 away = vec3_sub(p, b->foot.point);
  Vec3 normal = {0.0, 0.0, 0.0};
  bool sure = !xray->head->overlapping;
  const bool crease = on_crease(xray, b, &normal, &sure);
  if (!crease) normal = smooth_normal(xray, b->triangle, b->foot.point, b->foot.u, b->foot.v);
  bool inside = vec3_dot(away, normal) < 0.0;
  /* Shells that touch or overlap: far enough from the surface the rays know. */
  if (!sure && b->distance > xray->head->max_bulge) inside = xray_contains(xray, p);
  const double distance = inside ? -b->distance : b->distance;
  if (crease && b->distance > 1e-9 * xray->head->size) normal = vec3_scale(1.0 / distance, away);
  return (SurfaceHit){true, distance, b->foot.point, vec3_unit(normal), b->triangle};
}

SurfaceHit xray_gap(const XRay *xray, Vec3 p, double reach)
{
  const SurfaceHit none = {.found = false};
  if (!vec3_finite(p) || !(reach >= 0.0)) return none;
  /* A hair more than asked, so that a point at the reach is found. */
  Best best = {.triangle = -1, .distance = reach * (1.0 + 1e-15)};
  const int voxel = xray_voxel(xray, p);
  if (voxel >= 0 && xray->voxel_start[voxel + 1] > xray->voxel_start[voxel])
    search_list(xray, voxel, p, &best);
  else if (reach + xray->head->max_bulge <= xray->head->reach)
    return none;
  else
    search_tree(xray, p, &best);
  return best.triangle < 0 ? none : finish(xray, p, &best);
}
