/*
 * Overset connectivity: which cells of overlapping grids are computed, which receive, and from
 * whom.
 *
 * All geometry stands still in its own frame (grid/cover_map.h, grid/near_locate.h, x-rays), so a
 * body that has moved costs no more than looking places up at its new pose.
 *
 *   near-body cell   HOLE inside the solid of another body; it yields where another grid covers
 *                    it and has a nearer wall; cells next to overset boundaries receive always
 *   off-body cell    yields where a near-body grid covers it
 *
 * Of the cells that yield those within reach of a computed cell's stencil are FRINGE, the rest
 * HOLE. Fringe cells are filled from computed cells only, so one pass does. Every decision comes
 * from places and global ids, so it is the same on any number of ranks.
 *
 * What nothing has moved near since the last update keeps its states, donors and weights.
 *
 * Everything with a capital is collective.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "geom/xray.h"
#include "grid/cell_state.h"
#include "grid/forest.h"
#include "grid/grid_spec.h"
#include "grid/near_grid.h"
#include "grid/rows.h"
#include "overset/overset_spec.h"

typedef struct Overset Overset;

/* One near-body grid; grid and x-ray are borrowed and must outlive the connectivity. */
typedef struct {
  const NearGrid *grid;
  const BoundaryKind *kind; /* of its patches */
  int body;                 /* which of them belong together */
  int priority;             /* the lower takes what both cover, whatever the walls; equal: the walls
                               decide */
  const XRay *xray;         /* of the body; NULL: it cuts nothing */
  Vec3 center;              /* the origin of the grid's frame in the frame of the x-ray */
} OversetGrid;

typedef struct {
  const OversetSpec *spec; /* borrowed */
  int n_grids;
  const OversetGrid *grid; /* n_grids, copied */
  int patch;               /* cells along an edge of a patch of the forest */
  int reach;               /* of the off-body stencil, cells */
} OversetInput;

PetscErrorCode OversetCreate(MPI_Comm comm, const OversetInput *input, Overset **overset);
PetscErrorCode OversetDestroy(Overset **overset);

enum { OVERSET_QUALITIES = 6 };

/* What an update found, over all ranks. */
typedef struct {
  GlobalId field, fringe, hole, orphans;
} OversetCount;

typedef struct {
  OversetCount off, all;
  /* Receivers by what they get: a fit of second degree, of first degree, a mean over what is
   * computed of a stencil, nothing in a closed gap, nothing because all is left out there, nothing
   * because no grid is there. */
  GlobalId quality[OVERSET_QUALITIES];
  GlobalId late;   /* of the fringe cells: they will be computed in the next step */
  GlobalId closed; /* wall cells in gaps under about two cells, which are not computed */
  bool has_orphan; /* the first orphan by grid and global id */
  int orphan_grid; /* -1: off-body */
  Vec3 orphan_at;  /* in the world */
} OversetReport;

/* States and donors for grids at these poses on this forest. */
PetscErrorCode OversetUpdate(Overset *overset, const Pose pose[], const Forest *forest,
                             OversetReport *report);

/* Wall cells of a grid that a narrow gap has closed, over all ranks, and the first grid on the
 * other side; -1: it has none. */
GlobalId overset_closed(const Overset *overset, int g, int *by);

/* For tests: let the next update find everything anew. */
void overset_forget_poses(Overset *overset);

/* A number for all donors and weights-giving cells by global id: who receives, and which cell of
 * which grid gives. The same on all ranks and for any number of them. Collective. */
PetscErrorCode OversetHash(Overset *overset, const Pose pose[], uint64_t *hash);

/* Bytes this rank holds: what does not change, and what grows with the fringe. */
void overset_memory(const Overset *overset, size_t *fixed, size_t *fringe);

/* The step that was updated for is taken: the next update is compared with these states. */
void overset_accept(Overset *overset);

/* The forest is another one: what was known of its cells is void. */
void overset_forget_forest(Overset *overset);

/* One CellState per local cell of a grid, and per cell [patch][z][y][x] of the forest; valid until
 * the next update. */
const uint8_t *overset_near_states(const Overset *overset, int g);
const uint8_t *overset_off_states(const Overset *overset);

/* How many cells of a grid are what, over all ranks, after the last update. */
OversetCount overset_near_count(const Overset *overset, int g);

/* What a grid was given as. */
const OversetGrid *overset_grid(const Overset *overset, int g);

/* Size of the cells at the outer boundary of a grid, which those of the forest should match. */
double overset_outer_cell(const Overset *overset, int g);

/* A ball around a grid, in its own frame. */
typedef struct {
  Vec3 center;
  double radius;
} OversetBall;
OversetBall overset_ball(const Overset *overset, int g);

/* The rows that fill the fringe, good until the next update. */
Rows overset_rows(Overset *overset);
