/*
 * The forest in implicit time. Buffers that explicit stages need hold other things here: the older
 * state, the state about which the preconditioner is linear, and rates.
 */
#include "flow/off_body_implicit.h"

#include "flow/off_body_impl.h"
#include "flow/patch_sgs_kernels.h"

LocalId off_body_n_cells(const OffBody *s)
{
  return forest_n(s->forest) * (LocalId)s->cells;
}

/* From the patch's order of variables to the solver's, and back. */
static void to_unknowns(size_t cells, const double *restrict u, double *restrict x)
{
  for (size_t c = 0; c < cells; c++)
    for (size_t v = 0; v < PATCH_VARIABLES; v++) x[PATCH_VARIABLES * c + v] = u[v * cells + c];
}

static void from_unknowns(size_t cells, const double *restrict x, double *restrict u)
{
  for (size_t c = 0; c < cells; c++)
    for (size_t v = 0; v < PATCH_VARIABLES; v++) u[v * cells + c] = x[PATCH_VARIABLES * c + v];
}

void off_body_collect(const OffBody *s, double x[])
{
  for (size_t p = 0; p < (size_t)forest_n(s->forest); p++)
    to_unknowns(s->cells, s->buffer[0] + p * s->state, x + p * s->state);
}

PetscErrorCode OffBodySpread(OffBody *s, const double x[], GlobalId *bad)
{
  PetscFunctionBeginUser;
  for (size_t p = 0; p < (size_t)forest_n(s->forest); p++)
    from_unknowns(s->cells, x + p * s->state, s->buffer[0] + p * s->state);
  *bad = off_body_count_unsound(s, s->buffer[0]);
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, bad, 1, MPIU_INT64, MPI_SUM, s->comm));
  PetscFunctionReturn(PETSC_SUCCESS);
}

double *off_body_older(OffBody *s)
{
  return s->buffer[OFF_BODY_OLDER];
}

void off_body_age(OffBody *s)
{
  double *swap = s->buffer[OFF_BODY_OLDER];
  s->buffer[OFF_BODY_OLDER] = s->buffer[OFF_BODY_KEPT];
  s->buffer[OFF_BODY_KEPT] = swap;
}

void off_body_known(OffBody *s, double now, double older, double a0, double known[])
{
  for (size_t p = 0; p < (size_t)forest_n(s->forest); p++) {
    const uint8_t *state = off_body_states_of(s, (LocalId)p);
    const double *u = s->buffer[0] + p * s->state, *w = s->buffer[OFF_BODY_OLDER] + p * s->state;
    double *k = known + p * s->state;
    for (size_t i = 0; i < s->state; i++) {
      const size_t c = i % s->cells, to = PATCH_VARIABLES * c + i / s->cells;
      const bool field = state == NULL || state[c] == STATE_FIELD;
      k[to] = field ? now * u[i] + older * w[i] : -a0 * u[i];
    }
  }
}

void off_body_volumes(const OffBody *s, double volume[])
{
  for (size_t p = 0; p < (size_t)forest_n(s->forest); p++) {
    const double h = forest_spacing(s->forest, forest_places(s->forest)[p].level);
    for (size_t c = 0; c < s->cells; c++) volume[p * s->cells + c] = h * h * h;
  }
}

void off_body_local_steps(const OffBody *s, double step[])
{
  for (size_t p = 0; p < (size_t)forest_n(s->forest); p++) {
    const double f = s->activity[p] == PATCH_NONE ? 1.0 : off_body_frequency(s, (LocalId)p);
    for (size_t c = 0; c < s->cells; c++) step[p * s->cells + c] = 1.0 / f;
  }
}

PetscErrorCode OffBodyRates(OffBody *s, PatchHold hold, double rate[])
{
  PetscFunctionBeginUser;
  double *u = s->buffer[OFF_BODY_RATES];
  PetscCall(OffBodyRate(s, hold, u, NULL));
  for (size_t p = 0; p < (size_t)forest_n(s->forest); p++)
    to_unknowns(s->cells, u + p * s->state, rate + p * s->state);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode OffBodyPassing(OffBody *s, double *passing)
{
  PetscFunctionBeginUser;
  PetscCall(OffBodyRate(s, PATCH_HELD, s->buffer[OFF_BODY_RATES], passing));
  PetscFunctionReturn(PETSC_SUCCESS);
}

void off_body_linearise(OffBody *s)
{
  for (size_t p = 0; p < (size_t)forest_n(s->forest); p++)
    patch_linearise(s->n, s->gas.gamma, s->buffer[0] + p * s->state,
                    s->buffer[OFF_BODY_LINEAR] + p * s->state);
}

void off_body_precondition(const OffBody *s, const double a0[], const double r[], double x[])
{
  const double nu = s->viscous ? s->gas.viscosity * s->gas.gamma / s->gas.prandtl : 0.0;
  for (size_t p = 0; p < (size_t)forest_n(s->forest); p++) {
    const double h = forest_spacing(s->forest, forest_places(s->forest)[p].level);
    const SgsPatch patch = {s->n, s->gas.gamma, h, 2.0 * nu / h};
    patch_sgs(&patch, off_body_states_of(s, (LocalId)p), s->buffer[OFF_BODY_LINEAR] + p * s->state,
              a0 + p * s->cells, r + p * s->state, x + p * s->state);
  }
}
