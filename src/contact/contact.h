/*
 * Contact between bodies, and between bodies and walls, over the steps of a run.
 *
 * ContactAdvance follows the paths that the bodies have begun (body/bodies.h), finds the first
 * impact of the step, resolves the island of everything that touches there, puts the new
 * velocities on the paths and goes on until the step is free of impacts. Contacts that last are
 * held by an impulse of which half acts at the beginning and half at the end of the step.
 *
 * Pairs are divided over the ranks; the answer is the same on any number of them.
 *
 * Method: R. L. Meakin, AIAA Paper 2003-3831; conservative advancement after Mirtich (1996).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "body/bodies.h"
#include "contact/contact_spec.h"
#include "contact/hit.h"
#include "contact/impact.h"
#include "geom/xray.h"

typedef struct {
  const ContactSpec *spec; /* borrowed: must outlive the contact */
  int n_bodies;
  const BodySpec *body;    /* borrowed; restitution, friction, names */
  const XRay *const *xray; /* of each body; NULL: has no contact */
  const Vec3 *center;      /* mass centre of each body in shape coordinates */
  int n_walls;
  const WallSpec *wall; /* copied, but for the names */
  Vec3 gravity;
} ContactInput;

/* One incident, as contacts.csv has it. */
typedef struct {
  double time;
  int a, b; /* b >= n_bodies: wall b - n_bodies */
  IncidentKind kind;
  int n_points;
  Vec3 point, normal;
  double approach;
  Vec3 impulse; /* on a */
  ImpactLaw law;
  double energy_before, energy_after; /* of the island */
} ContactEvent;

typedef struct Contact Contact;

PetscErrorCode ContactCreate(MPI_Comm comm, const ContactInput *input, Contact **contact);
PetscErrorCode ContactDestroy(Contact **contact);

/* The deepest overlap at the present: which bodies, and how deep; depth 0 if nothing touches. */
typedef struct {
  int a, b;
  double depth, allowed;
} Overlap;
PetscErrorCode ContactFindOverlap(Contact *contact, Bodies *bodies, Overlap *worst);

/* Resolve all impacts of the step that was begun up to t_end. Collective. */
PetscErrorCode ContactAdvance(Contact *contact, Bodies *bodies, double t_end);

/* The events of the last step, by time, then a, then b. */
int contact_events(const Contact *contact, const ContactEvent **events);

/* The name of a wall: body b of an event is wall b - n_bodies. */
const char *contact_wall_name(const Contact *contact, int w);

/* What a restart at the time now needs, as numbers: lasting contacts, and what holds them. */
int contact_record_size(const Contact *contact);
void contact_record_get(const Contact *contact, int64_t record[]);
PetscErrorCode ContactRecordSet(Contact *contact, double now, int n, const int64_t record[]);
