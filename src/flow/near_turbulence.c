/*
 * The turbulence model on a near-body grid: the order of its work beside that of the gas. Its
 * conserved values stand behind those of the gas in each of the flow's states.
 */
#include "flow/near_flow_impl.h"

#include "comm/sum.h"
#include "grid/cell_state.h"
#include "grid/wall_distance.h"

static PetscErrorCode find_distance(NearFlow *s)
{
  PetscFunctionBeginUser;
  const NearGrid *g = s->grid;
  bool *is_wall;
  PetscCall(PetscMalloc1(g->n_patches + 1, &is_wall));
  for (int p = 0; p < g->n_patches; p++) is_wall[p] = s->spec.kind[p] == BOUNDARY_WALL;
  PetscCall(WallDistanceFind(g, is_wall, s->own_distance));
  PetscCall(PetscArraycpy(s->sa->distance, s->own_distance, g->n_local));
  PetscCall(PetscFree(is_wall));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode NearTurbulenceCreate(NearFlow *s)
{
  PetscFunctionBeginUser;
  if (s->spec.turbulence == NULL) PetscFunctionReturn(PETSC_SUCCESS);
  const size_t n = (size_t)s->grid->n_local, own = (size_t)s->grid->n_own;
  NearSa *sa;
  PetscCall(PetscNew(&s->sa));
  sa = s->sa;
  sa->spec = *s->spec.turbulence;
  sa->far = sa_far(&s->spec.gas, &s->spec.stream);
  PetscCall(
      PetscCalloc4(n, &sa->nu_tilde, n, &sa->eddy, SA_SLOPE * n, &sa->slope, own, &sa->source));
  PetscCall(
      PetscCalloc3((size_t)s->grid->n_faces, &sa->flux, n, &sa->distance, n, &s->own_distance));
  s->arrays.eddy = sa->eddy;
  s->memory += sizeof(double) * ((SA_SLOPE + 4) * n + own + (size_t)s->grid->n_faces);
  PetscCall(find_distance(s));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode NearTurbulenceDestroy(NearFlow *s)
{
  PetscFunctionBeginUser;
  if (s->sa == NULL) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscFree4(s->sa->nu_tilde, s->sa->eddy, s->sa->slope, s->sa->source));
  PetscCall(PetscFree3(s->sa->flux, s->sa->distance, s->own_distance));
  PetscCall(PetscFree(s->sa->limit));
  PetscCall(PetscFree(s->sa));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode NearTurbulenceShare(NearFlow *s)
{
  PetscFunctionBeginUser;
  if (s->sa == NULL) PetscFunctionReturn(PETSC_SUCCESS);
  double *const field[] = {s->sa->nu_tilde};
  PetscCall(ExchangeUpdate(s->grid->halo, 1, 1, field));
  near_sa_eddy(&s->arrays, &s->spec.gas, s->sa, 0, s->grid->n_local);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode NearTurbulenceFluxes(NearFlow *s, const NearMotion *motion, NearLimit limit)
{
  PetscFunctionBeginUser;
  NearSa *sa = s->sa;
  const NearArrays *a = &s->arrays;
  const Gas *gas = &s->spec.gas;
  if (sa == NULL) PetscFunctionReturn(PETSC_SUCCESS);
  near_sa_slopes(a, sa, limit);
  double *const field[] = {sa->slope, sa->slope + 1, sa->slope + 2, sa->slope + SA_LIMIT};
  PetscCall(ExchangeUpdate(s->grid->halo, SA_SLOPE, SA_SLOPE, field));
  near_sa_flux(a, gas, sa, 0, a->n_interior);
  for (int p = 0; p < s->grid->n_patches; p++) {
    const LocalId first = s->grid->patch[p].first_face, end = first + s->grid->patch[p].n_faces;
    if (near_sticks(&s->spec, s->spec.kind[p]))
      near_sa_wall_flux(a, gas, sa, s->spec.wall_temperature, first, end);
    else
      near_sa_open_flux(a, sa, near_beyond_of(s->spec.kind[p]), first, end);
  }
  near_sa_source(a, gas, motion, sa);
  PetscFunctionReturn(PETSC_SUCCESS);
}

double *near_turbulence_of(const NearFlow *s, double *state)
{
  return s->sa == NULL ? NULL : state + NEAR_VARS * (size_t)s->grid->n_own;
}

void near_turbulence_take(NearFlow *s, double *state)
{
  if (s->sa != NULL) near_sa_take(&s->arrays, s->sa, near_turbulence_of(s, state));
}

/* The stage that near_stage has done for the gas. */
void near_turbulence_stage(NearFlow *s, NearStage stage, double *in, double *out)
{
  const NearArrays *a = &s->arrays;
  if (s->sa == NULL) return;
  const double *was = near_turbulence_of(s, s->start), *now = near_turbulence_of(s, in);
  double *next = near_turbulence_of(s, out);
  for (LocalId c = 0; c < a->n_own; c++) {
    const bool computed = a->state == NULL || a->state[c] == STATE_FIELD;
    const double then = now[c] + stage.dt * near_sa_rate(a, s->sa, c);
    next[c] = computed ? stage.a * was[c] + stage.b * then : now[c];
  }
  near_turbulence_take(s, out);
}

void near_turbulence_take_fringe(NearFlow *s, LocalId c, double *state)
{
  if (s->sa == NULL) return;
  const double rho = s->arrays.cell[NEAR_CELL * (size_t)c];
  double *u = near_turbulence_of(s, state) + c;
  *u = rho * s->sa->nu_tilde[c];
  s->sa->nu_tilde[c] = *u / rho;
}

int near_flow_variables(const NearFlow *s)
{
  return NEAR_VARS + (s->sa != NULL);
}

double *near_flow_turbulence(NearFlow *s)
{
  return near_turbulence_of(s, s->start);
}

const NearSa *near_flow_sa(const NearFlow *s)
{
  return s->sa;
}

double *near_flow_wall_distance(NearFlow *s)
{
  return s->sa == NULL ? NULL : s->sa->distance;
}

const double *near_flow_own_distance(const NearFlow *s)
{
  return s->own_distance;
}

/* How high the centre of the cell behind a wall's face stands above it. */
static double first_height(const NearFlow *s, LocalId f)
{
  const NearArrays *a = &s->arrays;
  const double *w = a->cell + NEAR_CELL * (size_t)a->left[f];
  const Vec3 area = vec3(a->sx[f], a->sy[f], a->sz[f]);
  const Vec3 d = vec3(a->fx[f] - w[NEAR_X], a->fy[f] - w[NEAR_X + 1], a->fz[f] - w[NEAR_X + 2]);
  return fabs(vec3_dot(d, area)) / vec3_norm(area);
}

PetscErrorCode NearFlowWallExtent(NearFlow *s, double *height, double *extent)
{
  PetscFunctionBeginUser;
  const NearArrays *a = &s->arrays;
  double most[7] = {0.0};
  for (int k = 1; k < 7; k++) most[k] = -HUGE_VAL;
  for (int p = 0; p < s->grid->n_patches; p++) {
    const NearPatch *patch = &s->grid->patch[p];
    if (!near_sticks(&s->spec, s->spec.kind[p])) continue;
    for (LocalId f = patch->first_face; f < patch->first_face + patch->n_faces; f++) {
      const double here[7] = {first_height(s, f), a->fx[f],  a->fy[f], a->fz[f],
                              -a->fx[f],          -a->fy[f], -a->fz[f]};
      for (int k = 0; k < 7; k++) most[k] = here[k] > most[k] ? here[k] : most[k];
    }
  }
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, most, 7, MPI_DOUBLE, MPI_MAX, s->grid->comm));
  *height = most[0];
  *extent = 0.0;
  for (int k = 1; k < 4; k++)
    *extent = most[k] + most[k + 3] > *extent ? most[k] + most[k + 3] : *extent;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The height of a first cell's centre times u_tau / nu. */
static double wall_units(const NearFlow *s, LocalId f)
{
  const NearArrays *a = &s->arrays;
  const double *w = a->cell + NEAR_CELL * (size_t)a->left[f];
  const double *skin = a->skin + NEAR_SKIN * (size_t)(f - a->n_interior);
  const double size = vec3_norm(vec3(a->sx[f], a->sy[f], a->sz[f]));
  const double own = s->spec.gas.gamma * w[4] / w[0];
  const double t = isnan(s->spec.wall_temperature) ? own : s->spec.wall_temperature;
  const double mu = gas_viscosity(&s->spec.gas, t), rho = s->spec.gas.gamma * w[4] / t;
  const double stress = vec3_norm(vec3(skin[1], skin[2], skin[3])) / size;
  return sqrt(stress * rho) * first_height(s, f) / mu;
}

PetscErrorCode NearFlowWallUnits(NearFlow *s, NearWallUnits *units)
{
  PetscFunctionBeginUser;
  double most[2] = {-HUGE_VAL, -HUGE_VAL}, sum[2];
  LocalId n = 0;
  for (int p = 0; p < s->grid->n_patches; p++) {
    const NearPatch *patch = &s->grid->patch[p];
    if (!near_sticks(&s->spec, s->spec.kind[p])) continue;
    for (LocalId f = patch->first_face; f < patch->first_face + patch->n_faces; f++) {
      const double y = wall_units(s, f);
      const double size = vec3_norm(vec3(s->grid->sx[f], s->grid->sy[f], s->grid->sz[f]));
      most[0] = -y > most[0] ? -y : most[0];
      most[1] = y > most[1] ? y : most[1];
      s->wall_load[2 * n] = size * y;
      s->wall_load[2 * n++ + 1] = size;
    }
  }
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, most, 2, MPI_DOUBLE, MPI_MAX, s->grid->comm));
  PetscCall(SumExactly(s->grid->comm, n, 2, s->wall_load, sum));
  const bool some = sum[1] > 0.0;
  *units =
      some ? (NearWallUnits){-most[0], sum[0] / sum[1], most[1]} : (NearWallUnits){NAN, NAN, NAN};
  PetscFunctionReturn(PETSC_SUCCESS);
}
