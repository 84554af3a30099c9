/*
 * A place on the curved surface that follows a point near it, from patch to patch.
 *
 * Cheaper than looking for the nearest point anew whenever the point moves a little, and it knows
 * how its normal turns. It stays on its smooth piece of the surface: creases end the way.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "geom/pn_patch.h"
#include "geom/xray.h"

typedef struct {
  Vec3 point, normal; /* normal: unit, that of xray_gap */
  int triangle;
  double u, v;          /* weights on its patch */
  PatchJet jet;         /* of the patch there */
  double huu, huv, hvv; /* how the weights answer to the point that is followed */
  PnPatch patch;        /* of the triangle */
} XRayPlace;

/* The middle of a triangle; the normal is not set. */
XRayPlace xray_place(const XRay *xray, int triangle);

/* Move to the point of the surface nearest to p, as far as its slope leads there. False: a crease
 * is in the way, or p is too far for the slope to tell. */
bool xray_place_follow(const XRay *xray, Vec3 p, XRayPlace *place);

/* How the normal changes when the point that is followed moves by dp; first order. */
Vec3 xray_place_turn(const XRayPlace *place, Vec3 dp);
