/*
 * The equations, by cell: V (a0 U + known) + fluxes out = 0, with
 *
 *   BDF2         a0 = (1 + 2 w) / (1 + w) / dt,  known = (-(1 + w) U_n + w^2 / (1 + w) U_n-1) / dt,
 *                w = dt / dt_old; the first step has w = 0
 *   pseudo-time  a0 = 1 / dtau of the cell, known = -a0 U
 *
 * A near-body cell that was not computed in the step before has no older state: it takes w = 0.
 * Cells that receive or are left out have the equation that they stay as they are.
 * Unknowns are the cells of all near-body grids, then those of the forest; flow/implicit_solve.c
 * solves for them.
 */
#include "flow/implicit_impl.h"

#include "flow/near_cell_kernels.h"
#include "flow/off_body_implicit.h"
#include "grid/cell_state.h"

/* In place of the older density of a cell that was not computed in the last step. */
static const double NOT_COMPUTED = -1.0;

/* What is known of the cells of grid g, for w of the step, as the grid keeps its values. */
static void take_known(Implicit *s, int g, double dt, double w)
{
  const double *now = near_flow_state(s->flow->grid[g]), *older = s->flow->older[g];
  const uint8_t *state = near_flow_arrays(s->flow->grid[g])->state;
  const LocalId n = s->first[g + 1] - s->first[g];
  for (LocalId c = 0; c < n; c++) {
    const bool computed = state == NULL || state[c] == STATE_FIELD;
    const double own = computed && older[NEAR_VARS * c] == NOT_COMPUTED ? 0.0 : w;
    const double a0 = (1.0 + 2.0 * own) / (1.0 + own);
    const double b = computed ? 1.0 + own : a0, d = computed ? own * own / (1.0 + own) : 0.0;
    for (int v = 0; v < s->vars; v++) {
      const LocalId i = v < NEAR_VARS ? NEAR_VARS * c + v : NEAR_VARS * n + c;
      s->apart[i] = (d * older[i] - b * now[i]) / dt;
    }
    s->a0[s->first[g] + c] = a0 / dt;
  }
}

/* Coefficients of the step, and the motion that goes with them: with the same weights as the
 * states, so that walls sweep what bodies displace. */
