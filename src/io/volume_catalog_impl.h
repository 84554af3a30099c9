/*
 * The catalog of a volume file while rank 0 fills it. SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "io/volume_catalog.h"

typedef struct {
  const char *path;
  int file;
  VolumeCatalog *to;
} CatalogWalk;

/* Add a record to an array that doubles when it is full. */
PetscErrorCode CatalogGrow(int n, size_t size, void *array);

/* The patch of this name, made if it is new. A hint is taken if none was known. */
PetscErrorCode CatalogPatch(CatalogWalk *walk, const char *name, PatchHint hint, int *patch);

/* Boundary conditions, and joins to other zones, of zone z of the catalog. On one rank. */
PetscErrorCode CatalogBoundaries(CatalogWalk *walk, int z);
PetscErrorCode CatalogJoins(CatalogWalk *walk, int z);
