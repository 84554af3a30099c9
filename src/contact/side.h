/*
 * One side of a contact: a body seen through its x-ray at some pose, or a wall.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/pose.h"
#include "geom/xray.h"

/* A shape with a closed form around the origin of its coordinates. */
typedef enum { EXACT_NONE, EXACT_SPHERE, EXACT_CAPSULE, EXACT_BOX } ExactKind;
typedef struct {
  ExactKind kind; /* EXACT_NONE: the x-ray speaks for the shape */
  double radius;  /* sphere, capsule: all within it of the middle or of a segment */
  Vec3 half;      /* capsule: from the middle of the segment to its end; box: half its edges */
} ExactShape;

/* What contact needs to know of a shape, whoever has it. */
typedef struct {
  const XRay *xray; /* borrowed */
  double size;      /* longest edge of its box */
  double thickness; /* shortest edge of its box */
  double bulge;     /* no patch leaves its flat triangle farther */
  double edge;      /* mean length of the edges */
  double error;     /* of the patches against the smooth shape */
  ExactShape exact; /* not known when the x-ray is to be used */
} ContactShape;

typedef struct {
  const ContactShape *shape; /* NULL: a wall */
  Frame frame;               /* shape coordinates to world */
  Vec3 point, normal;        /* of a wall, world */
} Side;

/* The nearest point of the curved surface within reach of p, all in the world. */
SurfaceHit side_gap(const Side *side, Vec3 p, double reach);

/* A shape's facts, from its x-ray. */
ContactShape contact_shape(const XRay *xray);
