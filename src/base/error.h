/*
 * The three kinds of trouble and the exit status each leads to.
 *
 * A bug is a PetscCheck with any other code: traceback and abort. A mistake of the user or
 * of a file carries one of the codes below; the handler prints one line and no traceback,
 * and all ranks raise it together. Numerical trouble is no error but a verdict.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <petscsys.h>

#include <stdbool.h>
#include <stddef.h>

#if PETSC_VERSION_LT(3, 19, 0)
#define PETSC_SUCCESS 0
#endif

/* Codes beyond PETSc's own. A mistake in the input is PETSC_ERR_USER_INPUT. */
#define CAROM_ERR_MESH ((PetscErrorCode)(PETSC_ERR_MAX_VALUE + 1))
#define CAROM_ERR_DIVERGED ((PetscErrorCode)(PETSC_ERR_MAX_VALUE + 2))
#define CAROM_ERR_FILE ((PetscErrorCode)(PETSC_ERR_MAX_VALUE + 3))

enum {
  EXIT_DONE = 0,
  EXIT_BUG = 1,
  EXIT_INPUT = 2,
  EXIT_MESH = 3,
  EXIT_DIVERGED = 4,
  EXIT_FILE = 5,
  EXIT_STOPPED = 75
};

/* Is this the user's to mend, so that he sees one line and no traceback? */
bool error_is_plain(PetscErrorCode code);

/* The exit status of CASE.md for an error code. */
int error_exit_status(PetscErrorCode code);

/*
 * Install the handler that prints plain errors as one line on rank 0 of their communicator
 * (nothing when the message is empty: it has been printed already) and leaves the rest to
 * PETSc's traceback.
 */
PetscErrorCode ErrorHandlerInstall(void);
