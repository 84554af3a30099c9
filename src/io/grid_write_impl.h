/*
 * A grid file in the writing. SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "comm/stream.h"
#include "io/grid_write.h"
#include "io/id_lists.h"

/* Families stand beside the zone, so no boundary can have its name. */
#define WRITER_ZONE "NearBodyZone"

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
  bool polyhedral;                             /* cells are lists of polygons */
  double offset_node, entry_node, stream_node; /* of a section of lists; on rank 0 */
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

/* Sections of lists: polygons by corners, polyhedra by faces; the name is cut to fit. */
typedef enum { WRITER_POLYGONS, WRITER_POLYHEDRA } WriterKind;

PetscErrorCode WriterLists(GridWriter *w, const char *name, WriterKind kind, const IdLists *lists);

/* All cells and boundary faces of a grid with polyhedra. */
PetscErrorCode WriterPolyhedra(GridWriter *w);

/* Name the elements from `first` on, up to the last, after a patch. */
PetscErrorCode WriterNamePatch(GridWriter *w, const NearPatch *patch, GlobalId first);
