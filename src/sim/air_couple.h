/*
 * Air and bodies as one: what the bodies of a step are to feel before the flow of that step is
 * known.
 *
 * Within a step the load on a body is a straight line from what it is at the start to what it is
 * believed to be at the end. Loose coupling believes that it goes on as in the step before: one
 * pass, second order in time. Strong coupling compares the belief with what the flow answers, and
 * repeats the step until the two agree: for bodies that are light beside the air they push.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "contact/contact.h"
#include "sim/air.h"

/* Numbers of a restart, and how many. */
int air_track_size(const Air *air);
void air_track_get(const Air *air, double number[]);
void air_track_set(Air *air, const double number[]);

/* The loads stand still: at the start of a run, or after the flow was replaced. */
void air_track_start(Air *air);

/* Let the bodies feel what is believed of the step from now on. */
void air_tell(const Air *air, Bodies *bodies);

/* A step begins; it failed, and all is as before it. */
void air_begin(Air *air);
void air_go_back(Air *air, Bodies *bodies);

/*
 * The flow has answered at the end of the step: does it agree with what the bodies felt? If not,
 * the flow is as before the step again and the bodies will feel something better. A step that never
 * settles is a verdict. Collective.
 */
PetscErrorCode AirSettle(Air *air, Bodies *bodies, double t_end, bool *settled, bool *sound);

/* The step is taken: its end is the present. Loads stand still where a body was struck. */
PetscErrorCode AirAccept(Air *air, Bodies *bodies, const Contact *contact, double dt);
