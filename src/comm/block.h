/*
 * Things dealt to ranks in equal runs: who owns number i of n?
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ids.h"

/* First of the run of a rank; that of rank + 1 ends it. */
static inline GlobalId block_first(GlobalId n, int size, int rank)
{
  return n / size * rank + (rank < n % size ? rank : n % size);
}

static inline LocalId block_count(GlobalId n, int size, int rank)
{
  return (LocalId)(block_first(n, size, rank + 1) - block_first(n, size, rank));
}

static inline int block_owner(GlobalId n, int size, GlobalId i)
{
  const GlobalId small = n / size, more = n % size;
  const GlobalId edge = more * (small + 1);
  return (int)(i < edge ? i / (small + 1) : more + (i - edge) / small);
}
