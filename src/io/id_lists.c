#include "io/id_lists.h"

PetscErrorCode RoomFor(LocalId n, LocalId *room, size_t size, void *array)
{
  PetscFunctionBeginUser;
  if (n < *room) PetscFunctionReturn(PETSC_SUCCESS);
  *room = n + n / 2 + 64;
  PetscCall(PetscRealloc(*room * size, array));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode IdListsAdd(IdLists *lists, int n, const GlobalId item[])
{
  PetscFunctionBeginUser;
  PetscCall(RoomFor(lists->n + 1, &lists->n_room, sizeof *lists->start, &lists->start));
  if (lists->n == 0) lists->start[0] = 0;
  const LocalId first = lists->start[lists->n];
  PetscCall(RoomFor(first + n, &lists->item_room, sizeof *lists->item, &lists->item));
  PetscCall(PetscArraycpy(lists->item + first, item, n));
  lists->start[++lists->n] = first + n;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode IdListsFree(IdLists *lists)
{
  PetscFunctionBeginUser;
  PetscCall(PetscFree(lists->start));
  PetscCall(PetscFree(lists->item));
  *lists = (IdLists){0};
  PetscFunctionReturn(PETSC_SUCCESS);
}
