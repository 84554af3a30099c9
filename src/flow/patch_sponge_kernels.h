/*
 * Gas on its way out is led back to the free stream.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "flow/patch_kernels.h"

/* How fast, per time: the sum of three numbers, one for each place along an axis. */
typedef struct {
  double rate[3][PATCH_LARGEST];
} PatchSponge;

/* out += factor * rate * (far - u) in cells of STATE_FIELD (NULL: all are), all
 * [variable][z][y][x]; the sum over the cells of what the density of out loses. */
double patch_absorb(int n, const PatchSponge *sponge, double factor,
                    const double far[PATCH_VARIABLES], const uint8_t *restrict state,
                    const double *restrict u, double *restrict out);
