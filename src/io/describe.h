/*
 * What is in a file: the answer of `carom info`.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/error.h"

#include <stdio.h>

/*
 * Say what a checkpoint, an x-ray cache, an STL or CGNS file holds, on rank 0, and fail with one
 * line when it is damaged or none of these. Collective.
 */
PetscErrorCode FileDescribe(MPI_Comm comm, const char *path, FILE *out);
