/*
 * What happens in a step. The rest of the program serves these lines.
 */
#include "sim/air_couple.h"
#include "sim/sim.h"

PetscErrorCode SimStep(Sim *sim, double t_end, StepVerdict *verdict)
{
  PetscFunctionBeginUser;
  const double dt = t_end - bodies_time(sim->bodies);
  bool sound = true, settled = sim->air == NULL;
  *verdict = STEP_ACCEPTED;
  do {
    PetscCall(BodiesBegin(sim->bodies, t_end));
    clock_lap(&sim->clock, STAGE_BODIES);

    if (sim->contact != NULL) PetscCall(ContactAdvance(sim->contact, sim->bodies, t_end));
    clock_lap(&sim->clock, STAGE_CONTACT);
    if (sim->air == NULL) break;

    /* The air sees each body move by one twist from where it is to where it will be. */
    PetscCall(AirAdvance(sim->air, sim->bodies, t_end, &sound));
    clock_lap(&sim->clock, STAGE_FLOW);

    /* Do the bodies feel what the air answers? Loose coupling takes it for the next step. */
    if (sound) PetscCall(AirSettle(sim->air, sim->bodies, t_end, &settled, &sound));
    if (!settled) PetscCall(SimRewindContacts(sim));
  } while (sound && !settled);

  if (!sound) *verdict = STEP_DIVERGED;
  if (*verdict != STEP_ACCEPTED) PetscFunctionReturn(PETSC_SUCCESS);
  bodies_end(sim->bodies);
  if (sim->air != NULL) PetscCall(AirAccept(sim->air, sim->bodies, sim->contact, dt));
  PetscFunctionReturn(PETSC_SUCCESS);
}
