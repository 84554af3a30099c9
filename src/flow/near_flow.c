/*
 * The order of work in an evaluation of fluxes. The loops are in the kernels.
 */
#include "flow/near_flow_impl.h"

#include "grid/cell_state.h"

#include "flow/near_face_kernels.h"
#include "flow/near_slope_kernels.h"
#include "flow/near_viscous_kernels.h"
#include "flow/row.h"

#include <sys/mman.h>

static void view_grid(const NearGrid *g, NearArrays *a)
{
  a->n_own = g->n_own, a->n_local = g->n_local;
  a->n_inner = g->n_inner, a->n_interior = g->n_interior, a->n_faces = g->n_faces;
  a->volume = g->volume;
  a->left = g->left, a->right = g->right;
  a->sx = g->sx, a->sy = g->sy, a->sz = g->sz;
  a->tx = g->tx, a->ty = g->ty, a->tz = g->tz;
  a->fx = g->fx, a->fy = g->fy, a->fz = g->fz;
  a->face_start = g->face_start, a->face = g->face, a->face_sign = g->face_sign;
}

/* Tetrahedra anywhere need room for gradients that are not yet averaged, everywhere. */
static PetscErrorCode HasTetrahedra(const NearGrid *grid, bool *has)
{
  PetscFunctionBeginUser;
  int some = 0;
  for (LocalId c = 0; c < grid->n_own; c++) some |= grid->kind[c] == CELL_TETRA;
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &some, 1, MPI_INT, MPI_MAX, grid->comm));
  *has = some != 0;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The next n numbers of memory that is handed out in whole lines of the cache. */
static double *take_lines(double **next, size_t n)
{
  double *taken = *next;
  *next += (n + ROW - 1) / ROW * ROW;
  return taken;
}

/* Records are gathered from all over: large pages save most misses of the table of addresses. A
 * wish only; without it all is the same but slower. */
static void ask_for_large_pages(double *memory, size_t n)
{
#ifdef MADV_HUGEPAGE
  const uintptr_t large = (uintptr_t)1 << 21;
  const uintptr_t first = ((uintptr_t)memory + large - 1) / large * large;
  const uintptr_t end = (uintptr_t)(memory + n) / large * large;
  if (end > first) (void)madvise((void *)first, end - first, MADV_HUGEPAGE);
#endif
}

