/*
 * How does a surface get smaller triangles without changing its shape?
 *
 * In rounds. Each cuts edges that are too long in their middles, the longest first and no triangle
 * twice, which also cuts the two triangles of the edge, so the surface stays closed. Before each
 * round diagonals of nearly flat pairs are turned where that makes the opposite angles smaller
 * (Delaunay), again no triangle twice in a pass, and vertices inside flat parts move to the middle
 * of their neighbours where that makes triangles rounder.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "geom/divide.h"

#include "geom/surface_impl.h"

#include <stdlib.h>

/* Pairs flatter than this many radians may turn their diagonal. */
#define DIVIDE_FLAT 1e-3

/* Passes of turning at a time; and how often the result is tidied up. */
enum { TURNS = 3, LAST_TIDIES = 10 };

typedef struct {
  int n_vertices, n_triangles;
  Vec3 *vertex;       /* owned */
  int (*triangle)[3]; /* owned */
  int *edge;          /* owned: the edge of each use; 3 n_triangles */
  int (*ends)[2];     /* owned: lower and higher vertex of each edge, in ascending order */
  EdgeTable table;    /* owned */
} Draft;

static double use_length2(const Draft *d, int use)
{
  const int(*t)[3] = (const int(*)[3])d->triangle;
  return vec3_norm2(vec3_sub(d->vertex[use_to(t, use)], d->vertex[use_from(t, use)]));
}

