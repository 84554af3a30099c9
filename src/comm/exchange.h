/*
 * Halo values from their owners: a table made once, used at every stage without allocation.
 *
 * Entries [0, n_own) of an array are this rank's own; entry n_own + h is a copy of an entry of
 * some rank, possibly this one (periodic images). What arrives is copied, never summed, so the
 * result does not depend on the order of arrival.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/error.h"
#include "base/ids.h"

typedef struct Exchange Exchange;

/*
 * Halo entry h copies entry `source[h]` of rank `owner[h]`; owners must rise with h. Up to
 * most_components values per entry can be sent at a time. Collective.
 */
PetscErrorCode ExchangeCreate(MPI_Comm comm, LocalId n_own, LocalId n_halo, const int owner[],
                              const LocalId source[], int most_components, Exchange **exchange);
PetscErrorCode ExchangeDestroy(Exchange **exchange);

/*
 * Send own values and begin to receive. Component k of entry c is field[k][c * stride]: stride
 * 1 for one array per component, the number of components for records. Between Begin and End
 * halo entries are not to be touched; own ones may be read. One exchange at a time per table.
 * Collective over the neighbours.
 */
PetscErrorCode ExchangeBegin(Exchange *exchange, int n_components, int stride,
                             double *const field[]);
PetscErrorCode ExchangeEnd(Exchange *exchange, int n_components, int stride, double *const field[]);

/* Begin and End. */
PetscErrorCode ExchangeUpdate(Exchange *exchange, int n_components, int stride,
                              double *const field[]);

/* Ranks this one sends to, and entries sent. */
int exchange_n_neighbors(const Exchange *exchange);
LocalId exchange_n_sent(const Exchange *exchange);
