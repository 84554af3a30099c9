/*
 * The surface of two closed solids together: what of each lies outside the other.
 *
 * Along every edge the winding number of the other solid is followed from piercing to piercing.
 * On a triangle, the parts of its rim that lie outside and the seams close to loops around what is
 * to be seen of it; these are cut into triangles. Vertices come from edges and triangles by their
 * numbers, never by their places, so the new surface is closed whatever rounding does to it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "geom/pierce.h"
#include "geom/polygon.h"
#include "geom/surface_check_impl.h"

#include <stdlib.h>

/* Piercings nearer along an edge than this part of it may be told in either order. */
#define SAME_PLACE 1e-9

/* One solid while it is trimmed by the other. */
typedef struct {
  const Solid *solid, *other;
  const Cut *cut;
  int of;             /* 0 or 1 */
  int vertex_offset;  /* of its vertices, in the result */
  int pierced_offset; /* of the piercings */
  int *first;         /* owned, n_edges + 1: its piercings by edge */
  int *order;         /* owned, all piercings: those of an edge along it */
  int *winding;       /* owned, of the other solid around its vertices */
  int *seam_start;    /* owned, n_triangles + 1 */
  int *seam;          /* owned: seams by triangle */
} Side;

/* The result as it grows. */
typedef struct {
  size_t n, room;
  int (*triangle)[3]; /* owned */
  int *tag;           /* owned */
} Visible;

typedef struct {
  int from, to;
} Stretch;

