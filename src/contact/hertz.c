/*
 * A step with bodies that press into each other (contact law hertz).
 *
 * Bodies fly free until a pair touches; that instant is found as for impacts. From then on the
 * bodies that hang together with it move in sub-steps, a small part of the time in which any of
 * their contacts changes. A sub-step is the fourth-order method of Nystroem: the contact forces of
 * its four stages make up a push that changes linearly over the sub-step and moves the bodies, with
 * their other loads, exactly as far as the method asks for.
 *
 * Every rank does all of it, so that the answer does not depend on their number.
 */
#include "contact/hertz_impl.h"

#include <string.h>

/* Contact times after which a touch is said to last. */
enum { LASTING_AGE = 8 };

static const Wrench nothing = {.force = {.x = 0.0}};

PetscErrorCode HertzCreate(int n, Hertz **hertz)
{
  PetscFunctionBeginUser;
  PetscCall(PetscNew(hertz));
  Hertz *s = *hertz;
  PetscCall(PetscCalloc6(HERTZ_STAGES * n, &s->wrench, n, &s->moves, n, &s->moved, n, &s->group, n,
                         &s->member, n, &s->state));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode HertzDestroy(Hertz **hertz)
{
  PetscFunctionBeginUser;
  Hertz *s = *hertz;
  if (s == NULL) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscFree6(s->wrench, s->moves, s->moved, s->group, s->member, s->state));
  PetscCall(PetscFree(s->touch));
  PetscCall(PetscFree(s->force));
  PetscCall(PetscFree(s->wait));
  PetscCall(PetscFree(*hertz));
  PetscFunctionReturn(PETSC_SUCCESS);
}

int hertz_record_size(const Hertz *s)
{
  return TOUCH_WORDS * s->n_touches;
}

void hertz_record_get(const Hertz *s, int64_t record[])
{
  memcpy(record, s->touch, sizeof *s->touch * (size_t)s->n_touches);
}

