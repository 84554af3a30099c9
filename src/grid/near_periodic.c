/*
 * Which faces of periodic boundaries belong together?
 *
 * The face on the one side, displaced, lies on that of the other. Both are sent to a rank chosen
 * by the bin of space their centre is in, a `to` face to every bin within the tolerance, so that
 * no pair is missed at the border of bins; there the nearest is taken.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/hash.h"
#include "base/sort.h"
#include "comm/route.h"
#include "grid/defect.h"
#include "grid/near_draft_impl.h"

/* Of the longest edge of the grid: coordinates may come in single precision. */
#define TOLERANCE 1e-6
#define BIN 1e-4

typedef struct {
  int64_t bin[3];
  int pair, is_to;
  Vec3 at;
  GlobalId cell, file_id;
  int slot;
  LocalId side;  /* where it comes from */
  LocalId place; /* where it arrived */
} PeriodicCall;

typedef struct {
  GlobalId other;
  int other_slot, found;
} PeriodicAnswer;

static int compare_calls(const void *a, const void *b)
{
  const PeriodicCall *p = a, *q = b;
  if (p->pair != q->pair) return p->pair - q->pair;
  for (int d = 0; d < 3; d++)
    if (p->bin[d] != q->bin[d]) return p->bin[d] < q->bin[d] ? -1 : 1;
  if (p->is_to != q->is_to) return p->is_to - q->is_to;
  if (p->cell != q->cell) return p->cell < q->cell ? -1 : 1;
  return p->slot - q->slot;
}

static bool same_bin(const PeriodicCall *p, const PeriodicCall *q)
{
  return p->pair == q->pair && p->bin[0] == q->bin[0] && p->bin[1] == q->bin[1] &&
         p->bin[2] == q->bin[2];
}

static Vec3 mean_of_ring(const NearDraft *draft, const Side *side)
{
  Vec3 sum = {0, 0, 0};
  for (int i = 0; i < side->n; i++)
    sum = vec3_add(sum, draft->vertices.at[draft->ring[side->first + i]]);
  return vec3_scale(1.0 / side->n, sum);
}

/* Pair and side of the pair of a boundary face; false if it is not periodic. */
static bool find_pair(const NearDraft *draft, const Side *side, int *pair, int *is_to)
{
  if (side->beyond != BEYOND_PATCH) return false;
  for (int k = 0; k < draft->n_periodic; k++) {
    *pair = k;
    *is_to = side->patch == draft->periodic[k].to;
    if (*is_to || side->patch == draft->periodic[k].from) return true;
  }
  return false;
}

/* Add the calls of one face: one, or one for each bin within the tolerance. */
static LocalId add_calls(PeriodicCall call, double longest, PeriodicCall to[])
{
  const double reach = call.is_to ? TOLERANCE * longest : 0.0, bin = BIN * longest;
  LocalId n = 0;
  for (int corner = 0; corner < 8; corner++) {
    for (int d = 0; d < 3; d++) {
      const double way = corner >> d & 1 ? reach : -reach;
      call.bin[d] = (int64_t)floor((vec3_at(call.at, d) + way) / bin);
    }
    bool new = true;
    for (LocalId i = 0; i < n; i++) new = new && !same_bin(&to[i], &call);
    if (new) to[n++] = call;
  }
  return n;
}

static LocalId list_calls(const NearDraft *draft, PeriodicCall call[])
{
  LocalId n = 0;
  for (LocalId s = 0; s < draft->n_sides; s++) {
    const Side *side = &draft->side[s];
    int pair = 0, is_to = 0;
    if (!find_pair(draft, side, &pair, &is_to)) continue;
    PeriodicCall one = {.pair = pair, .is_to = is_to, .slot = side->slot, .side = s};
    one.at = mean_of_ring(draft, side);
    if (!is_to) one.at = vec3_add(one.at, draft->periodic[pair].shift);
    one.cell = draft->first + side->cell;
    one.file_id = draft->file_id[side->cell];
    n += add_calls(one, box_longest(draft->box), call + n);
  }
  return n;
}

