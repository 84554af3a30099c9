/*
 * The Newton-Krylov solve of a step or pseudo-step: matrix-free products with the residual of all
 * grids together, preconditioned by the first-order Jacobian on near-body grids and by sweeps in
 * the forest. Limiters are held while Newton iterates, so the residual is smooth. Cells that
 * receive are filled from the unknowns whenever fluxes are taken, so products with the residual
 * see how grids hang together; for their own unknowns it says that they stay as they are.
 */
#include "flow/implicit_impl.h"

#include "flow/near_cell_kernels.h"
#include "flow/off_body_implicit.h"
#include "flow/row.h"

void implicit_pack(const Implicit *s, int g, const double state[], double x[])
{
  const LocalId n = s->first[g + 1] - s->first[g];
  const double *turbulence = state + NEAR_VARS * n;
  double *to = x + s->vars * s->first[g];
  for (LocalId c = 0; c < n; c++) {
    for (int i = 0; i < NEAR_VARS; i++) to[s->vars * c + i] = state[NEAR_VARS * c + i];
    if (s->vars > NEAR_VARS) to[s->vars * c + NEAR_VARS] = s->scale * turbulence[c];
  }
}

void implicit_unpack(const Implicit *s, int g, const double x[], double state[])
{
  const LocalId n = s->first[g + 1] - s->first[g];
  double *turbulence = state + NEAR_VARS * n;
  const double *from = x + s->vars * s->first[g], per_scale = 1.0 / s->scale;
  for (LocalId c = 0; c < n; c++) {
    for (int i = 0; i < NEAR_VARS; i++) state[NEAR_VARS * c + i] = from[s->vars * c + i];
    if (s->vars > NEAR_VARS) turbulence[c] = per_scale * from[s->vars * c + NEAR_VARS];
  }
}

