/*
 * What a restart needs of contact: the pairs whose contact lasts, and the forces that hold them.
 *
 * A pair is two numbers, a * 2^32 + b and how many points follow; a point is six, its place and
 * its force. They are written as the bits of the numbers, so that nothing is lost.
 */
#include "contact/contact_impl.h"

#include <string.h>

enum { POINT_NUMBERS = 6 };

static int points_of(const Contact *c, const ContactPair *pair)
{
  int n = 0;
  for (int i = 0; i < pair->touch.n; i++) n += c->touch[pair->touch.first + i].in.n_points;
  return n;
}

int contact_record_size(const Contact *c)
{
  int n = 0;
  for (int k = 0; k < c->n_pairs; k++)
    if (c->pair[k].lasting) n += 2 + POINT_NUMBERS * points_of(c, &c->pair[k]);
  return n;
}

static int64_t *put_touch(const Touch *touch, int64_t *out)
{
  for (int k = 0; k < touch->in.n_points; k++) {
    const Vec3 p = touch->in.point[k], f = touch->force[k];
    const double numbers[POINT_NUMBERS] = {p.x, p.y, p.z, f.x, f.y, f.z};
    memcpy(out, numbers, sizeof numbers);
    out += POINT_NUMBERS;
  }
  return out;
}

void contact_record_get(const Contact *c, int64_t record[])
{
  for (int k = 0; k < c->n_pairs; k++) {
    const ContactPair *pair = &c->pair[k];
    if (!pair->lasting) continue;
    *record++ = ((int64_t)pair->a << 32) | pair->b;
    *record++ = points_of(c, pair);
    for (int i = 0; i < pair->touch.n; i++)
      record = put_touch(&c->touch[pair->touch.first + i], record);
  }
}

/* How many of the n numbers one pair takes; 0: they are damaged. */
static int whole_pair(const Contact *c, int n, const int64_t record[])
{
  if (n < 2) return 0;
  const int64_t a = record[0] >> 32, b = record[0] & 0xffffffff;
  if (a < 0 || a >= c->n_bodies || b <= a || b >= c->n_bodies + c->n_walls) return 0;
  if (record[1] < 0 || record[1] > (n - 2) / POINT_NUMBERS) return 0;
  return 2 + POINT_NUMBERS * (int)record[1];
}

static Touch touch_from(const int64_t numbers[])
{
  double x[POINT_NUMBERS];
  memcpy(x, numbers, sizeof x);
  return (Touch){.in = {.n_points = 1, .point = {{x[0], x[1], x[2]}}},
                 .force = {{x[3], x[4], x[5]}}};
}

/* The pairs stand alone until the first step, whose balls do not hold, finds the others. */
PetscErrorCode ContactRecordSet(Contact *c, int n, const int64_t record[])
{
  PetscFunctionBeginUser;
  c->n_pairs = c->n_touches = 0;
  for (int b = 0; b < c->n_bodies; b++) c->ball[b].r = 0.0;
  c->pair_room = n / 2 + 1;
  c->touch_room = n / POINT_NUMBERS + 1;
  PetscCall(PetscRealloc(sizeof *c->pair * c->pair_room, &c->pair));
  PetscCall(PetscRealloc(sizeof *c->touch * c->touch_room, &c->touch));
  for (int at = 0, used; at < n; at += used) {
    used = whole_pair(c, n - at, record + at);
    PetscCheck(used > 0, c->comm, CAROM_ERR_FILE, "the record of lasting contacts is damaged");
    ContactPair *pair = &c->pair[c->n_pairs++];
    *pair = (ContactPair){.a = (int)(record[at] >> 32), .b = (int)(record[at] & 0xffffffff)};
    pair_init(c, pair);
    pair->lasting = pair->announced = true;
    pair->touch = (TouchRange){c->n_touches, (int)record[at + 1]};
    for (int k = 0; k < pair->touch.n; k++)
      c->touch[c->n_touches++] = touch_from(record + at + 2 + POINT_NUMBERS * k);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}
