/*
 * The first-order Jacobian of a near-body grid in blocks of five, or six with turbulence.
 */
#include "flow/near_flow_impl.h"
#include "flow/near_jacobian_kernels.h"
#include "grid/cell_state.h"

#include <petscmat.h>

/* Blocks of the gas grow by a row and a column where there is turbulence. */
enum { VARS_MOST = NEAR_VARS + 1, BLOCK_MOST = VARS_MOST * VARS_MOST };

typedef struct {
  NearFlow *flow;
  const NearMotion *motion;
  double scale; /* of the unknown of turbulence */
  int vars;
  PetscInt first;
  Mat matrix;
} Assembly;

/* The block of a flux from that of its gas, by conserved values of the gas; nu_tilde goes with the
 * mass, whose flux is the first row. */
static void widen(const Assembly *s, const double gas[NEAR_BLOCK], double carried, double own,
                  double block[])
{
  const int n = s->vars;
  for (int i = 0; i < NEAR_VARS; i++) {
    for (int k = 0; k < NEAR_VARS; k++) block[n * i + k] = gas[NEAR_VARS * i + k];
    if (n == NEAR_VARS) continue;
    block[n * i + NEAR_VARS] = 0.0;
    block[n * NEAR_VARS + i] = s->scale * carried * gas[i];
  }
  if (n > NEAR_VARS) block[n * n - 1] = own;
}

static void negate(int n, double block[])
{
  for (int i = 0; i < n * n; i++) block[i] = -block[i];
}

/* Is cell c computed? The others have nothing but a diagonal, yet keep their places in the matrix,
 * as they may be computed later. */
static bool is_computed(const NearArrays *a, LocalId c)
{
  return a->state == NULL || a->state[c] == STATE_FIELD;
}

/* Add two blocks to the row of cell c, if it is one of this rank. */
static PetscErrorCode add_row(const Assembly *s, LocalId c, LocalId other, const double own[],
                              const double beside[])
{
  PetscFunctionBeginUser;
  static const double nothing[BLOCK_MOST] = {0};
  const NearArrays *a = &s->flow->arrays;
  const PetscInt row = s->first + c, column = s->first + other;
  const bool computed = is_computed(a, c);
  if (c >= a->n_own) PetscFunctionReturn(PETSC_SUCCESS);
  if (computed) PetscCall(MatSetValuesBlocked(s->matrix, 1, &row, 1, &row, own, ADD_VALUES));
  if (other < a->n_own)
    PetscCall(MatSetValuesBlocked(s->matrix, 1, &row, 1, &column, computed ? beside : nothing,
                                  ADD_VALUES));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What goes out of the left cell comes into the right one; halo cells have no row here. */
static PetscErrorCode add_face(const Assembly *s, LocalId f, double left[], double right[])
{
  PetscFunctionBeginUser;
  const NearArrays *a = &s->flow->arrays;
  PetscCall(add_row(s, a->left[f], a->right[f], left, right));
  negate(s->vars, left);
  negate(s->vars, right);
  PetscCall(add_row(s, a->right[f], a->left[f], right, left));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode add_interior(const Assembly *s)
{
  PetscFunctionBeginUser;
  const NearArrays *a = &s->flow->arrays;
  const Gas *gas = &s->flow->spec.gas;
  double gas_left[NEAR_BLOCK], gas_right[NEAR_BLOCK], left[BLOCK_MOST], right[BLOCK_MOST];
  for (LocalId f = 0; f < a->n_interior; f++) {
    const NearSa *sa = s->flow->sa;
    double by[2] = {0.0, 0.0}, carried = 0.0;
    near_face_jacobian(a, gas, s->motion, s->flow->spec.viscous, f, gas_left, gas_right);
    if (sa != NULL) {
      near_sa_face_jacobian(a, gas, sa, f, by);
      carried = sa->nu_tilde[a->flux[NEAR_FLUX * (size_t)f] > 0.0 ? a->left[f] : a->right[f]];
    }
    widen(s, gas_left, carried, by[0], left);
    widen(s, gas_right, carried, by[1], right);
    PetscCall(add_face(s, f, left, right));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode add_patch(const Assembly *s, int p)
{
  PetscFunctionBeginUser;
  const NearFlow *flow = s->flow;
  const NearArrays *a = &flow->arrays;
  const NearPatch *patch = &flow->grid->patch[p];
  const NearBeyond beyond = near_beyond_of(flow->spec.kind[p]);
  const bool sticks = near_sticks(&flow->spec, flow->spec.kind[p]);
  double gas[NEAR_BLOCK], block[BLOCK_MOST];
  for (LocalId f = patch->first_face; f < patch->first_face + patch->n_faces; f++) {
    const PetscInt row = s->first + a->left[f];
    if (!is_computed(a, a->left[f])) continue;
    const bool leaves = a->flux[NEAR_FLUX * (size_t)f] > 0.0;
    double own = 0.0, carried = 0.0;
    near_boundary_jacobian(a, &flow->spec.gas, s->motion, beyond, &flow->spec.stream, sticks, f,
                           gas);
    if (flow->sa != NULL) {
      own = near_sa_boundary_jacobian(a, &flow->spec.gas, flow->sa, beyond, sticks, f);
      carried = leaves ? flow->sa->nu_tilde[a->left[f]] : flow->sa->far;
    }
    widen(s, gas, carried, own, block);
    PetscCall(MatSetValuesBlocked(s->matrix, 1, &row, 1, &row, block, ADD_VALUES));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode add_diagonal(const Assembly *s, const double diagonal[])
{
  PetscFunctionBeginUser;
  const NearFlow *flow = s->flow;
  for (LocalId c = 0; c < flow->arrays.n_own; c++) {
    double block[BLOCK_MOST] = {0};
    const PetscInt row = s->first + c;
    for (int i = 0; i < s->vars; i++) block[(s->vars + 1) * i] = diagonal[c];
    if (flow->sa != NULL)
      block[s->vars * s->vars - 1] +=
          flow->arrays.volume[c] *
          near_sa_restraint(&flow->arrays, &flow->spec.gas, s->motion, flow->sa, c);
    PetscCall(MatSetValuesBlocked(s->matrix, 1, &row, 1, &row, block, ADD_VALUES));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode NearFlowAssemble(NearFlow *flow, const NearMotion *motion, const double diagonal[],
                                double scale, PetscInt first, Mat matrix)
{
  PetscFunctionBeginUser;
  const Assembly s = {flow, motion, scale, near_flow_variables(flow), first, matrix};
  PetscCall(add_diagonal(&s, diagonal));
  PetscCall(add_interior(&s));
  for (int p = 0; p < flow->grid->n_patches; p++) PetscCall(add_patch(&s, p));
  PetscFunctionReturn(PETSC_SUCCESS);
}
