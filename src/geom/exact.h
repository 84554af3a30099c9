/*
 * Signs that rounding cannot change: on which side of a plane, which way past an edge?
 *
 * Each is computed in double precision first; when that is too near to zero to be trusted, again
 * in sums of doubles that carry every bit.
 *
 * J. R. Shewchuk, Adaptive precision floating-point arithmetic and fast robust geometric
 * predicates, Discrete & Computational Geometry 18, 1997.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/vec3.h"

/* The sign of (b - a) x (c - a) . (d - a): 1 when d is above the plane of a, b, c,
 * counter-clockwise from there, -1 below, 0 only when all four lie in one plane. */
int exact_side(Vec3 a, Vec3 b, Vec3 c, Vec3 d);

/* That number itself, six times the volume of the tetrahedron, good to nine digits however small.
 */
double exact_volume(Vec3 a, Vec3 b, Vec3 c, Vec3 d);

/* (b - a) x (d - c), each component with its exact sign. */
Vec3 exact_cross(Vec3 a, Vec3 b, Vec3 c, Vec3 d);
