/*
 * Contacts that last over steps: bodies at rest, sliding or rolling.
 *
 * The bodies are let go for the whole step; the impulse that brings the relative velocity at its
 * end back to v_n >= -gap/dt, within the friction cone, is what the contact did meanwhile. Half
 * of it acts at the beginning and half at the end of the step, so that under a steady pull a body
 * at rest stays where it is and a sliding one slows down as it should.
 */
#include "contact/contact_impl.h"

/* A pair is let go when its contact has opened farther than the hop of a body that is held. */
static double reach_of(const Contact *c, const Bodies *bodies, const ContactPair *pair,
                       double t_end)
{
  const double dt = t_end - bodies_time(bodies), hop = 0.25 * vec3_norm(c->gravity) * dt * dt;
  return 10.0 * pair_tolerance(c, pair) + hop;
}

/* Remember where the pair is held, so that impacts are looked for elsewhere. */
static void note_places(const Contact *c, ContactPair *pair, int first, double t)
{
  pair->n_held = 0;
  pair->held_since = t;
  for (int k = first; k < c->n_contacts && pair->n_held < HELD_PLACES; k++)
    pair->held[pair->n_held++] = c->contact[k].point;
}

/* Gather the lasting pairs that hang together with the members so far. */
static PetscErrorCode gather_lasting(Contact *c, Bodies *bodies, double t, double t_end, int *n)
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
      if (!pair->lasting || pair->seen || !(*n == 0 || shares_a || shares_b)) continue;
      pair->seen = true;
      const int first = c->n_contacts, first_incident = c->n_incidents;
      PetscCall(ContactGather(c, bodies, pair, t, t_end, reach_of(c, bodies, pair, t_end), true, n,
                              &pair->lasting));
      note_places(c, pair, first, t);
      for (int i = first_incident; i < c->n_incidents && !pair->announced; i++)
        c->incident[i].law = IMPACT_REST;
      pair->announced = pair->announced || pair->lasting;
      grew |= pair->lasting;
    }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static Twist twist_half(Twist after, Twist before)
{
  return (Twist){vec3_scale(0.5, vec3_sub(after.v, before.v)),
                 vec3_scale(0.5, vec3_sub(after.w, before.w))};
}

static Twist twist_add(Twist a, Twist b)
{
  return (Twist){vec3_add(a.v, b.v), vec3_add(a.w, b.w)};
}

/*
 * A body that is held hops: half of its impulse came at the beginning, half is to come. Between,
 * its motion is off by what should have come by now.
 */
BodyState contact_settle(Contact *c, Bodies *bodies, int b, double t, double t_end)
{
  const Body *body = bodies_body(bodies, b);
  const BodyState state = bodies_at(bodies, b, t);
  if (!c->kicked[b]) return state;
  const double due = 2.0 * (t - c->kicked_at[b]) / (t_end - c->kicked_at[b]) - 1.0;
  const Twist missing = {vec3_scale(due, c->kick[b].v), vec3_scale(due, c->kick[b].w)};
  c->kicked[b] = false;
  return contact_with_twist(body, &state, twist_add(contact_twist(body, &state), missing));
}

/* The motion of member i at the end of the step if it is let go now. */
static Twist twist_at_end(const Contact *c, Bodies *bodies, int i, double t_end)
{
  const int b = c->member[i];
  const BodyState end = bodies_at(bodies, b, t_end);
  return contact_twist(bodies_body(bodies, b), &end);
}

/* A contact that begins to last has one row. */
static PetscErrorCode announce(Contact *c, const Bodies *bodies, int n)
{
  PetscFunctionBeginUser;
  const double energy = contact_island_energy(c, bodies, n, c->state);
  for (int k = 0; k < c->n_incidents; k++) {
    ContactEvent *event = &c->incident[k];
    if (event->law != IMPACT_REST) continue;
    event->energy_before = event->energy_after = energy;
    PetscCall(ContactAddEvent(c, event));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Solve one island of lasting contacts and give its bodies the first half. */
static PetscErrorCode hold_island(Contact *c, Bodies *bodies, double t, double t_end, int n)
{
  PetscFunctionBeginUser;
  IslandResult result;
  PetscCall(announce(c, bodies, n));
  PetscCall(BodiesReset(bodies, t, n, c->member, c->state));
  for (int i = 0; i < n; i++) c->twist[i] = twist_at_end(c, bodies, i, t_end);
  const IslandInput input = {n,          c->n_contacts, c->n_incidents, c->mobility, c->twist,
                             c->contact, t_end - t,     INFINITY,       c->spec->law};
  PetscCall(IslandSolve(c->island, &input, &result));
  for (int i = 0; i < n; i++) {
    const int b = c->member[i];
    const Body *body = bodies_body(bodies, b);
    if (!body_moves_freely(body, t)) continue;
    const Twist half = twist_half(result.twist[i], c->twist[i]);
    c->kick[b] = half;
    c->kicked[b] = true;
    c->kicked_at[b] = t;
    const Twist now = twist_add(contact_twist(body, &c->state[i]), half);
    c->state[i] = contact_with_twist(body, &c->state[i], now);
  }
  PetscCall(BodiesReset(bodies, t, n, c->member, c->state));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Pairs of the members have new paths. */
static void mark_stale(Contact *c)
{
  for (int k = 0; k < c->n_pairs; k++) {
    ContactPair *pair = &c->pair[k];
    const bool moved_b = pair->b < c->n_bodies && c->place[pair->b] >= 0;
    if (c->place[pair->a] >= 0 || moved_b) pair->stale = true;
  }
}

PetscErrorCode ContactHoldLasting(Contact *c, Bodies *bodies, double t, double t_end)
{
  PetscFunctionBeginUser;
  while (true) {
    int n = 0;
    c->n_contacts = c->n_incidents = 0;
    PetscCall(gather_lasting(c, bodies, t, t_end, &n));
    if (n == 0) break;
    PetscCall(hold_island(c, bodies, t, t_end, n));
    mark_stale(c);
    for (int i = 0; i < n; i++) c->place[c->member[i]] = -1;
  }
  for (int k = 0; k < c->n_pairs; k++) c->pair[k].seen = false;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ContactFinishLasting(Contact *c, Bodies *bodies, double t_end)
{
  PetscFunctionBeginUser;
  for (int b = 0; b < c->n_bodies; b++) {
    if (!c->kicked[b]) continue;
    const Body *body = bodies_body(bodies, b);
    BodyState state = bodies_at(bodies, b, t_end);
    state = contact_with_twist(body, &state, twist_add(contact_twist(body, &state), c->kick[b]));
    PetscCall(BodiesReset(bodies, t_end, 1, &b, &state));
    c->kicked[b] = false;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}
