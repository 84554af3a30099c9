/*
 * A face as a fan of triangles around the first of its corners.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/ids.h"
#include "base/vec3.h"

/* Area vector S, moment T about the origin, and centre: the mean of the triangles by area. */
typedef struct {
  Vec3 area, moment, center;
} RingMetric;

RingMetric ring_metric(int n, const LocalId ring[], const Vec3 at[]);

/* Volume of the pyramid from apex to the ring, and that volume times its centre less the apex. */
typedef struct {
  double volume;
  Vec3 moment;
} RingPyramid;

RingPyramid ring_pyramid(Vec3 apex, int n, const LocalId ring[], const Vec3 at[]);

/* Turn a ring to begin at its lowest corner. */
void ring_begin_lowest(int n, LocalId ring[]);

/* The same face seen from the other side, still from its first corner. */
void ring_reverse(int n, LocalId ring[]);

/* Is the area of a ring lost in the rounding of coordinates of this size? */
bool ring_is_flat(int n, const LocalId ring[], const Vec3 at[], double size);
