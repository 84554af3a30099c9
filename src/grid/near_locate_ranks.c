/*
 * Which ranks have cells where: a coarse map, the same on all ranks.
 *
 * Each rank tells the bins its cells reach into. There are some tens of bins per rank, so that the
 * map stays small beside the grid and a bin has few ranks, those of neighbouring runs of the curve.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "grid/near_locate_impl.h"

enum { BINS_AT_LEAST = 4096, BINS_PER_RANK = 64 };

/* The box around the cells of all ranks. */
static PetscErrorCode ShareBox(MPI_Comm comm, LocalId n, const LocateBox box[], LocateBox *all)
{
  PetscFunctionBeginUser;
  LocateBox here = locate_box_empty();
  for (LocalId c = 0; c < n; c++) here = locate_box_join(here, box[c]);
  PetscCallMPI(MPI_Allreduce(here.lo, all->lo, 3, MPI_FLOAT, MPI_MIN, comm));
  PetscCallMPI(MPI_Allreduce(here.hi, all->hi, 3, MPI_FLOAT, MPI_MAX, comm));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The bins that cells of this rank reach into, by rising number; returns how many. */
static int own_bins(const LocateBins *bins, LocalId n, const LocateBox box[], bool met[],
                    int list[])
{
  const int n_bins = (int)locate_n_bins(bins);
  int n_list = 0;
  for (LocalId c = 0; c < n; c++) {
    const BinRange r = locate_bin_range(bins, &box[c]);
    for (int k = r.first[2]; k <= r.last[2]; k++)
      for (int j = r.first[1]; j <= r.last[1]; j++)
        for (int i = r.first[0]; i <= r.last[0]; i++)
          met[(k * bins->n[1] + j) * bins->n[0] + i] = true;
  }
  for (int b = 0; b < n_bins; b++)
    if (met[b]) list[n_list++] = b;
  return n_list;
}

/* Rows of ranks by bin from rows of bins by rank: ranks come in order, so rows rise. */
static PetscErrorCode Transpose(int size, const int first[], const int bin[], RankMap *map)
{
  PetscFunctionBeginUser;
  const int n_bins = (int)locate_n_bins(&map->bins);
  int *at = NULL;
  PetscCall(PetscCalloc1(n_bins, &at));
  PetscCall(PetscMalloc1(n_bins + 1, &map->start));
  PetscCall(PetscMalloc1(first[size], &map->rank));
  for (int k = 0; k < first[size]; k++) at[bin[k]]++;
  map->start[0] = 0;
  for (int b = 0; b < n_bins; b++) {
    map->start[b + 1] = map->start[b] + at[b];
    map->most = PetscMax(map->most, at[b]);
    at[b] = map->start[b];
  }
  for (int r = 0; r < size; r++)
    for (int k = first[r]; k < first[r + 1]; k++) map->rank[at[bin[k]]++] = r;
  PetscCall(PetscFree(at));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode RankMapCreate(MPI_Comm comm, LocalId n, const LocateBox box[], RankMap *map)
{
  PetscFunctionBeginUser;
  int size, *mine = NULL, *count = NULL, *first = NULL, *bin = NULL;
  LocateBox all;
  bool *met = NULL;
  *map = (RankMap){0};
  PetscCallMPI(MPI_Comm_size(comm, &size));
  PetscCall(ShareBox(comm, n, box, &all));
  map->bins = locate_bins(all, locate_bin_edge(&all, BINS_AT_LEAST + (double)BINS_PER_RANK * size));
  PetscCall(PetscCalloc1(locate_n_bins(&map->bins), &met));
  PetscCall(PetscMalloc1(locate_n_bins(&map->bins), &mine));
  const int n_mine = own_bins(&map->bins, n, box, met, mine);
  PetscCall(PetscMalloc2(size, &count, size + 1, &first));
  PetscCallMPI(MPI_Allgather(&n_mine, 1, MPI_INT, count, 1, MPI_INT, comm));
  first[0] = 0;
  for (int r = 0; r < size; r++) first[r + 1] = first[r] + count[r];
  PetscCall(PetscMalloc1(first[size], &bin));
  PetscCallMPI(MPI_Allgatherv(mine, n_mine, MPI_INT, bin, count, first, MPI_INT, comm));
  PetscCall(Transpose(size, first, bin, map));
  PetscCall(PetscFree(met));
  PetscCall(PetscFree(mine));
  PetscCall(PetscFree2(count, first));
  PetscCall(PetscFree(bin));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode RankMapDestroy(RankMap *map)
{
  PetscFunctionBeginUser;
  PetscCall(PetscFree(map->start));
  PetscCall(PetscFree(map->rank));
  PetscFunctionReturn(PETSC_SUCCESS);
}