static PetscErrorCode SideCreate(Side *side)
{
  PetscFunctionBeginUser;
  const int n_edges = side->solid->edges.n_edges, n_triangles = side->solid->mesh->n_triangles;
  const Cut *cut = side->cut;
  PetscCall(PetscCalloc3(n_edges + 1, &side->first, cut->n_piercings + 1, &side->order,
                         side->solid->mesh->n_vertices + 1, &side->winding));
  PetscCall(PetscCalloc2(n_triangles + 2, &side->seam_start, cut->n_seams + 1, &side->seam));
  int before = 0;
  for (int i = 0; i < cut->n_piercings; i++) {
    side->order[i] = i;
    before += cut->piercing[i].of < side->of;
    if (cut->piercing[i].of == side->of) side->first[cut->piercing[i].edge + 1]++;
  }
  side->first[0] = before;
  for (int e = 0; e < n_edges; e++) side->first[e + 1] += side->first[e];
  for (int k = 0; k < cut->n_seams; k++) side->seam_start[cut->seam[k].triangle[side->of] + 2]++;
  for (int t = 0; t < n_triangles; t++) side->seam_start[t + 2] += side->seam_start[t + 1];
  for (int k = 0; k < cut->n_seams; k++)
    side->seam[side->seam_start[cut->seam[k].triangle[side->of] + 1]++] = k;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode SideDestroy(Side *side)
{
  PetscFunctionBeginUser;
  PetscCall(PetscFree3(side->first, side->order, side->winding));
  PetscCall(PetscFree2(side->seam_start, side->seam));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The change of the winding number along an edge, from its lower to its higher vertex. */
static int edge_change(const Side *side, int e)
{
  int change = 0;
  for (int i = side->first[e]; i < side->first[e + 1]; i++)
    change += side->cut->piercing[i].enters ? 1 : -1;
  return change;
}

/* Edges around each vertex: around[start[v]] up to around[start[v + 1]]. */
static PetscErrorCode EdgesAround(const Solid *solid, int **start, int **around)
{
  PetscFunctionBeginUser;
  const int n = solid->mesh->n_vertices;
  PetscCall(PetscCalloc2(n + 2, start, 2 * solid->edges.n_edges + 1, around));
  int end[2];
  for (int e = 0; e < solid->edges.n_edges; e++) {
    solid_edge_ends(solid, e, end);
    (*start)[end[0] + 2]++, (*start)[end[1] + 2]++;
  }
  for (int v = 0; v < n; v++) (*start)[v + 2] += (*start)[v + 1];
  for (int e = 0; e < solid->edges.n_edges; e++) {
    solid_edge_ends(solid, e, end);
    (*around)[(*start)[end[0] + 1]++] = e;
    (*around)[(*start)[end[1] + 1]++] = e;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Ask for one vertex of each piece, follow the edges to the others. */
static PetscErrorCode WindingsFind(Side *side, bool *consistent)
{
  PetscFunctionBeginUser;
  const int n = side->solid->mesh->n_vertices;
  int *start = NULL, *around = NULL, *stack = NULL;
  bool *known = NULL;
  PetscCall(EdgesAround(side->solid, &start, &around));
  PetscCall(PetscCalloc2(n, &known, n, &stack));
  for (int seed = 0; seed < n; seed++) {
    if (known[seed] || start[seed] == start[seed + 1]) continue;
    side->winding[seed] = solid_winding(side->solid, seed, side->other);
    known[seed] = true;
    int depth = 0;
    stack[depth++] = seed;
    while (depth > 0) {
      const int v = stack[--depth];
      for (int i = start[v]; i < start[v + 1]; i++) {
        int end[2];
        solid_edge_ends(side->solid, around[i], end);
        const int change = edge_change(side, around[i]), next = end[0] == v ? end[1] : end[0];
        const int there = side->winding[v] + (end[0] == v ? change : -change);
        if (known[next]) {
          *consistent = *consistent && side->winding[next] == there;
          continue;
        }
        side->winding[next] = there;
        known[next] = true;
        stack[depth++] = next;
      }
    }
  }
  PetscCall(PetscFree2(start, around));
  PetscCall(PetscFree2(known, stack));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/*
 * Put the piercings of an edge in the order in which it comes in and out by turns. Each time the
 * nearest of the kind that is due is taken; it may be passed only by rounding.
 */
static bool order_edge(Side *side, int e)
{
  const Piercing *p = side->cut->piercing;
  int *order = side->order, end[2];
  solid_edge_ends(side->solid, e, end);
  int winding = side->winding[end[0]];
  for (int i = side->first[e]; i < side->first[e + 1]; i++) {
    int best = -1, nearest = i;
    for (int j = i; j < side->first[e + 1]; j++) {
      if (p[order[j]].s < p[order[nearest]].s) nearest = j;
      if (p[order[j]].enters == (winding == 0) && (best < 0 || p[order[j]].s < p[order[best]].s))
        best = j;
    }
    if (best < 0 || p[order[best]].s > p[order[nearest]].s + SAME_PLACE) return false;
    const int taken = order[best];
    order[best] = order[i];
    order[i] = taken;
    winding += p[taken].enters ? 1 : -1;
  }
  return true;
}

/* The parts of side k of a triangle that are to be seen, in the direction of the triangle. */
static int visible_parts(const Side *side, int t, int k, Stretch stretch[])
{
  const int *v = side->solid->mesh->triangle[t];
  const int a = v[k], b = v[(k + 1) % 3], e = side->solid->edge_of[3 * t + k];
  const int first = side->first[e], m = side->first[e + 1] - first;
  int n = 0;
  bool outside = side->winding[a] == 0;
  for (int i = 0, from = side->vertex_offset + a; i <= m; i++) {
    const int next = a < b ? i : m - 1 - i;
    const int to =
        i < m ? side->pierced_offset + side->order[first + next] : side->vertex_offset + b;
    if (outside) stretch[n++] = (Stretch){from, to};
    from = to;
    outside = !outside;
  }
  return n;
}

static int compare_stretches(const void *a, const void *b)
{
  const Stretch *p = a, *q = b;
  return (p->from > q->from) - (p->from < q->from);
}

/* Work arrays for one triangle. */
typedef struct {
  int room;
  Stretch *stretch;   /* owned */
  int *point, *start; /* owned */
  double *x, *y;      /* owned */
  int (*triangle)[3]; /* owned */
} Work;

static PetscErrorCode WorkReserve(Work *w, int need)
{
  PetscFunctionBeginUser;
  if (need <= w->room) PetscFunctionReturn(PETSC_SUCCESS);
  w->room = 2 * need;
  const size_t room = (size_t)w->room;
  PetscCall(PetscRealloc(room * sizeof *w->stretch, &w->stretch));
  PetscCall(PetscRealloc(room * sizeof *w->point, &w->point));
  PetscCall(PetscRealloc((room + 1) * sizeof *w->start, &w->start));
  PetscCall(PetscRealloc(room * sizeof *w->x, &w->x));
  PetscCall(PetscRealloc(room * sizeof *w->y, &w->y));
  PetscCall(PetscRealloc(3 * room * sizeof *w->triangle, &w->triangle));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode WorkDestroy(Work *w)
{
  PetscFunctionBeginUser;
  PetscCall(PetscFree(w->stretch));
  PetscCall(PetscFree(w->point));
  PetscCall(PetscFree(w->start));
  PetscCall(PetscFree(w->x));
  PetscCall(PetscFree(w->y));
  PetscCall(PetscFree(w->triangle));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Everything that bounds what is to be seen of a triangle. */
static int collect_rim(const Side *side, int t, Stretch stretch[])
{
  int n = 0;
  for (int k = 0; k < 3; k++) n += visible_parts(side, t, k, stretch + n);
  for (int i = side->seam_start[t]; i < side->seam_start[t + 1]; i++) {
    const Seam *seam = &side->cut->seam[side->seam[i]];
    const int from = side->pierced_offset + (side->of == 0 ? seam->from : seam->to);
    const int to = side->pierced_offset + (side->of == 0 ? seam->to : seam->from);
    stretch[n++] = (Stretch){from, to};
  }
  return n;
}

/* Follow stretches, sorted by their starts, to loops of points; the number of loops, -1 if some do
 * not close. Stretches that were taken point nowhere. */
static int trace_loops(int n, Stretch stretch[], int point[], int start[])
{
  int n_loops = 0, n_points = 0;
  for (int i = 0; i < n; i++) {
    if (stretch[i].to < 0) continue;
    start[n_loops++] = n_points;
    for (int at = i;;) {
      if (stretch[at].to < 0) return -1;
      point[n_points++] = stretch[at].from;
      const Stretch key = {stretch[at].to, 0};
      stretch[at].to = -1;
      if (key.from == stretch[i].from) break;
      const Stretch *next = bsearch(&key, stretch, (size_t)n, sizeof key, compare_stretches);
      if (next == NULL) return -1;
      at = (int)(next - stretch);
    }
  }
  start[n_loops] = n_points;
  return n_loops;
}

static Vec3 place_of(const Side *side, int point)
{
  return point >= side->pierced_offset ? side->cut->piercing[point - side->pierced_offset].at
                                       : side->solid->mesh->vertex[point - side->vertex_offset];
}

/* Coordinates in the plane of the triangle, along the two axes it faces least. */
static void flatten(const Side *side, int t, int n, const int point[], double x[], double y[])
{
  const Vec3 normal = triangle_area2(side->solid->mesh->vertex, side->solid->mesh->triangle[t]);
  const double ax = fabs(normal.x), ay = fabs(normal.y), az = fabs(normal.z);
  const int w = ax >= ay && ax >= az ? 0 : ay >= az ? 1 : 2;
  const int u = (w + 1) % 3, v = (w + 2) % 3;
  const bool faces_down = vec3_at(normal, w) < 0.0;
  for (int i = 0; i < n; i++) {
    const Vec3 p = place_of(side, point[i]);
    x[i] = vec3_at(p, faces_down ? v : u);
    y[i] = vec3_at(p, faces_down ? u : v);
  }
}

static PetscErrorCode VisibleAdd(Visible *out, const int triangle[3], int tag)
{
  PetscFunctionBeginUser;
  if (out->n == out->room) {
    out->room = 2 * out->room + 256;
    PetscCall(PetscRealloc(out->room * sizeof *out->triangle, &out->triangle));
    PetscCall(PetscRealloc(out->room * sizeof *out->tag, &out->tag));
  }
  PetscCall(PetscArraycpy(out->triangle[out->n], triangle, 3));
  out->tag[out->n++] = tag;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What is to be seen of one triangle. */
static PetscErrorCode TriangleTrim(const Side *side, int t, Work *w, Visible *out, bool *consistent)
{
  PetscFunctionBeginUser;
  const Triangles *mesh = side->solid->mesh;
  int n_rim = 3 + side->seam_start[t + 1] - side->seam_start[t];
  for (int k = 0; k < 3; k++) {
    const int e = side->solid->edge_of[3 * t + k];
    n_rim += side->first[e + 1] - side->first[e];
  }
  if (n_rim == 3) {
    const int *v = mesh->triangle[t], o = side->vertex_offset;
    const int same[3] = {v[0] + o, v[1] + o, v[2] + o};
    if (side->winding[v[0]] == 0) PetscCall(VisibleAdd(out, same, mesh->tag[t]));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(WorkReserve(w, n_rim));
  const int n = collect_rim(side, t, w->stretch);
  qsort(w->stretch, (size_t)n, sizeof *w->stretch, compare_stretches);
  const int n_loops = trace_loops(n, w->stretch, w->point, w->start);
  *consistent = *consistent && n_loops >= 0;
  if (n_loops <= 0) PetscFunctionReturn(PETSC_SUCCESS);
  int n_triangles = 0;
  flatten(side, t, n, w->point, w->x, w->y);
  PetscCall(PolygonTriangulate(n_loops, w->start, w->x, w->y, w->triangle, &n_triangles));
  for (int i = 0; i < n_triangles; i++) {
    const int *k = w->triangle[i];
    const int found[3] = {w->point[k[0]], w->point[k[1]], w->point[k[2]]};
    PetscCall(VisibleAdd(out, found, mesh->tag[t]));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode SideTrim(Side *side, Visible *out, bool *consistent)
{
  PetscFunctionBeginUser;
  Work work = {0};
  PetscCall(SideCreate(side));
  PetscCall(WindingsFind(side, consistent));
  for (int e = 0; e < side->solid->edges.n_edges && *consistent; e++)
    *consistent = order_edge(side, e);
  for (int t = 0; t < side->solid->mesh->n_triangles && *consistent; t++)
    PetscCall(TriangleTrim(side, t, &work, out, consistent));
  PetscCall(WorkDestroy(&work));
  PetscCall(SideDestroy(side));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Vertices of both solids and the piercings, with the triangles that are to be seen. */
static PetscErrorCode Gather(const Solid solid[2], const Cut *cut, const Visible *out,
                             Triangles *both)
{
  PetscFunctionBeginUser;
  const int n0 = solid[0].mesh->n_vertices, n1 = solid[1].mesh->n_vertices;
  PetscCall(TrianglesCreate(n0 + n1 + cut->n_piercings, (int)out->n, both));
  PetscCall(PetscArraycpy(both->vertex, solid[0].mesh->vertex, n0));
  PetscCall(PetscArraycpy(both->vertex + n0, solid[1].mesh->vertex, n1));
  for (int i = 0; i < cut->n_piercings; i++) both->vertex[n0 + n1 + i] = cut->piercing[i].at;
  PetscCall(PetscArraycpy(both->triangle, out->triangle, out->n));
  PetscCall(PetscMalloc1(out->n + 1, &both->tag));
  PetscCall(PetscArraycpy(both->tag, out->tag, out->n));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode TrianglesUnite(const Triangles *a, const Triangles *b, Triangles *both, bool *done)
{
  PetscFunctionBeginUser;
  Solid solid[2];
  Cut cut;
  Visible out = {0};
  PetscCall(SolidCreate(a, false, &solid[0]));
  PetscCall(SolidCreate(b, true, &solid[1]));
  PetscCall(CutCreate(solid, &cut, done));
  const int offset[2] = {0, a->n_vertices};
  for (int k = 0; k < 2 && *done; k++) {
    Side side = {.solid = &solid[k],
                 .other = &solid[1 - k],
                 .cut = &cut,
                 .of = k,
                 .vertex_offset = offset[k],
                 .pierced_offset = a->n_vertices + b->n_vertices};
    PetscCall(SideTrim(&side, &out, done));
  }
  if (*done) PetscCall(Gather(solid, &cut, &out, both));
  PetscCall(PetscFree(out.triangle));
  PetscCall(PetscFree(out.tag));
  PetscCall(CutDestroy(&cut));
  for (int k = 0; k < 2; k++) PetscCall(SolidDestroy(&solid[k]));
  PetscFunctionReturn(PETSC_SUCCESS);
}
