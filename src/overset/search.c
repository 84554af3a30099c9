/*
 * Who knows what is at a place? Questions go to the ranks that may hold it, rows are made there,
 * and the best answer wins: that of the cell that holds the place best, then of least global id.
 */
#include "overset/overset_impl.h"

#include <math.h>

enum { MOST_RANKS = 64 };

PetscErrorCode TableCreate(const Overset *s, Table *t)
{
  PetscFunctionBeginUser;
  PetscCall(PetscCalloc1(s->n, &t->pose));
  PetscCall(PetscCalloc1(s->n, &t->near));
  if (s->size > 1) PetscCall(PostCreate(s->comm, &t->post));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode TableDestroy(const Overset *s, Table *t)
{
  PetscFunctionBeginUser;
  for (int g = 0; g < s->n; g++) PetscCall(RowListDestroy(&t->near[g]));
  PetscCall(RowListDestroy(&t->forest));
  PetscCall(PetscFree(t->brick.item));
  PetscCall(PetscFree(t->pose));
  PetscCall(PetscFree(t->near));
  PetscCall(PetscFree(t->winner));
  PetscCall(PetscFree(t->question));
  PetscCall(PetscFree(t->to));
  PetscCall(PetscFree(t->reply));
  PetscCall(PetscFree(t->answer));
  PetscCall(PetscFree(t->order));
  if (s->size > 1) {
    PetscCall(PetscFree(t->asked));
    PetscCall(PetscFree(t->given));
    PetscCall(PetscFree(t->value));
  }
  PetscCall(PostDestroy(&t->post));
  PetscFunctionReturn(PETSC_SUCCESS);
}

size_t table_memory(const Overset *s, const Table *t)
{
  size_t bytes = row_list_memory(&t->forest) + (size_t)t->brick.room * sizeof *t->brick.item;
  const size_t record = sizeof(Question) + sizeof(Reply) + ROW_ROOM * sizeof(double) + sizeof(int);
  for (int g = 0; g < s->n; g++) bytes += row_list_memory(&t->near[g]);
  bytes += (size_t)t->winner_room * sizeof *t->winner + (size_t)t->room * record;
  if (s->size > 1) bytes += (size_t)t->asked_room * record + post_memory(t->post);
  return bytes;
}

void table_begin(Table *t)
{
  t->n = t->n_receivers = 0;
  t->ready = false;
}

static PetscErrorCode push(Table *t, Question question, int to)
{
  PetscFunctionBeginUser;
  if (t->n == t->room) {
    t->room = 2 * t->room + 1024;
    PetscCall(PetscRealloc(t->room * sizeof *t->question, &t->question));
    PetscCall(PetscRealloc(t->room * sizeof *t->to, &t->to));
    PetscCall(PetscRealloc(t->room * sizeof *t->reply, &t->reply));
    PetscCall(PetscRealloc(t->room * ROW_ROOM * sizeof *t->answer, &t->answer));
  }
  t->to[t->n] = to;
  t->question[t->n++] = question;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode TableQuestion(const Overset *s, Table *t, int from, Vec3 x)
{
  PetscFunctionBeginUser;
  const int receiver = t->n_receivers++;
  if (from == FROM_NOBODY) PetscFunctionReturn(PETSC_SUCCESS);
  const Vec3 p = from == FROM_FOREST ? x : frame_to_body(&s->part[from].frame, x);
  const Question question = {from, receiver, p};
  if (s->size == 1) {
    PetscCall(push(t, question, 0));
  } else if (from == FROM_FOREST) {
    const int to = forest_owner(s->forest, x);
    if (to >= 0) PetscCall(push(t, question, to));
  } else {
    int rank[MOST_RANKS];
    const int n = near_locator_ranks(s->part[from].locator, p, MOST_RANKS, rank);
    for (int k = 0; k < n; k++) PetscCall(push(t, question, rank[k]));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Room for what this rank is asked. */
static PetscErrorCode make_room(const Overset *s, Table *t)
{
  PetscFunctionBeginUser;
  if (s->size > 1) {
    PetscCall(PostAddress(t->post, t->n, t->to));
    t->n_asked = (int)post_n_arriving(t->post);
  } else {
    t->n_asked = t->n;
    t->asked = t->question, t->given = t->reply, t->value = t->answer;
  }
  if (t->n_asked <= t->asked_room) PetscFunctionReturn(PETSC_SUCCESS);
  t->asked_room = t->n_asked + t->n_asked / 4;
  PetscCall(PetscFree(t->order));
  PetscCall(PetscMalloc1(t->asked_room, &t->order));
  if (s->size == 1) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscFree(t->asked));
  PetscCall(PetscFree(t->given));
  PetscCall(PetscFree(t->value));
  PetscCall(PetscMalloc1(t->asked_room, &t->asked));
  PetscCall(PetscMalloc1(t->asked_room, &t->given));
  PetscCall(PetscMalloc1(t->asked_room * ROW_ROOM, &t->value));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Rows for all that this rank is asked, grid by grid. */
static PetscErrorCode make_rows(const Overset *s, Table *t)
{
  PetscFunctionBeginUser;
  for (int g = FROM_FOREST; g < s->n; g++) {
    int n = 0;
    for (int i = 0; i < t->n_asked; i++)
      if (t->asked[i].grid == g) t->order[n++] = i;
    if (g == FROM_FOREST)
      PetscCall(TableForestRows(s, t, n, t->order));
    else
      PetscCall(TableNearRows(s, t, g, n, t->order));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static bool better(const Reply *a, const Reply *b)
{
  return a->excess != b->excess ? a->excess < b->excess : a->id < b->id;
}

/* The cell that holds the place best is the donor, even if it turns out to be none: one rank that
 * knows all cells looks at no other either. */
static PetscErrorCode find_winners(Table *t)
{
  PetscFunctionBeginUser;
  if (t->n_receivers > t->winner_room) {
    t->winner_room = t->n_receivers + t->n_receivers / 4;
    PetscCall(PetscFree(t->winner));
    PetscCall(PetscMalloc1(t->winner_room, &t->winner));
  }
  for (int r = 0; r < t->n_receivers; r++) t->winner[r] = -1;
  for (int q = 0; q < t->n; q++) {
    int *winner = &t->winner[t->question[q].receiver];
    if (isinf(t->reply[q].excess)) continue;
    if (*winner < 0 || better(&t->reply[q], &t->reply[*winner])) *winner = q;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode TableSearch(const Overset *s, Table *t)
{
  PetscFunctionBeginUser;
  PetscCall(make_room(s, t));
  if (s->size > 1) PetscCall(PostSend(t->post, sizeof *t->question, t->question, t->asked));
  PetscCall(make_rows(s, t));
  if (s->size > 1) PetscCall(PostReply(t->post, sizeof *t->given, t->given, t->reply));
  PetscCall(find_winners(t));
  PetscFunctionReturn(PETSC_SUCCESS);
}
