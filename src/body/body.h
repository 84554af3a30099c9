/*
 * One rigid body: its constants, its state, and how it answers forces.
 *
 * The state holds the inertial angular momentum instead of the spin, omega = R I^-1 R^T L, so
 * that a torque-free body keeps it exactly. Bodies on a point or an axis keep it about their
 * pivot, and position and velocity follow from attitude and spin.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "body/body_spec.h"
#include "body/load.h"
#include "body/motion_table.h"

typedef struct {
  Vec3 x, v; /* mass centre, inertial axes */
  Quat q;    /* body to inertial axes, unit */
  Vec3 L;    /* angular momentum, inertial axes, about the mass centre (axis, point: the pivot);
                of a fixed or prescribed body: the spin itself */
} BodyState;

typedef struct {
  MotionKind motion;
  double mass;          /* fixed and prescribed: may be NaN */
  Mat3 inertia;         /* body axes, about the mass centre (axis, point: the pivot) */
  Mat3 inverse_inertia; /* of the above */
  Vec3 pivot, axis;     /* inertial; the axis is a unit vector */
  Vec3 arm;             /* pivot to mass centre in body axes */
  double axis_inertia;  /* about the axis */
  double release;       /* held until then */
  BodyState start;      /* at t = 0, or at the release */
  MotionTable *table;   /* owned; prescribed motion, or NULL */
} Body;

/* Everything a body is made from. */
typedef struct {
  const BodySpec *spec;
  double mass;  /* NaN when the body has none */
  Mat3 inertia; /* about the mass centre, body axes */
} BodyInput;

/*
 * Fill a body from its input; takes table (may be NULL). The input has been checked: positive
 * mass and definite inertia for free, axis and point.
 */
PetscErrorCode BodyInit(const BodyInput *input, MotionTable *table, Body *body);

/* Does the body answer forces at time t (not fixed, prescribed or held)? */
bool body_moves_freely(const Body *body, double t);

/* Spin in inertial axes. */
Vec3 body_spin(const Body *body, const BodyState *state);

/* Angular momentum of the body's own kind for a spin in inertial axes. */
Vec3 body_momentum(const Body *body, Quat q, Vec3 spin);

/* The state of a body that no force moves, at time t: fixed, prescribed, or held. */
BodyState body_given_state(const Body *body, double t);

/* Rates of change under a force and a moment about the mass centre, both in inertial axes. */
typedef struct {
  Vec3 dx, dv, dL;
  Quat dq;
} BodyRate;
BodyRate body_rate(const Body *body, const BodyState *state, Wrench total);

/* state + h rate, brought back to unit attitude and onto the pivot. */
BodyState body_move(const Body *body, const BodyState *state, double h, const BodyRate *rate);

/* Kinetic energy [J]; zero for fixed and prescribed bodies. */
double body_kinetic_energy(const Body *body, const BodyState *state);

static inline Pose body_pose(const BodyState *state)
{
  return (Pose){state->x, state->q};
}
