#include "comm/shared.h"

#include <mpi.h>
#include <string.h>

struct SharedBytes {
  MPI_Comm node;
  MPI_Win window;
  void *bytes; /* in the window of the node's first rank */
  size_t n;
};

/* The first ranks of all nodes pass the bytes on among themselves. */
static PetscErrorCode fill_nodes(MPI_Comm comm, SharedBytes *s, const void *bytes)
{
  PetscFunctionBeginUser;
  int rank = 0, node_rank = 0;
  MPI_Comm leaders = MPI_COMM_NULL;
  PetscCallMPI(MPI_Comm_rank(comm, &rank));
  PetscCallMPI(MPI_Comm_rank(s->node, &node_rank));
  PetscCallMPI(MPI_Comm_split(comm, node_rank == 0 ? 0 : MPI_UNDEFINED, rank, &leaders));
  if (rank == 0) memcpy(s->bytes, bytes, s->n);
  if (leaders != MPI_COMM_NULL) {
    PetscCall(BytesBroadcast(leaders, s->bytes, s->n));
    PetscCallMPI(MPI_Comm_free(&leaders));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode BytesBroadcast(MPI_Comm comm, void *bytes, size_t n)
{
  PetscFunctionBeginUser;
  const size_t piece = (size_t)1 << 28; /* counts of messages are 32-bit */
  for (size_t done = 0; done < n; done += piece) {
    const int count = (int)(n - done < piece ? n - done : piece);
    PetscCallMPI(MPI_Bcast((char *)bytes + done, count, MPI_BYTE, 0, comm));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SharedBytesCreate(MPI_Comm comm, const void *bytes, size_t n, SharedBytes **shared)
{
  PetscFunctionBeginUser;
  SharedBytes *s = NULL;
  int rank = 0, node_rank = 0, unit = 1;
  unsigned long count = n;
  MPI_Aint size = 0;
  void *mine = NULL;
  PetscCall(PetscNew(&s));
  PetscCallMPI(MPI_Bcast(&count, 1, MPI_UNSIGNED_LONG, 0, comm));
  s->n = count;
  PetscCallMPI(MPI_Comm_rank(comm, &rank));
  PetscCallMPI(MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &s->node));
  PetscCallMPI(MPI_Comm_rank(s->node, &node_rank));
  PetscCallMPI(MPI_Win_allocate_shared(node_rank == 0 ? (MPI_Aint)s->n : 0, 1, MPI_INFO_NULL,
                                       s->node, &mine, &s->window));
  PetscCallMPI(MPI_Win_shared_query(s->window, 0, &size, &unit, &s->bytes));
  PetscCallMPI(MPI_Win_fence(0, s->window));
  PetscCall(fill_nodes(comm, s, bytes));
  PetscCallMPI(MPI_Win_fence(0, s->window));
  *shared = s;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SharedBytesDestroy(SharedBytes **shared)
{
  PetscFunctionBeginUser;
  if (*shared == NULL) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCallMPI(MPI_Win_free(&(*shared)->window));
  PetscCallMPI(MPI_Comm_free(&(*shared)->node));
  PetscCall(PetscFree(*shared));
  PetscFunctionReturn(PETSC_SUCCESS);
}

const void *shared_bytes_get(const SharedBytes *shared, size_t *n)
{
  *n = shared->n;
  return shared->bytes;
}
