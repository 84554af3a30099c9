/*
 * Which vertices do some cells have, and where are they?
 *
 * Each vertex is asked for once; they are kept in the order of their ids, so that the lowest
 * local id is the lowest global one.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/sort.h"
#include "comm/route.h"
#include "grid/near_draft_impl.h"

static int compare_ids(const void *a, const void *b)
{
  const GlobalId p = *(const GlobalId *)a, q = *(const GlobalId *)b;
  return p < q ? -1 : p > q;
}

static LocalId place_of(LocalId n, const GlobalId id[], GlobalId wanted)
{
  LocalId lo = 0, hi = n - 1;
  while (lo < hi) {
    const LocalId mid = lo + (hi - lo) / 2;
    if (id[mid] < wanted)
      lo = mid + 1;
    else
      hi = mid;
  }
  return lo;
}

/* Among the corners of polyhedra stand counts; mark them. */
static void mark_counts(const CellList *cells, bool is_count[])
{
  for (LocalId c = 0; c < cells->n; c++) {
    const LocalId end = cells->start[c + 1];
    for (LocalId i = cells->start[c]; i < end; i++) is_count[i] = false;
    if (cells->kind[c] != CELL_POLYHEDRON) continue;
    for (LocalId i = cells->start[c]; i < end; i += (LocalId)cells->corner[i] + 1)
      is_count[i] = true;
  }
}

static LocalId sort_unique(LocalId n, GlobalId id[])
{
  LocalId kept = 0;
  sort_fast(id, (size_t)n, sizeof *id, compare_ids);
  for (LocalId i = 0; i < n; i++)
    if (kept == 0 || id[i] != id[kept - 1]) id[kept++] = id[i];
  return kept;
}

PetscErrorCode CellVerticesCreate(MPI_Comm comm, const GridInput *input, const CellList *cells,
                                  CellVertices *vertices)
{
  PetscFunctionBeginUser;
  const LocalId n_corners = cells->n > 0 ? cells->start[cells->n] : 0;
  bool *is_count = NULL;
  LocalId n = 0;
  PetscCall(PetscMalloc1(n_corners, &is_count));
  PetscCall(PetscMalloc1(n_corners, &vertices->id));
  mark_counts(cells, is_count);
  for (LocalId i = 0; i < n_corners; i++)
    if (!is_count[i]) vertices->id[n++] = cells->corner[i];
  n = vertices->n = sort_unique(n, vertices->id);
  PetscCall(PetscRealloc(PetscMax(n, 1) * sizeof *vertices->id, &vertices->id));
  PetscCall(PetscMalloc1(n, &vertices->at));
  PetscCall(PetscMalloc1(n_corners, &vertices->corner));
  PetscCall(BlockFetch(comm, input->n_vertices, sizeof *vertices->at, input->vertex, n,
                       vertices->id, vertices->at));
  for (LocalId i = 0; i < n_corners; i++)
    vertices->corner[i] =
        is_count[i] ? (LocalId)cells->corner[i] : place_of(n, vertices->id, cells->corner[i]);
  PetscCall(PetscFree(is_count));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CellVerticesFree(CellVertices *vertices)
{
  PetscFunctionBeginUser;
  PetscCall(PetscFree(vertices->id));
  PetscCall(PetscFree(vertices->at));
  PetscCall(PetscFree(vertices->corner));
  PetscFunctionReturn(PETSC_SUCCESS);
}
