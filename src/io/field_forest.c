/*
 * The cells of a forest as hexahedra, patch by patch; vertices are not shared between patches.
 */
#include "io/field_piece_impl.h"

static const PieceType hexa = PIECE_HEXA;

static void put_vertices(const Forest *forest, LocalId c, int n, FieldPiece *p)
{
  const int edge = n + 1, per_patch = edge * edge * edge;
  const PatchPlace place = forest_places(forest)[c];
  const Vec3 lo = forest_corner(forest, place);
  const double h = forest_spacing(forest, place.level);
  for (int v = 0; v < per_patch; v++) {
    double *x = p->x + (size_t)c * per_patch + v;
    x[0] = lo.x + v % edge * h;
    x[p->n_vertices] = lo.y + v / edge % edge * h;
    x[2 * (size_t)p->n_vertices] = lo.z + v / (edge * edge) * h;
  }
}

static void put_corners(LocalId c, int n, FieldPiece *p)
{
  const int edge = n + 1, up = edge * edge, cells = n * n * n;
  for (int i = 0; i < cells; i++) {
    const int x = i % n, y = i / n % n, z = i / (n * n);
    const int first = c * edge * up + (z * edge + y) * edge + x + 1;
    const int corner[8] = {first,      first + 1,      first + edge + 1,      first + edge,
                           first + up, first + up + 1, first + up + edge + 1, first + up + edge};
    for (int k = 0; k < 8; k++) p->corner[((size_t)c * cells + i) * 8 + k] = corner[k];
  }
}

void field_forest_values(const FieldForest *f, LocalId c, int i, double value[FOREST_VALUES])
{
  const Forest *forest = off_body_forest(f->flow);
  const int n = off_body_patch(f->flow), cells = n * n * n;
  const double *u = off_body_state(f->flow) + (size_t)c * PATCH_VARIABLES * cells + i;
  const uint8_t *states = off_body_states(f->flow);
  const Gas gas = {.gamma = f->gamma};
  const Conserved v = {u[0], {u[cells], u[2 * cells], u[3 * cells]}, u[4 * (size_t)cells]};
  const Primitive w = gas_primitive(&gas, v);
  const double now[FOREST_VALUES] = {w.rho * f->units->density,
                                     w.u.x * f->units->speed,
                                     w.u.y * f->units->speed,
                                     w.u.z * f->units->speed,
                                     w.p * f->units->pressure,
                                     gas_temperature(&gas, w) * f->units->temperature,
                                     vec3_norm(w.u) / gas_sound(&gas, w),
                                     states == NULL ? 0.0 : states[(size_t)c * cells + i],
                                     forest_places(forest)[c].level,
                                     forest_rank(forest)};
  for (int k = 0; k < FOREST_VALUES; k++) value[k] = now[k];
}

static void put_values(const FieldForest *f, LocalId c, int i, FieldPiece *p)
{
  const int n = off_body_patch(f->flow), cells = n * n * n;
  double value[FOREST_VALUES];
  field_forest_values(f, c, i, value);
  for (int k = 0; k < FOREST_VALUES; k++)
    p->value[(size_t)k * p->n_elements + (size_t)c * cells + i] = value[k];
}

PetscErrorCode FieldPieceForest(const FieldForest *f, FieldPiece *p)
{
  PetscFunctionBeginUser;
  const Forest *forest = off_body_forest(f->flow);
  const int n = off_body_patch(f->flow), cells = n * n * n;
  const LocalId patches = forest_n(forest);
  PetscCheck((double)patches * (n + 1) * (n + 1) * (n + 1) * 8 < INT32_MAX, PETSC_COMM_SELF,
             PETSC_ERR_SUP, "%d patches on one rank are too many for a field file", patches);
  *p = (FieldPiece){.n_values = FOREST_VALUES,
                    .n_vertices = patches * (n + 1) * (n + 1) * (n + 1),
                    .n_elements = patches * cells};
  p->n[hexa] = p->n_elements;
  p->n_corners[hexa] = 8 * p->n_elements;
  PetscCall(PetscMalloc1(3 * (size_t)p->n_vertices, &p->x));
  PetscCall(PetscMalloc1(p->n_corners[hexa], &p->corner));
  PetscCall(PetscMalloc1((size_t)FOREST_VALUES * p->n_elements, &p->value));
  for (LocalId c = 0; c < patches; c++) {
    put_vertices(forest, c, n, p);
    put_corners(c, n, p);
    for (int i = 0; i < cells; i++) put_values(f, c, i, p);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}
