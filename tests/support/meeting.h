/*
 * Pairs of bodies that meet at random, and how far apart their curved surfaces are by brute force.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "contact/side.h"
#include "shapes.h"

/* A shape for contact, and what brute force needs of it. */
typedef struct {
  Surface *surface;
  XRay *xray;
  ContactShape shape;
} Thing;

/* The thing owns the surface from now on. */
Thing thing_of(Surface *surface);
Thing thing_create(TestShape shape, double spacing);
void thing_destroy(Thing *thing);
Side side_of(const Thing *thing, Pose pose);

/*
 * b beside a: a random point of b faces a random point of a, with the normals about opposite,
 * over a gap that may be negative. Elsewhere they may cross as they like.
 */
Pose random_meeting(Random *random, const Thing *a, Pose pose_a, const Thing *b, double gap);

/*
 * The least signed distance of points of one curved surface from the other: negative when one
 * reaches into the other, INFINITY when none is within reach. Patches are split until what is left
 * of one cannot hold the least, then searched from the best places. Only a bound far inside.
 */
double curved_gap(const Side *a, const Side *b, double reach);
