/*
 * The Hilbert curve through a cube of 2^21 steps a side.
 *
 * Method: J. Skilling, AIP Conf. Proc. 707 (2004) 381.  SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/box.h"

#include <stdint.h>

/* Place on the curve of a point of the box; the box is filled out to a cube. Below 2^63. */
uint64_t curve_place(Box box, Vec3 p);
