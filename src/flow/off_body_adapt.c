/*
 * The forest follows bodies and flow, and the state goes with it.
 */
#include "flow/off_body_impl.h"
#include "flow/patch_regrid_kernels.h"

#include <math.h>
#include <string.h>

/* Below this share of the threshold a sensor no longer asks for the level it has: between the two
 * nothing changes, so that patches do not come and go. */
static const double hysteresis = 0.25;

/* The wish of a patch by itself; bits of `near` tell which neighbours it concerns. */
static int8_t sense_patch(OffBody *s, LocalId c, double ahead, int *near)
{
  const AdaptSpec *adapt = &s->spec->adapt;
  const double *u = s->buffer[0] + (size_t)c * s->state;
  const double h = forest_spacing(s->forest, forest_places(s->forest)[c].level);
  *near = 0;
  if (s->activity[c] == PATCH_NONE) return -1;
  const double speed = patch_survey(s->n, s->gas.gamma, u, off_body_states_of(s, c)).speed / 3.0;
  const double reach = ceil(2.0 * speed * ahead / h);
  const PatchSensor sensor = {adapt->sensor, adapt->threshold,
                              1 + (reach < s->n ? (int)reach : s->n)};
  patch_take_core(&s->block, s->gas.gamma, u);
  const double most =
      patch_sense(&s->block, &sensor, s->gas.gamma, off_body_states_of(s, c), s->work, near);
  return most > sensor.threshold ? 1 : most < hysteresis * sensor.threshold ? -1 : 0;
}

/* What the neighbours see coming: refine in time for what they hold near the common side. */
static PetscErrorCode SpreadWishes(OffBody *s, const int near[], int8_t wish[])
{
  PetscFunctionBeginUser;
  const LocalId n = forest_n(s->forest);
  int(*across)[SIDES] = NULL;
  PetscCall(PetscMalloc1(n, &across));
  PetscCall(ForestShare(s->forest, near, across));
  for (LocalId c = 0; c < n; c++)
    for (int side = 0; side < SIDES; side++) {
      if ((across[c][side] >> (side ^ 1) & 1) == 0) continue;
      const bool coarse = forest_links(s->forest)[c][side].kind == LINK_COARSE;
      const int8_t least = coarse ? 0 : 1;
      if (wish[c] < least) wish[c] = least;
    }
  PetscCall(PetscFree(across));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Make patch c of the plan out of what there was. */
static void make_patch(OffBody *s, const PatchSource *source, const double *u, double *out)
{
  const double *from = u + (size_t)source->from * s->state;
  if (source->kind == SOURCE_COPY) memcpy(out, from, s->state * sizeof(double));
  if (source->kind == SOURCE_REFINE) patch_refine(s->n, source->child, from, s->work, out);
  for (int k = 0; k < 8 && source->kind == SOURCE_COARSEN; k++)
    patch_coarsen(s->n, k, from + (size_t)k * s->state, out);
}

/* Bring the state, and in implicit time the older one, from the old forest to the new one. */
static PetscErrorCode CarryOver(OffBody *s, ForestChange *change)
{
  PetscFunctionBeginUser;
  const int level[] = {0, OFF_BODY_OLDER}, n_levels = s->implicit ? 2 : 1;
  double *made[2] = {NULL, NULL}, counter[4];
  /* New cells are interpolated from wide stencils, which may reach into holes. */
  for (int k = 0; k < n_levels; k++) {
    if (s->cell_state != NULL) PetscCall(OffBodyExtend(s, level[k]));
    PetscCall(PetscMalloc1((size_t)change->n * s->state, &made[k]));
    for (LocalId c = 0; c < change->n; c++)
      make_patch(s, &change->source[c], s->buffer[level[k]], made[k] + (size_t)c * s->state);
  }
  PetscCall(OffBodyCounters(s, counter));
  s->passed_before = counter[0];
  PetscCall(ForestPartition(s->forest, NULL, change));
  PetscCall(OffBodyRebuild(s));
  for (int k = 0; k < n_levels; k++) {
    const size_t bytes = s->state * sizeof(double);
    PetscCall(ForestCarry(s->forest, change, bytes, made[k], s->buffer[level[k]]));
    PetscCall(PetscFree(made[k]));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode OffBodyAdapt(OffBody *s, double ahead, int n_balls, const ForestBall ball[],
                            bool *changed)
{
  PetscFunctionBeginUser;
  const LocalId n = forest_n(s->forest);
  int8_t *wish = NULL;
  int *near = NULL;
  ForestChange change;
  if (s->spec->adapt.given) {
    PetscCall(PetscMalloc2(n, &wish, n, &near));
    for (LocalId c = 0; c < n; c++) wish[c] = sense_patch(s, c, ahead, &near[c]);
    PetscCall(SpreadWishes(s, near, wish));
  }
  PetscCall(ForestAdapt(s->forest, wish, n_balls, ball, &change));
  PetscCall(PetscFree2(wish, near));
  *changed = change.changed;
  if (change.changed) PetscCall(CarryOver(s, &change));
  PetscCall(ForestChangeDestroy(&change));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void fill_patch(OffBody *s, LocalId c, const Initial *initial)
{
  const PatchPlace place = forest_places(s->forest)[c];
  const Vec3 lo = forest_corner(s->forest, place);
  const double h = forest_spacing(s->forest, place.level);
  double *u = s->buffer[0] + (size_t)c * s->state;
  for (int i = 0; i < (int)s->cells; i++) {
    const int x = i % s->n, y = i / s->n % s->n, z = i / (s->n * s->n);
    const Vec3 at = vec3(lo.x + (x + 0.5) * h, lo.y + (y + 0.5) * h, lo.z + (z + 0.5) * h);
    const Conserved v = gas_conserved(&s->gas, initial_at(initial, at));
    const double value[PATCH_VARIABLES] = {v.rho, v.m.x, v.m.y, v.m.z, v.e};
    for (int k = 0; k < PATCH_VARIABLES; k++) u[(size_t)k * s->cells + i] = value[k];
  }
}

PetscErrorCode OffBodyFill(OffBody *s, const Initial *initial, int n_balls, const ForestBall ball[])
{
  PetscFunctionBeginUser;
  bool changed = true;
  for (int round = 0; round <= s->spec->levels && changed; round++) {
    for (LocalId c = 0; c < forest_n(s->forest); c++) fill_patch(s, c, initial);
    changed = false;
    if (s->spec->adapt.given || n_balls > 0)
      PetscCall(OffBodyAdapt(s, 0.0, n_balls, ball, &changed));
  }
  /* There is no older state yet; what stands in for it must be sound. */
  if (s->implicit)
    PetscCall(PetscArraycpy(s->buffer[OFF_BODY_OLDER], s->buffer[0],
                            (size_t)forest_n(s->forest) * s->state));
  PetscFunctionReturn(PETSC_SUCCESS);
}
