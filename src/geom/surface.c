/*
 * A surface from its triangles: box, corner normals, mass properties.
 *
 * The normal at a vertex is the sum of the triangle normals around it, each weighted by
 * sin(angle) / (product of the two edge lengths), which is exact on spheres. Only triangles
 * that reach each other over smooth edges at that vertex are summed, so creases stay sharp
 * and two triangles that share a smooth edge agree on the normals at both of its ends.
 *
 * N. Max, Weights for computing vertex normals from facet normals, J. Graphics Tools 4(2), 1999.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "geom/surface.h"

#include "geom/surface_impl.h"

PetscErrorCode SurfaceAllocate(int n_vertices, int n_triangles, Surface **surface)
{
  PetscFunctionBeginUser;
  PetscCall(PetscNew(surface));
  Surface *self = *surface;
  self->n_vertices = n_vertices;
  self->n_triangles = n_triangles;
  self->box = box_empty();
  PetscCall(PetscMalloc3(n_vertices, &self->vertex, n_triangles, &self->triangle, n_triangles,
                         &self->normal));
  PetscFunctionReturn(PETSC_SUCCESS);
}

Box surface_box(const Surface *surface)
{
  Box box = box_empty();
  for (int v = 0; v < surface->n_vertices; v++) box = box_add_point(box, surface->vertex[v]);
  return box;
}

/* The representative of a group of corners; paths are halved on the way. */
static int group_of(int parent[], int corner)
{
  while (parent[corner] != corner) {
    parent[corner] = parent[parent[corner]];
    corner = parent[corner];
  }
  return corner;
}

/* The lower corner leads, so that groups do not depend on the order of joining. */
static void join_groups(int parent[], int a, int b)
{
  const int p = group_of(parent, a), q = group_of(parent, b);
  if (p < q) parent[q] = p;
  if (q < p) parent[p] = q;
}

static int next_corner(int corner)
{
  return corner % 3 == 2 ? corner - 2 : corner + 1;
}

/* Triangles without area have no direction and meet nobody smoothly. */
static bool meet_smoothly(const Surface *s, int use_a, int use_b)
{
  if (use_from(s->triangle, use_a) != use_to(s->triangle, use_b)) return false;
  const Vec3 a = triangle_area2(s->vertex, s->triangle[use_a / 3]);
  const Vec3 b = triangle_area2(s->vertex, s->triangle[use_b / 3]);
  const double cosine = cos(SURFACE_CREASE_DEGREES * M_PI / 180.0);
  return vec3_dot(a, b) > cosine * vec3_norm(a) * vec3_norm(b);
}

static void join_over_smooth_edges(const Surface *s, const EdgeTable *edges, int parent[])
{
  for (int c = 0; c < 3 * s->n_triangles; c++) parent[c] = c;
  for (int e = 0; e < edges->n_edges; e++) {
    for (int i = edges->start[e]; i < edges->start[e + 1]; i++) {
      for (int j = i + 1; j < edges->start[e + 1]; j++) {
        const int a = edges->use[i], b = edges->use[j];
        if (!meet_smoothly(s, a, b)) continue;
        join_groups(parent, a, next_corner(b));
        join_groups(parent, next_corner(a), b);
      }
    }
  }
}

/* What the triangle adds to the normal of its group at this corner. */
static Vec3 max_weighted(const Surface *s, int corner)
{
  const int *t = s->triangle[corner / 3];
  const Vec3 at = s->vertex[t[corner % 3]];
  const Vec3 p = vec3_sub(s->vertex[t[(corner + 1) % 3]], at);
  const Vec3 q = vec3_sub(s->vertex[t[(corner + 2) % 3]], at);
  const double weight = vec3_norm2(p) * vec3_norm2(q);
  return weight > 0.0 ? vec3_scale(1.0 / weight, vec3_cross(p, q)) : vec3(0, 0, 0);
}

