/*
 * Applied loads: forces and moments that a case puts on a body.
 *
 * A load acts from `begin` until `end` or until its own point has travelled `stroke` from
 * where it was when the load began, in inertial space or seen from a carrier, which then
 * takes the reaction. Loads begin and end at instants that split a step, so within a piece of
 * a step each load either acts or does not.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/error.h"
#include "body/body_spec.h"

/* A force with its moment about a point known from the context. */
typedef struct {
  Vec3 force, moment;
} Wrench;

/* A force and a moment that follow straight lines between rows, and act only within them. */
typedef struct {
  int n;
  double (*row)[7]; /* t, fx, fy, fz, mx, my, mz */
} LoadTable;

typedef struct {
  LoadSpec spec;
  LoadTable table; /* owned by Bodies; n = 0: constant */
  int body;        /* the body it acts on */
  int carrier;     /* takes the reaction; -1: none */
  double begun;    /* when it began; INFINITY before */
  Vec3 origin;     /* where its point was then: inertial, or in the carrier's axes */
  double ended;    /* when the stroke ended; INFINITY before */
} Load;

/* Does the load act over a piece of a step that starts at t? */
bool load_acts(const Load *load, double t);

/* Force and moment (about the load's own point) in the load's frame at time t. */
Wrench load_value(const Load *load, double t);

/* The next instant after t at which the load begins, ends or has a corner; INFINITY if none. */
double load_next_corner(const Load *load, double t);

/* Where the load's point is, as its stroke measures it. */
Vec3 load_stroke_point(const Load *load, Pose body, Pose carrier);
