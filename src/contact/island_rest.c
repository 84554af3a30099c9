/*
 * Which impulses let touching bodies rest, slide or part without rebound?
 *
 * Every contact gets v_n >= 0 (or the speed wanted at least) with Coulomb friction, all at once.
 * Without friction this is the complementarity problem. With friction the contacts are swept:
 * each takes the normal impulse that stops it and the friction in the disc of that impulse
 * which opposes the slip it leaves. A fixed point obeys Coulomb's law at every contact. The
 * sweeps start from a guess; over steps of rest it is the answer already. The work of the
 * sweep's result is a parabola in a common factor; should it be positive because the sweeps have
 * not converged, the factor is reduced until it is zero.
 */
#include "contact/island_impl.h"

/* The change of impulses, as speed, that ends the sweeps: relative to the speeds of the island. */
static const double converged = 1e-12;
enum { SWEEPS = 4000, WORK = 400000, HOLD_SWEEPS = 400 };

/* How a unit impulse along one axis of the contact changes the two spins. */
static void set_arm(const IslandWork *w, const IslandNode *c, Vec3 axis, RestArm *arm)
{
  const Mobility *a = &w->body[c->a], *b = &w->body[c->b];
  arm->axis = axis;
  arm->a = vec3_cross(vec3_sub(c->point, a->center), axis);
  arm->b = vec3_cross(vec3_sub(c->point, b->center), axis);
  arm->turn_a = mat3_apply(&a->inverse_inertia, arm->a);
  arm->turn_b = mat3_apply(&b->inverse_inertia, arm->b);
}

static inline double arm_speed(const RestArm *arm, const Twist *a, const Twist *b)
{
  return vec3_dot(arm->axis, vec3_sub(a->v, b->v)) + vec3_dot(arm->a, a->w) -
         vec3_dot(arm->b, b->w);
}

static inline void arm_kick(const RestArm *arm, double p, double mass_a, double mass_b, Twist *a,
                            Twist *b)
{
  a->v = vec3_axpy(a->v, p * mass_a, arm->axis);
  b->v = vec3_axpy(b->v, -p * mass_b, arm->axis);
  a->w = vec3_axpy(a->w, p, arm->turn_a);
  b->w = vec3_axpy(b->w, -p, arm->turn_b);
}

/* Velocity of the contact in its own axes (t1, t2, n), and what is wanted of it there. */
typedef struct {
  double u1, u2, vn;
} AxisSpeeds;

/* The impulse that stops the point altogether; false where the contact cannot yield in all axes. */
static bool stick(const ContactFrame *f, AxisSpeeds free, double least, double *p, Pair *t)
{
  const double scale = f->a1 + f->a2 + f->b3;
  if (f->a1 <= 1e-12 * scale || f->a2 <= 1e-12 * scale) return false;
  const double rest = f->b3 - f->b1 * f->b1 / f->a1 - f->b2 * f->b2 / f->a2;
  if (rest <= 1e-9 * f->b3) return false;
  *p = (least - free.vn + f->b1 * free.u1 / f->a1 + f->b2 * free.u2 / f->a2) / rest;
  *t = (Pair){-(free.u1 + f->b1 * *p) / f->a1, -(free.u2 + f->b2 * *p) / f->a2};
  return true;
}

/*
 * The impulse of a contact that slips: its direction is found by looking where the slip goes that
 * it leaves. False where friction alone would hold the bodies together.
 */
static bool slide(const ContactFrame *f, double mu, AxisSpeeds free, double least, Pair guess,
                  double *p, Pair *t)
{
  enum { TURNS = 8 };
  Pair d = guess;
  for (int k = 0; k < TURNS; k++) {
    const double yield = f->b3 - mu * (f->b1 * d.x + f->b2 * d.y);
    if (yield < 0.1 * f->b3) return false;
    *p = (least - free.vn) / yield;
    *t = contact_disc(f->a1, f->a2, (Pair){free.u1 + f->b1 * *p, free.u2 + f->b2 * *p}, mu * *p);
    const double size = mu * *p;
    const Pair next = size > 0.0 ? (Pair){-t->x / size, -t->y / size} : d;
    const double change = fabs(next.x - d.x) + fabs(next.y - d.y);
    d = next;
    if (change < 1e-9) break;
  }
  return true;
}

