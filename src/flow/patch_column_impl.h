/*
 * Fluxes through the faces of LANES columns of cells that lie side by side.
 *
 * A column holds n cells and PATCH_GHOST more at each end. Face f lies between cells f - 1 and f;
 * there are n + 1. The variables are primitive, the velocity normal to the faces first.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "flow/lanes.h"
#include "flow/patch_kernels.h"

#include <stddef.h>

typedef struct {
  const double *q[PATCH_FIELDS]; /* cell 0: rho, normal and two other velocities, p, c */
  ptrdiff_t step;                /* doubles from cell to cell along the column */
  int n;
  PatchScheme scheme; /* its rough is that of this column, one byte per face */
} Column;

/* Values at the lower and the upper side of every face, and nodal fluxes from cell -3 on. */
typedef struct {
  Lanes lower[PATCH_LARGEST + 3][PATCH_VARIABLES];
  Lanes upper[PATCH_LARGEST + 3][PATCH_VARIABLES];
  Lanes nodal[PATCH_LARGEST + 2 * PATCH_GHOST][PATCH_VARIABLES];
  Lanes flux[PATCH_LARGEST + 1][PATCH_VARIABLES]; /* the result */
  LaneMask rough[PATCH_LARGEST + 3];
} ColumnWork;

/* Each fills work->flux for faces 0 to n, and adds to the counts. */
void column_flux2(const Column *column, ColumnWork *work);
void column_flux5(const Column *column, ColumnWork *work, PatchCounts *counts);

/*
 * The flux of HLLC (Toro, Spruce and Speares 1994; one-sided form, so that only the side the
 * contact leaves is computed). c bounds the speed of sound on both sides.
 */
static inline void hllc_flux(const Lanes l[PATCH_VARIABLES], const Lanes r[PATCH_VARIABLES],
                             Lanes c, double energy_factor, Lanes flux[PATCH_VARIABLES])
{
  const Lanes s_l = lanes_min(l[1], r[1]) - c, s_r = lanes_max(l[1], r[1]) + c;
  const Lanes m_l = l[0] * (s_l - l[1]), m_r = r[0] * (s_r - r[1]);
  const Lanes s_m = (r[4] - l[4] + m_l * l[1] - m_r * r[1]) / (m_l - m_r);

  const LaneMask right = s_m < 0.0;
  const Lanes rho = lanes_select(right, r[0], l[0]), u = lanes_select(right, r[1], l[1]);
  const Lanes v = lanes_select(right, r[2], l[2]), w = lanes_select(right, r[3], l[3]);
  const Lanes p = lanes_select(right, r[4], l[4]), m = lanes_select(right, m_r, m_l);
  const Lanes none = {0};
  const Lanes s = lanes_select(right, lanes_max(s_r, none), lanes_min(s_l, none));

  /* F = (s_m (s U - F(U)) + s p_star D) / (s - s_m): the flux itself where s is zero. */
  const Lanes over = 1.0 / (s - s_m);
  const Lanes mass = rho * (s - u) * s_m * over;
  const Lanes p_star = (p + m * (s_m - u)) * s * over;
  const Lanes p_side = p * s_m * over;
  const Lanes energy = p * energy_factor + 0.5 * rho * (u * u + v * v + w * w);
  flux[0] = mass;
  flux[1] = mass * u - p_side + p_star;
  flux[2] = mass * v;
  flux[3] = mass * w;
  flux[4] = (s - u) * s_m * over * energy - p_side * u + p_star * s_m;
}
