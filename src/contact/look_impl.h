/*
 * What the parts of the mutual inspection share. SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "contact/look.h"
#include "contact/look_node.h"

/* A place around which smooth surfaces have been looked at. Frame of b; of the world for a wall. */
typedef struct {
  Vec3 point, normal; /* normal: of b */
  double radius;
  bool polished; /* two surfaces are nearest here; else: nothing was found from here */
} SettledPlace;

struct LookWork {
  int n_hits, hit_room;
  ContactHit *hit;       /* owned */
  int n_seen, seen_room; /* room: a power of two */
  uint64_t *seen;        /* owned, a hash of features already looked at; 0: free */
  int n_settled, settled_room, n_polished;
  SettledPlace *settled; /* owned */
};

/* One inspection under way. */
typedef struct {
  LookWork *work;
  const Side *a, *b;
  Frame a_in_b, b_to_world; /* a wall is taken in the frame of the world */
  SphereTreeView tree_a, tree_b;
  double reach; /* of hits */
  double limit; /* of flat triangles that may hold hits */
  double deep;  /* smooth surfaces that face each other may have passed each other by this */
  double slack_cos, slack_sin;
  bool crossed;
} Inspection;

Inspection inspection_start(LookWork *work, const Side *a, const Side *b, double reach);

/* Each level of the two trees leaves one pair behind, and trees of 2^31 triangles have 31. */
enum { LOOK_STACK = 128 };

/* Walk the trees and add all hits. */
PetscErrorCode LookThroughTrees(Inspection *look);
PetscErrorCode LookOverWall(Inspection *look);

/* Pairs of nodes below which is still to be looked. */
typedef struct {
  int n;
  struct {
    int a, b;
  } pair[LOOK_STACK];
} LookWalk;

/* Walk until nothing is left; only to the first polished place, if so asked. */
PetscErrorCode LookThroughPairs(Inspection *look, LookWalk *walk, bool to_first_place);

/* After the first polished place: all the others, unless the plane there does not help. */
PetscErrorCode LookBesidePlane(Inspection *look, bool *done);

/* Does any triangle of a cross one of b? */
bool look_for_crossing(const Inspection *look);

/* Have the smooth places of two nodes been looked at? */
bool nodes_are_settled(const LookWork *work, const LookNode *a, const LookNode *b);

/* A triangle in the frame of b, and the cone of its corner normals. */
typedef struct {
  int id, flags;
  double bulge;
  Corners corners;
  LookNode cone; /* only axis and cone are set */
} LookTriangle;

/* f: from the frame of the body to that of b; NULL: the same. */
LookTriangle look_triangle(const Side *side, const Frame *f, int id);

/* Is there nothing to find between two nodes in the frame of b? */
bool nodes_are_idle(const Inspection *look, const LookNode *a, const LookNode *b);

/* Polish from a pair of triangles, unless they cannot face each other or have been looked at. */
PetscErrorCode LookAtSmooth(Inspection *look, const LookTriangle *a, const LookTriangle *b);
PetscErrorCode LookAtSmoothOverWall(Inspection *look, const LookTriangle *a);

/* Sharp features of a pair of triangles; j = -1: a wall. */
PetscErrorCode LookAtFeatures(LookWork *work, const Side *a, const Side *b, int i, int j,
                              double reach);

PetscErrorCode LookAddHit(LookWork *work, ContactHit hit);

/* Numbers of features, never 0. */
enum { FEATURE_VERTEX_A = 1, FEATURE_VERTEX_B, FEATURE_EDGE_A, FEATURE_EDGE_B, FEATURE_EDGES };

static inline uint64_t feature_key(int kind, int i, int j)
{
  return ((uint64_t)kind << 60) | ((uint64_t)(uint32_t)i << 30) | (uint64_t)(uint32_t)j;
}

/* Has the feature been looked at in this call? Marks it if not. */
PetscErrorCode LookSee(LookWork *work, uint64_t feature, bool *seen);

/* Is the foot inside a flat face, so that the normal is exact? */
bool foot_is_on_flat_face(const Side *side, const SurfaceHit *foot);

/*
 * A vertex with this outward pseudo-normal whose foot lies on the rim of flat faces touches the
 * one face that it points at, if there is just one: the direction from foot to vertex is rounding.
 */
void look_onto_face(const Side *other, Vec3 p, Vec3 outward, SurfaceHit *foot);

/* Two sharp edges that cross each other. */
PetscErrorCode LookAtEdges(LookWork *work, const Side *a, const Side *b, int edge_a, int edge_b,
                           double reach);

/* Where along a sharp edge is a smooth surface, or where along a curved edge any, nearest? */
PetscErrorCode LookAlongEdge(LookWork *work, const Side *own, const Side *other, int edge,
                             bool own_is_a, double reach);

static inline Corners corners_moved(const Frame *f, const Corners *t)
{
  return (Corners){frame_to_world(f, t->a), frame_to_world(f, t->b), frame_to_world(f, t->c)};
}

static inline Frame frame_between(const Side *a, const Side *b)
{
  const Mat3 back = mat3_transpose(&b->frame.r);
  return (Frame){frame_to_body(&b->frame, a->frame.x), mat3_multiply(&back, &a->frame.r)};
}
