/*
 * Patches that change: finer and coarser cells from what was there, and what asks for it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "flow/patch_kernels.h"
#include "grid/grid_spec.h"

/*
 * The child 0 to 7 (x before y before z) of a patch: interpolated at fifth order, then moved so
 * that the mean of eight cells is the cell they come from. Where that would leave a cell nearly
 * empty, all eight take its value. work holds twice a patch.
 */
void patch_refine(int n, int child, const double *restrict parent, double *restrict work,
                  double *restrict out);

/* Put the means of a patch's cells where they belong in the patch it is child of. */
void patch_coarsen(int n, int child, const double *restrict fine, double *restrict parent);

/*
 * Let cells of STATE_HOLE take the mean of their neighbours, layer by layer from those that are
 * not; `far` where a patch is nothing but holes. done holds n^3 bytes.
 */
void patch_extend(int n, const uint8_t *restrict state, const double far[PATCH_VARIABLES],
                  uint8_t *restrict done, double *restrict u);

typedef struct {
  SensorKind kind;
  double threshold;
  int margin; /* cells that something may travel until the next look */
} PatchSensor;

/*
 * How much a sensor changes from cell to cell within a patch that was taken into the block, at
 * most: relative for density and pressure, the logarithm of entropy, shear per speed of sound.
 * Bit s of *near is set when a cell above the threshold is within the margin of side s. Only cells
 * of STATE_FIELD count (NULL: all are). value holds n^3 doubles.
 */
double patch_sense(const PatchBlock *block, const PatchSensor *sensor, double gamma,
                   const uint8_t *restrict state, double *restrict value, int *near);
