/*
 * How does a body answer an impulse?
 *
 * A body is seen through its mobility: what a unit impulse, and a unit moment of impulse
 * about a chosen centre, change in its motion. The centre is the mass centre of a free body
 * and the pivot of a body held at a point or on an axis; a body that is fixed, prescribed or
 * a wall has no mobility at all, though it may have a velocity. The inverse mass at a contact
 * is then one formula for all kinds of motion, and may lack rank.
 *
 * Forms: G. Wei, Flow Science 2006, section 2.2 (after W. J. Stronge, Impact Mechanics, 2000).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/mat3.h"

typedef struct {
  double inverse_mass;  /* [1/kg]; zero when the centre cannot move */
  Mat3 inverse_inertia; /* about the centre, world axes [1/(kg m2)]; may lack rank */
  Vec3 center;          /* mass centre or pivot, world */
} Mobility;

/* The motion of a body: velocity of the centre of its mobility, and spin, world axes. */
typedef struct {
  Vec3 v, w;
} Twist;

/* A free body; the inertia is about the mass centre in world axes and is not singular. */
Mobility mobility_free(double mass, const Mat3 *inertia, Vec3 center);

/* A body that turns about a fixed point; the inertia is about that point, world axes. */
Mobility mobility_point(const Mat3 *inertia, Vec3 pivot);

/* A body that turns about a fixed axis of any length but zero, with its moment about it. */
Mobility mobility_axis(Vec3 axis, double moment, Vec3 pivot);

/* A body that no impulse moves: fixed, prescribed, wall. Moments are taken about center. */
Mobility mobility_none(Vec3 center);

/* The velocity of the material point at p. */
static inline Vec3 mobility_velocity(const Mobility *body, Twist twist, Vec3 p)
{
  return vec3_add(twist.v, vec3_cross(twist.w, vec3_sub(p, body->center)));
}

/* The motion after the impulse P at the point p. */
static inline Twist mobility_kick(const Mobility *body, Twist twist, Vec3 p, Vec3 impulse)
{
  const Vec3 moment = vec3_cross(vec3_sub(p, body->center), impulse);
  return (Twist){vec3_axpy(twist.v, body->inverse_mass, impulse),
                 vec3_add(twist.w, mat3_apply(&body->inverse_inertia, moment))};
}

/* The velocity that a unit impulse gives to the point p it acts at: one body's share. */
Mat3 mobility_at(const Mobility *body, Vec3 p);

/* The inverse mass of a contact: the shares of both bodies together. */
Mat3 mobility_pair(const Mobility *a, const Mobility *b, Vec3 p);
