/*
 * Which cell of a near-body grid holds a point?
 *
 * A map of bins in the frame of the grid, made once: each bin lists the own cells whose boxes reach
 * into it, and the faces of a cell are planes kept beside it. A cell is asked only how far a point
 * is outside of it, and the cell that says the least wins; the answer therefore depends on the
 * grid and the point alone, and answers of several ranks are compared the same way. Which ranks to
 * ask is known everywhere from a coarse map.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "grid/near_grid.h"

typedef struct NearLocator NearLocator;

/* The grid is borrowed and must outlive the locator. Collective. */
PetscErrorCode NearLocatorCreate(const NearGrid *grid, NearLocator **locator);
PetscErrorCode NearLocatorDestroy(NearLocator **locator);

/*
 * Ranks that may own the cell around p (frame of the grid), ascending; returns how many, at most
 * `most`. 0: p is outside of the boxes of all cells. No rank whose own cells hold p is left out as
 * long as there is room.
 */
int near_locator_ranks(const NearLocator *locator, Vec3 p, int most, int rank[]);

/* Most ranks that near_locator_ranks has to tell of any point; the same on all ranks. */
int near_locator_most_ranks(const NearLocator *locator);

typedef struct {
  LocalId cell;  /* own cell of this rank; -1: none near p */
  double excess; /* how far p is outside of it [m]: largest over its faces of the signed distance
                    to the plane through the face's centre across S, negative inside; INFINITY
                    without a cell */
} NearPlace;

/*
 * Among this rank's own cells whose box, grown by a hundredth, holds p: the one of least excess,
 * then of least global id. The least (excess, global id) of all ranks is the cell on any number of
 * them.
 */
NearPlace near_locator_find(const NearLocator *locator, Vec3 p);
void near_locator_find_many(const NearLocator *locator, int n, const Vec3 p[], NearPlace place[]);

/* Bytes this rank holds. */
size_t near_locator_memory(const NearLocator *locator);
