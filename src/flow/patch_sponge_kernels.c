#include "flow/patch_sponge_kernels.h"

#include "grid/cell_state.h"

double patch_absorb(int n, const PatchSponge *sponge, double factor,
                    const double far[PATCH_VARIABLES], const uint8_t *restrict state,
                    const double *restrict u, double *restrict out)
{
  const ptrdiff_t cells = (ptrdiff_t)n * n * n;
  double lost = 0.0;
  for (int r = 0; r < n * n; r++) {
    const double across = sponge->rate[1][r % n] + sponge->rate[2][r / n];
    for (int i = 0; i < n; i++) {
      const double part = factor * (across + sponge->rate[0][i]);
      const ptrdiff_t c = (ptrdiff_t)r * n + i;
      if (part == 0.0 || (state != NULL && state[c] != STATE_FIELD)) continue;
      for (int v = 0; v < PATCH_VARIABLES; v++)
        out[v * cells + c] += part * (far[v] - u[v * cells + c]);
      lost += part * (u[c] - far[0]);
    }
  }
  return lost;
}
