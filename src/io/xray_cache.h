/*
 * X-rays kept in a folder, so that the next run with the same surface need not make them.
 *
 * A file is named by the hash of its surface. It is only a cache: one that is missing, damaged
 * or of another version is made anew and never trusted.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "comm/shared.h"
#include "geom/xray.h"

/*
 * The x-ray of a surface that all ranks hold: from folder (NULL: none) or made on rank 0, then
 * shared by the ranks of each node. *shared owns the bytes and must outlive the x-ray; *cached
 * tells that it came from the folder. Collective.
 */
PetscErrorCode XRayObtain(MPI_Comm comm, const char *folder, const Surface *surface, XRay **xray,
                          SharedBytes **shared, bool *cached);

/* Keep an x-ray in folder. Collective; a disk that is full is no mistake. */
PetscErrorCode XRayKeep(MPI_Comm comm, const char *folder, const Surface *surface,
                        const XRay *xray);