static PetscErrorCode NormalsBuild(Surface *s)
{
  PetscFunctionBeginUser;
  EdgeTable edges;
  PetscCall(EdgeTableCreate(s->n_vertices, s->n_triangles, (const int(*)[3])s->triangle, &edges));
  int *parent = NULL;
  PetscCall(PetscMalloc1(3 * s->n_triangles, &parent));
  join_over_smooth_edges(s, &edges, parent);
  PetscCall(EdgeTableDestroy(&edges));

  Vec3 *normal = s->n_triangles > 0 ? s->normal[0] : NULL;
  for (int c = 0; c < 3 * s->n_triangles; c++) normal[c] = vec3(0, 0, 0);
  for (int c = 0; c < 3 * s->n_triangles; c++) {
    const int g = group_of(parent, c);
    normal[g] = vec3_add(normal[g], max_weighted(s, c));
  }
  /* Leaders come before their followers, so a leader is a unit vector when it is copied. */
  for (int c = 0; c < 3 * s->n_triangles; c++) {
    const int g = group_of(parent, c);
    normal[c] = g == c ? vec3_unit(normal[g]) : normal[g];
    const Vec3 flat = vec3_unit(triangle_area2(s->vertex, s->triangle[c / 3]));
    if (vec3_norm2(normal[c]) == 0.0) normal[c] = flat;
  }
  PetscCall(PetscFree(parent));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SurfaceCreate(int n_vertices, const Vec3 vertex[], int n_triangles,
                             const int triangle[][3], const Vec3 normal[][3], Surface **surface)
{
  PetscFunctionBeginUser;
  PetscCheck(n_triangles <= PETSC_MAX_INT / 3, PETSC_COMM_SELF, PETSC_ERR_ARG_OUTOFRANGE,
             "%d triangles", n_triangles);
  for (int t = 0; t < n_triangles; t++)
    for (int k = 0; k < 3; k++)
      PetscCheck(triangle[t][k] >= 0 && triangle[t][k] < n_vertices, PETSC_COMM_SELF,
                 PETSC_ERR_ARG_OUTOFRANGE, "triangle %d has vertex %d of %d", t, triangle[t][k],
                 n_vertices);

  PetscCall(SurfaceAllocate(n_vertices, n_triangles, surface));
  Surface *self = *surface;
  PetscCall(PetscArraycpy(self->vertex, vertex, n_vertices));
  PetscCall(PetscArraycpy(self->triangle, triangle, n_triangles));
  self->box = surface_box(self);
  if (normal != NULL)
    PetscCall(PetscArraycpy(self->normal, normal, n_triangles));
  else
    PetscCall(NormalsBuild(self));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SurfaceDestroy(Surface **surface)
{
  PetscFunctionBeginUser;
  if (*surface == NULL) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscFree3((*surface)->vertex, (*surface)->triangle, (*surface)->normal));
  PetscCall(PetscFree((*surface)->half));
  PetscCall(PetscFree(*surface));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Six times the volume, and the moments of x and x x^T, of the tetrahedra from a point o. */
typedef struct {
  double volume6;
  double first[3], second[3][3];
} Moments;

static void add_tetrahedron(Moments *m, Vec3 p, Vec3 q, Vec3 r)
{
  const double d = vec3_dot(p, vec3_cross(q, r));
  const double a[4][3] = {{p.x, p.y, p.z},
                          {q.x, q.y, q.z},
                          {r.x, r.y, r.z},
                          {p.x + q.x + r.x, p.y + q.y + r.y, p.z + q.z + r.z}};
  m->volume6 += d;
  for (int i = 0; i < 3; i++) {
    m->first[i] += d * a[3][i];
    for (int j = i; j < 3; j++)
      m->second[i][j] +=
          d * (a[0][i] * a[0][j] + a[1][i] * a[1][j] + a[2][i] * a[2][j] + a[3][i] * a[3][j]);
  }
}

MassProperties surface_mass_properties(const Surface *surface)
{
  /* The tetrahedra start at the middle of the box, so a far origin costs no digits. */
  const Vec3 o = box_center(surface->box);
  Moments m = {0};
  for (int t = 0; t < surface->n_triangles; t++) {
    const int *v = surface->triangle[t];
    add_tetrahedron(&m, vec3_sub(surface->vertex[v[0]], o), vec3_sub(surface->vertex[v[1]], o),
                    vec3_sub(surface->vertex[v[2]], o));
  }
  if (m.volume6 == 0.0) return (MassProperties){0.0, o, mat3_diagonal(0, 0, 0)};

  const double volume = m.volume6 / 6.0;
  const Vec3 c = vec3_scale(1.0 / (4.0 * m.volume6), vec3(m.first[0], m.first[1], m.first[2]));
  const double xx = m.second[0][0] / 120.0 - volume * c.x * c.x;
  const double yy = m.second[1][1] / 120.0 - volume * c.y * c.y;
  const double zz = m.second[2][2] / 120.0 - volume * c.z * c.z;
  const double xy = m.second[0][1] / 120.0 - volume * c.x * c.y;
  const double xz = m.second[0][2] / 120.0 - volume * c.x * c.z;
  const double yz = m.second[1][2] / 120.0 - volume * c.y * c.z;
  return (MassProperties){volume, vec3_add(o, c),
                          mat3_symmetric(yy + zz, xx + zz, xx + yy, -xy, -xz, -yz)};
}