/* Join each `from` of a bin to the nearest `to` within reach that is free; ids break ties. */
static void join_bin(LocalId n, const PeriodicCall call[], double reach, PeriodicAnswer answer[])
{
  for (LocalId i = 0; i < n && !call[i].is_to; i++) {
    LocalId best = -1;
    double least = reach;
    for (LocalId j = i + 1; j < n; j++) {
      const double distance = vec3_distance(call[i].at, call[j].at);
      if (!call[j].is_to || answer[call[j].place].found || distance > least) continue;
      if (best >= 0 && distance == least) continue;
      best = j;
      least = distance;
    }
    if (best < 0) continue;
    answer[call[i].place] = (PeriodicAnswer){call[best].cell, call[best].slot, 1};
    answer[call[best].place] = (PeriodicAnswer){call[i].cell, call[i].slot, 1};
  }
}

static PetscErrorCode Ask(const NearDraft *draft, LocalId n, const PeriodicCall call[],
                          PeriodicAnswer answer[])
{
  PetscFunctionBeginUser;
  int *to = NULL;
  Route *route = NULL;
  PeriodicCall *got = NULL;
  PeriodicAnswer *given = NULL;
  PetscCall(PetscMalloc1(n, &to));
  for (LocalId i = 0; i < n; i++)
    to[i] = (int)(hash_bytes((uint64_t)call[i].pair, call[i].bin, sizeof call[i].bin) %
                  (uint64_t)draft->size);
  PetscCall(RouteCreate(draft->comm, n, to, &route));
  const LocalId m = route_n_arriving(route);
  PetscCall(PetscMalloc1(m, &got));
  PetscCall(PetscCalloc1(m, &given));
  PetscCall(RouteSend(route, sizeof *call, call, got));
  for (LocalId i = 0; i < m; i++) got[i].place = i;
  sort_fast(got, (size_t)m, sizeof *got, compare_calls);
  for (LocalId i = 0, end = 0; i < m; i = end) {
    for (end = i; end < m && same_bin(&got[i], &got[end]);) end++;
    join_bin(end - i, got + i, TOLERANCE * box_longest(draft->box), given);
  }
  PetscCall(RouteReply(route, sizeof *given, given, answer));
  PetscCall(RouteDestroy(&route));
  PetscCall(PetscFree(to));
  PetscCall(PetscFree(got));
  PetscCall(PetscFree(given));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void take_answers(NearDraft *draft, LocalId n, const PeriodicCall call[],
                         const PeriodicAnswer answer[], Defect *alone)
{
  for (LocalId i = 0; i < n; i++) {
    Side *side = &draft->side[call[i].side];
    if (!answer[i].found) continue;
    side->beyond = BEYOND_CELL;
    side->other = answer[i].other;
    side->other_slot = answer[i].other_slot;
    side->image = 1 + 2 * call[i].pair + call[i].is_to;
  }
  for (LocalId s = 0; s < draft->n_sides; s++) {
    int pair = 0, is_to = 0;
    const Side *side = &draft->side[s];
    if (find_pair(draft, side, &pair, &is_to))
      defect_note(alone, draft->file_id[side->cell], mean_of_ring(draft, side));
  }
}

PetscErrorCode DraftPeriodic(NearDraft *draft)
{
  PetscFunctionBeginUser;
  if (draft->n_periodic == 0) PetscFunctionReturn(PETSC_SUCCESS);
  PeriodicCall *call = NULL;
  PeriodicAnswer *answer = NULL;
  LocalId room = 0;
  int pair = 0, is_to = 0;
  for (LocalId s = 0; s < draft->n_sides; s++)
    room += 8 * find_pair(draft, &draft->side[s], &pair, &is_to);
  PetscCall(PetscMalloc2(room, &call, room, &answer));
  const LocalId n = list_calls(draft, call);
  PetscCall(Ask(draft, n, call, answer));
  Defect alone = {0};
  take_answers(draft, n, call, answer, &alone);
  PetscCall(PetscFree2(call, answer));
  PetscCall(DefectGather(draft->comm, &alone));
  PetscCheck(alone.n == 0, draft->comm, CAROM_ERR_MESH,
             "%s: %lld faces of periodic boundaries have no partner, first at (%.6g, %.6g, %.6g)",
             draft->input->name, (long long)alone.n, alone.place.x, alone.place.y, alone.place.z);
  PetscFunctionReturn(PETSC_SUCCESS);
}
