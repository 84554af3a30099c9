/*
 * A grid file in the writing. SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "comm/stream.h"
#include "io/grid_write.h"

struct GridWriter {
  const NearGrid *grid; /* borrowed */
  char *path;           /* owned */
  char aside[PETSC_MAX_PATH_LEN];
  int rank;
  int file, base, zone, section, solution; /* numbers of the library; on rank 0 */
  GlobalId *number; /* owned, n_vertices of the grid: numbers in the file, from one */
  GlobalId first_element, n_elements; /* before the section at hand; so far */
  GlobalId n_of_kind[CELL_KINDS];
  int direction, n_corners; /* what is being streamed */
  const char *field;
};

/* Rank 0 takes pieces and writes them. */
PetscErrorCode WriterTakeVertices(void *context, GlobalId first, LocalId n, const void *record);
PetscErrorCode WriterTakeElements(void *context, GlobalId first, LocalId n, const void *record);
PetscErrorCode WriterTakeField(void *context, GlobalId first, LocalId n, const void *record);

/* The vertices cells use, dealt in the order of their ids, and the numbers they get. */
typedef struct {
  GlobalId n_all;
  LocalId n;
  Vec3 *at;         /* owned, n: those this rank hands to the file */
  GlobalId *number; /* owned, beside the vertices of the grid */
} UsedVertices;

PetscErrorCode UsedVerticesCreate(const NearGrid *grid, UsedVertices *used);
