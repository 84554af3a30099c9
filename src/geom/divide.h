/*
 * The same surface in smaller triangles. SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "geom/surface.h"

/*
 * Divide triangles at the middles of long edges until no edge is longer than spacing, and make
 * those inside flat parts round by turning diagonals and moving vertices. The shape stays; corner
 * normals are made anew. Fails with PETSC_ERR_USER_INPUT when there would be more than
 * SURFACE_MOST_TRIANGLES.
 */
PetscErrorCode SurfaceDivide(const Surface *surface, double spacing, Surface **divided);
