/*
 * What the writing and the reading side of checkpoints share, and the wrapper of HDF5.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "io/checkpoint.h"

#include <hdf5.h>

struct Checkpoint {
  MPI_Comm comm;
  hid_t file;
  char path[PETSC_MAX_PATH_LEN];  /* the final name */
  char aside[PETSC_MAX_PATH_LEN]; /* the name while it is written; "" when reading */
};

#define CHECKPOINT_CHECKSUM "checksum"

/* Bytes of one entry, and its type in memory and file. */
size_t checkpoint_entry_size(CheckpointType type);
hid_t checkpoint_hdf5_type(CheckpointType type);

/* The access list for collective files on comm. */
hid_t checkpoint_access(MPI_Comm comm);

/* Checksum of a whole array from each rank's part. Collective. */
PetscErrorCode CheckpointSum(MPI_Comm comm, const CheckpointArray *array, const void *data,
                             uint64_t *sum);

/* Did all ranks succeed? Collective. */
PetscErrorCode CheckpointAgree(MPI_Comm comm, bool mine, bool *all);
