/*
 * Which faces do the own cells have, and how large are the cells?
 *
 * Rings begin at their lowest vertex, so that both cells of a face cut it into the same
 * triangles. A face without area (a pole of a structured grid) is none: whatever is beyond it,
 * nothing passes through.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "grid/cell_faces.h"
#include "grid/defect.h"
#include "grid/near_draft_impl.h"
#include "grid/ring.h"

static FaceWalk walk_cell(const NearDraft *draft, LocalId c)
{
  const LocalId first = draft->corner_start[c];
  return face_walk(draft->kind[c], draft->corner_start[c + 1] - first,
                   draft->vertices.corner + first);
}

static PetscErrorCode CountSides(NearDraft *draft)
{
  PetscFunctionBeginUser;
  LocalId n_sides = 0, n_ring = 0;
  PetscCall(PetscMalloc1(draft->n_own + 1, &draft->side_start));
  for (LocalId c = 0; c < draft->n_own; c++) {
    draft->side_start[c] = n_sides;
    for (FaceWalk walk = walk_cell(draft, c); face_walk_next(&walk); n_sides++) n_ring += walk.n;
  }
  draft->side_start[draft->n_own] = draft->n_sides = n_sides;
  PetscCall(PetscMalloc2(n_sides, &draft->side, n_ring, &draft->ring));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void list_sides(NearDraft *draft)
{
  const double size = box_largest_coordinate(draft->box);
  LocalId s = 0, at = 0;
  for (LocalId c = 0; c < draft->n_own; c++) {
    for (FaceWalk walk = walk_cell(draft, c); face_walk_next(&walk); s++) {
      LocalId *ring = draft->ring + at;
      for (int i = 0; i < walk.n; i++) ring[i] = walk.ring[i];
      ring_begin_lowest(walk.n, ring);
      const bool flat = walk.n == 0 || ring_is_flat(walk.n, ring, draft->vertices.at, size);
      draft->side[s] = (Side){
          .cell = c, .first = at, .n = flat ? 0 : walk.n, .slot = (int)(s - draft->side_start[c])};
      at += walk.n;
    }
  }
}

/* Volume and centre from pyramids over the faces, their common apex near the cell. */
static void measure_cell(const NearDraft *draft, LocalId c, double *volume, Vec3 *center)
{
  const Vec3 *at = draft->vertices.at;
  const LocalId begin = draft->side_start[c], end = draft->side_start[c + 1];
  LocalId any = draft->corner_start[c];
  if (draft->kind[c] == CELL_POLYHEDRON) any++;
  const Vec3 apex = at[draft->vertices.corner[any]];
  Vec3 moment = {0, 0, 0};
  *volume = 0.0;
  for (LocalId s = begin; s < end; s++) {
    const Side *side = &draft->side[s];
    const RingPyramid p = ring_pyramid(apex, side->n, draft->ring + side->first, at);
    *volume += p.volume;
    moment = vec3_add(moment, p.moment);
  }
  *center = *volume > 0.0 ? vec3_axpy(apex, 1.0 / *volume, moment) : apex;
}

PetscErrorCode DraftSides(NearDraft *draft)
{
  PetscFunctionBeginUser;
  PetscCall(CountSides(draft));
  list_sides(draft);
  PetscCall(PetscMalloc2(draft->n_own, &draft->volume, draft->n_own, &draft->center));
  for (LocalId c = 0; c < draft->n_own; c++)
    measure_cell(draft, c, &draft->volume[c], &draft->center[c]);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode DraftCheckVolumes(const NearDraft *draft)
{
  PetscFunctionBeginUser;
  Defect bad = {0};

  /* Written so that a NaN counts as bad. */
  for (LocalId c = 0; c < draft->n_own; c++)
    if (!(draft->volume[c] > 0.0)) defect_note(&bad, draft->file_id[c], draft->center[c]);
  PetscCall(DefectGather(draft->comm, &bad));
  PetscCheck(bad.n == 0, draft->comm, CAROM_ERR_MESH,
             "%s: cells of no or negative volume: %lld of %lld, first cell %lld at "
             "(%.6g, %.6g, %.6g)",
             draft->input->name, (long long)bad.n, (long long)draft->input->n_cells,
             (long long)bad.id + 1, bad.place.x, bad.place.y, bad.place.z);
  PetscFunctionReturn(PETSC_SUCCESS);
}
