/*
 * One surface for solids that overlap, and what it keeps of theirs.
 *
 * Solids are united one after the other. A part of a triangle keeps the smooth normals that the
 * triangle has at its corners, so that the curved patches of what is left do not change.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "geom/surface_check_impl.h"

/* New vertices nearer than this part of the body's size are one: far above the rounding of their
 * places, far below anything meant. */
#define SEAM_TOLERANCE 1e-10

/* The triangles of one solid, tagged with their numbers. */
static PetscErrorCode ExtractSolid(const Triangles *mesh, const int solid[], int which,
                                   Triangles *part)
{
  PetscFunctionBeginUser;
  int n = 0;
  for (int t = 0; t < mesh->n_triangles; t++) n += solid[t] == which;
  Triangles all = {0};
  PetscCall(TrianglesCreate(mesh->n_vertices, n, &all));
  PetscCall(PetscMalloc1(n, &all.tag));
  PetscCall(PetscArraycpy(all.vertex, mesh->vertex, mesh->n_vertices));
  n = 0;
  for (int t = 0; t < mesh->n_triangles; t++) {
    if (solid[t] != which) continue;
    PetscCall(PetscArraycpy(all.triangle[n], mesh->triangle[t], 3));
    all.tag[n++] = t;
  }
  PetscCall(TrianglesCopyUsed(&all, part));
  PetscCall(TrianglesDestroy(&all));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Both lists of triangles as one. */
static PetscErrorCode Append(Triangles *mesh, const Triangles *more)
{
  PetscFunctionBeginUser;
  const Triangles old = *mesh;
  PetscCall(TrianglesCreate(old.n_vertices + more->n_vertices, old.n_triangles + more->n_triangles,
                            mesh));
  PetscCall(PetscMalloc1(mesh->n_triangles, &mesh->tag));
  PetscCall(PetscArraycpy(mesh->vertex, old.vertex, old.n_vertices));
  PetscCall(PetscArraycpy(mesh->vertex + old.n_vertices, more->vertex, more->n_vertices));
  PetscCall(PetscArraycpy(mesh->triangle, old.triangle, old.n_triangles));
  PetscCall(PetscArraycpy(mesh->tag, old.tag, old.n_triangles));
  PetscCall(PetscArraycpy(mesh->tag + old.n_triangles, more->tag, more->n_triangles));
  for (int t = 0; t < more->n_triangles; t++)
    for (int k = 0; k < 3; k++)
      mesh->triangle[old.n_triangles + t][k] = more->triangle[t][k] + old.n_vertices;
  Triangles gone = old;
  PetscCall(TrianglesDestroy(&gone));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* All solids one after the other, then what cuts nothing. */
static PetscErrorCode UniteAll(const Triangles *mesh, const int solid[], Triangles *all, bool *done)
{
  PetscFunctionBeginUser;
  int n_solids = 0;
  for (int t = 0; t < mesh->n_triangles; t++) n_solids = PetscMax(n_solids, solid[t] + 1);
  *done = true;
  PetscCall(ExtractSolid(mesh, solid, 0, all));
  for (int s = 1; s < n_solids && *done; s++) {
    Triangles next = {0}, both = {0};
    PetscCall(ExtractSolid(mesh, solid, s, &next));
    PetscCall(TrianglesUnite(all, &next, &both, done));
    PetscCall(TrianglesDestroy(&next));
    if (!*done) continue;
    PetscCall(TrianglesDestroy(all));
    PetscCall(TrianglesCopyUsed(&both, all));
    PetscCall(TrianglesDestroy(&both));
  }
  Triangles rest = {0};
  PetscCall(ExtractSolid(mesh, solid, -1, &rest));
  if (rest.n_triangles > 0) PetscCall(Append(all, &rest));
  PetscCall(TrianglesDestroy(&rest));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The normal of a parent triangle at a point p of it. */
static Vec3 normal_within(const Surface *parent, int t, Vec3 p)
{
  const int *v = parent->triangle[t];
  Vec3 sum = {0.0, 0.0, 0.0};
  const Vec3 area = triangle_area2(parent->vertex, v);
  for (int k = 0; k < 3; k++) {
    const Vec3 a = parent->vertex[v[k]], b = parent->vertex[v[(k + 1) % 3]],
               c = parent->vertex[v[(k + 2) % 3]];
    if (vec3_distance(p, a) == 0.0) return parent->normal[t][k];
    const Vec3 part = vec3_cross(vec3_sub(b, p), vec3_sub(c, p));
    const double weight = vec3_dot(part, area);
    sum = vec3_axpy(sum, weight > 0.0 ? weight : 0.0, parent->normal[t][k]);
  }
  return vec3_norm2(sum) > 0.0 ? vec3_unit(sum) : vec3_unit(area);
}

static PetscErrorCode SurfaceFromParts(const Triangles *all, const Surface *parent,
                                       Surface **surface)
{
  PetscFunctionBeginUser;
  Vec3(*normal)[3] = NULL;
  PetscCall(PetscMalloc1(all->n_triangles, &normal));
  for (int t = 0; t < all->n_triangles; t++)
    for (int k = 0; k < 3; k++)
      normal[t][k] = normal_within(parent, all->tag[t], all->vertex[all->triangle[t][k]]);
  PetscCall(SurfaceCreate(all->n_vertices, all->vertex, all->n_triangles,
                          (const int(*)[3])all->triangle, (const Vec3(*)[3])normal, surface));
  PetscCall(PetscFree(normal));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Make one of what rounding holds apart; says whether the surface is closed then. */
static PetscErrorCode Tidy(Triangles *all, SurfaceReport *report, bool *closed)
{
  PetscFunctionBeginUser;
  SurfaceReport found = *report;
  Box box = box_empty();
  int n_welded;
  for (int v = 0; v < all->n_vertices; v++) box = box_add_point(box, all->vertex[v]);
  PetscCall(TrianglesWeld(all, box, SEAM_TOLERANCE * box_longest(box), &n_welded));
  PetscCall(TrianglesClean(all, &found));
  PetscCall(TrianglesJudgeEdges(all, &found));
  *closed =
      all->n_triangles > 0 && found.open.n == 0 && found.twisted.n == 0 && found.unbalanced.n == 0;
  if (!*closed) PetscFunctionReturn(PETSC_SUCCESS);
  report->area = found.area;
  report->longest_edge = found.longest_edge;
  report->shortest_edge = found.shortest_edge;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode TrianglesTrim(const Triangles *mesh, const int solid[], SurfaceReport *report,
                             Surface **surface)
{
  PetscFunctionBeginUser;
  Triangles all = {0};
  bool done = false;
  PetscCall(UniteAll(mesh, solid, &all, &done));
  if (done) PetscCall(Tidy(&all, report, &done));
  if (done) {
    Surface *parent = NULL;
    Triangles used = {0};
    PetscCall(SurfaceCreate(mesh->n_vertices, mesh->vertex, mesh->n_triangles,
                            (const int(*)[3])mesh->triangle, NULL, &parent));
    PetscCall(TrianglesCopyUsed(&all, &used));
    PetscCall(SurfaceFromParts(&used, parent, surface));
    PetscCall(TrianglesDestroy(&used));
    PetscCall(SurfaceDestroy(&parent));
    report->trimmed = true;
  }
  PetscCall(TrianglesDestroy(&all));
  PetscFunctionReturn(PETSC_SUCCESS);
}
