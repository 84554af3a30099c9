/*
 * What happens in a step. The rest of the program serves these lines.
 */
#include "sim/sim.h"

PetscErrorCode SimStep(Sim *sim, double t_end, StepVerdict *verdict)
{
  PetscFunctionBeginUser;
  *verdict = STEP_ACCEPTED;

  PetscCall(BodiesBegin(sim->bodies, t_end));
  clock_lap(&sim->clock, STAGE_BODIES);

  if (sim->contact != NULL) PetscCall(ContactAdvance(sim->contact, sim->bodies, t_end));
  clock_lap(&sim->clock, STAGE_CONTACT);

  /* The air sees each body move by one twist from where it is to where it will be. */
  bool sound = true;
  if (sim->air != NULL) PetscCall(AirAdvance(sim->air, sim->bodies, t_end, &sound));
  clock_lap(&sim->clock, STAGE_FLOW);
  if (!sound) *verdict = STEP_DIVERGED;
  if (*verdict != STEP_ACCEPTED) PetscFunctionReturn(PETSC_SUCCESS);

  bodies_end(sim->bodies);
  if (sim->air != NULL) PetscCall(AirLoad(sim->air, sim->bodies));
  clock_lap(&sim->clock, STAGE_FLOW);
  PetscFunctionReturn(PETSC_SUCCESS);
}
