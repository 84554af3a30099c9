/*
 * Which faces do the columns of a near-body grid stand on?
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "grid/wall_mesh.h"

#include "geom/divide.h"
#include "geom/primitive.h"

#include <stdlib.h>

/* Edges per length of a body where nothing else is said. */
#define WALL_MESH_PARTS 20.0

typedef struct {
  int low, high, way;
} Run;

static int compare_runs(const void *a, const void *b)
{
  const Run *p = a, *q = b;
  if (p->low != q->low) return p->low < q->low ? -1 : 1;
  if (p->high != q->high) return p->high < q->high ? -1 : 1;
  return p->way - q->way;
}

/* Every edge has to be run once each way. */
static PetscErrorCode CheckClosed(const WallMesh *mesh)
{
  PetscFunctionBeginUser;
  Run *run = NULL;
  int n = 0;
  PetscCall(PetscMalloc1(4 * (size_t)mesh->n_faces, &run));
  for (int f = 0; f < mesh->n_faces; f++) {
    const int m = face_corners(mesh->face[f]);
    for (int k = 0; k < m; k++) {
      const int a = mesh->face[f][k], b = mesh->face[f][(k + 1) % m];
      run[n++] = (Run){a < b ? a : b, a < b ? b : a, a < b ? 0 : 1};
    }
  }
  qsort(run, (size_t)n, sizeof(Run), compare_runs);
  int bad = n % 2 == 0 ? -1 : n - 1;
  for (int i = 0; i + 1 < n && bad < 0; i += 2) {
    const bool pair = run[i].low == run[i + 1].low && run[i].high == run[i + 1].high &&
                      run[i].way == 0 && run[i + 1].way == 1;
    const bool more = i + 2 < n && run[i].low == run[i + 2].low && run[i].high == run[i + 2].high;
    if (!pair || more) bad = i;
  }
  const Vec3 at = bad < 0 ? vec3(0, 0, 0) : mesh->vertex[run[bad].low];
  PetscCall(PetscFree(run));
  PetscCheck(bad < 0, PETSC_COMM_WORLD, CAROM_ERR_MESH,
             "no layers can grow from a surface that is open or touches itself along an edge, as "
             "at (%g, %g, %g)",
             at.x, at.y, at.z);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode WallMeshCreate(int n_vertices, const Vec3 vertex[], int n_faces, const int face[][4],
                              WallMesh **mesh)
{
  PetscFunctionBeginUser;
  WallMesh *m = NULL;
  PetscCall(PetscNew(&m));
  m->n_vertices = n_vertices;
  m->n_faces = n_faces;
  PetscCall(PetscMalloc2(n_vertices, &m->vertex, n_faces, &m->face));
  PetscCall(PetscArraycpy(m->vertex, vertex, n_vertices));
  for (int f = 0; f < n_faces; f++)
    for (int k = 0; k < 4; k++) m->face[f][k] = face[f][k];
  PetscCall(CheckClosed(m));
  *mesh = m;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode WallMeshDestroy(WallMesh **mesh)
{
  PetscFunctionBeginUser;
  if (*mesh == NULL) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscFree2((*mesh)->vertex, (*mesh)->face));
  PetscCall(PetscFree(*mesh));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The quad of two triangles that share an edge; false if they do not. */
static bool join_halves(const int a[3], const int b[3], int quad[4])
{
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      /* The edge from corner i of a is run backwards from corner j of b. */
      if (a[i] != b[(j + 1) % 3] || a[(i + 1) % 3] != b[j]) continue;
      const int joined[4] = {a[i], b[(j + 2) % 3], a[(i + 1) % 3], a[(i + 2) % 3]};
      for (int k = 0; k < 4; k++) quad[k] = joined[k];
      return true;
    }
  return false;
}

static int collect_faces(const Surface *s, int face[][4])
{
  int n = 0;
  for (int t = 0; t < s->n_triangles; t++, n++) {
    const bool half = s->half != NULL && s->half[t] && t + 1 < s->n_triangles;
    if (half && join_halves(s->triangle[t], s->triangle[t + 1], face[n])) {
      t++;
      continue;
    }
    for (int k = 0; k < 3; k++) face[n][k] = s->triangle[t][k];
    face[n][3] = -1;
  }
  return n;
}

PetscErrorCode WallMeshFromSurface(const Surface *surface, double spacing, WallMesh **mesh)
{
  PetscFunctionBeginUser;
  Surface *divided = NULL;
  int(*face)[4] = NULL;
  if (isfinite(spacing)) PetscCall(SurfaceDivide(surface, spacing, &divided));
  const Surface *s = divided != NULL ? divided : surface;
  PetscCall(PetscMalloc1(s->n_triangles, &face));
  const int n = collect_faces(s, face);
  PetscCall(WallMeshCreate(s->n_vertices, s->vertex, n, (const int(*)[4])face, mesh));
  PetscCall(PetscFree(face));
  PetscCall(SurfaceDestroy(&divided));
  PetscFunctionReturn(PETSC_SUCCESS);
}

ShapeSpec wall_mesh_shape(const ShapeSpec *shape)
{
  ShapeSpec fine = *shape;
  if (!isnan(shape->spacing)) return fine;
  const double longest = PetscMax(shape->size.x, PetscMax(shape->size.y, shape->size.z));
  if (shape->kind == SHAPE_BOX) fine.spacing = M_SQRT2 * longest / WALL_MESH_PARTS;
  if (shape_is_primitive(shape->kind) && shape->kind != SHAPE_BOX)
    fine.spacing = shape->radius / WALL_MESH_PARTS;
  return fine;
}

double wall_mesh_spacing(const ShapeSpec *shape, const Surface *surface)
{
  if (shape_is_primitive(shape->kind)) return INFINITY;
  if (!isnan(shape->spacing)) return shape->spacing;
  return surface->half != NULL ? INFINITY : box_longest(surface->box) / WALL_MESH_PARTS;
}
