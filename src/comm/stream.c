#include "comm/stream.h"

enum { PIECE_BYTES = 1 << 22, TAG = 71 };

/* Rank 0 asks for each piece, so that senders do not run ahead of the disk. */
static PetscErrorCode SendPieces(MPI_Comm comm, LocalId piece, MPI_Datatype type, size_t size,
                                 LocalId n, const char *record)
{
  PetscFunctionBeginUser;
  for (LocalId done = 0; done < n; done += piece) {
    const LocalId m = PetscMin(piece, n - done);
    PetscCallMPI(MPI_Recv(NULL, 0, MPI_BYTE, 0, TAG, comm, MPI_STATUS_IGNORE));
    PetscCallMPI(MPI_Send(record + done * size, m, type, 0, TAG, comm));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode TakePieces(MPI_Comm comm, LocalId piece, MPI_Datatype type, int n_ranks,
                                 const int count[], StreamTake take, void *context, char *room,
                                 GlobalId first)
{
  PetscFunctionBeginUser;
  PetscErrorCode code = PETSC_SUCCESS;
  for (int r = 1; r < n_ranks; r++) {
    for (LocalId done = 0; done < count[r]; done += piece) {
      const LocalId m = PetscMin(piece, count[r] - done);
      PetscCallMPI(MPI_Send(NULL, 0, MPI_BYTE, r, TAG, comm));
      PetscCallMPI(MPI_Recv(room, m, type, r, TAG, comm, MPI_STATUS_IGNORE));
      if (code == PETSC_SUCCESS) code = take(context, first, m, room);
      first += m;
    }
  }
  PetscCall(code);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode StreamToFirst(MPI_Comm comm, size_t size, LocalId n, const void *record,
                             StreamTake take, void *context)
{
  PetscFunctionBeginUser;
  int rank = 0, n_ranks = 0, *count = NULL;
  char *room = NULL;
  MPI_Datatype type;
  PetscCallMPI(MPI_Comm_rank(comm, &rank));
  PetscCallMPI(MPI_Comm_size(comm, &n_ranks));
  PetscCallMPI(MPI_Type_contiguous((int)size, MPI_BYTE, &type));
  PetscCallMPI(MPI_Type_commit(&type));
  const LocalId piece = (LocalId)PetscMax(1, PIECE_BYTES / size);
  PetscCall(PetscMalloc2(n_ranks, &count, rank == 0 ? piece * size : 1, &room));
  PetscCallMPI(MPI_Gather(&n, 1, MPI_INT, count, 1, MPI_INT, 0, comm));
  PetscErrorCode code = PETSC_SUCCESS;
  if (rank > 0) {
    PetscCall(SendPieces(comm, piece, type, size, n, record));
  } else {
    const PetscErrorCode mine = n > 0 ? take(context, 0, n, record) : PETSC_SUCCESS;
    code = TakePieces(comm, piece, type, n_ranks, count, take, context, room, n);
    if (mine != PETSC_SUCCESS) code = mine;
  }
  PetscCallMPI(MPI_Type_free(&type));
  PetscCall(PetscFree2(count, room));
  PetscCall(code);
  PetscFunctionReturn(PETSC_SUCCESS);
}
