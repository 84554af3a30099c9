/*
 * Gaps between bodies that are too thin for the cells: no air is computed in them, so wall faces
 * there feel the mean pressure of the rim of the gap, the same on both bodies.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "sim/air.h"

PetscErrorCode AirGapsCreate(MPI_Comm comm, AirGaps **gaps);
PetscErrorCode AirGapsDestroy(AirGaps **gaps);

/* Add what closed gaps do to the loads that were found, for grids where they are now. Collective.
 */
PetscErrorCode AirCloseGaps(Air *air);
