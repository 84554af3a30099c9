#include "comm/route.h"

#include "comm/block.h"

#include <string.h>

struct Route {
  MPI_Comm comm;
  int size;         /* ranks */
  LocalId n, n_got; /* records that leave and arrive */
  LocalId *place;   /* owned, n: place of record i among those that leave, by rank */
  int *n_out, *out; /* owned, one per rank: records that leave, and the first of them */
  int *n_in, *in;   /* owned, the same for those that arrive */
};

static LocalId sum_up(int n, const int count[], int first[])
{
  LocalId sum = 0;
  for (int r = 0; r < n; r++) {
    first[r] = sum;
    sum += count[r];
  }
  return sum;
}

PetscErrorCode RouteCreate(MPI_Comm comm, LocalId n, const int to[], Route **route)
{
  PetscFunctionBeginUser;
  Route *self = NULL;
  PetscCall(PetscNew(&self));
  self->comm = comm;
  self->n = n;
  PetscCallMPI(MPI_Comm_size(comm, &self->size));
  PetscCall(PetscMalloc1(n, &self->place));
  PetscCall(PetscCalloc4(self->size, &self->n_out, self->size, &self->out, self->size, &self->n_in,
                         self->size, &self->in));
  for (LocalId i = 0; i < n; i++) self->n_out[to[i]]++;
  PetscCallMPI(MPI_Alltoall(self->n_out, 1, MPI_INT, self->n_in, 1, MPI_INT, comm));
  sum_up(self->size, self->n_out, self->out);
  self->n_got = sum_up(self->size, self->n_in, self->in);

  /* A counting sort keeps the order among records for the same rank. */
  for (LocalId i = 0; i < n; i++) self->place[i] = self->out[to[i]]++;
  sum_up(self->size, self->n_out, self->out);
  *route = self;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode RouteDestroy(Route **route)
{
  PetscFunctionBeginUser;
  if (*route == NULL) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscFree((*route)->place));
  PetscCall(PetscFree4((*route)->n_out, (*route)->out, (*route)->n_in, (*route)->in));
  PetscCall(PetscFree(*route));
  PetscFunctionReturn(PETSC_SUCCESS);
}

LocalId route_n_arriving(const Route *route)
{
  return route->n_got;
}

/* Counts are of records, not bytes, so that 32 bits last. */
static PetscErrorCode RecordType(size_t size, MPI_Datatype *type)
{
  PetscFunctionBeginUser;
  PetscCallMPI(MPI_Type_contiguous((int)size, MPI_BYTE, type));
  PetscCallMPI(MPI_Type_commit(type));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode RouteSend(const Route *route, size_t size, const void *record, void *got)
{
  PetscFunctionBeginUser;
  char *leaving = NULL;
  MPI_Datatype type;
  PetscCall(PetscMalloc1(route->n * size + 1, &leaving));
  PetscCall(RecordType(size, &type));
  for (LocalId i = 0; i < route->n; i++)
    memcpy(leaving + route->place[i] * size, (const char *)record + i * size, size);
  PetscCallMPI(MPI_Alltoallv(leaving, route->n_out, route->out, type, got, route->n_in, route->in,
                             type, route->comm));
  PetscCallMPI(MPI_Type_free(&type));
  PetscCall(PetscFree(leaving));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode RouteReply(const Route *route, size_t size, const void *given, void *answer)
{
  PetscFunctionBeginUser;
  char *back = NULL;
  MPI_Datatype type;
  PetscCall(PetscMalloc1(route->n * size + 1, &back));
  PetscCall(RecordType(size, &type));
  PetscCallMPI(MPI_Alltoallv(given, route->n_in, route->in, type, back, route->n_out, route->out,
                             type, route->comm));
  for (LocalId i = 0; i < route->n; i++)
    memcpy((char *)answer + i * size, back + route->place[i] * size, size);
  PetscCallMPI(MPI_Type_free(&type));
  PetscCall(PetscFree(back));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode BlockFetch(MPI_Comm comm, GlobalId n, size_t size, const void *mine, LocalId n_ids,
                          const GlobalId id[], void *value)
{
  PetscFunctionBeginUser;
  int n_ranks = 0, rank = 0;
  PetscCallMPI(MPI_Comm_size(comm, &n_ranks));
  PetscCallMPI(MPI_Comm_rank(comm, &rank));
  int *to = NULL;
  Route *route = NULL;
  PetscCall(PetscMalloc1(n_ids, &to));
  for (LocalId i = 0; i < n_ids; i++) to[i] = block_owner(n, n_ranks, id[i]);
  PetscCall(RouteCreate(comm, n_ids, to, &route));
  PetscCall(PetscFree(to));

  GlobalId *asked = NULL;
  char *given = NULL;
  const LocalId n_asked = route_n_arriving(route);
  PetscCall(PetscMalloc2(n_asked, &asked, n_asked * size + 1, &given));
  PetscCall(RouteSend(route, sizeof *id, id, asked));
  const GlobalId first = block_first(n, n_ranks, rank);
  for (LocalId i = 0; i < n_asked; i++)
    memcpy(given + i * size, (const char *)mine + (asked[i] - first) * size, size);
  PetscCall(RouteReply(route, size, given, value));
  PetscCall(PetscFree2(asked, given));
  PetscCall(RouteDestroy(&route));
  PetscFunctionReturn(PETSC_SUCCESS);
}
