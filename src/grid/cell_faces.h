/*
 * The faces of a cell, one after the other, each as a ring of corners about its outward normal.
 *
 * Corners that repeat along a ring (edges collapsed to a point) are passed over; a ring with
 * fewer than three corners left is no face and has n = 0. The order of faces is that of CGNS, or
 * of the polyhedron's own list, and never changes.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "grid/grid_input.h"

enum { RING_MOST = 64 }; /* corners of a face */

typedef struct {
  CellKind kind;
  const LocalId *corner; /* borrowed */
  int n_corners;
  int face, at; /* the next face, and where a polyhedron's list goes on */
  int n;        /* corners of the ring at hand */
  LocalId ring[RING_MOST];
} FaceWalk;

FaceWalk face_walk(CellKind kind, int n_corners, const LocalId corner[]);

/* Step to the next face; false when there is none. */
bool face_walk_next(FaceWalk *walk);

/* Corners of a cell of this kind; 0 for polyhedra, which may have any number. */
int cell_kind_corners(CellKind kind);

const char *cell_kind_name(CellKind kind);

/* Is a list of corners laid out as the kind demands, with rings of 3 to RING_MOST corners? */
bool cell_list_is_good(CellKind kind, int n, const GlobalId corner[]);
