/*
 * Contacts of a crowd solved by sweeps: what many contacts bear with friction, without restitution.
 *
 * Each contact in turn takes the normal impulse that lets it part at the speed wanted at least,
 * and moves its friction against the slip, into the disc that the normal impulse allows (projected
 * Gauss-Seidel). A fixed point obeys Coulomb's law at every contact. The sweeps start from guesses
 * and are few: what they leave is for the next step, which starts from their answer.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "contact/island.h"

typedef struct CrowdSweep CrowdSweep;

typedef struct {
  int n_bodies, n_contacts;
  const Mobility *body;
  const Twist *twist; /* before */
  const IslandContact *contact;
  double enough;   /* change of speed in a sweep that ends them */
  bool dissipates; /* the impulses together may do no positive work */
} CrowdInput;

/* The arrays belong to the work space and live until its next use. */
typedef struct {
  const Twist *twist;  /* after */
  const Vec3 *impulse; /* of the contacts, on a */
  int sweeps;
  double residual; /* change of speed in the last sweep */
} CrowdResult;

PetscErrorCode CrowdSweepCreate(CrowdSweep **work);
PetscErrorCode CrowdSweepDestroy(CrowdSweep **work);

/* Solve. Allocates only when there is more than ever before. Not collective. */
PetscErrorCode CrowdSweepSolve(CrowdSweep *work, const CrowdInput *input, CrowdResult *result);
