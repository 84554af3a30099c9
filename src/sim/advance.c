/*
 * A step in as many parts as it takes: one that fails is repeated with half the time, from the
 * state before it, until the parts are too small to believe in.
 */
#include "sim/air_couple.h"
#include "sim/sim.h"

enum { MOST_HALVINGS = 8 };

/* Contacts that last, which a step that fails may have changed. */
static PetscErrorCode save_contacts(Sim *s)
{
  PetscFunctionBeginUser;
  if (s->air == NULL || s->contact == NULL) PetscFunctionReturn(PETSC_SUCCESS);
  s->n_lasting = contact_record_size(s->contact);
  if (s->n_lasting > s->lasting_room) {
    s->lasting_room = 2 * s->n_lasting;
    PetscCall(PetscFree(s->lasting));
    PetscCall(PetscMalloc1(s->lasting_room, &s->lasting));
  }
  if (s->n_lasting > 0) contact_record_get(s->contact, s->lasting);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SimRewindContacts(Sim *s)
{
  PetscFunctionBeginUser;
  const double now = bodies_time(s->bodies);
  if (s->contact != NULL) PetscCall(ContactRecordSet(s->contact, now, s->n_lasting, s->lasting));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SimAdvance(Sim *s, StepVerdict *verdict)
{
  PetscFunctionBeginUser;
  const double t_end = sim_time_of(s, s->step + 1);
  double part = t_end - bodies_time(s->bodies);
  int halvings = 0;
  *verdict = STEP_ACCEPTED;
  while (bodies_time(s->bodies) < t_end) {
    const double t = bodies_time(s->bodies), rest = t_end - t;
    PetscCall(save_contacts(s));
    if (s->air != NULL) air_begin(s->air);
    PetscCall(SimStep(s, rest <= part * (1.0 + 1e-9) ? t_end : t + part, verdict));
    if (*verdict == STEP_ACCEPTED) {
      s->n_contacts += output_add_contacts(&s->output, s->the_case, s->contact);
      continue;
    }
    PetscCall(SimRewindContacts(s));
    air_go_back(s->air, s->bodies);
    if (++halvings > MOST_HALVINGS) PetscFunctionReturn(PETSC_SUCCESS);
    part *= 0.5;
    PetscCall(PetscPrintf(s->comm, "step %lld, t = %.6g: %s; repeated with half the time, %.3g\n",
                          (long long)s->step + 1, t, s->air->trouble, part));
  }
  s->step++;
  if (s->air != NULL) PetscCall(AirAdapt(s->air, s->bodies, s->step));
  clock_lap(&s->clock, STAGE_ADAPT);
  PetscFunctionReturn(PETSC_SUCCESS);
}
