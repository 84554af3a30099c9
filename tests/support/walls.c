#include "walls.h"

#include "geom/primitive.h"
#include "io/surface_file.h"

#include <stdlib.h>

const ShapeSpec wall_bodies[WALL_BODIES] = {
    {.kind = SHAPE_SPHERE, .radius = 1, .spacing = 0.3},
    {.kind = SHAPE_BOX, .size = {1, 2, 0.6}, .spacing = 0.3},
    {.kind = SHAPE_CAPSULE, .radius = 0.5, .length = 1, .axis = {0, 0, 1}, .spacing = 0.2},
    {.kind = SHAPE_CYLINDER, .radius = 0.6, .length = 1.5, .axis = {1, 2, 0}, .spacing = 0.25},
    {.kind = SHAPE_CONE, .radius = 0.4, .length = 2, .axis = {0, 1, 0}, .spacing = 0.15},
    {.kind = SHAPE_STL, .file = "dart.stl", .scale = 1, .spacing = NAN},
    {.kind = SHAPE_STL, .file = "ramp.stl", .scale = 1, .spacing = NAN},
};

static Surface *surface_of(const ShapeSpec *body)
{
  Surface *surface = NULL;
  if (body->kind != SHAPE_STL) {
    MustPass(PrimitiveCreate(body, &surface));
    return surface;
  }
  char path[PETSC_MAX_PATH_LEN];
  const char *top = getenv("srcdir");
  ShapeSpec spec = *body;
  SurfaceReport report;
  snprintf(path, sizeof path, "%s/grids/%s", top != NULL ? top : ".", body->file);
  spec.file = path;
  MustPass(SurfaceRead(PETSC_COMM_WORLD, &spec, &report, &surface));
  MustPass(SurfaceRequireSound(PETSC_COMM_WORLD, path, &report));
  return surface;
}

WallMesh *WallOf(const ShapeSpec *body)
{
  WallMesh *wall = NULL;
  Surface *surface = surface_of(body);
  MustPass(WallMeshFromSurface(surface, INFINITY, &wall));
  MustPass(SurfaceDestroy(&surface));
  return wall;
}

static bool is_solid(const Blocks *b, int i, int j, int k)
{
  if (i < 0 || j < 0 || k < 0 || i >= b->n[0] || j >= b->n[1] || k >= b->n[2]) return false;
  return b->filled[(k * b->n[1] + j) * b->n[0] + i] == '#';
}

enum { MOST_QUADS = 4096 };

WallMesh *WallOfBlocks(const Blocks *b, double size)
{
  static Vec3 vertex[MOST_QUADS];
  static int face[MOST_QUADS][4], number[MOST_QUADS];
  int n_vertices = 0, n_faces = 0;
  for (int v = 0; v < MOST_QUADS; v++) number[v] = -1;
  for (int k = 0; k < b->n[2]; k++)
    for (int j = 0; j < b->n[1]; j++)
      for (int i = 0; i < b->n[0]; i++)
        for (int side = 0; side < 6; side++) {
          const int axis = side / 2, up = side % 2, p = (axis + 1) % 3, q = (axis + 2) % 3;
          int at[3] = {i, j, k};
          at[axis] += up ? 1 : -1;
          if (!is_solid(b, i, j, k) || is_solid(b, at[0], at[1], at[2])) continue;
          for (int c = 0; c < 4; c++) {
            int corner[3] = {i, j, k};
            corner[axis] += up;
            corner[p] += c == 1 || c == 2;
            corner[q] += c >= 2;
            const int id = (corner[2] * (b->n[1] + 1) + corner[1]) * (b->n[0] + 1) + corner[0];
            if (number[id] < 0) {
              number[id] = n_vertices;
              vertex[n_vertices++] = vec3(size * corner[0], size * corner[1], size * corner[2]);
            }
            face[n_faces][up ? c : 3 - c] = number[id];
          }
          n_faces++;
        }
  WallMesh *wall = NULL;
  MustPass(WallMeshCreate(n_vertices, vertex, n_faces, (const int(*)[4])face, &wall));
  return wall;
}
