/*
 * Which triangles can go without changing the solid?
 *
 * A triangle with two equal vertices is an edge there and back: it just leaves. One whose third
 * vertex lies on its longest edge fills a crack of no width; it leaves when the triangle
 * across that edge is cut in two at the vertex, which keeps the surface closed. Two triangles
 * back to back enclose nothing, or are the common face of two solids: both leave.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "geom/surface_check_impl.h"

#include <stdlib.h>

/* Height over the longest edge, relative to that edge, of a triangle that has no area. */
#define FLAT_HEIGHT 1e-10

enum { MOST_PASSES = 16 };

void triangles_compress(Triangles *mesh, const bool gone[])
{
  int n = 0;
  for (int t = 0; t < mesh->n_triangles; t++) {
    if (gone[t]) continue;
    if (n != t)
      for (int k = 0; k < 3; k++) mesh->triangle[n][k] = mesh->triangle[t][k];
    if (mesh->tag != NULL) mesh->tag[n] = mesh->tag[t];
    n++;
  }
  mesh->n_triangles = n;
}

/* The use of the longest edge of a triangle without area; -1 if it has area. */
static int flat_edge(const Triangles *mesh, int t)
{
  const int *v = mesh->triangle[t];
  int longest = 0;
  double length2 = -1.0;
  for (int k = 0; k < 3; k++) {
    const double l2 = vec3_norm2(vec3_sub(mesh->vertex[v[(k + 1) % 3]], mesh->vertex[v[k]]));
    if (l2 > length2) {
      length2 = l2;
      longest = k;
    }
  }
  const double area2 = vec3_norm(triangle_area2(mesh->vertex, v));
  return area2 <= FLAT_HEIGHT * length2 ? 3 * t + longest : -1;
}

static int apex(const Triangles *mesh, int use)
{
  return mesh->triangle[use / 3][(use + 2) % 3];
}

static bool is_collapsed(const int t[3])
{
  return t[0] == t[1] || t[1] == t[2] || t[2] == t[0];
}

