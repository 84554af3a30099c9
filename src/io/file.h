/*
 * Whole files, read on rank 0 with one line when that fails.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/error.h"

/*
 * The bytes of a file on every rank, closed with a zero that is not counted in length. Free
 * with PetscFree. Collective. Fails with CAROM_ERR_FILE when it is missing, unreadable or a
 * directory.
 */
PetscErrorCode FileRead(MPI_Comm comm, const char *path, char **bytes, size_t *length);
