/*
 * What the two halves of crowds share: who is in them (crowd_find.c), and their step (crowd.c).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "contact/contact_impl.h"
#include "contact/crowd_sweep.h"

struct Crowd {
  CrowdSweep *sweep;  /* owned */
  int *parent, *size; /* owned, n_bodies: of the sets of bodies that hang together */
  bool *inside;       /* owned, n_bodies: goes through this step with a crowd */
  double *way;        /* owned, n_bodies: no point of the body moves farther in free flight */
  Twist *motion;      /* owned, n_bodies: of the members, over the step */
  bool *borne;        /* owned, n_bodies: a contact of the member bears */
  int room;           /* of the following */
  IslandContact *all; /* owned: the contacts of the first solve */
  CrowdPoint *point;  /* owned: where they come from */
  double *gap;        /* owned: after the first solve */
  int *chosen;        /* owned: contacts of the second solve */
};

/* How near the two must be to touch within the step. */
double crowd_reach(const Contact *contact, const ContactPair *pair);

/* Find the crowds of the step and mark their pairs as seen; is there any? */
bool crowd_find(Contact *contact, Bodies *bodies, double t, double t_end);

/* Mark the pairs of the crowds that may touch in a part of the step. */
void crowd_mark(Contact *contact, Bodies *bodies, double t, double t_end);

/* So many parts of the step that nothing moves far in one against its size. */
int crowd_parts(const Contact *contact);
