/*
 * How far are the cells of a near-body grid from its own walls?
 *
 * Exact on the triangles of the wall faces, the same for any number of ranks. Walls move with
 * their grid, so this is found once.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "grid/near_grid.h"

#include <stdbool.h>

/*
 * distance[c], for own cells and those of the halo: from the centre of cell c to the nearest point
 * of the patches that are walls, HUGE_VAL when there are none. Collective.
 */
PetscErrorCode WallDistanceFind(const NearGrid *grid, const bool is_wall[], double distance[]);
