/*
 * One stage of a step: borders are packed and sent, patches that need nothing from other ranks go
 * first, then the others; where levels meet, the coarse side takes over the fluxes of the fine one.
 */
#include "flow/off_body_impl.h"
#include "flow/patch_sponge_kernels.h"

#include "comm/sum.h"

#include <string.h>

/* Pack what a neighbour on another rank or level needs of a patch. */
static void pack_ghosts(OffBody *s, const BorderJob *job, const double *u)
{
  const double *from = u + (size_t)job->patch * s->state, gamma = s->gas.gamma;
  const int n = s->n, reach = n < BORDER_REACH ? n : BORDER_REACH;
  switch (job->kind) {
  case LINK_SAME:
    slab_take(n, gamma, job->side, PATCH_GHOST, from, job->to);
    break;
  case LINK_FINE:
    slab_take(n, gamma, job->side, PATCH_GHOST, from, s->slab);
    border_to_fine(n, job->part, s->slab, s->work, job->to);
    break;
  default:
    slab_take(n, gamma, job->side, reach, from, s->slab);
    border_to_coarse(n, s->slab, s->work, job->to);
  }
}

/* What is beyond a side of the domain. */
static void fill_outside(OffBody *s, int side, const double *own)
{
  const double gamma = s->gas.gamma;
  slab_take(s->n, gamma, side, PATCH_GHOST, own, s->slab);
  switch (s->spec->boundaries[side]) {
  case BOUNDARY_SYMMETRY:
  case BOUNDARY_SLIP:
    border_mirror(s->n, side, s->slab, s->border);
    break;
  case BOUNDARY_OUT:
    border_repeat(s->n, s->slab, s->border);
    break;
  case BOUNDARY_SUPERSONIC_IN:
    border_set(s->n, s->stream, s->border);
    break;
  default:
    border_farfield(s->n, gamma, side, s->stream, s->slab, s->border);
  }
}

/* Gather what is next to one side of a patch into the block. */
static void gather_side(OffBody *s, LocalId c, int side, const double *u)
{
  const Link *link = &forest_links(s->forest)[c][side];
  const BorderTable *table = &s->borders->ghosts;
  const double *own = u + (size_t)c * s->state, gamma = s->gas.gamma;
  if (link->kind == LINK_SAME && link->other[0].ghost < 0) {
    patch_take_neighbour(&s->block, gamma, side, u + (size_t)link->other[0].local * s->state);
    return;
  }
  if (link->kind == LINK_SAME) {
    patch_take_border(&s->block, gamma, side, border_slot(table, c, side, 0));
    return;
  }
  if (link->kind == LINK_COARSE) {
    slab_take(s->n, gamma, side, 2, own, s->slab);
    border_from_coarse(s->n, border_slot(table, c, side, 0), s->slab, s->border);
  } else if (link->kind == LINK_FINE) {
    const double *quarter[4];
    for (int k = 0; k < 4; k++) quarter[k] = border_slot(table, c, side, k);
    border_from_fine(s->n, quarter, s->border);
  } else {
    fill_outside(s, side, own);
  }
  patch_take_border(&s->block, gamma, side, s->border);
}

/* Where the flux through each side is wanted: levels meet there, or the domain ends. */
static void want_fluxes(OffBody *s, LocalId c, double *face[SIDES])
{
  for (int side = 0; side < SIDES; side++) {
    const size_t own = s->own_flux_at[(size_t)c * SIDES + side];
    const LinkKind kind = forest_links(s->forest)[c][side].kind;
    face[side] = own != SIZE_MAX ? s->own_flux + own : kind == LINK_SAME ? NULL : s->face[side];
  }
}

/* Where the fluxes through a side go that a coarser neighbour wants. */
static double *flux_place(const OffBody *s, LocalId c, int side)
{
  return s->borders->fluxes.job[s->flux_job[(size_t)c * SIDES + side]].to;
}

/* A patch that is not computed has no fluxes to give. */
static void deliver_nothing(OffBody *s, LocalId c)
{
  for (int side = 0; side < SIDES; side++)
    if (forest_links(s->forest)[c][side].kind == LINK_COARSE)
      flux_quarter_none(s->n, flux_place(s, c, side));
}

/* Hand fluxes on to coarser neighbours, and note the mass that leaves the domain. */
static void deliver_fluxes(OffBody *s, LocalId c, double *const face[SIDES], double mass_factor,
                           double passed[])
{
  for (int side = 0; side < SIDES; side++) {
    const LinkKind kind = forest_links(s->forest)[c][side].kind;
    if (kind == LINK_COARSE) flux_quarter(s->n, face[side], flux_place(s, c, side));
    if (kind != LINK_OUTSIDE) continue;
    double sum = 0.0;
    for (int f = 0; f < s->n * s->n; f++) sum += face[side][f];
    passed[c] += (side % 2 ? mass_factor : -mass_factor) * sum;
  }
}

