/*
 * Histories: CSV files that grow by rows while a run goes on.
 *
 * Rank 0 writes; the others only learn whether it went well. A history knows how many bytes
 * are safely on the disk, which is what a checkpoint remembers: after a resume the file is cut
 * back to that length and goes on as if nothing had happened.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/error.h"

#include <stdint.h>

typedef struct History History;

/* Begin a new file with its heading (without newline). Collective. */
PetscErrorCode HistoryCreate(MPI_Comm comm, const char *path, const char *heading,
                             History **history);

/* Go on with a file as it was when it was length bytes long. Collective. */
PetscErrorCode HistoryReopen(MPI_Comm comm, const char *path, int64_t length, History **history);

/* Add text (rows with their newlines). Not collective; does nothing but on rank 0. */
void history_add(History *history, const char *text, size_t length);

/* printf into the history. Not collective. */
void history_printf(History *history, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Hand the rows so far to the system, so that others can read them. Not collective. */
void history_write_out(History *history);

/* Has writing failed on this rank? Then HistoryFlush will say so on all. */
bool history_in_trouble(const History *history);

/*
 * Bring all rows to the disk and return the length of the file. Collective. When the disk is
 * full the file is cut back to its last complete flush and CAROM_ERR_FILE is raised.
 */
PetscErrorCode HistoryFlush(History *history, int64_t *length);

/* Flush (unless an error is under way) and close. Collective. */
PetscErrorCode HistoryDestroy(History **history);
