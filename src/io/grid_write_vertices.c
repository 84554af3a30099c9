/*
 * Which vertices are in use, and which numbers do they get in a file?
 *
 * A grid may leave vertices out: merged ones, those of elements of higher order. Ranks tell the
 * owners of blocks of ids what they use; owners count and answer.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "comm/block.h"
#include "comm/route.h"
#include "io/grid_write_impl.h"

typedef struct {
  GlobalId id;
  Vec3 at;
} VertexCall;

PetscErrorCode UsedVerticesCreate(const NearGrid *grid, UsedVertices *used)
{
  PetscFunctionBeginUser;
  int rank = 0, size = 0, *to = NULL;
  Route *route = NULL;
  VertexCall *call = NULL, *got = NULL;
  GlobalId *number = NULL, *given = NULL;
  const GlobalId n_ids = grid->n_vertices_global;
  PetscCallMPI(MPI_Comm_rank(grid->comm, &rank));
  PetscCallMPI(MPI_Comm_size(grid->comm, &size));
  PetscCall(PetscMalloc2(grid->n_vertices, &call, grid->n_vertices, &to));
  for (LocalId v = 0; v < grid->n_vertices; v++) {
    call[v] = (VertexCall){grid->vertex_id[v], grid->vertex[v]};
    to[v] = block_owner(n_ids, size, call[v].id);
  }
  PetscCall(RouteCreate(grid->comm, grid->n_vertices, to, &route));
  const LocalId m = route_n_arriving(route), here = block_count(n_ids, size, rank);
  const GlobalId first = block_first(n_ids, size, rank);
  PetscCall(PetscMalloc2(m, &got, m, &given));
  PetscCall(PetscCalloc1(here, &number));
  PetscCall(RouteSend(route, sizeof *call, call, got));

  /* Mark, count, and number in the order of ids. */
  for (LocalId i = 0; i < m; i++) number[got[i].id - first] = 1;
  for (LocalId v = 0; v < here; v++) used->n += number[v] > 0;
  GlobalId n = used->n, before = 0;
  PetscCallMPI(MPI_Allreduce(&n, &used->n_all, 1, MPIU_INT64, MPI_SUM, grid->comm));
  PetscCallMPI(MPI_Exscan(&n, &before, 1, MPIU_INT64, MPI_SUM, grid->comm));
  GlobalId next = rank == 0 ? 0 : before;
  const GlobalId begin = next;
  for (LocalId v = 0; v < here; v++)
    if (number[v] > 0) number[v] = ++next;
  PetscCall(PetscMalloc1(used->n, &used->at));
  for (LocalId i = 0; i < m; i++) {
    given[i] = number[got[i].id - first];
    used->at[given[i] - begin - 1] = got[i].at;
  }
  PetscCall(PetscMalloc1(grid->n_vertices, &used->number));
  PetscCall(RouteReply(route, sizeof *given, given, used->number));
  PetscCall(RouteDestroy(&route));
  PetscCall(PetscFree2(call, to));
  PetscCall(PetscFree2(got, given));
  PetscCall(PetscFree(number));
  PetscFunctionReturn(PETSC_SUCCESS);
}