/* Cells that others fill keep what they have. */
static void keep_others(const OffBody *s, LocalId c, const double *restrict u, double *restrict out)
{
  const uint8_t *state = s->cell_state + (size_t)c * s->cells;
  for (size_t i = 0; i < s->state; i++)
    if (state[i % s->cells] != STATE_FIELD) out[i] = u[i];
}

/* Rates of cells that others fill are none of ours. */
static void rest_others(const OffBody *s, LocalId c, double *restrict rate)
{
  const uint8_t *state = s->cell_state + (size_t)c * s->cells;
  for (size_t i = 0; i < s->state; i++)
    if (state[i % s->cells] != STATE_FIELD) rate[i] = 0.0;
}

/* The sponge takes this part of the domain before a side; what moves with the speed of sound is
 * divided by e^2 on its way through. */
static const double sponge_share = 0.2, sponge_strength = 6.0;

/* A stage, out = (1 - b) start + b (in + dt rate), or with b = 0 the rate alone, out = rate. */
typedef struct {
  double b, dt;
  double share;   /* of the step's fluxes that those of this stage are */
  double *passed; /* where the mass that leaves each patch is counted */
  const double *start, *in;
  double *out;
  PatchHold hold;
} StagePlan;

/* How fast gas is led back to the free stream at a distance from a side. */
static double sponge_rate(double distance, double width)
{
  const double depth = 1.0 - distance / width;
  return depth > 0.0 ? sponge_strength / width * depth * depth : 0.0;
}

/* Waves come back where the stream leaves through a farfield side slower than sound. */
static bool has_sponge(const OffBody *s, int side)
{
  const double out = side % 2 ? s->stream[1 + side / 2] : -s->stream[1 + side / 2];
  const double c2 = s->gas.gamma * s->stream[4] / s->stream[0];
  return s->spec->boundaries[side] == BOUNDARY_FARFIELD && out > 0.0 && out * out < c2;
}

/* What the sponge does in a patch; is there any? */
static bool find_sponge(const OffBody *s, LocalId c, double h, PatchSponge *sponge)
{
  const Box box = forest_domain_of(s->forest)->box;
  const Vec3 corner = forest_corner(s->forest, forest_places(s->forest)[c]);
  double most = 0.0;
  for (int d = 0; d < 3; d++) {
    const double lo = vec3_at(box.lo, d), hi = vec3_at(box.hi, d);
    const double width = sponge_share * (hi - lo);
    const bool below = has_sponge(s, 2 * d), above = has_sponge(s, 2 * d + 1);
    for (int i = 0; i < s->n; i++) {
      const double x = vec3_at(corner, d) + (i + 0.5) * h;
      const double rate =
          (below ? sponge_rate(x - lo, width) : 0.0) + (above ? sponge_rate(hi - x, width) : 0.0);
      sponge->rate[d][i] = rate;
      most = rate > most ? rate : most;
    }
  }
  return most > 0.0;
}

/* Lead gas that is about to leave back to the free stream, so that it leaves no waves behind. */
static void absorb_patch(OffBody *s, LocalId c, double h, const StagePlan *plan)
{
  PatchSponge sponge;
  const size_t at = (size_t)c * s->state;
  const double factor = plan->b == 0.0 ? 1.0 : plan->b * plan->dt;
  if (!find_sponge(s, c, h, &sponge)) return;
  const double lost = patch_absorb(s->n, &sponge, factor, s->far, off_body_states_of(s, c),
                                   plan->in + at, plan->out + at);
  plan->passed[c] += plan->share / factor * h * h * h * lost;
}

static void finish_patch(OffBody *s, LocalId c, double h, const StagePlan *plan)
{
  const size_t at = (size_t)c * s->state;
  const bool some = s->activity[c] == PATCH_SOME;
  if (plan->b == 0.0) {
    patch_rate(&s->block, h, plan->out + at);
    if (some) rest_others(s, c, plan->out + at);
    return;
  }
  patch_update(&s->block, plan->b, plan->dt / h, plan->start + at, plan->in + at, plan->out + at);
  if (some) keep_others(s, c, plan->in + at, plan->out + at);
}

static void skip_patch(OffBody *s, LocalId c, const StagePlan *plan)
{
  const size_t at = (size_t)c * s->state, bytes = s->state * sizeof(double);
  if (plan->b == 0.0)
    memset(plan->out + at, 0, bytes);
  else
    memcpy(plan->out + at, plan->in + at, bytes);
  deliver_nothing(s, c);
}

