/*
 * Triangles from STL, text or binary.
 *
 * Normals of the file are ignored: triangles say themselves which way they face. Several
 * solids in one text file are taken together.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "geom/surface.h"
#include "geom/triangles.h"

/* A binary file: header with the number of triangles, then a record for each [bytes]. */
enum { STL_HEADER = 84, STL_RECORD = 50 };

/* Most memory that reading and checking takes, the file's own bytes included. */
#define STL_BYTES_PER_TRIANGLE \
  (STL_RECORD + 3.0 * (sizeof(Vec3[3]) + sizeof(int[3])) + 2.0 * SURFACE_BYTES_PER_TRIANGLE)

/* Fail with PETSC_ERR_USER_INPUT for more than SURFACE_MOST_TRIANGLES. Collective. */
PetscErrorCode StlCheckCount(MPI_Comm comm, const char *name, double n);

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
