/*
 * The faces of a grid in the order solvers walk them, with their metrics.
 *
 * Faces between own cells come first, then those to the halo, each in the order of their cells;
 * then boundaries, patch by patch. The order and the ring of a face follow from global ids.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/sort.h"
#include "grid/near_draft_impl.h"
#include "grid/ring.h"

/* A face to be: which side makes it, and what decides its place. */
typedef struct {
  int group; /* 0 inner, 1 to the halo, 2 + patch */
  int slot;
  GlobalId low, high;
  LocalId side;
} FaceDraft;

static int compare_faces(const void *a, const void *b)
{
  const FaceDraft *p = a, *q = b;
  if (p->group != q->group) return p->group < q->group ? -1 : 1;
  if (p->low != q->low) return p->low < q->low ? -1 : 1;
  if (p->high != q->high) return p->high < q->high ? -1 : 1;
  if (p->slot != q->slot) return p->slot < q->slot ? -1 : 1;
  return p->side < q->side ? -1 : p->side > q->side;
}

/* Of the two sides of an inner face the one of the lower cell makes it. */
static bool makes_face(const NearDraft *draft, const Side *side)
{
  if (side->beyond == BEYOND_PATCH) return true;
  if (side->beyond == BEYOND_NOTHING) return false;
  return side->neighbor >= draft->n_own || side->cell < side->neighbor;
}

static FaceDraft draft_face(const NearDraft *draft, LocalId s)
{
  const Side *side = &draft->side[s];
  const GlobalId me = draft->first + side->cell;
  if (side->beyond == BEYOND_PATCH)
    return (FaceDraft){.group = 2 + side->patch, .slot = side->slot, .low = me, .side = s};
  const bool lower = me <= side->other;
  return (FaceDraft){.group = side->neighbor >= draft->n_own,
                     .slot = lower ? side->slot : side->other_slot,
                     .low = lower ? me : side->other,
                     .high = lower ? side->other : me,
                     .side = s};
}

