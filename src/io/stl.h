/*
 * Triangles from STL, text or binary.
 *
 * Normals of the file are ignored: triangles say themselves which way they face. Several
 * solids in one text file are taken together.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "geom/triangles.h"

/*
 * The triangles in the bytes of a file, coordinates times scale; each has three vertices of its
 * own. name is for messages. Pure: nothing but the bytes counts. No triangles, and coordinates
 * that are not finite, are left to the check of the surface.
 *
 * All ranks of comm call with the same bytes. Fails with CAROM_ERR_FILE when the bytes are no
 * complete STL, with PETSC_ERR_USER_INPUT when scale is not positive or there are more than
 * SURFACE_MOST_TRIANGLES, before memory for them is taken.
 */
PetscErrorCode StlParse(MPI_Comm comm, const char *name, const char *bytes, size_t n, double scale,
                        Triangles *triangles);
