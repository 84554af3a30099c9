/*
 * Which impulses let touching bodies rest, slide or part without rebound?
 *
 * Every contact gets v_n >= 0 (lasting ones v_n >= -gap/dt) with Coulomb friction, all at once.
 * Without friction this is the complementarity problem. With friction the contacts are swept:
 * each takes the normal impulse that stops it and the friction in the disc of that impulse
 * which opposes the slip it leaves. A fixed point obeys Coulomb's law at every contact. The
 * work of the sweep's result is a parabola in a common factor; should it be positive because
 * the sweeps have not converged, the factor is reduced until it is zero.
 */
#include "contact/island_impl.h"

enum { SWEEPS = 4000 };

/* What the contact wants to change in its impulse: normal, then friction; bodies are kicked. */
static double relax(IslandWork *w, IslandNode *c)
{
  const ContactFrame *f = &c->frame;
  Vec3 v = island_velocity(w, c);
  const double p = fmax(0.0, c->p - (vec3_dot(f->n, v) + c->allowed) / f->b3), dp = p - c->p;
  island_kick(w, c, vec3_scale(dp, f->n));
  c->p = p;
  if (c->mu <= 0.0) return fabs(dp) * f->b3;

  v = island_velocity(w, c);
  const Pair others = {vec3_dot(f->t1, v) - f->a1 * c->f1, vec3_dot(f->t2, v) - f->a2 * c->f2};
  const Pair t = contact_disc(f->a1, f->a2, others, c->mu * p);
  const double d1 = t.x - c->f1, d2 = t.y - c->f2;
  island_kick(w, c, vec3_axpy(vec3_scale(d1, f->t1), d2, f->t2));
  c->f1 = t.x, c->f2 = t.y;
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
    if (!c->blocked) *after += vec3_dot(impulse_of(c), island_velocity(w, c));
  }
  for (int i = 0; i < w->n_nodes; i++) {
    const IslandNode *c = &w->node[i];
    if (c->blocked) continue;
    const Vec3 va = mobility_velocity(&w->body[c->a], w->saved[c->a], c->point);
    const Vec3 vb = mobility_velocity(&w->body[c->b], w->saved[c->b], c->point);
    *before += vec3_dot(impulse_of(c), vec3_sub(va, vb));
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

static double rest_with_friction(IslandWork *w)
{
  for (int b = 0; b <= w->n_bodies; b++) w->saved[b] = w->twist[b];
  for (int i = 0; i < w->n_nodes; i++) w->node[i].p = w->node[i].f1 = w->node[i].f2 = 0.0;

  double residual = INFINITY;
  for (int sweep = 0; sweep < SWEEPS && residual > 1e-13 * w->speed; sweep++) {
    residual = 0.0;
    for (int k = 0; k < w->n_nodes; k++) {
      IslandNode *c = &w->node[sweep % 2 ? w->n_nodes - 1 - k : k];
      if (!c->blocked) residual = fmax(residual, relax(w, c));
    }
  }
  double before, after;
  sums_of_work(w, &before, &after);
  const double gain = before + after, bend = after - before;
  const double factor = gain > 0.0 && bend > 0.0 ? fmax(0.0, -2.0 * before / bend) : 1.0;
  keep(w, factor);
  w->work += 0.5 * factor * (2.0 * before + factor * bend);
  return residual;
}

static double rest_without_friction(IslandWork *w)
{
  int n = 0;
  for (int i = 0; i < w->n_nodes; i++)
    if (!w->node[i].blocked) w->order[n++] = i;
  for (int k = 0; k < n; k++) w->slack[k] = w->node[w->order[k]].allowed;
  island_normals(w, n, w->order, w->slack);
  island_apply_normals(w, n, w->order, IMPACT_REST);
  double residual = 0.0;
  for (int k = 0; k < n; k++) {
    const IslandNode *c = &w->node[w->order[k]];
    const double v = vec3_dot(c->frame.n, island_velocity(w, c)) + c->allowed;
    residual = fmax(residual, fabs(fmin(v, c->p * c->frame.b3)));
  }
  return residual;
}

static double fastest_approach(const IslandWork *w)
{
  double fastest = 0.0;
  for (int i = 0; i < w->n_nodes; i++) {
    const IslandNode *c = &w->node[i];
    const double v = vec3_dot(c->frame.n, island_velocity(w, c)) + c->allowed;
    if (!c->blocked) fastest = fmax(fastest, -v);
  }
  return fastest;
}

double island_rest(IslandWork *w)
{
  bool rough = false;
  for (int i = 0; i < w->n_nodes; i++)
    rough = rough || (w->node[i].mu > 0.0 && !w->node[i].blocked);
  if (!rough) return rest_without_friction(w);

  /* Whatever approach the sweeps have left goes by normal impulses, which the cones allow. */
  const double residual = rest_with_friction(w);
  if (fastest_approach(w) > 1e-13 * w->speed) rest_without_friction(w);
  return residual;
}
