/*
 * Whole files, read and written on rank 0 with one line when that fails.
 *
 * Every call is collective over comm and comes to the same verdict on all its ranks, so that
 * the whole program leaves with the same status.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/error.h"

/*
 * The bytes of a file on every rank, closed with a zero that is not counted in length. Free
 * with PetscFree. Fails with CAROM_ERR_FILE when it is missing, unreadable, a directory, or
 * larger than FILE_LIMIT bytes.
 */
PetscErrorCode FileRead(MPI_Comm comm, const char *path, char **bytes, size_t *length);

#define FILE_LIMIT ((size_t)4 << 30)

/* The same, refusing files of more than limit bytes. */
PetscErrorCode FileReadUpTo(MPI_Comm comm, const char *path, size_t limit, char **bytes,
                            size_t *length);

/* Write a file aside and rename it when it is complete: readers see the old or the new one. */
PetscErrorCode FileReplace(MPI_Comm comm, const char *path, const char *bytes, size_t length);

/* Make a directory and its parents; fine if it is there. */
PetscErrorCode FileMakeDirectory(MPI_Comm comm, const char *path);

/* Does the path exist? Asked on rank 0, answered on all. */
PetscErrorCode FileExists(MPI_Comm comm, const char *path, bool *exists);

/* Remove a file or a directory with the files directly in it; fine if it is not there. */
PetscErrorCode FileRemove(MPI_Comm comm, const char *path);

/* Raise CAROM_ERR_FILE on all ranks if rank 0 failed: "path: what: reason"; number is an errno. */
PetscErrorCode FileVerdict(MPI_Comm comm, const char *path, const char *what, int number);

/* folder/name, or name itself when it is absolute or folder is empty. */
PetscErrorCode FileJoin(const char *folder, const char *name, char path[], size_t size);
