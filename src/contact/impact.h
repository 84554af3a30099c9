/*
 * Which impulse passes between two bodies that strike each other at one point?
 *
 * The contact is described by its inverse mass K, its normal and the relative velocity v; an
 * impulse P changes v by K P. Restitution is energetic (Stronge): of the work W < 0 that the
 * normal impulse does while v.n < 0, the part e^2 comes back before the bodies part. Friction
 * is Coulomb's at every instant, so its work is never positive, and neither is the sum.
 *
 * Laws: G. Wei, Flow Science 2006, after Stronge (2000); the six-equation form after the
 * moving-frame collision paper of ASME IMECE 2019.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "contact/mobility.h"

typedef struct {
  Mat3 inverse_mass;  /* K, symmetric, may lack rank */
  Vec3 normal;        /* unit, from body b to body a */
  Vec3 velocity;      /* of a's point relative to b's */
  double restitution; /* e in [0, 1] */
  double friction;    /* mu >= 0 */
} ImpactInput;

typedef enum { IMPACT_NONE, IMPACT_ALGEBRAIC, IMPACT_STRONGE, IMPACT_REST, IMPACT_HERTZ } ImpactLaw;

typedef struct {
  Vec3 impulse;            /* on a; b receives the opposite */
  ImpactLaw law;           /* IMPACT_NONE: no impulse was needed or none can help */
  double work;             /* P.(v- + v+)/2 of all components, never positive */
  double compression_work; /* of the normal impulse until greatest compression */
  bool halted;             /* slip came to zero before the end */
  bool stuck;              /* then, or from the start, the point stuck */
  bool reversed;           /* then, or from the start, slip went off in another direction */
  bool jammed;             /* friction made the approach faster at some time */
  bool wedged;             /* friction alone would never end the impact: it was let go */
  bool blocked;            /* neither body can yield along the normal */
} ImpactResult;

/* Can no impulse along the normal change the normal velocity? */
bool impact_blocked(const Mat3 *inverse_mass, Vec3 normal);

/*
 * Closed form: friction keeps the direction it has at first and ceases when the slip along it
 * does. Exact without friction, and wherever the slip direction is constant and slip lasts.
 */
ImpactResult impact_algebraic(const ImpactInput *input);

/* Energetic restitution with the slip followed through the impact: turn, halt, stick, reversal. */
ImpactResult impact_stronge(const ImpactInput *input);

/* The closed form where it is exact, Stronge elsewhere; the result says which. */
ImpactResult impact_auto(const ImpactInput *input);

/*
 * The frictionless impulse along n on body a at the point p, from six equations: momentum
 * along n, restitution at the contact point, and two components of angular momentum of each
 * body. Both bodies are free.
 */
double impact_six_equations(const Mobility *a, const Mobility *b, const Twist twist[2], Vec3 p,
                            Vec3 n, double restitution);
