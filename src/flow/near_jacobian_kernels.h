/*
 * Derivatives of first-order fluxes, for preconditioners. SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "flow/near_boundary_kernels.h"

enum { NEAR_BLOCK = NEAR_VARS * NEAR_VARS };

/*
 * Flux through a face between cells, by the conserved values of the left and the right one, by
 * rows; viscous: that of a scalar that diffuses as fast as anything in the gas is added.
 */
void near_face_jacobian(const NearArrays *arrays, const Gas *gas, const NearMotion *motion,
                        bool viscous, LocalId f, double left[NEAR_BLOCK], double right[NEAR_BLOCK]);

/* The same of a boundary face, by the values of its cell; sticks: the gas sticks to it. */
void near_boundary_jacobian(const NearArrays *arrays, const Gas *gas, const NearMotion *motion,
                            NearBeyond beyond, const Primitive *stream, bool sticks, LocalId f,
                            double left[NEAR_BLOCK]);
