#include "flow/off_body.h"

#include "flow/off_body_impl.h"
#include "flow/patch_regrid_kernels.h"

#include "comm/sum.h"

#include <string.h>

double off_body_bytes_per_cell(int patch)
{
  const double cells = (double)patch * patch * patch;
  const double links = SIDES * sizeof(Link) + 256.0;
  return OFF_BODY_BUFFERS * PATCH_VARIABLES * sizeof(double) + links / cells;
}

/* The block that patches are gathered in and the slabs around it, all in one piece. */
static PetscErrorCode CreateScratch(OffBody *s)
{
  PetscFunctionBeginUser;
  const size_t block = (patch_block_size(s->n) + 7) / 8 * 8;
  const size_t slab = slab_size(s->n, BORDER_REACH), face = slab_size(s->n, 1);
  const size_t work = 2 * (s->state > slab ? s->state : slab), align = 8;
  PetscCall(PetscMalloc1(block + 2 * slab + work + SIDES * face + align, &s->scratch));
  PetscCall(PetscMalloc1(s->cells, &s->done));
  double *at = s->scratch + (64 - (uintptr_t)s->scratch % 64) % 64 / sizeof(double);
  s->block = patch_block_in(at, s->n);
  s->border = at + block;
  s->slab = s->border + slab;
  s->work = s->slab + slab;
  for (int side = 0; side < SIDES; side++) s->face[side] = s->work + work + side * face;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode OffBodyReserve(OffBody *s, size_t n_patches)
{
  PetscFunctionBeginUser;
  if (n_patches <= s->room) PetscFunctionReturn(PETSC_SUCCESS);
  s->room = n_patches + n_patches / 8;
  for (int k = 0; k < s->n_buffers; k++) {
    PetscCall(PetscFree(s->buffer[k]));
    PetscCall(PetscMalloc1(s->room * s->state, &s->buffer[k]));
  }
  if (!s->implicit) PetscFunctionReturn(PETSC_SUCCESS);
  s->roughs = patch_rough_size(s->n);
  PetscCall(PetscFree(s->rough));
  PetscCall(PetscCalloc1(s->room * s->roughs, &s->rough));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Where each patch's own fluxes are kept for comparison with finer ones, and where its fluxes go
 * that a coarser neighbour wants. */
static PetscErrorCode IndexFluxes(OffBody *s)
{
  PetscFunctionBeginUser;
  const size_t n = (size_t)forest_n(s->forest) * SIDES;
  size_t n_own = 0;
  PetscCall(PetscFree(s->own_flux_at));
  PetscCall(PetscFree(s->flux_job));
  PetscCall(PetscFree(s->own_flux));
  PetscCall(PetscMalloc1(n, &s->own_flux_at));
  PetscCall(PetscMalloc1(n, &s->flux_job));
  for (size_t k = 0; k < n; k++) {
    const bool fine = forest_links(s->forest)[k / SIDES][k % SIDES].kind == LINK_FINE;
    s->own_flux_at[k] = fine ? n_own++ * slab_size(s->n, 1) : SIZE_MAX;
    s->flux_job[k] = -1;
  }
  PetscCall(PetscMalloc1(n_own * slab_size(s->n, 1), &s->own_flux));
  const BorderTable *table = &s->borders->fluxes;
  for (int j = 0; j < table->n_jobs; j++)
    s->flux_job[table->job[j].patch * SIDES + table->job[j].side] = j;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode OffBodyRebuild(OffBody *s)
{
  PetscFunctionBeginUser;
  const size_t n = (size_t)forest_n(s->forest);
  const BorderSizes sizes = {slab_size(s->n, PATCH_GHOST), slab_size(s->n, 1) / 4};
  PetscCall(OffBodyReserve(s, n));
  PetscCall(BordersDestroy(&s->borders));
  PetscCall(BordersCreate(s->forest, sizes, &s->borders));
  PetscCall(IndexFluxes(s));
  PetscCall(PetscFree3(s->passed, s->passed_kept, s->passing));
  PetscCall(PetscCalloc3(n, &s->passed, n, &s->passed_kept, n, &s->passing));
  PetscCall(PetscFree(s->activity));
  PetscCall(PetscFree(s->states_room));
  PetscCall(PetscMalloc1(n, &s->activity));
  PetscCall(OffBodySetStates(s, NULL));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode OffBodyCreateOn(Forest *forest, const OffBodyInput *input, OffBody **off_body)
{
  PetscFunctionBeginUser;
  OffBody *s = NULL;
  PetscCall(PetscNew(&s));
  const Primitive w = input->stream;
  const double stream[PATCH_VARIABLES] = {w.rho, w.u.x, w.u.y, w.u.z, w.p};
  s->comm = forest_comm(forest);
  s->spec = input->spec;
  s->gas = input->gas;
  s->viscous = input->viscous;
  s->implicit = input->implicit;
  s->n_buffers = s->implicit ? OFF_BODY_BUFFERS_IMPLICIT : OFF_BODY_BUFFERS;
  memcpy(s->stream, stream, sizeof stream);
  const Conserved far = gas_conserved(&s->gas, w);
  const double conserved[PATCH_VARIABLES] = {far.rho, far.m.x, far.m.y, far.m.z, far.e};
  memcpy(s->far, conserved, sizeof conserved);
  s->n = input->spec->patch;
  s->cells = (size_t)s->n * s->n * s->n;
  s->state = PATCH_VARIABLES * s->cells;
  s->forest = forest;
  PetscCall(CreateScratch(s));
  PetscCall(OffBodyRebuild(s));
  *off_body = s;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode OffBodyCreate(MPI_Comm comm, const OffBodyInput *input, int n_balls,
                             const ForestBall ball[], OffBody **off_body)
{
  PetscFunctionBeginUser;
  Forest *forest = NULL;
  PetscCall(ForestCreate(comm, input->spec, n_balls, ball, &forest));
  PetscCall(OffBodyCreateOn(forest, input, off_body));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode OffBodyDestroy(OffBody **off_body)
{
  PetscFunctionBeginUser;
  OffBody *s = *off_body;
  if (s == NULL) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(BordersDestroy(&s->borders));
  PetscCall(ForestDestroy(&s->forest));
  for (int k = 0; k < s->n_buffers; k++) PetscCall(PetscFree(s->buffer[k]));
  PetscCall(PetscFree(s->states_room));
  PetscCall(PetscFree(s->done));
  PetscCall(PetscFree(s->rough));
  PetscCall(PetscFree(s->activity));
  PetscCall(PetscFree3(s->passed, s->passed_kept, s->passing));
  PetscCall(PetscFree(s->own_flux_at));
  PetscCall(PetscFree(s->own_flux));
  PetscCall(PetscFree(s->flux_job));
  PetscCall(PetscFree(s->scratch));
  PetscCall(PetscFree(*off_body));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode OffBodySave(OffBody *s)
{
  PetscFunctionBeginUser;
  const size_t n = (size_t)forest_n(s->forest);
  PetscCall(PetscArraycpy(s->buffer[OFF_BODY_KEPT], s->buffer[0], n * s->state));
  PetscCall(PetscArraycpy(s->passed_kept, s->passed, n));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode OffBodyRestore(OffBody *s)
{
  PetscFunctionBeginUser;
  const size_t n = (size_t)forest_n(s->forest);
  PetscCall(PetscArraycpy(s->buffer[0], s->buffer[OFF_BODY_KEPT], n * s->state));
  PetscCall(PetscArraycpy(s->passed, s->passed_kept, n));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode OffBodyAccept(OffBody *s)
{
  PetscFunctionBeginUser;
  const LocalId n = forest_n(s->forest);
  double sum;
  PetscCall(SumExactly(s->comm, n, 1, s->passed, &sum));
  s->passed_before += sum;
  PetscCall(PetscArrayzero(s->passed, n));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PatchActivity activity_of(size_t cells, const uint8_t state[])
{
  size_t field = 0;
  for (size_t c = 0; c < cells; c++) field += state[c] == STATE_FIELD;
  return field == cells ? PATCH_ALL : field > 0 ? PATCH_SOME : PATCH_NONE;
}

PetscErrorCode OffBodySetStates(OffBody *s, const uint8_t state[])
{
  PetscFunctionBeginUser;
  const size_t n = (size_t)forest_n(s->forest);
  if (state != NULL && s->states_room == NULL)
    PetscCall(PetscMalloc1(n * s->cells, &s->states_room));
  for (size_t c = 0; c < n; c++)
    s->activity[c] = state == NULL ? PATCH_ALL : activity_of(s->cells, state + c * s->cells);
  if (state != NULL) PetscCall(PetscArraycpy(s->states_room, state, n * s->cells));
  s->cell_state = state == NULL ? NULL : s->states_room;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode OffBodyExtend(OffBody *s, int k)
{
  PetscFunctionBeginUser;
  for (LocalId c = 0; c < forest_n(s->forest); c++) {
    double *u = s->buffer[k] + (size_t)c * s->state;
    if (s->activity[c] == PATCH_ALL) continue;
    patch_extend(s->n, s->cell_state + (size_t)c * s->cells, s->far, s->done, u);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static GlobalId count_states(const OffBody *s, CellState state)
{
  if (s->cell_state == NULL) return 0;
  GlobalId n = 0;
  for (size_t c = 0; c < (size_t)forest_n(s->forest) * s->cells; c++)
    n += s->cell_state[c] == state;
  return n;
}

/* Extremes over this rank's patches, least ones and greatest ones negated. */
static void find_extremes(const OffBody *s, double least[4])
{
  for (int k = 0; k < 4; k++) least[k] = INFINITY;
  for (LocalId c = 0; c < forest_n(s->forest); c++) {
    if (s->activity[c] == PATCH_NONE) continue;
    const PatchSurvey p = patch_survey(s->n, s->gas.gamma, s->buffer[0] + (size_t)c * s->state,
                                       off_body_states_of(s, c));
    const double found[4] = {p.rho_min, p.p_min, -p.rho_max, -p.p_max};
    for (int k = 0; k < 4; k++) least[k] = found[k] < least[k] ? found[k] : least[k];
  }
}

static PetscErrorCode FindTotals(OffBody *s, double total[PATCH_VARIABLES])
{
  PetscFunctionBeginUser;
  const LocalId n = forest_n(s->forest);
  double *sum = NULL;
  PetscCall(PetscMalloc1((size_t)n * PATCH_VARIABLES, &sum));
  for (LocalId c = 0; c < n; c++) {
    double *one = sum + (size_t)c * PATCH_VARIABLES;
    const double h = forest_spacing(s->forest, forest_places(s->forest)[c].level);
    patch_sums(s->n, s->buffer[0] + (size_t)c * s->state, off_body_states_of(s, c), one);
    for (int v = 0; v < PATCH_VARIABLES; v++) one[v] *= h * h * h;
  }
  PetscCall(SumExactly(s->comm, n, PATCH_VARIABLES, sum, total));
  PetscCall(PetscFree(sum));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode OffBodyCounters(OffBody *s, double counter[4])
{
  PetscFunctionBeginUser;
  GlobalId count[3] = {s->patch_stages, s->counts.rough, s->counts.fallback};
  PetscCall(SumExactly(s->comm, forest_n(s->forest), 1, s->passed, &counter[0]));
  counter[0] += s->passed_before;
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, count, 3, MPIU_INT64, MPI_SUM, s->comm));
  for (int k = 0; k < 3; k++) counter[1 + k] = (double)count[k];
  PetscFunctionReturn(PETSC_SUCCESS);
}

void off_body_set_counters(OffBody *s, const double counter[4])
{
  /* The first rank counts for all. */
  const bool first = forest_rank(s->forest) == 0;
  s->passed_before = counter[0];
  s->patch_stages = first ? (GlobalId)counter[1] : 0;
  s->counts.rough = first ? (int64_t)counter[2] : 0;
  s->counts.fallback = first ? (int64_t)counter[3] : 0;
}

PetscErrorCode OffBodySummarise(OffBody *s, OffBodySummary *summary)
{
  PetscFunctionBeginUser;
  OffBodySummary all = {.cells = forest_total(s->forest) * (GlobalId)s->cells};
  double least[4];
  find_extremes(s, least);
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, least, 4, MPI_DOUBLE, MPI_MIN, s->comm));
  all.rho_min = least[0];
  all.p_min = least[1];
  all.rho_max = -least[2];
  all.p_max = -least[3];
  GlobalId count[2] = {count_states(s, STATE_FRINGE) + count_states(s, STATE_ORPHAN),
                       count_states(s, STATE_HOLE)};
  double counter[4];
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, count, 2, MPIU_INT64, MPI_SUM, s->comm));
  PetscCall(OffBodyCounters(s, counter));
  all.fringe = count[0];
  all.holes = count[1];
  all.field = all.cells - all.fringe - all.holes;
  all.passed = counter[0];
  all.patch_steps = (GlobalId)counter[1];
  all.rough = (GlobalId)counter[2];
  all.fallbacks = (GlobalId)counter[3];
  PetscCall(FindTotals(s, all.total));
  *summary = all;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The fourth-order operator of friction reaches 5.44 / h^2 along each of three axes, and the
 * Runge-Kutta scheme bears 2.51 of it. */
double off_body_frequency(const OffBody *s, LocalId c)
{
  const double friction_limit = 3.0 * 5.45 / 2.51;
  const double *u = s->buffer[0] + (size_t)c * s->state;
  const double h = forest_spacing(s->forest, forest_places(s->forest)[c].level);
  const double speed = patch_survey(s->n, s->gas.gamma, u, off_body_states_of(s, c)).speed;
  if (!s->viscous) return speed / h;
  const PatchFriction friction = off_body_friction(s, h);
  const double nu = patch_diffusivity(s->n, s->gas.gamma, &friction, u, off_body_states_of(s, c));
  return speed / h + friction_limit * nu / (h * h);
}

PetscErrorCode OffBodyTimeStep(OffBody *s, double *dt)
{
  PetscFunctionBeginUser;
  double worst[2] = {0.0, 0.0};
  for (LocalId c = 0; c < forest_n(s->forest); c++) {
    if (s->activity[c] == PATCH_NONE) continue;
    const double r = off_body_frequency(s, c);
    worst[0] = r > worst[0] ? r : worst[0];
    worst[1] += patch_unsound(s->n, s->buffer[0] + (size_t)c * s->state, off_body_states_of(s, c));
  }
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, worst, 2, MPI_DOUBLE, MPI_MAX, s->comm));
  *dt = worst[1] > 0.0 ? 0.0 : 1.0 / worst[0];
  PetscFunctionReturn(PETSC_SUCCESS);
}

const Forest *off_body_forest(const OffBody *s)
{
  return s->forest;
}

int off_body_patch(const OffBody *s)
{
  return s->n;
}

const uint8_t *off_body_states(const OffBody *s)
{
  return s->cell_state;
}

double *off_body_state(OffBody *s)
{
  return s->buffer[0];
}

size_t off_body_memory(const OffBody *s)
{
  const size_t per_patch = (size_t)(off_body_bytes_per_cell(s->n) * (double)s->cells);
  return s->room * per_patch + patch_block_size(s->n) * sizeof(double);
}
