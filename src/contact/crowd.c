/*
 * Crowds: so many bodies near each other that their impacts cannot be followed one by one.
 *
 * Bodies that may touch within the step hang together; more than 64 of them are taken through
 * the step at once (Moreau's time stepping). Two solves share the contacts of the beginning of the
 * step. The first finds where the bodies go: motions, as near as may be to those of free flight,
 * after which no gap is negative. The second finds the velocities at the end: contacts that
 * closed or stay closed do not approach, and part at the restitution of the approach they had. As
 * they are two, a gap that is mended gives no velocity, and an impact that falls inside the step
 * keeps its speed. Both have Coulomb friction; neither does positive work.
 *
 * Impacts are thus moved to the ends of steps. A body without a contact that bears flies freely.
 *
 * Method: J. J. Moreau, Computer Methods in Applied Mechanics and Engineering 177 (1999).
 */
#include "contact/crowd_impl.h"

/* The part of an overlap that is mended in one step. */
static const double mended = 0.5;

/* Errors of the two solves that do not matter: of tolerances and of the resting speed. */
static const double way_enough = 0.1, speed_enough = 0.02;

PetscErrorCode CrowdCreate(int n, Crowd **crowd)
{
  PetscFunctionBeginUser;
  Crowd *s = NULL;
  PetscCall(PetscNew(&s));
  PetscCall(PetscCalloc6(n, &s->parent, n, &s->size, n, &s->inside, n, &s->way, n, &s->motion, n,
                         &s->borne));
  PetscCall(CrowdSweepCreate(&s->sweep));
  *crowd = s;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrowdDestroy(Crowd **crowd)
{
  PetscFunctionBeginUser;
  Crowd *s = *crowd;
  if (s == NULL) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscFree6(s->parent, s->size, s->inside, s->way, s->motion, s->borne));
  PetscCall(CrowdSweepDestroy(&s->sweep));
  PetscCall(PetscFree(s->all));
  PetscCall(PetscFree(s->point));
  PetscCall(PetscFree(s->gap));
  PetscCall(PetscFree(s->chosen));
  PetscCall(PetscFree(*crowd));
  PetscFunctionReturn(PETSC_SUCCESS);
}

bool contact_in_crowd(const Contact *c, int b)
{
  return b < c->n_bodies && c->crowd->inside[b];
}

/* The motion that takes a body from one state to the other within dt. */
static Twist motion_between(const Body *body, const BodyState *from, const BodyState *to, double dt)
{
  const Vec3 w = vec3_scale(0.5, vec3_add(body_spin(body, from), body_spin(body, to)));
  return (Twist){vec3_scale(1.0 / dt, vec3_sub(to->x, from->x)), w};
}

