/*
 * Starting PETSc the way a guest in another's process should: with the options it is given and no
 * others, and without taking over signals.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/error.h"

/*
 * Start PETSc, and MPI if it does not run yet, with n options and none from files of the user:
 * those are of other programs. May be called before anything else. Collective.
 */
PetscErrorCode PetscStart(const char *program, int n, char *const option[]);
