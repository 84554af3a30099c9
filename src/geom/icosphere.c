/*
 * How is a sphere divided into triangles?
 *
 * An icosahedron whose faces are divided into f^2 triangles and blown up, for any whole f. Every
 * triangle stays close to equilateral. Vertices are numbered by formula: corners, then edges,
 * then the inner ones of each face, so neighbours share theirs without any search.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "geom/primitive_impl.h"

#define ICO_CORNERS 12
#define ICO_EDGES 30
#define ICO_FACES 20

static const int ico_face[ICO_FACES][3] = {
    {0, 1, 8},  {0, 10, 1}, {0, 4, 5},  {0, 8, 4},   {0, 5, 10}, {1, 7, 6},  {1, 6, 8},
    {1, 10, 7}, {2, 9, 3},  {2, 3, 11}, {2, 5, 4},   {2, 4, 9},  {2, 11, 5}, {3, 6, 7},
    {3, 9, 6},  {3, 7, 11}, {4, 8, 9},  {5, 11, 10}, {6, 9, 8},  {7, 10, 11}};

typedef struct {
  int f;                              /* divisions of an edge */
  Vec3 corner[ICO_CORNERS];           /* of the icosahedron with edges of length two */
  int edge[ICO_CORNERS][ICO_CORNERS]; /* number of the edge between two corners, or -1 */
} Ico;

static Ico ico_make(int f)
{
  const double g = 0.5 * (1.0 + sqrt(5.0));
  Ico ico = {.f = f,
             .corner = {{0, 1, g},
                        {0, -1, g},
                        {0, 1, -g},
                        {0, -1, -g},
                        {1, g, 0},
                        {-1, g, 0},
                        {1, -g, 0},
                        {-1, -g, 0},
                        {g, 0, 1},
                        {g, 0, -1},
                        {-g, 0, 1},
                        {-g, 0, -1}}};
  int n = 0;
  for (int a = 0; a < ICO_CORNERS; a++) {
    for (int b = 0; b < a; b++) {
      const bool joined = vec3_distance(ico.corner[a], ico.corner[b]) < 2.5;
      ico.edge[a][b] = ico.edge[b][a] = joined ? n++ : -1;
    }
    ico.edge[a][a] = -1;
  }
  return ico;
}

/* Vertex k steps from corner a towards corner b, of either face that has this edge. */
static int ico_edge_vertex(const Ico *ico, int a, int b, int k)
{
  const int from_lower = a < b ? k : ico->f - k;
  return ICO_CORNERS + ico->edge[a][b] * (ico->f - 1) + from_lower - 1;
}

/* Vertex i steps from the first towards the second corner of a face and j towards the third. */
static int ico_vertex(const Ico *ico, int face, int i, int j)
{
  const int *c = ico_face[face], f = ico->f;
  if (i == f) return c[1];
  if (j == f) return c[2];
  if (i == 0 && j == 0) return c[0];
  if (j == 0) return ico_edge_vertex(ico, c[0], c[1], i);
  if (i == 0) return ico_edge_vertex(ico, c[0], c[2], j);
  if (i + j == f) return ico_edge_vertex(ico, c[1], c[2], j);
  const int inner = (j - 1) * (f - 1) - (j - 1) * j / 2 + i - 1;
  return ICO_CORNERS + ICO_EDGES * (f - 1) + face * ((f - 1) * (f - 2) / 2) + inner;
}

static Vec3 ico_direction(const Ico *ico, int face, int i, int j)
{
  const int *c = ico_face[face];
  const Vec3 a = vec3_scale(ico->f - i - j, ico->corner[c[0]]);
  return vec3_unit(vec3_axpy(vec3_axpy(a, i, ico->corner[c[1]]), j, ico->corner[c[2]]));
}

static void fill_face(const Ico *ico, int face, double radius, Surface *s)
{
  const int f = ico->f;
  int t = face * f * f;
  for (int j = 0; j <= f; j++) {
    for (int i = 0; i + j <= f; i++) {
      const int at = ico_vertex(ico, face, i, j);
      s->vertex[at] = vec3_scale(radius, ico_direction(ico, face, i, j));
      if (i + j == f) continue;
      const int right = ico_vertex(ico, face, i + 1, j), up = ico_vertex(ico, face, i, j + 1);
      triangle_set(s->triangle[t++], at, right, up);
      if (i + j == f - 1) continue;
      triangle_set(s->triangle[t++], right, ico_vertex(ico, face, i + 1, j + 1), up);
    }
  }
}

PetscErrorCode IcosphereCreate(const ShapeSpec *spec, Surface **surface)
{
  PetscFunctionBeginUser;
  /* A flat edge a/f that is blown up grows by R over the inner radius of the icosahedron at
   * most, and a over the inner radius is this number. */
  const double edge_over_inner = 12.0 / (sqrt(3.0) * (3.0 + sqrt(5.0)));
  const double spacing = curved_spacing(spec);
  const double f = ceil(PetscMax(1.0, edge_over_inner * spec->radius / spacing));
  PetscCall(PrimitiveCheckCount(ICO_FACES * f * f, spacing));

  const Ico ico = ico_make((int)f);
  const int n_triangles = ICO_FACES * ico.f * ico.f;
  PetscCall(SurfaceAllocate(n_triangles / 2 + 2, n_triangles, surface));
  Surface *s = *surface;
  for (int face = 0; face < ICO_FACES; face++) fill_face(&ico, face, spec->radius, s);
  for (int t = 0; t < n_triangles; t++)
    for (int k = 0; k < 3; k++) s->normal[t][k] = vec3_unit(s->vertex[s->triangle[t][k]]);
  s->box = surface_box(s);
  PetscFunctionReturn(PETSC_SUCCESS);
}
