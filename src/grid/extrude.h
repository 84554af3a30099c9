/*
 * Layers of cells around a body, grown from its surface: prisms over triangles, hexahedra over
 * quads.
 *
 * Every vertex of the surface moves outwards layer by layer; all columns have the same number of
 * layers, so the grid conforms whatever its thickness does. Where there is no room (gaps, roots)
 * the layers are thinner instead of fewer. A grid that is returned is sound: the Jacobian of every
 * cell is positive throughout, and the outer boundary does not cross itself, so no two cells
 * overlap.
 *
 * Serial and pure: the same input gives the same bits on every rank.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "grid/wall_mesh.h"

#include <stdio.h>

typedef struct {
  int layers;
  double first;  /* height of the layer at the wall; NaN: chosen so that the outermost layer is as
                    high as edges of the wall are long */
  double growth; /* of the heights from layer to layer */
  const char *name; /* said first in errors; may be NULL */
} ExtrusionSpec;

/* A worst value and where it was found. */
typedef struct {
  double value;
  Vec3 at;
} WorstPlace;

typedef struct {
  double volume;              /* of all cells */
  WorstPlace smallest_volume; /* of a cell */
  WorstPlace worst_skewness;  /* 0: faces with equal angles, 1: degenerate */
  WorstPlace worst_slant;     /* degrees between a column and the normal of the face it stands on */
  WorstPlace thinnest_layer;  /* height of a cell along its column */
  WorstPlace thinnest;        /* thickness of all layers together */
  WorstPlace thickest;        /* likewise */
  int n_thinned;              /* wall vertices that could not have the full thickness */
  double first;               /* height of the first layer, asked for or chosen */
  double full_thickness;      /* what layers, first and growth ask for */
  double outer_size[3];       /* of the outermost cells: smallest, mean, largest */
  double outer_height[3];     /* of the outermost layer: smallest, mean, largest */
} ExtrusionQuality;

typedef struct {
  int n_layers;
  int n_wall_vertices;
  int n_vertices;
  Vec3 *vertex; /* owned: those of the wall, then those above them, layer by layer */
  int n_prisms;
  int (*prism)[6]; /* owned: the triangle nearer to the wall, then the one above it */
  int n_hexahedra;
  int (*hexahedron)[8]; /* owned: likewise */
  int n_faces;
  int (*body)[4];     /* owned, n_faces: the wall; normals point out of the grid, last -1 as ever */
  int (*outer)[4];    /* owned, n_faces: the other end of the same columns */
  double *outer_size; /* owned, n_faces: edge of a cube as large as the outermost cell, or as two of
                         them over a triangle: what off-body cells should match */
  ExtrusionQuality quality;
} Extrusion;

/*
 * Grow the layers. Fails with PETSC_ERR_USER_INPUT for numbers that make no sense, with
 * CAROM_ERR_MESH, naming the place, where no sound grid can be made.
 */
PetscErrorCode ExtrusionCreate(const WallMesh *wall, ExtrusionSpec spec, Extrusion **extrusion);
PetscErrorCode ExtrusionDestroy(Extrusion **extrusion);

/* The thickness of n layers that start with first and grow. */
double extrusion_thickness(double first, double growth, int n);

/* Print cells, thickness and quality. */
void extrusion_describe(const Extrusion *extrusion, FILE *to);
