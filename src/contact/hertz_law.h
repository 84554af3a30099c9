/*
 * The force between two bodies that press into each other at a point, after Hertz.
 *
 * A spring K d^(3/2) over the depth d and beside it a dashpot a sqrt(m K) d^(1/4) d', cut off
 * where the two together would pull. In the variable d^(5/4) this is the linear oscillator of
 * damping ratio z = a / sqrt(5), so that its restitution is known in closed form and does not
 * depend on the speed. Friction is Coulomb's, made smooth in the slip.
 *
 * Force: R. A. Amaro, P. H. S. Osello, L.-Y. Cheng, "Moving particle simulation with solid-solid
 * contact"; dashpot: Tsuji et al. (1992); oscillator: Antypov and Elliott (2011), with the cut-off
 * of Schwager and Poeschel (2007).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

/* What a point of contact is made of, through all of its life. */
typedef struct {
  double stiffness; /* K [N/m^1.5] */
  double mass;      /* m, that moves along the normal [kg] */
  double damping;   /* a */
  double friction;  /* mu */
} HertzPoint;

/* Modulus of a pair: 1/E = (1 - nu_a^2)/E_a + (1 - nu_b^2)/E_b; an infinite one is rigid. */
double hertz_modulus(double young_a, double poisson_a, double young_b, double poisson_b);

/* K of a contact with this modulus and effective radius. */
double hertz_stiffness(double modulus, double radius);

/*
 * The damping a with which a head-on impact of two bodies has this restitution in [0, 1]. None is
 * perfectly dead: below 8e-4 it is that of 8e-4.
 */
double hertz_damping(double restitution);

/* Force that presses the bodies apart, never negative; rate > 0 while they close. */
double hertz_normal_force(const HertzPoint *point, double depth, double rate);

/* The speed of approach that would bring the point to this depth and rate without losses. */
double hertz_speed(const HertzPoint *point, double depth, double rate);

/* How long an impact at this speed lasts without losses; INFINITY at rest. */
double hertz_contact_time(const HertzPoint *point, double speed);

/* The sub-step with which the force at this depth and rate is followed: a fortieth of the time of
 * the contact, less where its damping is faster. */
double hertz_sub_step(const HertzPoint *point, double depth, double rate);

/*
 * Friction against a slip, over the slip: mu F tanh(8 slip / speed) / slip. The speed is that of
 * the contact, but at least such that a step of length h cannot turn the slip around.
 */
double hertz_friction(const HertzPoint *point, double normal_force, double slip, double speed,
                      double h);
