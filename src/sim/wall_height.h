/*
 * How high must first cells be, and how high will they be in units of the wall? Estimated from the
 * friction of a flat plate before the air is known.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "config/case.h"

/* u_tau / nu [1/m] of body b over a length; NaN: the air does not stick, or does not move past it.
 */
double wall_unit_per_length(const Case *the_case, int b, double length);

/* Height of first cells whose centres stand at the body's grid.y_plus; NaN likewise. */
double wall_first_height(const Case *the_case, int b, double length);
