/*
 * Which triangles can be the nearest one for some point of a voxel?
 *
 * A triangle farther from the middle of a cube than the nearest one by more than the cube's
 * diagonal is never nearest inside it. Cubes are split from the whole grid down to voxels; each
 * passes on only the triangles that passed, so a voxel looks at few. The distance at the middle
 * of cubes of a coarse level is kept for culling.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "geom/xray_draft.h"

#include <string.h>

typedef struct {
  const VoxelGrid *grid;
  const Corners *corners;
  const BoundSphere *bound;
  double reach;
  double slack;  /* twice the largest bulge and rounding: keeps what the curved query needs */
  int32_t *list; /* owned: candidates of the cubes on the way down, one after the other */
  double *near;  /* owned: lower bounds of their distances */
  size_t room;
  int32_t *start;    /* owned: lists in the order of the walk, first of each voxel */
  int32_t *count;    /* owned */
  int32_t *triangle; /* owned */
  size_t n_listed, listed_room;
  float *coarse; /* owned: unsigned distance at the middle of the coarse cells */
} Walk;

/* A block of voxels [lo, hi) and its candidates list[first .. first + n - 1]. */
typedef struct {
  int lo[3], hi[3];
  size_t first;
  int n;
} Cube;

static Vec3 cube_middle(const VoxelGrid *g, const Cube *c, double *radius)
{
  const double half = 0.5 * g->size;
  const Vec3 edge = {g->size * (c->hi[0] - c->lo[0]), g->size * (c->hi[1] - c->lo[1]),
                     g->size * (c->hi[2] - c->lo[2])};
  *radius = 0.5 * vec3_norm(edge);
  return vec3_add(g->origin, vec3(half * (c->lo[0] + c->hi[0]), half * (c->lo[1] + c->hi[1]),
                                  half * (c->lo[2] + c->hi[2])));
}

/* Exact distance from the middle to the nearest candidate; lower bounds of all are kept. */
static double nearest_candidate(Walk *w, const Cube *c, Vec3 middle)
{
  double best = INFINITY, least = INFINITY;
  int at = 0;
  for (int k = 0; k < c->n; k++) {
    const double near = bound_distance(&w->bound[w->list[c->first + k]], middle);
    w->near[c->first + k] = near;
    if (near < least) least = near, at = k;
  }
  best = sqrt(triangle_foot(&w->corners[w->list[c->first + at]], middle).distance2);
  for (int k = 0; k < c->n; k++) {
    if (w->near[c->first + k] >= best) continue;
    const double d = sqrt(triangle_foot(&w->corners[w->list[c->first + k]], middle).distance2);
    if (d < best) best = d;
    w->near[c->first + k] = d;
  }
  return best;
}

