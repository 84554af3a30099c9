/*
 * What the parts of contact share. SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "contact/cloud.h"
#include "contact/contact.h"
#include "contact/island.h"
#include "contact/look.h"

enum { HELD_PLACES = 16 };

/* Two bodies, or a body and a wall, that may touch in this step. */
typedef struct {
  int a, b;      /* a < b; b >= n_bodies: a wall */
  double impact; /* when they strike next; INFINITY: not in this step */
  int n_held;
  Vec3 held[HELD_PLACES]; /* where a lasting contact is held */
  double held_since;
  bool lasting;    /* their contact lasts: impacts are looked for elsewhere */
  int n_impacts;   /* in this step */
  bool announced;  /* its lasting contact has its row */
  bool left_alone; /* it strikes without end: nothing more is looked for in this step */
  bool rests;      /* at impact they do not strike but rest */
  bool seen;       /* looked at for the present island */
  bool stale;      /* the path of one changed: impact is to be found anew */
} ContactPair;

/* The ball that holds a body during the step. */
typedef struct {
  Vec3 c;
  double r;
} SweptBall;

/* A body as contact sees it. */
typedef struct {
  bool exists; /* it has a surface */
  ContactShape shape;
  Vec3 center;   /* mass centre in shape coordinates */
  double radius; /* around the mass centre, holds the curved surface */
} ContactBody;

/* Contacts that press: the law hertz (hertz.c). */
typedef struct Hertz Hertz;

struct Contact {
  MPI_Comm comm;
  const ContactSpec *spec; /* borrowed */
  int n_bodies, n_walls;
  const BodySpec *spec_of; /* borrowed */
  const WallSpec *wall;    /* borrowed */
  ContactBody *body;       /* owned, n_bodies */
  Vec3 gravity;
  LookWork *look;
  CloudWork *cloud;
  IslandWork *island;
  Hertz *hertz; /* owned; NULL with other laws */

  int n_pairs, pair_room;
  ContactPair *pair; /* owned: near pairs of this step, sorted by (a, b) */
  int n_old, old_room;
  ContactPair *old; /* owned: the pairs before they were found anew */
  int n_lasting, lasting_room;
  int64_t *lasting; /* owned: a * 2^32 + b of pairs whose contact lasts, sorted */
  int share_room;
  double *share; /* owned: impacts found by the ranks */
  int n_events, event_room;
  ContactEvent *event; /* owned */

  SweptBall *ball;    /* owned, n_bodies */
  int *order;         /* owned, n_bodies: sweep order */
  double *low, *high; /* owned, n_bodies: swept extent along x */
  int *member;        /* owned, n_bodies: bodies of the present island */
  int *place;         /* owned, n_bodies: place in the island, or -1 */
  BodyState *state;   /* owned, n_bodies: states of the members */
  Mobility *mobility; /* owned, n_bodies + 1 */
  Twist *twist;       /* owned, n_bodies + 1 */
  Twist *kick;        /* owned, n_bodies: second half of the lasting impulses */
  bool *kicked;       /* owned, n_bodies: has one */
  double *kicked_at;  /* owned, n_bodies: when the first half was given */
  int n_contacts, contact_room;
  IslandContact *contact; /* owned */
  int n_incidents, incident_room;
  ContactEvent *incident; /* owned: of the present island */
};

/* The two sides of a pair at a time of the step. */
void pair_sides(Contact *contact, Bodies *bodies, const ContactPair *pair, double t, Side side[2]);

/* Size of the smaller body and the gap at which the two touch. */
double pair_size(const Contact *contact, const ContactPair *pair);
double pair_tolerance(const Contact *contact, const ContactPair *pair);

/* A bound of the speed at which the surfaces can approach between t and t_end. */
double pair_speed(Contact *contact, Bodies *bodies, const ContactPair *pair, double t,
                  double t_end);

/* Restitution and friction; false when the pair is to be ignored. */
bool pair_material(const Contact *contact, const ContactPair *pair, double *restitution,
                   double *friction);

/* Velocity of a's surface relative to b's at p, time t, from the states on the paths. */
Vec3 pair_velocity(Contact *contact, Bodies *bodies, const ContactPair *pair, double t, Vec3 p);

/* Near pairs from t to the end of the step: those whose swept balls meet. Those that were near
 * before keep what is known of them. */
PetscErrorCode ContactFindPairs(Contact *contact, Bodies *bodies, double t, double t_end);

/* Does the path of body b still lie within its ball? */
bool contact_ball_holds(Contact *contact, Bodies *bodies, int b, double t, double t_end);

/* When does the pair strike first after t? INFINITY: not before t_end; *rests: it only rests. */
PetscErrorCode PairFindImpact(Contact *contact, Bodies *bodies, const ContactPair *pair, double t,
                              double t_end, double *impact, bool *rests);

/* All ranks learn what each has found for the stale pairs. Collective. */
PetscErrorCode ContactShareImpacts(Contact *contact);

/* Resolve what touches at time t, starting from a pair. */
PetscErrorCode ContactResolve(Contact *contact, Bodies *bodies, int pair, double t, double t_end);

/* Add the incidents of a pair within reach at t to the island, with its bodies. */
PetscErrorCode ContactGather(Contact *contact, Bodies *bodies, const ContactPair *pair, double t,
                             double t_end, double reach, bool lasting, int *n_members,
                             bool *touches);
PetscErrorCode ContactAddEvent(Contact *contact, const ContactEvent *event);
double contact_island_energy(const Contact *contact, const Bodies *bodies, int n,
                             const BodyState states[]);

/* Hold lasting contacts from t on: first half now, second half by ContactFinishLasting. */
PetscErrorCode ContactHoldLasting(Contact *contact, Bodies *bodies, double t, double t_end);
PetscErrorCode ContactFinishLasting(Contact *contact, Bodies *bodies, double t_end);

/* The state at t of a body that is held, without the hop that its halved impulse makes; the hold
 * ends here. */
BodyState contact_settle(Contact *contact, Bodies *bodies, int b, double t, double t_end);

/* The law hertz: a step in sub-steps, and the touches of the present as a record. */
PetscErrorCode HertzCreate(int n_bodies, Hertz **hertz);
PetscErrorCode HertzDestroy(Hertz **hertz);
PetscErrorCode HertzAdvance(Contact *contact, Bodies *bodies, double t_end);
int hertz_record_size(const Hertz *hertz);
void hertz_record_get(const Hertz *hertz, int64_t record[]);
PetscErrorCode HertzRecordSet(Hertz *hertz, int n, const int64_t record[]);

/* A body's mobility and twist at a state. */
Mobility contact_mobility(const Body *body, const BodyState *state, double t);
Twist contact_twist(const Body *body, const BodyState *state);
BodyState contact_with_twist(const Body *body, const BodyState *state, Twist twist);

/* Speed below which an impact of the pair does not rebound. */
double contact_resting_speed(const Contact *contact, double size);
