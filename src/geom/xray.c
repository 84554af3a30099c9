#include "geom/xray.h"

#include "base/hash.h"
#include "geom/xray_draft.h"

#include <string.h>

/* Rays the program takes by itself, and the most a user may ask for. */
#define RAYS_CHOSEN 3e6
#define RAYS_MOST 1.3e8
#define VOXELS_MOST 4e6

static int rays_across(double length, double spacing)
{
  return (int)ceil(length / spacing) + 1;
}

static double count_rays(Vec3 s, double spacing)
{
  const double x = ceil(s.x / spacing) + 1, y = ceil(s.y / spacing) + 1,
               z = ceil(s.z / spacing) + 1;
  return x * y + y * z + z * x;
}

/* Two fifths of an edge, finer where a few large triangles make the body, within the memory. */
static double choose_spacing(const XRayHeader *head)
{
  const double edge = 0.4 * head->mean_edge, coarse = head->size / 64.0;
  double spacing = edge < coarse ? edge : coarse;
  while (count_rays(box_size(head->box), spacing) > RAYS_CHOSEN) spacing *= 1.1;
  return spacing;
}

/* Lattices centred on the box, so that every part of it lies in a column. */
static PetscErrorCode LatticesSet(double spacing, XRayHeader *head)
{
  PetscFunctionBeginUser;
  const bool chosen = isnan(spacing);
  head->spacing = chosen ? choose_spacing(head) : spacing;
  const Vec3 size = box_size(head->box), middle = box_center(head->box);
  PetscCheck(head->spacing > head->size * 1e-5 && isfinite(head->spacing) &&
                 count_rays(size, head->spacing) <= RAYS_MOST,
             PETSC_COMM_SELF, PETSC_ERR_USER_INPUT,
             "x-ray spacing %g does not suit a body of size %g: at most %g rays", head->spacing,
             head->size, RAYS_MOST);
  for (int axis = 0; axis < 3; axis++) {
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    const int n_u = rays_across(vec3_at(size, u), head->spacing);
    const int n_v = rays_across(vec3_at(size, v), head->spacing);
    head->lattice[axis] = (Lattice){axis,
                                    n_u,
                                    n_v,
                                    0,
                                    vec3_at(middle, u) - 0.5 * (n_u - 1) * head->spacing,
                                    vec3_at(middle, v) - 0.5 * (n_v - 1) * head->spacing,
                                    head->spacing};
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode VoxelGridSet(double reach, XRayHeader *head)
{
  PetscFunctionBeginUser;
  PetscCheck(isnan(reach) || (reach >= 0.0 && isfinite(reach)), PETSC_COMM_SELF,
             PETSC_ERR_USER_INPUT, "x-ray reach must not be negative, got %g", reach);
  const double eighth = head->size / 8.0;
  const double edge = head->mean_edge < eighth ? head->mean_edge : eighth;
  VoxelGrid *g = &head->voxel;
  head->reach = isnan(reach) ? 2.0 * edge : reach;
  g->coarse = 2;
  g->size = head->reach > 4.0 * edge ? 0.25 * head->reach : edge;
  const Box box = box_grow(head->box, head->reach);
  const Vec3 length = box_size(box);
  for (double n = INFINITY; n > VOXELS_MOST; g->size *= n > VOXELS_MOST ? 1.2 : 1.0) {
    n = 1.0;
    for (int a = 0; a < 3; a++) {
      const double cells = ceil(vec3_at(length, a) / (g->size * g->coarse));
      g->n[a] = (int)fmin(cells < 1.0 ? 1.0 : cells, 1e6) * g->coarse;
      n *= g->n[a];
    }
  }
  const Vec3 half = {0.5 * g->size * g->n[0], 0.5 * g->size * g->n[1], 0.5 * g->size * g->n[2]};
  g->origin = vec3_sub(box_center(box), half);
  PetscFunctionReturn(PETSC_SUCCESS);
}

uint64_t surface_hash(const Surface *s)
{
  const int count[2] = {s->n_vertices, s->n_triangles};
  uint64_t sum = hash_bytes(0, count, sizeof count);
  uint64_t position = 1;
  sum += hash_bytes(position, s->vertex, sizeof *s->vertex * (size_t)s->n_vertices);
  position += 3 * (uint64_t)s->n_vertices;
  sum += hash_bytes(position, s->normal, sizeof *s->normal * (size_t)s->n_triangles);
  position += 9 * (uint64_t)s->n_triangles;
  return sum + hash_bytes(position, s->triangle, sizeof *s->triangle * (size_t)s->n_triangles);
}

/* Smallest sphere that is easy to find: around the middle of the longest edge, or all corners. */
static BoundSphere bound_sphere(const Corners *t)
{
  const Vec3 m = vec3_scale(1.0 / 3.0, vec3_add(vec3_add(t->a, t->b), t->c));
  BoundSphere b = {(float)m.x, (float)m.y, (float)m.z, 0.0f};
  const Vec3 center = {b.x, b.y, b.z};
  const double ra = vec3_distance(t->a, center), rb = vec3_distance(t->b, center),
               rc = vec3_distance(t->c, center);
  const double r = ra > rb ? (ra > rc ? ra : rc) : (rb > rc ? rb : rc);
  b.radius = nextafterf((float)(r * (1.0 + 1e-7)), INFINITY);
  return b;
}

/* Sections that copy the surface. */
static PetscErrorCode DraftSurface(const Surface *s, XRayDraft *draft)
{
  PetscFunctionBeginUser;
  Vec3 *vertex = NULL, (*normal)[3] = NULL;
  Corners *corners = NULL;
  BoundSphere *bound = NULL;
  const size_t n = (size_t)s->n_triangles, n_v = (size_t)s->n_vertices;
  PetscCall(PetscMalloc1(n_v, &vertex));
  PetscCall(PetscMalloc1(n, &normal));
  PetscCall(PetscMalloc1(n, &corners));
  PetscCall(PetscMalloc1(n, &bound));
  memcpy(vertex, s->vertex, n_v * sizeof *vertex);
  memcpy(normal, s->normal, n * sizeof *normal);
  for (size_t t = 0; t < n; t++) {
    const int *v = s->triangle[t];
    corners[t] = (Corners){s->vertex[v[0]], s->vertex[v[1]], s->vertex[v[2]]};
    bound[t] = bound_sphere(&corners[t]);
  }
  draft_take(draft, SECTION_VERTEX, vertex, n_v);
  draft_take(draft, SECTION_NORMAL, normal, n);
  draft_take(draft, SECTION_CORNERS, corners, n);
  draft_take(draft, SECTION_BOUND, bound, n);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Sections of the topology and the tree, whose arrays change hands. */
static PetscErrorCode DraftTopology(const Surface *s, Topology *top, XRayDraft *draft)
{
  PetscFunctionBeginUser;
  SphereTree *tree = NULL;
  const size_t n = (size_t)s->n_triangles, n_v = (size_t)s->n_vertices, n_e = (size_t)top->n_edges;
  PetscCall(SphereTreeCreate(s, top->triangle, &tree));
  draft_take(draft, SECTION_LINKS, top->triangle, n);
  draft_take(draft, SECTION_EDGE, top->edge, n_e);
  draft_take(draft, SECTION_EDGE_CONTROL, top->edge_control, n_e);
  draft_take(draft, SECTION_EDGE_NORMAL, top->edge_normal, n_e);
  draft_take(draft, SECTION_VERTEX_NORMAL, top->vertex_normal, n_v);
  draft_take(draft, SECTION_VERTEX_FLAGS, top->vertex_flags, n_v);
  draft_take(draft, SECTION_TREE_NODE, tree->node, (size_t)tree->n_nodes);
  draft_take(draft, SECTION_TREE_TRIANGLE, tree->triangle, n);
  draft->head.mean_edge = top->mean_edge;
  draft->head.max_bulge = top->max_bulge;
  draft->head.geometry_error = topology_geometry_error(s, top);
  top->triangle = NULL, top->edge = NULL, top->edge_control = NULL, top->edge_normal = NULL;
  top->vertex_normal = NULL, top->vertex_flags = NULL;
  tree->node = NULL, tree->triangle = NULL;
  PetscCall(SphereTreeDestroy(&tree));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The coarse distances get their signs from the finished inside test. */
static void sign_coarse(XRay *xray, const XRayDraft *draft, float *coarse)
{
  const VoxelGrid *g = &xray->head->voxel;
  const int nx = g->n[0] / g->coarse, ny = g->n[1] / g->coarse, nz = g->n[2] / g->coarse;
  const double size = g->size * g->coarse;
  for (int k = 0, at = 0; k < nz; k++)
    for (int j = 0; j < ny; j++)
      for (int i = 0; i < nx; i++, at++)
        if (xray_contains(xray, vec3_add(g->origin, vec3((i + 0.5) * size, (j + 0.5) * size,
                                                         (k + 0.5) * size))))
          coarse[at] = -draft->coarse_most[at];
}

static PetscErrorCode SurfaceCheck(const Surface *s)
{
  PetscFunctionBeginUser;
  const double size = box_longest(s->box);
  PetscCheck(s->n_triangles > 0, PETSC_COMM_SELF, PETSC_ERR_USER_INPUT,
             "surface has no triangles: nothing to x-ray");
  PetscCheck(isfinite(size) && size > 0.0, PETSC_COMM_SELF, PETSC_ERR_USER_INPUT,
             "surface of size %g cannot be x-rayed", size);
  for (int v = 0; v < s->n_vertices; v++)
    PetscCheck(vec3_finite(s->vertex[v]), PETSC_COMM_SELF, PETSC_ERR_USER_INPUT,
               "vertex %d of the surface is not finite", v);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode XRayDraftCreate(const Surface *surface, XRaySpec spec, XRayDraft **new_draft)
{
  PetscFunctionBeginUser;
  PetscCall(SurfaceCheck(surface));
  XRayDraft *draft = NULL;
  Topology *top = NULL;
  PetscCall(PetscNew(&draft));
  draft->head.box = surface->box;
  draft->head.size = box_longest(surface->box);
  draft->head.surface_hash = surface_hash(surface);
  draft->head.column_axis = column_axis_best(surface);
  PetscCall(TopologyCreate(surface, &top));
  PetscCall(DraftSurface(surface, draft));
  PetscCall(DraftTopology(surface, top, draft));
  PetscCall(TopologyDestroy(&top));
  PetscCall(LatticesSet(spec.spacing, &draft->head));
  PetscCall(VoxelGridSet(spec.reach, &draft->head));
  *new_draft = draft;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode XRayDraftDestroy(XRayDraft **draft)
{
  PetscFunctionBeginUser;
  for (int s = 0; s < SECTION_COUNT; s++) PetscCall(PetscFree((*draft)->section[s]));
  PetscCall(PetscFree((*draft)->coarse_most));
  PetscCall(PetscFree(*draft));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode XRayCreate(const Surface *surface, XRaySpec spec, XRay **xray)
{
  PetscFunctionBeginUser;
  XRayDraft *draft = NULL;
  PetscCall(XRayDraftCreate(surface, spec, &draft));
  PetscCall(XRayDraftRays(surface->n_triangles, draft));
  PetscCall(XRayDraftColumns(surface->n_triangles, draft));
  PetscCall(XRayDraftVoxels(surface->n_triangles, draft));
  PetscCall(XRayAssemble(draft, sign_coarse, xray));
  PetscCall(XRayDraftDestroy(&draft));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode XRayDestroy(XRay **xray)
{
  PetscFunctionBeginUser;
  if (*xray == NULL) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscFree((*xray)->owned));
  PetscCall(PetscFree(*xray));
  PetscFunctionReturn(PETSC_SUCCESS);
}

int xray_n_triangles(const XRay *xray)
{
  return xray_count(xray, SECTION_CORNERS);
}

int xray_n_edges(const XRay *xray)
{
  return xray_count(xray, SECTION_EDGE);
}

int xray_n_vertices(const XRay *xray)
{
  return xray_count(xray, SECTION_VERTEX);
}

const Corners *xray_triangle(const XRay *xray, int triangle)
{
  return &xray->corners[triangle];
}

const TriangleLinks *xray_triangle_links(const XRay *xray, int triangle)
{
  return &xray->links[triangle];
}

bool xray_triangle_is_flat(const XRay *xray, int triangle)
{
  return xray->links[triangle].flags & TRIANGLE_FLAT;
}

const SurfaceEdge *xray_edge(const XRay *xray, int edge)
{
  return &xray->edge[edge];
}

Vec3 xray_vertex(const XRay *xray, int vertex, int *flags)
{
  if (flags != NULL) *flags = xray->vertex_flags[vertex];
  return xray->vertex[vertex];
}

SphereTreeView xray_sphere_tree(const XRay *xray)
{
  return (SphereTreeView){xray_count(xray, SECTION_TREE_NODE), xray->node, xray->node_triangle};
}

const Lattice *xray_lattice(const XRay *xray, int axis)
{
  return &xray->head->lattice[axis];
}

const RayCrossing *xray_ray(const XRay *xray, int axis, int ray, int *n)
{
  const int32_t *start = xray->ray_start[axis];
  *n = start[ray + 1] - start[ray];
  return xray->crossing[axis] + start[ray];
}

Box xray_box(const XRay *xray)
{
  return xray->head->box;
}

double xray_reach(const XRay *xray)
{
  return xray->head->reach;
}

double xray_mean_edge(const XRay *xray)
{
  return xray->head->mean_edge;
}

double xray_max_bulge(const XRay *xray)
{
  return xray->head->max_bulge;
}

double xray_geometry_error(const XRay *xray)
{
  return xray->head->geometry_error;
}
