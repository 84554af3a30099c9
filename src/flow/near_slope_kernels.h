/*
 * Gradients of the cells of a near-body grid, and what the limiter leaves of them.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "flow/near_arrays.h"

/* Fill `raw` of own cells, which then has to be exchanged. */
void near_raw_slopes(const NearArrays *arrays, const NearMotion *motion);

/*
 * Slopes of own cells by weighted least squares, limited where the flow is not smooth. Halo records
 * must be there. Returns how many cells fell back to first order because a state at a face would
 * not have been positive.
 */
LocalId near_slopes(const NearArrays *arrays, const NearMotion *motion, NearLimit limit);
