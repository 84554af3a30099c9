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
  const ContactPair *pair;
  double size, tolerance, touch, near, step, speed;
} Chase;

static Chase chase_start(Contact *c, Bodies *bodies, const ContactPair *pair, double t,
                         double t_end)
{
  Chase s = {.c = c, .bodies = bodies, .pair = pair};
  const ContactShape *a = &c->body[pair->a].shape;
  const double bulge = a->bulge + (pair->b < c->n_bodies ? c->body[pair->b].shape.bulge : 0.0);
  s.size = pair_size(c, pair);
  s.tolerance = pair_tolerance(c, pair);
  s.touch = 1e-9 * s.size;
  s.step = 1e-3 * s.size;
  s.near = 2.0 * bulge + s.tolerance + 2.0 * s.step;
  s.speed = pair_speed(c, bodies, pair, t, t_end);
  return s;
}

/* Is this one of the places at which the pair is held already? */
static bool is_held(const Chase *s, double t, Vec3 p)
{
  const ContactPair *pair = s->pair;
  const double around = 0.02 * s->size + 2.0 * s->speed * (t - pair->held_since);
  bool held = false;
  for (int k = 0; k < pair->n_held && !held; k++)
    held = pair->lasting && vec3_distance(p, pair->held[k]) < around;
  return held;
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
  out->inside = look.least < -s->touch || (look.crossed && look.least > s->touch && look.n == 0);
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
    const double bound = look_bound(&side[0], &side[1], s->speed * (t_end - *t) + s->near);
    if (bound <= s->near) return;
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

PetscErrorCode PairFindImpact(Contact *c, Bodies *bodies, const ContactPair *pair, double t,
                              double t_end, double *impact, bool *rests)
{
  PetscFunctionBeginUser;
  const Chase s = chase_start(c, bodies, pair, t, t_end);
  *impact = INFINITY;
  *rests = false;
  if (s.speed * (t_end - t) <= 1e-3 * s.touch) PetscFunctionReturn(PETSC_SUCCESS);
  skip_free_time(&s, t_end, &t);
  if (t >= t_end) PetscFunctionReturn(PETSC_SUCCESS);

  GapLook now;
  PetscCall(look_at_gap(&s, t, &now));
  while (t < t_end) {
    if (now.gap <= s.touch && now.approaches) {
      *impact = t;
      PetscFunctionReturn(PETSC_SUCCESS);
    }
    const double way = now.gap > s.step ? now.gap : s.step;
    double next = t + way / s.speed;
    if (next > t_end) next = t_end;
    GapLook then;
    PetscCall(look_at_gap(&s, next, &then));
    if (then.inside && now.gap <= s.touch) {
      PetscCall(leave_touch(&s, t, &next, &then, rests));
      *impact = *rests ? t : INFINITY;
      if (*rests) PetscFunctionReturn(PETSC_SUCCESS);
    } else if (then.inside) {
      PetscCall(close_in(&s, t, now, next, then, impact));
      PetscFunctionReturn(PETSC_SUCCESS);
    }
    t = next;
    now = then;
    if (now.gap > s.near) {
      skip_free_time(&s, t_end, &t);
      if (t < t_end) PetscCall(look_at_gap(&s, t, &now));
    }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}
