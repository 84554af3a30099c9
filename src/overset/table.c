#include "overset/table.h"

PetscErrorCode RowListClear(RowList *list)
{
  PetscFunctionBeginUser;
  if (list->start == NULL) {
    list->room = 1024;
    PetscCall(PetscMalloc1(list->room, &list->slot));
    PetscCall(PetscMalloc1(list->room, &list->cell));
    PetscCall(PetscMalloc1(list->room + 1, &list->start));
  }
  list->n = list->n_terms = 0;
  list->start[0] = 0;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode RowListDestroy(RowList *list)
{
  PetscFunctionBeginUser;
  PetscCall(PetscFree(list->slot));
  PetscCall(PetscFree(list->cell));
  PetscCall(PetscFree(list->start));
  PetscCall(PetscFree(list->other));
  PetscCall(PetscFree(list->weight));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode RowListBegin(RowList *list, int slot, LocalId cell)
{
  PetscFunctionBeginUser;
  if (list->n == list->room) {
    list->room *= 2;
    PetscCall(PetscRealloc(list->room * sizeof *list->slot, &list->slot));
    PetscCall(PetscRealloc(list->room * sizeof *list->cell, &list->cell));
    PetscCall(PetscRealloc((list->room + 1) * sizeof *list->start, &list->start));
  }
  list->slot[list->n] = slot;
  list->cell[list->n] = cell;
  list->start[++list->n] = list->n_terms;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode RowListAdd(RowList *list, LocalId other, double weight)
{
  PetscFunctionBeginUser;
  if (list->n_terms == list->term_room) {
    list->term_room = 2 * list->term_room + 4096;
    PetscCall(PetscRealloc(list->term_room * sizeof *list->other, &list->other));
    PetscCall(PetscRealloc(list->term_room * sizeof *list->weight, &list->weight));
  }
  list->other[list->n_terms] = other;
  list->weight[list->n_terms] = weight;
  list->start[list->n] = ++list->n_terms;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode BrickListAdd(BrickList *list, Brick brick)
{
  PetscFunctionBeginUser;
  if (list->n == list->room) {
    list->room = 2 * list->room + 1024;
    PetscCall(PetscRealloc(list->room * sizeof *list->item, &list->item));
  }
  list->item[list->n++] = brick;
  PetscFunctionReturn(PETSC_SUCCESS);
}

size_t row_list_memory(const RowList *list)
{
  return (size_t)list->room * (sizeof *list->slot + sizeof *list->cell + sizeof *list->start) +
         (size_t)list->term_room * (sizeof *list->other + sizeof *list->weight);
}