static PetscErrorCode more_room(Crowd *s, int n)
{
  PetscFunctionBeginUser;
  if (n <= s->room) PetscFunctionReturn(PETSC_SUCCESS);
  s->room = n + n / 2;
  PetscCall(PetscRealloc(sizeof *s->all * s->room, &s->all));
  PetscCall(PetscRealloc(sizeof *s->point * s->room, &s->point));
  PetscCall(PetscRealloc(sizeof *s->gap * s->room, &s->gap));
  PetscCall(PetscRealloc(sizeof *s->chosen * s->room, &s->chosen));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Approach slower than this is rest: gravity within the step makes as much. */
static double slow_speed(const Contact *c, const ContactPair *pair, double dt)
{
  return fmax(pair->resting_speed, 0.5 * vec3_norm(c->gravity) * dt);
}

static Vec3 velocity_at(const Contact *c, const Twist twist[], const IslandContact *contact)
{
  const Vec3 va = mobility_velocity(&c->mobility[contact->a], twist[contact->a], contact->point);
  if (contact->b < 0) return va;
  return vec3_sub(va,
                  mobility_velocity(&c->mobility[contact->b], twist[contact->b], contact->point));
}

static double normal_speed(const Contact *c, const Twist twist[], const IslandContact *contact)
{
  return vec3_dot(contact->normal, velocity_at(c, twist, contact));
}

/* The points at which a pair may touch become contacts. */
static PetscErrorCode add_points(Contact *c, int k, double dt)
{
  PetscFunctionBeginUser;
  Crowd *s = c->crowd;
  const ContactPair *pair = &c->pair[k];
  for (int i = 0; i < pair->view.touch.n; i++) {
    const Touch *touch = &c->touch[pair->view.touch.first + i];
    PetscCall(more_room(s, c->n_contacts + INCIDENT_POINTS));
    for (int j = 0; j < touch->in.n_points; j++) {
      const int n = c->n_contacts++;
      s->point[n] = (CrowdPoint){k, pair->view.touch.first + i, j, 0.0};
      s->all[n] = (IslandContact){.a = c->place[pair->a],
                                  .b = pair->b < c->n_bodies ? c->place[pair->b] : -1,
                                  .point = touch->in.point[j],
                                  .normal = touch->in.normal,
                                  .restitution = pair->restitution,
                                  .friction = pair->friction,
                                  .guess = vec3_scale(0.5 * dt, touch->force[j]),
                                  .incident = -1};
      const double gap = touch->in.gap[j];
      s->gap[n] = gap;
      s->all[n].least = -(gap > 0.0 ? gap : mended * gap) / dt;
      s->point[n].approach = -normal_speed(c, c->twist, &s->all[n]);
    }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Look at the pairs of the crowds, and join their bodies and contacts to an island. */
static PetscErrorCode gather(Contact *c, Bodies *bodies, double t, double dt)
{
  PetscFunctionBeginUser;
  for (int k = 0; k < c->n_pairs; k++) {
    ContactPair *pair = &c->pair[k];
    if (!pair->seen) continue;
    pair->seen = false;
    PetscCall(PairLookWide(c, bodies, pair, t, crowd_reach(c, pair)));
    if (pair->view.touch.n == 0) {
      pair->view.known = false; /* how far they move is not followed */
      continue;
    }
    PetscCall(IslandAddPair(c, k));
    island_join(c, bodies, pair->a, t);
    if (pair->b < c->n_bodies) island_join(c, bodies, pair->b, t);
  }
  for (int k = 0; k < c->n_island_pairs; k++) PetscCall(add_points(c, c->island_pair[k], dt));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode solve(Contact *c, int n, const IslandContact contact[], const Twist twist[],
                            double enough, bool dissipates, CrowdResult *result)
{
  PetscFunctionBeginUser;
  const CrowdInput input = {.n_bodies = c->n_members,
                            .n_contacts = n,
                            .body = c->mobility,
                            .twist = twist,
                            .contact = contact,
                            .enough = enough,
                            .dissipates = dissipates};
  PetscCall(CrowdSweepSolve(c->crowd->sweep, &input, result));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* First solve: how the members move over the step, and the gaps after it. */
static PetscErrorCode solve_motion(Contact *c, Bodies *bodies, double t, double t_end)
{
  PetscFunctionBeginUser;
  Crowd *s = c->crowd;
  const double dt = t_end - t;
  double tolerance = INFINITY;
  CrowdResult result;
  for (int i = 0; i < c->n_members; i++) {
    const int b = c->member[i];
    const Body *body = bodies_body(bodies, b);
    const BodyState to = bodies_at(bodies, b, t_end);
    s->motion[i] = motion_between(body, &c->state[i], &to, dt);
    if (body->motion == MOTION_AXIS || body->motion == MOTION_POINT) s->motion[i].v = vec3(0, 0, 0);
    s->borne[i] = false;
  }
  for (int k = 0; k < c->n_island_pairs; k++)
    tolerance = fmin(tolerance, c->pair[c->island_pair[k]].tolerance);
  PetscCall(
      solve(c, c->n_contacts, s->all, s->motion, way_enough * tolerance / dt, false, &result));
  for (int i = 0; i < c->n_members; i++) s->motion[i] = result.twist[i];
  for (int n = 0; n < c->n_contacts; n++) {
    s->gap[n] += dt * normal_speed(c, s->motion, &s->all[n]);
    s->chosen[n] = vec3_dot(result.impulse[n], s->all[n].normal) > 0.0;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The contacts of the second solve: those that bore, and those that are closed now. */
static int choose(Contact *c, double dt)
{
  Crowd *s = c->crowd;
  int m = 0;
  for (int n = 0; n < c->n_contacts; n++) {
    const ContactPair *pair = &c->pair[s->point[n].pair];
    if (!s->chosen[n] && s->gap[n] > pair->tolerance) continue;
    const bool rebounds = s->point[n].approach > slow_speed(c, pair, dt);
    c->contact[m] = s->all[n];
    c->contact[m].guess = vec3_scale(2.0, s->all[n].guess);
    c->contact[m].least = rebounds ? pair->restitution * s->point[n].approach : 0.0;
    s->chosen[m++] = n;
  }
  return m;
}

/* What the crowd did to a pair: an impact, or the beginning of a lasting contact, has its row. */
static PetscErrorCode tell(Contact *c, int first, int end, double time, double dt,
                           const CrowdResult *result, double before, double after)
{
  PetscFunctionBeginUser;
  const Crowd *s = c->crowd;
  ContactPair *pair = &c->pair[s->point[s->chosen[first]].pair];
  ContactEvent event = {.time = time, .a = pair->a, .b = pair->b, .law = IMPACT_REST};
  double most = 0.0, fastest = 0.0;
  for (int m = first; m < end; m++) {
    const IslandContact *contact = &c->contact[m];
    const double p = vec3_norm(result->impulse[m]);
    if (p <= 0.0) continue;
    event.n_points++;
    event.impulse = vec3_add(event.impulse, result->impulse[m]);
    event.point = vec3_axpy(event.point, p, contact->point);
    event.approach = fmax(event.approach, s->point[s->chosen[m]].approach);
    if (p > most) most = p, event.normal = contact->normal;
    fastest = fmax(fastest, fabs(normal_speed(c, result->twist, contact)));
    c->touch[s->point[s->chosen[m]].touch].force[s->point[s->chosen[m]].place] =
        vec3_scale(1.0 / dt, result->impulse[m]);
  }
  const double slow = slow_speed(c, pair, dt);
  /* What lasts begins the next step with its force; the impulse of an impact must not. */
  const bool strikes = event.n_points > 0 && event.approach > slow;
  pair->lasting = event.n_points > 0 && !strikes && pair->resting_speed > 0.0 && fastest <= slow;
  const bool begins = pair->lasting && !pair->announced;
  pair->announced = pair->lasting;
  if (!strikes && !begins) PetscFunctionReturn(PETSC_SUCCESS);
  double sum = 0.0;
  for (int m = first; m < end; m++) sum += vec3_norm(result->impulse[m]);
  event.point = vec3_scale(1.0 / sum, event.point);
  event.kind = event.n_points == 1   ? INCIDENT_POINT
               : event.n_points == 2 ? INCIDENT_LINE
                                     : INCIDENT_PLANE;
  event.energy_before = before;
  event.energy_after = after;
  PetscCall(ContactAddEvent(c, &event));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Forget what held the pairs; those that still bear are told of, by pair. */
static PetscErrorCode tell_all(Contact *c, const Bodies *bodies, int m, double time, double dt,
                               const Twist *free, const CrowdResult *result)
{
  PetscFunctionBeginUser;
  const Crowd *s = c->crowd;
  const double before = contact_energy_with(c, bodies, free),
               after = contact_energy_with(c, bodies, result->twist);
  for (int n = 0; n < c->n_contacts; n++)
    c->touch[s->point[n].touch].force[s->point[n].place] = vec3(0, 0, 0);
  for (int k = 0; k < c->n_island_pairs; k++) c->pair[c->island_pair[k]].seen = false;
  for (int first = 0, end = 0; first < m; first = end) {
    const int pair = s->point[s->chosen[first]].pair;
    while (end < m && s->point[s->chosen[end]].pair == pair) end++;
    c->pair[pair].seen = true;
    PetscCall(tell(c, first, end, time, dt, result, before, after));
  }
  for (int k = 0; k < c->n_island_pairs; k++) {
    ContactPair *pair = &c->pair[c->island_pair[k]];
    if (!pair->seen) pair->lasting = pair->announced = false;
    pair->seen = true;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The state at the end of the step of a member that contacts bear. */
static BodyState end_state(const Contact *c, Bodies *bodies, int i, double t_end, double dt,
                           Twist free, Twist end)
{
  const Body *body = bodies_body(bodies, c->member[i]);
  const BodyState *from = &c->state[i];
  const Vec3 more =
      vec3_sub(body_momentum(body, from->q, end.w), body_momentum(body, from->q, free.w));
  const Twist motion = c->crowd->motion[i];
  BodyState to = bodies_at(bodies, c->member[i], t_end);
  to.q = quat_unit(quat_multiply(quat_from_vector(vec3_scale(dt, motion.w)), from->q));
  to.L = vec3_add(to.L, more);
  if (body->motion == MOTION_AXIS || body->motion == MOTION_POINT) {
    to.x = vec3_add(body->pivot, quat_rotate(to.q, body->arm));
    to.v = vec3_cross(body_spin(body, &to), vec3_sub(to.x, body->pivot));
  } else {
    to.x = vec3_axpy(from->x, dt, motion.v);
    to.v = end.v;
  }
  return to;
}

/* Put the members to the end of the step, and note how far the pairs have moved. */
static PetscErrorCode leave(Contact *c, Bodies *bodies, double t_end, double dt, const Twist free[],
                            const Twist end[])
{
  PetscFunctionBeginUser;
  Crowd *s = c->crowd;
  for (int k = 0; k < c->n_island_pairs; k++) {
    ContactPair *pair = &c->pair[c->island_pair[k]];
    const int ia = c->place[pair->a], ib = pair->b < c->n_bodies ? c->place[pair->b] : -1;
    const Twist a = s->motion[ia], b = ib >= 0 ? s->motion[ib] : (Twist){{0, 0, 0}, {0, 0, 0}};
    const double turning = vec3_norm(a.w) * c->body[pair->a].radius +
                           (ib >= 0 ? vec3_norm(b.w) * c->body[pair->b].radius : 0.0);
    pair->view.drift += dt * (vec3_distance(a.v, b.v) + turning);
    pair->view.at = t_end;
  }
  for (int i = 0; i < c->n_members; i++) {
    const int b = c->member[i];
    if (!s->inside[b] || !s->borne[i]) continue;
    const BodyState to = end_state(c, bodies, i, t_end, dt, free[i], end[i]);
    PetscCall(BodiesReset(bodies, t_end, 1, &b, &to));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Members with a contact that is chosen, or bore in the first solve. */
static void note_borne(Contact *c, int m)
{
  Crowd *s = c->crowd;
  for (int k = 0; k < m; k++) {
    s->borne[c->contact[k].a] = true;
    if (c->contact[k].b >= 0) s->borne[c->contact[k].b] = true;
  }
}

/* Free flight at the end of the step, seen from the attitudes of its beginning. */
static void fly_free(Contact *c, Bodies *bodies, double t_end)
{
  for (int i = 0; i < c->n_members; i++) {
    const BodyState to = bodies_at(bodies, c->member[i], t_end);
    BodyState free = c->state[i];
    free.v = to.v;
    free.L = to.L;
    c->twist[i] = contact_twist(bodies_body(bodies, c->member[i]), &free);
  }
}

/* Take the crowds, whose pairs are marked, from t to t_end. */
static PetscErrorCode step_crowds(Contact *c, Bodies *bodies, double t, double t_end)
{
  PetscFunctionBeginUser;
  const double dt = t_end - t;
  double resting = INFINITY;
  CrowdResult result;
  c->n_members = c->n_contacts = c->n_incidents = c->n_island_pairs = 0;
  PetscCall(gather(c, bodies, t, dt));
  PetscCall(ContactRoom(c, c->n_contacts));
  PetscCall(solve_motion(c, bodies, t, t_end));
  const int m = choose(c, dt);
  note_borne(c, m);
  fly_free(c, bodies, t_end);
  for (int k = 0; k < c->n_island_pairs; k++)
    resting = fmin(resting, c->pair[c->island_pair[k]].resting_speed);
  PetscCall(solve(c, m, c->contact, c->twist, speed_enough * resting, true, &result));
  PetscCall(tell_all(c, bodies, m, t_end, dt, c->twist, &result));
  PetscCall(leave(c, bodies, t_end, dt, c->twist, result.twist));
  island_clear(c);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ContactCrowds(Contact *c, Bodies *bodies, double t, double t_end)
{
  PetscFunctionBeginUser;
  if (!crowd_find(c, bodies, t, t_end)) {
    for (int k = 0; k < c->n_pairs; k++) c->pair[k].seen = false;
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  const int parts = crowd_parts(c);
  const double dt = (t_end - t) / parts;
  for (int k = 0; k < parts; k++) {
    const double from = t + k * dt, to = k == parts - 1 ? t_end : t + (k + 1) * dt;
    if (parts > 1) {
      if (k > 0) PetscCall(ContactFindPairs(c, bodies, from, t_end));
      crowd_mark(c, bodies, from, to);
    }
    PetscCall(step_crowds(c, bodies, from, to));
  }
  for (int b = 0; b < c->n_bodies; b++) c->struck[b] = c->struck[b] && !c->crowd->inside[b];
  PetscFunctionReturn(PETSC_SUCCESS);
}
