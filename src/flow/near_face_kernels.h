/*
 * Fluxes through the faces between cells of a near-body grid.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "flow/near_arrays.h"

/* Flux of faces [first, end) from records and slopes: mass, momentum, energy and wave speed, each
 * times the area. */
void near_face_flux(const NearArrays *arrays, double gamma, const NearMotion *motion, LocalId first,
                    LocalId end);
