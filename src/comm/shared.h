/*
 * Bytes of one rank for all: a copy for each of them, or one that all ranks of a compute node read.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/error.h"

/* Copy n bytes, any number, from rank 0 into the same place of every rank. Collective. */
PetscErrorCode BytesBroadcast(MPI_Comm comm, void *bytes, size_t n);

typedef struct SharedBytes SharedBytes;

/*
 * Copy n bytes of rank 0 of comm into one window per node; bytes and n matter on rank 0 only.
 * Collective.
 */
PetscErrorCode SharedBytesCreate(MPI_Comm comm, const void *bytes, size_t n, SharedBytes **shared);
PetscErrorCode SharedBytesDestroy(SharedBytes **shared);

/* The copy of this node; aligned for any type, constant, valid until it is destroyed. */
const void *shared_bytes_get(const SharedBytes *shared, size_t *n);
