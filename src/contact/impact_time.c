/*
 * When do two bodies strike each other first?
 *
 * While they are far apart the gap, bounded from below, divided by the greatest speed of approach
 * gives a time that is surely free of contact (conservative advancement). Near each other the
 * gap itself is followed, in steps in which nothing moves farther than the gap or a thousandth
 * of the smaller body, whichever is more; the first step that ends in penetration is closed in
 * on from its free side, so that the instant found is never late.
 */
#include "contact/contact_impl.h"

/* What one look at a pair tells about its gap. */
typedef struct {
  double gap;
  bool inside;     /* they penetrate */
  bool approaches; /* a place within the tolerance is closing */
} GapLook;

typedef struct {
  Contact *c;
  Bodies *bodies;
  ContactPair *pair;
  double tolerance, touch, near, step, speed;
} Chase;

static double thinnest(const Contact *c, const ContactPair *pair)
{
  const double a = c->body[pair->a].shape.thickness;
  const double b = pair->b < c->n_bodies ? c->body[pair->b].shape.thickness : INFINITY;
  return a < b ? a : b;
}

static Chase chase_start(Contact *c, Bodies *bodies, ContactPair *pair)
{
  Chase s = {.c = c, .bodies = bodies, .pair = pair};
  const ContactShape *a = &c->body[pair->a].shape;
  const double bulge = a->bulge + (pair->b < c->n_bodies ? c->body[pair->b].shape.bulge : 0.0);
  s.tolerance = pair->tolerance;
  s.touch = 1e-9 * pair->size;
  /* Between two looks nothing may pass through a body, however thin. */
  s.step = fmin(1e-3 * pair->size, 0.1 * thinnest(c, pair));
  s.near = 2.0 * bulge + s.tolerance + 2e-3 * pair->size;
  s.speed = pair->speed;
  return s;
}

/* Is this one of the places at which the pair is held already? */
static bool is_held(const Chase *s, double t, Vec3 p)
{
  const ContactPair *pair = s->pair;
  const double around = 0.02 * pair->size + 2.0 * s->speed * (t - pair->held_at);
  if (!pair->lasting) return false;
  for (int i = 0; i < pair->held.n; i++) {
    const Incident *in = &s->c->touch[pair->held.first + i].in;
    for (int k = 0; k < in->n_points; k++)
      if (vec3_distance(p, in->point[k]) < around) return true;
  }
  return false;
}

/* The gap of a pair that is held at some places is that of the others. */
static void leave_out_held(const Chase *s, double t, const Look *look, GapLook *out)
{
  out->gap = INFINITY;
  for (int k = 0; k < look->n; k++)
    if (look->hit[k].gap < out->gap && !is_held(s, t, look->hit[k].point))
      out->gap = look->hit[k].gap;
  out->inside = out->gap < -s->touch;
}

