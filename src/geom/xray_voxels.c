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
  float *near;   /* owned: lower bounds of their distances, but for rounding */
  float rounding;
  size_t room;
  int32_t *start;    /* owned: lists in the order of the walk, first of each voxel */
  int32_t *count;    /* owned */
  VoxelEntry *entry; /* owned */
  size_t n_listed, listed_room;
  float *least, *most; /* owned: bounds of the unsigned distance at the middle of coarse cells */
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
  const int32_t *list = w->list + c->first;
  float *near = w->near + c->first;
  const float x = (float)middle.x, y = (float)middle.y, z = (float)middle.z;
  for (int k = 0; k < c->n; k++) {
    const BoundSphere b = w->bound[list[k]];
    const float dx = x - b.x, dy = y - b.y, dz = z - b.z;
    near[k] = sqrtf(dx * dx + dy * dy + dz * dz) - b.radius;
  }
  int at = 0;
  for (int k = 1; k < c->n; k++)
    if (near[k] < near[at]) at = k;
  double best2 = triangle_foot(&w->corners[list[at]], middle).distance2;
  float best = (float)sqrt(best2) + w->rounding;
  for (int k = 0; k < c->n; k++) {
    if (near[k] >= best) continue;
    const double d2 = triangle_foot(&w->corners[list[k]], middle).distance2;
    if (d2 < best2) best2 = d2, best = (float)sqrt(d2) + w->rounding;
  }
  return sqrt(best2);
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
static PetscErrorCode KeepCandidates(Walk *w, const Cube *c, double within, int *kept)
{
  PetscFunctionBeginUser;
  const size_t end = c->first + (size_t)c->n;
  PetscCall(WalkReserve(w, end + (size_t)c->n));
  const float most = (float)within + w->rounding;
  int n = 0;
  for (int k = 0; k < c->n; k++) {
    w->list[end + n] = w->list[c->first + k];
    n += w->near[c->first + k] <= most;
  }
  *kept = n;
  PetscFunctionReturn(PETSC_SUCCESS);
}

#define BINS 16

/* Write the candidates within [least, most] of the middle, by bins of distance; returns how many.
 */
static int sort_entries(const Walk *w, const Cube *c, Vec3 middle, double least, double most,
                        VoxelEntry scratch[], VoxelEntry out[])
{
  int n = 0, next[BINS + 1] = {0};
  const double scale = (BINS - 0.01) / (most - least);
  for (int k = 0; k < c->n; k++) {
    const int32_t t = w->list[c->first + k];
    if (w->near[c->first + k] > most + w->rounding) continue;
    const double d = sqrt(triangle_foot(&w->corners[t], middle).distance2);
    if (d > most) continue;
    const float lower = nextafterf((float)d, -INFINITY);
    scratch[n++] = (VoxelEntry){t, lower};
    next[(lower > least ? (int)((lower - least) * scale) : 0) + 1]++;
  }
  for (int b = 0; b < BINS; b++) next[b + 1] += next[b];
  for (int k = 0; k < n; k++) {
    const double lower = scratch[k].distance;
    out[next[lower > least ? (int)((lower - least) * scale) : 0]++] = scratch[k];
  }
  return n;
}

