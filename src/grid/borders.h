/*
 * What patches must tell each other where one cannot simply read the other's cells: across ranks
 * and across levels. A plan of packing jobs and of slots in packed buffers, made anew with every
 * change of the forest; what is packed is the caller's business.
 *
 * Ghosts: a slot holds the cells next to one side of a patch, of full size from a neighbour of the
 * same or the coarser level, a quarter of it from each of four finer ones. Fluxes: four quarters
 * for each side that has finer neighbours.
 *
 *   fill parcels_out and the local slots by the jobs; ParcelsBegin; patches order[0 .. n_inner);
 *   ParcelsEnd; the other patches
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "comm/parcels.h"
#include "grid/forest.h"

/* Put something of a local patch into a slot: `part` is the quarter where levels differ. */
typedef struct {
  LocalId patch;
  int side;      /* of that patch, where the receiver is */
  LinkKind kind; /* what the receiver is to the patch */
  int part;
  double *to; /* in the sending buffer, or the slot itself when the receiver is local */
} BorderJob;

typedef struct {
  int n_jobs;
  BorderJob *job;   /* owned */
  size_t *slot;     /* owned: [patch][side][4], where in parcels_in; SIZE_MAX: none */
  Parcels *parcels; /* owned */
} BorderTable;

typedef struct {
  BorderTable ghosts, fluxes;
  LocalId *order; /* owned: patches that need nothing from other ranks come first */
  LocalId n_inner;
} Borders;

/* Doubles of a full slot of ghosts, and of a quarter of fluxes. */
typedef struct {
  size_t ghost, flux;
} BorderSizes;

/* Collective. */
PetscErrorCode BordersCreate(const Forest *forest, BorderSizes sizes, Borders **borders);
PetscErrorCode BordersDestroy(Borders **borders);

/* The slot of a side of a patch, quarter `part` (0 where there is one neighbour). */
static inline const double *border_slot(const BorderTable *table, LocalId patch, int side, int part)
{
  return parcels_in(table->parcels) + table->slot[((size_t)patch * SIDES + side) * 4 + part];
}
