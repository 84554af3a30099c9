/*
 * Polygons of all ranks on one, and the corners they share.
 */
#include "base/hash.h"
#include "io/slice_impl.h"

#include <string.h>

enum { TAG_COUNT = 81, TAG_START, TAG_X, TAG_VALUE, TAG_SHOW };

static PetscErrorCode send_part(MPI_Comm comm, const SlicePart *p)
{
  PetscFunctionBeginUser;
  const int count[2] = {p->n, p->n_corners};
  PetscCallMPI(MPI_Send(count, 2, MPI_INT, 0, TAG_COUNT, comm));
  if (p->n == 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCallMPI(MPI_Send(p->start, p->n + 1, MPI_INT, 0, TAG_START, comm));
  PetscCallMPI(MPI_Send(p->x, 3 * p->n_corners, MPI_DOUBLE, 0, TAG_X, comm));
  PetscCallMPI(MPI_Send(p->value, PIECE_VALUES * p->n, MPI_DOUBLE, 0, TAG_VALUE, comm));
  PetscCallMPI(MPI_Send(p->show, p->n, MPI_INT, 0, TAG_SHOW, comm));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode take_part(MPI_Comm comm, int from, SlicePart *p)
{
  PetscFunctionBeginUser;
  int count[2];
  MPI_Status s;
  PetscCallMPI(MPI_Recv(count, 2, MPI_INT, from, TAG_COUNT, comm, &s));
  const int n = count[0], corners = count[1];
  if (n == 0) PetscFunctionReturn(PETSC_SUCCESS);
  p->room = p->n + n + 1;
  p->corner_room = p->n_corners + corners;
  PetscCall(PetscRealloc((size_t)p->room * sizeof *p->start, &p->start));
  PetscCall(PetscRealloc((size_t)p->room * PIECE_VALUES * sizeof *p->value, &p->value));
  PetscCall(PetscRealloc((size_t)p->room * sizeof *p->show, &p->show));
  PetscCall(PetscRealloc((size_t)p->corner_room * 3 * sizeof *p->x, &p->x));
  PetscCallMPI(MPI_Recv(p->start + p->n, n + 1, MPI_INT, from, TAG_START, comm, &s));
  PetscCallMPI(
      MPI_Recv(p->x + 3 * (size_t)p->n_corners, 3 * corners, MPI_DOUBLE, from, TAG_X, comm, &s));
  PetscCallMPI(MPI_Recv(p->value + PIECE_VALUES * (size_t)p->n, PIECE_VALUES * n, MPI_DOUBLE, from,
                        TAG_VALUE, comm, &s));
  PetscCallMPI(MPI_Recv(p->show + p->n, n, MPI_INT, from, TAG_SHOW, comm, &s));
  for (int k = p->n; k <= p->n + n; k++) p->start[k] += p->n_corners;
  p->n += n;
  p->n_corners += corners;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SliceGather(MPI_Comm comm, SlicePart *p)
{
  PetscFunctionBeginUser;
  int rank, size;
  PetscCallMPI(MPI_Comm_rank(comm, &rank));
  PetscCallMPI(MPI_Comm_size(comm, &size));
  if (rank > 0) PetscCall(send_part(comm, p));
  for (int from = 1; from < size && rank == 0; from++) PetscCall(take_part(comm, from, p));
  PetscFunctionReturn(PETSC_SUCCESS);
}

double slice_value(FlowQuantity quantity, const double value[PIECE_VALUES])
{
  switch (quantity) {
  case QUANTITY_DENSITY:
    return value[0];
  case QUANTITY_PRESSURE:
    return value[4];
  case QUANTITY_TEMPERATURE:
    return value[5];
  case QUANTITY_SPEED:
    return vec3_norm(vec3(value[1], value[2], value[3]));
  default:
    return value[6];
  }
}

/* The place of a point in an open table of corners; a new one is added. */
static int find_corner(SliceCorners *s, int table[], uint64_t mask, const double x[3])
{
  uint64_t at = hash_bytes(0, x, 3 * sizeof *x) & mask;
  for (; table[at] >= 0; at = (at + 1) & mask)
    if (memcmp(s->x + 3 * (size_t)table[at], x, 3 * sizeof *x) == 0) return table[at];
  memcpy(s->x + 3 * (size_t)s->n, x, 3 * sizeof *x);
  return table[at] = s->n++;
}

PetscErrorCode SliceJoin(const SlicePart *p, FlowQuantity quantity, SliceCorners *s)
{
  PetscFunctionBeginUser;
  int *table, *times;
  uint64_t size = 16;
  const size_t room = (size_t)p->n_corners + 1;
  *s = (SliceCorners){0};
  while (size < 2 * (uint64_t)room) size *= 2;
  PetscCall(PetscMalloc3(room, &s->of, 3 * room, &s->x, room, &s->value));
  PetscCall(PetscMalloc2(size, &table, room, &times));
  for (uint64_t k = 0; k < size; k++) table[k] = -1;
  for (int k = 0; k < p->n; k++) {
    const double value = slice_value(quantity, p->value + (size_t)k * PIECE_VALUES);
    for (int i = p->start[k]; i < p->start[k + 1]; i++) {
      const int before = s->n,
                at = s->of[i] = find_corner(s, table, size - 1, p->x + 3 * (size_t)i);
      if (s->n > before) s->value[at] = times[at] = 0;
      s->value[at] += value;
      times[at]++;
    }
  }
  for (int k = 0; k < s->n; k++) s->value[k] /= times[k];
  PetscCall(PetscFree2(table, times));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SliceCornersDestroy(SliceCorners *s)
{
  PetscFunctionBeginUser;
  PetscCall(PetscFree3(s->of, s->x, s->value));
  PetscFunctionReturn(PETSC_SUCCESS);
}
