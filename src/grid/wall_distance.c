/*
 * All ranks learn all triangles of the walls, far fewer than cells, and sort them into a tree of
 * boxes. A walk through the tree looks into the nearer half first and leaves out what is farther
 * than the best so far.
 */
#include "grid/wall_distance.h"

#include "geom/triangle.h"

#include <stdlib.h>

enum { LEAF = 4, DEPTH = 64 };

/* Triangles [first, first + n); the lower half is the next node, the upper one `upper`. */
typedef struct {
  Box box;
  int first, n, upper;
} Node;

typedef struct {
  int n, n_nodes;
  Corners *triangle; /* owned */
  Node *node;        /* owned */
} WallTree;

static LocalId count_triangles(const NearGrid *g, const bool is_wall[])
{
  LocalId n = 0;
  for (int p = 0; p < g->n_patches; p++)
    for (LocalId f = g->patch[p].first_face; f < g->patch[p].first_face + g->patch[p].n_faces; f++)
      if (is_wall[p])
        n += g->ring_start[f - g->n_interior + 1] - g->ring_start[f - g->n_interior] - 2;
  return n;
}

/* The fan of a ring around its lowest vertex, as the metrics of the grid have it. */
static int add_fan(const NearGrid *g, LocalId f, Corners *to)
{
  const LocalId *ring = g->ring + g->ring_start[f - g->n_interior];
  const int n = (int)(g->ring_start[f - g->n_interior + 1] - g->ring_start[f - g->n_interior]);
  int low = 0;
  for (int k = 1; k < n; k++)
    if (g->vertex_id[ring[k]] < g->vertex_id[ring[low]]) low = k;
  for (int k = 1; k < n - 1; k++)
    to[k - 1] = (Corners){g->vertex[ring[low]], g->vertex[ring[(low + k) % n]],
                          g->vertex[ring[(low + k + 1) % n]]};
  return n - 2;
}

static PetscErrorCode gather(const NearGrid *g, const bool is_wall[], WallTree *t)
{
  PetscFunctionBeginUser;
  const int numbers = (int)(sizeof(Corners) / sizeof(double));
  int size, n = 0, *count, *start;
  Corners *own;
  PetscCallMPI(MPI_Comm_size(g->comm, &size));
  PetscCall(PetscMalloc3(count_triangles(g, is_wall), &own, size, &count, size, &start));
  for (int p = 0; p < g->n_patches; p++)
    for (LocalId f = g->patch[p].first_face; f < g->patch[p].first_face + g->patch[p].n_faces; f++)
      if (is_wall[p]) n += add_fan(g, f, own + n);
  n *= numbers;
  PetscCallMPI(MPI_Allgather(&n, 1, MPI_INT, count, 1, MPI_INT, g->comm));
  int all = 0;
  for (int r = 0; r < size; r++) start[r] = all, all += count[r];
  t->n = all / numbers;
  PetscCall(PetscMalloc2(t->n, &t->triangle, 2 * t->n + 1, &t->node));
  PetscCallMPI(MPI_Allgatherv(own, n, MPI_DOUBLE, t->triangle, count, start, MPI_DOUBLE, g->comm));
  PetscCall(PetscFree3(own, count, start));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static Vec3 middle(const Corners *t)
{
  return vec3_add(vec3_add(t->a, t->b), t->c);
}

static int by_x(const void *a, const void *b)
{
  const double x = middle(a).x, y = middle(b).x;
  return (x > y) - (x < y);
}

static int by_y(const void *a, const void *b)
{
  const double x = middle(a).y, y = middle(b).y;
  return (x > y) - (x < y);
}

static int by_z(const void *a, const void *b)
{
  const double x = middle(a).z, y = middle(b).z;
  return (x > y) - (x < y);
}

/* The tree over a run of triangles; halves along the longest edge of their box. */
static void build(WallTree *t, int first, int n)
{
  const int here = t->n_nodes++;
  Box box = box_empty();
  for (int k = first; k < first + n; k++) {
    const Corners *c = &t->triangle[k];
    box = box_add_point(box_add_point(box_add_point(box, c->a), c->b), c->c);
  }
  t->node[here] = (Node){box, first, n, 0};
  if (n <= LEAF) return;
  const Vec3 size = box_size(box);
  const bool x = size.x >= size.y && size.x >= size.z, y = size.y >= size.z;
  qsort(t->triangle + first, (size_t)n, sizeof(Corners), x ? by_x : y ? by_y : by_z);
  build(t, first, n / 2);
  t->node[here].upper = t->n_nodes;
  build(t, first + n / 2, n - n / 2);
}

static double box_distance2(const Box *b, Vec3 p)
{
  const Vec3 d = {fmax(fmax(b->lo.x - p.x, p.x - b->hi.x), 0.0),
                  fmax(fmax(b->lo.y - p.y, p.y - b->hi.y), 0.0),
                  fmax(fmax(b->lo.z - p.z, p.z - b->hi.z), 0.0)};
  return vec3_norm2(d);
}

static double leaf_distance2(const WallTree *t, const Node *node, Vec3 p, double best)
{
  for (int k = node->first; k < node->first + node->n; k++) {
    const double d2 = triangle_foot(&t->triangle[k], p).distance2;
    best = d2 < best ? d2 : best;
  }
  return best;
}

/* The square of the distance from p. */
static double distance2(const WallTree *t, Vec3 p)
{
  /* What is left out must be farther beyond the rounding of either number. */
  const double sure = 1.0 + 1e-12;
  int stack[DEPTH], n = 0;
  double best = HUGE_VAL;
  if (t->n > 0) stack[n++] = 0;
  while (n > 0) {
    const int here = stack[--n];
    const Node *node = &t->node[here];
    if (box_distance2(&node->box, p) > sure * best) continue;
    if (node->upper == 0) {
      best = leaf_distance2(t, node, p, best);
      continue;
    }
    const bool upper_first =
        box_distance2(&t->node[node->upper].box, p) < box_distance2(&t->node[here + 1].box, p);
    stack[n++] = upper_first ? here + 1 : node->upper;
    stack[n++] = upper_first ? node->upper : here + 1;
  }
  return best;
}

PetscErrorCode WallDistanceFind(const NearGrid *g, const bool is_wall[], double distance[])
{
  PetscFunctionBeginUser;
  WallTree t = {0};
  PetscCall(gather(g, is_wall, &t));
  if (t.n > 0) build(&t, 0, t.n);
  for (LocalId c = 0; c < g->n_local; c++)
    distance[c] = sqrt(distance2(&t, vec3(g->x[c], g->y[c], g->z[c])));
  PetscCall(PetscFree2(t.triangle, t.node));
  PetscFunctionReturn(PETSC_SUCCESS);
}
