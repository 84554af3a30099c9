/*
 * What a case says about contact. Numbers that were not given are NaN.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/names.h"
#include "base/vec3.h"

#include <stdbool.h>

typedef enum { LAW_AUTO, LAW_ALGEBRAIC, LAW_STRONGE, LAW_HERTZ, LAW_NONE } LawKind;

/* A rigid half-space; bodies stay on the side its normal points to. */
typedef struct {
  const char *name;   /* wall0, wall1, ... when the case gives none */
  Vec3 point, normal; /* normal: unit */
  double restitution, friction;
} WallSpec;

/* An override for one pair of bodies, or of a body and a wall. */
typedef struct {
  NameList bodies;
  double restitution, friction; /* NaN: the smaller of the two */
  bool ignore;
} PairSpec;

/* How contacts of shapes with a closed form are found. */
typedef enum { PRIMITIVES_EXACT, PRIMITIVES_XRAY } PrimitivesKind;

typedef struct {
  LawKind law;
  double tolerance; /* relative to the smaller body's size */
  bool allow_initial_overlap;
  PrimitivesKind primitives;
  double resting_speed; /* NaN: auto */
  int n_pairs;
  PairSpec *pairs; /* owned by the case */
} ContactSpec;
