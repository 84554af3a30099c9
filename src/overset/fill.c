/*
 * Filling what receives: all rows are applied, the values go back to those who asked, and orphans
 * take the mean of what is around them.
 */
#include "overset/overset_impl.h"

#include "base/hash.h"

#include <string.h>

PetscErrorCode TableFetch(const Overset *s, Table *t, const RowFields *fields)
{
  PetscFunctionBeginUser;
  const size_t cells = (size_t)s->patch * s->patch * s->patch;
  for (int g = 0; g < s->n; g++)
    rows_from_records(&t->near[g], fields->near[g], fields->near_record, t->value);
  rows_from_forest(&t->forest, fields->off, cells, fields->gamma, t->value);
  bricks_from_forest(&t->brick, fields->off, s->patch, fields->gamma, t->value);
  if (s->size == 1) PetscFunctionReturn(PETSC_SUCCESS);
  /* Only what counts travels. */
  for (int i = 1; i < t->n_asked; i++)
    memmove(t->value + (size_t)ROW_VALUES * i, t->value + (size_t)ROW_ROOM * i,
            ROW_VALUES * sizeof(double));
  PetscCall(PostReply(t->post, ROW_VALUES * sizeof(double), t->value, t->answer));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What receiver r of a table gets, or NULL. */
static const double *value_for(const Overset *s, const Table *t, int r)
{
  const size_t stride = s->size == 1 ? ROW_ROOM : ROW_VALUES;
  const int q = t->winner[r];
  return q < 0 || t->reply[q].grade > DONOR_POOR ? NULL : t->answer + stride * (size_t)q;
}

static void write_forest(double *off, size_t cells, LocalId at, double gamma, const double w[])
{
  double *u = off + table_cell((size_t)at, cells);
  u[0] = w[0];
  for (int v = 1; v <= 3; v++) u[v * cells] = w[0] * w[v];
  u[4 * cells] = w[4] / (gamma - 1.0) + 0.5 * w[0] * (w[1] * w[1] + w[2] * w[2] + w[3] * w[3]);
  for (int v = 5; v < ROW_VALUES; v++) u[v * cells] = w[0] * w[v];
}

static void take_values(const Overset *s, const Table *t, bool calm, const RowFields *fields)
{
  const size_t cells = (size_t)s->patch * s->patch * s->patch;
  int r = 0;
  for (int i = 0; i < s->off_fringe.n; i++) {
    const Receiver *to = &s->off_fringe.item[i];
    if (to->calm != calm) continue;
    const double *value = value_for(s, t, r++);
    if (value != NULL) write_forest(fields->off, cells, to->cell, fields->gamma, value);
  }
  for (int g = 0; g < s->n; g++)
    for (int i = 0; i < s->part[g].fringe.n; i++) {
      const Receiver *to = &s->part[g].fringe.item[i];
      if (to->calm != calm) continue;
      const double *value = value_for(s, t, r++);
      double *record = fields->near[g] + (size_t)fields->near_record * to->cell;
      if (value != NULL) memcpy(record, value, ROW_VALUES * sizeof *value);
    }
}

/* Computed neighbours help out. */
static void mend_near(const OversetPart *part, LocalId c, double *record, int size)
{
  const DonorCells *d = part->cells;
  double sum[ROW_VALUES] = {0}, n = 0.0;
  for (LocalId j = d->first[c]; j < d->first[c + 1]; j++) {
    const LocalId other = d->neighbour[j];
    if (part->state[other] != STATE_FIELD) continue;
    for (int v = 0; v < ROW_VALUES; v++) sum[v] += record[(size_t)size * other + v];
    n += 1.0;
  }
  for (int v = 0; n > 0.0 && v < ROW_VALUES; v++) record[(size_t)size * c + v] = sum[v] / n;
}

static bool mend_forest(const Overset *s, LocalId at, int wanted, double *off)
{
  const int n = s->patch;
  const size_t cells = (size_t)n * n * n, in = (size_t)at % cells;
  const ptrdiff_t step[3] = {1, n, (ptrdiff_t)n * n};
  const int place[3] = {(int)(in % n), (int)(in / n % n), (int)(in / step[2])};
  double *u = off + table_cell((size_t)at, cells);
  double sum[ROW_VALUES] = {0}, count = 0.0;
  for (int i = 0; i < 6; i++) {
    const int to = place[i / 2] + (i % 2 ? 1 : -1);
    const ptrdiff_t by = i % 2 ? step[i / 2] : -step[i / 2];
    if (to < 0 || to >= n || s->off_state[at + by] != wanted) continue;
    for (int v = 0; v < ROW_VALUES; v++) sum[v] += u[(ptrdiff_t)(v * cells) + by];
    count += 1.0;
  }
  for (int v = 0; count > 0.0 && v < ROW_VALUES; v++) u[v * cells] = sum[v] / count;
  return count > 0.0;
}

static void mend_orphans(Overset *s, const RowFields *fields)
{
  for (int i = 0; i < s->off_fringe.n; i++)
    if (s->off_fringe.item[i].from == FROM_NOBODY &&
        !mend_forest(s, s->off_fringe.item[i].cell, STATE_FIELD, fields->off))
      mend_forest(s, s->off_fringe.item[i].cell, STATE_FRINGE, fields->off);
  for (int g = 0; g < s->n; g++)
    for (int i = 0; i < s->part[g].fringe.n; i++)
      if (s->part[g].fringe.item[i].from == FROM_NOBODY)
        mend_near(&s->part[g], s->part[g].fringe.item[i].cell, fields->near[g],
                  fields->near_record);
}

/* Is a table made for these poses? That of calm receivers does not ask about what has moved. */
static bool stands(const Overset *s, const Table *t, bool calm, const Pose pose[])
{
  for (int g = 0; g < s->n; g++) {
    if (calm && s->part[g].moved) continue;
    if (memcmp(&t->pose[g], &pose[g], sizeof pose[g]) != 0) return false;
  }
  return t->ready;
}

/* Rows for these poses, unless they are there. */
static PetscErrorCode renew(Overset *s, Table *t, bool calm, const Pose pose[])
{
  PetscFunctionBeginUser;
  if (stands(s, t, calm, pose)) PetscFunctionReturn(PETSC_SUCCESS);
  overset_place(s, pose);
  table_begin(t);
  for (int own = FROM_FOREST; own < s->n; own++) {
    const ReceiverList *list = receivers_of(s, own);
    for (int i = 0; i < list->n; i++) {
      const Receiver *r = &list->item[i];
      if (r->calm == calm) PetscCall(TableQuestion(s, t, r->from, receiver_place(s, own, r)));
    }
  }
  PetscCall(TableSearch(s, t));
  PetscCall(PetscArraycpy(t->pose, pose, s->n));
  t->ready = true;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A receiver and its donor, by global ids. */
static uint64_t hash_receiver(const Overset *s, int own, const Receiver *r, const Reply *reply)
{
  const size_t cells = (size_t)s->patch * s->patch * s->patch;
  const GlobalId first =
      own == FROM_FOREST ? forest_first(s->forest) * (GlobalId)cells : s->part[own].of.grid->first;
  const uint64_t at = ((uint64_t)(own + 2) << 40) + (uint64_t)(first + r->cell);
  const GlobalId donor = reply == NULL ? -1 : reply->id;
  return hash_word(at, ((uint64_t)(r->from + 2) << 40) + (uint64_t)donor);
}

PetscErrorCode OversetHash(Overset *s, const Pose pose[], uint64_t *hash)
{
  PetscFunctionBeginUser;
  uint64_t sum = 0;
  for (int k = 0; k < 2; k++) {
    Table *t = k == 0 ? &s->restless_rows : &s->calm_rows;
    int n = 0;
    PetscCall(renew(s, t, k == 1, pose));
    for (int own = FROM_FOREST; own < s->n; own++) {
      const ReceiverList *list = receivers_of(s, own);
      for (int i = 0; i < list->n; i++)
        if (list->item[i].calm == (k == 1))
          sum += hash_receiver(s, own, &list->item[i], table_reply(t, n++));
    }
  }
  PetscCallMPI(MPI_Allreduce(&sum, hash, 1, MPI_UINT64_T, MPI_SUM, s->comm));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode OversetFill(void *context, const Pose pose[], const RowFields *fields)
{
  PetscFunctionBeginUser;
  Overset *s = context;
  for (int k = 0; k < 2; k++) {
    Table *t = k == 0 ? &s->restless_rows : &s->calm_rows;
    PetscCall(renew(s, t, k == 1, pose));
    PetscCall(TableFetch(s, t, fields));
  }
  take_values(s, &s->restless_rows, false, fields);
  take_values(s, &s->calm_rows, true, fields);
  mend_orphans(s, fields);
  PetscFunctionReturn(PETSC_SUCCESS);
}
