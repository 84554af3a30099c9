/*
 * A volume file while ranks read their slices of it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "io/id_lists.h"
#include "io/volume_catalog.h"

typedef struct {
  CellKind kind;
  int zone;
  GlobalId number; /* place in the row of all elements */
} CellFacts;

/* Who names a face: a boundary condition, or only the section it stands in. */
typedef enum { NAMED_BY_BOUNDARY, NAMED_BY_SECTION } FaceSource;

typedef struct {
  int patch;
  FaceSource source;
} FaceFacts;

/* A surface element that may be a boundary face. */
typedef struct {
  int run;
  GlobalId number;
} SurfaceFacts;

typedef struct {
  MPI_Comm comm;
  int rank, size;
  const char *path;             /* as the user wrote it */
  int file;                     /* open on this rank */
  const VolumeCatalog *catalog; /* borrowed */
  double scale;
  Vec3 origin;       /* after scaling, moved to zero */
  char problem[512]; /* what went wrong on this rank; empty if nothing */

  GlobalId first_element; /* the slice of the row of elements this rank reads */
  LocalId n_elements;
  Vec3 *vertex; /* owned: the block of vertices of this rank */

  LocalId cell_room, surface_room, polygon_room, face_room;
  CellFacts *cell;       /* owned, one per list of corners */
  IdLists corner;        /* of cells; those of polyhedra are lists of faces until VolumePolyhedra */
  SurfaceFacts *surface; /* owned, one per list */
  IdLists outline;       /* corners of surface elements, polygons among them */
  LocalId *polygon;      /* owned, n_elements: surface that is the polygon of an element, or -1 */
  int *element_patch;    /* owned, n_elements: patch a boundary condition gives it, or -1 */
  bool *run_has_cells;   /* owned, one per run */
  uint64_t *mark;        /* owned, mark_words per vertex of the block: patches by vertices */
  int mark_words;        /* 0: no boundary is given by vertices */
  FaceFacts *face;       /* owned, one per list */
  IdLists ring;          /* corners of boundary faces */
  GlobalId *same;        /* owned: block of what each vertex is one with */
  GlobalId n_reduced;    /* elements of higher order, cut to their corners */
} VolumeRead;

/* Note what went wrong here; the first note stays. */
void volume_problem(VolumeRead *read, const char *format, ...);

/* Raise the problem of the lowest rank that has one, on all. Collective. */
PetscErrorCode VolumeVerdict(VolumeRead *read);

/* Entries [first, first + n) of an array of integers beside a section. Not collective. */
PetscErrorCode VolumeIntegers(VolumeRead *read, const VolumeRun *run, const char *array,
                              GlobalId first, GlobalId n, GlobalId to[]);

/* The stages; collective unless said. Each leaves problems for VolumeVerdict. */
PetscErrorCode VolumeVertices(VolumeRead *read); /* not collective */
PetscErrorCode VolumeElements(VolumeRead *read);
PetscErrorCode VolumePolyhedra(VolumeRead *read);
PetscErrorCode VolumeJoins(VolumeRead *read);
PetscErrorCode VolumeNameElements(VolumeRead *read);
PetscErrorCode VolumeMarkVertices(VolumeRead *read);

/* Patch that the marks of all corners of each ring agree on, or -1; `own` wins if among them. */
PetscErrorCode VolumeAskMarks(VolumeRead *read, const IdLists *rings, const int own[], int patch[]);
