/*
 * What the files of the locator share.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "grid/near_locate.h"
#include "grid/near_locate_kernels.h"

/* Bins over the boxes of all ranks' cells, the same on all ranks, and who has cells in each. */
typedef struct {
  LocateBins bins;
  int *start; /* owned, bins + 1 */
  int *rank;  /* owned, rising in each bin */
  int most;   /* in a bin */
} RankMap;

PetscErrorCode RankMapCreate(MPI_Comm comm, LocalId n, const LocateBox box[], RankMap *map);
PetscErrorCode RankMapDestroy(RankMap *map);

/* Bins of edge h at least over a box. */
LocateBins locate_bins(LocateBox box, double h);

/* The least edge, or nearly so, that makes at most so many bins of a box. */
double locate_bin_edge(const LocateBox *box, double most);

static inline LocalId locate_n_bins(const LocateBins *bins)
{
  return (LocalId)bins->n[0] * bins->n[1] * bins->n[2];
}

LocateBox locate_box_join(LocateBox a, LocateBox b);
LocateBox locate_box_empty(void);

/* Bins from first to last along each axis, both included, that a box reaches into. */
typedef struct {
  int first[3], last[3];
} BinRange;

BinRange locate_bin_range(const LocateBins *bins, const LocateBox *box);
