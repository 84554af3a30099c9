/*
 * A rough inverse of the equations of implicit time on one patch: a forward and a backward sweep of
 * symmetric Gauss-Seidel over the cells, with fluxes of first order whose upwinding takes only the
 * fastest wave (LU-SGS, Yoon and Jameson 1988). Neighbours outside the patch are left out.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* What the sweeps need of a state, [number][cell]: velocity, total enthalpy, speed of sound. */
void patch_linearise(int n, double gamma, const double *restrict u, double *restrict linear);

typedef struct {
  int n;
  double gamma, spacing;
  double slow; /* speed that stands for friction: diffusivity over half a cell */
} SgsPatch;

/*
 * x from r, five numbers per cell each: V (a0 + d flux) x = r about; a0 has one number per cell.
 * Cells that are not STATE_FIELD (state NULL: all are) have V a0 x = r and nothing else.
 */
void patch_sgs(const SgsPatch *patch, const uint8_t *restrict state, const double *restrict linear,
               const double *restrict a0, const double *restrict r, double *restrict x);
