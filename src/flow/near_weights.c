/*
 * Gradients by least squares: with differences dW_j to neighbours at d_j and weights 1/|d_j|^2,
 *
 *   g = M^-1 sum_j d_j dW_j / |d_j|^2,   M = sum_j d_j d_j^T / |d_j|^2.
 *
 * Only M^-1 is kept: its six numbers weigh less in memory than three for each neighbour. Cells
 * whose velocity sees more than the rest have weights w_j = M^-1 d_j / |d_j|^2 of their own.
 *
 * M has no dimension; a direction in which it has next to nothing (grids of one layer) gets no
 * gradient. Boundary faces do not count, with two exceptions: across a plane of symmetry the
 * cell's mirror image does, and for the velocity a wall to which the gas sticks does.
 */
#include "flow/near_flow_impl.h"

static Vec3 vector_at(const double *x, const double *y, const double *z, LocalId i)
{
  return vec3(x[i], y[i], z[i]);
}

/* Inverse of a symmetric matrix on the directions that it resolves. */
static Mat3 inverse_resolved(const Mat3 *m)
{
  const double resolved = 1e-6;
  Mat3 axes, inverse = {{{0}}};
  const Vec3 value = mat3_eigen_symmetric(m, &axes);
  for (int e = 0; e < 3; e++) {
    if (vec3_at(value, e) <= resolved * value.z) continue;
    for (int i = 0; i < 3; i++)
      for (int k = 0; k < 3; k++)
        inverse.m[i][k] += axes.m[i][e] * axes.m[k][e] / vec3_at(value, e);
  }
  return inverse;
}

/* M^-1 of n differences at d; one at zero counts for nothing. */
static Mat3 solve_inverse(int n, const Vec3 d[])
{
  Mat3 m = {{{0}}};
  for (int j = 0; j < n; j++) {
    const double d2 = vec3_norm2(d[j]);
    if (d2 == 0.0) continue;
    for (int i = 0; i < 3; i++)
      for (int k = 0; k < 3; k++) m.m[i][k] += vec3_at(d[j], i) * vec3_at(d[j], k) / d2;
  }
  return inverse_resolved(&m);
}

static void solve_weights(int n, const Vec3 d[], double weight[])
{
  const Mat3 inverse = solve_inverse(n, d);
  for (int j = 0; j < n; j++) {
    const double d2 = vec3_norm2(d[j]);
    const Vec3 w = vec3_scale(d2 > 0.0 ? 1.0 / d2 : 0.0, mat3_apply(&inverse, d[j]));
    weight[3 * j] = w.x;
    weight[3 * j + 1] = w.y;
    weight[3 * j + 2] = w.z;
  }
}

/* From a cell's centre to its mirror image behind face f. */
static Vec3 to_mirror(const NearGrid *g, LocalId c, LocalId f)
{
  const Vec3 n = vec3_unit(vector_at(g->sx, g->sy, g->sz, f));
  const Vec3 d = vec3_sub(vector_at(g->fx, g->fy, g->fz, f), vector_at(g->x, g->y, g->z, c));
  return vec3_scale(2.0 * vec3_dot(d, n), n);
}

/* What a cell sees behind a face, and where: for the velocity, or for the rest. */
static NearSight look(const NearGrid *g, const NearFlowSpec *spec, LocalId c, LocalId f,
                      bool velocity, Vec3 *d)
{
  const Vec3 here = vector_at(g->x, g->y, g->z, c);
  *d = vec3(0, 0, 0);
  if (f < g->n_interior) {
    const LocalId other = g->left[f] == c ? g->right[f] : g->left[f];
    *d = vec3_sub(vector_at(g->x, g->y, g->z, other), here);
    return NEAR_SEES_NEIGHBOR;
  }
  const BoundaryKind kind = spec->kind[near_patch_of(g, f)];
  if (kind == BOUNDARY_SYMMETRY) {
    *d = to_mirror(g, c, f);
    return NEAR_SEES_MIRROR;
  }
  if (velocity && near_sticks(spec, kind)) {
    *d = vec3_sub(vector_at(g->fx, g->fy, g->fz, f), here);
    return NEAR_SEES_WALL;
  }
  return NEAR_SEES_NEIGHBOR;
}

