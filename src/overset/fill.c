/*
 * Filling what receives: near-body grids give first, to the forest and to each other, from cells
 * that are computed; then the forest gives to what is left. Orphans take the mean of what is
 * around them.
 */
#include "overset/overset_impl.h"

#include <math.h>

typedef enum { PASS_NEAR, PASS_FOREST } Pass;

static bool belongs(const Receiver *r, Pass pass)
{
  return pass == PASS_NEAR ? r->from >= 0 : r->from == FROM_FOREST;
}

static void write_forest(double *off, size_t cells, LocalId at, double gamma, const double w[])
{
  double *u = off + (size_t)at / cells * cells * ROW_VALUES + (size_t)at % cells;
  u[0] = w[0];
  for (int v = 1; v <= 3; v++) u[v * cells] = w[0] * w[v];
  u[4 * cells] = w[4] / (gamma - 1.0) + 0.5 * w[0] * (w[1] * w[1] + w[2] * w[2] + w[3] * w[3]);
}

static PetscErrorCode run_pass(Overset *s, Pass pass, const RowFields *fields)
{
  PetscFunctionBeginUser;
  const size_t cells = (size_t)s->patch * s->patch * s->patch;
  int n = 0;
  for (int i = 0; i < s->off_fringe.n; i++) {
    const Receiver *r = &s->off_fringe.item[i];
    if (belongs(r, pass)) PetscCall(OversetQuestion(s, n++, r->from, r->at));
  }
  for (int g = 0; g < s->n; g++)
    for (int i = 0; i < s->part[g].fringe.n; i++) {
      const Receiver *r = &s->part[g].fringe.item[i];
      if (!belongs(r, pass)) continue;
      PetscCall(OversetQuestion(s, n++, r->from, frame_to_world(&s->part[g].frame, r->at)));
    }
  PetscCall(OversetAsk(s, fields, n));
  n = 0;
  for (int i = 0; i < s->off_fringe.n; i++) {
    const Receiver *r = &s->off_fringe.item[i];
    if (!belongs(r, pass)) continue;
    const Answer *best = &s->best[n++];
    if (best->grade != DONOR_NONE)
      write_forest(fields->off, cells, r->cell, fields->gamma, best->value);
  }
  for (int g = 0; g < s->n; g++)
    for (int i = 0; i < s->part[g].fringe.n; i++) {
      const Receiver *r = &s->part[g].fringe.item[i];
      if (!belongs(r, pass)) continue;
      const Answer *best = &s->best[n++];
      double *record = fields->near[g] + (size_t)fields->near_record * r->cell;
      for (int v = 0; best->grade != DONOR_NONE && v < ROW_VALUES; v++) record[v] = best->value[v];
    }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Computed neighbours help out. */
static void mend_near(const OversetPart *part, LocalId c, double *record, int size)
{
  const NearGrid *g = part->of.grid;
  double sum[ROW_VALUES] = {0}, n = 0.0;
  for (LocalId j = g->face_start[c]; j < g->face_start[c + 1]; j++) {
    const LocalId f = g->face[j];
    const LocalId other = f >= g->n_interior ? c : g->left[f] == c ? g->right[f] : g->left[f];
    if (part->state[other] != STATE_FIELD) continue;
    for (int v = 0; v < ROW_VALUES; v++) sum[v] += record[(size_t)size * other + v];
    n += 1.0;
  }
  for (int v = 0; n > 0.0 && v < ROW_VALUES; v++) record[(size_t)size * c + v] = sum[v] / n;
}

static void mend_forest(const Overset *s, LocalId at, double *off)
{
  const int n = s->patch;
  const size_t cells = (size_t)n * n * n, in = (size_t)at % cells;
  const ptrdiff_t step[3] = {1, n, (ptrdiff_t)n * n};
  const int place[3] = {(int)(in % n), (int)(in / n % n), (int)(in / step[2])};
  double *u = off + (size_t)at / cells * cells * ROW_VALUES + in;
  double sum[ROW_VALUES] = {0}, count = 0.0;
  for (int i = 0; i < 6; i++) {
    const int to = place[i / 2] + (i % 2 ? 1 : -1);
    const ptrdiff_t by = i % 2 ? step[i / 2] : -step[i / 2];
    if (to < 0 || to >= n || s->off_state[at + by] != STATE_FIELD) continue;
    for (int v = 0; v < ROW_VALUES; v++) sum[v] += u[(ptrdiff_t)(v * cells) + by];
    count += 1.0;
  }
  for (int v = 0; count > 0.0 && v < ROW_VALUES; v++) u[v * cells] = sum[v] / count;
}

static void mend_orphans(Overset *s, const RowFields *fields)
{
  for (int i = 0; i < s->off_fringe.n; i++)
    if (s->off_fringe.item[i].from == FROM_NOBODY)
      mend_forest(s, s->off_fringe.item[i].cell, fields->off);
  for (int g = 0; g < s->n; g++)
    for (int i = 0; i < s->part[g].fringe.n; i++)
      if (s->part[g].fringe.item[i].from == FROM_NOBODY)
        mend_near(&s->part[g], s->part[g].fringe.item[i].cell, fields->near[g],
                  fields->near_record);
}

/* A box along the axes of the world around a box along those of a frame. */
static Box turned_box(const Frame *frame, Box box)
{
  Box out = box_empty();
  for (int k = 0; k < 8; k++)
    out = box_add_point(
        out, frame_to_world(frame, vec3(k & 1 ? box.hi.x : box.lo.x, k & 2 ? box.hi.y : box.lo.y,
                                        k & 4 ? box.hi.z : box.lo.z)));
  return out;
}

void overset_place(Overset *s, const Pose pose[])
{
  for (int g = 0; g < s->n; g++) {
    s->part[g].frame = pose_frame(pose[g]);
    s->part[g].box_w = turned_box(&s->part[g].frame, s->part[g].map->box);
  }
}

PetscErrorCode OversetFill(void *context, const Pose pose[], const RowFields *fields)
{
  PetscFunctionBeginUser;
  Overset *s = context;
  overset_place(s, pose);
  PetscCall(run_pass(s, PASS_NEAR, fields));
  PetscCall(run_pass(s, PASS_FOREST, fields));
  mend_orphans(s, fields);
  PetscFunctionReturn(PETSC_SUCCESS);
}
