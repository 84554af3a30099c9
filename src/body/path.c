/*
 * The path of a group through a step, by the classical Runge-Kutta method of fourth order.
 *
 * The right-hand side is smooth within a piece: pieces end where a load begins or ends, where a
 * load table has a corner, where a body is released, and where a stroke is used up. The last is
 * an event of the motion itself, found as a root over the length of the step.
 */
#include "body/bodies_impl.h"

static void wrench_add(Wrench *sum, Vec3 force, Vec3 moment)
{
  sum->force = vec3_add(sum->force, force);
  sum->moment = vec3_add(sum->moment, moment);
}

static Vec3 drag_force(const DragSpec *drag, Vec3 v)
{
  return vec3_scale(-0.5 * drag->density * drag->area * drag->cd * vec3_norm(v), v);
}

static bool is_drag(const Load *load)
{
  return isfinite(load->spec.drag.cd);
}

Vec3 bodies_drag(const Bodies *s, int b, const BodyState *state, double t)
{
  const Group *g = &s->group[s->group_of[b]];
  Vec3 sum = vec3(0, 0, 0);
  for (int k = 0; k < g->n_loads; k++) {
    const Load *load = &s->load[g->load[k]];
    if (load->body == b && is_drag(load) && load_acts(load, t))
      sum = vec3_add(sum, drag_force(&load->spec.drag, state->v));
  }
  return sum;
}

/* Add one load to its body, and its reaction to the carrier. */
static void add_load(const Bodies *s, const Load *load, double t, const BodyState states[])
{
  const int i = s->place_of[load->body];
  const BodyState *state = &states[i];
  if (is_drag(load)) {
    wrench_add(&s->total[i], drag_force(&load->spec.drag, state->v), vec3(0, 0, 0));
    return;
  }

  Wrench value = load_value(load, t);
  if (load->spec.frame == FRAME_BODY) {
    value.force = quat_rotate(state->q, value.force);
    value.moment = quat_rotate(state->q, value.moment);
  }
  const Vec3 arm = quat_rotate(state->q, load->spec.at);
  wrench_add(&s->total[i], value.force, vec3_add(value.moment, vec3_cross(arm, value.force)));
  if (load->carrier < 0) return;

  const int c = s->place_of[load->carrier];
  const Vec3 carrier_arm = vec3_sub(vec3_add(state->x, arm), states[c].x);
  const Vec3 back = vec3_scale(-1.0, value.force);
  wrench_add(&s->total[c], back, vec3_sub(vec3_cross(carrier_arm, back), value.moment));
}

/* Rates of all members at time t; which loads act is settled by the start of the piece. */
static void group_rates(const Bodies *s, const Group *g, int piece, double t,
                        const BodyState states[], BodyRate rates[])
{
  const double t_piece = g->t[piece];
  for (int i = 0; i < g->n; i++) {
    const int b = g->member[i];
    const double dt = t - s->t;
    s->total[i].force = vec3_axpy(s->air[b].force, dt, s->air_rate[b].force);
    s->total[i].force = vec3_axpy(s->total[i].force, s->body[b].mass, s->gravity);
    s->total[i].moment = vec3_axpy(s->air[b].moment, dt, s->air_rate[b].moment);
    const Push *push = &g->push[piece * g->n + i];
    const double dt_push = t - push->since;
    wrench_add(&s->total[i], vec3_axpy(push->value.force, dt_push, push->rate.force),
               vec3_axpy(push->value.moment, dt_push, push->rate.moment));
  }
  for (int k = 0; k < g->n_loads; k++) {
    const Load *load = &s->load[g->load[k]];
    if (load_acts(load, t_piece)) add_load(s, load, t, states);
  }
  for (int i = 0; i < g->n; i++) {
    const Body *body = &s->body[g->member[i]];
    if (body_moves_freely(body, t_piece)) rates[i] = body_rate(body, &states[i], s->total[i]);
  }
}

