/*
 * The contact seen in axes that make its tangential inverse mass diagonal, and the march of a
 * single impact in impulse: shared by the laws of this folder.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "contact/impact.h"

/* K in the axes (t1, t2, n): (a1, 0, b1; 0, a2, b2; b1, b2, b3). */
typedef struct {
  Vec3 t1, t2, n;
  double a1, a2, b1, b2, b3;
} ContactFrame;

typedef struct {
  double x, y;
} Pair;

ContactFrame contact_frame(const Mat3 *inverse_mass, Vec3 normal);

/* The friction impulse per normal impulse that keeps a resting point at rest (-A^+ b). */
Pair contact_stick(const ContactFrame *c);

/* The direction of slip that leaves rest when mu is less than |contact_stick|. */
Pair contact_escape(const ContactFrame *c, double mu);

/*
 * The f in the disc |f| <= radius that opposes the slip u + diag(a1, a2) f: slip zero inside
 * the disc, f = -radius slip / |slip| on its rim.
 */
Pair contact_disc(double a1, double a2, Pair u, double radius);

/* An impact under way: impulses so far and the work that decides when it ends. */
typedef struct {
  ContactFrame c;
  double e, mu;
  double v3_start;
  double p, f1, f2; /* impulses along n, t1, t2 */
  double w, wc;     /* normal work, and its least value at an end of compression */
  bool compressing, done;
  ImpactResult result;
} ImpactMarch;

/* The normal velocity now. */
static inline double march_v3(const ImpactMarch *m)
{
  return m->v3_start + m->c.b1 * m->f1 + m->c.b2 * m->f2 + m->c.b3 * m->p;
}

/* The normal work at which the impact ends. */
static inline double march_target(const ImpactMarch *m)
{
  return (1.0 - m->e * m->e) * m->wc;
}

/* Compression has just ended; without restitution so has the impact. */
void march_end_compression(ImpactMarch *m);

/*
 * Go on with the constant impulse rate (d1, d2, 1) for at most the normal impulse `limit`
 * (may be infinite if the rate of v3 is positive); sets done when the impact ends on the way.
 */
void march_straight(ImpactMarch *m, double d1, double d2, double limit);

/* Slip is zero: stick or escape, then straight to the end. */
void march_from_rest(ImpactMarch *m);

/* Slip u is not zero: follow it until it halts or the impact ends, and then to the end. */
void march_slip(ImpactMarch *m, Pair u);

/* Friction would hold the approach for ever: end it along the normal alone. */
void march_wedged(ImpactMarch *m);
