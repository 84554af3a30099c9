/*
 * Motion at constant velocity and spin in the frame of the mover: T(s) = T(0) exp(s twist).
 *
 * Between two poses there is one such motion that turns by less than half a turn. A grid carried
 * by it has the same velocity field in its own frame at every instant, v + w x p.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/pose.h"

/* Velocity of the frame's origin and spin, in axes of the frame. */
typedef struct {
  Vec3 v, w;
} Screw;

/* The pose after a time dt. */
Pose screw_move(Pose start, Screw twist, double dt);

/* The twist that leads from one pose to another in a time dt. */
Screw screw_between(Pose start, Pose end, double dt);

/* a x + b y */
static inline Screw screw_combine(double a, Screw x, double b, Screw y)
{
  return (Screw){vec3_axpy(vec3_scale(a, x.v), b, y.v), vec3_axpy(vec3_scale(a, x.w), b, y.w)};
}
