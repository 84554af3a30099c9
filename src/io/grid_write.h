/*
 * Near-body grids and values on their cells as CGNS files.
 *
 * One base, one zone: cells by kind, each kind in the order of global ids, or all as polyhedra if
 * one is; boundary faces patch by patch; a boundary condition and a family for each patch. The file
 * is written aside and takes its name when it is complete. What is written does not depend on the
 * number of ranks.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "grid/near_grid.h"

typedef struct GridWriter GridWriter;

/*
 * Write the grid itself. Collective, as all below; fails with CAROM_ERR_FILE on all ranks. The
 * grid is borrowed until the writer is closed.
 */
PetscErrorCode GridWriterOpen(const NearGrid *grid, const char *path, GridWriter **writer);

/* Add values of own cells under a name, at the centres of cells. */
PetscErrorCode GridWriterField(GridWriter *writer, const char *name, const double value[]);

/* Complete the file and free the writer. */
PetscErrorCode GridWriterClose(GridWriter **writer);

/* The grid alone. */
PetscErrorCode GridFileWrite(const NearGrid *grid, const char *path);
