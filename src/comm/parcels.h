/*
 * Packed buffers between neighbouring ranks, the same ones again and again.
 *
 * The caller fills its sending buffer, begins, works on what needs nothing from outside, ends, and
 * reads its receiving buffer. Both are laid out by rank, in the order the ranks were given.
 * Nothing is allocated or summed between Create and Destroy.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/error.h"

#include <stddef.h>

typedef struct Parcels Parcels;

/* How many doubles go to a rank and come from it; the rank itself is not among its peers. */
typedef struct {
  int rank;
  size_t n_send, n_receive;
} ParcelPeer;

/*
 * The receiving buffer has room for `extra` more doubles behind what arrives. Peers must see each
 * other with matching counts. tag tells tables that are in use at the same time apart. Collective.
 */
PetscErrorCode ParcelsCreate(MPI_Comm comm, int tag, int n_peers, const ParcelPeer peer[],
                             size_t extra, Parcels **parcels);
PetscErrorCode ParcelsDestroy(Parcels **parcels);

double *parcels_out(Parcels *parcels);
double *parcels_in(Parcels *parcels);

PetscErrorCode ParcelsBegin(Parcels *parcels);
PetscErrorCode ParcelsEnd(Parcels *parcels);
