/*
 * What happens to bodies that touch at many points at once?
 *
 * An island is solved in rounds. A round takes the contacts that approach, and only those, and
 * solves those that share a body together: one contact by its impact law; several without
 * friction by complementarity (p >= 0, v+ + e v- >= 0, p (v+ + e v-) = 0, least impulses where
 * they are not unique); several with friction by a march in impulse in which every contact
 * ends by its own work. What a round sets in motion is the next round's business, so a cradle
 * passes one ball, and a flat drop stays flat. When the approach is slower than the resting
 * speed, or rounds do not end, one solve without restitution closes all touching contacts.
 * No step does positive work, hence neither does the whole.
 *
 * Contacts are sorted by their geometry, so the order of the input does not matter.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/error.h"
#include "contact/contact_spec.h"
#include "contact/impact.h"

#include <stdint.h>

typedef struct {
  int a, b;           /* bodies of the island; b = -1: the world, which does not move */
  Vec3 point, normal; /* the normal is unit and points from b to a */
  double restitution, friction;
  double least; /* the points part no slower than this afterwards [m/s] */
  Vec3 guess;   /* impulse from which a solve without restitution starts */
  int incident; /* contacts of one incident report one law; -1: none */
  uint64_t key; /* sorts before the geometry; 0 if the geometry is enough */
} IslandContact;

typedef struct {
  int n_bodies, n_contacts, n_incidents;
  const Mobility *body;
  const Twist *twist; /* before; a body without mobility may have a velocity of its own */
  const IslandContact *contact;
  double resting_speed; /* approach slower than this does not rebound */
  double enough;        /* error in speed of a solve without restitution that does not matter */
  bool holds;  /* impulses of lasting contacts, over which other forces act: these may work */
  LawKind law; /* LAW_AUTO, LAW_ALGEBRAIC or LAW_STRONGE for single contacts */
} IslandInput;

/* The arrays belong to the work space and live until its next use. */
typedef struct {
  const Twist *twist;            /* of the bodies, after */
  const Vec3 *impulse;           /* of the contacts, on a, summed over the rounds */
  const ImpactLaw *law;          /* of the contacts */
  const ImpactLaw *incident_law; /* of the incidents */
  double work;                   /* of all contact impulses, never positive */
  int rounds;
  bool rested;     /* the closing solve without restitution was used */
  bool capped;     /* because the rounds did not end */
  double residual; /* of that solve [m/s] */
} IslandResult;

typedef struct IslandWork IslandWork;

PetscErrorCode IslandWorkCreate(IslandWork **work);
PetscErrorCode IslandWorkDestroy(IslandWork **work);

/* Solve the island. Allocates only when it is larger than any before it. Not collective. */
PetscErrorCode IslandSolve(IslandWork *work, const IslandInput *input, IslandResult *result);
