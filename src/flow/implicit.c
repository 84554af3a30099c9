/*
 * The equations, by cell: V (a0 U + known) + fluxes out = 0, with
 *
 *   BDF2         a0 = (1 + 2 w) / (1 + w) / dt,  known = (-(1 + w) U_n + w^2 / (1 + w) U_n-1) / dt,
 *                w = dt / dt_old; the first step has w = 0
 *   pseudo-time  a0 = 1 / dtau of the cell, known = -a0 U
 *
 * Limiters are held while Newton iterates, so the residual is smooth. Unknowns are the cells of all
 * near-body grids, then those of the forest.
 */
#include "flow/implicit.h"

#include "flow/flow_impl.h"
#include "flow/near_cell_kernels.h"
#include "flow/off_body_implicit.h"

#include <petscsnes.h>

struct Implicit {
  Flow *flow; /* borrowed */
  SNES snes;  /* owned, as all below */
  Vec x, residual, known;
  Mat product, first_order;
  PC near; /* with a forest: the preconditioner of the near-body unknowns alone */
  Vec near_in, near_out;
  double *a0;       /* one per cell of all grids and the forest */
  double *diagonal; /* a0 times volume */
  double *volume;
  NearMotion *motion;   /* of each grid at the end of the step */
  LocalId *first;       /* n_grids + 1: first cell of each grid in the vectors of this rank */
  LocalId n;            /* cells of all, the forest's behind those of the grids */
  PetscInt first_block; /* of this rank in the near-body matrix */
  bool unsound;         /* a state in the last solve was not sound */
  double dt, out;       /* of the step that may be accepted: its length, the mass that went out */
};

/* Where the forest's unknowns begin in the vectors of this rank. */
static LocalId forest_start(const Implicit *s)
{
  return NEAR_VARS * s->first[s->flow->n_grids];
}

