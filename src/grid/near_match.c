/*
 * What lies beyond each face of the own cells: another cell, or a boundary?
 *
 * Every face is sent, under its sorted vertices, to a rank chosen by them; there the two cells
 * of a face meet, or a cell and the name of a boundary, and each is told of the other.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/hash.h"
#include "base/sort.h"
#include "comm/route.h"
#include "grid/cell_faces.h"
#include "grid/defect.h"
#include "grid/near_draft_impl.h"

#include <string.h>

/* The lowest four vertices, the number of them, and a hash of the others. */
typedef struct {
  GlobalId low[4];
  uint64_t rest;
  int64_t n;
} FaceKey;

typedef struct {
  FaceKey key;
  GlobalId cell;           /* -1 for a boundary face */
  GlobalId next, previous; /* neighbours of the lowest vertex in the ring */
  int slot;                /* or the patch */
  LocalId place;           /* where it arrived */
} FaceCall;

/* What is wrong with a face; told to one of its cells, so that each face counts once. */
typedef enum {
  FAULT_NONE,
  FAULT_CROWDED, /* more than two cells */
  FAULT_TURNED,  /* two cells on the same side */
  FAULT_UNNAMED, /* one cell and no name */
  FAULTS
} Fault;

typedef struct {
  GlobalId other;
  int other_slot, patch;
  Beyond beyond;
  Fault fault;
} FaceAnswer;

static int compare_ids(const void *a, const void *b)
{
  const GlobalId p = *(const GlobalId *)a, q = *(const GlobalId *)b;
  return p < q ? -1 : p > q;
}

static FaceKey make_key(int n, GlobalId vertex[])
{
  FaceKey key = {.low = {-1, -1, -1, -1}, .n = n};
  sort_fast(vertex, (size_t)n, sizeof *vertex, compare_ids);
  for (int i = 0; i < n; i++) {
    if (i < 4)
      key.low[i] = vertex[i];
    else
      key.rest += hash_word((uint64_t)i, (uint64_t)vertex[i]);
  }
  return key;
}

/* Boundary faces come after cells, cells by their id. */
static int compare_calls(const void *a, const void *b)
{
  const FaceCall *p = a, *q = b;
  for (int i = 0; i < 4; i++)
    if (p->key.low[i] != q->key.low[i]) return p->key.low[i] < q->key.low[i] ? -1 : 1;
  if (p->key.n != q->key.n) return p->key.n < q->key.n ? -1 : 1;
  if (p->key.rest != q->key.rest) return p->key.rest < q->key.rest ? -1 : 1;
  if ((p->cell < 0) != (q->cell < 0)) return p->cell < 0 ? 1 : -1;
  if (p->cell != q->cell) return p->cell < q->cell ? -1 : 1;
  return p->slot - q->slot;
}

static bool same_face(const FaceCall *a, const FaceCall *b)
{
  return memcmp(&a->key, &b->key, sizeof a->key) == 0;
}

/* One call per face of an own cell; sides that are no faces are left out. */
static LocalId call_sides(const NearDraft *draft, FaceCall call[])
{
  LocalId n = 0;
  const GlobalId *id = draft->vertices.id;
  for (LocalId s = 0; s < draft->n_sides; s++) {
    const Side *side = &draft->side[s];
    if (side->n == 0) continue;
    const LocalId *ring = draft->ring + side->first;
    GlobalId vertex[RING_MOST];
    for (int i = 0; i < side->n; i++) vertex[i] = id[ring[i]];
    call[n] = (FaceCall){.cell = draft->first + side->cell,
                         .next = vertex[1],
                         .previous = vertex[side->n - 1],
                         .slot = side->slot};
    call[n++].key = make_key(side->n, vertex); /* sorts, so it comes last */
  }
  return n;
}

static LocalId call_patches(const NearDraft *draft, FaceCall call[])
{
  const GridInput *input = draft->input;
  LocalId n = 0;
  for (LocalId f = 0; f < input->n_faces_here; f++) {
    const LocalId first = input->face_start[f], n_corners = input->face_start[f + 1] - first;
    GlobalId vertex[RING_MOST];
    int kept = 0;
    for (int i = 0; i < n_corners; i++) vertex[kept++] = input->face_corner[first + i];
    sort_fast(vertex, (size_t)kept, sizeof *vertex, compare_ids);
    int distinct = 0;
    for (int i = 0; i < kept; i++)
      if (distinct == 0 || vertex[i] != vertex[distinct - 1]) vertex[distinct++] = vertex[i];
    if (distinct < 3) continue;
    call[n++] =
        (FaceCall){.cell = -1, .slot = input->face_patch[f], .key = make_key(distinct, vertex)};
  }
  return n;
}

