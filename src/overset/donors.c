/*
 * Who gives to each cell that receives: the grid with the nearest wall among those that cover the
 * place, then the forest. The choice holds for a step; which cell of it gives, and how much, is
 * found anew at every pose.
 */
#include "overset/overset_impl.h"

/* The t-th candidate for a place: grids that cover it by wall distance, then the forest. */
static int candidate(const Overset *s, int own, Vec3 x, int t)
{
  double last = -1.0;
  int last_grid = -1;
  for (int k = 0; k <= t; k++) {
    int found = FROM_NOBODY;
    double least = INFINITY;
    for (int g = 0; g < s->n; g++) {
      if (g == own || !box_contains(s->part[g].box_w, x)) continue;
      const Cover c = cover_at(s->part[g].map, frame_to_body(&s->part[g].frame, x));
      const bool later = c.wall > last || (c.wall == last && g > last_grid);
      if (c.depth > 0.0F && later && c.wall < least) least = c.wall, found = g;
    }
    if (found == FROM_NOBODY) return k == t && own != FROM_FOREST ? FROM_FOREST : FROM_NOBODY;
    last = least;
    last_grid = found;
  }
  return last_grid;
}

static Vec3 world_place(const Overset *s, int own, const Receiver *r)
{
  return own == FROM_FOREST ? r->at : frame_to_world(&s->part[own].frame, r->at);
}

static ReceiverList *list_of(Overset *s, int own)
{
  return own == FROM_FOREST ? &s->off_fringe : &s->part[own].fringe;
}

/* One round: every receiver that has no sound donor yet asks its t-th candidate. A choice is kept
 * as from; what is only poor is remembered in `poor` until nothing better is found. */
static PetscErrorCode ask_round(Overset *s, int t, int poor[], uint8_t done[], bool *more)
{
  PetscFunctionBeginUser;
  int r = 0, asked = 0;
  for (int own = FROM_FOREST; own < s->n; own++) {
    ReceiverList *list = list_of(s, own);
    for (int i = 0; i < list->n; i++, r++) {
      if (done[r]) continue;
      const Vec3 x = world_place(s, own, &list->item[i]);
      const int from = candidate(s, own, x, t);
      list->item[i].from = from;
      if (from == FROM_NOBODY) {
        done[r] = 1;
        continue;
      }
      asked++;
      PetscCall(OversetQuestion(s, r, from, x));
    }
  }
  PetscCall(OversetAsk(s, NULL, r));
  for (int own = FROM_FOREST, k = 0; own < s->n; own++) {
    ReceiverList *list = list_of(s, own);
    for (int i = 0; i < list->n; i++, k++) {
      if (done[k]) continue;
      if (s->best[k].grade == DONOR_SOUND) done[k] = 2;
      if (s->best[k].grade == DONOR_POOR && poor[k] == FROM_NOBODY) poor[k] = list->item[i].from;
    }
  }
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &asked, 1, MPI_INT, MPI_MAX, s->comm));
  *more = asked > 0;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Is a place that has no donor behind the wall of a grid? Without an x-ray, what a wall passes
 * close by counts. */
static bool behind_wall(const Overset *s, int own, Vec3 x)
{
  for (int g = 0; g < s->n; g++) {
    const OversetPart *part = &s->part[g];
    if (g == own || !box_contains(part->box_w, x)) continue;
    const Vec3 p = frame_to_body(&part->frame, x);
    const Cover c = cover_at(part->map, p);
    if (isinf(c.depth) || part_is_solid(part, p)) return true;
    if (part->of.xray == NULL && c.depth > 0.0F && c.wall <= cover_slack(part->map)) return true;
  }
  return false;
}

/* What found no sound donor takes a poor one; what found none is a hole in a solid, or an orphan.
 */
static void settle_list(Overset *s, int own, ReceiverList *list, const int poor[],
                        const uint8_t done[])
{
  uint8_t *state = own == FROM_FOREST ? s->off_state : s->part[own].state;
  int kept = 0;
  for (int i = 0; i < list->n; i++) {
    Receiver r = list->item[i];
    if (done[i] != 2) {
      r.from = poor[i];
      s->report.poor += r.from != FROM_NOBODY;
    }
    if (r.from == FROM_NOBODY) {
      const bool hole = behind_wall(s, own, world_place(s, own, &r));
      state[r.cell] = hole ? STATE_HOLE : STATE_ORPHAN;
      s->report.leapt |= r.late && !hole;
      if (hole) continue;
    }
    list->item[kept++] = r;
  }
  list->n = kept;
}

/* Neighbours on other ranks see what has become of cells without donors. */
static PetscErrorCode share_states(OversetPart *part)
{
  PetscFunctionBeginUser;
  const NearGrid *g = part->of.grid;
  double *const field[] = {part->number};
  for (LocalId c = 0; c < g->n_own; c++) part->number[c] = part->state[c];
  PetscCall(ExchangeUpdate(g->halo, 1, 1, field));
  for (LocalId c = g->n_own; c < g->n_local; c++) part->state[c] = (uint8_t)part->number[c];
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode OversetChooseDonors(Overset *s)
{
  PetscFunctionBeginUser;
  int n = s->off_fringe.n, *poor;
  uint8_t *done;
  bool more = true;
  for (int g = 0; g < s->n; g++) n += s->part[g].fringe.n;
  PetscCall(PetscMalloc2(n, &poor, n, &done));
  for (int i = 0; i < n; i++) poor[i] = FROM_NOBODY, done[i] = 0;
  for (int t = 0; more; t++) PetscCall(ask_round(s, t, poor, done, &more));
  int first = 0;
  for (int own = FROM_FOREST; own < s->n; own++) {
    ReceiverList *list = list_of(s, own);
    const int length = list->n;
    settle_list(s, own, list, poor + first, done + first);
    first += length;
  }
  PetscCall(PetscFree2(poor, done));
  for (int g = 0; g < s->n; g++) PetscCall(share_states(&s->part[g]));
  PetscFunctionReturn(PETSC_SUCCESS);
}
