/*
 * What the parts of the mutual inspection share. SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "contact/look.h"

/* Two triangles that come within reach, and how near. */
typedef struct {
  int a, b;        /* b = -1: a wall */
  double distance; /* of the two points */
  bool crossing;
  Vec3 on_a, on_b; /* near each other, world; the nearest of sharp triangles */
} Candidate;

struct LookWork {
  int n_candidates, candidate_room;
  Candidate *candidate; /* owned */
  int n_hits, hit_room;
  ContactHit *hit;       /* owned */
  int n_seen, seen_room; /* room: a power of two */
  uint64_t *seen;        /* owned, a hash of features already looked at; 0: free */
};

/* Fill work->candidate with all pairs of triangles nearer than reach, and some a little farther. */
PetscErrorCode LookCandidates(LookWork *work, const Side *a, const Side *b, double reach);

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
