/*
 * Which vertices are meant to be one?
 *
 * Vertices go one by one, in their order, into a grid of small boxes kept in a hash table; one
 * that finds an earlier vertex within the tolerance becomes that vertex. Linear in the number
 * of vertices and the same on every machine.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/hash.h"
#include "geom/surface_check_impl.h"

PetscErrorCode TrianglesCreate(int n_vertices, int n_triangles, Triangles *triangles)
{
  PetscFunctionBeginUser;
  triangles->n_vertices = n_vertices;
  triangles->n_triangles = n_triangles;
  triangles->half = NULL;
  triangles->tag = NULL;
  PetscCall(PetscMalloc2(n_vertices, &triangles->vertex, n_triangles, &triangles->triangle));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode TrianglesDestroy(Triangles *triangles)
{
  PetscFunctionBeginUser;
  PetscCall(PetscFree2(triangles->vertex, triangles->triangle));
  PetscCall(PetscFree(triangles->half));
  PetscCall(PetscFree(triangles->tag));
  triangles->n_vertices = triangles->n_triangles = 0;
  PetscFunctionReturn(PETSC_SUCCESS);
}

typedef struct {
  Vec3 origin;
  double cell, tolerance;
  uint64_t mask;
  int *head; /* owned, mask + 1: newest kept vertex of a slot, or -1 */
  int *next; /* owned: the kept vertex before it in the slot */
} WeldGrid;

static uint64_t slot_of(const WeldGrid *g, long i, long j, long k)
{
  return hash_word(0, (uint64_t)i << 42 ^ (uint64_t)j << 21 ^ (uint64_t)k) & g->mask;
}

static long cell_of(double x, double origin, double cell)
{
  return (long)floor((x - origin) / cell);
}

/* The lowest kept vertex of a slot within tolerance of p, or best if none is lower. */
static int search_slot(const WeldGrid *g, uint64_t slot, const Vec3 kept[], Vec3 p, int best)
{
  const double reach2 = g->tolerance * g->tolerance;
  for (int v = g->head[slot]; v >= 0; v = g->next[v])
    if (vec3_norm2(vec3_sub(kept[v], p)) <= reach2 && (best < 0 || v < best)) best = v;
  return best;
}

/* The reach of a vertex touches two cells per direction at most. */
static int find_kept(const WeldGrid *g, const Vec3 kept[], Vec3 p)
{
  const double t = g->tolerance;
  const Vec3 o = g->origin;
  int best = -1;
  for (long i = cell_of(p.x - t, o.x, g->cell); i <= cell_of(p.x + t, o.x, g->cell); i++)
    for (long j = cell_of(p.y - t, o.y, g->cell); j <= cell_of(p.y + t, o.y, g->cell); j++)
      for (long k = cell_of(p.z - t, o.z, g->cell); k <= cell_of(p.z + t, o.z, g->cell); k++)
        best = search_slot(g, slot_of(g, i, j, k), kept, p, best);
  return best;
}

/* Weld in place: vertex[] is compressed to the kept ones, of[] tells who became whom. */
static int weld_vertices(WeldGrid *g, int n, Vec3 vertex[], int of[])
{
  int n_kept = 0;
  for (int v = 0; v < n; v++) {
    const Vec3 p = vertex[v];
    of[v] = find_kept(g, vertex, p);
    if (of[v] >= 0) continue;
    of[v] = n_kept;
    vertex[n_kept] = p;
    const uint64_t slot =
        slot_of(g, cell_of(p.x, g->origin.x, g->cell), cell_of(p.y, g->origin.y, g->cell),
                cell_of(p.z, g->origin.z, g->cell));
    g->next[n_kept] = g->head[slot];
    g->head[slot] = n_kept++;
  }
  return n_kept;
}

PetscErrorCode TrianglesWeld(Triangles *mesh, Box box, double tolerance, int *n_welded)
{
  PetscFunctionBeginUser;
  uint64_t n_slots = 16;
  while (n_slots < (uint64_t)mesh->n_vertices) n_slots *= 2;
  const double size = box_longest(box);
  WeldGrid grid = {.origin = box.lo, .tolerance = tolerance, .mask = n_slots - 1};
  grid.cell = PetscMax(4.0 * tolerance, size > 0.0 ? ldexp(size, -20) : 1.0);

  int *of = NULL;
  PetscCall(PetscMalloc3(n_slots, &grid.head, mesh->n_vertices, &grid.next, mesh->n_vertices, &of));
  for (uint64_t s = 0; s < n_slots; s++) grid.head[s] = -1;
  const int n_before = mesh->n_vertices;
  mesh->n_vertices = weld_vertices(&grid, n_before, mesh->vertex, of);
  *n_welded = n_before - mesh->n_vertices;
  for (int t = 0; t < mesh->n_triangles; t++)
    for (int k = 0; k < 3; k++) mesh->triangle[t][k] = of[mesh->triangle[t][k]];
  PetscCall(PetscFree3(grid.head, grid.next, of));
  PetscFunctionReturn(PETSC_SUCCESS);
}
