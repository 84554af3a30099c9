/*
 * What the air does to the walls of a grid, and what there is of it. Sums are exact, so they do not
 * depend on the ranks.
 */
#include "comm/sum.h"
#include "flow/near_flow_impl.h"
#include "grid/cell_state.h"

enum { LOADS = 12 };

static void put(double *at, Vec3 v)
{
  at[0] = v.x, at[1] = v.y, at[2] = v.z;
}

static Vec3 take(const double *at)
{
  return vec3(at[0], at[1], at[2]);
}

/* Loads of one wall face about the origin, in axes of the grid. The moment T of the face's area
 * goes with its pressure, so that an even pressure on a closed body gives none. A face whose cell
 * is left out lies in a closed gap, of which the caller knows more. */
static void face_loads(const NearFlow *s, const NearMotion *motion, LocalId f, bool sticks,
                       double load[LOADS])
{
  const NearArrays *a = &s->arrays;
  const int state = a->state == NULL ? STATE_FIELD : a->state[a->left[f]];
  if (state == STATE_HOLE) {
    for (int k = 0; k < LOADS; k++) load[k] = 0.0;
    return;
  }
  const double *skin = a->skin + NEAR_SKIN * (size_t)(f - a->n_interior);
  const double p = skin[0] - s->spec.stream.p;
  put(load, vec3_scale(p, vec3(a->sx[f], a->sy[f], a->sz[f])));
  put(load + 3, vec3_scale(p, vec3(a->tx[f], a->ty[f], a->tz[f])));
  Vec3 friction = vec3(0, 0, 0);
  if (sticks) friction = mat3_apply_transposed(&motion->r, take(skin + 1));
  put(load + 6, friction);
  put(load + 9, vec3_cross(vec3(a->fx[f], a->fy[f], a->fz[f]), friction));
}

PetscErrorCode NearFlowLoads(NearFlow *s, const NearMotion *motion, NearLoads *loads)
{
  PetscFunctionBeginUser;
  int n = 0;
  double total[LOADS];
  for (int p = 0; p < s->grid->n_patches; p++) {
    const NearPatch *patch = &s->grid->patch[p];
    if (!near_is_wall(s->spec.kind[p])) continue;
    const bool sticks = near_sticks(&s->spec, s->spec.kind[p]);
    for (LocalId f = patch->first_face; f < patch->first_face + patch->n_faces; f++)
      face_loads(s, motion, f, sticks, s->wall_load + LOADS * n++);
  }
  PetscCall(SumExactly(s->grid->comm, n, LOADS, s->wall_load, total));
  loads->pressure_force = mat3_apply(&motion->r, take(total));
  loads->pressure_moment = mat3_apply(&motion->r, take(total + 3));
  loads->friction_force = mat3_apply(&motion->r, take(total + 6));
  loads->friction_moment = mat3_apply(&motion->r, take(total + 9));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode NearWallLoadsCreate(NearFlow *s)
{
  PetscFunctionBeginUser;
  LocalId n = 0;
  for (int p = 0; p < s->grid->n_patches; p++)
    if (near_is_wall(s->spec.kind[p])) n += s->grid->patch[p].n_faces;
  PetscCall(PetscMalloc1(LOADS * n, &s->wall_load));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode NearFlowRange(NearFlow *s, NearRange *range)
{
  PetscFunctionBeginUser;
  const NearArrays *a = &s->arrays;
  double most[4] = {-INFINITY, -INFINITY, -INFINITY, -INFINITY};
  for (LocalId c = 0; c < a->n_own; c++) {
    const double rho = a->cell[NEAR_CELL * c], p = a->cell[NEAR_CELL * c + 4];
    s->weak_number[c] = 0.0;
    if (a->state != NULL && a->state[c] != STATE_FIELD) continue;
    const double now[4] = {-rho, rho, -p, p};
    for (int k = 0; k < 4; k++) most[k] = now[k] > most[k] ? now[k] : most[k];
    s->weak_number[c] = rho * a->volume[c];
  }
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, most, 4, MPI_DOUBLE, MPI_MAX, s->grid->comm));
  *range =
      (NearRange){.rho_min = -most[0], .rho_max = most[1], .p_min = -most[2], .p_max = most[3]};
  PetscCall(SumExactly(s->grid->comm, a->n_own, 1, s->weak_number, &range->mass));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode NearFlowTakePassed(NearFlow *s, double *passed)
{
  PetscFunctionBeginUser;
  const LocalId n = s->arrays.n_faces - s->arrays.n_interior;
  PetscCall(SumExactly(s->grid->comm, n, 1, s->passed, passed));
  PetscCall(PetscArrayzero(s->passed, n));
  PetscFunctionReturn(PETSC_SUCCESS);
}
