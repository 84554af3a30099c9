/*
 * What a restart needs of contact: the pairs whose contact lasts, and the forces that hold them.
 *
 * A pair is four numbers: a * 2^32 + b; twice the touches that follow, and one if it has had its
 * row; the gap elsewhere and the motion since the look; a touch is written as it is. All are the
 * bits of the numbers, so that nothing is lost.
 */
#include "contact/contact_impl.h"

#include <string.h>

enum { PAIR_NUMBERS = 4, TOUCH_NUMBERS = sizeof(Touch) / sizeof(int64_t) };
_Static_assert(sizeof(Touch) == TOUCH_NUMBERS * sizeof(int64_t), "a touch is whole numbers long");

/* The view from which the next step starts. */
static const PairView *next_view(const ContactPair *pair)
{
  return pair->ahead.known ? &pair->ahead : &pair->view;
}

int contact_record_size(const Contact *c)
{
  if (c->hertz != NULL) return hertz_record_size(c->hertz);
  int n = 0;
  for (int k = 0; k < c->n_pairs; k++)
    if (c->pair[k].lasting) n += PAIR_NUMBERS + TOUCH_NUMBERS * next_view(&c->pair[k])->touch.n;
  return n;
}

void contact_record_get(const Contact *c, int64_t record[])
{
  if (c->hertz != NULL) hertz_record_get(c->hertz, record);
  for (int k = 0; k < c->n_pairs; k++) {
    const ContactPair *pair = &c->pair[k];
    if (!pair->lasting) continue;
    const PairView *view = next_view(pair);
    record[0] = ((int64_t)pair->a << 32) | pair->b;
    record[1] = 2 * view->touch.n + pair->announced;
    memcpy(&record[2], &view->elsewhere, sizeof view->elsewhere);
    memcpy(&record[3], &view->drift, sizeof view->drift);
    record += PAIR_NUMBERS;
    memcpy(record, &c->touch[view->touch.first], sizeof(Touch) * (size_t)view->touch.n);
    record += TOUCH_NUMBERS * view->touch.n;
  }
}

/* How many of the n numbers one pair takes; 0: they are damaged. */
static int whole_pair(const Contact *c, int n, const int64_t record[])
{
  if (n < PAIR_NUMBERS) return 0;
  const int64_t a = record[0] >> 32, b = record[0] & 0xffffffff;
  if (a < 0 || a >= c->n_bodies || b <= a || b >= c->n_bodies + c->n_walls) return 0;
  if (record[1] < 0 || record[1] / 2 > (n - PAIR_NUMBERS) / TOUCH_NUMBERS) return 0;
  return PAIR_NUMBERS + TOUCH_NUMBERS * (int)(record[1] / 2);
}

static void set_pair(Contact *c, ContactPair *pair, double now, const int64_t record[])
{
  *pair = (ContactPair){.a = (int)(record[0] >> 32), .b = (int)(record[0] & 0xffffffff)};
  pair_init(c, pair);
  const int n = (int)(record[1] / 2);
  pair->lasting = true;
  pair->announced = record[1] % 2 == 1;
  pair->view = (PairView){.known = true, .touch = {c->n_touches, n}, .at = now};
  memcpy(&pair->view.elsewhere, &record[2], sizeof(double));
  memcpy(&pair->view.drift, &record[3], sizeof(double));
  memcpy(&c->touch[c->n_touches], &record[PAIR_NUMBERS], sizeof(Touch) * (size_t)n);
  c->n_touches += n;
}

/* The pairs stand alone until the first step, whose balls do not hold, finds the others. */
PetscErrorCode ContactRecordSet(Contact *c, double now, int n, const int64_t record[])
{
  PetscFunctionBeginUser;
  if (c->hertz != NULL) {
    PetscCall(HertzRecordSet(c->hertz, n, record));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  c->n_pairs = c->n_touches = 0;
  for (int b = 0; b < c->n_bodies; b++) c->ball[b].r = 0.0;
  c->pair_room = n / PAIR_NUMBERS + 1;
  c->touch_room = n / TOUCH_NUMBERS + 1;
  PetscCall(PetscRealloc(sizeof *c->pair * c->pair_room, &c->pair));
  PetscCall(PetscRealloc(sizeof *c->touch * c->touch_room, &c->touch));
  for (int at = 0, used; at < n; at += used) {
    used = whole_pair(c, n - at, record + at);
    PetscCheck(used > 0, c->comm, CAROM_ERR_FILE, "the record of lasting contacts is damaged");
    set_pair(c, &c->pair[c->n_pairs++], now, record + at);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}
