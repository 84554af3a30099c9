/*
 * The schemes of the patches in their obvious scalar form, to hold the kernels against.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "flow/patch_kernels.h"

/* One cell: rho, velocity with the normal component first, p. */
typedef struct {
  double q[PATCH_VARIABLES];
} Plain;

/* The flux through the face between s[2] and s[3] of six cells in a row. */
void plain_flux(const Plain s[6], const PatchScheme *scheme, double flux[PATCH_VARIABLES]);
