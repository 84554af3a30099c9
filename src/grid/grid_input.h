/*
 * A grid as it is given: vertices, cells by their corners, boundary faces by theirs.
 *
 * Each rank gives a slice and no rank needs more. Readers, extrusion and box grids fill it;
 * grid/near_grid.h makes a grid of it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/error.h"
#include "base/ids.h"
#include "base/vec3.h"

#include <stdint.h>

/* Corners in the order of CGNS. A polyhedron lists its faces: for each the number of corners,
 * then the corners, turning right-handed about the outward normal. */
typedef enum {
  CELL_TETRA,
  CELL_PYRAMID,
  CELL_PRISM,
  CELL_HEXA,
  CELL_POLYHEDRON,
  CELL_KINDS
} CellKind;

/* What a file says of a boundary; the case decides. */
typedef enum {
  HINT_NONE,
  HINT_WALL,
  HINT_SLIP,
  HINT_SYMMETRY,
  HINT_FARFIELD,
  HINT_INFLOW,
  HINT_OUTFLOW,
  HINT_OVERSET,
  HINT_PERIODIC,
  HINT_KINDS
} PatchHint;

enum { PATCH_NAME = 64 };

typedef struct {
  char name[PATCH_NAME];
  PatchHint hint;
} PatchInput;

/* Faces of patch `from`, displaced by `shift`, lie on those of patch `to`. */
typedef struct {
  int from, to;
  Vec3 shift;
} PeriodicInput;

typedef struct {
  const char *name; /* said in errors: the file, or what the grid is for */

  /* Vertices of all ranks; this rank gives those of the block of n_vertices (comm/block.h). */
  GlobalId n_vertices;
  const Vec3 *vertex;

  /* Cells of all ranks; this rank gives n_cells_here of them, numbered from first_cell. The
   * corners of cell c: corner[corner_start[c]] up to corner[corner_start[c + 1]]. */
  GlobalId n_cells, first_cell;
  LocalId n_cells_here;
  const GlobalId *cell_number; /* NULL, or numbers that take the place of first_cell + c */
  const CellKind *kind;
  const LocalId *corner_start;
  const GlobalId *corner;

  /* Boundary faces, each given by one rank, in any order and from any corner, either way round. */
  LocalId n_faces_here;
  const LocalId *face_start;
  const GlobalId *face_corner;
  const int *face_patch;

  /* The same on all ranks. */
  int n_patches;
  const PatchInput *patch;
  int n_periodic;
  const PeriodicInput *periodic;
  int n_joined;
  const int *joined; /* patches that are joined to their opposites, which are looked for */
} GridInput;

/* Number of a cell of this rank: it breaks ties of the order, and errors name it plus one. */
static inline GlobalId grid_input_number(const GridInput *input, LocalId c)
{
  return input->cell_number != NULL ? input->cell_number[c] : input->first_cell + c;
}
