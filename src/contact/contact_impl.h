/*
 * What the parts of contact share. SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "contact/cloud.h"
#include "contact/contact.h"
#include "contact/island.h"
#include "contact/look.h"

/* An incident of a look, and what a hold had its points bear. */
typedef struct {
  Incident in;
  Vec3 force[INCIDENT_POINTS]; /* on a; where the next hold starts from */
} Touch;

/* Some of the touches of this step. */
typedef struct {
  int first, n;
} TouchRange;

/* What a look saw, and how far the two have moved since. */
typedef struct {
  bool known;
  TouchRange touch;
  double elsewhere; /* the least gap of places that do not touch, as far as the look reaches */
  double at, drift; /* until then they have moved no farther than this */
} PairView;

/* Two bodies, or a body and a wall, that may touch in this step. */
typedef struct {
  int a, b;  /* a < b; b >= n_bodies: a wall */
  int owner; /* the rank that follows it, always the same, so that it remembers what it saw */
  double size, tolerance;                      /* of the smaller body; gap at which they touch */
  double restitution, friction, resting_speed; /* approach below the last does not rebound */
  double impact;   /* when they strike next; INFINITY: not in this step */
  bool rests;      /* at impact they do not strike but rest */
  bool stale;      /* the path of one changed: impact is to be found anew */
  int n_impacts;   /* in this step */
  bool left_alone; /* it strikes without end: nothing more is looked for in this step */
  bool lasting;    /* their contact lasts: impacts are looked for elsewhere */
  bool announced;  /* its lasting contact has its row */
  bool seen;       /* belongs to the present island, or does not touch it */

  PairView view;  /* where they touch at present */
  PairView ahead; /* and where at the end of the step, if known */

  TouchRange held; /* where a lasting contact is held, since when, and the gap elsewhere then */
  double held_at, held_elsewhere;

  double clear, clear_at; /* the gap was no less than this then */
  double speed;           /* no point of one has approached the other faster since */
} ContactPair;

/* How a body moves from some time to the end of the step. */
typedef struct {
  Vec3 last;      /* velocity at the end */
  double change;  /* by how much velocity differs from that before */
  double turning; /* speed of the surface about the mass centre */
} ContactMotion;

/* A ball that holds a body while the list of pairs holds. */
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

/* Where a contact of a crowd comes from: pair, touch and place in it; the approach it had. */
typedef struct {
  int pair, touch, place;
  double approach;
} CrowdPoint;

/* Bodies that go through the step together (crowd.c). */
typedef struct Crowd Crowd;

/* Contacts that press: the law hertz (hertz.c). */
typedef struct Hertz Hertz;

struct Contact {
  MPI_Comm comm;
  int rank, n_ranks;
  const ContactSpec *spec; /* borrowed */
  int n_bodies, n_walls;
  const BodySpec *spec_of; /* borrowed */
  WallSpec *wall;          /* owned, n_walls */
  ContactBody *body;       /* owned, n_bodies */
  Vec3 gravity;
  LookWork *look;
  CloudWork *cloud;
  IslandWork *island;
  Hertz *hertz; /* owned; NULL with other laws */
  Crowd *crowd; /* owned */

  int n_pairs, pair_room;
  ContactPair *pair; /* owned: near pairs, sorted by (a, b) */
  int n_old, old_room;
  ContactPair *old;      /* owned: the pairs before they were found anew */
  int key_room;          /* of the three below */
  int64_t *key, *sorted; /* owned: a * 2^32 + b while pairs are found */
  int *adjacent;         /* owned: pairs of each body */
  int *load;             /* owned, a number per rank: pairs of two bodies that it follows */
  int *adjacent_from;    /* owned, n_bodies + 1 */
  int n_record, record_room;
  int64_t *record; /* owned: the pairs that last, as a restart gave them or will */
  int share_room;
  double *share; /* owned: impacts found by the ranks */
  int n_events, event_room;
  ContactEvent *event; /* owned */
  int n_touches, touch_room;
  Touch *touch; /* owned: of this step */
  int n_touches_old, touch_old_room;
  Touch *touch_old; /* owned: of the last step */
  int hit_room;
  ContactHit *hit; /* owned: hits of a look that touch */

