/*
 * Where do two smooth surfaces come nearest? From a guess to the exact place.
 *
 * The place is a point between the surfaces whose feet on both have opposite normals. The
 * normals change with the point's position along the surfaces by the sum of the curvatures; a
 * few steps of Newton's method with that matrix find the place. In a direction in which the sum
 * of the curvatures vanishes (a cylinder on a plane) the guess stays where it is; or, if so asked,
 * slides down to where the surfaces begin to bend.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "contact/hit.h"
#include "contact/side.h"

typedef struct {
  bool slide;
  int ta, tb; /* triangles of a and b (-1: a wall) beside the guess, then those beside the place */
  bool level; /* set: the normals are opposite; else the gap still falls along the surfaces */
} Polish;

/*
 * Polish the guess to the place of least distance near it. False when there is none nearby: the
 * least distance lies at a crease, or beyond the reach.
 */
bool contact_polish(const Side *a, const Side *b, Vec3 guess, double reach, Polish *polish,
                    ContactHit *hit);