static PetscErrorCode ListFaces(const NearDraft *draft, LocalId *n_faces, FaceDraft **faces)
{
  PetscFunctionBeginUser;
  LocalId n = 0;
  for (LocalId s = 0; s < draft->n_sides; s++) n += makes_face(draft, &draft->side[s]);
  PetscCall(PetscMalloc1(n, faces));
  *n_faces = n;
  n = 0;
  for (LocalId s = 0; s < draft->n_sides; s++)
    if (makes_face(draft, &draft->side[s])) (*faces)[n++] = draft_face(draft, s);
  sort_fast(*faces, (size_t)n, sizeof **faces, compare_faces);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode AllocateFaces(LocalId n, NearGrid *grid)
{
  PetscFunctionBeginUser;
  PetscCall(PetscMalloc2(n, &grid->left, n, &grid->right));
  PetscCall(PetscMalloc3(n, &grid->sx, n, &grid->sy, n, &grid->sz));
  PetscCall(PetscMalloc3(n, &grid->tx, n, &grid->ty, n, &grid->tz));
  PetscCall(PetscMalloc3(n, &grid->fx, n, &grid->fy, n, &grid->fz));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void set_metric(NearGrid *grid, LocalId f, RingMetric m)
{
  grid->sx[f] = m.area.x;
  grid->sy[f] = m.area.y;
  grid->sz[f] = m.area.z;
  grid->tx[f] = m.moment.x;
  grid->ty[f] = m.moment.y;
  grid->tz[f] = m.moment.z;
  grid->fx[f] = m.center.x;
  grid->fy[f] = m.center.y;
  grid->fz[f] = m.center.z;
}

/* A face follows the ring of its left cell, whichever cell is at hand. */
static void set_face(const NearDraft *draft, const FaceDraft *from, LocalId f, NearGrid *grid)
{
  const Side *side = &draft->side[from->side];
  LocalId *ring = draft->ring + side->first;
  const bool out = side->beyond == BEYOND_PATCH || draft->first + side->cell <= side->other;
  const LocalId beyond = side->beyond == BEYOND_PATCH ? -1 : side->neighbor;
  grid->left[f] = out ? side->cell : beyond;
  grid->right[f] = out ? beyond : side->cell;
  if (!out) ring_reverse(side->n, ring);
  set_metric(grid, f, ring_metric(side->n, ring, draft->vertices.at));
  if (!out) ring_reverse(side->n, ring);
}

/* Tell each side its face; the far side of an inner face is found by its slot. */
static void tell_sides(NearDraft *draft, LocalId n, const FaceDraft faces[])
{
  for (LocalId s = 0; s < draft->n_sides; s++) draft->side[s].face = -1;
  for (LocalId f = 0; f < n; f++) {
    Side *side = &draft->side[faces[f].side];
    side->face = f;
    if (faces[f].group == 0)
      draft->side[draft->side_start[side->neighbor] + side->other_slot].face = f;
  }
}

static PetscErrorCode FillCellFaces(const NearDraft *draft, NearGrid *grid)
{
  PetscFunctionBeginUser;
  LocalId n = 0;
  for (LocalId s = 0; s < draft->n_sides; s++) n += draft->side[s].face >= 0;
  PetscCall(PetscMalloc3(draft->n_own + 1, &grid->face_start, n, &grid->face, n, &grid->face_sign));
  n = 0;
  for (LocalId c = 0; c < draft->n_own; c++) {
    grid->face_start[c] = n;
    for (LocalId s = draft->side_start[c]; s < draft->side_start[c + 1]; s++) {
      const LocalId f = draft->side[s].face;
      if (f < 0) continue;
      grid->face_sign[n] = grid->left[f] == c ? 1 : -1;
      grid->face[n++] = f;
    }
  }
  grid->face_start[draft->n_own] = n;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode FillRings(const NearDraft *draft, const FaceDraft faces[], NearGrid *grid)
{
  PetscFunctionBeginUser;
  const LocalId n = grid->n_faces - grid->n_interior;
  LocalId at = 0;
  for (LocalId f = 0; f < n; f++) at += draft->side[faces[grid->n_interior + f].side].n;
  PetscCall(PetscMalloc2(n + 1, &grid->ring_start, at, &grid->ring));
  at = 0;
  for (LocalId f = 0; f < n; f++) {
    const Side *side = &draft->side[faces[grid->n_interior + f].side];
    grid->ring_start[f] = at;
    for (int i = 0; i < side->n; i++) grid->ring[at++] = draft->ring[side->first + i];
  }
  grid->ring_start[n] = at;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode FillPatches(const NearDraft *draft, const FaceDraft faces[], NearGrid *grid)
{
  PetscFunctionBeginUser;
  const GridInput *input = draft->input;
  grid->n_patches = input->n_patches;
  PetscCall(PetscCalloc1(input->n_patches, &grid->patch));
  LocalId f = grid->n_interior;
  for (int p = 0; p < input->n_patches; p++) {
    NearPatch *patch = &grid->patch[p];
    PetscCall(PetscStrncpy(patch->name, input->patch[p].name, sizeof patch->name));
    patch->hint = input->patch[p].hint;
    patch->first_face = f;
    while (f < grid->n_faces && faces[f].group == 2 + p) f++;
    patch->n_faces = f - patch->first_face;
    const PetscInt64 here = patch->n_faces;
    PetscCallMPI(MPI_Allreduce(&here, &patch->n_faces_global, 1, MPIU_INT64, MPI_SUM, draft->comm));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode DraftFaces(NearDraft *draft, NearGrid *grid)
{
  PetscFunctionBeginUser;
  FaceDraft *faces = NULL;
  PetscCall(ListFaces(draft, &grid->n_faces, &faces));
  PetscCall(AllocateFaces(grid->n_faces, grid));
  for (LocalId f = 0; f < grid->n_faces; f++) {
    set_face(draft, &faces[f], f, grid);
    grid->n_inner += faces[f].group == 0;
    grid->n_interior += faces[f].group <= 1;
  }
  tell_sides(draft, grid->n_faces, faces);
  PetscCall(FillCellFaces(draft, grid));
  PetscCall(FillRings(draft, faces, grid));
  PetscCall(FillPatches(draft, faces, grid));
  PetscCall(PetscFree(faces));
  PetscFunctionReturn(PETSC_SUCCESS);
}
