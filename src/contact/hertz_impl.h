/*
 * What the parts of the contact law hertz share.
 *
 * A pair whose surfaces press into each other is a touch: it is born at the first instant of
 * contact, keeps its stiffness and damping through its life, and ends when the surfaces part.
 * Bodies with touches move in sub-steps, all at one pace; the others fly on as they were.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "contact/contact_impl.h"
#include "contact/hertz_law.h"

/* Every member is eight bytes wide: a touch is also its own record for a restart. */
typedef struct {
  int64_t a, b;
  int64_t kind, n_points; /* of the incident, at birth */
  int64_t announced;      /* it has its row */
  double since;
  Vec3 point, normal;
  double approach;
  HertzPoint law;  /* of each point */
  double offset;   /* depth at birth, which presses nothing apart */
  double gap;      /* the least, at the last sub-step */
  double seen;     /* when that was */
  double step;     /* sub-step that follows it now */
  double age;      /* in contact times */
  Vec3 on_a, on_b; /* where it was deepest then, each in its shape's coordinates (wall: world) */
  Vec3 axis;       /* the normal there, as on_b */
  Vec3 impulse;    /* on a, so far */
  double work;     /* of the contact, so far */
} HertzTouch;

enum { TOUCH_WORDS = sizeof(HertzTouch) / sizeof(int64_t), HERTZ_STAGES = 4 };

/* What a touch does at an instant. */
typedef struct {
  Vec3 force;         /* on a, sum over the points */
  double power;       /* of the contact on both bodies, negative: lost */
  double gap;         /* the least */
  double step;        /* sub-step that follows it */
  double contact;     /* time of an impact as fast as this one */
  Vec3 point, normal; /* where the gap is least */
} TouchForce;

struct Hertz {
  int n_touches, touch_room;
  HertzTouch *touch;      /* owned: sorted by (a, b) */
  TouchForce *force;      /* owned, touch_room * HERTZ_STAGES */
  Wrench *wrench;         /* owned, n_bodies * HERTZ_STAGES: on each body */
  bool *moves;            /* owned, n_bodies: moves in sub-steps */
  bool *moved;            /* owned, n_bodies: did so before */
  bool *group;            /* owned, n_bodies: groups with a touch */
  int n_members, *member; /* owned, n_bodies: bodies that move in sub-steps */
  BodyState *state;       /* owned, n_bodies: their states */
  int wait_room;
  double *wait; /* owned: when each near pair is to be looked at again */
};

/* The pair of a touch. */
ContactPair hertz_pair(const Contact *contact, const HertzTouch *touch);

/* The touch of a pair, or -1. */
int hertz_find(const Hertz *hertz, int a, int b);

/*
 * Let a pair touch from t on: its law comes from what the surfaces look like there. It stays
 * without touch when neither body can yield.
 */
PetscErrorCode HertzBegin(Contact *contact, Bodies *bodies, const ContactPair *pair, double t);

/* Remember where touch k is deepest at t: the look that follows may not find the place. */
void hertz_remember(Contact *contact, Bodies *bodies, int k, double t, const TouchForce *force);

/* Forget touch k, which ended between its last look and t at this gap; it gets its row. */
PetscErrorCode HertzEnd(Contact *contact, Bodies *bodies, int k, double t, double gap);

/* Write the row of a touch. */
PetscErrorCode HertzAnnounce(Contact *contact, Bodies *bodies, HertzTouch *touch, double t);

/* What touch k does at t, and, added, on the bodies; h is the length of the sub-step. */
PetscErrorCode HertzPress(Contact *contact, Bodies *bodies, int k, double t, double h,
                          TouchForce *force, Wrench wrench[]);
