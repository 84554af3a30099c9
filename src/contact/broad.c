/*
 * The broad phase: which pairs may touch? Balls around the bodies, a little larger than they need
 * be, sorted along the axis on which the bodies spread most; while every body stays in its ball
 * the list of pairs holds.
 */
#include "contact/contact_impl.h"

/* How much larger than its body a ball is, so that the list holds for some steps. */
static const double ball_margin = 0.05;

/* The ball around the path from t to the end of the step. */
static SweptBall ball_from(Contact *c, Bodies *bodies, int b, double t, double t_end)
{
  const BodyState first = bodies_at(bodies, b, t), last = bodies_at(bodies, b, t_end);
  /* A path under a steady pull leaves its chord by an eighth of the change of velocity. */
  const double bow = 0.25 * (t_end - t) * vec3_distance(first.v, last.v);
  const double half = 0.5 * vec3_distance(first.x, last.x);
  return (SweptBall){vec3_scale(0.5, vec3_add(first.x, last.x)), c->body[b].radius + half + bow};
}

static bool balls_hold(Contact *c, Bodies *bodies, double t, double t_end)
{
  for (int b = 0; b < c->n_bodies; b++) {
    if (!c->body[b].exists) continue;
    const SweptBall now = ball_from(c, bodies, b, t, t_end);
    if (!(vec3_distance(now.c, c->ball[b].c) + now.r <= c->ball[b].r)) return false;
  }
  return true;
}

/* The axis on which the centres spread most. */
static int sweep_axis(const Contact *c)
{
  double sum[3] = {0}, squares[3] = {0}, most = -1.0;
  int n = 0, axis = 0;
  for (int b = 0; b < c->n_bodies; b++) {
    if (!c->body[b].exists) continue;
    const double x[3] = {c->ball[b].c.x, c->ball[b].c.y, c->ball[b].c.z};
    for (int k = 0; k < 3; k++) sum[k] += x[k], squares[k] += x[k] * x[k];
    n++;
  }
  for (int k = 0; k < 3 && n > 0; k++) {
    const double spread = squares[k] - sum[k] * sum[k] / n;
    if (spread > most) most = spread, axis = k;
  }
  return axis;
}

/* Insertion sort: the order of the last time is nearly right. Ties by number. */
static void sort_along(Contact *c)
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

