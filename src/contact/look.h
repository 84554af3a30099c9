/*
 * Mutual inspection: where do two bodies, or a body and a wall, come within reach?
 *
 * Two sphere trees are walked against each other. First for the least distance of the flat
 * triangles, which with the bulges of the patches bounds the gap from below; then, when that is
 * small, for the pairs of triangles within reach, from which the hits come: sharp vertices against
 * the other x-ray, crossed sharp edges, and smooth places polished on the patches. A polished
 * place settles its neighbourhood, so that the walk need not go there again.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/error.h"
#include "contact/hit.h"
#include "contact/side.h"

typedef struct LookWork LookWork;

PetscErrorCode LookWorkCreate(LookWork **work);
PetscErrorCode LookWorkDestroy(LookWork **work);

/*
 * A lower bound of the gap between the curved surfaces (zero or less when triangles cross), exact
 * up to the bulges; not searched beyond cutoff. b may be a wall.
 */
double look_bound(const Side *a, const Side *b, double cutoff);

typedef struct {
  int n;
  const ContactHit *hit; /* borrowed from the work until the next call */
  double least;          /* the smallest gap; INFINITY without hits */
  bool crossed;          /* flat triangles cross; smooth ones are asked only where nothing hits */
} Look;

/* All hits whose gap is at most reach. */
PetscErrorCode LookClosely(LookWork *work, const Side *a, const Side *b, double reach, Look *look);

/*
 * How deep is one of two bodies in the other at least, where their triangles cross; 0 when they do
 * not. One wholly inside the other does not cross it. Above `enough` no more is looked for.
 */
double look_crossing_depth(LookWork *work, const Side *a, const Side *b, double enough);