static PetscErrorCode DropCollapsed(Triangles *mesh, Finding *dropped)
{
  PetscFunctionBeginUser;
  bool *gone = NULL;
  PetscCall(PetscCalloc1(mesh->n_triangles, &gone));
  for (int t = 0; t < mesh->n_triangles; t++) {
    gone[t] = is_collapsed(mesh->triangle[t]);
    if (gone[t]) finding_add(dropped, triangle_middle(mesh, t));
  }
  triangles_compress(mesh, gone);
  PetscCall(PetscFree(gone));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Pairs that share all three vertices and run opposite ways. */
static void mark_paired(const Triangles *mesh, const EdgeTable *edges, bool gone[], Finding *paired)
{
  const int(*triangle)[3] = (const int(*)[3])mesh->triangle;
  for (int e = 0; e < edges->n_edges; e++) {
    for (int i = edges->start[e]; i < edges->start[e + 1]; i++) {
      for (int j = i + 1; j < edges->start[e + 1]; j++) {
        const int a = edges->use[i], b = edges->use[j];
        if (gone[a / 3] || gone[b / 3] || apex(mesh, a) != apex(mesh, b)) continue;
        if (use_from(triangle, a) != use_to(triangle, b)) continue;
        gone[a / 3] = gone[b / 3] = true;
        finding_add(paired, triangle_middle(mesh, a / 3));
      }
    }
  }
}

/* Cut the triangle across the edge ab of a flat triangle abc at c: cad and dbc stand for both. */
static bool cut_neighbour(Triangles *mesh, const EdgeTable *edges, int e, bool touched[])
{
  const int first = edges->start[e];
  if (edges->start[e + 1] - first != 2) return false;
  const int(*triangle)[3] = (const int(*)[3])mesh->triangle;
  const int p = edges->use[first], q = edges->use[first + 1];
  if (touched[p / 3] || touched[q / 3]) return false;
  if (use_from(triangle, p) != use_to(triangle, q)) return false;
  const bool p_is_flat = flat_edge(mesh, p / 3) == p;
  const int flat = p_is_flat ? p : q, other = p_is_flat ? q : p;
  if (flat_edge(mesh, flat / 3) != flat) return false;

  const int a = use_from(triangle, flat), b = use_to(triangle, flat);
  const int c = apex(mesh, flat), d = apex(mesh, other);
  if (c == d) return false;
  const int cad[3] = {c, a, d}, dbc[3] = {d, b, c};
  for (int k = 0; k < 3; k++) {
    mesh->triangle[flat / 3][k] = cad[k];
    mesh->triangle[other / 3][k] = dbc[k];
  }
  if (mesh->tag != NULL) mesh->tag[flat / 3] = mesh->tag[other / 3];
  touched[flat / 3] = touched[other / 3] = true;
  return true;
}

/* One pass over all edges; says how many flat triangles were cut away. */
static PetscErrorCode CutFlat(Triangles *mesh, int *n_cut)
{
  PetscFunctionBeginUser;
  EdgeTable edges;
  bool *touched = NULL;
  PetscCall(PetscCalloc1(mesh->n_triangles, &touched));
  PetscCall(EdgeTableCreate(mesh->n_vertices, mesh->n_triangles, (const int(*)[3])mesh->triangle,
                            &edges));
  *n_cut = 0;
  for (int e = 0; e < edges.n_edges; e++) *n_cut += cut_neighbour(mesh, &edges, e, touched);
  PetscCall(EdgeTableDestroy(&edges));
  PetscCall(PetscFree(touched));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* +1 if the use runs from the lower to the higher vertex, otherwise -1. */
static int direction(const Triangles *mesh, int use)
{
  const int(*triangle)[3] = (const int(*)[3])mesh->triangle;
  return use_from(triangle, use) < use_to(triangle, use) ? 1 : -1;
}

/* A flat triangle that is in nobody's need: without it the edges balance better. */
static void mark_stray(const Triangles *mesh, const int edge_of[], int net[], bool gone[])
{
  for (int t = 0; t < mesh->n_triangles; t++) {
    if (flat_edge(mesh, t) < 0) continue;
    int change = 0;
    for (int u = 3 * t; u < 3 * t + 3; u++)
      change += abs(net[edge_of[u]] - direction(mesh, u)) - abs(net[edge_of[u]]);
    gone[t] = change < 0;
    if (!gone[t]) continue;
    for (int u = 3 * t; u < 3 * t + 3; u++) net[edge_of[u]] -= direction(mesh, u);
  }
}

static PetscErrorCode DropStray(Triangles *mesh)
{
  PetscFunctionBeginUser;
  EdgeTable edges;
  bool *gone = NULL;
  int *edge_of = NULL, *net = NULL;
  PetscCall(EdgeTableCreate(mesh->n_vertices, mesh->n_triangles, (const int(*)[3])mesh->triangle,
                            &edges));
  PetscCall(
      PetscCalloc3(mesh->n_triangles, &gone, 3 * mesh->n_triangles, &edge_of, edges.n_edges, &net));
  for (int e = 0; e < edges.n_edges; e++) {
    for (int i = edges.start[e]; i < edges.start[e + 1]; i++) {
      edge_of[edges.use[i]] = e;
      net[e] += direction(mesh, edges.use[i]);
    }
  }
  mark_stray(mesh, edge_of, net, gone);
  triangles_compress(mesh, gone);
  PetscCall(PetscFree3(gone, edge_of, net));
  PetscCall(EdgeTableDestroy(&edges));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static int count_flat(const Triangles *mesh, Finding *flat)
{
  flat->n = 0;
  for (int t = 0; t < mesh->n_triangles; t++)
    if (flat_edge(mesh, t) >= 0) finding_add(flat, triangle_middle(mesh, t));
  return flat->n;
}

static PetscErrorCode DropPaired(Triangles *mesh, Finding *paired)
{
  PetscFunctionBeginUser;
  EdgeTable edges;
  bool *gone = NULL;
  PetscCall(PetscCalloc1(mesh->n_triangles, &gone));
  PetscCall(EdgeTableCreate(mesh->n_vertices, mesh->n_triangles, (const int(*)[3])mesh->triangle,
                            &edges));
  mark_paired(mesh, &edges, gone, paired);
  triangles_compress(mesh, gone);
  PetscCall(EdgeTableDestroy(&edges));
  PetscCall(PetscFree(gone));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Rid the mesh of flat triangles as far as that opens nothing. */
static PetscErrorCode DropFlat(Triangles *mesh, SurfaceReport *report)
{
  PetscFunctionBeginUser;
  const int n_before = count_flat(mesh, &report->flat);
  if (n_before == 0) PetscFunctionReturn(PETSC_SUCCESS);
  if (report->dropped.n == 0) report->dropped.at = report->flat.at;

  PetscCall(DropStray(mesh));
  for (int pass = 0, n_cut = 1; pass < MOST_PASSES && n_cut > 0; pass++) {
    PetscCall(CutFlat(mesh, &n_cut));

    /* A cut may lay two triangles back to back. */
    if (n_cut > 0) PetscCall(DropPaired(mesh, &report->paired));
  }
  report->dropped.n += n_before - count_flat(mesh, &report->flat);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode TrianglesClean(Triangles *mesh, SurfaceReport *report)
{
  PetscFunctionBeginUser;
  PetscCall(DropCollapsed(mesh, &report->dropped));
  PetscCall(DropPaired(mesh, &report->paired));
  PetscCall(DropFlat(mesh, report));
  PetscFunctionReturn(PETSC_SUCCESS);
}
