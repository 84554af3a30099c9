/*
 * The island of an impact: everything that touches at that instant and hangs together, solved at
 * once and put back on the paths.
 */
#include "contact/contact_impl.h"

Mobility contact_mobility(const Body *body, const BodyState *state, double t)
{
  const Mat3 r = quat_matrix(state->q);
  const Mat3 inertia = mat3_rotate_tensor(&r, &body->inertia);
  if (!body_moves_freely(body, t)) return mobility_none(state->x);
  if (body->motion == MOTION_AXIS)
    return mobility_axis(body->axis, body->axis_inertia, body->pivot);
  if (body->motion == MOTION_POINT) return mobility_point(&inertia, body->pivot);
  return mobility_free(body->mass, &inertia, state->x);
}

static bool is_pivoted(const Body *body)
{
  return body->motion == MOTION_AXIS || body->motion == MOTION_POINT;
}

Twist contact_twist(const Body *body, const BodyState *state)
{
  return (Twist){is_pivoted(body) ? vec3(0, 0, 0) : state->v, body_spin(body, state)};
}

BodyState contact_with_twist(const Body *body, const BodyState *state, Twist twist)
{
  BodyState s = *state;
  s.L = body_momentum(body, s.q, twist.w);
  s.v = is_pivoted(body) ? vec3_cross(twist.w, vec3_sub(s.x, body->pivot)) : twist.v;
  return s;
}

/* The place of a body in the island; it joins if it is not there. */
static int join(Contact *c, Bodies *bodies, int b, double t, double t_end, int *n)
{
  if (c->place[b] >= 0) return c->place[b];
  const int i = (*n)++;
  c->place[b] = i;
  c->member[i] = b;
  c->state[i] = contact_settle(c, bodies, b, t, t_end);
  const Body *body = bodies_body(bodies, b);
  c->mobility[i] = contact_mobility(body, &c->state[i], t);
  c->twist[i] = contact_twist(body, &c->state[i]);
  return i;
}