/* from + h rates, or for bodies that no force moves their given state at time t. */
static void group_move(const Bodies *s, const Group *g, double t_piece, double t,
                       const BodyState from[], double h, const BodyRate rates[], BodyState to[])
{
  for (int i = 0; i < g->n; i++) {
    const Body *body = &s->body[g->member[i]];
    to[i] = body_moves_freely(body, t_piece) ? body_move(body, &from[i], h, &rates[i])
                                             : body_given_state(body, t);
  }
}

static void rate_add(int n, BodyRate sum[], double weight, const BodyRate rates[])
{
  for (int i = 0; i < n; i++) {
    sum[i].dx = vec3_axpy(sum[i].dx, weight, rates[i].dx);
    sum[i].dv = vec3_axpy(sum[i].dv, weight, rates[i].dv);
    sum[i].dq = quat_axpy(sum[i].dq, weight, rates[i].dq);
    sum[i].dL = vec3_axpy(sum[i].dL, weight, rates[i].dL);
  }
}

/* One Runge-Kutta step of length h from the start of a piece. */
static void group_step(Bodies *s, const Group *g, int piece, double h, BodyState to[])
{
  const double t = g->t[piece];
  const BodyState *from = g->state + piece * g->n;
  static const double reach[3] = {0.5, 0.5, 1.0}, weight[4] = {1.0, 2.0, 2.0, 1.0};
  BodyRate *k = s->rate, *sum = s->rate + s->largest;
  BodyState *stage = s->stage;

  for (int i = 0; i < g->n; i++) sum[i] = (BodyRate){0};
  group_rates(s, g, piece, t, from, k);
  rate_add(g->n, sum, weight[0], k);
  for (int j = 0; j < 3; j++) {
    const double t_stage = t + reach[j] * h;
    group_move(s, g, t, t_stage, from, reach[j] * h, k, stage);
    group_rates(s, g, piece, t_stage, stage, k);
    rate_add(g->n, sum, weight[j + 1], k);
  }
  group_move(s, g, t, t + h, from, h / 6.0, sum, to);
}

static Vec3 stroke_point(const Bodies *s, const Load *load, const BodyState states[])
{
  const Pose body = body_pose(&states[s->place_of[load->body]]);
  const Pose carrier =
      load->carrier >= 0 ? body_pose(&states[s->place_of[load->carrier]]) : pose_identity();
  return load_stroke_point(load, body, carrier);
}

/* How much further than its stroke the load's point has gone; negative: some is left. */
static double stroke_excess(const Bodies *s, const Load *load, const BodyState states[])
{
  return vec3_distance(stroke_point(s, load, states), load->origin) - load->spec.stroke;
}

static bool is_stroking(const Load *load, double t)
{
  return isfinite(load->spec.stroke) && load_acts(load, t);
}

/* Note where the points of loads are that begin at t. */
static void begin_strokes(Bodies *s, const Group *g, double t, const BodyState states[])
{
  for (int k = 0; k < g->n_loads; k++) {
    Load *load = &s->load[g->load[k]];
    if (!is_stroking(load, t) || load->begun <= t) continue;
    load->begun = t;
    load->origin = stroke_point(s, load, states);
  }
}

/* The root of the excess between lo (some left) and hi (used up), by bisection to rounding. */
static double stroke_root(Bodies *s, const Group *g, const Load *load, double lo, double hi)
{
  BodyState *to = s->stage + 2 * s->largest;
  const int piece = g->n_pieces - 1;
  const double t = g->t[piece];
  while (true) {
    const double mid = lo + 0.5 * (hi - lo);
    if (mid <= lo || mid >= hi || t + lo == t + hi) return hi;
    group_step(s, g, piece, mid, to);
    if (stroke_excess(s, load, to) < 0.0)
      lo = mid;
    else
      hi = mid;
  }
}

/*
 * Shorten the last piece, of length h, to the first end of a stroke, and mark the load as ended
 * there. The path is looked at in a few places, so that a point that goes out and comes back is not
 * missed.
 */