/* Normal impulse first, then the friction that goes with it: what always has an answer. */
static void in_turn(const ContactFrame *f, double mu, AxisSpeeds free, double least, Pair now,
                    double *p, Pair *t)
{
  *p = fmax(0.0, (least - free.vn - f->b1 * now.x - f->b2 * now.y) / f->b3);
  *t = contact_disc(f->a1, f->a2, (Pair){free.u1 + f->b1 * *p, free.u2 + f->b2 * *p}, mu * *p);
}

/* The impulse of one contact that obeys Coulomb's law while the others stay as they are. */
static void answer(const IslandNode *c, AxisSpeeds free, double *p, Pair *t)
{
  const ContactFrame *f = &c->frame;
  const Pair now = {c->f1, c->f2};
  *p = 0.0;
  *t = (Pair){0.0, 0.0};
  if (free.vn >= c->least) return;
  if (c->mu <= 0.0) {
    *p = (c->least - free.vn) / f->b3;
    return;
  }
  const bool sticks = stick(f, free, c->least, p, t);
  if (sticks && *p >= 0.0 && t->x * t->x + t->y * t->y <= c->mu * c->mu * *p * *p) return;
  const double size = c->mu * c->p, slip = sqrt(free.u1 * free.u1 + free.u2 * free.u2);
  Pair guess = size > 0.0 ? (Pair){-now.x / size, -now.y / size} : (Pair){0.0, 0.0};
  if (size <= 0.0 && slip > 0.0) guess = (Pair){free.u1 / slip, free.u2 / slip};
  if (!slide(f, c->mu, free, c->least, guess, p, t)) in_turn(f, c->mu, free, c->least, now, p, t);
}

/* Let one contact answer the others; the change it made, as a speed. */
static double relax(IslandWork *w, IslandNode *c, const RestArm arm[3])
{
  const ContactFrame *f = &c->frame;
  const double ma = w->body[c->a].inverse_mass, mb = w->body[c->b].inverse_mass;
  Twist *a = &w->twist[c->a], *b = &w->twist[c->b];
  AxisSpeeds free = {.vn = arm_speed(&arm[0], a, b) - f->b3 * c->p - f->b1 * c->f1 - f->b2 * c->f2};
  if (c->mu > 0.0) {
    free.u1 = arm_speed(&arm[1], a, b) - f->a1 * c->f1 - f->b1 * c->p;
    free.u2 = arm_speed(&arm[2], a, b) - f->a2 * c->f2 - f->b2 * c->p;
  }
  double p;
  Pair t;
  answer(c, free, &p, &t);
  const double dp = p - c->p, d1 = t.x - c->f1, d2 = t.y - c->f2;
  if (dp != 0.0) arm_kick(&arm[0], dp, ma, mb, a, b);
  if (d1 != 0.0) arm_kick(&arm[1], d1, ma, mb, a, b);
  if (d2 != 0.0) arm_kick(&arm[2], d2, ma, mb, a, b);
  c->p = p, c->f1 = t.x, c->f2 = t.y;
  return fabs(dp) * f->b3 + fabs(d1) * f->a1 + fabs(d2) * f->a2;
}

static Vec3 impulse_of(const IslandNode *c)
{
  const Vec3 t = vec3_axpy(vec3_scale(c->f1, c->frame.t1), c->f2, c->frame.t2);
  return vec3_axpy(t, c->p, c->frame.n);
}

/* The sums P.v- and P.v+ over all contacts; before is kept in saved. */
static void sums_of_work(IslandWork *w, double *before, double *after)
{
  *before = *after = 0.0;
  for (int i = 0; i < w->n_nodes; i++) {
    const IslandNode *c = &w->node[i];
    if (c->blocked) continue;
    const Vec3 p = impulse_of(c);
    const Vec3 va = mobility_velocity(&w->body[c->a], w->saved[c->a], c->point);
    const Vec3 vb = mobility_velocity(&w->body[c->b], w->saved[c->b], c->point);
    *after += vec3_dot(p, island_velocity(w, c));
    *before += vec3_dot(p, vec3_sub(va, vb));
  }
}

/* Keep the impulses, all scaled by the factor. */
static void keep(IslandWork *w, double factor)
{
  for (int b = 0; b <= w->n_bodies; b++) w->twist[b] = w->saved[b];
  for (int i = 0; i < w->n_nodes; i++) {
    IslandNode *c = &w->node[i];
    if (c->blocked || c->p <= 0.0) continue;
    const Vec3 impulse = vec3_scale(factor, impulse_of(c));
    island_kick(w, c, impulse);
    island_record(w, c, impulse, 0.0, IMPACT_REST);
  }
}