static PetscErrorCode begin_step(Implicit *s, double dt)
{
  PetscFunctionBeginUser;
  Flow *f = s->flow;
  const double w = f->dt_old > 0.0 ? dt / f->dt_old : 0.0, a = (1.0 + 2.0 * w) / (1.0 + w);
  double *known;
  PetscCall(VecGetArray(s->known, &known));
  for (int g = 0; g < f->n_grids; g++) {
    take_known(s, g, dt, w);
    implicit_pack(s, g, s->apart, known);
    s->motion[g] = flow_motion_at(f, g, dt);
    s->motion[g].twist = screw_combine(a, f->motion[g].twist, -w / (1.0 + w), f->twist_old[g]);
  }
  for (LocalId c = s->first[f->n_grids]; c < s->n; c++) s->a0[c] = a / dt;
  if (implicit_forest(s) != NULL)
    off_body_known(f->off_body, -(1.0 + w) / dt, w * w / (1.0 + w) / dt, a / dt,
                   known + implicit_forest_start(s));
  PetscCall(VecRestoreArray(s->known, &known));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What has gone out of the grids in the step, for when it is accepted. */
static PetscErrorCode note_passed(Implicit *s, double dt)
{
  PetscFunctionBeginUser;
  Flow *f = s->flow;
  s->dt = dt;
  s->out = 0.0;
  for (int g = 0; g < f->n_grids; g++) {
    double passed;
    near_flow_note_passed(f->grid[g], dt);
    PetscCall(NearFlowTakePassed(f->grid[g], &passed));
    s->out += passed;
  }
  if (implicit_forest(s) == NULL) PetscFunctionReturn(PETSC_SUCCESS);
  double passing;
  PetscCall(OffBodyPassing(f->off_body, &passing));
  s->out += dt * passing;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The new state becomes the present, the present the old one. */
PetscErrorCode ImplicitAccept(Implicit *s)
{
  PetscFunctionBeginUser;
  Flow *f = s->flow;
  const double w = f->dt_old > 0.0 ? s->dt / f->dt_old : 0.0, a = (1.0 + 2.0 * w) / (1.0 + w);
  for (int g = 0; g < f->n_grids; g++) {
    const LocalId n = s->first[g + 1] - s->first[g];
    const uint8_t *state = near_flow_arrays(f->grid[g])->state;
    PetscCall(PetscArraycpy(f->older[g], f->backup[g], s->vars * n));
    for (LocalId c = 0; state != NULL && c < n; c++)
      if (state[c] != STATE_FIELD) f->older[g][NEAR_VARS * c] = NOT_COMPUTED;
    f->twist_old[g] = f->motion[g].twist;
  }
  if (implicit_forest(s) != NULL) off_body_age(f->off_body);
  f->passed_last = (s->out + w * w / (1.0 + w) * f->passed_last) / a;
  f->passed += f->passed_last;
  f->dt_old = s->dt;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The solver stops too when nothing is left but rounding: a small part of what a step moves. */
static PetscErrorCode set_floor(Implicit *s)
{
  PetscFunctionBeginUser;
  const double part = 1e-5;
  PetscReal rtol, stol;
  PetscInt most_steps, most_calls;
  double sum = 0.0;
  const double *u;
  PetscCall(ImplicitCollect(s, s->x));
  PetscCall(VecGetArrayRead(s->x, &u));
  for (LocalId c = 0; c < s->n; c++) {
    const double size = s->a0[c] * s->volume[c] * u[s->vars * c];
    sum += size * size;
  }
  PetscCall(VecRestoreArrayRead(s->x, &u));
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, s->flow->comm));
  PetscCall(SNESGetTolerances(s->snes, NULL, &rtol, &stol, &most_steps, &most_calls));
  PetscCall(
      SNESSetTolerances(s->snes, part * rtol * sqrt(sum), rtol, stol, most_steps, most_calls));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ImplicitStep(Implicit *s, double dt, FlowVerdict *verdict)
{
  PetscFunctionBeginUser;
  SNESConvergedReason reason;
  bool sound;
  PetscReal norm;
  s->time = dt;
  PetscCall(FlowFillStage(s->flow, 0, s->time));
  PetscCall(begin_step(s, dt));
  PetscCall(set_floor(s));
  PetscCall(ImplicitSolve(s, verdict, &reason));
  PetscCall(SNESGetFunctionNorm(s->snes, &norm));
  verdict->residual = norm;
  PetscCall(ImplicitSpread(s, s->x, &sound));
  verdict->sound = sound && reason > 0 && isfinite(norm);
  if (verdict->sound) PetscCall(note_passed(s, dt));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/*
 * With turbulence, whose layers must thicken before the residual falls, the pseudo-time step is
 * judged by the part of the Newton step that the line search took: what the residual would have
 * been before for the step to double, stay or halve.
 */
static PetscErrorCode judge_by_search(Implicit *s, double norm, double *before)
{
  PetscFunctionBeginUser;
  SNESLineSearch search;
  PetscReal part;
  if (s->vars == NEAR_VARS) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(SNESGetLineSearch(s->snes, &search));
  PetscCall(SNESLineSearchGetLambda(search, &part));
  const double growth = part > 0.99 ? 2.0 : part > 0.2 ? 1.0 : 0.5;
  *before = norm * growth / 1.5;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The norm of the fluxes out of all cells, and pseudo-time steps for a Courant number. */
static PetscErrorCode begin_pseudo_step(Implicit *s, double courant, PetscReal *norm)
{
  PetscFunctionBeginUser;
  double *r;
  PetscCall(VecSet(s->known, 0.0));
  PetscCall(PetscArrayzero(s->a0, s->n));
  PetscCall(ImplicitCollect(s, s->x));
  PetscCall(VecGetArray(s->residual, &r));
  PetscCall(ImplicitTakeRates(s, NEAR_LIMIT_FRESH, r));
  PetscCall(ImplicitFinishResidual(s, s->x, r));
  PetscCall(VecRestoreArray(s->residual, &r));
  PetscCall(VecNorm(s->residual, NORM_2, norm));
  double *known;
  const double *u;
  for (int g = 0; g < s->flow->n_grids; g++)
    near_local_steps(near_flow_arrays(s->flow->grid[g]), s->a0 + s->first[g]);
  if (implicit_forest(s) != NULL)
    off_body_local_steps(s->flow->off_body, s->a0 + s->first[s->flow->n_grids]);
  PetscCall(VecGetArray(s->known, &known));
  PetscCall(VecGetArrayRead(s->x, &u));
  for (LocalId c = 0; c < s->n; c++) {
    s->a0[c] = 1.0 / (courant * s->a0[c]);
    for (LocalId i = s->vars * c; i < s->vars * (c + 1); i++) known[i] = -s->a0[c] * u[i];
  }
  PetscCall(VecRestoreArrayRead(s->x, &u));
  PetscCall(VecRestoreArray(s->known, &known));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/*
 * Limiters that switch at shocks can keep the residual from falling for ever. Once it has gone
 * down a way and no further for `patience` steps, they stay as they are (V. Venkatakrishnan 1995).
 */
static bool has_stalled(double share, int k, double *least, int *since)
{
  const double gone_down = 0.3, better = 0.9;
  const int patience = 16;
  if (share < better * *least) *least = share, *since = k;
  return share < gone_down && k - *since >= patience;
}

PetscErrorCode ImplicitSteady(Implicit *s, int iterations, double drop, FlowVerdict *verdict)
{
  PetscFunctionBeginUser;
  const double first_courant = 10.0, most_courant = 1e6, growth = 2.0, least_courant = 1e-2;
  const double most_before_fall = 50.0; /* shocks that still travel do not bear more */
  PetscReal atol, rtol, stol, norm = 0.0, first = 0.0, before = 0.0;
  PetscInt most_steps, most_calls;
  double courant = first_courant, least = INFINITY;
  int since = 0;
  s->time = 0.0;
  for (int g = 0; g < s->flow->n_grids; g++) s->motion[g] = flow_motion_at(s->flow, g, 0.0);
  PetscCall(SNESGetTolerances(s->snes, &atol, &rtol, &stol, &most_steps, &most_calls));
  PetscCall(SNESSetTolerances(s->snes, atol, rtol, stol, 1, most_calls));
  for (int k = 0; k <= iterations; k++) {
    SNESConvergedReason reason;
    bool sound;
    PetscCall(begin_pseudo_step(s, courant, &norm));
    if (k == 0) first = before = norm;
    const double share = verdict->residual = first > 0.0 ? norm / first : 0.0;
    if (norm <= drop * first || k == iterations || courant < least_courant) break;
    if (!s->frozen && has_stalled(verdict->residual, k, &least, &since)) s->frozen = true;
    PetscCall(FlowSave(s->flow));
    PetscCall(ImplicitSolve(s, verdict, &reason));
    PetscCall(judge_by_search(s, norm, &before));
    PetscCall(ImplicitSpread(s, s->x, &sound));
    if (!sound || s->unsound) PetscCall(FlowRestore(s->flow));
    /* Switched evolution: the step grows as the residual falls, and shrinks when it must. */
    courant *= !sound || s->unsound ? 0.1 : PetscMin(growth, PetscMax(0.5, before / norm * 1.5));
    courant = PetscMin(courant, PetscMin(most_courant, most_before_fall / (share * share)));
    before = norm;
  }
  s->frozen = false;
  PetscCall(SNESSetTolerances(s->snes, atol, rtol, stol, most_steps, most_calls));
  verdict->sound = isfinite(norm) && courant >= least_courant;
  PetscFunctionReturn(PETSC_SUCCESS);
}
