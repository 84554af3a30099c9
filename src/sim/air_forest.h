/*
 * The forest's part of checkpoints and of what is said of a case.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "config/case.h"
#include "flow/flow.h"
#include "io/checkpoint.h"

#include <stdio.h>

/* Complain of a forest that the machine cannot hold, before it is made. Collective. */
PetscErrorCode AirForestCheck(MPI_Comm comm, CaseFile *file);

/* Print leaves per level, cells and memory on rank 0. Collective. */
PetscErrorCode AirForestDescribe(Flow *flow, FILE *out);

/* Patches and their cells, by global number: any number of ranks can read them. Collective. */
PetscErrorCode AirForestPut(Flow *flow, Checkpoint *file);
PetscErrorCode AirForestGet(Flow *flow, const OffBodySpec *spec, MPI_Comm comm, Checkpoint *file);
