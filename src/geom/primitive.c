/*
 * Who divides which primitive into triangles? Boxes are divided here.
 *
 * The faces of a box are lattices. Vertices are numbered by formula: the lower face, the rings
 * between, the upper face; so neighbours share theirs without any search.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "geom/primitive.h"

#include "geom/primitive_impl.h"

bool shape_is_primitive(ShapeKind kind)
{
  return kind >= SHAPE_SPHERE && kind <= SHAPE_CONE;
}

PetscErrorCode PrimitiveCheckCount(double n_triangles, double spacing)
{
  PetscFunctionBeginUser;
  /* Every rank makes the same surface, so one of them speaks. */
  PetscCheck(n_triangles <= SURFACE_MOST_TRIANGLES, PETSC_COMM_WORLD, PETSC_ERR_USER_INPUT,
             "shape.spacing: %g would make %.3g triangles (%.3g MB), at most %.3g are taken",
             spacing, n_triangles, n_triangles * SURFACE_BYTES_PER_TRIANGLE / 1e6,
             SURFACE_MOST_TRIANGLES);
  PetscFunctionReturn(PETSC_SUCCESS);
}

typedef struct {
  int n[3]; /* divisions along x, y, z */
  Vec3 size;
} BoxLattice;

/* Number of the lattice point (i, j, k) of the surface. */
static int lattice_vertex(const BoxLattice *b, const int at[3])
{
  const int nx = b->n[0], ny = b->n[1], nz = b->n[2];
  const int face = (nx + 1) * (ny + 1), ring = 2 * (nx + ny);
  const int i = at[0], j = at[1], k = at[2];
  if (k == 0) return j * (nx + 1) + i;
  if (k == nz) return face + (nz - 1) * ring + j * (nx + 1) + i;
  const int first = face + (k - 1) * ring;
  if (j == 0) return first + i;
  if (j == ny) return first + nx + 1 + i;
  return first + 2 * (nx + 1) + 2 * (j - 1) + (i == nx ? 1 : 0);
}

/* Symmetric about the middle, so that opposite faces mirror each other bit by bit. */
static double lattice_coordinate(int i, int n, double size)
{
  return 0.5 * size * ((double)(2 * i - n) / n);
}

static int place_vertex(const BoxLattice *b, const int at[3], Surface *s)
{
  const int v = lattice_vertex(b, at);
  s->vertex[v] = vec3(lattice_coordinate(at[0], b->n[0], b->size.x),
                      lattice_coordinate(at[1], b->n[1], b->size.y),
                      lattice_coordinate(at[2], b->n[2], b->size.z));
  return v;
}

/* The face across one axis, at its lower or upper end. */
static void fill_face(const BoxLattice *b, int axis, bool upper, Surface *s)
{
  const int p = (axis + 1) % 3, q = (axis + 2) % 3;
  const double sign = upper ? 1.0 : -1.0;
  const Vec3 out = vec3(axis == 0 ? sign : 0, axis == 1 ? sign : 0, axis == 2 ? sign : 0);
  for (int j = 0; j < b->n[q]; j++) {
    for (int i = 0; i < b->n[p]; i++) {
      int corner[4];
      for (int c = 0; c < 4; c++) {
        int at[3];
        at[axis] = upper ? b->n[axis] : 0;
        at[p] = i + (c == 1 || c == 2);
        at[q] = j + (c >= 2);
        corner[upper ? c : 3 - c] = place_vertex(b, at, s);
      }
      triangle_set(s->triangle[s->n_triangles++], corner[0], corner[1], corner[2]);
      triangle_set(s->triangle[s->n_triangles++], corner[0], corner[2], corner[3]);
      for (int k = 0; k < 6; k++) s->normal[s->n_triangles - 2 + k / 3][k % 3] = out;
    }
  }
}

static PetscErrorCode BoxSurfaceCreate(const ShapeSpec *spec, Surface **surface)
{
  PetscFunctionBeginUser;
  /* The diagonal of a lattice square is its longest edge; the margin is for rounding. */
  const double step = isnan(spec->spacing) ? INFINITY : spec->spacing / (M_SQRT2 * (1.0 + 1e-12));
  double n[3];
  for (int d = 0; d < 3; d++) n[d] = ceil(PetscMax(1.0, vec3_at(spec->size, d) / step));
  const double n_triangles = 4.0 * (n[0] * n[1] + n[1] * n[2] + n[0] * n[2]);
  PetscCall(PrimitiveCheckCount(n_triangles, spec->spacing));

  const BoxLattice lattice = {{(int)n[0], (int)n[1], (int)n[2]}, spec->size};
  PetscCall(SurfaceAllocate((int)n_triangles / 2 + 2, (int)n_triangles, surface));
  (*surface)->n_triangles = 0;
  PetscCall(PetscMalloc1((int)n_triangles, &(*surface)->half));
  for (int t = 0; t < (int)n_triangles; t++) (*surface)->half[t] = t % 2 == 0;
  for (int axis = 0; axis < 3; axis++) {
    fill_face(&lattice, axis, false, *surface);
    fill_face(&lattice, axis, true, *surface);
  }
  (*surface)->box = surface_box(*surface);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode PrimitiveCreate(const ShapeSpec *spec, Surface **surface)
{
  PetscFunctionBeginUser;
  PetscCheck(shape_is_primitive(spec->kind), PETSC_COMM_SELF, PETSC_ERR_ARG_OUTOFRANGE,
             "shape kind %d is no primitive", (int)spec->kind);
  if (spec->kind == SHAPE_SPHERE)
    PetscCall(IcosphereCreate(spec, surface));
  else if (spec->kind == SHAPE_BOX)
    PetscCall(BoxSurfaceCreate(spec, surface));
  else
    PetscCall(RevolvedCreate(spec, surface));
  PetscFunctionReturn(PETSC_SUCCESS);
}
