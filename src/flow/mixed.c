/*
 * Mixed time: near-body grids implicit (BDF2), the forest explicit in sub-steps of its own.
 *
 *   predict   the forest goes through the step; near-body donors are extrapolated from the present
 *             and the older state
 *   solve     the near-body grids at the end of the step, among the forest as it is then
 *   correct   the forest goes through the step again, with donors interpolated between the states
 *             that the near-body grids have at both ends
 *
 * Donors are read at the time of each stage, linear in time, so the whole is of second order. The
 * forest is passed through twice: with extrapolation alone, what the near-body grids find would
 * reach the forest one step late.
 */
#include "flow/flow_impl.h"
#include "flow/implicit.h"

#include <math.h>

/* Extrapolation may change density and pressure of a cell by these factors. */
static const double least_factor = 0.5, most_factor = 2.0;

static bool believable(const Gas *gas, const double now[], const double then[])
{
  const Conserved a = {now[0], {now[1], now[2], now[3]}, now[4]};
  const Conserved b = {then[0], {then[1], then[2], then[3]}, then[4]};
  if (!(b.rho > least_factor * a.rho && b.rho < most_factor * a.rho)) return false;
  const double p = gas_primitive(gas, a).p, q = gas_primitive(gas, b).p;
  return q > least_factor * p && q < most_factor * p;
}

/* What the near-body grids may be at the end of the step: the present where there is no older
 * state of a cell. */
static void extrapolate(Flow *s, double dt)
{
  const double w = s->dt_old > 0.0 ? dt / s->dt_old : 0.0;
  for (int g = 0; g < s->n_grids; g++) {
    const LocalId n = near_flow_grid(s->grid[g])->n_own;
    for (LocalId c = 0; c < n; c++) {
      const double *now = s->backup[g] + NEAR_VARS * c, *older = s->older[g] + NEAR_VARS * c;
      double *then = s->ahead[g] + NEAR_VARS * c;
      const double part = older[0] > 0.0 ? w : 0.0;
      for (int v = 0; v < NEAR_VARS; v++) then[v] = now[v] + part * (now[v] - older[v]);
      if (believable(&s->gas, now, then)) continue;
      for (int v = 0; v < NEAR_VARS; v++) then[v] = now[v];
    }
  }
}

/* Put the near-body grids at a part of the way from the start of the step to its end. */
static PetscErrorCode place_near(Flow *s, double part)
{
  PetscFunctionBeginUser;
  for (int g = 0; g < s->n_grids; g++) {
    const LocalId n = NEAR_VARS * near_flow_grid(s->grid[g])->n_own;
    double *state = near_flow_state(s->grid[g]);
    for (LocalId i = 0; i < n; i++)
      state[i] = s->backup[g][i] + part * (s->ahead[g][i] - s->backup[g][i]);
  }
  PetscCall(FlowBegin(s));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode keep_as_ahead(Flow *s)
{
  PetscFunctionBeginUser;
  for (int g = 0; g < s->n_grids; g++)
    PetscCall(PetscArraycpy(s->ahead[g], near_flow_state(s->grid[g]),
                            NEAR_VARS * near_flow_grid(s->grid[g])->n_own));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Cells that receive, before stage k at a time t of a step dt. */
static PetscErrorCode fill_at(Flow *s, int k, double t, double dt)
{
  PetscFunctionBeginUser;
  if (s->rows.fill == NULL) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(place_near(s, t / dt));
  PetscCall(FlowFillStage(s, k, t));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Sub-steps of the forest through the step. */
static PetscErrorCode pass_forest(Flow *s, double dt, FlowVerdict *verdict)
{
  PetscFunctionBeginUser;
  const double most_parts = 1e6;
  double t = 0.0;
  bool last = s->off_body == NULL;
  while (!last && verdict->sound) {
    double longest;
    PetscCall(fill_at(s, 0, t, dt));
    PetscCall(OffBodyTimeStep(s->off_body, &longest));
    const double parts = ceil((dt - t) / (s->spec->cfl * longest) - 1e-9);
    verdict->sound = parts <= most_parts;
    last = parts <= 1.0;
    const double part = last ? dt - t : (dt - t) / parts, at[] = {t, t + part, t + 0.5 * part};
    for (int k = 0; k < 3 && verdict->sound; k++) {
      GlobalId bad;
      if (k > 0) PetscCall(fill_at(s, k, at[k], dt));
      PetscCall(OffBodyStage(s->off_body, k, part, &bad));
      verdict->sound = bad == 0;
    }
    t += part;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode FlowAdvanceMixed(Flow *s, double dt, FlowVerdict *verdict)
{
  PetscFunctionBeginUser;
  if (s->rows.fill != NULL) extrapolate(s, dt);
  PetscCall(pass_forest(s, dt, verdict));
  if (s->n_grids == 0 || !verdict->sound) PetscFunctionReturn(PETSC_SUCCESS);
  const bool joined = s->rows.fill != NULL;
  if (joined) PetscCall(place_near(s, 0.0));
  PetscCall(ImplicitStep(s->solver, dt, verdict));
  if (!joined || !verdict->sound) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(keep_as_ahead(s));
  PetscCall(OffBodyRestore(s->off_body));
  PetscCall(pass_forest(s, dt, verdict));
  PetscCall(place_near(s, 1.0));
  PetscCall(FlowFillStage(s, 0, dt));
  PetscFunctionReturn(PETSC_SUCCESS);
}
