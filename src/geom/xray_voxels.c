/*
 * Which triangles can be the nearest one for some point of a voxel?
 *
 * A triangle that is farther than the nearest one all over a cube is never nearest inside it.
 * Cubes are split from the whole grid down to voxels; each passes on only the triangles that
 * passed, so a voxel looks at few. The distance at the middle of cubes of a coarse level is kept
 * for culling.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "geom/xray_draft.h"
#include "geom/xray_voxels_kernels.h"

#include <string.h>

typedef struct {
  const VoxelGrid *grid;
  const Corners *corners;
  double reach;
  double slack;    /* twice the largest bulge and rounding: keeps what the curved query needs */
  double rounding; /* of distances in single precision */
  double touching; /* below this distance slopes are not known */
  int32_t *list;   /* owned: candidates of the cubes on the way down, one after the other */
  size_t n_list, room;
  Slopes slopes; /* owned: of the candidates of one cube */
  int32_t *flag; /* owned: may they matter? */
  int slopes_room;
  int32_t *start;    /* owned: lists in the order of the walk, first of each voxel */
  int32_t *count;    /* owned */
  VoxelEntry *entry; /* owned */
  int8_t *slope;     /* owned, three for each entry */
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

static PetscErrorCode SlopesReserve(Walk *w, int need)
{
  PetscFunctionBeginUser;
  if (need <= w->slopes_room) PetscFunctionReturn(PETSC_SUCCESS);
  w->slopes_room = 2 * need;
  const size_t bytes = (size_t)w->slopes_room * sizeof(float);
  PetscCall(PetscRealloc(bytes, &w->slopes.d));
  PetscCall(PetscRealloc(bytes, &w->slopes.x));
  PetscCall(PetscRealloc(bytes, &w->slopes.y));
  PetscCall(PetscRealloc(bytes, &w->slopes.z));
  PetscCall(PetscRealloc(bytes, &w->flag));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* One eighth of a cube, and how near the surface is to it. */
static CubeView view_part(const Walk *w, const Cube *c, Vec3 middle, int part)
{
  const double quarter = 0.25 * w->grid->size * (c->hi[0] - c->lo[0]);
  const Vec3 r = {part & 1 ? quarter : -quarter, part & 2 ? quarter : -quarter,
                  part & 4 ? quarter : -quarter};
  CubeView view = {
      .r = {(float)r.x, (float)r.y, (float)r.z}, .half = (float)quarter, .slack = (float)w->slack};
  const int seed = slopes_seed(c->n, &w->slopes, view.r);
  const Vec3 p = vec3_add(middle, r);
  const Vec3 on = triangle_foot(&w->corners[w->list[c->first + seed]], p).point;
  const Vec3 away = vec3_sub(p, on), slope = vec3_unit(away);
  view.distance = (float)vec3_norm(away);
  view.slope[0] = (float)slope.x, view.slope[1] = (float)slope.y, view.slope[2] = (float)slope.z;
  return view;
}

/* Put the flagged candidates at list[end] and on; returns how many. */
static int keep_flagged(Walk *w, const Cube *c, size_t end)
{
  int n = 0;
  for (int k = 0; k < c->n; k++) {
    w->list[end + (size_t)n] = w->list[c->first + (size_t)k];
    n += w->flag[k];
  }
  return n;
}

static PetscErrorCode ListReserve(Walk *w, size_t need)
{
  PetscFunctionBeginUser;
  if (need <= w->room) PetscFunctionReturn(PETSC_SUCCESS);
  w->room = 2 * need;
  PetscCall(PetscRealloc(w->room * sizeof *w->list, &w->list));
  PetscFunctionReturn(PETSC_SUCCESS);
}

#define BINS 16

static int bin_of(float distance, float least, float scale)
{
  const int bin = (int)((distance - least) * scale);
  return bin < 0 ? 0 : bin < BINS ? bin : BINS - 1;
}

/* Write the flagged candidates of a voxel, n of them, by bins of distance, with their slopes. */
static void sort_entries(const Walk *w, const Cube *c, int n, float least, VoxelEntry out[],
                         int8_t slope[])
{
  const Slopes *s = &w->slopes;
  const float scale = (float)(BINS / (sqrt(3.0) * w->grid->size + w->slack));
  int next[BINS + 1] = {0};
  for (int k = 0; k < c->n; k++) next[bin_of(s->d[k], least, scale) + 1] += w->flag[k];
  for (int b = 0; b < BINS; b++) next[b + 1] += next[b];
  for (int k = 0; k < c->n; k++) {
    if (!w->flag[k]) continue;
    const int at = next[bin_of(s->d[k], least, scale)]++;
    const float lower = s->d[k] - (float)w->rounding;
    out[at] = (VoxelEntry){w->list[c->first + (size_t)k], lower > 0.0f ? lower : 0.0f};
    slope[at] = (int8_t)lrintf(SLOPE_UNIT * s->x[k]);
    slope[n + at] = (int8_t)lrintf(SLOPE_UNIT * s->y[k]);
    slope[2 * n + at] = (int8_t)lrintf(SLOPE_UNIT * s->z[k]);
  }
}

/* Keep the list of a voxel: what matters in some eighth of it. */
static PetscErrorCode VoxelStore(Walk *w, const Cube *voxel, Vec3 middle, float least)
{
  PetscFunctionBeginUser;
  const VoxelGrid *g = w->grid;
  const int id = voxel->lo[0] + g->n[0] * (voxel->lo[1] + g->n[1] * voxel->lo[2]);
  PetscCall(PetscArrayzero(w->flag, voxel->n));
  for (int part = 0; part < 8; part++) {
    const CubeView view = view_part(w, voxel, middle, part);
    slopes_mark(voxel->n, &w->slopes, &view, w->flag);
  }
  int n = 0;
  for (int k = 0; k < voxel->n; k++) n += w->flag[k];
  const size_t need = w->n_listed + (size_t)n;
  if (need > w->listed_room) {
    w->listed_room = 2 * need;
    PetscCall(PetscRealloc(w->listed_room * sizeof *w->entry, &w->entry));
    PetscCall(PetscRealloc(3 * w->listed_room * sizeof *w->slope, &w->slope));
  }
  PetscCheck(need < INT32_MAX / 3, PETSC_COMM_SELF, PETSC_ERR_USER_INPUT,
             "x-ray reach %g is too large for this surface: more than 7e8 voxel entries", w->reach);
  sort_entries(w, voxel, n, least, w->entry + w->n_listed, w->slope + 3 * w->n_listed);
  w->start[id] = (int32_t)w->n_listed;
  w->count[id] = n;
  w->n_listed = need;
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
        w->least[at] = (float)(d - off - w->rounding);
        w->most[at] = (float)(d + off + w->rounding + w->touching);
      }
}

