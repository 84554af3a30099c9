/*
 * Where do the rays of the three lattices pierce the surface?
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "geom/xray_draft.h"

/* Snapped coordinates stay below 2^30, so that edge functions fit 64 bits. */
#define SNAP_BITS 30

RasterLattice raster_lattice(const XRayHeader *head, int axis)
{
  const Lattice *l = &head->lattice[axis];
  const int longest = (l->n_u > l->n_v ? l->n_u : l->n_v) + 2;
  int bits = SNAP_BITS;
  while (bits > 0 && ((int64_t)longest << bits) > ((int64_t)1 << SNAP_BITS)) bits--;
  const double middle = vec3_at(box_center(head->box), axis);
  return (RasterLattice){l->n_u,
                         l->n_v,
                         l->origin_u,
                         l->origin_v,
                         l->spacing,
                         middle,
                         1e-11 * (head->size + 1e-3 * fabs(middle)),
                         bits};
}

/* All crossings of one lattice in the order of the triangles. */
static PetscErrorCode HitsCreate(const XRayDraft *draft, int n_triangles, int axis, RayHit **hits,
                                 int *n_hits)
{
  PetscFunctionBeginUser;
  const RasterLattice lattice = raster_lattice(&draft->head, axis);
  const Corners *corners = draft->section[SECTION_CORNERS];
  int64_t room = 4 * (int64_t)n_triangles + 2 * (int64_t)lattice.n_u * lattice.n_v, n = 0;
  RayHit *hit = NULL;
  PetscCall(PetscMalloc1((size_t)room, &hit));
  for (int t = 0; t < n_triangles; t++) {
    const FlatTriangle flat = flat_triangle(&corners[t], axis);
    const int64_t need = n + raster_bound(&lattice, &flat);
    if (need > room) {
      room = 2 * need;
      PetscCall(PetscRealloc((size_t)room * sizeof *hit, &hit));
    }
    n += raster_rays(&lattice, &flat, t, hit + n);
    PetscCheck(n < INT32_MAX / 2, PETSC_COMM_SELF, PETSC_ERR_USER_INPUT,
               "x-ray spacing %g gives more than 1e9 crossings: take a larger one",
               lattice.spacing);
  }
  *hits = hit;
  *n_hits = (int)n;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Put one more crossing in its place among the n that the ray has already. */
static void insert_crossing(RayCrossing ray[], int n, RayCrossing c)
{
  int k = n;
  for (; k > 0 && ray[k - 1].elevation > c.elevation; k--) ray[k] = ray[k - 1];
  ray[k] = c;
}

/* start[ray] .. start[ray + 1] of a list counted in start[ray + 1]. */
static void counts_to_starts(int n, int32_t start[])
{
  for (int k = 0; k < n; k++) start[k + 1] += start[k];
}

/* Signs along a ray must cancel; a partial sum other than 0 or 1 tells of overlapping shells. */
static PetscErrorCode RayCheck(const Lattice *l, int ray, int n, const RayCrossing crossing[],
                               int32_t *overlapping)
{
  PetscFunctionBeginUser;
  int winding = 0;
  for (int k = 0; k < n; k++) {
    winding += crossing[k].sign;
    /* Crossings at one elevation have no order. */
    const bool settled = k + 1 == n || crossing[k + 1].elevation > crossing[k].elevation;
    if (settled && winding != 0 && winding != 1) *overlapping = 1;
  }
  PetscCheck(winding == 0, PETSC_COMM_SELF, PETSC_ERR_USER_INPUT,
             "surface is not closed: the ray along %c at %c = %g, %c = %g enters it %d times more "
             "than it leaves",
             'x' + l->axis, 'x' + (l->axis + 1) % 3, l->origin_u + l->spacing * (ray % l->n_u),
             'x' + (l->axis + 2) % 3, l->origin_v + l->spacing * (ray / l->n_u), winding);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode LatticeBuild(int n_triangles, int axis, XRayDraft *draft)
{
  PetscFunctionBeginUser;
  Lattice *l = &draft->head.lattice[axis];
  const int n_rays = l->n_u * l->n_v;
  RayHit *hit = NULL;
  int32_t *start = NULL, *filled = NULL;
  RayCrossing *crossing = NULL;
  PetscCall(HitsCreate(draft, n_triangles, axis, &hit, &l->n_crossings));
  PetscCall(PetscCalloc1((size_t)n_rays + 1, &start));
  PetscCall(PetscCalloc1((size_t)n_rays, &filled));
  PetscCall(PetscMalloc1((size_t)l->n_crossings + 1, &crossing));
  for (int k = 0; k < l->n_crossings; k++) start[hit[k].ray + 1]++;
  counts_to_starts(n_rays, start);
  for (int k = 0; k < l->n_crossings; k++) {
    const RayCrossing c = {hit[k].elevation, hit[k].code / 2, hit[k].code % 2 == 0 ? 1 : -1};
    insert_crossing(crossing + start[hit[k].ray], filled[hit[k].ray]++, c);
  }
  for (int ray = 0; ray < n_rays; ray++)
    PetscCall(RayCheck(l, ray, start[ray + 1] - start[ray], crossing + start[ray],
                       &draft->head.overlapping));
  PetscCall(PetscFree(hit));
  PetscCall(PetscFree(filled));
  draft_take(draft, SECTION_RAY_START + axis, start, (size_t)n_rays + 1);
  draft_take(draft, SECTION_CROSSING + axis, crossing, (size_t)l->n_crossings);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode XRayDraftRays(int n_triangles, XRayDraft *draft)
{
  PetscFunctionBeginUser;
  for (int axis = 0; axis < 3; axis++) PetscCall(LatticeBuild(n_triangles, axis, draft));
  PetscFunctionReturn(PETSC_SUCCESS);
}