/* Records of cells lie in lines of the cache, so that a gather touches no more than it needs. */
static PetscErrorCode AllocateRecords(NearFlow *s)
{
  PetscFunctionBeginUser;
  NearArrays *a = &s->arrays;
  bool tetra;
  PetscCall(HasTetrahedra(s->grid, &tetra));
  const size_t n = (size_t)a->n_local, faces = (size_t)a->n_faces;
  const size_t boundary = faces - (size_t)a->n_interior;
  const size_t cell = NEAR_CELL * n, slope = NEAR_SLOPE * n, raw = tetra ? slope : 0;
  const size_t flux = NEAR_FLUX * faces + ROW_PAD, skin = NEAR_SKIN * boundary;
  const size_t all = cell + slope + raw + flux + skin + 3 * ROW;
  PetscCall(PetscMalloc1(all, &s->records));
  ask_for_large_pages(s->records, all);
  PetscCall(PetscArrayzero(s->records, all));
  s->memory += sizeof(double) * all;
  double *next = s->records;
  while ((uintptr_t)next % (ROW * sizeof *next) != 0) next++;
  a->cell = take_lines(&next, cell);
  a->slope = take_lines(&next, slope);
  a->raw = tetra ? take_lines(&next, raw) : NULL;
  a->flux = take_lines(&next, flux);
  a->skin = take_lines(&next, skin);
  for (LocalId c = 0; c < a->n_local; c++) {
    double *record = a->cell + NEAR_CELL * c;
    record[5] = s->grid->x[c], record[6] = s->grid->y[c], record[7] = s->grid->z[c];
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode allocate(NearFlow *s)
{
  PetscFunctionBeginUser;
  NearArrays *a = &s->arrays;
  const size_t n = (size_t)a->n_local, own = (size_t)a->n_own;
  const size_t boundary = (size_t)(a->n_faces - a->n_interior), places = (size_t)a->face_start[own];
  PetscCall(AllocateRecords(s));
  const size_t vars = NEAR_VARS + (s->spec.turbulence != NULL);
  PetscCall(PetscCalloc1(vars * own + ROW_PAD, &s->start));
  PetscCall(PetscCalloc1(vars * own + ROW_PAD, &s->in));
  PetscCall(PetscCalloc1(vars * own + ROW_PAD, &s->out));
  PetscCall(PetscCalloc2(n, &s->weak, n, &s->weak_number));
  PetscCall(PetscCalloc1(boundary, &s->passed));
  PetscCall(NearWallLoadsCreate(s));
  s->memory += sizeof(double) * (n + (3 * vars + NEAR_INVERSE + 1) * own + boundary) +
               sizeof(LocalId) * places + n;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode NearFlowCreate(const NearGrid *grid, const NearFlowSpec *spec, NearFlow **flow)
{
  PetscFunctionBeginUser;
  NearFlow *s = NULL;
  PetscCall(PetscNew(&s));
  s->grid = grid;
  s->spec = *spec;
  BoundaryKind *kind;
  PetscCall(PetscMalloc1(grid->n_patches, &kind));
  PetscCall(PetscArraycpy(kind, spec->kind, grid->n_patches));
  s->spec.kind = kind;
  view_grid(grid, &s->arrays);
  PetscCall(NearWeightsCreate(grid, &s->spec, &s->arrays));
  PetscCall(allocate(s));
  PetscCall(NearTurbulenceCreate(s));
  *flow = s;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode NearFlowDestroy(NearFlow **flow)
{
  PetscFunctionBeginUser;
  NearFlow *s = *flow;
  if (s == NULL) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(NearWeightsDestroy(&s->arrays));
  PetscCall(NearTurbulenceDestroy(s));
  PetscCall(PetscFree(s->records));
  PetscCall(PetscFree(s->start));
  PetscCall(PetscFree(s->in));
  PetscCall(PetscFree(s->out));
  PetscCall(PetscFree2(s->weak, s->weak_number));
  PetscCall(PetscFree(s->state));
  PetscCall(PetscFree(s->passed));
  PetscCall(PetscFree(s->wall_load));
  PetscCall(PetscFree(s->arrays.limit));
  PetscCall(PetscFree(s->spec.kind));
  PetscCall(PetscFree(*flow));
  PetscFunctionReturn(PETSC_SUCCESS);
}

double *near_flow_state(NearFlow *s)
{
  return s->start;
}

static PetscErrorCode sum_count(NearFlow *s, LocalId here, GlobalId *all)
{
  PetscFunctionBeginUser;
  *all = here;
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, all, 1, MPIU_INT64, MPI_SUM, s->grid->comm));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode NearFlowBegin(NearFlow *s, GlobalId *bad)
{
  PetscFunctionBeginUser;
  PetscCall(sum_count(s, near_primitives(&s->arrays, s->spec.gas.gamma, s->start), bad));
  near_turbulence_take(s, s->start);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Bring the first n numbers of halo records of `size` from their owners. */
static PetscErrorCode update_halo(NearFlow *s, int n, int size, double *record)
{
  PetscFunctionBeginUser;
  double *field[NEAR_SLOPE];
  for (int k = 0; k < n; k++) field[k] = record + k;
  PetscCall(ExchangeUpdate(s->grid->halo, n, size, field));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode NearFlowShare(NearFlow *s)
{
  PetscFunctionBeginUser;
  PetscCall(update_halo(s, NEAR_VARS, NEAR_CELL, s->arrays.cell));
  PetscCall(NearTurbulenceShare(s));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Gradients leave out what is left out: such cells have themselves for a neighbour there, as at a
 * boundary. */
static void leave_out_holes(NearFlow *s)
{
  const NearGrid *g = s->grid;
  bool some = false;
  for (LocalId c = 0; c < g->n_local && !some; c++) some = s->state[c] == STATE_HOLE;
  if (!some && !s->has_holes) return;
  s->has_holes = some;
  for (LocalId c = 0; c < g->n_own; c++)
    for (LocalId j = g->face_start[c]; j < g->face_start[c + 1]; j++) {
      const LocalId f = g->face[j];
      if (f >= g->n_interior) continue;
      const LocalId other = g->left[f] == c ? g->right[f] : g->left[f];
      s->arrays.neighbor[j] = s->state[other] == STATE_HOLE ? c : other;
    }
}

PetscErrorCode NearFlowSetStates(NearFlow *s, const uint8_t state[])
{
  PetscFunctionBeginUser;
  if (s->state == NULL) PetscCall(PetscMalloc1(s->grid->n_local, &s->state));
  PetscCall(PetscArraycpy(s->state, state, s->grid->n_local));
  s->arrays.state = s->state;
  leave_out_holes(s);
  PetscFunctionReturn(PETSC_SUCCESS);
}

NearBeyond near_beyond_of(BoundaryKind kind)
{
  switch (kind) {
  case BOUNDARY_SUPERSONIC_IN:
    return NEAR_IN;
  case BOUNDARY_OUT:
    return NEAR_OUT;
  case BOUNDARY_WALL:
  case BOUNDARY_SLIP:
  case BOUNDARY_SYMMETRY:
    return NEAR_SOLID;
  default:
    return NEAR_FAR;
  }
}

/* Run after run, so that friction finds the cells of a run still in the cache. */
static void interior_fluxes(NearFlow *s, const NearMotion *motion)
{
  enum { RUN = 512 };
  const NearArrays *a = &s->arrays;
  for (LocalId f = 0; f < a->n_interior; f += RUN) {
    const LocalId end = f + RUN < a->n_interior ? f + RUN : a->n_interior;
    near_face_flux(a, s->spec.gas.gamma, motion, f, end);
    if (s->spec.viscous) near_viscous_flux(a, &s->spec.gas, motion, f, end);
  }
}

static void boundary_fluxes(NearFlow *s, const NearMotion *motion)
{
  for (int p = 0; p < s->grid->n_patches; p++) {
    const NearPatch *patch = &s->grid->patch[p];
    const LocalId first = patch->first_face, end = first + patch->n_faces;
    near_boundary_flux(&s->arrays, s->spec.gas.gamma, motion, near_beyond_of(s->spec.kind[p]),
                       &s->spec.stream, first, end);
  }
}

static void boundary_friction(NearFlow *s, const NearMotion *motion)
{
  const Gas *gas = &s->spec.gas;
  for (int p = 0; p < s->grid->n_patches; p++) {
    const NearPatch *patch = &s->grid->patch[p];
    const LocalId first = patch->first_face, end = first + patch->n_faces;
    if (near_sticks(&s->spec, s->spec.kind[p]))
      near_wall_friction(&s->arrays, gas, motion, s->spec.wall_temperature, first, end);
    else if (near_beyond_of(s->spec.kind[p]) != NEAR_SOLID)
      near_open_friction(&s->arrays, gas, motion, first, end);
  }
}

PetscErrorCode NearFlowFluxes(NearFlow *s, const NearMotion *motion, NearLimit limit)
{
  PetscFunctionBeginUser;
  const NearArrays *a = &s->arrays;
  PetscCall(update_halo(s, NEAR_VARS, NEAR_CELL, a->cell));
  PetscCall(NearTurbulenceShare(s));
  if (a->raw != NULL) {
    near_raw_slopes(a, motion);
    PetscCall(update_halo(s, NEAR_SLOPE, NEAR_SLOPE, a->raw));
  }
  s->counts.fallbacks += near_slopes(a, motion, limit);
  s->counts.cell_stages += a->n_own;
  PetscCall(update_halo(s, NEAR_SLOPE, NEAR_SLOPE, a->slope));
  interior_fluxes(s, motion);
  boundary_fluxes(s, motion);
  if (s->spec.viscous) boundary_friction(s, motion);
  PetscCall(NearTurbulenceFluxes(s, motion, limit));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode NearFlowRate(NearFlow *s, double rate[])
{
  PetscFunctionBeginUser;
  near_rate(&s->arrays, rate);
  double *turbulence = near_turbulence_of(s, rate);
  for (LocalId c = 0; turbulence != NULL && c < s->grid->n_own; c++)
    turbulence[c] = near_sa_rate(&s->arrays, s->sa, c);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode NearFlowTimeStep(NearFlow *s, double *dt)
{
  PetscFunctionBeginUser;
  *dt = near_time_step(&s->arrays);
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, dt, 1, MPI_DOUBLE, MPI_MIN, s->grid->comm));
  PetscFunctionReturn(PETSC_SUCCESS);
}

const Gas *near_flow_gas(const NearFlow *s)
{
  return &s->spec.gas;
}

const Primitive *near_flow_stream(const NearFlow *s)
{
  return &s->spec.stream;
}

const NearGrid *near_flow_grid(const NearFlow *s)
{
  return s->grid;
}

const NearArrays *near_flow_arrays(const NearFlow *s)
{
  return &s->arrays;
}

NearCounts near_flow_counts(const NearFlow *s)
{
  return s->counts;
}

size_t near_flow_memory(const NearFlow *s)
{
  return s->memory;
}

PetscErrorCode NearFlowHoldLimits(NearFlow *s)
{
  PetscFunctionBeginUser;
  PetscCall(PetscCalloc1(NEAR_LIMIT * (size_t)s->arrays.n_own + ROW_PAD, &s->arrays.limit));
  if (s->sa != NULL) PetscCall(PetscCalloc1((size_t)s->arrays.n_own, &s->sa->limit));
  s->memory += sizeof(double) * NEAR_LIMIT * (size_t)s->arrays.n_own;
  PetscFunctionReturn(PETSC_SUCCESS);
}
