/*
 * Which cells of others does this rank see, and which faces lie between what it sees?
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/sort.h"
#include "comm/block.h"
#include "grid/near_draft_impl.h"

#include <stdlib.h>

/* A cell beyond a face that is not an own one, or the image of any. */
typedef struct {
  GlobalId cell;
  int64_t image;
} HaloCell;

static int compare_halo(const void *a, const void *b)
{
  const HaloCell *p = a, *q = b;
  if (p->cell != q->cell) return p->cell < q->cell ? -1 : 1;
  return p->image < q->image ? -1 : p->image > q->image;
}

static bool is_own(const NearDraft *draft, const Side *side)
{
  return side->image == 0 && side->other >= draft->first &&
         side->other < draft->first + draft->n_own;
}

static PetscErrorCode ListHalo(const NearDraft *draft, LocalId *n_halo, HaloCell **halo)
{
  PetscFunctionBeginUser;
  LocalId n = 0, kept = 0;
  for (LocalId s = 0; s < draft->n_sides; s++)
    n += draft->side[s].beyond == BEYOND_CELL && !is_own(draft, &draft->side[s]);
  PetscCall(PetscMalloc1(n, halo));
  HaloCell *list = *halo;
  n = 0;
  for (LocalId s = 0; s < draft->n_sides; s++) {
    const Side *side = &draft->side[s];
    if (side->beyond == BEYOND_CELL && !is_own(draft, side))
      list[n++] = (HaloCell){side->other, side->image};
  }
  sort_fast(list, (size_t)n, sizeof *list, compare_halo);
  for (LocalId i = 0; i < n; i++)
    if (kept == 0 || compare_halo(&list[i], &list[kept - 1]) != 0) list[kept++] = list[i];
  *n_halo = kept;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Local id of the cell beyond a side. */
static LocalId beyond_side(const NearDraft *draft, const Side *side, LocalId n_halo,
                           const HaloCell halo[])
{
  if (is_own(draft, side)) return (LocalId)(side->other - draft->first);
  const HaloCell wanted = {side->other, side->image};
  const HaloCell *found = bsearch(&wanted, halo, (size_t)n_halo, sizeof *halo, compare_halo);
  return draft->n_own + (LocalId)(found - halo);
}

static PetscErrorCode MakeExchange(const NearDraft *draft, LocalId n_halo, const HaloCell halo[],
                                   Exchange **exchange)
{
  PetscFunctionBeginUser;
  const GlobalId n = draft->input->n_cells;
  int *owner = NULL;
  LocalId *source = NULL;
  PetscCall(PetscMalloc2(n_halo, &owner, n_halo, &source));
  for (LocalId h = 0; h < n_halo; h++) {
    owner[h] = block_owner(n, draft->size, halo[h].cell);
    source[h] = (LocalId)(halo[h].cell - block_first(n, draft->size, owner[h]));
  }
  PetscCall(
      ExchangeCreate(draft->comm, draft->n_own, n_halo, owner, source, NEAR_COMPONENTS, exchange));
  PetscCall(PetscFree2(owner, source));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Own cells, then halo; an image stands where its displaced cell would. */
static PetscErrorCode FillCells(const NearDraft *draft, const HaloCell halo[], NearGrid *grid)
{
  PetscFunctionBeginUser;
  const LocalId n = grid->n_local, n_own = grid->n_own;
  PetscCall(PetscMalloc1(n, &grid->cell_id));
  PetscCall(PetscMalloc4(n, &grid->volume, n, &grid->x, n, &grid->y, n, &grid->z));
  for (LocalId c = 0; c < n_own; c++) {
    grid->cell_id[c] = draft->first + c;
    grid->volume[c] = draft->volume[c];
    grid->x[c] = draft->center[c].x;
    grid->y[c] = draft->center[c].y;
    grid->z[c] = draft->center[c].z;
  }
  double *const field[] = {grid->volume, grid->x, grid->y, grid->z};
  PetscCall(ExchangeUpdate(grid->halo, 4, 1, field));
  for (LocalId c = n_own; c < n; c++) {
    const HaloCell *h = &halo[c - n_own];
    grid->cell_id[c] = h->cell;
    if (h->image == 0) continue;
    const double way = h->image % 2 == 1 ? -1.0 : 1.0;
    const Vec3 shift = vec3_scale(way, draft->periodic[(h->image - 1) / 2].shift);
    grid->x[c] += shift.x;
    grid->y[c] += shift.y;
    grid->z[c] += shift.z;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode DraftHalo(NearDraft *draft, NearGrid *grid)
{
  PetscFunctionBeginUser;
  LocalId n_halo = 0;
  HaloCell *halo = NULL;
  PetscCall(ListHalo(draft, &n_halo, &halo));
  grid->n_own = draft->n_own;
  grid->n_local = draft->n_own + n_halo;
  PetscCall(MakeExchange(draft, n_halo, halo, &grid->halo));
  PetscCall(FillCells(draft, halo, grid));
  for (LocalId s = 0; s < draft->n_sides; s++)
    if (draft->side[s].beyond == BEYOND_CELL)
      draft->side[s].neighbor = beyond_side(draft, &draft->side[s], n_halo, halo);
  PetscCall(PetscFree(halo));
  PetscFunctionReturn(PETSC_SUCCESS);
}