static PetscErrorCode make_special(const NearGrid *g, const NearFlowSpec *spec, LocalId c, Vec3 d[],
                                   NearSpecial *special)
{
  PetscFunctionBeginUser;
  const LocalId first = g->face_start[c], n = g->face_start[c + 1] - first;
  special->cell = c;
  PetscCall(PetscMalloc2(n, &special->sight, 3 * n, &special->weight));
  for (LocalId j = 0; j < n; j++)
    special->sight[j] = (unsigned char)look(g, spec, c, g->face[first + j], true, &d[j]);
  solve_weights(n, d, special->weight);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static bool is_special(const NearGrid *g, const NearFlowSpec *spec, LocalId c)
{
  Vec3 d;
  for (LocalId j = g->face_start[c]; j < g->face_start[c + 1]; j++)
    if (look(g, spec, c, g->face[j], true, &d) != NEAR_SEES_NEIGHBOR) return true;
  return false;
}

static PetscErrorCode make_specials(const NearGrid *g, const NearFlowSpec *spec, Vec3 d[],
                                    NearArrays *a)
{
  PetscFunctionBeginUser;
  LocalId n = 0;
  for (LocalId c = 0; c < g->n_own; c++) n += is_special(g, spec, c);
  a->n_special = n;
  if (n == 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscMalloc2(n, &a->special, g->n_own, &a->special_of));
  n = 0;
  for (LocalId c = 0; c < g->n_own; c++) {
    a->special_of[c] = is_special(g, spec, c) ? n++ : -1;
    if (a->special_of[c] >= 0)
      PetscCall(make_special(g, spec, c, d, &a->special[a->special_of[c]]));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The square of the steepest slope that changes a value by less than one at all faces. */
static double find_steepest(const NearGrid *g, LocalId c)
{
  double most = 0.0;
  for (LocalId j = g->face_start[c]; j < g->face_start[c + 1]; j++) {
    const Vec3 at = vector_at(g->fx, g->fy, g->fz, g->face[j]);
    const double d2 = vec3_norm2(vec3_sub(at, vector_at(g->x, g->y, g->z, c)));
    most = d2 > most ? d2 : most;
  }
  return 0.999 / most;
}

/* Neighbours, inverse and steepest slope of one cell; d is room for its faces. */
static void set_cell(const NearGrid *g, const NearFlowSpec *spec, LocalId c, Vec3 d[],
                     NearArrays *a)
{
  const LocalId first = g->face_start[c], n = g->face_start[c + 1] - first;
  for (LocalId j = 0; j < n; j++) {
    const LocalId f = g->face[first + j];
    a->neighbor[first + j] = f >= g->n_interior ? c : g->left[f] == c ? g->right[f] : g->left[f];
    look(g, spec, c, f, false, &d[j]);
  }
  const Mat3 m = solve_inverse(n, d);
  double *inverse = a->inverse + NEAR_INVERSE * (size_t)c;
  inverse[0] = m.m[0][0], inverse[1] = m.m[0][1], inverse[2] = m.m[0][2];
  inverse[3] = m.m[1][1], inverse[4] = m.m[1][2], inverse[5] = m.m[2][2];
  a->steepest[c] = find_steepest(g, c);
}

PetscErrorCode NearWeightsCreate(const NearGrid *g, const NearFlowSpec *spec, NearArrays *a)
{
  PetscFunctionBeginUser;
  LocalId most = 0;
  Vec3 *d;
  for (LocalId c = 0; c < g->n_own; c++)
    if (g->face_start[c + 1] - g->face_start[c] > most)
      most = g->face_start[c + 1] - g->face_start[c];
  PetscCall(PetscMalloc1(most, &d));
  PetscCall(PetscCalloc3(g->face_start[g->n_own] + NEAR_AHEAD, &a->neighbor,
                         NEAR_INVERSE * (size_t)g->n_own, &a->inverse, g->n_own, &a->steepest));
  for (LocalId c = 0; c < g->n_own; c++) set_cell(g, spec, c, d, a);
  PetscCall(make_specials(g, spec, d, a));
  PetscCall(PetscFree(d));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode NearWeightsDestroy(NearArrays *a)
{
  PetscFunctionBeginUser;
  for (LocalId s = 0; s < a->n_special; s++)
    PetscCall(PetscFree2(a->special[s].sight, a->special[s].weight));
  PetscCall(PetscFree2(a->special, a->special_of));
  PetscCall(PetscFree3(a->neighbor, a->inverse, a->steepest));
  PetscFunctionReturn(PETSC_SUCCESS);
}