/* Judge the calls for one face; n_cells of them come from cells, n from anyone. */
static void judge(int n_cells, int n, const FaceCall call[], FaceAnswer answer[])
{
  if (n_cells == 0) return;
  FaceAnswer *first = &answer[call[0].place];
  if (n_cells > 2) first->fault = FAULT_CROWDED;
  if (n_cells == 2) {
    const bool facing = call[0].next == call[1].previous && call[0].previous == call[1].next;

    /* A cell that meets itself is folded; nothing passes through the fold. */
    const bool folded = call[0].cell == call[1].cell;
    for (int i = 0; i < 2 && !folded; i++)
      answer[call[i].place] = (FaceAnswer){
          .beyond = BEYOND_CELL, .other = call[1 - i].cell, .other_slot = call[1 - i].slot};
    if (!facing) first->fault = FAULT_TURNED;
  }
  if (n_cells == 1 && n == 1)
    *first = (FaceAnswer){.beyond = BEYOND_UNKNOWN, .fault = FAULT_UNNAMED};
  if (n_cells == 1 && n > 1) *first = (FaceAnswer){.beyond = BEYOND_PATCH, .patch = call[1].slot};
}

/* Sorts the calls: those for one face come together. */
static void judge_all(LocalId n, FaceCall call[], FaceAnswer answer[])
{
  for (LocalId i = 0; i < n; i++) {
    call[i].place = i;
    answer[i] = (FaceAnswer){.beyond = BEYOND_NOTHING};
  }
  sort_fast(call, (size_t)n, sizeof *call, compare_calls);
  for (LocalId i = 0, end = 0; i < n; i = end) {
    int n_cells = 0;
    for (end = i; end < n && same_face(&call[i], &call[end]); end++) n_cells += call[end].cell >= 0;
    judge(n_cells, (int)(end - i), call + i, answer);
  }
}

/* Names of the boundaries, for the one who left some out. */
static void list_patches(const GridInput *input, size_t size, char text[])
{
  size_t n = (size_t)snprintf(text, size, "; it has ");
  for (int p = 0; p < input->n_patches && n < size; p++)
    n += (size_t)snprintf(text + n, size - n, "%s%s", p > 0 ? ", " : "", input->patch[p].name);
  if (input->n_patches == 0) snprintf(text, size, "; it has none");
}

static PetscErrorCode CheckFaults(const NearDraft *draft, Defect fault[FAULTS])
{
  PetscFunctionBeginUser;
  static const char *const words[FAULTS] = {"", "faces of more than two cells",
                                            "faces with both their cells on one side",
                                            "boundary faces that nothing names"};
  char list[512] = "";
  for (int k = FAULT_CROWDED; k < FAULTS; k++) {
    const Defect *d = &fault[k];
    PetscCall(DefectGather(draft->comm, &fault[k]));
    if (k == FAULT_UNNAMED) list_patches(draft->input, sizeof list, list);
    PetscCheck(d->n == 0, draft->comm, CAROM_ERR_MESH,
               "%s: %s: %lld, first at cell %lld near (%.6g, %.6g, %.6g)%s", draft->input->name,
               words[k], (long long)d->n, (long long)d->id + 1, d->place.x, d->place.y, d->place.z,
               list);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void take_answers(NearDraft *draft, const FaceAnswer answer[], Defect fault[FAULTS])
{
  LocalId n = 0;
  for (LocalId s = 0; s < draft->n_sides; s++) {
    Side *side = &draft->side[s];
    if (side->n == 0) continue;
    if (answer[n].fault != FAULT_NONE)
      defect_note(&fault[answer[n].fault], draft->file_id[side->cell], draft->center[side->cell]);
    side->beyond = answer[n].beyond;
    side->other = answer[n].other;
    side->other_slot = answer[n].other_slot;
    side->patch = answer[n++].patch;
  }
}

PetscErrorCode DraftMatch(NearDraft *draft)
{
  PetscFunctionBeginUser;
  const LocalId room = draft->n_sides + draft->input->n_faces_here;
  FaceCall *call = NULL, *got = NULL;
  FaceAnswer *given = NULL, *answer = NULL;
  Route *route = NULL;
  Defect fault[FAULTS] = {{0}};
  int *to = NULL;
  PetscCall(PetscMalloc1(room, &call));
  PetscCall(PetscMalloc1(room, &to));
  LocalId n = call_sides(draft, call);
  n += call_patches(draft, call + n);
  for (LocalId i = 0; i < n; i++)
    to[i] = (int)(hash_bytes(0, call[i].key.low, sizeof call[i].key.low) % (uint64_t)draft->size);
  PetscCall(RouteCreate(draft->comm, n, to, &route));
  PetscCall(PetscFree(to));
  PetscCall(PetscMalloc1(route_n_arriving(route), &got));
  PetscCall(RouteSend(route, sizeof *call, call, got));

  /* Calls are the largest arrays of a grid in the making: none is kept longer than it must. */
  PetscCall(PetscFree(call));
  PetscCall(PetscMalloc1(route_n_arriving(route), &given));
  judge_all(route_n_arriving(route), got, given);
  PetscCall(PetscFree(got));
  PetscCall(PetscMalloc1(n, &answer));
  PetscCall(RouteReply(route, sizeof *given, given, answer));
  PetscCall(PetscFree(given));
  PetscCall(RouteDestroy(&route));
  take_answers(draft, answer, fault);
  PetscCall(PetscFree(answer));
  if (!draft->survey) PetscCall(CheckFaults(draft, fault));
  PetscFunctionReturn(PETSC_SUCCESS);
}
