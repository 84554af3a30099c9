/*
 * What cells of the forest give: the polynomial of second degree along each axis through 3 x 3 x 3
 * cells of the patch that holds the place, of first degree through 2 x 2 x 2 where those would not
 * all be computed, and where that does not go either the mean of those around that are.
 */
#include "overset/overset_impl.h"

#include <math.h>
#include <string.h>

/* Where in a patch a place is: in cells from the first centre. */
typedef struct {
  LocalId patch;
  Vec3 lo, hi; /* its corners */
  double per;  /* one over the width of a cell */
  double u[3];
} PatchSpot;

/* The patch that holds x, most often the one that held the last place. */
static bool find_patch(const Forest *forest, Vec3 x, PatchSpot *spot)
{
  const bool same = spot->patch >= 0 && x.x >= spot->lo.x && x.x < spot->hi.x &&
                    x.y >= spot->lo.y && x.y < spot->hi.y && x.z >= spot->lo.z && x.z < spot->hi.z;
  if (!same) {
    spot->patch = forest_find(forest, x);
    if (spot->patch < 0) return false;
    PatchPlace place = forest_places(forest)[spot->patch];
    spot->per = 1.0 / forest_spacing(forest, place.level);
    spot->lo = forest_corner(forest, place);
    for (int i = 0; i < 3; i++) place.index[i]++;
    spot->hi = forest_corner(forest, place);
  }
  for (int i = 0; i < 3; i++) spot->u[i] = (vec3_at(x, i) - vec3_at(spot->lo, i)) * spot->per - 0.5;
  return true;
}

/* The first of `width` cells along an axis around u, within n. */
static int first_of(double u, int width, int n)
{
  int first = width == 3 ? (int)rint(u) - 1 : (int)floor(u);
  first = first > n - width ? n - width : first;
  return first < 0 ? 0 : first;
}

static bool all_field(const uint8_t *state, int n, const int first[3], int width)
{
  for (int k = first[2]; k < first[2] + width; k++)
    for (int j = first[1]; j < first[1] + width; j++) {
      const uint8_t *row = state + ((size_t)k * n + j) * n + first[0];
      for (int i = 0; i < width; i++)
        if (row[i] != STATE_FIELD) return false;
    }
  return true;
}

static void parabola(double t, double w[3])
{
  w[0] = 0.5 * (t - 1.0) * (t - 2.0);
  w[1] = t * (2.0 - t);
  w[2] = 0.5 * t * (t - 1.0);
}

/* The brick of 3 or 2 cells a side, written as lines of four and 3 x 3 of them. */
static Brick brick_of(const PatchSpot *spot, int n, int width, int first[3], int slot)
{
  double w[3][3] = {{0}};
  int at[3];
  for (int i = 0; i < 3; i++) {
    const double t = spot->u[i] - first[i];
    /* A line of three that is moved down to fit has its weights moved up. */
    const int move = first[i] + 3 > n ? first[i] + 3 - n : 0;
    at[i] = first[i] - move;
    if (width == 3)
      parabola(t, w[i]);
    else
      w[i][move] = 1.0 - t, w[i][move + 1] = t;
  }
  const int down = at[0] + 4 > n ? 1 : 0;
  const LocalId base = (LocalId)((size_t)spot->patch * n * n * n);
  Brick b = {.slot = slot};
  b.first = base + (at[2] * n + at[1]) * n + at[0] - down;
  b.middle = base + ((first[2] + width / 2) * n + first[1] + width / 2) * n + first[0] + width / 2;
  for (int i = 0; i < 3; i++) b.x[i + down] = w[0][i];
  memcpy(b.y, w[1], sizeof b.y);
  memcpy(b.z, w[2], sizeof b.z);
  return b;
}

/* A walk over the computed cells of a patch among 3 x 3 x 3 around a place. */
typedef struct {
  LocalId cell;
  double weight;
} Term;

static int list_terms(const PatchSpot *spot, const uint8_t *state, int n, Term term[27])
{
  int count = 0;
  const int first[3] = {first_of(spot->u[0], 3, n), first_of(spot->u[1], 3, n),
                        first_of(spot->u[2], 3, n)};
  for (int k = first[2]; k < first[2] + 3; k++)
    for (int j = first[1]; j < first[1] + 3; j++)
      for (int i = first[0]; i < first[0] + 3; i++) {
        const LocalId at = (k * n + j) * n + i;
        if (state[at] != STATE_FIELD) continue;
        const double x = spot->u[0] - i, y = spot->u[1] - j, z = spot->u[2] - k;
        const double square = x * x + y * y + z * z + 1e-6;
        term[count++] = (Term){at, 1.0 / (square * square)};
      }
  return count;
}

static PetscErrorCode add_mean(const PatchSpot *spot, const uint8_t *state, int n, int slot,
                               RowList *list, bool *found)
{
  PetscFunctionBeginUser;
  Term term[27];
  const int count = list_terms(spot, state, n, term);
  const LocalId base = (LocalId)((size_t)spot->patch * n * n * n);
  double total = 0.0;
  int first = 0;
  *found = count > 0;
  if (count == 0) PetscFunctionReturn(PETSC_SUCCESS);
  for (int k = 0; k < count; k++) {
    total += term[k].weight;
    if (term[k].weight > term[first].weight) first = k;
  }
  PetscCall(RowListBegin(list, slot, base + term[first].cell));
  for (int k = 0; k < count; k++)
    if (k != first) PetscCall(RowListAdd(list, base + term[k].cell, term[k].weight / total));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode add_row(const Overset *s, const PatchSpot *spot, int slot, Table *t,
                              Reply *reply)
{
  PetscFunctionBeginUser;
  const int n = s->patch;
  const size_t cells = (size_t)n * n * n;
  const uint8_t *state = s->off_state + (size_t)(size_t)spot->patch * cells;
  *reply = (Reply){.id = (forest_first(s->forest) + spot->patch) * (GlobalId)cells};
  for (int width = 3; width >= 2; width--) {
    int first[3];
    for (int i = 0; i < 3; i++) first[i] = first_of(spot->u[i], width, n);
    if (!all_field(state, n, first, width)) continue;
    reply->grade = width == 3 ? DONOR_FULL : DONOR_SOUND;
    const Brick brick = brick_of(spot, n, width, first, slot);
    reply->id += brick.middle - (LocalId)((size_t)spot->patch * cells);
    PetscCall(BrickListAdd(&t->brick, brick));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  bool found;
  PetscCall(add_mean(spot, state, n, slot, &t->forest, &found));
  reply->grade = found ? DONOR_POOR : DONOR_UNFIT;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode TableForestRows(const Overset *s, Table *t, int n, const int order[])
{
  PetscFunctionBeginUser;
  PatchSpot spot = {.patch = -1};
  t->brick.n = 0;
  PetscCall(RowListClear(&t->forest));
  for (int i = 0; i < n; i++) {
    Reply *reply = &t->given[order[i]];
    if (find_patch(s->forest, t->asked[order[i]].p, &spot))
      PetscCall(add_row(s, &spot, order[i], t, reply));
    else
      *reply = (Reply){.excess = INFINITY, .grade = DONOR_NONE};
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}