static PetscErrorCode CubeWalk(Walk *w, const Cube *cube);

/* Halve the cube along every axis; each part gets the candidates that matter in it. */
static PetscErrorCode CubeSplit(Walk *w, const Cube *cube, Vec3 middle)
{
  PetscFunctionBeginUser;
  Cube part[8];
  int n_parts = 0;
  const size_t before = w->n_list;
  PetscCall(ListReserve(w, before + 8 * (size_t)cube->n));
  for (int p = 0; p < 8; p++) {
    Cube child = {.first = w->n_list};
    bool empty = false;
    for (int a = 0; a < 3; a++) {
      const int half = (cube->hi[a] - cube->lo[a]) / 2;
      child.lo[a] = p >> a & 1 ? cube->lo[a] + half : cube->lo[a];
      child.hi[a] = child.lo[a] + half;
      if (child.lo[a] >= w->grid->n[a]) empty = true;
    }
    if (empty) continue;
    const CubeView view = view_part(w, cube, middle, p);
    PetscCall(PetscArrayzero(w->flag, cube->n));
    slopes_mark(cube->n, &w->slopes, &view, w->flag);
    child.n = keep_flagged(w, cube, w->n_list);
    w->n_list += (size_t)child.n;
    part[n_parts++] = child;
  }
  for (int p = 0; p < n_parts; p++) PetscCall(CubeWalk(w, &part[p]));
  w->n_list = before;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static float least_of(int n, const float d[])
{
  float least = d[0];
  for (int k = 1; k < n; k++) least = d[k] < least ? d[k] : least;
  return least;
}

static PetscErrorCode CubeWalk(Walk *w, const Cube *cube)
{
  PetscFunctionBeginUser;
  const VoxelGrid *g = w->grid;
  double radius;
  const Vec3 middle = cube_middle(g, cube, &radius);
  const int edge = cube->hi[0] - cube->lo[0];
  PetscCall(SlopesReserve(w, cube->n));
  slopes_at(cube->n, w->list + cube->first, w->corners, middle, (float)w->touching, &w->slopes);
  const double d = least_of(cube->n, w->slopes.d);
  const bool far = d - radius > w->reach + w->rounding;
  /* Far away a coarse answer is good enough for culling. */
  const bool done = edge == g->coarse || (edge > g->coarse && far && radius < 0.3 * d);
  if (done) fill_coarse(w, cube, middle, d);
  if (far && (done || edge < g->coarse)) PetscFunctionReturn(PETSC_SUCCESS);
  if (edge == 1)
    PetscCall(VoxelStore(w, cube, middle, (float)d));
  else
    PetscCall(CubeSplit(w, cube, middle));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Lists in the order of the voxels, from lists in the order of the walk. */
static PetscErrorCode VoxelListsSort(Walk *w, size_t n_voxels, XRayDraft *draft)
{
  PetscFunctionBeginUser;
  int32_t *start = NULL;
  VoxelEntry *entry = NULL;
  int8_t *slope = NULL;
  PetscCall(PetscMalloc1(n_voxels + 1, &start));
  PetscCall(PetscMalloc1(w->n_listed + 1, &entry));
  PetscCall(PetscMalloc1(3 * w->n_listed + 1, &slope));
  size_t n = 0;
  for (size_t v = 0; v < n_voxels; v++) {
    start[v] = (int32_t)n;
    const size_t from = (size_t)w->start[v], count = (size_t)w->count[v];
    memcpy(entry + n, w->entry + from, count * sizeof *entry);
    memcpy(slope + 3 * n, w->slope + 3 * from, 3 * count);
    n += count;
  }
  start[n_voxels] = (int32_t)n;
  draft_take(draft, SECTION_VOXEL_START, start, n_voxels + 1);
  draft_take(draft, SECTION_VOXEL_ENTRY, entry, n);
  draft_take(draft, SECTION_VOXEL_SLOPE, slope, 3 * n);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static double largest_radius(int n, const BoundSphere bound[])
{
  float most = 0.0f;
  for (int t = 0; t < n; t++) most = bound[t].radius > most ? bound[t].radius : most;
  return most;
}

static PetscErrorCode WalkDestroy(Walk *w)
{
  PetscFunctionBeginUser;
  PetscCall(PetscFree(w->list));
  PetscCall(PetscFree(w->slopes.d));
  PetscCall(PetscFree(w->slopes.x));
  PetscCall(PetscFree(w->slopes.y));
  PetscCall(PetscFree(w->slopes.z));
  PetscCall(PetscFree(w->flag));
  PetscCall(PetscFree(w->start));
  PetscCall(PetscFree(w->count));
  PetscCall(PetscFree(w->entry));
  PetscCall(PetscFree(w->slope));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode XRayDraftVoxels(int n_triangles, XRayDraft *draft)
{
  PetscFunctionBeginUser;
  const VoxelGrid *g = &draft->head.voxel;
  const size_t n_voxels = (size_t)g->n[0] * (size_t)g->n[1] * (size_t)g->n[2];
  const size_t n_coarse = n_voxels / ((size_t)g->coarse * (size_t)g->coarse * (size_t)g->coarse);
  const double rounding = 2e-6 * (draft->head.size + draft->head.reach);
  Walk w = {.grid = g,
            .corners = draft->section[SECTION_CORNERS],
            .reach = draft->head.reach,
            .slack = 2.0 * draft->head.max_bulge + 2.0 * rounding,
            .rounding = rounding,
            .touching =
                2e-3 * g->size + 2e-4 * largest_radius(n_triangles, draft->section[SECTION_BOUND])};
  draft->head.bin_width = 1.1 * (sqrt(3.0) * g->size + w.slack) / BINS + rounding;
  w.n_list = (size_t)n_triangles;
  w.room = 9 * w.n_list;
  PetscCall(PetscMalloc1(w.room, &w.list));
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
  PetscCall(WalkDestroy(&w));
  PetscFunctionReturn(PETSC_SUCCESS);
}
