#include "grid/cell_faces.h"

enum { FACES_MOST = 6 };

/* The numbering of the CGNS Standard Interface Data Structures, from zero. */
static const struct {
  const char *name;
  int n_corners, n_faces;
  struct {
    int n, corner[4];
  } face[FACES_MOST];
} table[CELL_POLYHEDRON] = {
    [CELL_TETRA] = {"tetrahedra",
                    4,
                    4,
                    {{3, {0, 2, 1}}, {3, {0, 1, 3}}, {3, {1, 2, 3}}, {3, {2, 0, 3}}}},
    [CELL_PYRAMID] =
        {"pyramids",
         5,
         5,
         {{4, {0, 3, 2, 1}}, {3, {0, 1, 4}}, {3, {1, 2, 4}}, {3, {2, 3, 4}}, {3, {3, 0, 4}}}},
    [CELL_PRISM] =
        {"prisms",
         6,
         5,
         {{4, {0, 1, 4, 3}}, {4, {1, 2, 5, 4}}, {4, {2, 0, 3, 5}}, {3, {0, 2, 1}}, {3, {3, 4, 5}}}},
    [CELL_HEXA] = {"hexahedra",
                   8,
                   6,
                   {{4, {0, 3, 2, 1}},
                    {4, {0, 1, 5, 4}},
                    {4, {1, 2, 6, 5}},
                    {4, {2, 3, 7, 6}},
                    {4, {0, 4, 7, 3}},
                    {4, {4, 5, 6, 7}}}},
};

int cell_kind_corners(CellKind kind)
{
  return kind == CELL_POLYHEDRON ? 0 : table[kind].n_corners;
}

const char *cell_kind_name(CellKind kind)
{
  return kind == CELL_POLYHEDRON ? "polyhedra" : table[kind].name;
}

FaceWalk face_walk(CellKind kind, int n_corners, const LocalId corner[])
{
  return (FaceWalk){.kind = kind, .corner = corner, .n_corners = n_corners};
}

/* Drop corners equal to the one before them, around the end too, and folds that enclose nothing. */
static int drop_repeats(int n, LocalId ring[])
{
  int kept = 0;
  for (int i = 0; i < n; i++)
    if (kept == 0 || ring[i] != ring[kept - 1]) ring[kept++] = ring[i];
  while (kept > 1 && ring[kept - 1] == ring[0]) kept--;
  const bool folded = kept == 4 && (ring[0] == ring[2] || ring[1] == ring[3]);
  return kept < 3 || folded ? 0 : kept;
}

bool face_walk_next(FaceWalk *walk)
{
  int n = 0;
  if (walk->kind == CELL_POLYHEDRON) {
    if (walk->at >= walk->n_corners) return false;
    n = (int)walk->corner[walk->at++];
    for (int i = 0; i < n; i++) walk->ring[i] = walk->corner[walk->at + i];
    walk->at += n;
  } else {
    if (walk->face >= table[walk->kind].n_faces) return false;
    n = table[walk->kind].face[walk->face].n;
    for (int i = 0; i < n; i++)
      walk->ring[i] = walk->corner[table[walk->kind].face[walk->face].corner[i]];
  }
  walk->face++;
  walk->n = drop_repeats(n, walk->ring);
  return true;
}

bool cell_list_is_good(CellKind kind, int n, const GlobalId corner[])
{
  if (kind != CELL_POLYHEDRON) return n == table[kind].n_corners;
  int at = 0, n_faces = 0;
  while (at < n) {
    if (corner[at] < 3 || corner[at] > RING_MOST || corner[at] >= n - at) return false;
    at += (int)corner[at] + 1;
    n_faces++;
  }
  return n_faces >= 4;
}
