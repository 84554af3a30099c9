/*
 * Plane polygons with holes, cut into triangles.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/error.h"

/*
 * Loops of points (x, y): loop l runs from point start[l] to point start[l + 1] - 1 and back to its
 * first; outer loops run counter-clockwise, holes clockwise. Writes triples of point numbers,
 * counter-clockwise; triangle has room for (all points + 2 * loops). Every side of a loop
 * belongs to one triangle, and every other side to two that run opposite ways, whatever the points
 * are: what rounding makes of nearly straight or crossing loops changes shapes, never the
 * connections.
 */
PetscErrorCode PolygonTriangulate(int n_loops, const int start[], const double x[],
                                  const double y[], int triangle[][3], int *n_triangles);
