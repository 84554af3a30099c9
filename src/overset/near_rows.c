/*
 * What near-body cells give: the linear fit through the cell that holds the place and its
 * neighbours. Where some of these are not computed, the mean of those that are, by distance: cells
 * that give to each other in turn must not extrapolate.
 */
#include "overset/overset_impl.h"

#include <math.h>

/* Farther than this outside of a cell, in its own size, a place has no donor in it. */
static const double most_excess = 0.1;

static bool is_sound(const OversetPart *part, LocalId c)
{
  const DonorCells *d = part->cells;
  bool sound = part->state[c] == STATE_FIELD;
  for (LocalId j = d->first[c]; j < d->first[c + 1]; j++)
    sound = sound && part->state[d->neighbour[j]] == STATE_FIELD;
  return sound;
}

static PetscErrorCode add_fit(const DonorCells *d, LocalId c, Vec3 p, int slot, RowList *list)
{
  PetscFunctionBeginUser;
  const double *m = d->inverse[c];
  const Vec3 r = vec3_sub(p, d->center[c]);
  const Vec3 y = vec3(m[0] * r.x + m[1] * r.y + m[2] * r.z, m[1] * r.x + m[3] * r.y + m[4] * r.z,
                      m[2] * r.x + m[4] * r.y + m[5] * r.z);
  PetscCall(RowListBegin(list, slot, c));
  for (LocalId j = d->first[c]; j < d->first[c + 1]; j++) {
    const Vec3 to = vec3_sub(d->center[d->neighbour[j]], d->center[c]);
    PetscCall(RowListAdd(list, d->neighbour[j], vec3_dot(to, y) / vec3_norm2(to)));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Weights by the square of the distance, over what is computed; *found unless nothing is. */
static PetscErrorCode add_mean(const OversetPart *part, LocalId c, Vec3 p, int slot, RowList *list,
                               bool *found)
{
  PetscFunctionBeginUser;
  const DonorCells *d = part->cells;
  const double tiny = 1e-6 * vec3_norm2(vec3_sub(d->center[c], p)) + 1e-300;
  double total = 0.0, most = 0.0;
  LocalId base = -1;
  for (LocalId j = d->first[c] - 1; j < d->first[c + 1]; j++) {
    const LocalId n = j < d->first[c] ? c : d->neighbour[j];
    if (part->state[n] != STATE_FIELD) continue;
    const double w = 1.0 / (vec3_norm2(vec3_sub(d->center[n], p)) + tiny);
    if (w > most) most = w, base = n;
    total += w;
  }
  *found = base >= 0;
  if (base < 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(RowListBegin(list, slot, base));
  for (LocalId j = d->first[c] - 1; j < d->first[c + 1]; j++) {
    const LocalId n = j < d->first[c] ? c : d->neighbour[j];
    if (part->state[n] != STATE_FIELD || n == base) continue;
    const double w = 1.0 / (vec3_norm2(vec3_sub(d->center[n], p)) + tiny);
    PetscCall(RowListAdd(list, n, w / total));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode add_row(const OversetPart *part, NearPlace place, Vec3 p, int slot,
                              RowList *list, Reply *reply)
{
  PetscFunctionBeginUser;
  const NearGrid *g = part->of.grid;
  const LocalId c = place.cell;
  *reply = (Reply){.excess = place.excess, .grade = DONOR_NONE};
  if (c < 0) PetscFunctionReturn(PETSC_SUCCESS);
  reply->id = g->first + c;
  if (place.excess > 0.0 && place.excess > most_excess * cbrt(g->volume[c]))
    PetscFunctionReturn(PETSC_SUCCESS);
  if (is_sound(part, c)) {
    reply->grade = DONOR_SOUND;
    PetscCall(add_fit(part->cells, c, p, slot, list));
  } else {
    bool found;
    PetscCall(add_mean(part, c, p, slot, list, &found));
    reply->grade = found ? DONOR_POOR : part->pressed[c] ? DONOR_CLOSED : DONOR_UNFIT;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode TableNearRows(const Overset *s, Table *t, int g, int n, const int order[])
{
  PetscFunctionBeginUser;
  enum { BATCH = 256 };
  const OversetPart *part = &s->part[g];
  RowList *list = &t->near[g];
  Vec3 p[BATCH];
  NearPlace place[BATCH];
  PetscCall(RowListClear(list));
  for (int first = 0; first < n; first += BATCH) {
    const int m = n - first < BATCH ? n - first : BATCH;
    for (int i = 0; i < m; i++) p[i] = t->asked[order[first + i]].p;
    near_locator_find_many(part->locator, m, p, place);
    for (int i = 0; i < m; i++)
      PetscCall(add_row(part, place[i], p[i], order[first + i], list, &t->given[order[first + i]]));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}
