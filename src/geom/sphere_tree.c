#include "geom/sphere_tree.h"

/* Work of a build: triangles are permuted in place, halved at the median of the longest axis. */
typedef struct {
  const Surface *surface;
  const TriangleLinks *links;
  Vec3 *middle; /* owned, of each triangle */
  SphereTree *tree;
} Build;

/* Order of triangles along an axis; equal middles go by number, so the tree is unique. */
static bool before(const Build *b, int axis, int32_t s, int32_t t)
{
  const double x = vec3_at(b->middle[s], axis), y = vec3_at(b->middle[t], axis);
  return x != y ? x < y : s < t;
}

/* Move the k smallest of the n triangles to the front (Hoare's selection). */
static void select_smallest(const Build *b, int axis, int32_t list[], int n, int k)
{
  int lo = 0, hi = n - 1;
  while (lo < hi) {
    const int32_t pivot = list[lo + (hi - lo) / 2];
    int i = lo, j = hi;
    while (i <= j) {
      while (before(b, axis, list[i], pivot)) i++;
      while (before(b, axis, pivot, list[j])) j--;
      if (i <= j) {
        const int32_t swap = list[i];
        list[i++] = list[j];
        list[j--] = swap;
      }
    }
    if (k <= j)
      hi = j;
    else if (k >= i)
      lo = i;
    else
      return;
  }
}

static Box box_of(const Build *b, const int32_t list[], int n)
{
  Box box = box_empty();
  for (int k = 0; k < n; k++)
    for (int c = 0; c < 3; c++)
      box = box_add_point(box, b->surface->vertex[b->surface->triangle[list[k]][c]]);
  return box;
}

/* The sphere around the middle of the box that holds all triangles and their patches. */
static SphereNode sphere_around(const Build *b, const int32_t list[], int n, Box box)
{
  const Vec3 m = box_center(box);
  SphereNode node = {.x = (float)m.x, .y = (float)m.y, .z = (float)m.z};
  const Vec3 center = {node.x, node.y, node.z};
  double radius = 0.0;
  for (int k = 0; k < n; k++) {
    const double extra = b->links[list[k]].bulge;
    for (int c = 0; c < 3; c++) {
      const Vec3 v = b->surface->vertex[b->surface->triangle[list[k]][c]];
      const double r = vec3_distance(v, center) + extra;
      if (r > radius) radius = r;
    }
  }
  node.radius = nextafterf((float)(radius * (1.0 + 1e-7)), INFINITY);
  return node;
}

/* The slab along the mean normal that holds all triangles and their patches. */
static void set_slab(const Build *b, const int32_t list[], int n, SphereNode *node)
{
  Vec3 sum = {0.0, 0.0, 0.0};
  for (int k = 0; k < n; k++) {
    const int *t = b->surface->triangle[list[k]];
    const Vec3 *v = b->surface->vertex;
    sum = vec3_add(sum, vec3_cross(vec3_sub(v[t[1]], v[t[0]]), vec3_sub(v[t[2]], v[t[0]])));
  }
  const Vec3 unit = vec3_norm(sum) > 0.0 ? vec3_unit(sum) : vec3(1, 0, 0);
  node->nx = (float)unit.x, node->ny = (float)unit.y, node->nz = (float)unit.z;
  const Vec3 axis = {node->nx, node->ny, node->nz}, center = {node->x, node->y, node->z};
  double low = INFINITY, high = -INFINITY;
  for (int k = 0; k < n; k++) {
    const double extra = b->links[list[k]].bulge * (1.0 + 1e-6);
    for (int c = 0; c < 3; c++) {
      const Vec3 v = b->surface->vertex[b->surface->triangle[list[k]][c]];
      const double h = vec3_dot(axis, vec3_sub(v, center));
      if (h - extra < low) low = h - extra;
      if (h + extra > high) high = h + extra;
    }
  }
  const double rounding = 1e-7 * node->radius;
  node->low = nextafterf((float)(low - rounding), -INFINITY);
  node->high = nextafterf((float)(high + rounding), INFINITY);
}

/* The cone around the slab's axis that holds all corner normals, if they have a side in common. */
static void set_cone(const Build *b, const int32_t list[], int n, SphereNode *node)
{
  const Vec3 axis = {node->nx, node->ny, node->nz};
  double least = 1.0;
  bool sharp = false;
  for (int k = 0; k < n; k++) {
    sharp = sharp || b->links[list[k]].flags & TRIANGLE_SHARP;
    for (int c = 0; c < 3; c++) {
      const double along = vec3_dot(axis, b->surface->normal[list[k]][c]);
      if (along < least) least = along;
    }
  }
  /* Rounded by more than single precision loses. */
  const double rounded = least - 1e-6;
  const bool narrow = rounded > 0.0 && !sharp;
  node->cone_cos = sharp ? -2.0f : narrow ? (float)rounded : -1.0f;
  node->cone_sin = narrow ? (float)sqrt(1.0 - rounded * rounded) : 0.0f;
}

/* Fill node number `at` with the triangles first .. first + n - 1 of the list. */
static void build_node(Build *b, int at, int first, int n)
{
  int32_t *list = b->tree->triangle + first;
  const Box box = box_of(b, list, n);
  SphereNode *node = &b->tree->node[at];
  *node = sphere_around(b, list, n, box);
  set_slab(b, list, n, node);
  set_cone(b, list, n, node);
  if (n <= SPHERE_TREE_LEAF) {
    node->first = first;
    node->n_triangles = n;
    return;
  }
  const Vec3 s = box_size(box);
  const int axis = s.x >= s.y && s.x >= s.z ? 0 : s.y >= s.z ? 1 : 2;
  const int half = n / 2, child = b->tree->n_nodes;
  select_smallest(b, axis, list, n, half);
  node->first = child;
  b->tree->n_nodes += 2;
  build_node(b, child, first, half);
  build_node(b, child + 1, first + half, n - half);
}

PetscErrorCode SphereTreeCreate(const Surface *s, const TriangleLinks links[], SphereTree **tree)
{
  PetscFunctionBeginUser;
  Build b = {s, links, NULL, NULL};
  PetscCall(PetscNew(&b.tree));
  PetscCall(PetscMalloc1((size_t)s->n_triangles, &b.middle));
  PetscCall(PetscMalloc1((size_t)s->n_triangles, &b.tree->triangle));
  PetscCall(PetscMalloc1(2 * (size_t)s->n_triangles + 1, &b.tree->node));
  for (int t = 0; t < s->n_triangles; t++) {
    const int *v = s->triangle[t];
    b.middle[t] = vec3_add(vec3_add(s->vertex[v[0]], s->vertex[v[1]]), s->vertex[v[2]]);
    b.tree->triangle[t] = t;
  }
  b.tree->n_triangles = s->n_triangles;
  b.tree->n_nodes = 1;
  build_node(&b, 0, 0, s->n_triangles);
  PetscCall(PetscFree(b.middle));
  *tree = b.tree;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SphereTreeDestroy(SphereTree **tree)
{
  PetscFunctionBeginUser;
  if (*tree == NULL) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscFree((*tree)->node));
  PetscCall(PetscFree((*tree)->triangle));
  PetscCall(PetscFree(*tree));
  PetscFunctionReturn(PETSC_SUCCESS);
}
