/*
 * Where a pair touches, and what is remembered of it.
 *
 * A look serves as long as the two have not moved against each other: what rests is not looked at
 * again. One made at the end of a step serves the next. Forces that held the points of the look
 * before pass to the nearest points of the new one: they are where the next hold starts from.
 */
#include "contact/contact_impl.h"

/*
 * A pair is held while its nearest place is within so many tolerances, and so are its places within
 * half as much again: of places equally far but for rounding not one is left out.
 */
static const double held_tolerances = 10.0, held_spread = 1.5;

/* Motion since a look, in tolerances, after which it must be made again. */
static const double drift_allowed = 0.1;

/* How far a look reaches, so that motion by less needs no other. */
static double look_reach(const ContactPair *pair)
{
  return fmax(2.0 * held_tolerances * pair->tolerance, 1e-3 * pair->size);
}

static PetscErrorCode more_room(Contact *c, int n_hits, int n_touches)
{
  PetscFunctionBeginUser;
  if (c->hit_room < n_hits) {
    c->hit_room = 2 * n_hits;
    PetscCall(PetscRealloc(sizeof *c->hit * c->hit_room, &c->hit));
  }
  if (c->touch_room < c->n_touches + n_touches) {
    c->touch_room = 2 * (c->n_touches + n_touches) + 64;
    PetscCall(PetscRealloc(sizeof *c->touch * c->touch_room, &c->touch));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The force at the nearest of the points before, none if all are far. */
static Vec3 force_near(const Contact *c, TouchRange before, Vec3 p, double around)
{
  Vec3 force = {0, 0, 0};
  double nearest = around;
  for (int i = 0; i < before.n; i++) {
    const Touch *touch = &c->touch[before.first + i];
    for (int k = 0; k < touch->in.n_points; k++) {
      const double way = vec3_distance(touch->in.point[k], p);
      if (way < nearest) nearest = way, force = touch->force[k];
    }
  }
  return force;
}

/* One hit alone is a point; no cloud need be asked. */
static Incident incident_of_hit(const ContactHit *hit)
{
  return (Incident){.kind = INCIDENT_POINT,
                    .n_points = 1,
                    .point = {hit->point},
                    .gap = {hit->gap},
                    .normal = hit->normal,
                    .center = hit->point};
}

static double sum_of_forces(const Contact *c, TouchRange range)
{
  double sum = 0.0;
  for (int i = 0; i < range.n; i++) {
    const Touch *touch = &c->touch[range.first + i];
    for (int k = 0; k < touch->in.n_points; k++) sum += vec3_norm(touch->force[k]);
  }
  return sum;
}

/* Where one point has become several, these share its force. */
static void share_forces(Contact *c, TouchRange before, TouchRange now)
{
  const double had = sum_of_forces(c, before), have = sum_of_forces(c, now);
  for (int i = 0; have > had && i < now.n; i++) {
    Touch *touch = &c->touch[now.first + i];
    for (int k = 0; k < touch->in.n_points; k++)
      touch->force[k] = vec3_scale(had / have, touch->force[k]);
  }
}

/* So many hits of a wide look are each a touch; more are condensed. */
enum { SINGLE_HITS = 8 };

static PetscErrorCode keep_touches(Contact *c, const ContactPair *pair, int n_hits, double reach,
                                   bool wide, TouchRange *range)
{
  PetscFunctionBeginUser;
  const TouchRange before = pair->view.touch;
  int n = n_hits;
  Incident single[SINGLE_HITS];
  const Incident *in = single;
  if (n_hits == 1 || (wide && n_hits <= SINGLE_HITS))
    for (int i = 0; i < n_hits; i++) single[i] = incident_of_hit(&c->hit[i]);
  else
    PetscCall(CloudCondense(c->cloud, n_hits, c->hit, reach, CLOUD_NO_PREVIOUS, &n, &in));
  PetscCall(more_room(c, 0, n));
  *range = (TouchRange){c->n_touches, n};
  for (int i = 0; i < n; i++) {
    Touch *touch = &c->touch[c->n_touches++];
    *touch = (Touch){.in = in[i]};
    for (int k = 0; k < in[i].n_points; k++)
      touch->force[k] = force_near(c, before, in[i].point[k], 0.05 * pair->size);
  }
  if (wide) share_forces(c, before, *range);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Look at what is held; if wide is not 0, at all that is within it. */
static PetscErrorCode look_at(Contact *c, Bodies *bodies, const ContactPair *pair, double t,
                              double wide, PairView *view)
{
  PetscFunctionBeginUser;
  Side side[2];
  Look look;
  const double held = fmax(held_tolerances * pair->tolerance, wide);
  const double reach = fmax(look_reach(pair), 2.0 * wide);
  pair_sides(c, bodies, pair, t, side);
  PetscCall(LookClosely(c->look, &side[0], &side[1], reach, &look));
  PetscCall(more_room(c, look.n, 0));
  PairView seen = {.known = true, .elsewhere = reach, .at = t};
  double least = INFINITY;
  for (int k = 0; k < look.n; k++) least = fmin(least, look.hit[k].gap);
  const double near = least <= held ? held_spread * held : held;
  int n = 0;
  for (int k = 0; k < look.n; k++) {
    if (look.hit[k].gap <= near)
      c->hit[n++] = look.hit[k];
    else if (look.hit[k].gap < seen.elsewhere)
      seen.elsewhere = look.hit[k].gap;
  }
  if (n > 0) PetscCall(keep_touches(c, pair, n, near, wide > 0.0, &seen.touch));
  *view = seen;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The view at t, a time of the present path. */
static PairView view_at(const Contact *c, const ContactPair *pair, double t)
{
  PairView view = pair->view;
  view.drift += pair_speed(c, pair) * (t - view.at);
  view.at = t;
  return view;
}

static bool is_good(const ContactPair *pair, const PairView *view)
{
  return view->known && view->drift <= drift_allowed * pair->tolerance;
}

PetscErrorCode PairLook(Contact *c, Bodies *bodies, ContactPair *pair, double t)
{
  PetscFunctionBeginUser;
  const PairView now = view_at(c, pair, t);
  if (is_good(pair, &now))
    pair->view = now;
  else
    PetscCall(look_at(c, bodies, pair, t, 0.0, &pair->view));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode PairLookWide(Contact *c, Bodies *bodies, ContactPair *pair, double t, double reach)
{
  PetscFunctionBeginUser;
  const PairView *view = &pair->view;
  if (is_good(pair, view) && view->elsewhere - view->drift >= reach)
    PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(look_at(c, bodies, pair, t, reach, &pair->view));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode PairLookAhead(Contact *c, Bodies *bodies, ContactPair *pair, double t_end)
{
  PetscFunctionBeginUser;
  pair->ahead = view_at(c, pair, t_end);
  if (!is_good(pair, &pair->ahead)) PetscCall(look_at(c, bodies, pair, t_end, 0.0, &pair->ahead));
  PetscFunctionReturn(PETSC_SUCCESS);
}

void pair_leave_path(const Contact *c, ContactPair *pair, double t)
{
  if (pair->view.known) pair->view = view_at(c, pair, t);
  pair->ahead.known = false;
}
