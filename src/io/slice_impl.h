/*
 * The parts of writing a slice. SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "grid/cell_faces.h"
#include "io/field_piece_impl.h"
#include "io/slice.h"

/*
 * What a picture makes of a cell. Of interpolated cells only those of the forest beside computed
 * ones are shown, which closes the seams between grids; others may lie within bodies.
 */
typedef enum { SHOW_NOT, SHOW_BELOW, SHOW_ABOVE } SliceShow;

/* Polygons of one grid. */
typedef struct {
  int n, n_corners, room, corner_room;
  int *start;    /* owned, n + 1: first corner of each */
  double *x;     /* owned: three of each corner, in the world */
  double *value; /* owned: PIECE_VALUES of each polygon */
  int *show;     /* owned: SliceShow of each */
} SlicePart;

/* The cells of a grid that this rank owns, cut. Not collective. */
PetscErrorCode SliceCutGrid(const FieldGrid *grid, const SlicePlane *plane, SlicePart *part);
PetscErrorCode SliceCutForest(const FieldForest *forest, const SlicePlane *plane, SlicePart *part);
PetscErrorCode SlicePartDestroy(SlicePart *part);

/*
 * Cut one cell: x and d (distance from the plane) of the corners that the walk names. Appends its
 * polygons, more than one where the cell is not convex, with these values.
 */
PetscErrorCode SliceCutCell(FaceWalk walk, const Vec3 x[], const double d[],
                            const double value[PIECE_VALUES], SliceShow show, SlicePart *part);

/* Bring the polygons of all ranks to rank 0, in the order of ranks. Collective. */
PetscErrorCode SliceGather(MPI_Comm comm, SlicePart *part);

/* Corners that polygons share, each once, and the mean of the values around it. */
typedef struct {
  int n;
  int *of;       /* owned: the shared corner of each corner */
  double *x;     /* owned: three of each */
  double *value; /* owned: the quantity, by corner */
} SliceCorners;

double slice_value(FlowQuantity quantity, const double value[PIECE_VALUES]);
PetscErrorCode SliceJoin(const SlicePart *part, FlowQuantity quantity, SliceCorners *corners);
PetscErrorCode SliceCornersDestroy(SliceCorners *corners);

/* Directions of the picture: to the right and up; each along an axis where the plane allows. */
void slice_axes(Vec3 normal, Vec3 *right, Vec3 *up);

/* Draw the parts: n of them, the last that of the forest where there is one. */
typedef struct {
  const SlicePlane *plane;
  int number;
  double t;
  int n;
  const SlicePart *part;
  const SliceCorners *corners;
} SlicePicture;
PetscErrorCode SliceDraw(const SlicePicture *picture, bool forest_last, unsigned char **bytes,
                         size_t *length);
