/*
 * The first-order Jacobian of a near-body grid in blocks of five.
 */
#include "flow/near_flow_impl.h"
#include "flow/near_jacobian_kernels.h"
#include "grid/cell_state.h"

#include <petscmat.h>

static void negate(double block[NEAR_BLOCK])
{
  for (int i = 0; i < NEAR_BLOCK; i++) block[i] = -block[i];
}

/* Is cell c computed? The others have nothing but a diagonal, yet keep their places in the matrix,
 * as they may be computed later. */
static bool is_computed(const NearArrays *a, LocalId c)
{
  return a->state == NULL || a->state[c] == STATE_FIELD;
}

/* Add two blocks to the row of cell c, if it is one of this rank. */
static PetscErrorCode add_row(const NearArrays *a, PetscInt first, LocalId c, LocalId other,
                              const double own[], const double beside[], Mat matrix)
{
  PetscFunctionBeginUser;
  static const double nothing[NEAR_BLOCK] = {0};
  const PetscInt row = first + c, column = first + other;
  const bool computed = is_computed(a, c);
  if (c >= a->n_own) PetscFunctionReturn(PETSC_SUCCESS);
  if (computed) PetscCall(MatSetValuesBlocked(matrix, 1, &row, 1, &row, own, ADD_VALUES));
  if (other < a->n_own)
    PetscCall(
        MatSetValuesBlocked(matrix, 1, &row, 1, &column, computed ? beside : nothing, ADD_VALUES));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What goes out of the left cell comes into the right one; halo cells have no row here. */
static PetscErrorCode add_face(const NearArrays *a, LocalId f, PetscInt first, double left[],
                               double right[], Mat matrix)
{
  PetscFunctionBeginUser;
  PetscCall(add_row(a, first, a->left[f], a->right[f], left, right, matrix));
  negate(left);
  negate(right);
  PetscCall(add_row(a, first, a->right[f], a->left[f], right, left, matrix));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode add_diagonal(const NearArrays *a, const double diagonal[], PetscInt first,
                                   Mat matrix)
{
  PetscFunctionBeginUser;
  for (LocalId c = 0; c < a->n_own; c++) {
    double block[NEAR_BLOCK] = {0};
    const PetscInt row = first + c;
    for (int i = 0; i < NEAR_VARS; i++) block[(NEAR_VARS + 1) * i] = diagonal[c];
    PetscCall(MatSetValuesBlocked(matrix, 1, &row, 1, &row, block, ADD_VALUES));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode NearFlowAssemble(NearFlow *s, const NearMotion *motion, const double diagonal[],
                                PetscInt first, Mat matrix)
{
  PetscFunctionBeginUser;
  const NearArrays *a = &s->arrays;
  double left[NEAR_BLOCK], right[NEAR_BLOCK];
  PetscCall(add_diagonal(a, diagonal, first, matrix));
  for (LocalId f = 0; f < a->n_interior; f++) {
    near_face_jacobian(a, &s->spec.gas, motion, s->spec.viscous, f, left, right);
    PetscCall(add_face(a, f, first, left, right, matrix));
  }
  for (int p = 0; p < s->grid->n_patches; p++) {
    const NearPatch *patch = &s->grid->patch[p];
    for (LocalId f = patch->first_face; f < patch->first_face + patch->n_faces; f++) {
      const PetscInt row = first + a->left[f];
      if (!is_computed(a, a->left[f])) continue;
      near_boundary_jacobian(a, &s->spec.gas, motion, near_beyond_of(s->spec.kind[p]),
                             &s->spec.stream, near_sticks(&s->spec, s->spec.kind[p]), f, left);
      PetscCall(MatSetValuesBlocked(matrix, 1, &row, 1, &row, left, ADD_VALUES));
    }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}
