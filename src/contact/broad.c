/*
 * The broad phase: which pairs may touch in this step? Swept spheres, sorted along x.
 */
#include "base/sort.h"
#include "contact/contact_impl.h"

#include <stdlib.h>

static PetscErrorCode add_pair(Contact *c, int a, int b, bool lasting)
{
  PetscFunctionBeginUser;
  if (c->n_pairs == c->pair_room) {
    c->pair_room = c->pair_room > 0 ? 2 * c->pair_room : 256;
    PetscCall(PetscRealloc(sizeof *c->pair * c->pair_room, &c->pair));
  }
  c->pair[c->n_pairs++] = (ContactPair){
      .a = a, .b = b, .impact = INFINITY, .lasting = lasting, .announced = lasting, .stale = true};
  PetscFunctionReturn(PETSC_SUCCESS);
}

static int by_key(const void *x, const void *y)
{
  const int64_t a = *(const int64_t *)x, b = *(const int64_t *)y;
  return (a > b) - (a < b);
}

static bool is_lasting(const Contact *c, int a, int b)
{
  const int64_t key = ((int64_t)a << 32) | b;
  return c->n_lasting > 0 &&
         bsearch(&key, c->lasting, (size_t)c->n_lasting, sizeof key, by_key) != NULL;
}

/* The ball around the path from t to the end of the step. */
static SweptBall ball_from(Contact *c, Bodies *bodies, int b, double t, double t_end)
{
  const BodyState first = bodies_at(bodies, b, t), last = bodies_at(bodies, b, t_end);
  /* A path under a steady pull leaves its chord by an eighth of the change of velocity. */
  const double bow = 0.25 * (t_end - t) * vec3_distance(first.v, last.v);
  const double half = 0.5 * vec3_distance(first.x, last.x);
  return (SweptBall){vec3_scale(0.5, vec3_add(first.x, last.x)), c->body[b].radius + half + bow};
}

bool contact_ball_holds(Contact *c, Bodies *bodies, int b, double t, double t_end)
{
  const SweptBall now = ball_from(c, bodies, b, t, t_end);
  return vec3_distance(now.c, c->ball[b].c) + now.r <= c->ball[b].r;
}

static int by_pair(const void *x, const void *y)
{
  const ContactPair *p = x, *q = y;
  if (p->a != q->a) return p->a < q->a ? -1 : 1;
  return (p->b > q->b) - (p->b < q->b);
}

static bool can_meet(const Contact *c, const Bodies *bodies, int a, int b, double t_end)
{
  double e = 0.0, mu = 0.0;
  const bool free_a = body_moves_freely(bodies_body(bodies, a), t_end);
  const bool free_b = b < c->n_bodies && body_moves_freely(bodies_body(bodies, b), t_end);
  const ContactPair pair = {.a = a, .b = b};
  return (free_a || free_b) && pair_material(c, &pair, &e, &mu);
}

/* Insertion sort: the order of the last step is nearly right. Ties by number. */
static void sort_along_x(Contact *c)
{
  for (int i = 1; i < c->n_bodies; i++) {
    const int b = c->order[i];
    int j = i;
    for (; j > 0; j--) {
      const int before = c->order[j - 1];
      if (c->low[before] < c->low[b] || (c->low[before] == c->low[b] && before < b)) break;
      c->order[j] = before;
    }
    c->order[j] = b;
  }
}

static PetscErrorCode pair_with_walls(Contact *c, Bodies *bodies, int b, SweptBall ball,
                                      double t_end)
{
  PetscFunctionBeginUser;
  for (int w = 0; w < c->n_walls; w++) {
    const Vec3 n = vec3_unit(c->wall[w].normal);
    const double height = vec3_dot(n, vec3_sub(ball.c, c->wall[w].point)) - ball.r;
    const int id = c->n_bodies + w;
    if (height <= 0.0 && can_meet(c, bodies, b, id, t_end))
      PetscCall(add_pair(c, b, id, is_lasting(c, b, id)));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode sweep(Contact *c, Bodies *bodies, double t_end)
{
  PetscFunctionBeginUser;
  sort_along_x(c);
  for (int i = 0; i < c->n_bodies; i++) {
    const int p = c->order[i];
    if (!c->body[p].exists) continue;
    PetscCall(pair_with_walls(c, bodies, p, c->ball[p], t_end));
    for (int j = i + 1; j < c->n_bodies && c->low[c->order[j]] <= c->high[p]; j++) {
      const int q = c->order[j], a = p < q ? p : q, b = p < q ? q : p;
      if (!c->body[q].exists) continue;
      if (vec3_distance(c->ball[p].c, c->ball[q].c) > c->ball[p].r + c->ball[q].r) continue;
      if (can_meet(c, bodies, a, b, t_end)) PetscCall(add_pair(c, a, b, is_lasting(c, a, b)));
    }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What was known of a pair stays known. Both lists are sorted. */
static void keep_known(Contact *c)
{
  for (int k = 0, j = 0; k < c->n_pairs; k++) {
    while (j < c->n_old && by_pair(&c->old[j], &c->pair[k]) < 0) j++;
    if (j < c->n_old && by_pair(&c->old[j], &c->pair[k]) == 0) c->pair[k] = c->old[j];
  }
}

static PetscErrorCode set_old_aside(Contact *c)
{
  PetscFunctionBeginUser;
  if (c->old_room < c->n_pairs) {
    c->old_room = c->pair_room;
    PetscCall(PetscRealloc(sizeof *c->old * c->old_room, &c->old));
  }
  for (int k = 0; k < c->n_pairs; k++) c->old[k] = c->pair[k];
  c->n_old = c->n_pairs;
  c->n_pairs = 0;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ContactFindPairs(Contact *c, Bodies *bodies, double t, double t_end)
{
  PetscFunctionBeginUser;
  PetscCall(set_old_aside(c));
  for (int b = 0; b < c->n_bodies; b++) {
    c->ball[b] = ball_from(c, bodies, b, t, t_end);
    c->low[b] = c->ball[b].c.x - c->ball[b].r;
    c->high[b] = c->ball[b].c.x + c->ball[b].r;
  }
  PetscCall(sweep(c, bodies, t_end));
  if (c->n_pairs > 0) sort_in_place(c->pair, (size_t)c->n_pairs, sizeof *c->pair, by_pair);
  keep_known(c);
  PetscFunctionReturn(PETSC_SUCCESS);
}
