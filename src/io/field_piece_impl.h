/*
 * What one rank gives to a field file: vertices, elements by type, values.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "io/field_file.h"

/* The types of elements a piece may have, in the order they are written. */
typedef enum {
  PIECE_TRIANGLE,
  PIECE_QUAD,
  PIECE_POLYGON,
  PIECE_TETRA,
  PIECE_PYRAMID,
  PIECE_PRISM,
  PIECE_HEXA,
  PIECE_POLYHEDRON,
  PIECE_TYPES
} PieceType;

enum { PIECE_VALUES = 8, FOREST_VALUES = 10, TURBULENT_VALUES = 12 };

/*
 * Elements of type t: n[t] of them, n_corner[t] numbers. Those of one size list their corners;
 * polygons list, each after its count, their corners, polyhedra likewise their polygons. Corners
 * and polygons are counted from 1. `value` is by name, then by element that carries values.
 */
typedef struct {
  bool flat;                /* faces of walls, or a slice */
  int n_values;             /* of each element: FOREST_VALUES where there are levels */
  const char *const *names; /* of the values; NULL: those of walls or of cells */
  int n_vertices, n_elements, n[PIECE_TYPES], n_corners[PIECE_TYPES];
  double *x;   /* owned: x of all vertices, then y, then z */
  int *corner; /* owned: of all types in order */
  double *value;
} FieldPiece;

extern const char *const field_cell_names[TURBULENT_VALUES];
extern const char *const field_wall_names[PIECE_VALUES];

/* The own cells, or the own wall faces, of a grid. Not collective. */
PetscErrorCode FieldPieceCells(const FieldGrid *grid, FieldPiece *piece);
PetscErrorCode FieldPieceWalls(const FieldGrid *grid, FieldPiece *piece);
PetscErrorCode FieldPieceForest(const FieldForest *forest, FieldPiece *piece);
PetscErrorCode FieldPieceDestroy(FieldPiece *piece);

/* The values of one cell, in units of the case. */
void field_near_values(const FieldGrid *grid, LocalId c, double value[PIECE_VALUES]);
void field_forest_values(const FieldForest *forest, LocalId patch, int cell,
                         double value[FOREST_VALUES]);

/* Write what rank 0 holds as a zone of a base of its own; the other ranks give NULL. Collective. */
PetscErrorCode FieldFileAddFlat(FieldFile *file, const char *base, const char *zone,
                                const FieldPiece *piece);

/* Send to rank 0, and receive there. */
PetscErrorCode FieldPieceSend(const FieldPiece *piece, MPI_Comm comm);
PetscErrorCode FieldPieceReceive(FieldPiece *piece, MPI_Comm comm, int from);
