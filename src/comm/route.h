/*
 * Records sent to the ranks that deal with them, and answers sent back the same way.
 *
 * A route is made once from the destinations; records of any size then travel along it. They
 * arrive by sender, and from one sender in the order given, so what is computed from them is
 * the same each time. Answers come back to the places the records were sent from.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/error.h"
#include "base/ids.h"

typedef struct Route Route;

/* Record i will go to rank to[i]. Collective, as all below. */
PetscErrorCode RouteCreate(MPI_Comm comm, LocalId n, const int to[], Route **route);
PetscErrorCode RouteDestroy(Route **route);

/* Records that arrive here. */
LocalId route_n_arriving(const Route *route);

/* Send n records of `size` bytes; `got` has room for those that arrive. */
PetscErrorCode RouteSend(const Route *route, size_t size, const void *record, void *got);

/* Send one answer per record that arrived; answer[i] ends beside record i. */
PetscErrorCode RouteReply(const Route *route, size_t size, const void *given, void *answer);

/*
 * Fetch entries of an array dealt in blocks (comm/block.h): value[i] becomes entry id[i] of n,
 * of which this rank holds its block in `mine`. Ids may repeat. Collective.
 */
PetscErrorCode BlockFetch(MPI_Comm comm, GlobalId n, size_t size, const void *mine, LocalId n_ids,
                          const GlobalId id[], void *value);