static double stop_at_stroke(Bodies *s, Group *g, double h)
{
  enum { LOOKS = 4 };
  const int piece = g->n_pieces - 1;
  const double t = g->t[piece];
  BodyState *to = s->stage + s->largest;
  Load *first = NULL;
  double end = h;
  for (int k = 0; k < g->n_loads; k++) {
    Load *load = &s->load[g->load[k]];
    if (!is_stroking(load, t)) continue;
    for (int look = 1; look <= LOOKS; look++) {
      const double hi = h * look / LOOKS;
      group_step(s, g, piece, hi, to);
      if (stroke_excess(s, load, to) < 0.0) continue;
      const double root = stroke_root(s, g, load, h * (look - 1) / LOOKS, hi);
      if (root < end || first == NULL) {
        end = root;
        first = load;
      }
      break;
    }
  }
  if (first != NULL) first->ended = t + end;
  return end;
}

static double next_corner(const Bodies *s, const Group *g, double t)
{
  double next = s->t_end;
  for (int k = 0; k < g->n_loads; k++) {
    const double corner = load_next_corner(&s->load[g->load[k]], t);
    if (corner < next) next = corner;
  }
  for (int i = 0; i < g->n; i++) {
    const double release = s->body[g->member[i]].release;
    if (release > t && release < next) next = release;
  }
  return next;
}

/* Bodies whose release is now start with their own velocity and spin. */
static void release_bodies(const Bodies *s, const Group *g, double t, BodyState states[])
{
  for (int i = 0; i < g->n; i++) {
    const Body *body = &s->body[g->member[i]];
    if (body->release == t && t > 0.0) states[i] = body->start;
  }
}

/* Room for one more piece; grows by doubling, so that steps stop allocating soon. */
static PetscErrorCode open_piece(const Bodies *s, Group *g, double t, const BodyState states[])
{
  PetscFunctionBeginUser;
  if (g->n_pieces == g->capacity) {
    const int capacity = 2 * g->capacity;
    PetscCall(PetscRealloc(sizeof *g->t * capacity, &g->t));
    PetscCall(PetscRealloc(sizeof *g->state * capacity * g->n, &g->state));
    PetscCall(PetscRealloc(sizeof *g->push * capacity * g->n, &g->push));
    g->capacity = capacity;
  }
  g->t[g->n_pieces] = t;
  for (int i = 0; i < g->n; i++) {
    g->state[g->n_pieces * g->n + i] = states[i];
    g->push[g->n_pieces * g->n + i] = s->push[g->member[i]];
  }
  g->n_pieces++;
  PetscFunctionReturn(PETSC_SUCCESS);
}

void group_rewind(Bodies *s, Group *g, double t)
{
  while (g->n_pieces > 0 && g->t[g->n_pieces - 1] >= t) g->n_pieces--;
  for (int k = 0; k < g->n_loads; k++) {
    Load *load = &s->load[g->load[k]];
    if (load->begun > t) load->begun = INFINITY;
    if (load->ended > t) load->ended = INFINITY;
  }
}

PetscErrorCode GroupAdvance(Bodies *s, Group *g, double t, const BodyState states[])
{
  PetscFunctionBeginUser;
  PetscCall(open_piece(s, g, t, states));
  while (true) {
    const BodyState *from = g->state + (g->n_pieces - 1) * g->n;
    BodyState *to = s->stage + s->largest;
    begin_strokes(s, g, t, from);
    const double corner = next_corner(s, g, t);
    const double h = stop_at_stroke(s, g, corner - t);
    const bool whole = h == corner - t;
    group_step(s, g, g->n_pieces - 1, h, to);
    t = whole ? corner : t + h;
    release_bodies(s, g, t, to);
    if (t >= s->t_end) {
      for (int i = 0; i < g->n; i++) s->next[g->member[i]] = to[i];
      PetscFunctionReturn(PETSC_SUCCESS);
    }
    PetscCall(open_piece(s, g, t, to));
  }
}

void group_at(Bodies *s, const Group *g, double t, BodyState states[])
{
  int piece = g->n_pieces - 1;
  while (piece > 0 && g->t[piece] > t) piece--;
  const BodyState *from = g->state + piece * g->n;
  const double h = t - g->t[piece];
  if (t >= s->t_end)
    for (int i = 0; i < g->n; i++) states[i] = s->next[g->member[i]];
  else if (h <= 0.0)
    for (int i = 0; i < g->n; i++) states[i] = from[i];
  else
    group_step(s, g, piece, h, states);
}
