/*
 * A plane through the flow: as a picture (PNG) to look at, and as polygons (CGNS) to work with.
 *
 * Each computed or interpolated cell that the plane cuts gives a polygon with the values of the
 * cell; holes give none. The picture lays polygons of interpolated cells first, then those of the
 * forest, then those of near-body grids, so that computed cells win and the finer grid wins; values
 * in it are straight between cells. Polygons come in the order of global numbers of cells and their
 * corners from the same arithmetic everywhere, so both files are the same bytes for any number of
 * ranks.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "draw/canvas.h"
#include "flow/flow_spec.h"
#include "io/field_file.h"

typedef struct {
  Vec3 point, normal; /* normal: unit */
  FlowQuantity quantity;
  double low, high; /* of the colours; NaN: those of the values, rounded */
  double width;     /* of what is shown around point; NaN: all there is */
} SlicePlane;

typedef struct {
  int n_grids;
  const FieldGrid *grid;
  const FieldForest *forest; /* NULL: there is none */
} SliceFlow;

/* Write path_png and path_cgns. Collective; fails with CAROM_ERR_FILE on all ranks. */
PetscErrorCode SliceWrite(MPI_Comm comm, const SliceFlow *flow, const SlicePlane *plane, int number,
                          double t, const char *path_png, const char *path_cgns);
