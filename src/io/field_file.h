/*
 * Field files: the flow of one moment as CGNS, for ParaView and others.
 *
 * The first base holds the cells, one zone for each grid and rank, values at cell centres in units
 * of the case; the second base holds the faces of walls. Vertices are where they are in the world.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/pose.h"
#include "flow/freestream.h"
#include "flow/near_flow.h"
#include "flow/off_body.h"

typedef struct FieldFile FieldFile;

typedef struct {
  const char *name;
  const NearFlow *flow;
  const BoundaryKind *kind; /* of its patches */
  Pose pose;
  const Units *units;
} FieldGrid;

/* The cells of a forest carry their level and rank as well. */
typedef struct {
  const char *name;
  OffBody *flow;
  const Units *units;
  double gamma;
} FieldForest;

/* All calls are collective and fail with CAROM_ERR_FILE on all ranks. */
PetscErrorCode FieldFileCreate(MPI_Comm comm, const char *path, double t, FieldFile **file);
PetscErrorCode FieldFileAdd(FieldFile *file, const FieldGrid *grid);
PetscErrorCode FieldFileAddWalls(FieldFile *file, const FieldGrid *grid); /* these alone */
PetscErrorCode FieldFileAddForest(FieldFile *file, const FieldForest *forest);
PetscErrorCode FieldFileClose(FieldFile **file);
