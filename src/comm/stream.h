/*
 * Records of all ranks brought to rank 0, piece by piece, in the order of ranks.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/error.h"
#include "base/ids.h"

/* What rank 0 does with records [first, first + n) of all. */
typedef PetscErrorCode (*StreamTake)(void *context, GlobalId first, LocalId n, const void *record);

/*
 * Each rank gives n records of `size` bytes; rank 0 takes them piece by piece and never holds
 * more than a piece. Collective. A failure of `take` is returned on rank 0 alone, after all
 * pieces have come.
 */
PetscErrorCode StreamToFirst(MPI_Comm comm, size_t size, LocalId n, const void *record,
                             StreamTake take, void *context);
