/*
 * A near-body grid: what one rank owns of it, in the frame of its body, constant once made.
 *
 * Cells stand along a Hilbert curve through their centres and are dealt to the ranks in equal
 * runs. A cell's global id is its place on the curve, so it does not depend on the number of
 * ranks, and neither does any number below except which rank holds it. This rank's own cells
 * come first, in the order of the curve; then its halo: one layer, the cells that share a face
 * with an own one. A two-point scheme with gradients exchanges the state, computes gradients
 * of own cells, exchanges those, and has all its fluxes need.
 *
 *   cells   [0, n_own) own, in order of global id      [n_own, n_local) halo
 *   faces   [0, n_inner) between own cells             [n_inner, n_interior) own and halo
 *           [n_interior, n_faces) on boundaries, patch after patch
 *
 * A face between cells points from `left`, the cell with the lower global id, to `right`; one on
 * a boundary points out of `left`. Both ranks that see a face hold the same bits for it.
 *
 * Every face is one set of triangles, a fan around its lowest vertex, shared by both its cells.
 * S = sum of s and T = sum of c x s over its triangles (area vector s, centroid c) therefore add
 * up to zero around each cell to rounding, however warped the face. Volumes and centres come
 * from the same triangles.
 *
 * Periodic boundaries are no boundaries here: their faces lie between a cell and the image of
 * another in the halo, which has that cell's global id and state but a displaced centre.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/box.h"
#include "base/error.h"
#include "base/ids.h"
#include "comm/exchange.h"
#include "grid/grid_input.h"

/* Values per cell that the halo of a grid can exchange at a time: state and its gradients. */
enum { NEAR_COMPONENTS = 32 };

/* A boundary by its name. The same patches in the same order on every rank. */
typedef struct {
  char name[PATCH_NAME];
  PatchHint hint;
  LocalId first_face, n_faces; /* among the faces of this rank */
  GlobalId n_faces_global;
} NearPatch;

typedef struct {
  MPI_Comm comm;
  GlobalId n_global, first; /* cells of all ranks; global id of own cell 0 */
  LocalId n_own, n_local;
  GlobalId *cell_id; /* n_local: global ids; first + c for own cells */
  double *volume;    /* n_local [m3] */
  double *x, *y, *z; /* n_local: centres of cells [m] */
  Exchange *halo;    /* fills entries n_own .. n_local of an array over cells */
  LocalId n_inner, n_interior, n_faces;
  LocalId *left, *right;  /* n_faces: cells; right is -1 on boundaries */
  double *sx, *sy, *sz;   /* n_faces: area vector S [m2] */
  double *tx, *ty, *tz;   /* n_faces: moment T of the area about the origin [m3] */
  double *fx, *fy, *fz;   /* n_faces: centre of the face [m] */
  LocalId *face_start;    /* n_own + 1: the faces of an own cell, in the order of its definition, */
  LocalId *face;          /* face[face_start[c]] up to, not including, face[face_start[c + 1]] */
  signed char *face_sign; /* beside face: +1 if the face points out of the cell, -1 into it */
  int n_patches;
  NearPatch *patch;
  GlobalId n_vertices_global;
  LocalId n_vertices;
  Vec3 *vertex;          /* n_vertices: corners of own cells [m] */
  GlobalId *vertex_id;   /* n_vertices: global ids as in the input, rising */
  CellKind *kind;        /* n_own */
  LocalId *corner_start; /* n_own + 1 */
  LocalId *corner;       /* vertices of own cells, laid out as in grid/grid_input.h */
  LocalId *ring_start;   /* n_faces - n_interior + 1 */
  LocalId *ring;         /* vertices of boundary face f: ring[ring_start[f - n_interior]] ...,
                            turning right-handed about S */
  Box box;               /* around all vertices of all ranks */
} NearGrid;

/*
 * Make a grid from slices; collective, every rank gives its own. Fails with CAROM_ERR_MESH on
 * all ranks, with one line that begins with input->name: cells of no or negative volume, faces
 * of more than two cells, boundary faces without a name, named faces that bound no cell.
 */
PetscErrorCode NearGridCreate(MPI_Comm comm, const GridInput *input, NearGrid **grid);
PetscErrorCode NearGridDestroy(NearGrid **grid);

/* Place of a patch, or -1. */
int near_grid_find_patch(const NearGrid *grid, const char *name);

/*
 * A number for all that a solver sees of a grid: ids, metrics, faces, patches. Equal on all
 * ranks and for any number of them. Collective.
 */
PetscErrorCode NearGridHash(const NearGrid *grid, uint64_t *hash);
