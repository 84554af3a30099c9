/*
 * A near-body grid in the making: what one rank knows of its cells between the stages.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "grid/near_grid.h"

/* Cells by their corners. Pointers are borrowed from whoever made the list. */
typedef struct {
  LocalId n;
  const CellKind *kind;
  const LocalId *start;
  const GlobalId *corner;
} CellList;

/* The vertices of some cells, each once, and the corners by their place among them. */
typedef struct {
  LocalId n;
  GlobalId *id;    /* owned, rising */
  Vec3 *at;        /* owned */
  LocalId *corner; /* owned, beside the corners of the cell list */
} CellVertices;

PetscErrorCode CellVerticesCreate(MPI_Comm comm, const GridInput *input, const CellList *cells,
                                  CellVertices *vertices);
PetscErrorCode CellVerticesFree(CellVertices *vertices);

/* What lies beyond a face of an own cell. */
typedef enum { BEYOND_NOTHING, BEYOND_CELL, BEYOND_PATCH, BEYOND_UNKNOWN } Beyond;

/* A face as one of its cells sees it. */
typedef struct {
  LocalId cell;  /* own */
  LocalId first; /* of its ring */
  int n;         /* corners; 0: no face */
  int slot;      /* its place among the faces of the cell */
  Beyond beyond;
  int patch;
  GlobalId other; /* cell beyond */
  int other_slot;
  int image; /* 0, or 1 + 2 k beyond the from side of periodic pair k, 2 + 2 k beyond its to side */
  LocalId neighbor; /* local id of the cell beyond */
  LocalId face;     /* -1: none */
} Side;

typedef struct {
  MPI_Comm comm;
  int rank, size;
  const GridInput *input; /* borrowed */
  bool survey;            /* faults are looked at, not refused */
  Box box;
  LocalId n_own;
  GlobalId first;
  GlobalId *file_id;     /* owned, n_own: number in the input */
  CellKind *kind;        /* owned, n_own */
  LocalId *corner_start; /* owned, n_own + 1 */
  GlobalId *corner;      /* owned */
  CellVertices vertices; /* owned */
  int n_periodic;
  PeriodicInput *periodic; /* owned: those given and those found */
  double *volume;          /* owned, n_own */
  Vec3 *center;            /* owned, n_own */
  LocalId n_sides;         /* all faces of all own cells */
  LocalId *side_start;     /* owned, n_own + 1 */
  Side *side;              /* owned */
  LocalId *ring;           /* owned: corners of sides from the lowest on, about the way out */
} NearDraft;

/* The stages, in this order; each is collective and fails with CAROM_ERR_MESH on all ranks. */
PetscErrorCode DraftCheckInput(NearDraft *draft);
PetscErrorCode DraftPartition(NearDraft *draft);
PetscErrorCode DraftSides(NearDraft *draft);
PetscErrorCode DraftCheckVolumes(const NearDraft *draft);
PetscErrorCode DraftMatch(NearDraft *draft);
PetscErrorCode DraftOpposites(NearDraft *draft);
PetscErrorCode DraftPeriodic(NearDraft *draft);
PetscErrorCode DraftHalo(NearDraft *draft, NearGrid *grid);
PetscErrorCode DraftFaces(NearDraft *draft, NearGrid *grid);

PetscErrorCode DraftFree(NearDraft *draft);

/* Join the boxes of all ranks. Collective. */
PetscErrorCode DraftShareBox(NearDraft *draft);
