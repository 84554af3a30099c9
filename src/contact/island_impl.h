/*
 * The state of an island while it is solved, and the three ways to solve contacts together.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "contact/impact_impl.h"
#include "contact/island.h"

/* A contact while the island is solved. */
typedef struct {
  int a, b; /* the world is the body after the last */
  int source, group, incident;
  Vec3 point;
  ContactFrame frame;
  Mat3 inverse_mass;
  Vec3 lever[2];   /* arm x n of a, and of b */
  double e, mu;    /* e of this round */
  double least;    /* speed of parting that is wanted at least */
  double approach; /* slower than that by so much, at the start of the round */
  Vec3 guess;
  bool blocked;
  Vec3 impulse; /* so far */
  ImpactLaw law;
  double p, f1, f2;     /* impulses of the present solve */
  double lambda, w, wc; /* march: share of normal impulse, work, work of compression */
  bool rests;           /* holds its bodies apart while others march */
  double v3_before;
  Pair u_before;
} IslandNode;

/* One axis of a contact, with its arms on both bodies and how these turn under a unit impulse. */
typedef struct {
  Vec3 axis, a, b, turn_a, turn_b;
} RestArm;

struct IslandWork {
  int n_bodies, n_nodes;
  int room_bodies, room_nodes, room_incidents, room_dense;
  double speed;    /* the largest relative speed at a contact at the start */
  double work;     /* of the impulses so far */
  double enough;   /* error in speed of a solve without restitution that does not matter */
  bool dissipates; /* no solve may do positive work */

  /* All owned. */
  Mobility *body;
  Twist *twist, *saved;
  int *parent, *order, *list;
  IslandNode *node;
  RestArm *arm; /* three per node */
  Vec3 *impulse;
  ImpactLaw *law, *incident_law;
  double *incident_speed;  /* the fastest approach */
  double *matrix, *factor; /* dense, room_dense squared */
  double *q, *shifted, *x, *rhs, *slack;
  int *passive, *flips;
};

/* Systems larger than this are solved by sweeps instead of factors. */
enum { ISLAND_DENSE = 512 };

/* The velocity of a's point relative to b's. */
Vec3 island_velocity(const IslandWork *work, const IslandNode *node);

/* Apply the impulse to both bodies of the node. */
void island_kick(IslandWork *work, const IslandNode *node, Vec3 impulse);

/* Keep an impulse that has been applied, with its work. */
void island_record(IslandWork *work, IslandNode *node, Vec3 impulse, double done, ImpactLaw law);

/*
 * The normal impulses p >= 0 of the n listed nodes with v + N p >= -bias, complementary, of
 * least norm; bias[i] is e v- or the speed allowed. Leaves them in node.p, applies nothing. If
 * even, points that part by no more than rounding bear as well, so that like points bear alike.
 */
void island_normals(IslandWork *work, int n, const int list[], const double bias[], bool even);

/* Apply the impulses node.p of a solve without friction. */
void island_apply_normals(IslandWork *work, int n, const int list[], ImpactLaw law);

/* March the listed nodes, which approach, through their impact with friction. */
void island_march(IslandWork *work, int n, const int list[]);

/* Close all nodes without restitution; the residual is the largest speed in error. */
double island_rest(IslandWork *work);
