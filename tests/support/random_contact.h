/*
 * Random bodies of every kind of motion that meet at a point, for the tests of the impact laws.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/quat.h"
#include "body/body_spec.h"
#include "contact/impact.h"
#include "support.h"

typedef struct {
  MotionKind motion[2];
  double mass[2];
  Mat3 inertia[2]; /* about the mass centre, world axes */
  Mobility body[2];
  Twist twist[2];
  Vec3 point, normal;
} RandomContact;

typedef struct {
  Vec3 linear, angular;
  double energy, size; /* size: what the momenta are small against */
} PairMomentum;

static inline Vec3 random_vec(Random *r, double size)
{
  return vec3(random_in(r, -size, size), random_in(r, -size, size), random_in(r, -size, size));
}

static inline Vec3 random_direction(Random *r)
{
  Vec3 v = random_vec(r, 1.0);
  while (vec3_norm(v) < 0.1) v = random_vec(r, 1.0);
  return vec3_unit(v);
}

/* An inertia that some body has: masses on three axes, turned at random. */
static inline Mat3 random_inertia(Random *r, double mass)
{
  const double x = mass * random_in(r, 0.01, 1), y = mass * random_in(r, 0.01, 1),
               z = mass * random_in(r, 0.01, 1);
  const Mat3 principal = mat3_diagonal(y + z, x + z, x + y);
  const Mat3 turn = quat_matrix(quat_from_vector(random_vec(r, 3.0)));
  return mat3_rotate_tensor(&turn, &principal);
}

static inline Mobility random_mobility(Random *r, MotionKind kind, const Mat3 *inertia, double mass,
                                       Vec3 center)
{
  if (kind == MOTION_FREE) return mobility_free(mass, inertia, center);
  if (kind == MOTION_POINT) return mobility_point(inertia, center);
  if (kind == MOTION_AXIS) return mobility_axis(random_direction(r), mass, center);
  return mobility_none(center);
}

/* A motion that the kind allows. */
static inline Twist random_twist(Random *r, MotionKind kind, const Mobility *body)
{
  const Twist t = {random_vec(r, 2.0), random_vec(r, 2.0)};
  if (kind == MOTION_FIXED) return (Twist){{0, 0, 0}, {0, 0, 0}};
  if (kind == MOTION_POINT) return (Twist){{0, 0, 0}, t.w};
  if (kind == MOTION_AXIS) return (Twist){{0, 0, 0}, mat3_apply(&body->inverse_inertia, t.w)};
  return t;
}

/* Two bodies at a point, the normal chosen so that they approach. */
static inline RandomContact random_contact(Random *r, MotionKind a, MotionKind b)
{
  RandomContact c = {.motion = {a, b}, .point = random_vec(r, 1.0), .normal = random_direction(r)};
  for (int i = 0; i < 2; i++) {
    c.mass[i] = pow(10.0, random_in(r, -1, 1));
    c.inertia[i] = random_inertia(r, c.mass[i]);
    const Vec3 center = vec3_add(c.point, random_vec(r, 1.5));
    c.body[i] = random_mobility(r, c.motion[i], &c.inertia[i], c.mass[i], center);
    c.twist[i] = random_twist(r, c.motion[i], &c.body[i]);
  }
  const Vec3 va = mobility_velocity(&c.body[0], c.twist[0], c.point);
  const Vec3 vb = mobility_velocity(&c.body[1], c.twist[1], c.point);
  if (vec3_dot(vec3_sub(va, vb), c.normal) > 0) c.normal = vec3_scale(-1, c.normal);
  return c;
}

/* The impact of the pair with random restitution and friction up to 3. */
static inline ImpactInput random_impact(Random *r, const RandomContact *c)
{
  const Vec3 va = mobility_velocity(&c->body[0], c->twist[0], c->point);
  const Vec3 vb = mobility_velocity(&c->body[1], c->twist[1], c->point);
  return (ImpactInput){.inverse_mass = mobility_pair(&c->body[0], &c->body[1], c->point),
                       .normal = c->normal,
                       .velocity = vec3_sub(va, vb),
                       .restitution = random_unit(r),
                       .friction = random_in(r, 0, 3)};
}

/* Momenta and energy of two free bodies, the angular one about the origin. */
static inline PairMomentum pair_momentum(const RandomContact *c, const Twist twist[2])
{
  PairMomentum m = {{0, 0, 0}, {0, 0, 0}, 0, 0};
  for (int i = 0; i < 2; i++) {
    const Vec3 linear = vec3_scale(c->mass[i], twist[i].v);
    const Vec3 spin = mat3_apply(&c->inertia[i], twist[i].w);
    const Vec3 angular = vec3_add(vec3_cross(c->body[i].center, linear), spin);
    m.linear = vec3_add(m.linear, linear);
    m.angular = vec3_add(m.angular, angular);
    m.energy += 0.5 * (vec3_dot(linear, twist[i].v) + vec3_dot(spin, twist[i].w));
    m.size += vec3_norm(linear) + vec3_norm(angular);
  }
  return m;
}
