#include "io/file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* Open a file and find its length; an errno or zero. */
static int open_file(const char *path, FILE **in, size_t *length)
{
  struct stat facts;
  if (stat(path, &facts) != 0) return errno;
  if (S_ISDIR(facts.st_mode)) return EISDIR;
  *length = (size_t)facts.st_size;
  *in = fopen(path, "rb");
  return *in == NULL ? errno : 0;
}

static PetscErrorCode Broadcast(MPI_Comm comm, char *bytes, size_t n)
{
  PetscFunctionBeginUser;
  const size_t piece = (size_t)1 << 28;
  for (size_t done = 0; done < n; done += piece)
    PetscCallMPI(MPI_Bcast(bytes + done, (int)PetscMin(piece, n - done), MPI_BYTE, 0, comm));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode FileRead(MPI_Comm comm, const char *path, char **bytes, size_t *length)
{
  PetscFunctionBeginUser;
  int rank = 0, number = 0;
  FILE *in = NULL;
  PetscCallMPI(MPI_Comm_rank(comm, &rank));
  *length = 0;
  if (rank == 0) number = open_file(path, &in, length);
  PetscCallMPI(MPI_Bcast(&number, 1, MPI_INT, 0, comm));
  PetscCheck(number == 0, comm, CAROM_ERR_FILE, "%s: cannot be read: %s", path, strerror(number));

  PetscCallMPI(MPI_Bcast(length, sizeof *length, MPI_BYTE, 0, comm));
  PetscCall(PetscMalloc1(*length + 1, bytes));
  (*bytes)[*length] = '\0';
  if (rank == 0) {
    number = fread(*bytes, 1, *length, in) == *length ? 0 : EIO;
    fclose(in);
  }
  PetscCallMPI(MPI_Bcast(&number, 1, MPI_INT, 0, comm));
  if (number != 0) PetscCall(PetscFree(*bytes));
  PetscCheck(number == 0, comm, CAROM_ERR_FILE, "%s: cannot be read: %s", path, strerror(number));
  PetscCall(Broadcast(comm, *bytes, *length));
  PetscFunctionReturn(PETSC_SUCCESS);
}
