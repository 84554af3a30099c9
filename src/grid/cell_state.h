/*
 * What a cell is to the grids that overlap it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

typedef enum {
  STATE_FIELD,  /* computed */
  STATE_FRINGE, /* interpolated from another grid */
  STATE_HOLE,   /* not used; holds a smooth extension so that arithmetic stays sound */
  STATE_ORPHAN  /* a fringe cell without a donor, repaired from its neighbours */
} CellState;
