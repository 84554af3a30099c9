/*
 * Between which elevations is a column not crossed by any triangle, so that its ray speaks for it?
 *
 * Triangles that reach into the column are merged into slabs. The winding number changes across a
 * slab by the crossings of the ray with the slab's own triangles: which triangle was hit decides,
 * never an elevation, so that no rounding enters. Columns stand along the axis that leaves the
 * least volume to the slabs.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "geom/xray_draft.h"

int column_axis_best(const Surface *s)
{
  double area[3] = {0.0, 0.0, 0.0};
  for (int t = 0; t < s->n_triangles; t++) {
    const Vec3 a = s->vertex[s->triangle[t][0]];
    const Vec3 n = vec3_cross(vec3_sub(s->vertex[s->triangle[t][1]], a),
                              vec3_sub(s->vertex[s->triangle[t][2]], a));
    area[0] += fabs(n.x), area[1] += fabs(n.y), area[2] += fabs(n.z);
  }
  const int best = area[0] > area[1] ? 0 : 1;
  /* Rounding must not choose between equal axes: z wins such ties. */
  return area[best] > area[2] * (1.0 + 1e-9) ? best : 2;
}

/* Entries of all columns, sorted by column and then by their lower end. */
typedef struct {
  ColumnEntry *entry; /* owned */
  int32_t *start;     /* owned, one per column and one more */
} ColumnEntries;

static PetscErrorCode EntriesCollect(const XRayDraft *draft, int n_triangles, ColumnEntry **entries,
                                     int *n_entries)
{
  PetscFunctionBeginUser;
  const int axis = draft->head.column_axis;
  const RasterLattice lattice = raster_lattice(&draft->head, axis);
  const Corners *corners = draft->section[SECTION_CORNERS];
  int64_t room = 16 * (int64_t)n_triangles + 4 * (int64_t)lattice.n_u * lattice.n_v, n = 0;
  ColumnEntry *entry = NULL;
  PetscCall(PetscMalloc1((size_t)room, &entry));
  for (int t = 0; t < n_triangles; t++) {
    const FlatTriangle flat = flat_triangle(&corners[t], axis);
    const int64_t need = n + raster_bound(&lattice, &flat);
    if (need > room) {
      room = 2 * need;
      PetscCall(PetscRealloc((size_t)room * sizeof *entry, &entry));
    }
    n += raster_columns(&lattice, &flat, t, entry + n);
    PetscCheck(n < INT32_MAX / 2, PETSC_COMM_SELF, PETSC_ERR_USER_INPUT,
               "x-ray spacing %g gives columns with more than 1e9 triangles: take a larger one",
               lattice.spacing);
  }
  *entries = entry;
  *n_entries = (int)n;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode EntriesCreate(const XRayDraft *draft, int n_triangles, int n_columns,
                                    ColumnEntries *sorted)
{
  PetscFunctionBeginUser;
  ColumnEntry *raw = NULL;
  int n = 0;
  int32_t *next = NULL;
  PetscCall(EntriesCollect(draft, n_triangles, &raw, &n));
  PetscCall(PetscCalloc1((size_t)n_columns + 2, &next));
  PetscCall(PetscMalloc1((size_t)n + 1, &sorted->entry));
  for (int k = 0; k < n; k++) next[raw[k].cell + 2]++;
  for (int c = 0; c < n_columns; c++) next[c + 2] += next[c + 1];
  for (int k = 0; k < n; k++) sorted->entry[next[raw[k].cell + 1]++] = raw[k];
  PetscCall(PetscFree(raw));
  sorted->start = next;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void sort_by_lo(int n, ColumnEntry e[])
{
  for (int i = 1; i < n; i++) {
    const ColumnEntry x = e[i];
    int k = i;
    for (; k > 0 && e[k - 1].lo > x.lo; k--) e[k] = e[k - 1];
    e[k] = x;
  }
}

/* By how much the ray's winding number changes across the triangles of a slab. */
static int winding_change(int n, const ColumnEntry e[], int n_crossings, const RayCrossing c[])
{
  int change = 0;
  for (int k = 0; k < n_crossings; k++)
    for (int i = 0; i < n; i++)
      if (e[i].triangle == c[k].triangle) change += c[k].sign;
  return change;
}

/* Merge the sorted entries of one column into slabs; returns how many slabs. */
static int merge_slabs(int n, const ColumnEntry e[], int first, int n_crossings,
                       const RayCrossing c[], Slab slab[])
{
  int n_slabs = 0, winding = 0;
  for (int i = 0, end = 0; i < n; i = end) {
    float hi = e[i].hi;
    for (end = i + 1; end < n && e[end].lo <= hi; end++)
      if (e[end].hi > hi) hi = e[end].hi;
    winding += winding_change(end - i, e + i, n_crossings, c);
    slab[n_slabs++] = (Slab){e[i].lo, hi, first + i, winding};
  }
  return n_slabs;
}

PetscErrorCode XRayDraftColumns(int n_triangles, XRayDraft *draft)
{
  PetscFunctionBeginUser;
  const int axis = draft->head.column_axis;
  const Lattice *l = &draft->head.lattice[axis];
  const int32_t *ray = draft->section[SECTION_RAY_START + axis];
  const RayCrossing *crossing = draft->section[SECTION_CROSSING + axis];
  const int n_columns = l->n_u * l->n_v;
  ColumnEntries all = {NULL, NULL};
  PetscCall(EntriesCreate(draft, n_triangles, n_columns, &all));
  const int n = all.start[n_columns];
  int32_t *start = NULL, *triangle = NULL;
  Slab *slab = NULL;
  PetscCall(PetscMalloc1((size_t)n_columns + 1, &start));
  PetscCall(PetscMalloc1((size_t)n + 1, &slab));
  PetscCall(PetscMalloc1((size_t)n + 1, &triangle));
  int n_slabs = 0;
  for (int c = 0; c < n_columns; c++) {
    const int first = all.start[c], count = all.start[c + 1] - first;
    start[c] = n_slabs;
    sort_by_lo(count, all.entry + first);
    n_slabs += merge_slabs(count, all.entry + first, first, ray[c + 1] - ray[c], crossing + ray[c],
                           slab + n_slabs);
  }
  start[n_columns] = n_slabs;
  slab[n_slabs] = (Slab){INFINITY, INFINITY, n, 0};
  for (int k = 0; k < n; k++) triangle[k] = all.entry[k].triangle;
  PetscCall(PetscFree(all.entry));
  PetscCall(PetscFree(all.start));
  draft_take(draft, SECTION_COLUMN_START, start, (size_t)n_columns + 1);
  draft_take(draft, SECTION_SLAB, slab, (size_t)n_slabs + 1);
  draft_take(draft, SECTION_COLUMN_TRIANGLE, triangle, (size_t)n);
  PetscFunctionReturn(PETSC_SUCCESS);
}