static void advance_patch(OffBody *s, LocalId c, const StagePlan *plan)
{
  const double h = forest_spacing(s->forest, forest_places(s->forest)[c].level);
  const PatchScheme scheme = {.order = s->spec->order,
                              .gamma = s->gas.gamma,
                              .smooth = PATCH_SMOOTH,
                              .time_ratio = plan->dt / h,
                              .hold = plan->hold,
                              .rough = plan->hold == PATCH_FRESH ? NULL : s->rough + c * s->roughs};
  double *face[SIDES];
  if (s->activity[c] == PATCH_NONE) {
    skip_patch(s, c, plan);
    return;
  }
  patch_take_core(&s->block, s->gas.gamma, plan->in + (size_t)c * s->state);
  for (int side = 0; side < SIDES; side++) gather_side(s, c, side, plan->in);
  want_fluxes(s, c, face);
  const PatchCounts counts = patch_rhs(&s->block, &scheme, face);
  if (s->viscous) {
    const PatchFriction friction = off_body_friction(s, h);
    patch_add_friction(&s->block, &friction, face);
  }
  deliver_fluxes(s, c, face, plan->share * h * h, plan->passed);
  finish_patch(s, c, h, plan);
  absorb_patch(s, c, h, plan);
  s->counts.rough += counts.rough;
  s->counts.fallback += counts.fallback;
  s->patch_stages++;
}

/* Let coarse cells lose exactly what their finer neighbours gain. */
static PetscErrorCode MatchFluxes(OffBody *s, const StagePlan *plan)
{
  PetscFunctionBeginUser;
  const BorderTable *table = &s->borders->fluxes;
  PetscCall(ParcelsBegin(table->parcels));
  PetscCall(ParcelsEnd(table->parcels));
  for (LocalId c = 0; c < forest_n(s->forest); c++) {
    const double h = forest_spacing(s->forest, forest_places(s->forest)[c].level);
    for (int side = 0; side < SIDES; side++) {
      const size_t own = s->own_flux_at[(size_t)c * SIDES + side];
      if (own == SIZE_MAX || s->activity[c] == PATCH_NONE) continue;
      const double *quarter[4];
      for (int k = 0; k < 4; k++) quarter[k] = border_slot(table, c, side, k);
      const double factor = plan->b == 0.0 ? 1.0 / h : plan->b * plan->dt / h;
      flux_match(s->n, side, factor, s->own_flux + own, quarter, off_body_states_of(s, c),
                 plan->out + (size_t)c * s->state);
    }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

int off_body_count_unsound(const OffBody *s, const double *u)
{
  int bad = 0;
  for (LocalId c = 0; c < forest_n(s->forest); c++) {
    if (s->activity[c] == PATCH_NONE) continue;
    bad += patch_unsound(s->n, u + (size_t)c * s->state, off_body_states_of(s, c));
  }
  return bad;
}

/* Stage 0 reads the start and writes buffer 1, which stage 1 reads; stage 2 writes it again. */
static StagePlan plan_of(const OffBody *s, int k, double dt)
{
  static const double b[] = {1.0, 0.25, 2.0 / 3.0};
  static const double share[] = {1.0 / 6.0, 1.0 / 6.0, 2.0 / 3.0};
  return (StagePlan){.b = b[k],
                     .dt = dt,
                     .share = share[k] * dt,
                     .passed = s->passed,
                     .start = s->buffer[0],
                     .in = s->buffer[k],
                     .out = s->buffer[k == 1 ? 2 : 1]};
}

double *off_body_stage(OffBody *s, int k)
{
  return s->buffer[k];
}

/* All patches: those that need nothing from other ranks while messages are under way. */
static PetscErrorCode TakeStage(OffBody *s, const StagePlan *plan)
{
  PetscFunctionBeginUser;
  const BorderTable *table = &s->borders->ghosts;
  for (int j = 0; j < table->n_jobs; j++) pack_ghosts(s, &table->job[j], plan->in);
  PetscCall(ParcelsBegin(table->parcels));
  for (LocalId i = 0; i < s->borders->n_inner; i++) advance_patch(s, s->borders->order[i], plan);
  PetscCall(ParcelsEnd(table->parcels));
  for (LocalId i = s->borders->n_inner; i < forest_n(s->forest); i++)
    advance_patch(s, s->borders->order[i], plan);
  PetscCall(MatchFluxes(s, plan));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode OffBodyStage(OffBody *s, int k, double dt, GlobalId *bad)
{
  PetscFunctionBeginUser;
  const StagePlan plan = plan_of(s, k, dt);
  PetscCall(TakeStage(s, &plan));
  *bad = off_body_count_unsound(s, plan.out);
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, bad, 1, MPIU_INT64, MPI_SUM, s->comm));
  if (k == 2 && *bad == 0) {
    double *swap = s->buffer[0];
    s->buffer[0] = s->buffer[1];
    s->buffer[1] = swap;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode OffBodyRate(OffBody *s, PatchHold hold, double rate[], double *passing)
{
  PetscFunctionBeginUser;
  const size_t n = (size_t)forest_n(s->forest);
  PetscCall(PetscArrayzero(s->passing, n));
  const StagePlan plan = {.share = 1.0,
                          .passed = s->passing,
                          .start = s->buffer[0],
                          .in = s->buffer[0],
                          .out = rate,
                          .hold = hold};
  PetscCall(TakeStage(s, &plan));
  if (passing != NULL) PetscCall(SumExactly(s->comm, (LocalId)n, 1, s->passing, passing));
  PetscFunctionReturn(PETSC_SUCCESS);
}
