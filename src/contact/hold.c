/*
 * Contacts that last over steps: bodies at rest, sliding or rolling.
 *
 * They are held by forces that are constant over the rest of the step: a body at rest stays
 * exactly where it is, and one that slides slows down as it should. The forces are those after
 * which the bodies at the end of the step no longer approach each other, within the friction
 * cones. Over curved surfaces the normals turn meanwhile, so the gap at the end is looked at and
 * the wanted speeds are corrected until it is what these speeds promise. A gap that has opened,
 * or become negative, is closed slowly.
 */
#include "contact/contact_impl.h"

/* The part of a gap that is closed in one step: less than the fastest that does not swing. */
static const double closing = 0.25;

/* Gap, and misjudgement of the gap at the end, in tolerances, that need not be corrected. */
static const double gap_allowed = 0.5, misjudged = 0.25;
enum { CORRECTIONS = 4 };

/* The part of their way by which curvature can move surfaces apart; more is another contact. */
static const double most_turn = 0.1;

static bool is_free(const Bodies *bodies, int b, double t)
{
  return body_moves_freely(bodies_body(bodies, b), t);
}

/* The lasting pairs that hang together with body b, and where they touch. */
static PetscErrorCode gather(Contact *c, Bodies *bodies, int b, double t)
{
  PetscFunctionBeginUser;
  island_clear(c);
  island_join(c, bodies, b, t);
  for (int i = 0; i < c->n_members; i++) {
    const int m = c->member[i];
    c->struck[m] = false;
    if (!is_free(bodies, m, t)) continue;
    for (int j = c->adjacent_from[m]; j < c->adjacent_from[m + 1]; j++) {
      ContactPair *pair = &c->pair[c->adjacent[j]];
      if (!pair->lasting || pair->seen) continue;
      PetscCall(PairLook(c, bodies, pair, t));
      pair->lasting = pair->view.touch.n > 0;
      pair->announced = pair->announced && pair->lasting;
      if (!pair->lasting) continue;
      PetscCall(IslandAddPair(c, c->adjacent[j]));
      island_join(c, bodies, pair->a, t);
      if (pair->b < c->n_bodies) island_join(c, bodies, pair->b, t);
    }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The least speed at which a place with this gap is to part at the end of the step. */
static double least_speed(const ContactPair *pair, double gap, double step)
{
  const double allowed = gap_allowed * pair->tolerance;
  const double excess = gap > allowed ? gap - allowed : gap < -allowed ? gap + allowed : 0.0;
  return -closing * excess / step;
}

/* The touches of the pairs become contacts of the island; a contact that begins has its row. */
static PetscErrorCode add_contacts(Contact *c, Bodies *bodies, double t, double t_end)
{
  PetscFunctionBeginUser;
  const double step = t_end - bodies_time(bodies), dt = t_end - t;
  const double energy = island_energy(c, bodies);
  for (int k = 0; k < c->n_island_pairs; k++) {
    ContactPair *pair = &c->pair[c->island_pair[k]];
    pair->held = pair->view.touch;
    pair->held_at = t;
    pair->held_elsewhere = pair->view.elsewhere - pair->view.drift;
    for (int i = 0; i < pair->held.n; i++) {
      const Touch *touch = &c->touch[pair->held.first + i];
      const int first = c->n_contacts;
      PetscCall(IslandAddIncident(c, pair, &touch->in, pair->held.first + i, t));
      for (int j = 0; j < touch->in.n_points; j++) {
        c->contact[first + j].least = least_speed(pair, touch->in.gap[j], step);
        c->contact[first + j].guess = vec3_scale(dt, touch->force[j]);
      }
      ContactEvent *event = &c->incident[c->n_incidents - 1];
      event->law = IMPACT_REST;
      event->energy_before = event->energy_after = energy;
      if (!pair->announced) PetscCall(ContactAddEvent(c, event));
    }
    pair->announced = true;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Let the bodies go, and see how they move at the end of the step. */
static PetscErrorCode let_go(Contact *c, Bodies *bodies, double t, double t_end)
{
  PetscFunctionBeginUser;
  island_leave_paths(c, t);
  for (int i = 0; i < c->n_members; i++) {
    const int b = c->member[i];
    if (c->pushed[b]) {
      bodies_push(bodies, b, (Wrench){{0, 0, 0}, {0, 0, 0}});
      PetscCall(BodiesReset(bodies, t, 1, &b, &c->state[i]));
      c->pushed[b] = false;
    }
    const BodyState end = bodies_at(bodies, b, t_end);
    c->twist[i] = contact_twist(bodies_body(bodies, b), &end);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Put the forces of the contacts on the paths. */
static PetscErrorCode push(Contact *c, Bodies *bodies, double t, double t_end,
                           const IslandResult *result)
{
  PetscFunctionBeginUser;
  const double rate = 1.0 / (t_end - t);
  for (int i = 0; i < c->n_members; i++)
    bodies_push(bodies, c->member[i], (Wrench){{0, 0, 0}, {0, 0, 0}});
  for (int k = 0; k < c->n_contacts; k++) {
    const IslandContact *contact = &c->contact[k];
    const Vec3 force = vec3_scale(rate, result->impulse[k]);
    bodies_push_at(bodies, c->member[contact->a], contact->point, c->state[contact->a].x, force);
    if (contact->b >= 0)
      bodies_push_at(bodies, c->member[contact->b], contact->point, c->state[contact->b].x,
                     vec3_scale(-1.0, force));
  }
  PetscCall(BodiesReset(bodies, t, c->n_members, c->member, c->state));
  for (int i = 0; i < c->n_members; i++) {
    c->pushed[c->member[i]] = true;
    contact_note_motion(c, bodies, c->member[i], t, t_end);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Forces stay with the touches they hold: the next hold starts from them. */
static void keep_forces(Contact *c, const IslandResult *result, double dt)
{
  for (int k = 0, incident = -1, point = 0; k < c->n_contacts; k++) {
    point = c->contact[k].incident == incident ? point + 1 : 0;
    incident = c->contact[k].incident;
    c->touch[c->source[incident]].force[point] = vec3_scale(1.0 / dt, result->impulse[k]);
    c->contact[k].guess = result->impulse[k];
  }
}

/* The gap at the nearest of the places where the pair will touch; NaN if all are far. */
static double gap_near(const Contact *c, const ContactPair *pair, Vec3 p)
{
  double gap = NAN, nearest = 0.05 * pair->size;
  for (int i = 0; i < pair->ahead.touch.n; i++) {
    const Incident *in = &c->touch[pair->ahead.touch.first + i].in;
    for (int k = 0; k < in->n_points; k++) {
      const double way = vec3_distance(in->point[k], p);
      if (way < nearest) nearest = way, gap = in->gap[k];
    }
  }
  return gap;
}

static Vec3 velocity_at(const Contact *c, const Twist twist[], const IslandContact *contact)
{
  const Vec3 va = mobility_velocity(&c->mobility[contact->a], twist[contact->a], contact->point);
  if (contact->b < 0) return va;
  return vec3_sub(va,
                  mobility_velocity(&c->mobility[contact->b], twist[contact->b], contact->point));
}

static Twist twist_now(const Contact *c, const Bodies *bodies, int i)
{
  return contact_twist(bodies_body(bodies, c->member[i]), &c->state[i]);
}

static double speed_now(const Contact *c, const Bodies *bodies, const IslandContact *contact)
{
  Vec3 v =
      mobility_velocity(&c->mobility[contact->a], twist_now(c, bodies, contact->a), contact->point);
  if (contact->b >= 0)
    v = vec3_sub(v, mobility_velocity(&c->mobility[contact->b], twist_now(c, bodies, contact->b),
                                      contact->point));
  return vec3_dot(contact->normal, v);
}

/* How far the two can move past each other. */
static double way_of(const Contact *c, const ContactPair *pair, double dt)
{
  return dt * pair_speed(c, pair);
}

/*
 * The contacts that bear something are to have the gap at the end that their speeds promise; those
 * that differ get another wanted speed. Were there any?
 */
static PetscErrorCode correct(Contact *c, Bodies *bodies, double t, double t_end,
                              const IslandResult *result, bool *corrected)
{
  PetscFunctionBeginUser;
  const double dt = t_end - t;
  *corrected = false;
  for (int k = 0; k < c->n_island_pairs; k++)
    PetscCall(PairLookAhead(c, bodies, &c->pair[c->island_pair[k]], t_end));
  for (int k = 0, at = 0; k < c->n_island_pairs; k++) {
    const ContactPair *pair = &c->pair[c->island_pair[k]];
    for (int i = 0; i < pair->held.n; i++) {
      const Incident *in = &c->touch[pair->held.first + i].in;
      for (int j = 0; j < in->n_points; j++, at++) {
        IslandContact *contact = &c->contact[at];
        const double gap = gap_near(c, pair, contact->point);
        if (isnan(gap) || vec3_dot(result->impulse[at], contact->normal) <= 0.0) continue;
        const double after = vec3_dot(contact->normal, velocity_at(c, result->twist, contact));
        const double way = 0.5 * dt * (speed_now(c, bodies, contact) + after);
        const double off = gap - (in->gap[j] + way);
        if (fabs(off) <= misjudged * pair->tolerance || fabs(off) > most_turn * way_of(c, pair, dt))
          continue;
        contact->least -= 2.0 * off / dt;
        *corrected = true;
      }
    }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Errors in speed far below the slowest resting speed of the island do not matter. */
static double speed_that_matters(const Contact *c)
{
  double least = INFINITY;
  for (int k = 0; k < c->n_island_pairs; k++)
    least = fmin(least, c->pair[c->island_pair[k]].resting_speed);
  return 1e-4 * least;
}

/*
 * Wanted speeds that contradict each other make bodies fly apart. Contacts that only stop bodies
 * cannot add to the energy of their free flight: where much is added, nothing is wanted but that.
 */
static PetscErrorCode solve(Contact *c, const Bodies *bodies, IslandResult *result)
{
  PetscFunctionBeginUser;
  IslandInput input = {.n_bodies = c->n_members,
                       .n_contacts = c->n_contacts,
                       .n_incidents = c->n_incidents,
                       .body = c->mobility,
                       .twist = c->twist,
                       .contact = c->contact,
                       .resting_speed = INFINITY,
                       .enough = speed_that_matters(c),
                       .holds = true,
                       .law = c->spec->law};
  PetscCall(IslandSolve(c->island, &input, result));
  if (contact_energy_with(c, bodies, result->twist) <=
      1.01 * contact_energy_with(c, bodies, c->twist))
    PetscFunctionReturn(PETSC_SUCCESS);
  for (int k = 0; k < c->n_contacts; k++) {
    c->contact[k].least = fmin(0.0, c->contact[k].least);
    c->contact[k].guess = vec3(0, 0, 0);
  }
  PetscCall(IslandSolve(c->island, &input, result));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode hold_island(Contact *c, Bodies *bodies, double t, double t_end)
{
  PetscFunctionBeginUser;
  PetscCall(add_contacts(c, bodies, t, t_end));
  PetscCall(let_go(c, bodies, t, t_end));
  bool corrected = true;
  for (int k = 0; k < CORRECTIONS && corrected; k++) {
    IslandResult result;
    PetscCall(solve(c, bodies, &result));
    PetscCall(push(c, bodies, t, t_end, &result));
    keep_forces(c, &result, t_end - t);
    PetscCall(correct(c, bodies, t, t_end, &result, &corrected));
  }
  island_mark_stale(c);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A body that was held and no longer is goes its own way. */
static PetscErrorCode release(Contact *c, Bodies *bodies, int b, double t, double t_end)
{
  PetscFunctionBeginUser;
  PetscCall(let_go(c, bodies, t, t_end));
  contact_note_motion(c, bodies, b, t, t_end);
  island_mark_stale(c);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ContactHold(Contact *c, Bodies *bodies, double t, double t_end)
{
  PetscFunctionBeginUser;
  for (int b = 0; b < c->n_bodies && t < t_end; b++) {
    if (!c->struck[b]) continue;
    c->struck[b] = false;
    if (!is_free(bodies, b, t)) continue;
    PetscCall(gather(c, bodies, b, t));
    if (c->n_island_pairs > 0)
      PetscCall(hold_island(c, bodies, t, t_end));
    else if (c->pushed[b])
      PetscCall(release(c, bodies, b, t, t_end));
  }
  island_clear(c);
  PetscFunctionReturn(PETSC_SUCCESS);
}
