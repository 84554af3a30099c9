/*
 * Who gives to each cell that receives: the grid with the nearest wall among those that cover the
 * place, then the forest. The choice holds for a step; which cell of it gives, and how much, is
 * found anew at every pose.
 */
#include "overset/overset_impl.h"

/* Grids whose covers come near a receiver. */
typedef struct {
  int n;
  const int *grid; /* NULL: all of them */
} Near;

static Near near_of(const Overset *s, int own, const Receiver *r)
{
  if (own != FROM_FOREST) return (Near){s->n, NULL};
  const LocalId c = (LocalId)((size_t)r->cell / ((size_t)s->patch * s->patch * s->patch));
  return (Near){s->near_start[c + 1] - s->near_start[c], s->near_list + s->near_start[c]};
}

/* Does grid g at wall distance w come after the one found before? */
static bool is_after(const Overset *s, int g, double w, int last, double last_wall)
{
  if (last == FROM_NOBODY) return true;
  if (s->part[g].of.priority != s->part[last].of.priority)
    return s->part[g].of.priority > s->part[last].of.priority;
  return w > last_wall || (w == last_wall && g > last);
}

/* The t-th candidate for a place: grids that cover it by wall distance, then the forest. */
static int candidate(const Overset *s, int own, Near near, Vec3 x, int t)
{
  double last_wall = -1.0;
  int last = FROM_NOBODY;
  for (int k = 0; k <= t; k++) {
    int found = FROM_NOBODY;
    double least = INFINITY;
    for (int i = 0; i < near.n; i++) {
      const int g = near.grid == NULL ? i : near.grid[i];
      if (g == own || !box_contains(s->part[g].box_w, x)) continue;
      const Cover c = cover_at(s->part[g].map, frame_to_body(&s->part[g].frame, x));
      if (c.depth <= 0.0F || !is_after(s, g, c.wall, last, last_wall)) continue;
      if (found == FROM_NOBODY || is_after(s, found, least, g, c.wall)) least = c.wall, found = g;
    }
    if (found == FROM_NOBODY) return k == t && own != FROM_FOREST ? FROM_FOREST : FROM_NOBODY;
    last_wall = least;
    last = found;
  }
  return last;
}

/* Grades of receivers that have not been settled: how far a choice has come. */
enum { SEEKS = 100, SETTLED, GIVES_UP };

/* The first round asks all that may have to choose again, into the table that fills them. */
static PetscErrorCode ask(Overset *s, Table *table, int t, int *asked)
{
  PetscFunctionBeginUser;
  table_begin(table);
  for (int own = FROM_FOREST; own < s->n; own++) {
    ReceiverList *list = receivers_of(s, own);
    for (int i = 0; i < list->n; i++) {
      Receiver *r = &list->item[i];
      if (r->calm || r->choice != SEEKS) continue;
      const Vec3 x = receiver_place(s, own, r);
      const int from = candidate(s, own, near_of(s, own, r), x, t);
      r->tried = from;
      *asked += from != FROM_NOBODY;
      PetscCall(TableQuestion(s, table, from, x));
    }
  }
  PetscCall(TableSearch(s, table));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A sound donor ends the search; one that is only poor is remembered until a better is found. */
static void judge(Overset *s, const Table *table)
{
  int k = 0;
  for (int own = FROM_FOREST; own < s->n; own++) {
    ReceiverList *list = receivers_of(s, own);
    for (int i = 0; i < list->n; i++) {
      Receiver *r = &list->item[i];
      if (r->calm || r->choice != SEEKS) continue;
      const Reply *reply = table_reply(table, k++);
      const int grade = reply == NULL ? DONOR_NONE : reply->grade;
      if (grade < r->grade) r->grade = (uint8_t)grade;
      if (grade <= DONOR_SOUND || (grade == DONOR_POOR && r->from == FROM_NOBODY)) {
        s->rechosen = s->rechosen || table != &s->restless_rows;
        r->from = r->tried;
      }
      if (grade <= DONOR_SOUND) r->choice = SETTLED;
      if (r->tried == FROM_NOBODY) r->choice = GIVES_UP;
    }
  }
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
    if (c.wall < 0.0F || part_is_solid(part, p)) return true;
    if (part->of.xray == NULL && c.depth > 0.0F && c.wall <= cover_slack(part->map)) return true;
  }
  return false;
}

/* Is there no forest at a place? */
static bool is_beyond(const Overset *s, Vec3 x)
{
  return !box_contains(forest_domain_of(s->forest)->box, x);
}

/* What found no donor is a hole in a solid, or an orphan; in a gap that is closed, or opens as
 * bodies part, or beyond the box of the forest, it is neither, and takes over what is computed
 * beside it. */
static void settle_list(Overset *s, int own, ReceiverList *list)
{
  uint8_t *state = own == FROM_FOREST ? s->off_state : s->part[own].state;
  int kept = 0;
  for (int i = 0; i < list->n; i++) {
    Receiver r = list->item[i];
    const bool near = own != FROM_FOREST;
    const bool closed = r.late || r.grade == DONOR_CLOSED ||
                        (near && s->part[own].pressed[r.cell]) ||
                        (near && is_beyond(s, receiver_place(s, own, &r)));
    if (r.from == FROM_NOBODY && !r.calm && closed) r.grade = DONOR_CLOSED;
    if (r.from == FROM_NOBODY && !r.calm && !closed) {
      const bool hole = behind_wall(s, own, receiver_place(s, own, &r));
      state[r.cell] = hole ? STATE_HOLE : STATE_ORPHAN;
      s->rechosen = s->rechosen || hole;
      if (hole) continue;
    }
    list->item[kept++] = r;
  }
  list->n = kept;
}

/* Where the receivers of each patch stand, now that some have gone. */
static void find_patches(Overset *s)
{
  const size_t cells = (size_t)s->patch * s->patch * s->patch;
  const LocalId n = forest_n(s->forest);
  int i = 0;
  for (LocalId c = 0; c < n; c++) {
    s->patch_first[c] = i;
    while (i < s->off_fringe.n && (size_t)s->off_fringe.item[i].cell < (size_t)(c + 1) * cells) i++;
  }
  s->patch_first[n] = i;
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
  for (int own = FROM_FOREST; own < s->n; own++) {
    ReceiverList *list = receivers_of(s, own);
    for (int i = 0; i < list->n; i++) {
      if (list->item[i].calm) continue;
      list->item[i].choice = SEEKS;
      list->item[i].grade = DONOR_NONE;
    }
  }
  int asked = 1;
  s->rechosen = false;
  for (int t = 0; asked > 0; t++) {
    /* If all are settled at once the table of the first round is the one that fills them. */
    Table *table = t == 0 ? &s->restless_rows : &s->other_rows;
    asked = 0;
    PetscCall(ask(s, table, t, &asked));
    judge(s, table);
    PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &asked, 1, MPI_INT, MPI_MAX, s->comm));
  }
  for (int own = FROM_FOREST; own < s->n; own++) settle_list(s, own, receivers_of(s, own));
  find_patches(s);
  for (int g = 0; g < s->n; g++)
    if (!s->part[g].calm) PetscCall(share_states(&s->part[g]));
  PetscFunctionReturn(PETSC_SUCCESS);
}
