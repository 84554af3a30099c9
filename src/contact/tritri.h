/*
 * How near do two flat triangles come, and where?
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "geom/triangle.h"

#include <stdbool.h>

typedef struct {
  double distance2; /* zero when they cross */
  Vec3 on_a, on_b;  /* the nearest points */
  bool crossing;    /* an edge of one passes through the other */
} TrianglePair;

/* The nearest points of two segments, as parameters in [0, 1]; parallel ones give one of many. */
void segments_nearest(Vec3 a0, Vec3 a1, Vec3 b0, Vec3 b1, double *s, double *t);

TrianglePair triangle_pair(const Corners *a, const Corners *b);

/* Does the segment from p to q pass through the inside of t, and where? */
bool segment_pierces(Vec3 p, Vec3 q, const Corners *t, Vec3 *where);

/* Does an edge of one pass through the other? */
bool triangles_cross(const Corners *a, const Corners *b);

/* Is this a proof that two triangles are farther apart than limit? */
bool triangles_apart(const Corners *a, const Corners *b, double limit);
