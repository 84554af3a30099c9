#include "overset/donor_cells.h"

#include "base/mat3.h"

static PetscErrorCode list_neighbours(DonorCells *d)
{
  PetscFunctionBeginUser;
  const NearGrid *g = d->grid;
  PetscCall(PetscMalloc1(g->n_own + 1, &d->first));
  PetscCall(PetscMalloc1(g->n_own > 0 ? g->face_start[g->n_own] : 0, &d->neighbour));
  LocalId n = 0;
  for (LocalId c = 0; c < g->n_own; c++) {
    d->first[c] = n;
    for (LocalId j = g->face_start[c]; j < g->face_start[c + 1]; j++) {
      const LocalId f = g->face[j];
      if (f < g->n_interior) d->neighbour[n++] = g->left[f] == c ? g->right[f] : g->left[f];
    }
  }
  d->first[g->n_own] = n;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void invert(const Mat3 *m, double inverse[6])
{
  const Vec3 a = vec3(m->m[0][0], m->m[0][1], m->m[0][2]);
  const Vec3 b = vec3(m->m[1][0], m->m[1][1], m->m[1][2]);
  const Vec3 c = vec3(m->m[2][0], m->m[2][1], m->m[2][2]);
  const Vec3 bc = vec3_cross(b, c), ca = vec3_cross(c, a), ab = vec3_cross(a, b);
  const double det = vec3_dot(a, bc), mean = (a.x + b.y + c.z) / 3.0;
  const double per = det > 1e-5 * mean * mean * mean ? 1.0 / det : 0.0;
  const double value[6] = {bc.x, bc.y, bc.z, ca.y, ca.z, ab.z};
  for (int i = 0; i < 6; i++) inverse[i] = per * value[i];
}

static void fit_cell(DonorCells *d, LocalId c)
{
  Mat3 m = {0};
  for (LocalId j = d->first[c]; j < d->first[c + 1]; j++) {
    const Vec3 r = vec3_sub(d->center[d->neighbour[j]], d->center[c]);
    const double at[3] = {r.x, r.y, r.z}, w = 1.0 / vec3_norm2(r);
    for (int i = 0; i < 3; i++)
      for (int k = 0; k < 3; k++) m.m[i][k] += w * at[i] * at[k];
  }
  invert(&m, d->inverse[c]);
}

PetscErrorCode DonorCellsCreate(const NearGrid *grid, DonorCells **cells)
{
  PetscFunctionBeginUser;
  DonorCells *d = NULL;
  PetscCall(PetscNew(&d));
  d->grid = grid;
  PetscCall(PetscMalloc1(grid->n_local, &d->center));
  for (LocalId c = 0; c < grid->n_local; c++)
    d->center[c] = vec3(grid->x[c], grid->y[c], grid->z[c]);
  PetscCall(list_neighbours(d));
  PetscCall(PetscMalloc1(grid->n_own, &d->inverse));
  for (LocalId c = 0; c < grid->n_own; c++) fit_cell(d, c);
  *cells = d;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode DonorCellsDestroy(DonorCells **cells)
{
  PetscFunctionBeginUser;
  if (*cells == NULL) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscFree((*cells)->center));
  PetscCall(PetscFree((*cells)->first));
  PetscCall(PetscFree((*cells)->neighbour));
  PetscCall(PetscFree((*cells)->inverse));
  PetscCall(PetscFree(*cells));
  PetscFunctionReturn(PETSC_SUCCESS);
}

size_t donor_cells_memory(const DonorCells *d)
{
  const LocalId n = d->grid->n_own;
  return (size_t)d->grid->n_local * sizeof *d->center + (size_t)(n + 1) * sizeof *d->first +
         (size_t)d->first[n] * sizeof *d->neighbour + (size_t)n * sizeof *d->inverse;
}