static PetscErrorCode look_at_gap(const Chase *s, double t, GapLook *out)
{
  PetscFunctionBeginUser;
  Side side[2];
  Look look;
  pair_sides(s->c, s->bodies, s->pair, t, side);
  PetscCall(LookClosely(s->c->look, &side[0], &side[1], s->near, &look));
  *out = (GapLook){.gap = look.least};
  /* Triangles that cross where no place is inside: something thin has passed through. */
  const double bulges = 0.5 * (s->near - s->tolerance) - 1e-3 * s->pair->size;
  out->inside = look.least < -s->touch || (look.crossed && look.least > s->touch + bulges);
  if (s->pair->lasting) leave_out_held(s, t, &look, out);
  for (int k = 0; k < look.n; k++) {
    if (look.hit[k].gap > s->tolerance || is_held(s, t, look.hit[k].point)) continue;
    const Vec3 v = pair_velocity(s->c, s->bodies, s->pair, t, look.hit[k].point);
    out->approaches |= vec3_dot(v, look.hit[k].normal) < -1e-9 * s->speed;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The last free instant before the crossing between lo (free) and hi (inside). */
static PetscErrorCode close_in(const Chase *s, double lo, GapLook at_lo, double hi, GapLook at_hi,
                               double *t)
{
  PetscFunctionBeginUser;
  enum { LOOKS = 80 };
  double f_lo = at_lo.gap, f_hi = at_hi.gap < 0.0 ? at_hi.gap : -s->step;
  int side = 0;
  for (int k = 0; k < LOOKS; k++) {
    if (f_lo <= s->touch || (hi - lo) * s->speed < 0.1 * s->touch) break;
    double mid = lo + (hi - lo) * f_lo / (f_lo - f_hi);
    if (k % 8 == 7 || !(mid > lo && mid < hi)) mid = 0.5 * (lo + hi);
    if (mid <= lo || mid >= hi) break;
    GapLook look;
    PetscCall(look_at_gap(s, mid, &look));
    /* A gap of nothing counts as free, so that contact is met from outside. */
    const bool inside = look.inside || look.gap < 0.0;
    if (inside) {
      hi = mid;
      f_hi = look.gap < 0.0 ? look.gap : -s->step;
      if (side == 1) f_lo *= 0.5;
      side = 1;
    } else {
      lo = mid;
      f_lo = look.gap;
      if (side == -1) f_hi *= 0.5;
      side = -1;
    }
  }
  *t = lo;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Move ahead while the bound says that nothing can touch; *t may pass t_end. */
static void skip_free_time(const Chase *s, double t_end, double *t)
{
  while (*t < t_end) {
    Side side[2];
    pair_sides(s->c, s->bodies, s->pair, *t, side);
    const double bound = look_bound(&side[0], &side[1], 2.0 * s->speed * (t_end - *t) + s->near);
    if (bound <= s->near) return;
    s->pair->clear = bound;
    s->pair->clear_at = *t;
    *t += (bound - 0.5 * s->near) / s->speed;
  }
}

/*
 * From touching at t to inside at *next: do they part in between? Then *next becomes a time at
 * which they are apart; if there is none they rest on each other.
 */
static PetscErrorCode leave_touch(const Chase *s, double t, double *next, GapLook *then,
                                  bool *rests)
{
  PetscFunctionBeginUser;
  enum { HALVINGS = 24 };
  *rests = true;
  for (int k = 0; k < HALVINGS && *rests; k++) {
    *next = t + 0.5 * (*next - t);
    PetscCall(look_at_gap(s, *next, then));
    *rests = then->inside || then->gap <= s->touch;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Follow the gap from t on, where it is less than near. */
static PetscErrorCode follow_gap(const Chase *s, double t, double t_end)
{
  PetscFunctionBeginUser;
  ContactPair *pair = s->pair;
  GapLook now;
  PetscCall(look_at_gap(s, t, &now));
  while (t < t_end) {
    pair->clear = fmin(now.gap, s->near);
    pair->clear_at = t;
    if (now.gap <= s->touch && now.approaches) {
      pair->impact = t;
      PetscFunctionReturn(PETSC_SUCCESS);
    }
    /* Without a hit the gap is more than near, how much more is not known. */
    const double way = fmin(fmax(now.gap, s->step), s->near);
    double next = fmin(t + way / s->speed, t_end);
    GapLook then;
    PetscCall(look_at_gap(s, next, &then));
    if (then.inside && now.gap <= s->touch) {
      PetscCall(leave_touch(s, t, &next, &then, &pair->rests));
      if (pair->rests) pair->impact = t;
      if (pair->rests) PetscFunctionReturn(PETSC_SUCCESS);
    } else if (then.inside) {
      PetscCall(close_in(s, t, now, next, then, &pair->impact));
      PetscFunctionReturn(PETSC_SUCCESS);
    }
    t = next;
    now = then;
    if (now.gap > s->near) {
      skip_free_time(s, t_end, &t);
      if (t < t_end) PetscCall(look_at_gap(s, t, &now));
    }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Can nothing but what is held touch before the end of the step? */
static bool stays_clear(const ContactPair *pair, double touch, double t, double t_end)
{
  const double way = pair->speed * (t_end - t);
  if (!pair->lasting) return pair_clearance(pair, t) > way + touch;
  return pair->held_at == t && pair->held.n > 0 && pair->held_elsewhere > way + touch;
}

PetscErrorCode PairFindImpact(Contact *c, Bodies *bodies, ContactPair *pair, double t, double t_end)
{
  PetscFunctionBeginUser;
  pair->impact = INFINITY;
  pair->rests = false;
  /* What was clear before is so by the speed of then, and from now on changes by that of now. */
  if (isfinite(pair->clear)) pair->clear = pair_clearance(pair, t);
  pair->clear_at = t;
  pair->speed = pair_speed(c, pair);
  const Chase s = chase_start(c, bodies, pair);
  if (s.speed * (t_end - t) <= 1e-3 * s.touch) PetscFunctionReturn(PETSC_SUCCESS);
  if (stays_clear(pair, s.touch, t, t_end)) PetscFunctionReturn(PETSC_SUCCESS);
  skip_free_time(&s, t_end, &t);
  if (t < t_end) PetscCall(follow_gap(&s, t, t_end));
  PetscFunctionReturn(PETSC_SUCCESS);
}