/* Keep the list of a voxel. */
static PetscErrorCode VoxelStore(Walk *w, const Cube *voxel, Vec3 middle, double least, double most)
{
  PetscFunctionBeginUser;
  const VoxelGrid *g = w->grid;
  const int id = voxel->lo[0] + g->n[0] * (voxel->lo[1] + g->n[1] * voxel->lo[2]);
  const size_t need = w->n_listed + 2 * (size_t)voxel->n;
  if (need > w->listed_room) {
    w->listed_room = 2 * need;
    PetscCall(PetscRealloc(w->listed_room * sizeof *w->entry, &w->entry));
  }
  PetscCheck(need < INT32_MAX, PETSC_COMM_SELF, PETSC_ERR_USER_INPUT,
             "x-ray reach %g is too large for this surface: more than 2e9 voxel entries", w->reach);
  VoxelEntry *out = w->entry + w->n_listed;
  w->start[id] = (int32_t)w->n_listed;
  w->count[id] = sort_entries(w, voxel, middle, least, most, out + voxel->n, out);
  w->n_listed += (size_t)w->count[id];
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The coarse cells of a cube whose middle is known to be at the distance d. */
static void fill_coarse(Walk *w, const Cube *cube, Vec3 middle, double d)
{
  const VoxelGrid *g = w->grid;
  const int c = g->coarse, nx = g->n[0] / c, ny = g->n[1] / c;
  for (int k = cube->lo[2]; k < cube->hi[2] && k < g->n[2]; k += c)
    for (int j = cube->lo[1]; j < cube->hi[1] && j < g->n[1]; j += c)
      for (int i = cube->lo[0]; i < cube->hi[0] && i < g->n[0]; i += c) {
        const Cube cell = {{i, j, k}, {i + c, j + c, k + c}, 0, 0};
        double radius;
        const double off = vec3_distance(cube_middle(g, &cell, &radius), middle);
        const int at = i / c + nx * (j / c + ny * (k / c));
        w->least[at] = (float)(d - off);
        w->most[at] = (float)(d + off);
      }
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
  const bool far = d - radius > w->reach;
  /* Far away a coarse answer is good enough for culling. */
  const bool done = edge == g->coarse || (edge > g->coarse && far && radius < 0.3 * d);
  if (done) fill_coarse(w, cube, middle, d);
  if (far && (done || edge < g->coarse)) PetscFunctionReturn(PETSC_SUCCESS);
  const double most = d + 2.0 * radius + w->slack;
  if (edge == 1) {
    PetscCall(VoxelStore(w, cube, middle, d, most));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  int kept = 0;
  PetscCall(KeepCandidates(w, cube, most, &kept));
  PetscCall(CubeSplit(w, cube, cube->first + (size_t)cube->n, kept));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Lists in the order of the voxels, from lists in the order of the walk. */
static PetscErrorCode VoxelListsSort(Walk *w, size_t n_voxels, XRayDraft *draft)
{
  PetscFunctionBeginUser;
  int32_t *start = NULL;
  VoxelEntry *entry = NULL;
  PetscCall(PetscMalloc1(n_voxels + 1, &start));
  PetscCall(PetscMalloc1(w->n_listed + 1, &entry));
  size_t n = 0;
  for (size_t v = 0; v < n_voxels; v++) {
    start[v] = (int32_t)n;
    memcpy(entry + n, w->entry + w->start[v], (size_t)w->count[v] * sizeof *entry);
    n += (size_t)w->count[v];
  }
  start[n_voxels] = (int32_t)n;
  draft_take(draft, SECTION_VOXEL_START, start, n_voxels + 1);
  draft_take(draft, SECTION_VOXEL_ENTRY, entry, n);
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
            .slack = 2.0 * draft->head.max_bulge + 1e-9 * draft->head.size,
            .rounding = (float)(1e-6 * (draft->head.size + vec3_norm(g->origin)))};
  draft->head.bin_width = 1.1 * (sqrt(3.0) * g->size + w.slack) / BINS;
  PetscCall(WalkReserve(&w, (size_t)n_triangles));
  PetscCall(PetscCalloc1(n_voxels, &w.start));
  PetscCall(PetscCalloc1(n_voxels, &w.count));
  PetscCall(PetscMalloc1(n_coarse, &w.least));
  PetscCall(PetscMalloc1(n_coarse, &w.most));
  for (int t = 0; t < n_triangles; t++) w.list[t] = t;
  int longest = g->coarse;
  while (longest < g->n[0] || longest < g->n[1] || longest < g->n[2]) longest *= 2;
  const Cube all = {{0, 0, 0}, {longest, longest, longest}, 0, n_triangles};
  PetscCall(CubeWalk(&w, &all));
  PetscCall(VoxelListsSort(&w, n_voxels, draft));
  draft_take(draft, SECTION_COARSE, w.least, n_coarse);
  draft->coarse_most = w.most;
  PetscCall(PetscFree(w.list));
  PetscCall(PetscFree(w.near));
  PetscCall(PetscFree(w.start));
  PetscCall(PetscFree(w.count));
  PetscCall(PetscFree(w.entry));
  PetscFunctionReturn(PETSC_SUCCESS);
}
