/*
 * The island of an impact: everything that touches at that instant and hangs together, solved at
 * once and put back on the paths.
 */
#include "contact/contact_impl.h"

/* Join both bodies of the pair, and let its incidents enter the island. */
static PetscErrorCode add_incidents(Contact *c, Bodies *bodies, int k, double t, int n,
                                    const Incident in[])
{
  PetscFunctionBeginUser;
  const ContactPair *pair = &c->pair[k];
  const int source = pair->lasting && pair->announced ? pair->view.touch.first : -1;
  island_join(c, bodies, pair->a, t);
  if (pair->b < c->n_bodies) island_join(c, bodies, pair->b, t);
  for (int i = 0; i < n; i++) PetscCall(IslandAddIncident(c, pair, &in[i], source, t));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/*
 * A pair that does not last, if it is within the tolerance: then with all that is within twice
 * as much, so that of places equally far but for rounding not one is left out.
 */
static PetscErrorCode gather_near(Contact *c, Bodies *bodies, int k, double t)
{
  PetscFunctionBeginUser;
  const ContactPair *pair = &c->pair[k];
  const double reach = pair->tolerance, wide = 2.0 * reach;
  Side side[2];
  Look look;
  int n = 0;
  const Incident *in = NULL;
  if (pair_clearance(pair, t) > reach) PetscFunctionReturn(PETSC_SUCCESS);
  pair_sides(c, bodies, pair, t, side);
  if (look_bound(&side[0], &side[1], 2.0 * reach) > reach) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(LookClosely(c->look, &side[0], &side[1], wide, &look));
  if (look.n == 0 || look.least > reach) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(CloudCondense(c->cloud, look.n, look.hit, wide, CLOUD_NO_PREVIOUS, &n, &in));
  PetscCall(add_incidents(c, bodies, k, t, n, in));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A pair that lasts: where it is held. */
static PetscErrorCode gather_lasting(Contact *c, Bodies *bodies, int k, double t)
{
  PetscFunctionBeginUser;
  ContactPair *pair = &c->pair[k];
  PetscCall(PairLook(c, bodies, pair, t));
  for (int i = 0; i < pair->view.touch.n; i++) {
    const Incident in = c->touch[pair->view.touch.first + i].in;
    PetscCall(add_incidents(c, bodies, k, t, 1, &in));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode gather(Contact *c, Bodies *bodies, int k, double t)
{
  PetscFunctionBeginUser;
  if (c->pair[k].seen) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(IslandAddPair(c, k));
  if (c->pair[k].lasting)
    PetscCall(gather_lasting(c, bodies, k, t));
  else
    PetscCall(gather_near(c, bodies, k, t));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Pairs touching at t that share a body which can move with the island join it, again and again. */
static PetscErrorCode grow_island(Contact *c, Bodies *bodies, double t)
{
  PetscFunctionBeginUser;
  for (int i = 0; i < c->n_members; i++) {
    const int b = c->member[i];
    if (!body_moves_freely(bodies_body(bodies, b), t)) continue;
    for (int j = c->adjacent_from[b]; j < c->adjacent_from[b + 1]; j++)
      PetscCall(gather(c, bodies, c->adjacent[j], t));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What happened, into the list of events; not what lasts and goes on to. */
static PetscErrorCode tell(Contact *c, const IslandResult *result, double before, double after)
{
  PetscFunctionBeginUser;
  for (int k = 0; k < c->n_contacts; k++) {
    ContactEvent *event = &c->incident[c->contact[k].incident];
    event->impulse = vec3_add(event->impulse, result->impulse[k]);
  }
  for (int k = 0; k < c->n_incidents; k++) {
    ContactEvent *event = &c->incident[k];
    event->law = result->incident_law[k];
    event->energy_before = before;
    event->energy_after = after;
    const bool goes_on = event->law == IMPACT_REST && c->source[k] >= 0;
    if (event->law != IMPACT_NONE && !goes_on) PetscCall(ContactAddEvent(c, event));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* New velocities on the paths; nothing pushes the bodies until they are held again. */
static PetscErrorCode apply(Contact *c, Bodies *bodies, double t, double t_end,
                            const IslandResult *result)
{
  PetscFunctionBeginUser;
  island_leave_paths(c, t);
  for (int i = 0; i < c->n_members; i++) {
    const int b = c->member[i];
    const Body *body = bodies_body(bodies, b);
    if (body_moves_freely(body, t))
      c->state[i] = contact_with_twist(body, &c->state[i], result->twist[i]);
    bodies_push(bodies, b, (Wrench){{0, 0, 0}, {0, 0, 0}});
    c->pushed[b] = false;
    c->struck[b] = true;
  }
  PetscCall(BodiesReset(bodies, t, c->n_members, c->member, c->state));
  for (int i = 0; i < c->n_members; i++) contact_note_motion(c, bodies, c->member[i], t, t_end);
  island_mark_stale(c);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static Vec3 velocity_after(const Contact *c, const IslandResult *result, int i, Vec3 p)
{
  return i >= 0 ? mobility_velocity(&c->mobility[i], result->twist[i], p) : vec3(0, 0, 0);
}

/*
 * A pair of the island all of whose points part no faster than the resting speed stays together
 * from now on; one all of whose points part faster no longer does.
 */
static void judge_lasting(Contact *c, const IslandResult *result, ContactPair *pair, int first,
                          int end)
{
  double slowest = INFINITY, fastest = -1.0;
  for (int i = first; i < end; i++) {
    const IslandContact *contact = &c->contact[i];
    const Vec3 v = vec3_sub(velocity_after(c, result, contact->a, contact->point),
                            velocity_after(c, result, contact->b, contact->point));
    const double parting = fabs(vec3_dot(contact->normal, v));
    slowest = fmin(slowest, parting);
    fastest = fmax(fastest, parting);
    pair->announced |= c->incident[contact->incident].law == IMPACT_REST;
  }
  if (pair->resting_speed > 0.0 && fastest <= pair->resting_speed) pair->lasting = true;
  if (slowest > pair->resting_speed) pair->lasting = pair->announced = false;
}

/* Contacts of a pair stand together, pairs in the order in which they entered. */
static void judge_pairs(Contact *c, const IslandResult *result)
{
  for (int k = 0, first = 0; k < c->n_island_pairs; k++) {
    ContactPair *pair = &c->pair[c->island_pair[k]];
    int end = first;
    while (end < c->n_contacts && c->incident[c->contact[end].incident].a == pair->a &&
           c->incident[c->contact[end].incident].b == pair->b)
      end++;
    if (end > first) judge_lasting(c, result, pair, first, end);
    first = end;
  }
}

/*
 * Approach below this does not rebound. In a crowd rebounds that would end within the step are not
 * followed either: there they come by thousands, and what they lose is lost in the next ones
 * anyway.
 */
static double resting_speed(const Contact *c, const Bodies *bodies, const ContactPair *pair,
                            double t_end)
{
  enum { CROWD = 16 };
  if (c->n_members <= CROWD) return pair->resting_speed;
  return fmax(pair->resting_speed, 0.5 * vec3_norm(c->gravity) * (t_end - bodies_time(bodies)));
}

PetscErrorCode ContactResolve(Contact *c, Bodies *bodies, int k, double t, double t_end)
{
  PetscFunctionBeginUser;
  IslandResult result;
  island_clear(c);
  PetscCall(gather(c, bodies, k, t));
  PetscCall(grow_island(c, bodies, t));
  const IslandInput input = {.n_bodies = c->n_members,
                             .n_contacts = c->n_contacts,
                             .n_incidents = c->n_incidents,
                             .body = c->mobility,
                             .twist = c->twist,
                             .contact = c->contact,
                             .resting_speed = resting_speed(c, bodies, &c->pair[k], t_end),
                             .law = c->spec->law};
  PetscCall(IslandSolve(c->island, &input, &result));
  const double before = island_energy(c, bodies);
  PetscCall(apply(c, bodies, t, t_end, &result));
  PetscCall(tell(c, &result, before, island_energy(c, bodies)));
  judge_pairs(c, &result);
  c->pair[k].stale = true;
  island_clear(c);
  PetscFunctionReturn(PETSC_SUCCESS);
}
