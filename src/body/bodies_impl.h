/*
 * What bodies.c and path.c share. SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "body/bodies.h"

/* What contacts exert on a body: the value at an instant and how it changes from there on. */
typedef struct {
  Wrench value, rate;
  double since;
} Push;

/* Bodies integrated together, and the pieces of their paths in this step. */
typedef struct {
  int n, *member;         /* borrowed from Bodies.members */
  int n_loads, *load;     /* borrowed from Bodies.group_loads */
  int n_pieces, capacity; /* pieces of this step's path */
  double *t;              /* owned, capacity: when each piece starts */
  BodyState *state;       /* owned, capacity * n: the states there */
  Push *push;             /* owned, capacity * n: what contacts exert on the piece */
} Group;

struct Bodies {
  int n;
  Vec3 gravity;
  double t, t_end;
  Body *body;       /* owned, n */
  BodyState *state; /* owned, n: at t */
  BodyState *next;  /* owned, n: at t_end */
  Wrench *air;      /* owned, n: at t */
  Wrench *air_rate; /* owned, n */
  Push *push;       /* owned, n: what contacts exert on the next piece */
  int n_loads;
  Load *load; /* owned, n_loads */
  int n_groups;
  Group *group;     /* owned, n_groups */
  int *members;     /* owned, n: body ids by group */
  int *group_loads; /* owned, n_loads: load ids by group */
  int *group_of;    /* owned, n */
  int *place_of;    /* owned, n: index within its group */
  int largest;      /* members of the largest group */
  Wrench *total;    /* owned, largest: work */
  BodyRate *rate;   /* owned, 2 * largest: work */
  BodyState *stage; /* owned, 3 * largest: work */
};

/* Forget what the step has done to the group after t, and what its loads did. */
void group_rewind(Bodies *bodies, Group *group, double t);

/* Integrate a group from t, where its members have the given states, to the end of the step. */
PetscErrorCode GroupAdvance(Bodies *bodies, Group *group, double t, const BodyState states[]);

/* The members' states at t of this step; t is not before the first piece. */
void group_at(Bodies *bodies, const Group *group, double t, BodyState states[]);

/* Drag of the case on a body in this state. */
Vec3 bodies_drag(const Bodies *bodies, int b, const BodyState *state, double t);
