/*
 * What fluxes do to cells: each gathers those of its own faces, in the order of its definition, so
 * that the sum does not depend on the order of faces or on the ranks.
 */
#include "flow/near_cell_kernels.h"

#include "flow/row.h"
#include "grid/cell_state.h"

static inline int sound(double rho, double p)
{
  /* Written so that a NaN is not sound. */
  return rho > 0.0 && p > 0.0 && rho < 1e30 && p < 1e30;
}

static inline int set_record(double *record, double gamma, Row u)
{
  Row w = u * (1.0 / u[0]);
  w[0] = u[0];
  w[4] = (gamma - 1.0) * (u[4] - 0.5 * (u[1] * w[1] + u[2] * w[2] + u[3] * w[3]));
  row_store(record, w, NEAR_VARS);
  return sound(w[0], w[4]);
}

int near_set_record(const NearArrays *a, LocalId c, double gamma, const double u[])
{
  const Row all = {u[0], u[1], u[2], u[3], u[4]};
  return set_record(a->cell + NEAR_CELL * (size_t)c, gamma, all);
}

LocalId near_primitives(const NearArrays *a, double gamma, const double conserved[])
{
  LocalId bad = 0;
  for (LocalId c = 0; c < a->n_own; c++)
    bad += !near_set_record(a, c, gamma, conserved + NEAR_VARS * (size_t)c);
  return bad;
}

/* The sum of fluxes into a cell, in the order of its faces. */
static inline Row sum_fluxes(const NearArrays *a, LocalId c)
{
  Row sum = {0};
  for (LocalId j = a->face_start[c]; j < a->face_start[c + 1]; j++)
    sum -= row_load(a->flux + NEAR_FLUX * (size_t)a->face[j]) * (double)a->face_sign[j];
  return sum;
}

static inline int is_computed(const NearArrays *a, LocalId c)
{
  return a->state == NULL || a->state[c] == STATE_FIELD;
}

LocalId near_stage(const NearArrays *a, double gamma, NearStage stage, const double start[],
                   const double in[], double out[])
{
  LocalId bad = 0;
  for (LocalId c = 0; c < a->n_own; c++) {
    const size_t i = NEAR_VARS * (size_t)c;
    /* Cells that receive, and those left out, keep what they were given. */
    if (!is_computed(a, c)) {
      row_store(out + i, row_load(in + i), NEAR_VARS);
      continue;
    }
    const double step = stage.dt / a->volume[c];
    const Row next =
        stage.a * row_load(start + i) + stage.b * (row_load(in + i) + step * sum_fluxes(a, c));
    row_store(out + i, next, NEAR_VARS);
    bad += !set_record(a->cell + NEAR_CELL * (size_t)c, gamma, next);
  }
  return bad;
}

void near_rate(const NearArrays *a, double rate[])
{
  for (LocalId c = 0; c < a->n_own; c++) {
    const double per = is_computed(a, c) ? 1.0 / a->volume[c] : 0.0;
    row_store(rate + NEAR_VARS * (size_t)c, sum_fluxes(a, c) * per, NEAR_VARS);
  }
}

static double local_step(const NearArrays *a, LocalId c)
{
  double sum = 0.0;
  for (LocalId j = a->face_start[c]; j < a->face_start[c + 1]; j++)
    sum += a->flux[NEAR_FLUX * (size_t)a->face[j] + NEAR_SPEED];
  return 2.0 * a->volume[c] / sum;
}

void near_local_steps(const NearArrays *a, double dt[])
{
  for (LocalId c = 0; c < a->n_own; c++) dt[c] = local_step(a, c);
}

double near_time_step(const NearArrays *a)
{
  double least = HUGE_VAL;
  for (LocalId c = 0; c < a->n_own; c++) {
    const double dt = local_step(a, c);
    least = dt < least && is_computed(a, c) ? dt : least;
  }
  return least;
}
