/*
 * Explicit stages (SSP Runge-Kutta of third order) that never leave an unsound cell behind.
 *
 *   u1 = u + dt R(u)    u2 = 3/4 u + 1/4 (u1 + dt R(u1))    u <- 1/3 u + 2/3 (u2 + dt R(u2))
 *
 * Method: C.-W. Shu, S. Osher, J. Comput. Phys. 77 (1988); first order after the fact where the
 * result is not sound: S. Clain, S. Diot, R. Loubere, J. Comput. Phys. 230 (2011).
 */
#include "flow/near_flow_impl.h"
#include "grid/cell_state.h"

/* Weak are the cells whose result is not sound; *more are those that were not weak before. */
static PetscErrorCode mark_weak(NearFlow *s, GlobalId *more)
{
  PetscFunctionBeginUser;
  const NearArrays *a = &s->arrays;
  *more = 0;
  for (LocalId c = 0; c < a->n_own; c++) {
    const double *record = a->cell + NEAR_CELL * c;
    const bool sound = record[0] > 0.0 && record[4] > 0.0 && isfinite(record[0] + record[4]);
    *more += !sound && s->weak_number[c] == 0.0;
    if (!sound) s->weak_number[c] = 1.0;
  }
  s->counts.fallbacks += *more;
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, more, 1, MPIU_INT64, MPI_SUM, s->grid->comm));
  double *const field[] = {s->weak_number};
  PetscCall(ExchangeUpdate(s->grid->halo, 1, 1, field));
  for (LocalId c = 0; c < a->n_local; c++) s->weak[c] = s->weak_number[c] != 0.0;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Compute the stage again with more and more cells at first order, until it is sound. */
static PetscErrorCode repair(NearFlow *s, const NearMotion *motion, NearStage stage,
                             const double in[], double out[], GlobalId *bad)
{
  PetscFunctionBeginUser;
  enum { ATTEMPTS = 4 };
  const double gamma = s->spec.gas.gamma;
  PetscCall(PetscArrayzero(s->weak_number, s->arrays.n_local));
  for (int k = 0; k<ATTEMPTS && * bad> 0; k++) {
    GlobalId more;
    PetscCall(mark_weak(s, &more));
    if (more == 0) break;
    near_primitives(&s->arrays, gamma, in);
    s->arrays.weak = s->weak;
    PetscCall(NearFlowFluxes(s, motion, NEAR_LIMIT_FRESH));
    s->arrays.weak = NULL;
    *bad = near_stage(&s->arrays, gamma, stage, s->start, in, out);
    PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, bad, 1, MPIU_INT64, MPI_SUM, s->grid->comm));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

void near_flow_note_passed(NearFlow *s, double dt)
{
  const NearArrays *a = &s->arrays;
  for (LocalId f = a->n_interior; f < a->n_faces; f++)
    s->passed[f - a->n_interior] += dt * a->flux[NEAR_FLUX * (size_t)f];
}

/* What stage k reads. */
static double *stage_input(NearFlow *s, int k)
{
  return k == 0 ? s->start : k == 1 ? s->in : s->out;
}

void near_flow_take_fringe(NearFlow *s, int k)
{
  const double per = 1.0 / (s->spec.gas.gamma - 1.0);
  double *in = stage_input(s, k);
  for (LocalId c = 0; s->state != NULL && c < s->arrays.n_own; c++) {
    if (s->state[c] != STATE_FRINGE && s->state[c] != STATE_ORPHAN) continue;
    const double *w = s->arrays.cell + NEAR_CELL * c;
    double *u = in + NEAR_VARS * c;
    u[0] = w[0];
    for (int v = 1; v <= 3; v++) u[v] = w[0] * w[v];
    u[4] = per * w[4] + 0.5 * w[0] * (w[1] * w[1] + w[2] * w[2] + w[3] * w[3]);
    /* As a restart would find it. */
    near_set_record(&s->arrays, c, s->spec.gas.gamma, u);
    near_turbulence_take_fringe(s, c, in);
  }
}

PetscErrorCode NearFlowStage(NearFlow *s, const NearMotion *motion, int k, double dt, GlobalId *bad)
{
  PetscFunctionBeginUser;
  static const double a[] = {0.0, 0.75, 1.0 / 3.0}, b[] = {1.0, 0.25, 2.0 / 3.0};
  static const double share[] = {1.0 / 6.0, 1.0 / 6.0, 2.0 / 3.0};
  const NearStage stage = {a[k], b[k], dt};
  double *in = stage_input(s, k);
  double *out = k == 1 ? s->out : s->in;
  *bad = near_stage(&s->arrays, s->spec.gas.gamma, stage, s->start, in, out);
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, bad, 1, MPIU_INT64, MPI_SUM, s->grid->comm));
  if (*bad > 0) PetscCall(repair(s, motion, stage, in, out, bad));
  near_turbulence_stage(s, stage, in, out);
  near_flow_note_passed(s, share[k] * dt);
  if (k == 2 && *bad == 0) {
    double *swap = s->start;
    s->start = s->in;
    s->in = swap;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}
