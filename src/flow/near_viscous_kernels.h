/*
 * Friction and conduction through the faces of a near-body grid: the full viscous terms.
 *
 * Each adds to fluxes that are there already, and to the wave speeds what diffusion needs.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "flow/near_arrays.h"

/* Faces between cells [first, end). */
void near_viscous_flux(const NearArrays *arrays, const Gas *gas, const NearMotion *motion,
                       LocalId first, LocalId end);

/*
 * Boundary faces to which the gas sticks; the wall is at a temperature, or adiabatic (NaN). The
 * force of friction on the wall is left in their `skin`, behind the pressure.
 */
void near_wall_friction(const NearArrays *arrays, const Gas *gas, const NearMotion *motion,
                        double temperature, LocalId first, LocalId end);

/* Boundary faces through which the gas passes. */
void near_open_friction(const NearArrays *arrays, const Gas *gas, const NearMotion *motion,
                        LocalId first, LocalId end);
