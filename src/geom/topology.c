#include "geom/topology.h"

#include <stdlib.h>

/* Corner normals this close mean one smooth surface. */
#define SAME_NORMAL 1e-6

/* One use of an edge by a triangle, filed under its lower vertex. */
typedef struct {
  int32_t other;    /* the higher vertex */
  int32_t half;     /* 3 triangle + side */
  int32_t backward; /* the triangle runs from the higher to the lower vertex */
} EdgeUse;

static int compare_uses(const void *left, const void *right)
{
  const EdgeUse *a = left, *b = right;
  if (a->other != b->other) return a->other < b->other ? -1 : 1;
  return a->half < b->half ? -1 : a->half > b->half;
}

/* Uses of edges sorted by (lower vertex, higher vertex, triangle). */
static PetscErrorCode EdgeUsesCreate(const Surface *s, int **start, EdgeUse **use)
{
  PetscFunctionBeginUser;
  int *next = NULL;
  PetscCall(PetscCalloc1((size_t)s->n_vertices + 2, &next));
  PetscCall(PetscMalloc1(3 * (size_t)s->n_triangles + 1, use));
  for (int t = 0; t < s->n_triangles; t++) {
    for (int e = 0; e < 3; e++) {
      const int a = s->triangle[t][e], b = s->triangle[t][(e + 1) % 3];
      next[(a < b ? a : b) + 2]++;
    }
  }
  for (int v = 0; v < s->n_vertices; v++) next[v + 2] += next[v + 1];
  for (int t = 0; t < s->n_triangles; t++) {
    for (int e = 0; e < 3; e++) {
      const int a = s->triangle[t][e], b = s->triangle[t][(e + 1) % 3];
      const int lo = a < b ? a : b, hi = a < b ? b : a;
      (*use)[next[lo + 1]++] = (EdgeUse){hi, 3 * t + e, a > b};
    }
  }
  for (int v = 0; v < s->n_vertices; v++)
    qsort(*use + next[v], next[v + 1] - next[v], sizeof **use, compare_uses);
  *start = next;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Area vector of a triangle: normal with twice its area. */
static Vec3 area_vector(const Surface *s, int t)
{
  const Vec3 a = s->vertex[s->triangle[t][0]];
  return vec3_cross(vec3_sub(s->vertex[s->triangle[t][1]], a),
                    vec3_sub(s->vertex[s->triangle[t][2]], a));
}

/* Write the edge made of uses first .. last - 1 and tell its triangles. */
static void make_edge(const EdgeUse *use, int n, int lower, int id, Topology *top)
{
  const bool paired = n == 2 && use[0].backward != use[1].backward;
  const EdgeUse *ahead = paired && use[0].backward ? &use[1] : &use[0];
  const EdgeUse *behind = paired ? (ahead == use ? &use[1] : &use[0]) : NULL;
  const int ends[2] = {ahead->backward ? use->other : lower, ahead->backward ? lower : use->other};
  top->edge[id] = (SurfaceEdge){{ends[0], ends[1]},
                                {ahead->half / 3, behind != NULL ? behind->half / 3 : -1},
                                {ahead->half % 3, behind != NULL ? behind->half % 3 : -1},
                                paired ? 0 : EDGE_SINGULAR};
  for (int k = 0; k < n; k++) {
    const bool same = use[k].backward == ahead->backward;
    top->triangle[use[k].half / 3].edge[use[k].half % 3] = same ? id : ~id;
  }
}

static PetscErrorCode EdgesBuild(const Surface *s, Topology *top)
{
  PetscFunctionBeginUser;
  int *start = NULL, n_edges = 0;
  EdgeUse *use = NULL;
  PetscCall(EdgeUsesCreate(s, &start, &use));
  for (int k = 0; k < s->n_vertices; k++)
    for (int i = start[k]; i < start[k + 1]; i++)
      n_edges += i == start[k] || use[i].other != use[i - 1].other;
  PetscCall(PetscCalloc1((size_t)n_edges, &top->edge));
  top->n_edges = 0;
  for (int k = 0; k < s->n_vertices; k++) {
    for (int i = start[k], end = i; i < start[k + 1]; i = end) {
      while (end < start[k + 1] && use[end].other == use[i].other) end++;
      make_edge(use + i, end - i, k, top->n_edges++, top);
    }
  }
  PetscCall(PetscFree(start));
  PetscCall(PetscFree(use));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The corner normal of side k of an edge at its end 0 or 1. */
static Vec3 side_normal(const Surface *s, const SurfaceEdge *e, int k, int end)
{
  return s->normal[e->triangle[k]][(e->side[k] + (k == 0 ? end : 1 - end)) % 3];
}

/*
 * The control point next to one end of an edge. Across a smooth edge both sides have one tangent
 * plane; along a crease the curve follows the line in which the two planes meet; where only this
 * end is a crease (the tip of a cone) the chord is the best guess.
 */
static Vec3 edge_control(const Surface *s, const SurfaceEdge *e, int end, bool same, bool crease)
{
  const Vec3 a = s->vertex[e->vertex[end]], b = s->vertex[e->vertex[1 - end]];
  const Vec3 ab = vec3_sub(b, a);
  if (same) return pn_edge_point(a, b, side_normal(s, e, 0, end));
  if (!crease) return vec3_axpy(a, 1.0 / 3.0, ab);
  const Vec3 t = vec3_unit(vec3_cross(side_normal(s, e, 0, end), side_normal(s, e, 1, end)));
  const double along = vec3_dot(ab, t);
  /* Planes that meet across the edge tell nothing about its direction. */
  if (along * along < 0.75 * vec3_norm2(ab)) return vec3_axpy(a, 1.0 / 3.0, ab);
  return pn_tangent_point(a, ab, t);
}

static void bend_edge(const Surface *s, SurfaceEdge *e, Vec3 control[2])
{
  const Vec3 a = s->vertex[e->vertex[0]], b = s->vertex[e->vertex[1]];
  const Vec3 ab = vec3_sub(b, a);
  control[0] = vec3_axpy(a, 1.0 / 3.0, ab);
  control[1] = vec3_axpy(b, -1.0 / 3.0, ab);
  if (e->flags & EDGE_SINGULAR) return;
  bool same[2];
  for (int end = 0; end < 2; end++)
    same[end] = vec3_distance(side_normal(s, e, 0, end), side_normal(s, e, 1, end)) < SAME_NORMAL;
  const bool crease = !same[0] && !same[1];
  if (crease) e->flags |= EDGE_CREASE;
  for (int end = 0; end < 2; end++) {
    const Vec3 bent = edge_control(s, e, end, same[end], crease);
    /* Differences at the level of rounding are no bend: polyhedra stay exact. */
    if (vec3_distance(bent, control[end]) < 1e-12 * vec3_norm(ab)) continue;
    control[end] = bent;
    e->flags |= EDGE_CURVED;
  }
}

static void sum_pseudo_normals(const Surface *s, Topology *top)
{
  for (int t = 0; t < s->n_triangles; t++) {
    const Vec3 n = vec3_unit(area_vector(s, t));
    for (int k = 0; k < 3; k++) {
      const int v = s->triangle[t][k];
      const Vec3 x = s->vertex[v];
      const Vec3 p = vec3_sub(s->vertex[s->triangle[t][(k + 1) % 3]], x);
      const Vec3 q = vec3_sub(s->vertex[s->triangle[t][(k + 2) % 3]], x);
      const double angle = atan2(vec3_norm(vec3_cross(p, q)), vec3_dot(p, q));
      top->vertex_normal[v] = vec3_axpy(top->vertex_normal[v], angle, n);
      const int e = top->triangle[t].edge[k], id = e < 0 ? ~e : e;
      top->edge_normal[id] = vec3_add(top->edge_normal[id], n);
    }
  }
}

static void mark_vertices(const Surface *s, Topology *top)
{
  double sum = 0.0;
  for (int k = 0; k < top->n_edges; k++) {
    const SurfaceEdge *e = &top->edge[k];
    sum += vec3_distance(s->vertex[e->vertex[0]], s->vertex[e->vertex[1]]);
    for (int end = 0; end < 2; end++) {
      int32_t *flags = &top->vertex_flags[e->vertex[end]];
      if (e->flags & EDGE_SINGULAR) {
        *flags |= VERTEX_SINGULAR | VERTEX_CREASE;
        continue;
      }
      const Vec3 n0 = side_normal(s, e, 0, end), n1 = side_normal(s, e, 1, end);
      if (vec3_distance(n0, n1) >= SAME_NORMAL) *flags |= VERTEX_CREASE;
    }
  }
  top->mean_edge = sum / (top->n_edges > 0 ? top->n_edges : 1);
}

PnPatch topology_patch(const Corners *corners, const Vec3 normal[3], const TriangleLinks *links,
                       const Vec3 (*control)[2])
{
  PnPatch patch = {.corner = {corners->a, corners->b, corners->c},
                   .normal = {normal[0], normal[1], normal[2]}};
  for (int k = 0; k < 3; k++) {
    const bool back = links->edge[k] < 0;
    const Vec3 *c = control[back ? ~links->edge[k] : links->edge[k]];
    patch.edge[k][0] = c[back ? 1 : 0];
    patch.edge[k][1] = c[back ? 0 : 1];
  }
  pn_patch_finish(&patch);
  return patch;
}

/* Fill bulge and flags of a triangle whose edges are known. */
static void measure_patch(const Surface *s, int t, Topology *top)
{
  TriangleLinks *links = &top->triangle[t];
  for (int k = 0; k < 3; k++) links->vertex[k] = s->triangle[t][k];
  const Corners corners = {s->vertex[links->vertex[0]], s->vertex[links->vertex[1]],
                           s->vertex[links->vertex[2]]};
  const Vec3 face = vec3_unit(area_vector(s, t));
  bool flat = true, sharp = false;
  for (int k = 0; k < 3; k++) {
    const int e = links->edge[k];
    sharp = sharp || top->vertex_flags[links->vertex[k]] & VERTEX_CREASE;
    flat = flat && !(top->edge[e < 0 ? ~e : e].flags & EDGE_CURVED) &&
           vec3_distance(face, s->normal[t][k]) < SAME_NORMAL;
  }
  const PnPatch patch =
      topology_patch(&corners, s->normal[t], links, (const Vec3(*)[2])top->edge_control);
  links->flags = (flat ? TRIANGLE_FLAT : 0) | (sharp ? TRIANGLE_SHARP : 0);
  links->bulge = flat ? 0.0f : nextafterf((float)pn_patch_bulge(&patch), INFINITY);
  if (links->bulge > top->max_bulge) top->max_bulge = links->bulge;
}

/* On a sphere of radius R with edges h the patches are off by about this times h^4 / R^3. */
#define PATCH_ERROR 0.012

double topology_geometry_error(const Surface *s, const Topology *top)
{
  double worst = 0.0;
  for (int t = 0; t < s->n_triangles; t++) {
    if (top->triangle[t].flags & TRIANGLE_FLAT) continue;
    for (int k = 0; k < 3; k++) {
      const int next = k == 2 ? 0 : k + 1;
      const double turn = vec3_distance(s->normal[t][k], s->normal[t][next]);
      const double h = vec3_distance(s->vertex[s->triangle[t][k]], s->vertex[s->triangle[t][next]]);
      const double error = PATCH_ERROR * turn * turn * turn * h;
      if (error > worst) worst = error;
    }
  }
  return worst;
}

PetscErrorCode TopologyCreate(const Surface *s, Topology **topology)
{
  PetscFunctionBeginUser;
  Topology *top = NULL;
  PetscCall(PetscNew(&top));
  PetscCall(PetscCalloc1((size_t)s->n_triangles, &top->triangle));
  PetscCall(PetscCalloc1((size_t)s->n_vertices, &top->vertex_normal));
  PetscCall(PetscCalloc1((size_t)s->n_vertices, &top->vertex_flags));
  PetscCall(EdgesBuild(s, top));
  PetscCall(PetscCalloc1((size_t)top->n_edges, &top->edge_control));
  PetscCall(PetscCalloc1((size_t)top->n_edges, &top->edge_normal));
  for (int e = 0; e < top->n_edges; e++) bend_edge(s, &top->edge[e], top->edge_control[e]);
  sum_pseudo_normals(s, top);
  mark_vertices(s, top);
  for (int t = 0; t < s->n_triangles; t++) measure_patch(s, t, top);
  *topology = top;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode TopologyDestroy(Topology **topology)
{
  PetscFunctionBeginUser;
  Topology *top = *topology;
  if (top == NULL) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscFree(top->edge));
  PetscCall(PetscFree(top->edge_control));
  PetscCall(PetscFree(top->edge_normal));
  PetscCall(PetscFree(top->triangle));
  PetscCall(PetscFree(top->vertex_normal));
  PetscCall(PetscFree(top->vertex_flags));
  PetscCall(PetscFree(*topology));
  PetscFunctionReturn(PETSC_SUCCESS);
}
