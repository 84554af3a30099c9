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
enum { SWEEPS = 2000, WORK = 400000 };

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

/* Normal, then friction, of one contact; the change it made, as a speed. */
static double relax(IslandWork *w, IslandNode *c, const RestArm arm[3])
{
  const ContactFrame *f = &c->frame;
  const double ma = w->body[c->a].inverse_mass, mb = w->body[c->b].inverse_mass;
  Twist *a = &w->twist[c->a], *b = &w->twist[c->b];
  const double wanted = c->p - (arm_speed(&arm[0], a, b) - c->least) / f->b3;
  const double p = wanted > 0.0 ? wanted : 0.0, dp = p - c->p;
  if (dp != 0.0) arm_kick(&arm[0], dp, ma, mb, a, b);
  c->p = p;
  double change = fabs(dp) * f->b3;
  if (c->mu <= 0.0 || (p == 0.0 && c->f1 == 0.0 && c->f2 == 0.0)) return change;

  const Pair others = {arm_speed(&arm[1], a, b) - f->a1 * c->f1,
                       arm_speed(&arm[2], a, b) - f->a2 * c->f2};
  const Pair t = contact_disc(f->a1, f->a2, others, c->mu * p);
  const double d1 = t.x - c->f1, d2 = t.y - c->f2;
  arm_kick(&arm[1], d1, ma, mb, a, b);
  arm_kick(&arm[2], d2, ma, mb, a, b);
  c->f1 = t.x, c->f2 = t.y;
  return change + fabs(d1) * f->a1 + fabs(d2) * f->a2;
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
  const int sweeps = w->n_nodes * SWEEPS > WORK ? 20 + WORK / w->n_nodes : SWEEPS;
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
  island_normals(w, n, w->order, w->slack);
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
