/*
 * Checkpoints: named arrays in an HDF5 file that every rank writes its part of.
 *
 * A checkpoint is written under a name of its own and renamed when it is complete and on the
 * disk, so a run killed at any moment leaves the older ones whole. Each array carries a
 * checksum that does not depend on how it was divided; a file that does not match is passed
 * over. The newest two are kept. Every call is collective.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/error.h"

#include <stdint.h>
#include <stdio.h>

typedef struct Checkpoint Checkpoint;

typedef enum { CHECKPOINT_DOUBLE, CHECKPOINT_INT64, CHECKPOINT_TEXT } CheckpointType;

/* One array: total entries, of which this rank holds n from first on. */
typedef struct {
  const char *name;
  CheckpointType type;
  int64_t total, first, n;
} CheckpointArray;

/* Begin the checkpoint of a step in folder, which is made if need be. */
PetscErrorCode CheckpointCreate(MPI_Comm comm, const char *folder, int64_t step,
                                Checkpoint **checkpoint);
PetscErrorCode CheckpointPut(Checkpoint *checkpoint, CheckpointArray array, const void *data);

/* Close, bring to the disk, rename, and remove all but this one and the one before it. */
PetscErrorCode CheckpointCommit(Checkpoint **checkpoint);

/*
 * Open the newest checkpoint in folder whose checksums hold; damaged ones are named on stderr.
 * Fails with CAROM_ERR_FILE when there is none.
 */
PetscErrorCode CheckpointOpenNewest(MPI_Comm comm, const char *folder, Checkpoint **checkpoint);

/* Open one checkpoint file and verify it; *problem is "" or says what is wrong with it. */
PetscErrorCode CheckpointOpen(MPI_Comm comm, const char *path, Checkpoint **checkpoint,
                              char problem[], size_t size);

/* How many entries an array has; -1 when there is none of that name. */
PetscErrorCode CheckpointGetSize(Checkpoint *checkpoint, const char *name, int64_t *total);
PetscErrorCode CheckpointGet(Checkpoint *checkpoint, CheckpointArray array, void *data);
PetscErrorCode CheckpointClose(Checkpoint **checkpoint);

/* Print names, types, sizes and checksums of the arrays on rank 0. */
PetscErrorCode CheckpointDescribe(Checkpoint *checkpoint, FILE *out);

/* The path of the file. */
const char *checkpoint_path(const Checkpoint *checkpoint);
