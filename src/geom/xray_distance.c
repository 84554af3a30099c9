/*
 * How far are the triangles, and on which side of them is the point?
 *
 * The voxel that holds the point lists every triangle that can be nearest; spheres around them
 * weed the list before exact tests. Beyond the lists the sphere tree is searched.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "geom/xray_distance_kernels.h"
#include "geom/xray_impl.h"

/* Try a triangle whose lower bound was below the best. */
static inline void try_triangle(const XRay *xray, int t, Vec3 p, int *best, TriangleFoot *foot)
{
  const TriangleFoot f = triangle_foot(&xray->corners[t], p);
  if (f.distance2 >= foot->distance2) return;
  *foot = f;
  *best = t;
}

/* The list of the voxel that holds p, and how far p is off the voxel's middle. */
static VoxelList list_at(const XRay *xray, Vec3 p, Vec3 *off)
{
  const VoxelGrid *g = &xray->head->voxel;
  const Vec3 r = vec3_scale(1.0 / g->size, vec3_sub(p, g->origin));
  if (!(r.x >= 0.0 && r.x < g->n[0] && r.y >= 0.0 && r.y < g->n[1] && r.z >= 0.0 && r.z < g->n[2]))
    return (VoxelList){.n = 0};
  const int i = (int)r.x, j = (int)r.y, k = (int)r.z, voxel = i + g->n[0] * (j + g->n[1] * k);
  const int first = xray->voxel_start[voxel];
  *off = vec3_scale(g->size, vec3(r.x - i - 0.5, r.y - j - 0.5, r.z - k - 0.5));
  return (VoxelList){.entry = xray->voxel_entry + first,
                     .slope = xray->voxel_slope + 3 * (size_t)first,
                     .n = xray->voxel_start[voxel + 1] - first,
                     .size = (float)g->size,
                     .bin_width = (float)xray->head->bin_width,
                     .corners = xray->corners};
}

/* Deep enough for two children per level of a balanced tree of 2^31 triangles. */
#define STACK 96

int xray_tree_nearest(const XRay *xray, Vec3 p, double reach, TriangleFoot *foot)
{
  int stack[STACK], n = 0, best = -1;
  foot->distance2 = reach * reach;
  stack[n++] = 0;
  while (n > 0) {
    const SphereNode *node = &xray->node[stack[--n]];
    if (sphere_node_distance(node, p) > reach) continue;
    for (int k = 0; k < node->n_triangles; k++)
      try_triangle(xray, xray->node_triangle[node->first + k], p, &best, foot);
    reach = sqrt(foot->distance2);
    if (node->n_triangles > 0) continue;
    /* The nearer child last, so that it is taken first. */
    const bool swap = sphere_node_distance(&xray->node[node->first], p) <
                      sphere_node_distance(&xray->node[node->first + 1], p);
    stack[n++] = node->first + (swap ? 1 : 0);
    stack[n++] = node->first + (swap ? 0 : 1);
  }
  return best;
}

/* Outward pseudo-normal of the feature, not unit, and whether its sign can be trusted. */
static Vec3 pseudo_normal(const XRay *xray, int t, int feature, bool *sure)
{
  const TriangleLinks *links = &xray->links[t];
  *sure = !xray->head->overlapping;
  if (feature >= FOOT_EDGE) {
    const int e = links->edge[feature - FOOT_EDGE], id = e < 0 ? ~e : e;
    *sure = *sure && !(xray->edge[id].flags & EDGE_SINGULAR);
    return xray->edge_normal[id];
  }
  if (feature >= FOOT_CORNER) {
    const int v = links->vertex[feature - FOOT_CORNER];
    *sure = *sure && !(xray->vertex_flags[v] & VERTEX_SINGULAR);
    return xray->vertex_normal[v];
  }
  const Corners *c = &xray->corners[t];
  return vec3_cross(vec3_sub(c->b, c->a), vec3_sub(c->c, c->a));
}

static SurfaceHit finish(const XRay *xray, Vec3 p, int t, const TriangleFoot *foot)
{
  bool sure;
  const Vec3 pseudo = pseudo_normal(xray, t, foot->feature, &sure);
  const Vec3 away = vec3_sub(p, foot->point);
  const double d = sqrt(foot->distance2);
  const bool inside = sure ? vec3_dot(away, pseudo) < 0.0 : xray_contains(xray, p);
  const double distance = inside ? -d : d;
  /* On a face, and where p touches, the direction of p is rounding: the pseudo-normal is not. */
  const bool by_feature = foot->feature == FOOT_FACE || d < 1e-9 * xray->head->size;
  Vec3 normal = by_feature ? vec3_unit(pseudo) : vec3_scale(1.0 / distance, away);
  /* The far side of a buried face is outward of nothing; keep p - point = distance normal. */
  if (vec3_dot(normal, away) * distance < 0.0) normal = vec3_scale(-1.0, normal);
  return (SurfaceHit){true, distance, foot->point, normal, t};
}

SurfaceHit xray_distance(const XRay *xray, Vec3 p, double reach)
{
  const SurfaceHit none = {.found = false};
  if (!vec3_finite(p) || !(reach >= 0.0)) return none;
  TriangleFoot foot;
  Vec3 off;
  const VoxelList list = list_at(xray, p, &off);
  int t = list.n > 0 ? voxel_nearest(&list, p, off, &foot) : -1;
  if (t < 0) {
    if (reach <= xray->head->reach) return none;
    t = xray_tree_nearest(xray, p, reach, &foot);
  }
  if (t < 0 || foot.distance2 > reach * reach) return none;
  return finish(xray, p, t, &foot);
}

Vec3 xray_edge_normal(const XRay *xray, int edge)
{
  return vec3_unit(xray->edge_normal[edge]);
}

Vec3 xray_vertex_normal(const XRay *xray, int vertex)
{
  return vec3_unit(xray->vertex_normal[vertex]);
}

static double clamp(double x, double lo, double hi)
{
  return x < lo ? lo : x > hi ? hi : x;
}

/*
 * At the middle c of a cell the signed distance d is known, and it changes by no more than the way
 * one goes. From p outside the grid the nearest grid point q comes first: the surface lies in a
 * convex box around which q is the projection of p, so distances add like the sides of a right
 * angle.
 */
double xray_distance_bound(const XRay *xray, Vec3 p)
{
  const XRayHeader *head = xray->head;
  const VoxelGrid *g = &head->voxel;
  const double size = g->size * g->coarse;
  const int nx = g->n[0] / g->coarse, ny = g->n[1] / g->coarse, nz = g->n[2] / g->coarse;
  const Vec3 r = vec3_scale(1.0 / size, vec3_sub(p, g->origin));
  const Vec3 q = {clamp(r.x, 0.0, nx), clamp(r.y, 0.0, ny), clamp(r.z, 0.0, nz)};
  const int i = q.x < nx ? (int)q.x : nx - 1, j = q.y < ny ? (int)q.y : ny - 1;
  const int k = q.z < nz ? (int)q.z : nz - 1;
  const Vec3 away = vec3_sub(q, vec3(i + 0.5, j + 0.5, k + 0.5));
  const double known = xray->coarse[i + nx * (j + ny * k)];
  const double near = known - size * vec3_norm(away) - 1e-6 * (fabs(known) + head->size);
  const double out = size * vec3_distance(r, q);
  const double bound = out > 0.0 ? sqrt(out * out + (near > 0.0 ? near * near : 0.0)) : near;
  return bound - head->max_bulge;
}
