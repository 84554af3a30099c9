#include "base/error.h"

#include <stdio.h>

bool error_is_plain(PetscErrorCode code)
{
  return code == PETSC_ERR_USER_INPUT || code == CAROM_ERR_MESH || code == CAROM_ERR_DIVERGED ||
         code == CAROM_ERR_FILE;
}

int error_exit_status(PetscErrorCode code)
{
  if (code == PETSC_SUCCESS) return EXIT_DONE;
  if (code == PETSC_ERR_USER_INPUT) return EXIT_INPUT;
  if (code == CAROM_ERR_MESH) return EXIT_MESH;
  if (code == CAROM_ERR_DIVERGED) return EXIT_DIVERGED;
  if (code == CAROM_ERR_FILE) return EXIT_FILE;
  return EXIT_BUG;
}

static PetscErrorCode handle(MPI_Comm comm, int line, const char *function, const char *file,
                             PetscErrorCode code, PetscErrorType type, const char *message,
                             void *context)
{
  if (!error_is_plain(code))
    return PetscTraceBackErrorHandler(comm, line, function, file, code, type, message, context);

  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  if (type == PETSC_ERROR_INITIAL && rank == 0 && message != NULL && message[0] != '\0') {
    fflush(stdout);
    fprintf(stderr, "carom: %s\n", message);
  }
  return code;
}

PetscErrorCode ErrorHandlerInstall(void)
{
  PetscFunctionBeginUser;
  PetscCall(PetscPushErrorHandler(handle, NULL));
  PetscFunctionReturn(PETSC_SUCCESS);
}
