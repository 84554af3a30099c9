/*
 * The air off the bodies as unknowns of an implicit solver: five numbers per cell, cells in the
 * order of the patches. Cells that are not STATE_FIELD are unknowns too, with the equation that
 * they stay as they are; whoever fills them may put another in its place.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "flow/off_body.h"

LocalId off_body_n_cells(const OffBody *off_body);

/* The state as unknowns, and unknowns as the state; *bad cells of all ranks are not sound.
 * OffBodySpread is collective. */
void off_body_collect(const OffBody *off_body, double x[]);
PetscErrorCode OffBodySpread(OffBody *off_body, const double x[], GlobalId *bad);

/* The state one step before that which was kept (OffBodySave); it is carried over when the forest
 * changes. off_body_age makes the state that was kept the older one. */
double *off_body_older(OffBody *off_body);
void off_body_age(OffBody *off_body);

/* known = now times the state plus older times the older one; for cells that are not field -a0
 * times the state. */
void off_body_known(OffBody *off_body, double now, double older, double a0, double known[]);

/* Volumes of cells, and their longest time steps at a Courant number of 1. */
void off_body_volumes(const OffBody *off_body, double volume[]);
void off_body_local_steps(const OffBody *off_body, double step[]);

/* The rate of change as unknowns are, and the mass that leaves the domain per time. Collective. */
PetscErrorCode OffBodyRates(OffBody *off_body, PatchHold hold, double rate[]);
PetscErrorCode OffBodyPassing(OffBody *off_body, double *passing);

/* Take the present state as the one about which OffBodyPrecondition is linear. */
void off_body_linearise(OffBody *off_body);

/* x from r: about V (a0 - d rate) x = r, patch by patch. */
void off_body_precondition(const OffBody *off_body, const double a0[], const double r[],
                           double x[]);