/* Start from the guessed impulses, pulled into their cones. */
static void start_from_guess(IslandWork *w)
{
  for (int i = 0; i < w->n_nodes; i++) {
    IslandNode *c = &w->node[i];
    const ContactFrame *f = &c->frame;
    c->p = c->f1 = c->f2 = 0.0;
    if (c->blocked) continue;
    set_arm(w, c, f->n, &w->arm[3 * i]);
    set_arm(w, c, f->t1, &w->arm[3 * i + 1]);
    set_arm(w, c, f->t2, &w->arm[3 * i + 2]);
    c->p = fmax(0.0, vec3_dot(f->n, c->guess));
    const double f1 = vec3_dot(f->t1, c->guess), f2 = vec3_dot(f->t2, c->guess);
    const double size = sqrt(f1 * f1 + f2 * f2), most = c->mu * c->p;
    const double part = size > most ? most / size : 1.0;
    c->f1 = part * f1, c->f2 = part * f2;
    if (c->p > 0.0) island_kick(w, c, impulse_of(c));
  }
}

static double sweep_all(IslandWork *w)
{
  const double enough = fmax(converged * w->speed, w->enough);
  const int most = w->dissipates ? SWEEPS : HOLD_SWEEPS;
  const int sweeps = w->n_nodes * most > WORK ? 20 + WORK / w->n_nodes : most;
  double residual = INFINITY;
  for (int sweep = 0; sweep < sweeps && residual > enough; sweep++) {
    residual = 0.0;
    for (int k = 0; k < w->n_nodes; k++) {
      const int i = sweep % 2 ? w->n_nodes - 1 - k : k;
      if (!w->node[i].blocked) residual = fmax(residual, relax(w, &w->node[i], &w->arm[3 * i]));
    }
  }
  return residual;
}

static double rest_with_friction(IslandWork *w)
{
  for (int b = 0; b <= w->n_bodies; b++) w->saved[b] = w->twist[b];
  start_from_guess(w);
  const double residual = sweep_all(w);
  double before, after;
  sums_of_work(w, &before, &after);
  const double gain = before + after, bend = after - before;
  const bool gains = w->dissipates && gain > 0.0 && bend > 0.0;
  const double factor = gains ? fmax(0.0, -2.0 * before / bend) : 1.0;
  keep(w, factor);
  w->work += 0.5 * factor * (2.0 * before + factor * bend);
  return residual;
}

static double rest_without_friction(IslandWork *w)
{
  int n = 0;
  for (int i = 0; i < w->n_nodes; i++)
    if (!w->node[i].blocked) w->order[n++] = i;
  for (int k = 0; k < n; k++) w->slack[k] = -w->node[w->order[k]].least;
  island_normals(w, n, w->order, w->slack, false);
  island_apply_normals(w, n, w->order, IMPACT_REST);
  double residual = 0.0;
  for (int k = 0; k < n; k++) {
    const IslandNode *c = &w->node[w->order[k]];
    const double v = vec3_dot(c->frame.n, island_velocity(w, c)) - c->least;
    residual = fmax(residual, fabs(fmin(v, c->p * c->frame.b3)));
  }
  return residual;
}

static double fastest_approach(const IslandWork *w)
{
  double fastest = 0.0;
  for (int i = 0; i < w->n_nodes; i++) {
    const IslandNode *c = &w->node[i];
    const double v = vec3_dot(c->frame.n, island_velocity(w, c)) - c->least;
    if (!c->blocked) fastest = fmax(fastest, -v);
  }
  return fastest;
}

double island_rest(IslandWork *w)
{
  bool rough = w->n_nodes > ISLAND_DENSE;
  for (int i = 0; i < w->n_nodes; i++)
    rough = rough || (w->node[i].mu > 0.0 && !w->node[i].blocked);
  if (!rough) return rest_without_friction(w);

  /* Whatever approach the sweeps have left goes by normal impulses, which the cones allow. */
  const double residual = rest_with_friction(w);
  if (w->n_nodes <= ISLAND_DENSE && fastest_approach(w) > fmax(1e-12 * w->speed, 2.0 * w->enough))
    rest_without_friction(w);
  return residual;
}
