/*
 * Grids joined to one flow field: the connectivity of a run, kept in step with bodies and forest.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "sim/air.h"

/* Make the connectivity of the grids of a run, if there is a forest to join them. Collective. */
PetscErrorCode AirOversetCreate(Air *air, const Shapes *shapes);

/* Balls around the grids, where the forest is to be as fine as they are, for the time `ahead`. */
int air_balls(const Air *air, const Bodies *bodies, double ahead, ForestBall ball[]);

/* States and donors for grids at these poses, handed to the flow. Too many orphans are an error.
 * Collective. */
PetscErrorCode AirConnect(Air *air, const Pose pose[]);

/* A body whose centre is outside the box of the forest has no air: it is told once, and no longer
 * loaded. */
PetscErrorCode AirForgetAway(Air *air);

/* The same after the forest has changed under grids that stay. */
PetscErrorCode AirReconnect(Air *air);

/* Print cells by state, orphans and time on rank 0. */
PetscErrorCode AirOversetDescribe(const Air *air, FILE *out);
