/*
 * The first-order Jacobian of a near-body grid in blocks of five.
 */
#include "flow/near_flow_impl.h"
#include "flow/near_jacobian_kernels.h"

#include <petscmat.h>

static void negate(double block[NEAR_BLOCK])
{
  for (int i = 0; i < NEAR_BLOCK; i++) block[i] = -block[i];
}

/* What goes out of the left cell comes into the right one; halo cells have no row here. */
static PetscErrorCode add_face(const NearArrays *a, LocalId f, PetscInt first, double left[],
                               double right[], Mat matrix)
{
  PetscFunctionBeginUser;
  const PetscInt l = first + a->left[f], r = first + a->right[f];
  const bool own_l = a->left[f] < a->n_own, own_r = a->right[f] < a->n_own;
  if (own_l) PetscCall(MatSetValuesBlocked(matrix, 1, &l, 1, &l, left, ADD_VALUES));
  if (own_l && own_r) PetscCall(MatSetValuesBlocked(matrix, 1, &l, 1, &r, right, ADD_VALUES));
  negate(left);
  negate(right);
  if (own_r) PetscCall(MatSetValuesBlocked(matrix, 1, &r, 1, &r, right, ADD_VALUES));
  if (own_l && own_r) PetscCall(MatSetValuesBlocked(matrix, 1, &r, 1, &l, left, ADD_VALUES));
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
      near_boundary_jacobian(a, &s->spec.gas, motion, near_beyond_of(s->spec.kind[p]),
                             &s->spec.stream, near_sticks(&s->spec, s->spec.kind[p]), f, left);
      PetscCall(MatSetValuesBlocked(matrix, 1, &row, 1, &row, left, ADD_VALUES));
    }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}
