/*
 * Contacts of boxes in closed form: with a wall, a sphere, and another box.
 *
 * Two boxes touch at a corner of one over the other, or where an edge of each cross. Which corners
 * and edges can, the axis of greatest separation tells: they lie near the two planes it sets
 * between the boxes.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "contact/hit.h"
#include "contact/side.h"

/* Do the sides have a closed form here: a box, and a wall, a sphere or a box? */
bool exact_box_is_known(const Side *a, const Side *b);

/* No more than the gap, and just as negative when they overlap. */
double exact_box_gap(const Side *a, const Side *b);

enum { EXACT_BOX_HITS = 40 };

/* The hits with a gap of at most reach; returns how many. */
int exact_box_hits(const Side *a, const Side *b, double reach, ContactHit hit[EXACT_BOX_HITS]);
