/*
 * The bodies and contacts of an island while it is gathered: shared by impacts and by holds.
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

void island_clear(Contact *c)
{
  for (int i = 0; i < c->n_members; i++) c->place[c->member[i]] = -1;
  for (int k = 0; k < c->n_island_pairs; k++) c->pair[c->island_pair[k]].seen = false;
  c->n_members = c->n_contacts = c->n_incidents = c->n_island_pairs = 0;
}

int island_join(Contact *c, Bodies *bodies, int b, double t)
{
  if (c->place[b] >= 0) return c->place[b];
  const int i = c->n_members++;
  const Body *body = bodies_body(bodies, b);
  c->place[b] = i;
  c->member[i] = b;
  c->state[i] = bodies_at(bodies, b, t);
  c->mobility[i] = contact_mobility(body, &c->state[i], t);
  c->twist[i] = contact_twist(body, &c->state[i]);
  return i;
}

PetscErrorCode IslandAddPair(Contact *c, int pair)
{
  PetscFunctionBeginUser;
  if (c->n_island_pairs == c->island_pair_room) {
    c->island_pair_room = 2 * c->n_island_pairs + 64;
    PetscCall(PetscRealloc(sizeof *c->island_pair * c->island_pair_room, &c->island_pair));
  }
  c->pair[pair].seen = true;
  c->island_pair[c->n_island_pairs++] = pair;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ContactRoom(Contact *c, int n)
{
  PetscFunctionBeginUser;
  if (n > c->contact_room) {
    c->contact_room = 2 * n + 64;
    PetscCall(PetscRealloc(sizeof *c->contact * c->contact_room, &c->contact));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode more_room(Contact *c)
{
  PetscFunctionBeginUser;
  PetscCall(ContactRoom(c, c->n_contacts + INCIDENT_POINTS));
  if (c->n_incidents + 1 > c->incident_room) {
    c->incident_room = 2 * c->n_incidents + 64;
    PetscCall(PetscRealloc(sizeof *c->incident * c->incident_room, &c->incident));
    PetscCall(PetscRealloc(sizeof *c->source * c->incident_room, &c->source));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The speed at which the two bodies approach each other at p. */
static double closing_speed(const Contact *c, int ia, int ib, Vec3 p, Vec3 normal)
{
  Vec3 v = mobility_velocity(&c->mobility[ia], c->twist[ia], p);
  if (ib >= 0) v = vec3_sub(v, mobility_velocity(&c->mobility[ib], c->twist[ib], p));
  return -vec3_dot(normal, v);
}

PetscErrorCode IslandAddIncident(Contact *c, const ContactPair *pair, const Incident *in,
                                 int source, double t)
{
  PetscFunctionBeginUser;
  const int ia = c->place[pair->a], ib = pair->b < c->n_bodies ? c->place[pair->b] : -1;
  PetscCall(more_room(c));
  double approach = 0.0;
  for (int k = 0; k < in->n_points; k++) {
    approach = fmax(approach, closing_speed(c, ia, ib, in->point[k], in->normal));
    c->contact[c->n_contacts++] = (IslandContact){.a = ia,
                                                  .b = ib,
                                                  .point = in->point[k],
                                                  .normal = in->normal,
                                                  .restitution = pair->restitution,
                                                  .friction = pair->friction,
                                                  .incident = c->n_incidents};
  }
  c->source[c->n_incidents] = source;
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

double island_energy(const Contact *c, const Bodies *bodies)
{
  double sum = 0.0;
  for (int i = 0; i < c->n_members; i++)
    sum += body_kinetic_energy(bodies_body(bodies, c->member[i]), &c->state[i]);
  return sum;
}

void island_leave_paths(Contact *c, double t)
{
  for (int i = 0; i < c->n_members; i++)
    for (int j = c->adjacent_from[c->member[i]]; j < c->adjacent_from[c->member[i] + 1]; j++)
      if (c->pair[c->adjacent[j]].lasting) pair_leave_path(c, &c->pair[c->adjacent[j]], t);
}

void island_mark_stale(Contact *c)
{
  for (int i = 0; i < c->n_members; i++)
    for (int j = c->adjacent_from[c->member[i]]; j < c->adjacent_from[c->member[i] + 1]; j++)
      c->pair[c->adjacent[j]].stale = true;
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

double contact_energy_with(const Contact *c, const Bodies *bodies, const Twist twist[])
{
  double sum = 0.0;
  for (int i = 0; i < c->n_members; i++) {
    const Body *body = bodies_body(bodies, c->member[i]);
    const BodyState state = contact_with_twist(body, &c->state[i], twist[i]);
    sum += body_kinetic_energy(body, &state);
  }
  return sum;
}
