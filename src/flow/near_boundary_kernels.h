/*
 * Fluxes through the boundary faces of a near-body grid.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "flow/hllc.h"
#include "flow/near_arrays.h"

/* What stands behind a boundary. */
typedef enum {
  NEAR_SOLID, /* nothing passes: walls, planes of symmetry */
  NEAR_FAR,   /* the free stream, by characteristics */
  NEAR_IN,    /* the free stream, whatever comes */
  NEAR_OUT    /* nothing comes back; the pressure of the free stream where the flow is subsonic */
} NearBeyond;

/* The normal of a face in inertial axes with its speed along it, and its area. */
FaceNormal near_face_normal(const NearArrays *arrays, const NearMotion *motion, LocalId f,
                            double *area);

/* Flux by area through a boundary before which the gas is in state `in`; *p is the pressure on it.
 */
FaceFlux near_beyond_flux(double gamma, FaceNormal n, NearBeyond beyond, const Primitive *stream,
                          FaceState in, double *p);

/*
 * Flux of boundary faces [first, end), as near_face_flux, and the pressure on them in their `skin`.
 */
void near_boundary_flux(const NearArrays *arrays, double gamma, const NearMotion *motion,
                        NearBeyond beyond, const Primitive *stream, LocalId first, LocalId end);
