/*
 * What happens in a step. The rest of the program serves these lines.
 */
#include "sim/sim.h"

PetscErrorCode SimStep(Sim *sim, StepVerdict *verdict)
{
  PetscFunctionBeginUser;
  const double t_end = sim_time_of(sim, sim->step + 1);
  *verdict = STEP_ACCEPTED;

  PetscCall(BodiesBegin(sim->bodies, t_end));
  clock_lap(&sim->clock, STAGE_BODIES);

  if (sim->contact != NULL) PetscCall(ContactAdvance(sim->contact, sim->bodies, t_end));
  clock_lap(&sim->clock, STAGE_CONTACT);

  bodies_end(sim->bodies);
  sim->step++;
  PetscFunctionReturn(PETSC_SUCCESS);
}
