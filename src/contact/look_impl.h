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
  ContactHit *hit; /* owned */
  int n_seen, seen_room;
  uint64_t *seen; /* owned: features already looked at */
};

/* Fill work->candidate with all pairs of triangles nearer than reach, and some a little farther. */
PetscErrorCode LookCandidates(LookWork *work, const Side *a, const Side *b, double reach);