static PetscErrorCode WalkReserve(Walk *w, size_t need)
{
  PetscFunctionBeginUser;
  if (need <= w->room) PetscFunctionReturn(PETSC_SUCCESS);
  w->room = 2 * need;
  PetscCall(PetscRealloc(w->room * sizeof *w->list, &w->list));
  PetscCall(PetscRealloc(w->room * sizeof *w->near, &w->near));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Copy the candidates that may be nearest somewhere in the cube to the end of the list. */
static PetscErrorCode KeepCandidates(Walk *w, const Cube *c, Vec3 middle, double within, bool exact,
                                     int *kept)
{
  PetscFunctionBeginUser;
  const size_t end = c->first + (size_t)c->n;
  PetscCall(WalkReserve(w, end + (size_t)c->n));
  int n = 0;
  for (int k = 0; k < c->n; k++) {
    const int32_t t = w->list[c->first + k];
    if (w->near[c->first + k] > within) continue;
    if (exact && sqrt(triangle_foot(&w->corners[t], middle).distance2) > within) continue;
    w->list[end + n++] = t;
  }
  *kept = n;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Keep the list of a voxel. */
static PetscErrorCode VoxelStore(Walk *w, const Cube *voxel, size_t from, int n)
{
  PetscFunctionBeginUser;
  const VoxelGrid *g = w->grid;
  const int id = voxel->lo[0] + g->n[0] * (voxel->lo[1] + g->n[1] * voxel->lo[2]);
  if (w->n_listed + (size_t)n > w->listed_room) {
    w->listed_room = 2 * (w->n_listed + (size_t)n);
    PetscCall(PetscRealloc(w->listed_room * sizeof *w->triangle, &w->triangle));
  }
  PetscCheck(w->n_listed + (size_t)n < INT32_MAX, PETSC_COMM_SELF, PETSC_ERR_USER_INPUT,
             "x-ray reach %g is too large for this surface: more than 2e9 voxel entries", w->reach);
  w->start[id] = (int32_t)w->n_listed;
  w->count[id] = n;
  memcpy(w->triangle + w->n_listed, w->list + from, (size_t)n * sizeof *w->list);
  w->n_listed += (size_t)n;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static bool is_coarse(const VoxelGrid *g, const Cube *c)
{
  return c->hi[0] - c->lo[0] <= g->coarse;
}

static PetscErrorCode CubeWalk(Walk *w, const Cube *cube);

/* Halve the cube along every axis. */
static PetscErrorCode CubeSplit(Walk *w, const Cube *cube, size_t first, int n)
{
  PetscFunctionBeginUser;
  for (int part = 0; part < 8; part++) {
    Cube child = {.first = first, .n = n};
    bool empty = false;
    for (int a = 0; a < 3; a++) {
      const int half = (cube->hi[a] - cube->lo[a] + 1) / 2;
      child.lo[a] = part >> a & 1 ? cube->lo[a] + half : cube->lo[a];
      child.hi[a] = part >> a & 1 ? cube->hi[a] : cube->lo[a] + half;
      if (child.lo[a] >= w->grid->n[a]) empty = true;
    }
    if (!empty) PetscCall(CubeWalk(w, &child));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode CubeWalk(Walk *w, const Cube *cube)
{
  PetscFunctionBeginUser;
  const VoxelGrid *g = w->grid;
  double radius;
  const Vec3 middle = cube_middle(g, cube, &radius);
  const int edge = cube->hi[0] - cube->lo[0];
  const double d = nearest_candidate(w, cube, middle);
  if (edge == g->coarse) {
    const int c = g->coarse, nx = g->n[0] / c, ny = g->n[1] / c;
    w->coarse[cube->lo[0] / c + nx * (cube->lo[1] / c + ny * (cube->lo[2] / c))] = (float)d;
  }
  if (is_coarse(g, cube) && d - radius > w->reach) PetscFunctionReturn(PETSC_SUCCESS);
  int kept = 0;
  PetscCall(KeepCandidates(w, cube, middle, d + 2.0 * radius + w->slack, edge == 1, &kept));
  const size_t end = cube->first + (size_t)cube->n;
  if (edge == 1)
    PetscCall(VoxelStore(w, cube, end, kept));
  else
    PetscCall(CubeSplit(w, cube, end, kept));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Lists in the order of the voxels, from lists in the order of the walk. */
static PetscErrorCode VoxelListsSort(Walk *w, size_t n_voxels, XRayDraft *draft)
{
  PetscFunctionBeginUser;
  int32_t *start = NULL, *triangle = NULL;
  PetscCall(PetscMalloc1(n_voxels + 1, &start));
  PetscCall(PetscMalloc1(w->n_listed + 1, &triangle));
  size_t n = 0;
  for (size_t v = 0; v < n_voxels; v++) {
    start[v] = (int32_t)n;
    memcpy(triangle + n, w->triangle + w->start[v], (size_t)w->count[v] * sizeof *triangle);
    n += (size_t)w->count[v];
  }
  start[n_voxels] = (int32_t)n;
  draft_take(draft, SECTION_VOXEL_START, start, n_voxels + 1);
  draft_take(draft, SECTION_VOXEL_TRIANGLE, triangle, n);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode XRayDraftVoxels(int n_triangles, XRayDraft *draft)
{
  PetscFunctionBeginUser;
  const VoxelGrid *g = &draft->head.voxel;
  const size_t n_voxels = (size_t)g->n[0] * (size_t)g->n[1] * (size_t)g->n[2];
  const size_t n_coarse = n_voxels / ((size_t)g->coarse * (size_t)g->coarse * (size_t)g->coarse);
  Walk w = {.grid = g,
            .corners = draft->section[SECTION_CORNERS],
            .bound = draft->section[SECTION_BOUND],
            .reach = draft->head.reach,
            .slack = 2.0 * draft->head.max_bulge + 1e-9 * draft->head.size};
  PetscCall(WalkReserve(&w, (size_t)n_triangles));
  PetscCall(PetscCalloc1(n_voxels, &w.start));
  PetscCall(PetscCalloc1(n_voxels, &w.count));
  PetscCall(PetscMalloc1(n_coarse, &w.coarse));
  for (int t = 0; t < n_triangles; t++) w.list[t] = t;
  int longest = g->coarse;
  while (longest < g->n[0] || longest < g->n[1] || longest < g->n[2]) longest *= 2;
  const Cube all = {{0, 0, 0}, {longest, longest, longest}, 0, n_triangles};
  PetscCall(CubeWalk(&w, &all));
  PetscCall(VoxelListsSort(&w, n_voxels, draft));
  draft_take(draft, SECTION_COARSE, w.coarse, n_coarse);
  PetscCall(PetscFree(w.list));
  PetscCall(PetscFree(w.near));
  PetscCall(PetscFree(w.start));
  PetscCall(PetscFree(w.count));
  PetscCall(PetscFree(w.triangle));
  PetscFunctionReturn(PETSC_SUCCESS);
}
