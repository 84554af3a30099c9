/*
 * Deal things to ranks in equal runs of a common order.
 *
 * Where the runs begin is found exactly, by bisection on the keys with counts summed over the
 * ranks, so that thing number i of the order goes to block_owner(i) on any number of ranks.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/error.h"
#include "base/ids.h"

#include <stdint.h>

/* Things are ordered by key, then by id; no two have both equal. Ids are in [0, 2^62). */
typedef struct {
  uint64_t key; /* below 2^63 */
  GlobalId id;
} OrderKey;

int order_key_compare(const void *a, const void *b);

/*
 * Rank to[i] for each of the n things of this rank, which are given in order; n_all is their
 * number on all ranks. Collective.
 */
PetscErrorCode DealInOrder(MPI_Comm comm, GlobalId n_all, LocalId n, const OrderKey sorted[],
                           int to[]);
