/*
 * The stages of a surface check. SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "geom/surface_check.h"
#include "geom/surface_impl.h"

/* Make vertices within tolerance one; triangles are renumbered, unused vertices leave. */
PetscErrorCode TrianglesWeld(Triangles *mesh, Box box, double tolerance, int *n_welded);

/* Remove triangles without area and pairs back to back, keeping closed what is closed. */
PetscErrorCode TrianglesClean(Triangles *mesh, SurfaceReport *report);

/*
 * Sort the triangles into shells, turn what is inside out, drop what is buried. *solid, the
 * caller's to free, numbers the solids that cut each other: a shell with the cavities in it; -1
 * marks triangles of those that cut none.
 */
PetscErrorCode TrianglesSortShells(Triangles *mesh, SurfaceReport *report, int **solid);

/* Count open, twisted and unbalanced edges, measure edges and area. */
PetscErrorCode TrianglesJudgeEdges(const Triangles *mesh, SurfaceReport *report);

/* A copy without the vertices that no triangle uses. */
PetscErrorCode TrianglesCopyUsed(const Triangles *from, Triangles *to);

/*
 * The union of two closed solids whose triangles have tags, as triangles with the tags of those
 * they are part of. *done is false, and both untouched, when a solid is not closed or overlaps
 * itself.
 */
PetscErrorCode TrianglesUnite(const Triangles *a, const Triangles *b, Triangles *both, bool *done);

/* The surface of all solids together, with the corner normals of the triangles its parts come
 * from. *surface stays NULL when they cannot be united. */
PetscErrorCode TrianglesTrim(const Triangles *mesh, const int solid[], SurfaceReport *report,
                             Surface **surface);

/* Drop the triangles whose flag is set; the order of the others stays. */
void triangles_compress(Triangles *mesh, const bool gone[]);

/* Note one more of a kind at p. */
static inline void finding_add(Finding *finding, Vec3 p)
{
  if (finding->n++ == 0) finding->at = p;
}

static inline Vec3 triangle_middle(const Triangles *mesh, int t)
{
  const int *v = mesh->triangle[t];
  return vec3_scale(1.0 / 3.0,
                    vec3_add(mesh->vertex[v[0]], vec3_add(mesh->vertex[v[1]], mesh->vertex[v[2]])));
}

static inline Box triangle_box(const Triangles *mesh, int t)
{
  const int *v = mesh->triangle[t];
  Box box = box_add_point(box_empty(), mesh->vertex[v[0]]);
  box = box_add_point(box, mesh->vertex[v[1]]);
  return box_add_point(box, mesh->vertex[v[2]]);
}

/* The triangles of one shell, in a list shared by all shells. */
typedef struct {
  const Triangles *mesh; /* borrowed */
  const int *id;         /* borrowed, n triangle ids */
  int n;
  Box box;
} Shell;

/* How often the shell wraps around p; a whole number unless p is on it. */
double shell_winding(const Shell *shell, Vec3 p);

/* What it encloses, negative when it is inside out. */
double shell_volume(const Shell *shell);

/* Do two shells cut through each other, deeper than the tolerance? Touching is not cutting. */
PetscErrorCode ShellsCut(const Shell *a, const Shell *b, double tolerance, bool *cut, Vec3 *at);
