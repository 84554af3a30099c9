/*
 * What a near-body grid covers, as a lattice of small boxes in its own frame.
 *
 * Made once and held by every rank, it answers for any point in a few nanoseconds: does the grid
 * take care of it, how deep does it lie in what the grid takes care of, how far is the wall? Cells
 * within a few faces of an overset boundary do not count as covered: they receive. What a grid
 * encloses, its body above all, counts. The answer is one for all ranks; it is conservative: a
 * box is covered only if all of it is.
 *
 *   outside | layers 0, 1: fringe | 2: reached by stencils of donors | 3 ...: covered | body:
 * covered
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "grid/grid_spec.h"
#include "grid/near_grid.h"

/* Layers of cells next to an overset boundary that receive; and those that are not covered. */
enum { COVER_FRINGE = 2, COVER_LEAST = 3, COVER_MOST = 5, COVER_DEEP = 255 };

typedef struct {
  float depth; /* distance to what is not covered; 0 or less: the place is not covered, and the
                  distance to what is */
  float wall;  /* distance to boundaries that are neither overset nor symmetry; negative: the place
                  is enclosed by the grid, but not in any of its cells */
} Cover;

typedef struct {
  Box box;
  double spacing, per_spacing;
  double cell; /* mean size of the cells next to overset boundaries; 0: there are none */
  int n[3];
  Cover *cover;   /* owned: [z][y][x] */
  int shallow;    /* layers that are not covered: COVER_LEAST to COVER_MOST */
  uint8_t *layer; /* owned, one per local cell: faces to an overset boundary, up to COVER_MOST;
                     COVER_DEEP: more, or there is no such boundary */
} CoverMap;

/* kind: of the patches of the grid. Collective. */
PetscErrorCode CoverMapCreate(const NearGrid *grid, const BoundaryKind kind[], CoverMap **map);
PetscErrorCode CoverMapDestroy(CoverMap **map);

/* What covers p, a point in the frame of the grid. */
static inline Cover cover_at(const CoverMap *map, Vec3 p)
{
  const double x = (p.x - map->box.lo.x) * map->per_spacing;
  const double y = (p.y - map->box.lo.y) * map->per_spacing;
  const double z = (p.z - map->box.lo.z) * map->per_spacing;
  /* Written so that a NaN is outside. */
  if (!(x >= 0.0 && y >= 0.0 && z >= 0.0 && x < map->n[0] && y < map->n[1] && z < map->n[2]))
    return (Cover){-INFINITY, INFINITY};
  return map->cover[((size_t)z * map->n[1] + (size_t)y) * map->n[0] + (size_t)x];
}

/* By how much the depth and the wall distance of a place may be wrong. */
static inline double cover_slack(const CoverMap *map)
{
  return 1.7320508075688772 * map->spacing;
}
