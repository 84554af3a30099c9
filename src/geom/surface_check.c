/*
 * The stages of a check in order. The words for what is found are in surface_report.c.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "geom/surface_check.h"

#include "geom/surface_check_impl.h"

static bool vertex_is_sane(Vec3 p)
{
  const double most = SURFACE_MOST_COORDINATE;
  return fabs(p.x) <= most && fabs(p.y) <= most && fabs(p.z) <= most;
}

static bool all_finite(const Triangles *mesh, SurfaceReport *report)
{
  for (int t = 0; t < mesh->n_triangles; t++) {
    bool sane = true;
    for (int k = 0; k < 3; k++) sane = sane && vertex_is_sane(mesh->vertex[mesh->triangle[t][k]]);
    if (!sane && report->n_not_finite++ == 0) report->first_not_finite = t;
  }
  return report->n_not_finite == 0;
}

/* The box of vertices that triangles use. */
static Box used_box(const Triangles *mesh)
{
  Box box = box_empty();
  for (int t = 0; t < mesh->n_triangles; t++)
    for (int k = 0; k < 3; k++) box = box_add_point(box, mesh->vertex[mesh->triangle[t][k]]);
  return box;
}

PetscErrorCode TrianglesCopyUsed(const Triangles *from, Triangles *to)
{
  PetscFunctionBeginUser;
  int *of = NULL, n = 0;
  PetscCall(PetscMalloc1(from->n_vertices, &of));
  for (int v = 0; v < from->n_vertices; v++) of[v] = -1;
  for (int t = 0; t < from->n_triangles; t++)
    for (int k = 0; k < 3; k++)
      if (of[from->triangle[t][k]] < 0) of[from->triangle[t][k]] = n++;
  PetscCall(TrianglesCreate(n, from->n_triangles, to));
  for (int v = 0; v < from->n_vertices; v++)
    if (of[v] >= 0) to->vertex[of[v]] = from->vertex[v];
  for (int t = 0; t < from->n_triangles; t++)
    for (int k = 0; k < 3; k++) to->triangle[t][k] = of[from->triangle[t][k]];
  if (from->tag != NULL) {
    PetscCall(PetscMalloc1(from->n_triangles, &to->tag));
    PetscCall(PetscArraycpy(to->tag, from->tag, from->n_triangles));
  }
  PetscCall(PetscFree(of));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void judge_edge(const Triangles *mesh, const EdgeTable *edges, int e, SurfaceReport *report)
{
  const int(*triangle)[3] = (const int(*)[3])mesh->triangle;
  const int first = edges->start[e], n = edges->start[e + 1] - first;
  const Vec3 a = mesh->vertex[use_from(triangle, edges->use[first])];
  const Vec3 b = mesh->vertex[use_to(triangle, edges->use[first])];
  const Vec3 at = vec3_scale(0.5, vec3_add(a, b));
  int net = 0;
  for (int i = first; i < first + n; i++)
    net += use_from(triangle, edges->use[i]) < use_to(triangle, edges->use[i]) ? 1 : -1;
  if (n == 1)
    finding_add(&report->open, at);
  else if (n == 2 && net != 0)
    finding_add(&report->twisted, at);
  else if (net != 0)
    finding_add(&report->unbalanced, at);

  const double length = vec3_distance(a, b);
  report->longest_edge = PetscMax(report->longest_edge, length);
  report->shortest_edge = PetscMin(report->shortest_edge, length);
}

PetscErrorCode TrianglesJudgeEdges(const Triangles *mesh, SurfaceReport *report)
{
  PetscFunctionBeginUser;
  EdgeTable edges;
  PetscCall(EdgeTableCreate(mesh->n_vertices, mesh->n_triangles, (const int(*)[3])mesh->triangle,
                            &edges));
  report->open.n = report->twisted.n = report->unbalanced.n = 0;
  report->shortest_edge = INFINITY;
  report->longest_edge = report->area = 0.0;
  for (int e = 0; e < edges.n_edges; e++) judge_edge(mesh, &edges, e, report);
  for (int t = 0; t < mesh->n_triangles; t++)
    report->area += 0.5 * vec3_norm(triangle_area2(mesh->vertex, mesh->triangle[t]));
  PetscCall(EdgeTableDestroy(&edges));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Which triangles were quads is still known if none of them has left. */
static PetscErrorCode KeepHalves(const Triangles *from, Surface *surface)
{
  PetscFunctionBeginUser;
  if (from->half == NULL || from->n_triangles != surface->n_triangles)
    PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscMalloc1(surface->n_triangles, &surface->half));
  PetscCall(PetscArraycpy(surface->half, from->half, surface->n_triangles));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SurfaceCheck(const Triangles *triangles, double tolerance, SurfaceReport *report,
                            Surface **surface)
{
  PetscFunctionBeginUser;
  *report = (SurfaceReport){.n_given = triangles->n_triangles};
  *surface = NULL;
  if (triangles->n_triangles == 0 || !all_finite(triangles, report))
    PetscFunctionReturn(PETSC_SUCCESS);

  Triangles mesh = {0};
  PetscCall(TrianglesCopyUsed(triangles, &mesh));
  const Box box = used_box(&mesh);
  report->tolerance = isnan(tolerance) ? SURFACE_WELD_TOLERANCE * box_longest(box) : tolerance;
  PetscCall(TrianglesWeld(&mesh, box, report->tolerance, &report->n_welded));
  PetscCall(TrianglesClean(&mesh, report));
  PetscCall(TrianglesJudgeEdges(&mesh, report));
  int *solid = NULL;
  const bool closed = report->open.n == 0 && report->twisted.n == 0 && report->unbalanced.n == 0;
  if (mesh.n_triangles > 0 && closed) PetscCall(TrianglesSortShells(&mesh, report, &solid));
  if (report->overlap.n > 0) PetscCall(TrianglesTrim(&mesh, solid, report, surface));
  PetscCall(PetscFree(solid));

  if (mesh.n_triangles > 0 && *surface == NULL) {
    Triangles used = {0};
    PetscCall(TrianglesCopyUsed(&mesh, &used));
    PetscCall(SurfaceCreate(used.n_vertices, used.vertex, used.n_triangles,
                            (const int(*)[3])used.triangle, NULL, surface));
    PetscCall(TrianglesDestroy(&used));
    PetscCall(KeepHalves(triangles, *surface));
  }
  PetscCall(TrianglesDestroy(&mesh));
  PetscFunctionReturn(PETSC_SUCCESS);
}