PetscErrorCode ImplicitSpread(Implicit *s, Vec x, bool *sound)
{
  PetscFunctionBeginUser;
  const double *value;
  GlobalId all = 0;
  PetscCall(VecGetArrayRead(x, &value));
  for (int g = 0; g < s->flow->n_grids; g++) {
    GlobalId bad;
    NearFlow *near = s->flow->grid[g];
    implicit_unpack(s, g, value, near_flow_state(near));
    PetscCall(NearFlowBegin(near, &bad));
    all += bad;
  }
  if (implicit_forest(s) != NULL) {
    GlobalId bad;
    PetscCall(OffBodySpread(implicit_forest(s), value + implicit_forest_start(s), &bad));
    all += bad;
  }
  PetscCall(VecRestoreArrayRead(x, &value));
  *sound = all == 0;
  if (*sound) PetscCall(FlowFillStage(s->flow, 0, s->time));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ImplicitCollect(Implicit *s, Vec x)
{
  PetscFunctionBeginUser;
  double *value;
  PetscCall(VecGetArray(x, &value));
  for (int g = 0; g < s->flow->n_grids; g++)
    implicit_pack(s, g, near_flow_state(s->flow->grid[g]), value);
  if (implicit_forest(s) != NULL)
    off_body_collect(implicit_forest(s), value + implicit_forest_start(s));
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

PetscErrorCode ImplicitTakeRates(Implicit *s, NearLimit limit, double rate[])
{
  PetscFunctionBeginUser;
  if (s->frozen) limit = NEAR_LIMIT_HELD;
  for (int g = 0; g < s->flow->n_grids; g++) {
    PetscCall(NearFlowFluxes(s->flow->grid[g], &s->motion[g], limit));
    PetscCall(NearFlowRate(s->flow->grid[g], s->apart));
    implicit_pack(s, g, s->apart, rate);
  }
  if (implicit_forest(s) != NULL)
    PetscCall(OffBodyRates(implicit_forest(s), hold_of(limit), rate + implicit_forest_start(s)));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ImplicitFinishResidual(Implicit *s, Vec x, double r[])
{
  PetscFunctionBeginUser;
  const double *value, *known;
  PetscCall(VecGetArrayRead(x, &value));
  PetscCall(VecGetArrayRead(s->known, &known));
  for (LocalId c = 0; c < s->n; c++)
    for (LocalId i = s->vars * c; i < s->vars * (c + 1); i++)
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
  PetscCall(ImplicitSpread(s, x, &sound));
  if (!sound) {
    s->unsound = true;
    PetscCall(SNESSetFunctionDomainError(snes));
    PetscCall(VecSet(residual, NAN));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(VecGetArray(residual, &r));
  PetscCall(ImplicitTakeRates(s, NEAR_LIMIT_HELD, r));
  PetscCall(ImplicitFinishResidual(s, x, r));
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
  PetscCall(ImplicitSpread(s, x, &sound));
  if (implicit_forest(s) != NULL) off_body_linearise(implicit_forest(s));
  PetscCall(MatZeroEntries(first_order));
  for (int g = 0; g < s->flow->n_grids; g++) {
    for (LocalId c = s->first[g]; c < s->first[g + 1]; c++)
      s->diagonal[c] = s->a0[c] * s->volume[c];
    PetscCall(NearFlowAssemble(s->flow->grid[g], &s->motion[g], s->diagonal + s->first[g], s->scale,
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
  off_body_precondition(implicit_forest(s), s->a0 + s->first[s->flow->n_grids],
                        r + implicit_forest_start(s), x + implicit_forest_start(s));
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
    const double here = safe_part(s->flow->gas.gamma, u + s->vars * c, step + s->vars * c);
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
  LocalId most = 0;
  for (int g = 0; g < flow->n_grids; g++) {
    const NearGrid *grid = near_flow_grid(flow->grid[g]);
    s->first[g + 1] = s->first[g] + grid->n_own;
    for (LocalId c = 0; c < grid->n_own; c++)
      faces = PetscMax(faces, grid->face_start[c + 1] - grid->face_start[c]);
    most = PetscMax(most, grid->n_own);
    PetscCall(NearFlowHoldLimits(flow->grid[g]));
  }
  const LocalId n = s->first[flow->n_grids];
  s->n = n + (implicit_forest(s) != NULL ? off_body_n_cells(implicit_forest(s)) : 0);
  PetscCall(PetscMalloc1(s->vars * most + ROW_PAD, &s->apart));
  PetscCall(PetscCalloc3(s->n, &s->a0, s->n, &s->diagonal, s->n, &s->volume));
  for (int g = 0; g < flow->n_grids; g++)
    PetscCall(PetscArraycpy(s->volume + s->first[g], near_flow_grid(flow->grid[g])->volume,
                            s->first[g + 1] - s->first[g]));
  if (implicit_forest(s) != NULL) off_body_volumes(implicit_forest(s), s->volume + n);
  PetscCall(VecCreateMPI(flow->comm, s->vars * s->n, PETSC_DETERMINE, &s->x));
  PetscCall(VecSetBlockSize(s->x, s->vars));
  PetscCall(VecDuplicate(s->x, &s->residual));
  PetscCall(VecDuplicate(s->x, &s->known));
  PetscCall(
      VecCreateMPIWithArray(flow->comm, s->vars, s->vars * n, PETSC_DETERMINE, NULL, &s->near_in));
  PetscCall(
      VecCreateMPIWithArray(flow->comm, s->vars, s->vars * n, PETSC_DETERMINE, NULL, &s->near_out));
  PetscInt first_row;
  PetscCall(VecGetOwnershipRange(s->near_in, &first_row, NULL));
  s->first_block = first_row / s->vars;
  PetscCall(MatCreateBAIJ(flow->comm, s->vars, s->vars * n, s->vars * n, PETSC_DETERMINE,
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

/* An option that is set unless it was given. */
static PetscErrorCode set_default(const char *name, const char *value)
{
  PetscFunctionBeginUser;
  PetscBool given;
  PetscCall(PetscOptionsHasName(NULL, NULL, name, &given));
  if (!given) PetscCall(PetscOptionsSetValue(NULL, name, value));
  /* Asked for, so that it is not taken for one that nothing uses. */
  PetscCall(PetscOptionsHasName(NULL, NULL, name, &given));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Defaults that options may change. */
static PetscErrorCode make_solver(Implicit *s)
{
  PetscFunctionBeginUser;
  KSP ksp;
  PC pc;
  SNESLineSearch search;
  /* The curve of the cells is a poor order for factors: neighbours across thin layers are far. */
  PetscCall(set_default("-flow_sub_pc_factor_mat_ordering_type", "rcm"));
  PetscCall(set_default("-flow_near_sub_pc_factor_mat_ordering_type", "rcm"));
  PetscCall(SNESCreate(s->flow->comm, &s->snes));
  PetscCall(SNESSetOptionsPrefix(s->snes, "flow_"));
  PetscCall(SNESSetFunction(s->snes, s->residual, Residual, s));
  PetscCall(MatCreateSNESMF(s->snes, &s->product));
  PetscCall(MatSetOptionsPrefix(s->product, "flow_"));
  PetscCall(MatMFFDSetType(s->product, MATMFFD_WP));
  PetscCall(MatSetFromOptions(s->product));
  Mat rough = implicit_forest(s) == NULL ? s->first_order : s->product;
  PetscCall(SNESSetJacobian(s->snes, s->product, rough, Jacobian, s));
  PetscCall(SNESSetTolerances(s->snes, 1e-14, 1e-5, 0.0, 20, 100000));
  PetscCall(SNESSetMaxLinearSolveFailures(s->snes, PETSC_MAX_INT));
  PetscCall(SNESGetKSP(s->snes, &ksp));
  PetscCall(KSPSetType(ksp, KSPGMRES));
  PetscCall(KSPGMRESSetRestart(ksp, 60));
  PetscCall(KSPSetTolerances(ksp, 1e-2, PETSC_DEFAULT, PETSC_DEFAULT, 120));
  PetscCall(KSPGetPC(ksp, &pc));
  if (implicit_forest(s) == NULL)
    PetscCall(PCSetType(pc, PCBJACOBI));
  else
    PetscCall(make_shell(s, pc));
  PetscCall(SNESGetLineSearch(s->snes, &search));
  PetscCall(
      SNESLineSearchSetType(search, s->vars > NEAR_VARS ? SNESLINESEARCHBT : SNESLINESEARCHBASIC));
  PetscCall(SNESLineSearchSetPreCheck(search, ShortenUpdate, s));
  PetscCall(SNESSetFromOptions(s->snes));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ImplicitCreate(Flow *flow, Implicit **implicit)
{
  PetscFunctionBeginUser;
  const double turbulent = 100.0; /* nu_tilde of a boundary layer over that far away */
  Implicit *s = NULL;
  PetscCall(PetscNew(&s));
  s->flow = flow;
  s->vars = flow_variables(flow);
  s->scale = 1.0;
  if (s->vars > NEAR_VARS) s->scale = 1.0 / (turbulent * sa_far(&flow->gas, &flow->initial.stream));
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
  PetscCall(PetscFree(s->apart));
  PetscCall(PetscFree(*implicit));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ImplicitSolve(Implicit *s, FlowVerdict *verdict, SNESConvergedReason *reason)
{
  PetscFunctionBeginUser;
  double *rate;
  PetscInt newton, linear;
  s->unsound = false;
  PetscCall(VecGetArray(s->residual, &rate));
  PetscCall(ImplicitTakeRates(s, NEAR_LIMIT_KEEP, rate));
  PetscCall(VecRestoreArray(s->residual, &rate));
  PetscCall(ImplicitCollect(s, s->x));
  PetscCall(SNESSolve(s->snes, NULL, s->x));
  PetscCall(SNESGetConvergedReason(s->snes, reason));
  PetscCall(SNESGetIterationNumber(s->snes, &newton));
  PetscCall(SNESGetLinearSolveIterations(s->snes, &linear));
  verdict->inner += newton;
  verdict->linear += linear;
  PetscFunctionReturn(PETSC_SUCCESS);
}
