/*
 * How the files of this folder talk to the CGNS library. SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/error.h"

#include <cgnslib.h>

/* Names in a CGNS file, closed with a zero. */
enum { CGNS_NAME = 33 };

/* The message of the library as our error; on one rank. */
#define CgnsCall(path, call) \
  PetscCheck((call) == CG_OK, PETSC_COMM_SELF, CAROM_ERR_FILE, "%s: %s", (path), cg_get_error())

/*
 * Open a file for reading on this rank; cg_close it. Files stamped by a later library are read
 * through a copy that carries a stamp this one accepts. Fails with CAROM_ERR_FILE.
 */
PetscErrorCode CgnsOpen(const char *path, int *file);

/*
 * Open a file for reading on every rank, with one copy per compute node where a copy is needed;
 * `stamp` is the version the file carries. Collective; fails with CAROM_ERR_FILE on all ranks.
 */
PetscErrorCode CgnsOpenAll(MPI_Comm comm, const char *path, int *file, float *stamp);

/* All ranks leave with the code of rank 0, which has said why. Collective. */
PetscErrorCode CgnsVerdict(MPI_Comm comm, PetscErrorCode code);

/* Is there a link in a file that leads nowhere? Says which and where to. On one rank. */
bool cgns_find_broken_link(const char *path, size_t size, char text[]);