  SweptBall *ball;       /* owned, n_bodies */
  ContactMotion *motion; /* owned, n_bodies */
  int *order;            /* owned, n_bodies: sweep order */
  double *low, *high;    /* owned, n_bodies: extent along the sweep */
  int *member;           /* owned, n_bodies: bodies of the present island */
  int *place;            /* owned, n_bodies: place in the island, or -1 */
  BodyState *state;      /* owned, n_bodies: states of the members */
  Mobility *mobility;    /* owned, n_bodies */
  Twist *twist;          /* owned, n_bodies */
  bool *pushed;          /* owned, n_bodies: contacts push it on its present path */
  bool *struck;          /* owned, n_bodies: lasting contacts are to be held anew */
  int n_members, n_island_pairs, island_pair_room;
  int *island_pair; /* owned: pairs of the present island */
  int n_contacts, contact_room;
  IslandContact *contact; /* owned */
  int n_incidents, incident_room;
  ContactEvent *incident; /* owned: of the present island */
  int *source;            /* owned, incident_room: the touch of a held incident, or -1 */
};

/* The two sides of a pair at a time of the step. */
void pair_sides(Contact *contact, Bodies *bodies, const ContactPair *pair, double t, Side side[2]);

/* Fill what never changes of the pair; false when it is to be ignored. */
bool pair_init(const Contact *contact, ContactPair *pair);

/* Note how body b moves from t on; to be called when its path has changed. */
void contact_note_motion(Contact *contact, Bodies *bodies, int b, double t, double t_end);

/* A bound of the speed at which the surfaces can approach on the present paths. */
double pair_speed(const Contact *contact, const ContactPair *pair);

/* The gap at t is no less than this; below any gap when nothing is known. */
double pair_clearance(const ContactPair *pair, double t);

/* Velocity of a's surface relative to b's at p, time t, from the states on the paths. */
Vec3 pair_velocity(Contact *contact, Bodies *bodies, const ContactPair *pair, double t, Vec3 p);

/* Make sure that the list of pairs holds for the paths from t on. */
PetscErrorCode ContactFindPairs(Contact *contact, Bodies *bodies, double t, double t_end);

/* Keep the pairs of the step before, whose touches become the old ones. */
PetscErrorCode ContactBeginPairs(Contact *contact);

/* When does the pair strike first after t? Fills impact, rests and clear. */
PetscErrorCode PairFindImpact(Contact *contact, Bodies *bodies, ContactPair *pair, double t,
                              double t_end);

/* How deep the two are in each other at t; 0: they are apart. */
PetscErrorCode PairOverlap(Contact *contact, Bodies *bodies, const ContactPair *pair, double t,
                           double *depth);

/* Where the pair touches at t: sees to it that its view is good enough then. */
PetscErrorCode PairLook(Contact *contact, Bodies *bodies, ContactPair *pair, double t);

/* The same, with all that is within reach; each of few hits is a touch of its own. */
PetscErrorCode PairLookWide(Contact *contact, Bodies *bodies, ContactPair *pair, double t,
                            double reach);

/* The same for the end of the step, which leaves the view as it is. */
PetscErrorCode PairLookAhead(Contact *contact, Bodies *bodies, ContactPair *pair, double t_end);

/* The paths of the pair change at t: its view is brought there, what is ahead is void. */
void pair_leave_path(const Contact *contact, ContactPair *pair, double t);

/* Resolve what touches at time t, starting from a pair. */
PetscErrorCode ContactResolve(Contact *contact, Bodies *bodies, int pair, double t, double t_end);

/* Hold lasting contacts from t on; only those that hang together with struck bodies. */
PetscErrorCode ContactHold(Contact *contact, Bodies *bodies, double t, double t_end);

/* Take crowds through the step; is the body in one? */
PetscErrorCode CrowdCreate(int n_bodies, Crowd **crowd);
PetscErrorCode CrowdDestroy(Crowd **crowd);
PetscErrorCode ContactCrowds(Contact *contact, Bodies *bodies, double t, double t_end);
bool contact_in_crowd(const Contact *contact, int b);

/* Islands: empty; a body's place in it, joining if need be; an incident of a pair, and of one
 * that is held by forces kept in a touch, or -1. */
void island_clear(Contact *contact);
int island_join(Contact *contact, Bodies *bodies, int b, double t);
PetscErrorCode IslandAddIncident(Contact *contact, const ContactPair *pair, const Incident *in,
                                 int source, double t);
PetscErrorCode IslandAddPair(Contact *contact, int pair);
PetscErrorCode ContactRoom(Contact *contact, int n_contacts);
double island_energy(const Contact *contact, const Bodies *bodies);

/* The paths of the members change at t: to be called before and after. */
void island_leave_paths(Contact *contact, double t);
void island_mark_stale(Contact *contact);
PetscErrorCode ContactAddEvent(Contact *contact, const ContactEvent *event);

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

/* Kinetic energy of the members of the island, were they to move with these twists. */
double contact_energy_with(const Contact *c, const Bodies *bodies, const Twist twist[]);
