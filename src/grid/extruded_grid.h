/*
 * The near-body grid of a body that brings no grid file: layers grown from its shape.
 *
 * Boundaries are `body`, the wall, and `outer`, the other end of the layers.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "grid/extrude.h"
#include "grid/near_grid.h"

typedef struct {
  const char *name;       /* said in errors: the file, or what the grid is for */
  const ShapeSpec *shape; /* primitives are divided anew, as finely as a grid wants them */
  const Surface *surface; /* of an stl or cgns shape; NULL is fine for primitives */
  ExtrusionSpec layers;
  Vec3 origin; /* point of the shape that becomes (0, 0, 0) of the grid */
} ExtrudedGridSpec;

/*
 * The layers alone. Not collective, but every rank comes to the same. Fails with CAROM_ERR_MESH or
 * PETSC_ERR_USER_INPUT as ExtrusionCreate does.
 */
PetscErrorCode ExtrudedLayersCreate(const ExtrudedGridSpec *spec, Extrusion **layers);

/* A grid of given layers, each rank its share. Collective. */
PetscErrorCode ExtrudedGridFromLayers(MPI_Comm comm, const char *name, const Extrusion *layers,
                                      NearGrid **grid);

/* Both; quality may be NULL, else it has the size of the outer cells too. Collective. */
PetscErrorCode ExtrudedGridCreate(MPI_Comm comm, const ExtrudedGridSpec *spec, NearGrid **grid,
                                  ExtrusionQuality *quality);
