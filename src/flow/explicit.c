/*
 * Explicit time: a step is divided into equal parts as far as can be seen, each one within the
 * Courant number, and all grids take every stage together.
 */
#include "flow/flow_impl.h"

/* Fluxes of what stage k reads, once the cells that receive are filled. */
static PetscErrorCode take_fluxes(Flow *s, int k, double t)
{
  PetscFunctionBeginUser;
  PetscCall(FlowFillStage(s, k, t));
  for (int g = 0; g < s->n_grids; g++) {
    const NearMotion motion = flow_motion_at(s, g, t);
    PetscCall(NearFlowFluxes(s->grid[g], &motion, NEAR_LIMIT_FRESH));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode take_stage(Flow *s, double t, int k, double dt, bool *sound)
{
  PetscFunctionBeginUser;
  for (int g = 0; g < s->n_grids; g++) {
    const NearMotion motion = flow_motion_at(s, g, t);
    GlobalId bad;
    PetscCall(NearFlowStage(s->grid[g], &motion, k, dt, &bad));
    *sound = *sound && bad == 0;
  }
  if (s->off_body != NULL) {
    GlobalId bad;
    PetscCall(OffBodyStage(s->off_body, k, dt, &bad));
    *sound = *sound && bad == 0;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The next part of what is left of the step, from the fluxes at its start. */
static PetscErrorCode choose_part(Flow *s, double left, double *part, bool *last, bool *sound)
{
  PetscFunctionBeginUser;
  const double most_parts = 1e6;
  double longest = INFINITY;
  for (int g = 0; g < s->n_grids; g++) {
    double dt;
    PetscCall(NearFlowTimeStep(s->grid[g], &dt));
    longest = dt < longest ? dt : longest;
  }
  if (s->off_body != NULL) {
    double dt;
    PetscCall(OffBodyTimeStep(s->off_body, &dt));
    longest = dt < longest ? dt : longest;
  }
  const double parts = ceil(left / (s->spec->cfl * longest) - 1e-9);
  *sound = parts <= most_parts;
  *last = parts <= 1.0;
  *part = *last ? left : left / parts;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode FlowAdvanceExplicit(Flow *s, double dt, FlowVerdict *verdict)
{
  PetscFunctionBeginUser;
  double t = 0.0, part = 0.0;
  bool last = false;
  while (!last && verdict->sound) {
    PetscCall(take_fluxes(s, 0, t));
    PetscCall(choose_part(s, dt - t, &part, &last, &verdict->sound));
    const double at[] = {t, t + part, t + 0.5 * part};
    for (int k = 0; k < 3 && verdict->sound; k++) {
      if (k > 0) PetscCall(take_fluxes(s, k, at[k]));
      PetscCall(take_stage(s, at[k], k, part, &verdict->sound));
    }
    t += part;
    verdict->inner++;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}