static PetscErrorCode add_key(Contact *c, int a, int b, int *n)
{
  PetscFunctionBeginUser;
  if (*n == c->key_room) {
    c->key_room = c->key_room > 0 ? 2 * c->key_room : 256;
    PetscCall(PetscRealloc(sizeof *c->key * c->key_room, &c->key));
    PetscCall(PetscRealloc(sizeof *c->sorted * c->key_room, &c->sorted));
    PetscCall(PetscRealloc(2 * sizeof *c->adjacent * c->key_room, &c->adjacent));
  }
  c->key[(*n)++] = ((int64_t)a << 32) | b;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* May either of them ever move freely? */
static bool can_meet(const Contact *c, const Bodies *bodies, int a, int b)
{
  const bool free_a = body_moves_freely(bodies_body(bodies, a), INFINITY);
  return free_a || (b < c->n_bodies && body_moves_freely(bodies_body(bodies, b), INFINITY));
}

static PetscErrorCode add_walls(Contact *c, const Bodies *bodies, int b, int *n)
{
  PetscFunctionBeginUser;
  const SweptBall ball = c->ball[b];
  for (int w = 0; w < c->n_walls; w++) {
    const Vec3 normal = vec3_unit(c->wall[w].normal);
    const double height = vec3_dot(normal, vec3_sub(ball.c, c->wall[w].point)) - ball.r;
    const int id = c->n_bodies + w;
    if (height <= 0.0 && can_meet(c, bodies, b, id)) PetscCall(add_key(c, b, id, n));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode sweep(Contact *c, const Bodies *bodies, int *n)
{
  PetscFunctionBeginUser;
  const int axis = sweep_axis(c);
  for (int b = 0; b < c->n_bodies; b++) {
    const SweptBall ball = c->ball[b];
    const double x = axis == 0 ? ball.c.x : axis == 1 ? ball.c.y : ball.c.z;
    c->low[b] = x - ball.r;
    c->high[b] = x + ball.r;
  }
  sort_along(c);
  for (int i = 0; i < c->n_bodies; i++) {
    const int p = c->order[i];
    if (!c->body[p].exists) continue;
    PetscCall(add_walls(c, bodies, p, n));
    const SweptBall ball = c->ball[p];
    for (int j = i + 1; j < c->n_bodies && c->low[c->order[j]] <= c->high[p]; j++) {
      const int q = c->order[j];
      const double reach = ball.r + c->ball[q].r;
      if (!c->body[q].exists || vec3_norm2(vec3_sub(ball.c, c->ball[q].c)) > reach * reach)
        continue;
      const int a = p < q ? p : q, b = p < q ? q : p;
      if (can_meet(c, bodies, a, b)) PetscCall(add_key(c, a, b, n));
    }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Sort the keys: into the slices of their first bodies, and within these by insertion. */
static void sort_keys(Contact *c, int n)
{
  int *from = c->adjacent_from;
  for (int b = 0; b <= c->n_bodies; b++) from[b] = 0;
  for (int k = 0; k < n; k++) from[(c->key[k] >> 32) + 1]++;
  for (int b = 0; b < c->n_bodies; b++) from[b + 1] += from[b];
  for (int k = 0; k < n; k++) c->sorted[from[c->key[k] >> 32]++] = c->key[k];
  for (int k = 1; k < n; k++) {
    const int64_t key = c->sorted[k];
    int j = k;
    for (; j > 0 && c->sorted[j - 1] > key; j--) c->sorted[j] = c->sorted[j - 1];
    c->sorted[j] = key;
  }
}

static int64_t key_of(const ContactPair *pair)
{
  return ((int64_t)pair->a << 32) | pair->b;
}

/* Pairs of the sorted keys; what was known of one stays known. */
static PetscErrorCode make_pairs(Contact *c, int n)
{
  PetscFunctionBeginUser;
  ContactPair *swap = c->old;
  c->old = c->pair, c->pair = swap;
  const int room = c->old_room;
  c->old_room = c->pair_room, c->pair_room = room;
  c->n_old = c->n_pairs;
  if (c->pair_room < n) {
    c->pair_room = n + n / 2;
    PetscCall(PetscRealloc(sizeof *c->pair * c->pair_room, &c->pair));
  }
  c->n_pairs = 0;
  for (int k = 0, j = 0; k < n; k++) {
    const int64_t key = c->sorted[k];
    while (j < c->n_old && key_of(&c->old[j]) < key) j++;
    ContactPair *pair = &c->pair[c->n_pairs];
    const bool known = j < c->n_old && key_of(&c->old[j]) == key;
    *pair = known ? c->old[j]
                  : (ContactPair){.a = (int)(key >> 32), .b = (int)(key & 0xffffffff), .owner = -1};
    if (!known && !pair_init(c, pair)) continue;
    c->n_pairs++;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Which pairs each body is in. */
static void list_adjacent(Contact *c)
{
  int *from = c->adjacent_from;
  for (int b = 0; b <= c->n_bodies; b++) from[b] = 0;
  for (int k = 0; k < c->n_pairs; k++) {
    from[c->pair[k].a]++;
    if (c->pair[k].b < c->n_bodies) from[c->pair[k].b]++;
  }
  for (int b = 0; b < c->n_bodies; b++) from[b + 1] += from[b];
  for (int k = c->n_pairs - 1; k >= 0; k--) {
    c->adjacent[--from[c->pair[k].a]] = k;
    if (c->pair[k].b < c->n_bodies) c->adjacent[--from[c->pair[k].b]] = k;
  }
}

static void count_owners(Contact *c, int body)
{
  for (int k = c->adjacent_from[body]; k < c->adjacent_from[body + 1]; k++) {
    const int owner = c->pair[c->adjacent[k]].owner;
    if (owner >= 0) c->load[owner]++;
  }
}

/*
 * New pairs go to the rank that follows the fewest of the two bodies' pairs: an impact makes all
 * of these stale, and then each rank has about as many to look at.
 */
static void deal_pairs(Contact *c)
{
  for (int k = 0; k < c->n_pairs; k++) {
    ContactPair *pair = &c->pair[k];
    if (pair->owner >= 0) continue;
    for (int r = 0; r < c->n_ranks; r++) c->load[r] = 0;
    count_owners(c, pair->a);
    if (pair->b < c->n_bodies) count_owners(c, pair->b);
    /* Ties go round, or the first rank would have most of those that stand alone. */
    int best = k % c->n_ranks;
    for (int r = 0; r < c->n_ranks; r++)
      if (c->load[r] < c->load[best]) best = r;
    pair->owner = best;
  }
}

PetscErrorCode ContactFindPairs(Contact *c, Bodies *bodies, double t, double t_end)
{
  PetscFunctionBeginUser;
  if (balls_hold(c, bodies, t, t_end)) PetscFunctionReturn(PETSC_SUCCESS);
  int n = 0;
  for (int b = 0; b < c->n_bodies; b++) {
    c->ball[b] = ball_from(c, bodies, b, t, t_end);
    c->ball[b].r += ball_margin * c->body[b].radius;
  }
  PetscCall(sweep(c, bodies, &n));
  sort_keys(c, n);
  PetscCall(make_pairs(c, n));
  list_adjacent(c);
  deal_pairs(c);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ContactBeginPairs(Contact *c)
{
  PetscFunctionBeginUser;
  Touch *swap = c->touch_old;
  c->touch_old = c->touch, c->touch = swap;
  const int room = c->touch_old_room;
  c->touch_old_room = c->touch_room, c->touch_room = room;
  c->n_touches_old = c->n_touches;
  c->n_touches = 0;
  if (c->touch_room < c->n_touches_old) {
    c->touch_room = c->touch_old_room;
    PetscCall(PetscRealloc(sizeof *c->touch * c->touch_room, &c->touch));
  }
  for (int k = 0; k < c->n_pairs; k++) {
    ContactPair *pair = &c->pair[k];
    if (pair->ahead.known) pair->view = pair->ahead;
    pair->ahead.known = false;
    if (!pair->lasting) pair->view = (PairView){.known = false};
    const TouchRange from = pair->view.touch;
    pair->view.touch.first = c->n_touches;
    for (int i = 0; i < from.n; i++) c->touch[c->n_touches++] = c->touch_old[from.first + i];
    pair->held.n = pair->n_impacts = 0;
    pair->impact = INFINITY;
    pair->left_alone = false;
    pair->stale = true;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}