PetscErrorCode HertzRecordSet(Hertz *s, int n, const int64_t record[])
{
  PetscFunctionBeginUser;
  const int n_touches = n / TOUCH_WORDS;
  if (s->touch_room < n_touches) {
    s->touch_room = n_touches;
    PetscCall(PetscRealloc(sizeof *s->touch * s->touch_room, &s->touch));
    PetscCall(PetscRealloc(sizeof *s->force * s->touch_room * HERTZ_STAGES, &s->force));
  }
  memcpy(s->touch, record, sizeof *s->touch * (size_t)n_touches);
  s->n_touches = n_touches;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Which bodies move in sub-steps: those that touch, with all that loads tie to them. */
static void mark_members(Contact *c, const Bodies *bodies, double t)
{
  Hertz *s = c->hertz;
  memset(s->group, 0, sizeof *s->group * (size_t)c->n_bodies);
  for (int k = 0; k < s->n_touches; k++) {
    const HertzTouch *touch = &s->touch[k];
    s->group[bodies_group(bodies, (int)touch->a)] = true;
    if (touch->b < c->n_bodies) s->group[bodies_group(bodies, (int)touch->b)] = true;
  }
  s->n_members = 0;
  for (int b = 0; b < c->n_bodies; b++) {
    s->moves[b] = s->group[bodies_group(bodies, b)] && body_moves_freely(bodies_body(bodies, b), t);
    if (s->moves[b]) s->member[s->n_members++] = b;
  }
}

/* Bodies that have nothing to press on any more fly free from t on. */
static PetscErrorCode let_go(Contact *c, Bodies *bodies, double t)
{
  PetscFunctionBeginUser;
  Hertz *s = c->hertz;
  for (int b = 0; b < c->n_bodies; b++) {
    if (s->moved[b] && !s->moves[b]) {
      const BodyState state = bodies_at(bodies, b, t);
      bodies_push(bodies, b, nothing);
      PetscCall(BodiesReset(bodies, t, 1, &b, &state));
    }
    s->moved[b] = s->moves[b];
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Near pairs from t on. All paths must be free of pushes, which reach too far. */
static PetscErrorCode find_pairs(Contact *c, Bodies *bodies, double t, double t_end)
{
  PetscFunctionBeginUser;
  Hertz *s = c->hertz;
  for (int i = 0; i < s->n_members; i++) {
    s->state[i] = bodies_at(bodies, s->member[i], t);
    bodies_push(bodies, s->member[i], nothing);
  }
  PetscCall(BodiesReset(bodies, t, s->n_members, s->member, s->state));
  PetscCall(ContactFindPairs(c, bodies, t, t_end));
  if (s->wait_room < c->n_pairs) {
    s->wait_room = c->pair_room;
    PetscCall(PetscRealloc(sizeof *s->wait * s->wait_room, &s->wait));
  }
  for (int k = 0; k < c->n_pairs; k++) s->wait[k] = t;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Is every member still within the ball that its near pairs were found with? */
static bool balls_hold(Contact *c, Bodies *bodies, double t)
{
  const Hertz *s = c->hertz;
  for (int i = 0; i < s->n_members; i++) {
    const int b = s->member[i];
    const Vec3 x = bodies_at(bodies, b, t).x;
    if (c->body[b].exists && vec3_distance(x, c->ball[b].c) + c->body[b].radius > c->ball[b].r)
      return false;
  }
  return true;
}

static double touch_gap(const ContactPair *pair)
{
  return 1e-9 * pair->size;
}

static double surface_speed(const Contact *c, Bodies *bodies, int id, double t, Vec3 *v)
{
  *v = vec3(0, 0, 0);
  if (id >= c->n_bodies) return 0.0;
  const BodyState state = bodies_at(bodies, id, t);
  *v = state.v;
  return vec3_norm(body_spin(bodies_body(bodies, id), &state)) * c->body[id].radius;
}

/* No two points of the surfaces approach each other faster than this at t. */
static double speed_at(const Contact *c, Bodies *bodies, const ContactPair *pair, double t)
{
  Vec3 va, vb;
  const double turning =
      surface_speed(c, bodies, pair->a, t, &va) + surface_speed(c, bodies, pair->b, t, &vb);
  return vec3_distance(va, vb) + turning;
}

/* The least gap of a pair and how fast it closes there. */
static PetscErrorCode look_at(Contact *c, Bodies *bodies, const ContactPair *pair, double t,
                              double near, double *gap, double *closing)
{
  PetscFunctionBeginUser;
  Side side[2];
  Look look;
  *gap = near;
  *closing = 0.0;
  pair_sides(c, bodies, pair, t, side);
  PetscCall(LookClosely(c->look, &side[0], &side[1], near, &look));
  for (int i = 0; i < look.n; i++) {
    if (look.hit[i].gap > *gap) continue;
    *gap = look.hit[i].gap;
    const Vec3 v = pair_velocity(c, bodies, pair, t, look.hit[i].point);
    *closing = -vec3_dot(v, look.hit[i].normal);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/*
 * A pair that does not touch, of which one body moves in sub-steps: does it touch now? If not,
 * *next comes no later than it may.
 */
static PetscErrorCode watch_pair(Contact *c, Bodies *bodies, int k, double t, double t_end,
                                 double *next)
{
  PetscFunctionBeginUser;
  ContactPair *pair = &c->pair[k];
  double *wait = &c->hertz->wait[k];
  const ContactShape *a = &c->body[pair->a].shape;
  const double bulge = a->bulge + (pair->b < c->n_bodies ? c->body[pair->b].shape.bulge : 0.0);
  const double touch = touch_gap(pair), near = 2.0 * bulge + 1e-3 * pair->size;
  pair->stale = true;
  if (*wait <= t) {
    Side side[2];
    pair_sides(c, bodies, pair, t, side);
    const double speed = speed_at(c, bodies, pair, t);
    const double bound = look_bound(&side[0], &side[1], 2.0 * speed * (t_end - t) + near);
    double gap = near, closing = 0.0;
    if (bound > near) {
      /* Half of the way, since contacts may make the bodies faster on it. */
      *wait = speed > 0.0 ? t + 0.5 * bound / speed : INFINITY;
    } else {
      PetscCall(look_at(c, bodies, pair, t, near, &gap, &closing));
      if (gap < -touch || (gap <= touch && closing > 0.0))
        PetscCall(HertzBegin(c, bodies, pair, t));
      else if (closing > 0.0)
        *next = fmin(*next, t + fmax(gap, touch) / closing);
      PetscFunctionReturn(PETSC_SUCCESS);
    }
  }
  *next = fmin(*next, *wait);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A pair of which both bodies fly free: its path is known to the end of the step. */
static PetscErrorCode await_pair(Contact *c, Bodies *bodies, int k, double t, double t_end,
                                 double *next)
{
  PetscFunctionBeginUser;
  ContactPair *pair = &c->pair[k];
  if (pair->stale) {
    contact_note_motion(c, bodies, pair->a, t, t_end);
    if (pair->b < c->n_bodies) contact_note_motion(c, bodies, pair->b, t, t_end);
    pair->clear = -INFINITY; /* what was clear before was so for other paths */
    PetscCall(PairFindImpact(c, bodies, pair, t, t_end));
    pair->stale = false;
  }
  if (pair->impact <= t && t < t_end) {
    pair->impact = INFINITY;
    PetscCall(HertzBegin(c, bodies, pair, t));
  }
  *next = fmin(*next, pair->impact);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Touches that have opened by t are over. */
static PetscErrorCode end_touches(Contact *c, Bodies *bodies, double t)
{
  PetscFunctionBeginUser;
  Hertz *s = c->hertz;
  for (int k = s->n_touches - 1; k >= 0; k--) {
    TouchForce now;
    HertzTouch *touch = &s->touch[k];
    const ContactPair pair = hertz_pair(c, touch);
    if (touch->seen >= t) continue;
    PetscCall(HertzPress(c, bodies, k, t, 0.0, &now, s->wrench));
    if (now.gap > touch_gap(&pair)) {
      PetscCall(HertzEnd(c, bodies, k, t, now.gap));
      continue;
    }
    hertz_remember(c, bodies, k, t, &now);
    if (touch->age > LASTING_AGE && !touch->announced)
      PetscCall(HertzAnnounce(c, bodies, touch, t));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* All that begins and ends at t; *next is when something new may begin, at most t_end. */
static PetscErrorCode survey(Contact *c, Bodies *bodies, double t, double t_end, double *next)
{
  PetscFunctionBeginUser;
  Hertz *s = c->hertz;
  PetscCall(end_touches(c, bodies, t));
  for (int before = -1; before != s->n_touches;) {
    before = s->n_touches;
    mark_members(c, bodies, t);
    PetscCall(let_go(c, bodies, t));
    *next = t_end;
    for (int k = 0; k < c->n_pairs && t < t_end; k++) {
      const ContactPair *pair = &c->pair[k];
      if (hertz_find(s, pair->a, pair->b) >= 0) continue;
      const bool moves = s->moves[pair->a] || (pair->b < c->n_bodies && s->moves[pair->b]);
      if (moves)
        PetscCall(watch_pair(c, bodies, k, t, t_end, next));
      else
        PetscCall(await_pair(c, bodies, k, t, t_end, next));
    }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Forces of all touches at a stage, and the least time in which one of them changes. */
static PetscErrorCode press_all(Contact *c, Bodies *bodies, int stage, double t, double h,
                                double *step)
{
  PetscFunctionBeginUser;
  Hertz *s = c->hertz;
  Wrench *wrench = s->wrench + stage * c->n_bodies;
  memset(wrench, 0, sizeof *wrench * (size_t)c->n_bodies);
  for (int k = 0; k < s->n_touches; k++) {
    TouchForce *force = &s->force[stage * s->touch_room + k];
    PetscCall(HertzPress(c, bodies, k, t, h, force, wrench));
    *step = fmin(*step, force->step);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The sum of the stages with these weights, over divisor. */
static Wrench blend(const Contact *c, int b, const double weight[HERTZ_STAGES], double divisor)
{
  Wrench sum = nothing;
  for (int i = 0; i < HERTZ_STAGES; i++) {
    const Wrench *w = &c->hertz->wrench[i * c->n_bodies + b];
    sum.force = vec3_axpy(sum.force, weight[i] / divisor, w->force);
    sum.moment = vec3_axpy(sum.moment, weight[i] / divisor, w->moment);
  }
  return sum;
}

/* Put the members on paths with a push of these shares of the stages at t and in its rate. */
static PetscErrorCode push_all(Contact *c, Bodies *bodies, double t, double h,
                               const double value[HERTZ_STAGES], const double rate[HERTZ_STAGES])
{
  PetscFunctionBeginUser;
  Hertz *s = c->hertz;
  for (int i = 0; i < s->n_members; i++) {
    const int b = s->member[i];
    bodies_push_from(bodies, b, t, blend(c, b, value, 3.0), blend(c, b, rate, 3.0 * h));
  }
  PetscCall(BodiesReset(bodies, t, s->n_members, s->member, s->state));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/*
 * The four stages from t to *end, which comes nearer until no contact changes faster than the
 * sub-step can follow. The pushes give position and velocity of the method, in thirds:
 * the second half-way stage has the position of the first and the velocity of its own; the whole
 * has x + h v + h^2/6 (k0 + k1 + k2) and v + h/6 (k0 + 2 k1 + 2 k2 + k3).
 */
static PetscErrorCode take_stages(Contact *c, Bodies *bodies, double t, double *end)
{
  PetscFunctionBeginUser;
  static const double value[4][4] = {{3}, {9, -6}, {0, 0, 3}, {2, 1, 1, -1}};
  static const double rate[4][4] = {{0}, {-36, 36}, {0}, {-3, 0, 0, 3}};
  static const double reach[4] = {0.0, 0.5, 0.5, 1.0};
  enum { TRIES = 40 };
  for (int tries = 0; tries < TRIES; tries++) {
    const double h = *end - t;
    double step = INFINITY;
    PetscCall(press_all(c, bodies, 0, t, h, &step));
    for (int i = 1; i < HERTZ_STAGES; i++) {
      PetscCall(push_all(c, bodies, t, h, value[i - 1], rate[i - 1]));
      PetscCall(press_all(c, bodies, i, reach[i] < 1.0 ? t + reach[i] * h : *end, h, &step));
    }
    PetscCall(push_all(c, bodies, t, h, value[3], rate[3]));
    if (h <= 2.0 * step || t + 0.5 * h <= t) break;
    *end = t + 0.5 * h;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* One sub-step from *t to next or earlier. */
static PetscErrorCode sub_step(Contact *c, Bodies *bodies, double *t, double next)
{
  PetscFunctionBeginUser;
  Hertz *s = c->hertz;
  double step = INFINITY, end = next;
  for (int i = 0; i < s->n_members; i++) s->state[i] = bodies_at(bodies, s->member[i], *t);
  for (int k = 0; k < s->n_touches; k++) step = fmin(step, s->touch[k].step);
  const double parts = ceil((next - *t) / step);
  if (parts > 1.0) end = *t + (next - *t) / parts;
  PetscCall(take_stages(c, bodies, *t, &end));

  static const double weight[HERTZ_STAGES] = {1.0, 2.0, 2.0, 1.0};
  const double h = end - *t;
  for (int k = 0; k < s->n_touches; k++) {
    HertzTouch *touch = &s->touch[k];
    for (int i = 0; i < HERTZ_STAGES; i++) {
      const TouchForce *force = &s->force[i * s->touch_room + k];
      touch->impulse = vec3_axpy(touch->impulse, h * weight[i] / 6.0, force->force);
      touch->work += h * weight[i] / 6.0 * force->power;
      touch->age += h * weight[i] / 6.0 / force->contact;
    }
  }
  *t = end;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode HertzAdvance(Contact *c, Bodies *bodies, double t_end)
{
  PetscFunctionBeginUser;
  Hertz *s = c->hertz;
  double t = bodies_time(bodies), next = t_end;
  s->n_members = 0;
  memset(s->moved, 0, sizeof *s->moved * (size_t)c->n_bodies);
  /* Every step begins with pairs found anew, so that a run gone on with does as one that was not
   * stopped. */
  c->n_pairs = 0;
  for (int b = 0; b < c->n_bodies; b++) c->ball[b].r = 0.0;
  PetscCall(find_pairs(c, bodies, t, t_end));
  PetscCall(survey(c, bodies, t, t_end, &next));
  while (t < t_end) {
    if (s->n_touches > 0)
      PetscCall(sub_step(c, bodies, &t, next));
    else
      t = next;
    if (t < t_end && !balls_hold(c, bodies, t)) PetscCall(find_pairs(c, bodies, t, t_end));
    PetscCall(survey(c, bodies, t, t_end, &next));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}
