/*
 * Triangles from the surfaces in a CGNS file. SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/names.h"
#include "geom/triangles.h"

/*
 * The triangles and split quads of the named families, coordinates times scale. A name may be that
 * of a boundary condition, of its family, of a section of surface elements, or of a surface
 * zone; without names all surface elements of the first base that has some are taken.
 *
 * Collective: read on rank 0, the same on all. Fails with CAROM_ERR_FILE when the file cannot be
 * read, with PETSC_ERR_USER_INPUT when a name is not in it (those it has are listed).
 */
PetscErrorCode CgnsSurfaceRead(MPI_Comm comm, const char *path, const NameList *families,
                               double scale, Triangles *triangles);
