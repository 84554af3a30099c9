/*
 * Grids of a box, for tests, benches and first cases: hexahedra, or each hexahedron cut into
 * two prisms or six tetrahedra.
 *
 * Every rank makes its slice. Boundaries are named xmin, xmax, ymin, ymax, zmin and zmax.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/box.h"
#include "grid/grid_input.h"

typedef struct {
  Box box;
  int n[3];      /* hexahedra along x, y and z */
  CellKind kind; /* CELL_HEXA, CELL_PRISM or CELL_TETRA */
  double shake;  /* vertices off the boundary are moved by up to this fraction of the spacing */
  unsigned long seed;                 /* of the shaking */
  bool periodic[3];                   /* the pair of sides across x, y or z is joined */
  Vec3 (*map)(Vec3 p, void *context); /* moves every vertex at last; may be NULL */
  void *context;
} BoxGridSpec;

typedef struct BoxGrid BoxGrid;

/* Not collective beyond asking for rank and size. `name` is borrowed. */
PetscErrorCode BoxGridCreate(MPI_Comm comm, const char *name, const BoxGridSpec *spec,
                             BoxGrid **box);
PetscErrorCode BoxGridDestroy(BoxGrid **box);

/* Lives as long as the box grid. */
const GridInput *box_grid_input(const BoxGrid *box);
