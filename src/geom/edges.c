/*
 * Which triangles meet at each edge?
 *
 * Uses are dealt to the lower vertex of their edge by counting, then each vertex sorts its few
 * by the other end. Linear in the number of triangles, and the same order always.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "geom/surface_impl.h"

#include <stdlib.h>

typedef struct {
  int other, use;
} End;

static int compare_ends(const void *a, const void *b)
{
  const End *p = a, *q = b;
  if (p->other != q->other) return p->other < q->other ? -1 : 1;
  return (p->use > q->use) - (p->use < q->use);
}

static int lower_vertex(const int triangle[][3], int use)
{
  const int a = use_from(triangle, use), b = use_to(triangle, use);
  return a < b ? a : b;
}

/* The uses of each lower vertex, sorted; first has n_vertices + 1 entries. */
static void deal_ends(int n_vertices, int n_uses, const int triangle[][3], int first[], End end[])
{
  for (int v = 0; v <= n_vertices; v++) first[v] = 0;
  for (int u = 0; u < n_uses; u++) first[lower_vertex(triangle, u)]++;
  for (int v = 0, sum = 0; v <= n_vertices; v++) {
    sum += first[v];
    first[v] = sum;
  }
  for (int u = n_uses - 1; u >= 0; u--) {
    const int low = lower_vertex(triangle, u);
    const int high = use_from(triangle, u) + use_to(triangle, u) - low;
    end[--first[low]] = (End){high, u};
  }
  for (int v = 0; v < n_vertices; v++)
    if (first[v + 1] - first[v] > 1)
      qsort(end + first[v], first[v + 1] - first[v], sizeof(End), compare_ends);
}

PetscErrorCode EdgeTableCreate(int n_vertices, int n_triangles, const int triangle[][3],
                               EdgeTable *table)
{
  PetscFunctionBeginUser;
  const int n_uses = 3 * n_triangles;
  int *first = NULL;
  End *end = NULL;
  PetscCall(PetscMalloc2(n_vertices + 1, &first, n_uses, &end));
  deal_ends(n_vertices, n_uses, triangle, first, end);

  PetscCall(PetscMalloc2(n_uses + 1, &table->start, n_uses, &table->use));
  table->n_edges = 0;
  for (int v = 0; v < n_vertices; v++) {
    for (int i = first[v]; i < first[v + 1]; i++) {
      const bool is_new = i == first[v] || end[i].other != end[i - 1].other;
      if (is_new) table->start[table->n_edges++] = i;
      table->use[i] = end[i].use;
    }
  }
  table->start[table->n_edges] = n_uses;
  PetscCall(PetscFree2(first, end));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode EdgeTableDestroy(EdgeTable *table)
{
  PetscFunctionBeginUser;
  PetscCall(PetscFree2(table->start, table->use));
  table->n_edges = 0;
  PetscFunctionReturn(PETSC_SUCCESS);
}
