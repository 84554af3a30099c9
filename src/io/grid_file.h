/*
 * Near-body grids from CGNS files.
 *
 * Structured zones become hexahedra; unstructured ones may hold tetrahedra, pyramids, prisms,
 * hexahedra and polyhedra in any number of sections. Zones are joined by what the file says and,
 * where it says nothing, by place. A boundary has the name of its family, else of its boundary
 * condition, else of the section its faces stand in.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "grid/grid_spec.h"
#include "grid/near_grid.h"

typedef struct {
  const char *path;
  double scale;          /* of the coordinates in the file */
  Vec3 origin;           /* after scaling: the point that becomes (0, 0, 0) */
  const GridSpec *kinds; /* what a case says of the boundaries; NULL: periodic ones stay open */
} GridFileSpec;

/* What a reader did beyond reading, in plain sentences. */
enum { GRID_NOTES = 16 };

typedef struct {
  int n;
  char line[GRID_NOTES][160];
} GridNotes;

/*
 * Collective; every rank reads a slice. Fails on all ranks with one line: CAROM_ERR_FILE when the
 * file cannot be read or contradicts itself, CAROM_ERR_MESH when its cells make no grid.
 */
PetscErrorCode GridFileRead(MPI_Comm comm, const GridFileSpec *spec, NearGrid **grid,
                            GridNotes *notes);

/* Does a CGNS file hold volumes, rather than surfaces alone? Collective. */
PetscErrorCode GridFileHasVolume(MPI_Comm comm, const char *path, bool *volume);

/* Say what a file holds, good or bad, on rank 0; then fail as GridFileRead would. Collective. */
PetscErrorCode GridFileDescribe(MPI_Comm comm, const char *path, FILE *out);