static PetscErrorCode more_room(Contact *c)
{
  PetscFunctionBeginUser;
  if (c->n_contacts + INCIDENT_POINTS > c->contact_room) {
    c->contact_room = 2 * (c->n_contacts + INCIDENT_POINTS) + 64;
    PetscCall(PetscRealloc(sizeof *c->contact * c->contact_room, &c->contact));
  }
  if (c->n_incidents + 1 > c->incident_room) {
    c->incident_room = 2 * c->n_incidents + 64;
    PetscCall(PetscRealloc(sizeof *c->incident * c->incident_room, &c->incident));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* One incident of a pair enters the island as one to four coupled contacts. */
static PetscErrorCode add_incident(Contact *c, const ContactPair *pair, const Incident *in, int ia,
                                   int ib, bool lasting, double t)
{
  PetscFunctionBeginUser;
  double restitution = 0.0, friction = 0.0;
  PetscCall(more_room(c));
  pair_material(c, pair, &restitution, &friction);
  double approach = 0.0;
  for (int k = 0; k < in->n_points; k++) {
    const Vec3 va = mobility_velocity(&c->mobility[ia], c->twist[ia], in->point[k]);
    const Vec3 vb =
        ib >= 0 ? mobility_velocity(&c->mobility[ib], c->twist[ib], in->point[k]) : vec3(0, 0, 0);
    const double closing = -vec3_dot(in->normal, vec3_sub(va, vb));
    if (closing > approach) approach = closing;
    c->contact[c->n_contacts++] = (IslandContact){
        ia, ib, in->point[k], in->normal, restitution, friction, 0.0, lasting, c->n_incidents, 0};
  }
  c->incident[c->n_incidents++] = (ContactEvent){.time = t,
                                                 .a = pair->a,
                                                 .b = pair->b,
                                                 .kind = in->kind,
                                                 .n_points = in->n_points,
                                                 .point = in->center,
                                                 .normal = in->normal,
                                                 .approach = approach};
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ContactGather(Contact *c, Bodies *bodies, const ContactPair *pair, double t,
                             double t_end, double reach, bool lasting, int *n_members,
                             bool *touches)
{
  PetscFunctionBeginUser;
  Side side[2];
  Look look;
  int n = 0;
  const Incident *incidents = NULL;
  pair_sides(c, bodies, pair, t, side);
  *touches = false;
  if (look_bound(&side[0], &side[1], 2.0 * reach) > reach) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(LookClosely(c->look, &side[0], &side[1], reach, &look));
  *touches = look.n > 0;
  if (look.n == 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(CloudCondense(c->cloud, look.n, look.hit, reach, -1, &n, &incidents));
  const int ia = join(c, bodies, pair->a, t, t_end, n_members);
  const int ib = pair->b < c->n_bodies ? join(c, bodies, pair->b, t, t_end, n_members) : -1;
  for (int k = 0; k < n; k++) PetscCall(add_incident(c, pair, &incidents[k], ia, ib, lasting, t));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Pairs touching at t that share a body that can move with the island join it, again and again. */
static PetscErrorCode grow_island(Contact *c, Bodies *bodies, double t, double t_end,
                                  int *n_members)
{
  PetscFunctionBeginUser;
  for (bool grew = true; grew;) {
    grew = false;
    for (int k = 0; k < c->n_pairs; k++) {
      ContactPair *pair = &c->pair[k];
      const bool shares_a =
          c->place[pair->a] >= 0 && body_moves_freely(bodies_body(bodies, pair->a), t);
      const bool shares_b = pair->b < c->n_bodies && c->place[pair->b] >= 0 &&
                            body_moves_freely(bodies_body(bodies, pair->b), t);
      if (pair->seen || !(shares_a || shares_b)) continue;
      bool touches = false;
      pair->seen = true;
      PetscCall(ContactGather(c, bodies, pair, t, t_end, pair_tolerance(c, pair), false, n_members,
                              &touches));
      grew |= touches;
    }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

double contact_island_energy(const Contact *c, const Bodies *bodies, int n, const BodyState s[])
{
  double sum = 0.0;
  for (int i = 0; i < n; i++) sum += body_kinetic_energy(bodies_body(bodies, c->member[i]), &s[i]);
  return sum;
}

PetscErrorCode ContactAddEvent(Contact *c, const ContactEvent *event)
{
  PetscFunctionBeginUser;
  if (c->n_events == c->event_room) {
    c->event_room = c->event_room > 0 ? 2 * c->event_room : 64;
    PetscCall(PetscRealloc(sizeof *c->event * c->event_room, &c->event));
  }
  c->event[c->n_events++] = *event;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* New velocities on the paths, and what happened into the list of events. */
static PetscErrorCode apply(Contact *c, Bodies *bodies, double t, int n, const IslandResult *result)
{
  PetscFunctionBeginUser;
  const double before = contact_island_energy(c, bodies, n, c->state);
  for (int i = 0; i < n; i++) {
    const Body *body = bodies_body(bodies, c->member[i]);
    if (body_moves_freely(body, t))
      c->state[i] = contact_with_twist(body, &c->state[i], result->twist[i]);
  }
  const double after = contact_island_energy(c, bodies, n, c->state);
  for (int k = 0; k < c->n_contacts; k++) {
    ContactEvent *event = &c->incident[c->contact[k].incident];
    event->impulse = vec3_add(event->impulse, result->impulse[k]);
  }
  for (int k = 0; k < c->n_incidents; k++) {
    ContactEvent *event = &c->incident[k];
    event->law = result->incident_law[k];
    event->energy_before = before;
    event->energy_after = after;
    if (event->law != IMPACT_NONE) PetscCall(ContactAddEvent(c, event));
  }
  PetscCall(BodiesReset(bodies, t, n, c->member, c->state));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Pairs of the island that part no faster than the resting speed stay together from now on. */
static bool mark_lasting(Contact *c, const IslandResult *result)
{
  bool found = false;
  for (int k = 0; k < c->n_pairs; k++) {
    ContactPair *pair = &c->pair[k];
    const double rest = contact_resting_speed(c, pair_size(c, pair));
    double fastest = -1.0;
    for (int i = 0; i < c->n_contacts && rest > 0.0; i++) {
      const IslandContact *contact = &c->contact[i];
      const ContactEvent *event = &c->incident[contact->incident];
      if (event->a != pair->a || event->b != pair->b) continue;
      pair->announced |= event->law == IMPACT_REST;
      const Vec3 va =
          mobility_velocity(&c->mobility[contact->a], result->twist[contact->a], contact->point);
      const Vec3 vb = contact->b >= 0 ? mobility_velocity(&c->mobility[contact->b],
                                                          result->twist[contact->b], contact->point)
                                      : vec3(0, 0, 0);
      const double parting = fabs(vec3_dot(contact->normal, vec3_sub(va, vb)));
      if (parting > fastest) fastest = parting;
    }
    if (fastest >= 0.0 && fastest <= rest) pair->lasting = found = true;
  }
  return found;
}

static void forget_island(Contact *c, int n)
{
  for (int i = 0; i < n; i++) c->place[c->member[i]] = -1;
  for (int k = 0; k < c->n_pairs; k++) c->pair[k].seen = false;
}

PetscErrorCode ContactResolve(Contact *c, Bodies *bodies, int k, double t, double t_end)
{
  PetscFunctionBeginUser;
  int n = 0;
  bool touches = false;
  IslandResult result;
  ContactPair *pair = &c->pair[k];
  const double rest = contact_resting_speed(c, pair_size(c, pair));
  c->n_contacts = c->n_incidents = 0;
  pair->seen = true;
  PetscCall(ContactGather(c, bodies, pair, t, t_end, pair_tolerance(c, pair), false, &n, &touches));
  PetscCall(grow_island(c, bodies, t, t_end, &n));
  const IslandInput input = {n,          c->n_contacts, c->n_incidents, c->mobility, c->twist,
                             c->contact, 0.0,           rest,           c->spec->law};
  PetscCall(IslandSolve(c->island, &input, &result));
  PetscCall(apply(c, bodies, t, n, &result));
  bool lasts = mark_lasting(c, &result);

  bool holds = true;
  for (int i = 0; i < n; i++)
    holds = holds && contact_ball_holds(c, bodies, c->member[i], t, t_end);
  for (int j = 0; j < c->n_pairs; j++) {
    ContactPair *other = &c->pair[j];
    const bool moved_b = other->b < c->n_bodies && c->place[other->b] >= 0;
    if (c->place[other->a] < 0 && !moved_b) continue;
    other->stale = true;
    lasts = lasts || other->lasting;
  }
  forget_island(c, n);
  if (!holds) PetscCall(ContactFindPairs(c, bodies, t, t_end));
  if (lasts) PetscCall(ContactHoldLasting(c, bodies, t, t_end));
  PetscFunctionReturn(PETSC_SUCCESS);
}
