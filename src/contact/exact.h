/*
 * Contacts of spheres, capsules and (exact_box.h) boxes in closed form.
 *
 * A sphere or capsule is everything within a radius of a segment (of a point). Two of them, or one
 * and a wall, are nearest where their segments are; where they lie along each other the ends of the
 * common stretch are hits too, as they are when the surfaces are inspected.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "contact/exact_box.h"
#include "contact/hit.h"
#include "contact/side.h"
#include "geom/shape_spec.h"

/* The description of a shape in its own coordinates. */
ExactShape exact_shape(const ShapeSpec *spec);

/* Have the two a closed form together? */
bool exact_is_known(const Side *a, const Side *b);

/* The least gap, or for boxes less; negative: the depth. */
double exact_gap(const Side *a, const Side *b);

enum { EXACT_HITS = EXACT_BOX_HITS };

/* The hits with a gap of at most reach; returns how many. */
int exact_hits(const Side *a, const Side *b, double reach, ContactHit hit[EXACT_HITS]);