static PetscErrorCode DraftFindEdges(Draft *d)
{
  PetscFunctionBeginUser;
  const int(*t)[3] = (const int(*)[3])d->triangle;
  PetscCall(EdgeTableCreate(d->n_vertices, d->n_triangles, t, &d->table));
  PetscCall(PetscMalloc2(3 * (size_t)d->n_triangles, &d->edge, d->table.n_edges, &d->ends));
  for (int e = 0; e < d->table.n_edges; e++) {
    const int use = d->table.use[d->table.start[e]];
    const int a = use_from(t, use), b = use_to(t, use);
    d->ends[e][0] = a < b ? a : b;
    d->ends[e][1] = a < b ? b : a;
    for (int i = d->table.start[e]; i < d->table.start[e + 1]; i++) d->edge[d->table.use[i]] = e;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode DraftForgetEdges(Draft *d)
{
  PetscFunctionBeginUser;
  PetscCall(EdgeTableDestroy(&d->table));
  PetscCall(PetscFree2(d->edge, d->ends));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void set(int t[3], int a, int b, int c)
{
  t[0] = a;
  t[1] = b;
  t[2] = c;
}

typedef struct {
  double length2;
  int edge;
} Long;

static int compare_long(const void *a, const void *b)
{
  const Long *p = a, *q = b;
  if (p->length2 != q->length2) return p->length2 > q->length2 ? -1 : 1;
  return (p->edge > q->edge) - (p->edge < q->edge);
}

/* Both triangles of an edge, cut at the vertex m in its middle. */
static void cut_edge(Draft *d, int edge, int m)
{
  for (int i = d->table.start[edge]; i < d->table.start[edge + 1]; i++) {
    const int use = d->table.use[i];
    int *t = d->triangle[use / 3];
    const int a = t[use % 3], b = t[(use + 1) % 3], c = t[(use + 2) % 3];
    set(t, a, m, c);
    set(d->triangle[d->n_triangles++], m, b, c);
  }
}

/* Cut long edges, the longest first; room for two triangles and a vertex per edge is there. */
static void cut_edges(Draft *d, int n, const Long list[], bool touched[])
{
  for (int t = 0; t < d->n_triangles; t++) touched[t] = false;
  for (int k = 0; k < n; k++) {
    const int e = list[k].edge, from = d->table.start[e], to = d->table.start[e + 1];
    bool free = true;
    for (int i = from; i < to; i++) free = free && !touched[d->table.use[i] / 3];
    if (!free) continue;
    for (int i = from; i < to; i++) touched[d->table.use[i] / 3] = true;
    const Vec3 *a = &d->vertex[d->ends[e][0]], *b = &d->vertex[d->ends[e][1]];
    d->vertex[d->n_vertices] = vec3_scale(0.5, vec3_add(*a, *b));
    cut_edge(d, e, d->n_vertices++);
  }
}

/* One round; *done when no edge was too long. */
static PetscErrorCode DraftCut(Draft *d, double spacing, bool *done)
{
  PetscFunctionBeginUser;
  Long *list = NULL;
  bool *touched = NULL;
  int n = 0, n_uses = 0;
  PetscCall(DraftFindEdges(d));
  PetscCall(PetscMalloc2(d->table.n_edges, &list, d->n_triangles, &touched));
  for (int e = 0; e < d->table.n_edges; e++) {
    const double length2 = use_length2(d, d->table.use[d->table.start[e]]);
    if (!(length2 > spacing * spacing)) continue;
    list[n++] = (Long){length2, e};
    n_uses += d->table.start[e + 1] - d->table.start[e];
  }
  *done = n == 0;
  PetscCheck(d->n_triangles + (double)n_uses <= 4.0 * SURFACE_MOST_TRIANGLES, PETSC_COMM_WORLD,
             PETSC_ERR_USER_INPUT, "spacing %g makes too many triangles of this surface", spacing);
  qsort(list, (size_t)n, sizeof(Long), compare_long);
  PetscCall(PetscRealloc((size_t)(d->n_vertices + n) * sizeof(Vec3), &d->vertex));
  PetscCall(PetscRealloc((size_t)(d->n_triangles + n_uses) * sizeof *d->triangle, &d->triangle));
  cut_edges(d, n, list, touched);
  PetscCall(PetscFree2(list, touched));
  PetscCall(DraftForgetEdges(d));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The cotangent of the angle at c over the side a-b. */
static double cotangent(Vec3 a, Vec3 b, Vec3 c)
{
  const Vec3 p = vec3_sub(a, c), q = vec3_sub(b, c);
  return vec3_dot(p, q) / vec3_norm(vec3_cross(p, q));
}

/* May the edge a-b with opposite corners c and d be turned into c-d, and is that better? */
static bool turn_is_better(Vec3 a, Vec3 b, Vec3 c, Vec3 d)
{
  const Vec3 n1 = vec3_cross(vec3_sub(b, a), vec3_sub(c, a));
  const Vec3 n2 = vec3_cross(vec3_sub(a, b), vec3_sub(d, b));
  const double both = vec3_norm(n1) * vec3_norm(n2);
  if (vec3_dot(n1, n2) < (1.0 - 0.5 * DIVIDE_FLAT * DIVIDE_FLAT) * both) return false;
  if (!(cotangent(a, b, c) + cotangent(a, b, d) < -1e-6)) return false;
  const Vec3 m1 = vec3_cross(vec3_sub(d, c), vec3_sub(b, c));
  const Vec3 m2 = vec3_cross(vec3_sub(a, c), vec3_sub(d, c));
  return vec3_dot(m1, n1) > 0.0 && vec3_dot(m2, n1) > 0.0;
}

/* Are two vertices joined already? */
static bool joined(const Draft *d, int p, int q)
{
  const int low = p < q ? p : q, high = p < q ? q : p;
  int from = 0, to = d->table.n_edges;
  while (from < to) {
    const int e = from + (to - from) / 2, *end = d->ends[e];
    if (end[0] == low && end[1] == high) return true;
    if (end[0] < low || (end[0] == low && end[1] < high))
      from = e + 1;
    else
      to = e;
  }
  return false;
}

/* Turn what may be turned; no triangle twice, and no vertex pair joined twice. */
static int turn_edges(Draft *d, bool touched[], bool fresh[])
{
  int n = 0;
  for (int t = 0; t < d->n_triangles; t++) touched[t] = false;
  for (int v = 0; v < d->n_vertices; v++) fresh[v] = false;
  for (int e = 0; e < d->table.n_edges; e++) {
    const int *use = &d->table.use[d->table.start[e]];
    if (d->table.start[e + 1] - d->table.start[e] != 2) continue;
    int *t = d->triangle[use[0] / 3], *s = d->triangle[use[1] / 3];
    if (touched[use[0] / 3] || touched[use[1] / 3]) continue;
    const int a = t[use[0] % 3], b = t[(use[0] + 1) % 3], c = t[(use[0] + 2) % 3];
    const int o = s[(use[1] + 2) % 3];
    const Vec3 *x = d->vertex;
    if (fresh[c] || fresh[o] || !turn_is_better(x[a], x[b], x[c], x[o])) continue;
    if (joined(d, c, o)) continue;
    touched[use[0] / 3] = touched[use[1] / 3] = fresh[c] = fresh[o] = true;
    set(t, c, o, b);
    set(s, o, c, a);
    n++;
  }
  return n;
}

static PetscErrorCode DraftTurn(Draft *d, bool *done)
{
  PetscFunctionBeginUser;
  bool *touched = NULL, *fresh = NULL;
  PetscCall(DraftFindEdges(d));
  PetscCall(PetscMalloc2(d->n_triangles, &touched, d->n_vertices, &fresh));
  *done = turn_edges(d, touched, fresh) == 0;
  PetscCall(PetscFree2(touched, fresh));
  PetscCall(DraftForgetEdges(d));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Twice the height over the longest edge: how round a triangle is; negative when it faces away
 * from n. */
static double roundness(Vec3 a, Vec3 b, Vec3 c, Vec3 n)
{
  const Vec3 ab = vec3_sub(b, a), bc = vec3_sub(c, b), ca = vec3_sub(a, c);
  const double longest2 = PetscMax(vec3_norm2(ab), PetscMax(vec3_norm2(bc), vec3_norm2(ca)));
  return vec3_dot(vec3_cross(ab, bc), n) / longest2;
}

/* The least round triangle at a vertex if it lay at x. */
static double worst_around(const Draft *d, int n, const int around[], int v, Vec3 x, Vec3 normal)
{
  double worst = INFINITY;
  for (int i = 0; i < n; i++) {
    const int *t = d->triangle[around[i]];
    Vec3 c[3];
    for (int k = 0; k < 3; k++) c[k] = t[k] == v ? x : d->vertex[t[k]];
    worst = PetscMin(worst, roundness(c[0], c[1], c[2], normal));
  }
  return worst;
}

/* Move a vertex inside a flat part to the middle of its neighbours, if that makes them rounder. */
static void relax_vertex(Draft *d, int n, const int around[], int v)
{
  Vec3 normal = {0, 0, 0}, middle = {0, 0, 0};
  double areas = 0.0;
  for (int i = 0; i < n; i++) {
    const int *t = d->triangle[around[i]];
    const Vec3 a = triangle_area2(d->vertex, t);
    normal = vec3_add(normal, a);
    areas += vec3_norm(a);
    for (int k = 0; k < 3; k++)
      if (t[k] != v) middle = vec3_axpy(middle, 0.5 / n, d->vertex[t[k]]);
  }
  if (vec3_norm(normal) < (1.0 - 0.5 * DIVIDE_FLAT * DIVIDE_FLAT) * areas) return;
  normal = vec3_unit(normal);
  const Vec3 old = d->vertex[v], off = vec3_sub(middle, old);
  const Vec3 x = vec3_axpy(middle, -vec3_dot(off, normal), normal);
  if (worst_around(d, n, around, v, x, normal) > worst_around(d, n, around, v, old, normal))
    d->vertex[v] = x;
}

static PetscErrorCode DraftRelax(Draft *d)
{
  PetscFunctionBeginUser;
  int *start = NULL, *around = NULL;
  PetscCall(PetscCalloc1(d->n_vertices + 2, &start));
  PetscCall(PetscMalloc1(3 * (size_t)d->n_triangles, &around));
  for (int u = 0; u < 3 * d->n_triangles; u++) start[d->triangle[u / 3][u % 3] + 2]++;
  for (int v = 0; v < d->n_vertices; v++) start[v + 2] += start[v + 1];
  for (int u = 0; u < 3 * d->n_triangles; u++)
    around[start[d->triangle[u / 3][u % 3] + 1]++] = u / 3;
  for (int v = 0; v < d->n_vertices; v++)
    relax_vertex(d, start[v + 1] - start[v], around + start[v], v);
  PetscCall(PetscFree(start));
  PetscCall(PetscFree(around));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Turn and relax a few times. */
static PetscErrorCode DraftTidy(Draft *d, int n)
{
  PetscFunctionBeginUser;
  for (int k = 0; k < n; k++) {
    bool settled = false;
    for (int turn = 0; turn < TURNS && !settled; turn++) PetscCall(DraftTurn(d, &settled));
    PetscCall(DraftRelax(d));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* No triangle with such edges is larger than the equilateral one, so this many are needed. */
static PetscErrorCode CheckCount(const Surface *surface, double spacing)
{
  PetscFunctionBeginUser;
  double area2 = 0.0;
  for (int t = 0; t < surface->n_triangles; t++)
    area2 += vec3_norm(triangle_area2(surface->vertex, surface->triangle[t]));
  const double n = 0.5 * area2 / (0.25 * sqrt(3.0) * spacing * spacing);
  PetscCheck(n <= SURFACE_MOST_TRIANGLES, PETSC_COMM_WORLD, PETSC_ERR_USER_INPUT,
             "spacing %g would make %.3g triangles of this surface, at most %.3g are taken",
             spacing, n, SURFACE_MOST_TRIANGLES);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SurfaceDivide(const Surface *surface, double spacing, Surface **divided)
{
  PetscFunctionBeginUser;
  PetscCall(CheckCount(surface, spacing));
  Draft d = {.n_vertices = surface->n_vertices, .n_triangles = surface->n_triangles};
  PetscCall(PetscMalloc1(d.n_vertices, &d.vertex));
  PetscCall(PetscMalloc1(d.n_triangles, &d.triangle));
  PetscCall(PetscArraycpy(d.vertex, surface->vertex, d.n_vertices));
  PetscCall(PetscArraycpy(d.triangle, surface->triangle, d.n_triangles));

  for (bool done = false; !done;) {
    PetscCall(DraftTidy(&d, 1));
    PetscCall(DraftCut(&d, spacing, &done));
    if (!done) continue;
    PetscCall(DraftTidy(&d, LAST_TIDIES));
    PetscCall(DraftCut(&d, spacing, &done));
  }
  PetscCall(SurfaceCreate(d.n_vertices, d.vertex, d.n_triangles, (const int(*)[3])d.triangle, NULL,
                          divided));
  PetscCall(PetscFree(d.vertex));
  PetscCall(PetscFree(d.triangle));
  PetscFunctionReturn(PETSC_SUCCESS);
}
