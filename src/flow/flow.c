#include "flow/flow_impl.h"

#include "flow/implicit.h"

/* The grids are taken as they are, so the unit of length is that of the case. */
static void find_units(Flow *s, const FlowInput *input)
{
  s->stream = freestream_of(input->spec, &input->reference);
  s->units = units_of(&s->stream, 1.0);
  s->gas = gas_of(input->spec, &s->stream, &s->units);
  s->initial = (Initial){.kind = input->spec->initial,
                         .center = input->reference.point,
                         .radius = input->reference.length,
                         .gamma = s->gas.gamma,
                         .stream = freestream_primitive(&s->stream, &s->units)};
}

/* Is the forest part of implicit equations, of steps or of a steady start? */
static bool forest_implicit(const Flow *s)
{
  return (s->implicit && !s->mixed) || s->spec->steady_start.given;
}

/* Is there a solver of implicit equations, for steps or for a steady start? */
static bool holds_implicit(const Flow *s)
{
  return s->implicit || s->spec->steady_start.given;
}

/* The solver's vectors are those of one forest. */
static PetscErrorCode RenewSolver(Flow *s)
{
  PetscFunctionBeginUser;
  PetscCall(ImplicitDestroy(&s->solver));
  if (holds_implicit(s)) PetscCall(ImplicitCreate(s, &s->solver));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static bool flow_viscous(const Flow *s)
{
  return s->spec->equations != EQUATIONS_EULER;
}

static const SaSpec *turbulence_of(const Flow *s)
{
  return s->spec->equations == EQUATIONS_RANS ? &s->spec->turbulence : NULL;
}

/* Numbers of the state of grid g on this rank. */
static size_t state_size(const Flow *s, int g)
{
  return (size_t)near_flow_variables(s->grid[g]) * (size_t)near_flow_grid(s->grid[g])->n_own;
}

PetscErrorCode FlowCreate(MPI_Comm comm, const FlowInput *input, Flow **flow)
{
  PetscFunctionBeginUser;
  Flow *s = NULL;
  PetscCall(PetscNew(&s));
  s->comm = comm;
  s->spec = input->spec;
  s->n_grids = input->n_grids;
  find_units(s, input);
  s->mixed = input->spec->integrator == INTEGRATOR_MIXED;
  s->implicit = s->mixed || input->spec->integrator == INTEGRATOR_BDF2;
  PetscCall(PetscCalloc5(s->n_grids, &s->grid, s->n_grids, &s->motion, s->n_grids, &s->backup,
                         s->n_grids, &s->older, s->n_grids, &s->twist_old));
  PetscCall(PetscCalloc4(s->n_grids, &s->pose, s->n_grids, &s->record, s->n_grids, &s->ahead,
                         s->n_grids, &s->motion_other));
  for (int g = 0; g < s->n_grids; g++) {
    const double t = input->wall_temperature[g] / s->units.temperature;
    const NearFlowSpec spec = {s->gas, s->initial.stream, flow_viscous(s),
                               t,      input->kind[g],    turbulence_of(s)};
    PetscCall(NearFlowCreate(input->grid[g], &spec, &s->grid[g]));
    const size_t n = (size_t)near_flow_variables(s->grid[g]) * (size_t)input->grid[g]->n_own;
    PetscCall(PetscMalloc1(n, &s->backup[g]));
    if (s->implicit) PetscCall(PetscCalloc1(n, &s->older[g]));
    if (s->mixed) PetscCall(PetscCalloc1(n, &s->ahead[g]));
  }
  if (input->off_body != NULL) {
    const OffBodyInput off_body = {input->off_body, s->gas, s->initial.stream, flow_viscous(s),
                                   forest_implicit(s)};
    s->off_body_spec = input->off_body;
    PetscCall(OffBodyCreate(comm, &off_body, 0, NULL, &s->off_body));
  }
  PetscCall(RenewSolver(s));
  *flow = s;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode FlowDestroy(Flow **flow)
{
  PetscFunctionBeginUser;
  if (*flow == NULL) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(ImplicitDestroy(&(*flow)->solver));
  for (int g = 0; g < (*flow)->n_grids; g++) {
    PetscCall(NearFlowDestroy(&(*flow)->grid[g]));
    PetscCall(PetscFree((*flow)->backup[g]));
    PetscCall(PetscFree((*flow)->older[g]));
    PetscCall(PetscFree((*flow)->ahead[g]));
  }
  PetscCall(OffBodyDestroy(&(*flow)->off_body));
  PetscCall(PetscFree4((*flow)->pose, (*flow)->record, (*flow)->ahead, (*flow)->motion_other));
  PetscCall(PetscFree5((*flow)->grid, (*flow)->motion, (*flow)->backup, (*flow)->older,
                       (*flow)->twist_old));
  PetscCall(PetscFree(*flow));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void fill_grid(const Flow *s, NearFlow *near, Pose pose)
{
  const NearGrid *grid = near_flow_grid(near);
  const Frame frame = pose_frame(pose);
  double *state = near_flow_state(near), *turbulence = near_flow_turbulence(near);
  for (LocalId c = 0; c < grid->n_own; c++) {
    const Vec3 x = frame_to_world(&frame, vec3(grid->x[c], grid->y[c], grid->z[c]));
    const Conserved u = gas_conserved(&s->gas, initial_at(&s->initial, x));
    const double value[NEAR_VARS] = {u.rho, u.m.x, u.m.y, u.m.z, u.e};
    for (int k = 0; k < NEAR_VARS; k++) state[NEAR_VARS * c + k] = value[k];
    if (turbulence != NULL) turbulence[c] = u.rho * near_flow_sa(near)->far;
  }
}

PetscErrorCode FlowBegin(Flow *s)
{
  PetscFunctionBeginUser;
  for (int g = 0; g < s->n_grids; g++) {
    GlobalId bad;
    PetscCall(NearFlowBegin(s->grid[g], &bad));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode FlowTakeForest(Flow *s, Forest **forest)
{
  PetscFunctionBeginUser;
  const OffBodyInput input = {s->off_body_spec, s->gas, s->initial.stream, flow_viscous(s),
                              forest_implicit(s)};
  PetscCall(OffBodyDestroy(&s->off_body));
  PetscCall(OffBodyCreateOn(*forest, &input, &s->off_body));
  *forest = NULL;
  PetscCall(RenewSolver(s));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode FlowAdapt(Flow *s, double ahead, int n_balls, const ForestBall ball[], bool *changed)
{
  PetscFunctionBeginUser;
  *changed = false;
  if (s->off_body != NULL)
    PetscCall(OffBodyAdapt(s->off_body, ahead * s->units.speed, n_balls, ball, changed));
  if (*changed) PetscCall(RenewSolver(s));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode FlowInitialise(Flow *s, const Pose pose[], int n_balls, const ForestBall ball[])
{
  PetscFunctionBeginUser;
  for (int g = 0; g < s->n_grids; g++) fill_grid(s, s->grid[g], pose[g]);
  s->dt_old = 0.0;
  if (s->off_body != NULL) {
    PetscCall(OffBodyFill(s->off_body, &s->initial, n_balls, ball));
    PetscCall(RenewSolver(s));
  }
  PetscCall(FlowBegin(s));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode FlowSetOverset(Flow *s, const uint8_t *const near[], const uint8_t off[],
                              const Rows *rows)
{
  PetscFunctionBeginUser;
  for (int g = 0; g < s->n_grids; g++) PetscCall(NearFlowSetStates(s->grid[g], near[g]));
  if (s->off_body != NULL) PetscCall(OffBodySetStates(s->off_body, off));
  s->rows = *rows;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode fill_at(Flow *s, int k, const Pose pose[])
{
  PetscFunctionBeginUser;
  for (int g = 0; g < s->n_grids; g++) {
    PetscCall(NearFlowShare(s->grid[g]));
    s->record[g] = near_flow_arrays(s->grid[g])->cell;
  }
  const RowFields fields = {s->record, NEAR_CELL,
                            s->off_body == NULL ? NULL : off_body_stage(s->off_body, k),
                            s->gas.gamma};
  PetscCall(s->rows.fill(s->rows.context, pose, &fields));
  for (int g = 0; g < s->n_grids; g++) near_flow_take_fringe(s->grid[g], k);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode FlowFillStage(Flow *s, int k, double t)
{
  PetscFunctionBeginUser;
  if (s->rows.fill == NULL) PetscFunctionReturn(PETSC_SUCCESS);
  for (int g = 0; g < s->n_grids; g++)
    s->pose[g] = screw_move(s->motion[g].start, s->motion[g].twist, t);
  PetscCall(fill_at(s, k, s->pose));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode FlowFill(Flow *s, const Pose pose[])
{
  PetscFunctionBeginUser;
  if (s->rows.fill != NULL) PetscCall(fill_at(s, 0, pose));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Speeds in reference units; lengths are those of the case. */
static void take_motion(Flow *s, const GridMotion motion[])
{
  const double per = 1.0 / s->units.speed;
  for (int g = 0; g < s->n_grids; g++) {
    const Screw twist = {vec3_scale(per, motion[g].twist.v), vec3_scale(per, motion[g].twist.w)};
    s->motion[g] = (GridMotion){motion[g].start, twist};
  }
}

NearMotion flow_motion_at(const Flow *s, int g, double t)
{
  const Pose pose = screw_move(s->motion[g].start, s->motion[g].twist, t);
  return (NearMotion){quat_matrix(pose.q), s->motion[g].twist};
}

PetscErrorCode FlowSave(Flow *s)
{
  PetscFunctionBeginUser;
  for (int g = 0; g < s->n_grids; g++)
    PetscCall(PetscArraycpy(s->backup[g], near_flow_state(s->grid[g]), state_size(s, g)));
  if (s->off_body != NULL) PetscCall(OffBodySave(s->off_body));
  s->passed_kept = s->passed;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode FlowRestore(Flow *s)
{
  PetscFunctionBeginUser;
  for (int g = 0; g < s->n_grids; g++)
    PetscCall(PetscArraycpy(near_flow_state(s->grid[g]), s->backup[g], state_size(s, g)));
  if (s->off_body != NULL) PetscCall(OffBodyRestore(s->off_body));
  s->passed = s->passed_kept;
  PetscCall(FlowBegin(s));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode advance_explicit(Flow *s, double dt, FlowVerdict *verdict)
{
  PetscFunctionBeginUser;
  PetscCall(FlowAdvanceExplicit(s, dt, verdict));
  for (int g = 0; g < s->n_grids; g++) {
    double passed;
    PetscCall(NearFlowTakePassed(s->grid[g], &passed));
    if (verdict->sound) s->passed += passed;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode FlowAdvance(Flow *s, const GridMotion motion[], double dt, FlowVerdict *verdict)
{
  PetscFunctionBeginUser;
  *verdict = (FlowVerdict){.sound = true};
  take_motion(s, motion);
  PetscCall(FlowSave(s));
  if (s->mixed)
    PetscCall(FlowAdvanceMixed(s, dt * s->units.speed, verdict));
  else if (s->implicit)
    PetscCall(ImplicitStep(s->solver, dt * s->units.speed, verdict));
  else
    PetscCall(advance_explicit(s, dt * s->units.speed, verdict));
  if (!verdict->sound) PetscCall(FlowRestore(s));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode FlowRewind(Flow *s)
{
  PetscFunctionBeginUser;
  PetscCall(FlowRestore(s));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode FlowAccept(Flow *s)
{
  PetscFunctionBeginUser;
  if (s->implicit) PetscCall(ImplicitAccept(s->solver));
  if (s->off_body != NULL) PetscCall(OffBodyAccept(s->off_body));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode FlowSettle(Flow *s, const GridMotion motion[], FlowVerdict *verdict)
{
  PetscFunctionBeginUser;
  const SteadyStartSpec *spec = &s->spec->steady_start;
  *verdict = (FlowVerdict){.sound = true};
  take_motion(s, motion);
  /* What is steady has one time: the forest takes part. */
  const bool mixed = s->mixed;
  s->mixed = false;
  if (mixed) PetscCall(RenewSolver(s));
  PetscCall(ImplicitSteady(s->solver, spec->iterations, spec->drop, verdict));
  s->mixed = mixed;
  if (mixed) PetscCall(RenewSolver(s));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The motion of the step is kept for what follows: this one is of an instant. */
static void swap_motion(Flow *s)
{
  GridMotion *motion = s->motion;
  s->motion = s->motion_other;
  s->motion_other = motion;
}

PetscErrorCode FlowLoads(Flow *s, const GridMotion motion[], GridLoads loads[])
{
  PetscFunctionBeginUser;
  swap_motion(s);
  take_motion(s, motion);
  PetscCall(FlowFillStage(s, 0, 0.0));
  for (int g = 0; g < s->n_grids; g++) {
    const NearMotion now = flow_motion_at(s, g, 0.0);
    GridLoads *l = &loads[g];
    PetscCall(NearFlowFluxes(s->grid[g], &now, NEAR_LIMIT_FRESH));
    PetscCall(NearFlowLoads(s->grid[g], &now, l));
    l->pressure_force = vec3_scale(s->units.force, l->pressure_force);
    l->friction_force = vec3_scale(s->units.force, l->friction_force);
    l->pressure_moment = vec3_scale(s->units.moment, l->pressure_moment);
    l->friction_moment = vec3_scale(s->units.moment, l->friction_moment);
  }
  swap_motion(s);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void widen(NearRange *all, const NearRange *one, const Units *units)
{
  all->rho_min = PetscMin(all->rho_min, one->rho_min * units->density);
  all->rho_max = PetscMax(all->rho_max, one->rho_max * units->density);
  all->p_min = PetscMin(all->p_min, one->p_min * units->pressure);
  all->p_max = PetscMax(all->p_max, one->p_max * units->pressure);
  all->mass += one->mass * units->density;
}

/* Cells times stages, and fallbacks, of all ranks and all invocations. */
static PetscErrorCode sum_counts(const Flow *s, double all[2])
{
  PetscFunctionBeginUser;
  GlobalId sum[2] = {0, 0};
  for (int g = 0; g < s->n_grids; g++) {
    const NearCounts counts = near_flow_counts(s->grid[g]);
    sum[0] += counts.cell_stages;
    sum[1] += counts.fallbacks;
  }
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, sum, 2, MPIU_INT64, MPI_SUM, s->comm));
  for (int k = 0; k < 2; k++) all[k] = s->counts[k] + (double)sum[k];
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Take the forest into what the grids have summed up. */
static PetscErrorCode AddOffBody(Flow *s, FlowSummary *all, double counts[2])
{
  PetscFunctionBeginUser;
  OffBodySummary off;
  PetscCall(OffBodySummarise(s->off_body, &off));
  const NearRange range = {off.rho_min, off.rho_max, off.p_min, off.p_max, off.total[0], 0.0};
  widen(&all->range, &range, &s->units);
  const double patch = off_body_patch(s->off_body);
  all->range.passed += off.passed * s->units.density;
  all->n_cells += off.cells;
  counts[0] += (double)off.patch_steps * patch * patch * patch;
  counts[1] += (double)off.fallbacks;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode FlowSummarise(Flow *s, FlowSummary *summary)
{
  PetscFunctionBeginUser;
  FlowSummary all = {.range = {INFINITY, -INFINITY, INFINITY, -INFINITY, 0.0, 0.0}};
  double counts[2];
  for (int g = 0; g < s->n_grids; g++) {
    NearRange range;
    PetscCall(NearFlowRange(s->grid[g], &range));
    widen(&all.range, &range, &s->units);
    all.n_cells += near_flow_grid(s->grid[g])->n_global;
  }
  all.range.passed = s->passed * s->units.density;
  PetscCall(sum_counts(s, counts));
  if (s->off_body != NULL) PetscCall(AddOffBody(s, &all, counts));
  all.fallback_share = counts[0] > 0.0 ? counts[1] / counts[0] : 0.0;
  *summary = all;
  PetscFunctionReturn(PETSC_SUCCESS);
}

int flow_levels(const Flow *s)
{
  return s->implicit ? 2 : 1;
}

int flow_forest_levels(const Flow *s)
{
  return s->implicit && !s->mixed ? 2 : 1;
}

double *flow_level(Flow *s, int g, int level)
{
  return level == 0 ? near_flow_state(s->grid[g]) : s->older[g];
}

/* Mass, counts and the last step's length, then the last twist of each grid. */
enum { OWN_NUMBERS = 5, TWIST_NUMBERS = 6 };

int flow_record_size(const Flow *s)
{
  return OWN_NUMBERS + TWIST_NUMBERS * s->n_grids;
}

PetscErrorCode FlowRecordGet(Flow *s, double record[])
{
  PetscFunctionBeginUser;
  record[0] = s->passed;
  record[1] = s->dt_old;
  PetscCall(sum_counts(s, record + 2));
  record[4] = s->passed_last;
  PetscCall(PetscArraycpy((Screw *)(record + OWN_NUMBERS), s->twist_old, s->n_grids));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode FlowRecordSet(Flow *s, const double record[])
{
  PetscFunctionBeginUser;
  s->passed = record[0];
  s->dt_old = record[1];
  s->counts[0] = record[2];
  s->counts[1] = record[3];
  s->passed_last = record[4];
  PetscCall(PetscArraycpy(s->twist_old, (const Screw *)(record + OWN_NUMBERS), s->n_grids));
  PetscCall(FlowBegin(s));
  PetscFunctionReturn(PETSC_SUCCESS);
}

int flow_variables(const Flow *s)
{
  return NEAR_VARS + (s->spec->equations == EQUATIONS_RANS);
}

int flow_n_grids(const Flow *s)
{
  return s->n_grids;
}

NearFlow *flow_grid(Flow *s, int g)
{
  return s->grid[g];
}

const FreeStream *flow_stream(const Flow *s)
{
  return &s->stream;
}

const Units *flow_units(const Flow *s)
{
  return &s->units;
}

OffBody *flow_off_body(Flow *s)
{
  return s->off_body;
}
