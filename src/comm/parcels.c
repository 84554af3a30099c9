#include "comm/parcels.h"

#include <limits.h>

struct Parcels {
  int n;                /* requests: one per buffer that is not empty */
  MPI_Request *request; /* owned, persistent */
  double *out, *in;     /* owned */
};

/* Make the persistent request of one peer's part of a buffer, if there is anything in it. */
static PetscErrorCode add_request(Parcels *p, MPI_Comm comm, int tag, int rank, bool send,
                                  double *buffer, size_t n)
{
  PetscFunctionBeginUser;
  PetscCheck(n <= INT_MAX, PETSC_COMM_SELF, PETSC_ERR_SUP, "%zu doubles for one rank, at most %d",
             n, INT_MAX);
  if (n == 0) PetscFunctionReturn(PETSC_SUCCESS);
  MPI_Request *request = &p->request[p->n++];
  if (send)
    PetscCallMPI(MPI_Send_init(buffer, (int)n, MPI_DOUBLE, rank, tag, comm, request));
  else
    PetscCallMPI(MPI_Recv_init(buffer, (int)n, MPI_DOUBLE, rank, tag, comm, request));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ParcelsCreate(MPI_Comm comm, int tag, int n_peers, const ParcelPeer peer[],
                             size_t extra, Parcels **parcels)
{
  PetscFunctionBeginUser;
  size_t n_out = 0, n_in = 0;
  for (int k = 0; k < n_peers; k++) {
    n_out += peer[k].n_send;
    n_in += peer[k].n_receive;
  }
  Parcels *p = NULL;
  PetscCall(PetscNew(&p));
  PetscCall(PetscMalloc1(2 * n_peers, &p->request));
  PetscCall(PetscMalloc1(n_out, &p->out));
  PetscCall(PetscMalloc1(n_in + extra, &p->in));

  double *out = p->out, *in = p->in;
  for (int k = 0; k < n_peers; k++) {
    PetscCall(add_request(p, comm, tag, peer[k].rank, false, in, peer[k].n_receive));
    PetscCall(add_request(p, comm, tag, peer[k].rank, true, out, peer[k].n_send));
    out += peer[k].n_send;
    in += peer[k].n_receive;
  }
  *parcels = p;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ParcelsDestroy(Parcels **parcels)
{
  PetscFunctionBeginUser;
  Parcels *p = *parcels;
  if (p == NULL) PetscFunctionReturn(PETSC_SUCCESS);
  for (int k = 0; k < p->n; k++) PetscCallMPI(MPI_Request_free(&p->request[k]));
  PetscCall(PetscFree(p->request));
  PetscCall(PetscFree(p->out));
  PetscCall(PetscFree(p->in));
  PetscCall(PetscFree(*parcels));
  PetscFunctionReturn(PETSC_SUCCESS);
}

double *parcels_out(Parcels *parcels)
{
  return parcels->out;
}

double *parcels_in(Parcels *parcels)
{
  return parcels->in;
}

PetscErrorCode ParcelsBegin(Parcels *parcels)
{
  PetscFunctionBeginUser;
  if (parcels->n > 0) PetscCallMPI(MPI_Startall(parcels->n, parcels->request));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ParcelsEnd(Parcels *parcels)
{
  PetscFunctionBeginUser;
  if (parcels->n > 0) PetscCallMPI(MPI_Waitall(parcels->n, parcels->request, MPI_STATUSES_IGNORE));
  PetscFunctionReturn(PETSC_SUCCESS);
}