/* Put the unknowns into the grids; are they all sound? */
static PetscErrorCode spread(Implicit *s, Vec x, bool *sound)
{
  PetscFunctionBeginUser;
  const double *value;
  GlobalId all = 0;
  PetscCall(VecGetArrayRead(x, &value));
  for (int g = 0; g < s->flow->n_grids; g++) {
    GlobalId bad;
    NearFlow *near = s->flow->grid[g];
    PetscCall(PetscArraycpy(near_flow_state(near), value + NEAR_VARS * s->first[g],
                            NEAR_VARS * (s->first[g + 1] - s->first[g])));
    PetscCall(NearFlowBegin(near, &bad));
    all += bad;
  }
  if (s->flow->off_body != NULL) {
    GlobalId bad;
    PetscCall(OffBodySpread(s->flow->off_body, value + forest_start(s), &bad));
    all += bad;
  }
  PetscCall(VecRestoreArrayRead(x, &value));
  *sound = all == 0;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode collect(Implicit *s, Vec x)
{
  PetscFunctionBeginUser;
  double *value;
  PetscCall(VecGetArray(x, &value));
  for (int g = 0; g < s->flow->n_grids; g++)
    PetscCall(PetscArraycpy(value + NEAR_VARS * s->first[g], near_flow_state(s->flow->grid[g]),
                            NEAR_VARS * (s->first[g + 1] - s->first[g])));
  if (s->flow->off_body != NULL) off_body_collect(s->flow->off_body, value + forest_start(s));
  PetscCall(VecRestoreArray(x, &value));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What is held on near-body grids has its like in the forest. */
static PatchHold hold_of(NearLimit limit)
{
  return limit == NEAR_LIMIT_FRESH  ? PATCH_FRESH
         : limit == NEAR_LIMIT_KEEP ? PATCH_KEEP
                                    : PATCH_HELD;
}

/* Fluxes out of the cells by volume, negated: what the flow alone does to them. */
static PetscErrorCode take_rates(Implicit *s, NearLimit limit, double rate[])
{
  PetscFunctionBeginUser;
  for (int g = 0; g < s->flow->n_grids; g++) {
    PetscCall(NearFlowFluxes(s->flow->grid[g], &s->motion[g], limit));
    PetscCall(NearFlowRate(s->flow->grid[g], rate + NEAR_VARS * s->first[g]));
  }
  if (s->flow->off_body != NULL)
    PetscCall(OffBodyRates(s->flow->off_body, hold_of(limit), rate + forest_start(s)));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* r <- V (a0 x + known - rate), with the rate in r. */
static PetscErrorCode finish_residual(Implicit *s, Vec x, double r[])
{
  PetscFunctionBeginUser;
  const double *value, *known;
  PetscCall(VecGetArrayRead(x, &value));
  PetscCall(VecGetArrayRead(s->known, &known));
  for (LocalId c = 0; c < s->n; c++)
    for (LocalId i = NEAR_VARS * c; i < NEAR_VARS * (c + 1); i++)
      r[i] = s->volume[c] * (s->a0[c] * value[i] + known[i] - r[i]);
  PetscCall(VecRestoreArrayRead(x, &value));
  PetscCall(VecRestoreArrayRead(s->known, &known));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Residual(SNES snes, Vec x, Vec residual, void *context)
{
  PetscFunctionBeginUser;
  Implicit *s = context;
  double *r;
  bool sound;
  PetscCall(spread(s, x, &sound));
  if (!sound) {
    s->unsound = true;
    PetscCall(SNESSetFunctionDomainError(snes));
    PetscCall(VecSet(residual, NAN));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(VecGetArray(residual, &r));
  PetscCall(take_rates(s, NEAR_LIMIT_HELD, r));
  PetscCall(finish_residual(s, x, r));
  PetscCall(VecRestoreArray(residual, &r));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Jacobian(SNES snes, Vec x, Mat product, Mat unused, void *context)
{
  PetscFunctionBeginUser;
  Implicit *s = context;
  bool sound;
  Mat first_order = s->first_order;
  (void)snes;
  (void)unused;
  PetscCall(spread(s, x, &sound));
  if (s->flow->off_body != NULL) off_body_linearise(s->flow->off_body);
  PetscCall(MatZeroEntries(first_order));
  for (int g = 0; g < s->flow->n_grids; g++) {
    for (LocalId c = s->first[g]; c < s->first[g + 1]; c++)
      s->diagonal[c] = s->a0[c] * s->volume[c];
    PetscCall(NearFlowAssemble(s->flow->grid[g], &s->motion[g], s->diagonal + s->first[g],
                               s->first_block + s->first[g], first_order));
  }
  PetscCall(MatAssemblyBegin(first_order, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(first_order, MAT_FINAL_ASSEMBLY));
  if (product != first_order) {
    PetscCall(MatAssemblyBegin(product, MAT_FINAL_ASSEMBLY));
    PetscCall(MatAssemblyEnd(product, MAT_FINAL_ASSEMBLY));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Apply the near-body preconditioner to its unknowns and symmetric sweeps to those of the forest:
 * what couples the two is left to the products with the residual. */
static PetscErrorCode ApplyBoth(PC pc, Vec in, Vec out)
{
  PetscFunctionBeginUser;
  Implicit *s;
  const double *r;
  double *x;
  PetscCall(PCShellGetContext(pc, &s));
  PetscCall(VecGetArrayRead(in, &r));
  PetscCall(VecGetArrayWrite(out, &x));
  if (s->near != NULL) {
    PetscCall(VecPlaceArray(s->near_in, r));
    PetscCall(VecPlaceArray(s->near_out, x));
    PetscCall(PCApply(s->near, s->near_in, s->near_out));
    PetscCall(VecResetArray(s->near_in));
    PetscCall(VecResetArray(s->near_out));
  }
  off_body_precondition(s->flow->off_body, s->a0 + s->first[s->flow->n_grids], r + forest_start(s),
                        x + forest_start(s));
  PetscCall(VecRestoreArrayRead(in, &r));
  PetscCall(VecRestoreArrayWrite(out, &x));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode SetUpBoth(PC pc)
{
  PetscFunctionBeginUser;
  Implicit *s;
  PetscCall(PCShellGetContext(pc, &s));
  if (s->near == NULL) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PCSetOperators(s->near, s->first_order, s->first_order));
  PetscCall(PCSetUp(s->near));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The part of an update that leaves enough density and pressure in a cell. */
static double safe_part(double gamma, const double u[], const double y[])
{
  const double most = 0.5;
  const double p = (gamma - 1.0) * (u[4] - 0.5 * (u[1] * u[1] + u[2] * u[2] + u[3] * u[3]) / u[0]);
  double part = fabs(y[0]) > most * u[0] ? most * u[0] / fabs(y[0]) : 1.0;
  for (int k = 0; k < 40; k++) {
    double v[NEAR_VARS];
    for (int i = 0; i < NEAR_VARS; i++) v[i] = u[i] - part * y[i];
    const double q =
        (gamma - 1.0) * (v[4] - 0.5 * (v[1] * v[1] + v[2] * v[2] + v[3] * v[3]) / v[0]);
    if (q > (1.0 - most) * p && q < (1.0 + 4.0 * most) * p) break;
    part *= 0.7;
  }
  return part;
}

/* Shorten an update that would empty a cell. */
static PetscErrorCode ShortenUpdate(SNESLineSearch search, Vec x, Vec y, PetscBool *changed,
                                    void *context)
{
  PetscFunctionBeginUser;
  Implicit *s = context;
  const double *u, *step;
  double part = 1.0;
  (void)search;
  PetscCall(VecGetArrayRead(x, &u));
  PetscCall(VecGetArrayRead(y, &step));
  for (LocalId c = 0; c < s->n; c++) {
    const double here = safe_part(s->flow->gas.gamma, u + NEAR_VARS * c, step + NEAR_VARS * c);
    part = here < part ? here : part;
  }
  PetscCall(VecRestoreArrayRead(x, &u));
  PetscCall(VecRestoreArrayRead(y, &step));
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &part, 1, MPI_DOUBLE, MPI_MIN, s->flow->comm));
  *changed = part < 1.0 ? PETSC_TRUE : PETSC_FALSE;
  if (part < 1.0) PetscCall(VecScale(y, part));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode make_vectors(Implicit *s)
{
  PetscFunctionBeginUser;
  Flow *flow = s->flow;
  PetscCall(PetscMalloc2(flow->n_grids + 1, &s->first, flow->n_grids, &s->motion));
  s->first[0] = 0;
  PetscInt faces = 0;
  for (int g = 0; g < flow->n_grids; g++) {
    const NearGrid *grid = near_flow_grid(flow->grid[g]);
    s->first[g + 1] = s->first[g] + grid->n_own;
    for (LocalId c = 0; c < grid->n_own; c++)
      faces = PetscMax(faces, grid->face_start[c + 1] - grid->face_start[c]);
    PetscCall(NearFlowHoldLimits(flow->grid[g]));
  }
  const LocalId n = s->first[flow->n_grids];
  s->n = n + (flow->off_body != NULL ? off_body_n_cells(flow->off_body) : 0);
  PetscCall(PetscCalloc3(s->n, &s->a0, s->n, &s->diagonal, s->n, &s->volume));
  for (int g = 0; g < flow->n_grids; g++)
    PetscCall(PetscArraycpy(s->volume + s->first[g], near_flow_grid(flow->grid[g])->volume,
                            s->first[g + 1] - s->first[g]));
  if (flow->off_body != NULL) off_body_volumes(flow->off_body, s->volume + n);
  PetscCall(VecCreateMPI(flow->comm, NEAR_VARS * s->n, PETSC_DETERMINE, &s->x));
  PetscCall(VecSetBlockSize(s->x, NEAR_VARS));
  PetscCall(VecDuplicate(s->x, &s->residual));
  PetscCall(VecDuplicate(s->x, &s->known));
  PetscCall(VecCreateMPIWithArray(flow->comm, NEAR_VARS, NEAR_VARS * n, PETSC_DETERMINE, NULL,
                                  &s->near_in));
  PetscCall(VecCreateMPIWithArray(flow->comm, NEAR_VARS, NEAR_VARS * n, PETSC_DETERMINE, NULL,
                                  &s->near_out));
  PetscInt first_row;
  PetscCall(VecGetOwnershipRange(s->near_in, &first_row, NULL));
  s->first_block = first_row / NEAR_VARS;
  PetscCall(MatCreateBAIJ(flow->comm, NEAR_VARS, NEAR_VARS * n, NEAR_VARS * n, PETSC_DETERMINE,
                          PETSC_DETERMINE, faces + 1, NULL, 0, NULL, &s->first_order));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* With a forest: two preconditioners side by side, the near-body one under -flow_near_. */
static PetscErrorCode make_shell(Implicit *s, PC pc)
{
  PetscFunctionBeginUser;
  PetscCall(PCSetType(pc, PCSHELL));
  PetscCall(PCShellSetContext(pc, s));
  PetscCall(PCShellSetApply(pc, ApplyBoth));
  PetscCall(PCShellSetSetUp(pc, SetUpBoth));
  if (s->flow->n_grids == 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PCCreate(s->flow->comm, &s->near));
  PetscCall(PCSetOptionsPrefix(s->near, "flow_near_"));
  PetscCall(PCSetType(s->near, PCBJACOBI));
  PetscCall(PCSetOperators(s->near, s->first_order, s->first_order));
  PetscCall(PCSetFromOptions(s->near));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Defaults that options may change. */
static PetscErrorCode make_solver(Implicit *s)
{
  PetscFunctionBeginUser;
  KSP ksp;
  PC pc;
  SNESLineSearch search;
  PetscCall(SNESCreate(s->flow->comm, &s->snes));
  PetscCall(SNESSetOptionsPrefix(s->snes, "flow_"));
  PetscCall(SNESSetFunction(s->snes, s->residual, Residual, s));
  PetscCall(MatCreateSNESMF(s->snes, &s->product));
  PetscCall(MatSetOptionsPrefix(s->product, "flow_"));
  PetscCall(MatMFFDSetType(s->product, MATMFFD_WP));
  PetscCall(MatSetFromOptions(s->product));
  Mat rough = s->flow->off_body == NULL ? s->first_order : s->product;
  PetscCall(SNESSetJacobian(s->snes, s->product, rough, Jacobian, s));
  PetscCall(SNESSetTolerances(s->snes, 1e-14, 1e-5, 0.0, 20, 100000));
  PetscCall(SNESSetMaxLinearSolveFailures(s->snes, PETSC_MAX_INT));
  PetscCall(SNESGetKSP(s->snes, &ksp));
  PetscCall(KSPSetType(ksp, KSPGMRES));
  PetscCall(KSPGMRESSetRestart(ksp, 60));
  PetscCall(KSPSetTolerances(ksp, 1e-2, PETSC_DEFAULT, PETSC_DEFAULT, 120));
  PetscCall(KSPGetPC(ksp, &pc));
  if (s->flow->off_body == NULL)
    PetscCall(PCSetType(pc, PCBJACOBI));
  else
    PetscCall(make_shell(s, pc));
  PetscCall(SNESGetLineSearch(s->snes, &search));
  PetscCall(SNESLineSearchSetType(search, SNESLINESEARCHBASIC));
  PetscCall(SNESLineSearchSetPreCheck(search, ShortenUpdate, s));
  PetscCall(SNESSetFromOptions(s->snes));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ImplicitCreate(Flow *flow, Implicit **implicit)
{
  PetscFunctionBeginUser;
  Implicit *s = NULL;
  PetscCall(PetscNew(&s));
  s->flow = flow;
  PetscCall(make_vectors(s));
  PetscCall(make_solver(s));
  *implicit = s;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ImplicitDestroy(Implicit **implicit)
{
  PetscFunctionBeginUser;
  Implicit *s = *implicit;
  if (s == NULL) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(SNESDestroy(&s->snes));
  PetscCall(MatDestroy(&s->product));
  PetscCall(MatDestroy(&s->first_order));
  PetscCall(VecDestroy(&s->x));
  PetscCall(VecDestroy(&s->residual));
  PetscCall(VecDestroy(&s->known));
  PetscCall(PCDestroy(&s->near));
  PetscCall(VecDestroy(&s->near_in));
  PetscCall(VecDestroy(&s->near_out));
  PetscCall(PetscFree3(s->a0, s->diagonal, s->volume));
  PetscCall(PetscFree2(s->first, s->motion));
  PetscCall(PetscFree(*implicit));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What a Newton solve did; limiters are taken from the state it starts from. */
static PetscErrorCode solve(Implicit *s, FlowVerdict *verdict, SNESConvergedReason *reason)
{
  PetscFunctionBeginUser;
  double *rate;
  PetscInt newton, linear;
  s->unsound = false;
  PetscCall(VecGetArray(s->residual, &rate));
  PetscCall(take_rates(s, NEAR_LIMIT_KEEP, rate));
  PetscCall(VecRestoreArray(s->residual, &rate));
  PetscCall(collect(s, s->x));
  PetscCall(SNESSolve(s->snes, NULL, s->x));
  PetscCall(SNESGetConvergedReason(s->snes, reason));
  PetscCall(SNESGetIterationNumber(s->snes, &newton));
  PetscCall(SNESGetLinearSolveIterations(s->snes, &linear));
  verdict->inner += newton;
  verdict->linear += linear;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Coefficients of the step, and the motion that goes with them: with the same weights as the
 * states, so that walls sweep what bodies displace. */
static PetscErrorCode begin_step(Implicit *s, double dt)
{
  PetscFunctionBeginUser;
  Flow *f = s->flow;
  const double w = f->dt_old > 0.0 ? dt / f->dt_old : 0.0, a = (1.0 + 2.0 * w) / (1.0 + w);
  double *known;
  PetscCall(VecGetArray(s->known, &known));
  for (int g = 0; g < f->n_grids; g++) {
    const double *now = near_flow_state(f->grid[g]), *older = f->older[g];
    double *to = known + NEAR_VARS * s->first[g];
    const LocalId n = s->first[g + 1] - s->first[g];
    for (LocalId i = 0; i < NEAR_VARS * n; i++)
      to[i] = (w * w / (1.0 + w) * older[i] - (1.0 + w) * now[i]) / dt;
    for (LocalId c = 0; c < n; c++) s->a0[s->first[g] + c] = a / dt;
    s->motion[g] = flow_motion_at(f, g, dt);
    s->motion[g].twist = screw_combine(a, f->motion[g].twist, -w / (1.0 + w), f->twist_old[g]);
  }
  for (LocalId c = s->first[f->n_grids]; c < s->n; c++) s->a0[c] = a / dt;
  if (f->off_body != NULL)
    off_body_known(f->off_body, -(1.0 + w) / dt, w * w / (1.0 + w) / dt, a / dt,
                   known + forest_start(s));
  PetscCall(VecRestoreArray(s->known, &known));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What has gone out of the grids in the step, for when it is accepted. */
static PetscErrorCode note_passed(Implicit *s, double dt)
{
  PetscFunctionBeginUser;
  Flow *f = s->flow;
  s->dt = dt;
  s->out = 0.0;
  for (int g = 0; g < f->n_grids; g++) {
    double passed;
    near_flow_note_passed(f->grid[g], dt);
    PetscCall(NearFlowTakePassed(f->grid[g], &passed));
    s->out += passed;
  }
  if (f->off_body == NULL) PetscFunctionReturn(PETSC_SUCCESS);
  double passing;
  PetscCall(OffBodyPassing(f->off_body, &passing));
  s->out += dt * passing;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The new state becomes the present, the present the old one. */
PetscErrorCode ImplicitAccept(Implicit *s)
{
  PetscFunctionBeginUser;
  Flow *f = s->flow;
  const double w = f->dt_old > 0.0 ? s->dt / f->dt_old : 0.0, a = (1.0 + 2.0 * w) / (1.0 + w);
  for (int g = 0; g < f->n_grids; g++) {
    PetscCall(
        PetscArraycpy(f->older[g], f->backup[g], NEAR_VARS * (s->first[g + 1] - s->first[g])));
    f->twist_old[g] = f->motion[g].twist;
  }
  if (f->off_body != NULL) off_body_age(f->off_body);
  f->passed_last = (s->out + w * w / (1.0 + w) * f->passed_last) / a;
  f->passed += f->passed_last;
  f->dt_old = s->dt;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The solver stops too when nothing is left but rounding: a small part of what a step moves. */
static PetscErrorCode set_floor(Implicit *s)
{
  PetscFunctionBeginUser;
  const double part = 1e-5;
  PetscReal rtol, stol;
  PetscInt most_steps, most_calls;
  double sum = 0.0;
  const double *u;
  PetscCall(collect(s, s->x));
  PetscCall(VecGetArrayRead(s->x, &u));
  for (LocalId c = 0; c < s->n; c++) {
    const double size = s->a0[c] * s->volume[c] * u[NEAR_VARS * c];
    sum += size * size;
  }
  PetscCall(VecRestoreArrayRead(s->x, &u));
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, s->flow->comm));
  PetscCall(SNESGetTolerances(s->snes, NULL, &rtol, &stol, &most_steps, &most_calls));
  PetscCall(
      SNESSetTolerances(s->snes, part * rtol * sqrt(sum), rtol, stol, most_steps, most_calls));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ImplicitStep(Implicit *s, double dt, FlowVerdict *verdict)
{
  PetscFunctionBeginUser;
  SNESConvergedReason reason;
  bool sound;
  PetscReal norm;
  PetscCall(begin_step(s, dt));
  PetscCall(set_floor(s));
  PetscCall(solve(s, verdict, &reason));
  PetscCall(SNESGetFunctionNorm(s->snes, &norm));
  verdict->residual = norm;
  PetscCall(spread(s, s->x, &sound));
  verdict->sound = sound && reason > 0 && isfinite(norm);
  if (verdict->sound) PetscCall(note_passed(s, dt));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The norm of the fluxes out of all cells, and pseudo-time steps for a Courant number. */
static PetscErrorCode begin_pseudo_step(Implicit *s, double courant, PetscReal *norm)
{
  PetscFunctionBeginUser;
  double *r;
  PetscCall(VecSet(s->known, 0.0));
  PetscCall(PetscArrayzero(s->a0, s->n));
  PetscCall(collect(s, s->x));
  PetscCall(VecGetArray(s->residual, &r));
  PetscCall(take_rates(s, NEAR_LIMIT_FRESH, r));
  PetscCall(finish_residual(s, s->x, r));
  PetscCall(VecRestoreArray(s->residual, &r));
  PetscCall(VecNorm(s->residual, NORM_2, norm));
  double *known;
  const double *u;
  for (int g = 0; g < s->flow->n_grids; g++)
    near_local_steps(near_flow_arrays(s->flow->grid[g]), s->a0 + s->first[g]);
  if (s->flow->off_body != NULL)
    off_body_local_steps(s->flow->off_body, s->a0 + s->first[s->flow->n_grids]);
  PetscCall(VecGetArray(s->known, &known));
  PetscCall(VecGetArrayRead(s->x, &u));
  for (LocalId c = 0; c < s->n; c++) {
    s->a0[c] = 1.0 / (courant * s->a0[c]);
    for (LocalId i = NEAR_VARS * c; i < NEAR_VARS * (c + 1); i++) known[i] = -s->a0[c] * u[i];
  }
  PetscCall(VecRestoreArrayRead(s->x, &u));
  PetscCall(VecRestoreArray(s->known, &known));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ImplicitSteady(Implicit *s, int iterations, double drop, FlowVerdict *verdict)
{
  PetscFunctionBeginUser;
  const double first_courant = 10.0, most_courant = 1e6, growth = 2.0, least_courant = 1e-2;
  PetscReal atol, rtol, stol, norm = 0.0, first = 0.0, before = 0.0;
  PetscInt most_steps, most_calls;
  double courant = first_courant;
  for (int g = 0; g < s->flow->n_grids; g++) s->motion[g] = flow_motion_at(s->flow, g, 0.0);
  PetscCall(SNESGetTolerances(s->snes, &atol, &rtol, &stol, &most_steps, &most_calls));
  PetscCall(SNESSetTolerances(s->snes, atol, rtol, stol, 1, most_calls));
  for (int k = 0; k <= iterations; k++) {
    SNESConvergedReason reason;
    bool sound;
    PetscCall(begin_pseudo_step(s, courant, &norm));
    if (k == 0) first = before = norm;
    verdict->residual = first > 0.0 ? norm / first : 0.0;
    if (norm <= drop * first || k == iterations || courant < least_courant) break;
    PetscCall(FlowSave(s->flow));
    PetscCall(solve(s, verdict, &reason));
    PetscCall(spread(s, s->x, &sound));
    if (!sound || s->unsound) PetscCall(FlowRestore(s->flow));
    /* Switched evolution: the step grows as the residual falls, and shrinks when it must. */
    courant *= !sound || s->unsound ? 0.1 : PetscMin(growth, PetscMax(0.5, before / norm * 1.5));
    courant = PetscMin(courant, most_courant);
    before = norm;
  }
  PetscCall(SNESSetTolerances(s->snes, atol, rtol, stol, most_steps, most_calls));
  verdict->sound = isfinite(norm) && courant >= least_courant;
  PetscFunctionReturn(PETSC_SUCCESS);
}
