/*
 * Fluxes of second order: limited linear reconstruction of primitive variables, then HLLC.
 *
 * The monotonised central limiter keeps both ends of a cell between its neighbours' values, so
 * densities and pressures at the faces are positive.
 */
#include "flow/patch_column_impl.h"

/* Half the limited slope of a cell. */
static inline Lanes half_slope(Lanes m1, Lanes q, Lanes p1)
{
  const Lanes none = {0}, back = q - m1, ahead = p1 - q, mean = 0.25 * (back + ahead);
  const Lanes up = lanes_max(lanes_min(lanes_min(back, ahead), mean), none);
  const Lanes down = lanes_min(lanes_max(lanes_max(back, ahead), mean), none);
  return up + down;
}

void column_flux2(const Column *column, ColumnWork *work)
{
  const ptrdiff_t step = column->step;
  for (int c = 0; c < PATCH_VARIABLES; c++) {
    const double *q = column->q[c] - 2 * step;
    Lanes m1 = lanes_load(q), q0 = lanes_load(q + step);
    q += 2 * step;
    for (int i = 0; i < column->n + 2; i++, q += step) {
      const Lanes p1 = lanes_load(q), half = half_slope(m1, q0, p1);
      work->upper[i][c] = q0 - half;
      work->lower[i + 1][c] = q0 + half;
      m1 = q0;
      q0 = p1;
    }
  }

  const double energy_factor = 1.0 / (column->scheme.gamma - 1.0);
  for (int f = 0; f <= column->n; f++) {
    const double *c = column->q[5] + f * step;
    const Lanes sound = lanes_max(lanes_load(c), lanes_load(c - step));
    hllc_flux(work->lower[f + 1], work->upper[f + 1], sound, energy_factor, work->flux[f]);
  }
}
