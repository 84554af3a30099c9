/*
 * Looking over the cells of a patch: speeds, extremes, sums, and whether all is sound.
 */
#include "flow/lanes.h"
#include "flow/patch_kernels.h"
#include "grid/cell_state.h"

/* Which of the cells from c on are field? */
static inline LaneMask field_at(const uint8_t *state, int c)
{
  LaneMask mask;
  for (int l = 0; l < LANES; l++) mask[l] = state == NULL || state[c + l] == STATE_FIELD ? -1 : 0;
  return mask;
}

static double least_lane(Lanes a)
{
  double least = a[0];
  for (int l = 1; l < LANES; l++) least = a[l] < least ? a[l] : least;
  return least;
}

PatchSurvey patch_survey(int n, double gamma, const double *restrict u,
                         const uint8_t *restrict state)
{
  const int cells = n * n * n;
  const Lanes far = lanes_of(INFINITY);
  Lanes fast = {0}, rho_min = far, rho_max = -far, p_min = far, p_max = -far;
  for (int c = 0; c < cells; c += LANES) {
    const LaneMask field = field_at(state, c);
    const Lanes rho = lanes_load(u + c), over = 1.0 / rho;
    const Lanes x = lanes_load(u + c + cells) * over, y = lanes_load(u + c + 2 * cells) * over;
    const Lanes z = lanes_load(u + c + 3 * cells) * over, e = lanes_load(u + c + 4 * cells);
    const Lanes p = (gamma - 1.0) * (e - 0.5 * rho * (x * x + y * y + z * z));
    const Lanes s = lanes_abs(x) + lanes_abs(y) + lanes_abs(z) + 3.0 * lanes_sqrt(gamma * p * over);
    fast = lanes_max(lanes_select(field, s, fast), fast);
    rho_min = lanes_min(lanes_select(field, rho, rho_min), rho_min);
    rho_max = lanes_max(lanes_select(field, rho, rho_max), rho_max);
    p_min = lanes_min(lanes_select(field, p, p_min), p_min);
    p_max = lanes_max(lanes_select(field, p, p_max), p_max);
  }
  return (PatchSurvey){-least_lane(-fast), least_lane(rho_min), -least_lane(-rho_max),
                       least_lane(p_min), -least_lane(-p_max)};
}

int patch_unsound(int n, const double *restrict u, const uint8_t *restrict state)
{
  const int cells = n * n * n;
  LaneMask bad = {0};
  for (int c = 0; c < cells; c += LANES) {
    const Lanes rho = lanes_load(u + c), x = lanes_load(u + c + cells);
    const Lanes y = lanes_load(u + c + 2 * cells), z = lanes_load(u + c + 3 * cells);
    const Lanes inner = lanes_load(u + c + 4 * cells) * rho - 0.5 * (x * x + y * y + z * z);
    /* Written so that what is not a number is not sound. */
    const LaneMask sound = (rho > 0.0) & (inner > 0.0) & (inner < (double)INFINITY);
    bad += field_at(state, c) & ~sound;
  }
  return lanes_count(bad);
}

void patch_sums(int n, const double *restrict u, const uint8_t *restrict state,
                double sum[PATCH_VARIABLES])
{
  const int cells = n * n * n;
  for (int v = 0; v < PATCH_VARIABLES; v++) {
    /* Eight sums side by side, always the same, so that the result is too. */
    double part[8] = {0};
    for (int c = 0; c < cells; c += 8)
      for (int k = 0; k < 8; k++)
        part[k] += state == NULL || state[c + k] == STATE_FIELD ? u[v * cells + c + k] : 0.0;
    sum[v] =
        ((part[0] + part[1]) + (part[2] + part[3])) + ((part[4] + part[5]) + (part[6] + part[7]));
  }
}
