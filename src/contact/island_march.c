/*
 * How do several contacts with friction go through their impact together?
 *
 * The normal impulses grow in fixed proportion, that of the impulses which would end the
 * impact without friction: dp_i = lambda_i dt. Then without friction every contact ends at
 * t = 1 with the answer of the complementarity problem, and a single contact follows Stronge's
 * law. Friction acts by the implicit midpoint rule: within a step each friction impulse has
 * the size mu lambda dt against the slip at mid-step, or less where that slip is zero. The normal
 * velocities are linear in the step, so the normal work is exact and each contact ends when its
 * work is (1 - e^2) times that of compression. Steps shrink where slip turns or halts; the short
 * step in which it halts or turns back looks at the slip at its end instead, which then is zero.
 * Neither rule lets friction do positive work.
 *
 * A contact that approaches no faster than the resting speed, or that has ended without
 * restitution, is at rest: while the others push its bodies together it holds them apart, p >= 0,
 * v >= 0. Otherwise, of points that end together but for rounding, one would be borne down alone.
 */
#include "contact/island_impl.h"

static const double first_step = 1.0 / 16.0;  /* of the impact without friction */
static const double short_step = 1.0 / 512.0; /* in which slip may halt */
static const double halted = 1e-9;            /* slip, relative to the speeds, that is none */
static const double straight_cosine = 0.99;   /* of the turn of slip in one step */
static const double swept = 1e-12;            /* change of slip that ends the sweeps */
enum { MAX_STEPS = 600, MAX_SWEEPS = 60 };

static Vec3 tangential(const IslandNode *c, double f1, double f2)
{
  return vec3_axpy(vec3_scale(f1, c->frame.t1), f2, c->frame.t2);
}

static Pair slip_of(const IslandNode *c, Vec3 v)
{
  return (Pair){vec3_dot(c->frame.t1, v), vec3_dot(c->frame.t2, v)};
}

static bool acts(const IslandNode *c)
{
  return c->lambda > 0.0 || c->rests;
}

/* The normal speed at the given part of the step below which a resting contact bears; chosen so
 * that it does no positive work over the step. */
static double least_resting(const IslandNode *c, double part)
{
  if (part == 1.0) return -fmax(0.0, c->v3_before);
  return fmin(0.0, part * c->v3_before);
}

/* Let a resting contact bear what keeps its bodies apart; the change as a speed. */
static double bear(IslandWork *w, IslandNode *c, double part)
{
  const double b3 = part * c->frame.b3;
  const double v3 = vec3_dot(c->frame.n, island_velocity(w, c)) - least_resting(c, part);
  const double p = fmax(0.0, c->p - v3 / b3), change = p - c->p;
  if (change != 0.0) island_kick(w, c, vec3_scale(part * change, c->frame.n));
  c->p = p;
  return fabs(change) * b3;
}

/* Let the friction of a contact oppose the slip; the change as a speed. */
static double rub(IslandWork *w, IslandNode *c, double part)
{
  const double a1 = part * c->frame.a1, a2 = part * c->frame.a2;
  const Pair u = slip_of(c, island_velocity(w, c));
  const Pair others = {u.x - a1 * c->f1, u.y - a2 * c->f2};
  const Pair f = contact_disc(a1, a2, others, c->mu * c->p);
  const double d1 = f.x - c->f1, d2 = f.y - c->f2;
  island_kick(w, c, tangential(c, part * d1, part * d2));
  c->f1 = f.x, c->f2 = f.y;
  return fabs(d1) * a1 + fabs(d2) * a2;
}

/* Sweep over the contacts until each friction impulse opposes the slip at the given part of the
 * step. The bodies hold the velocities of then: that part of every impulse is in them. */
static void friction_sweeps(IslandWork *w, int n, const int list[], double part)
{
  for (int sweep = 0; sweep < MAX_SWEEPS; sweep++) {
    double change = 0.0;
    for (int k = 0; k < n; k++) {
      IslandNode *c = &w->node[list[sweep % 2 ? n - 1 - k : k]];
      if (c->rests) change = fmax(change, bear(w, c, part));
      if (c->mu > 0.0 && acts(c)) change = fmax(change, rub(w, c, part));
    }
    if (change <= swept * w->speed) break;
  }
}

/* Put the bodies to the end of a step of length dt from where they are. */
static void try_step(IslandWork *w, int n, const int list[], double dt)
{
  const double part = dt > short_step ? 0.5 : 1.0;
  for (int k = 0; k < n; k++) {
    IslandNode *c = &w->node[list[k]];
    const Vec3 v = island_velocity(w, c);
    c->v3_before = vec3_dot(c->frame.n, v);
    c->u_before = slip_of(c, v);
    c->f1 = c->f2 = 0.0;
    c->p = c->lambda * dt;
  }
  for (int k = 0; k < n; k++) {
    const IslandNode *c = &w->node[list[k]];
    if (c->p > 0.0) island_kick(w, c, vec3_scale(part * c->p, c->frame.n));
  }
  friction_sweeps(w, n, list, part);
  if (part == 1.0) return;
  for (int k = 0; k < n; k++) {
    const IslandNode *c = &w->node[list[k]];
    if (acts(c))
      island_kick(w, c, vec3_axpy(tangential(c, 0.5 * c->f1, 0.5 * c->f2), 0.5 * c->p, c->frame.n));
  }
}

/* Has slip turned too far in the step just tried? */
static bool turned(const IslandWork *w, int n, const int list[])
{
  const double none = halted * w->speed;
  for (int k = 0; k < n; k++) {
    const IslandNode *c = &w->node[list[k]];
    if (c->p <= 0.0 || c->mu <= 0.0) continue;
    const Pair u = slip_of(c, island_velocity(w, c)), o = c->u_before;
    const double before = sqrt(o.x * o.x + o.y * o.y), after = sqrt(u.x * u.x + u.y * u.y);
    if (before <= none) continue;
    if (after > none && u.x * o.x + u.y * o.y < straight_cosine * before * after) return true;
    if (after <= none) return true;
  }
  return false;
}

/* The part of the step just tried at which the contact ends; more than 1: not in this step. */
static double end_part(const IslandNode *c, double v3, double dt)
{
  const double impulse = c->lambda * dt, rise = v3 - c->v3_before;
  double from = 0.0, v = c->v3_before, w = c->w, wc = c->wc;
  if (v < 0.0) {
    if (!(v3 > 0.0)) return v3 == 0.0 && c->e == 0.0 ? 1.0 : INFINITY;
    from = -v / rise;
    w += 0.5 * impulse * from * v;
    wc = fmin(wc, w);
    v = 0.0;
  }
  const double need = ((1.0 - c->e * c->e) * wc - w) / impulse;
  if (need <= 0.0) return from;
  const double square = v * v + 2.0 * rise * need;
  return square < 0.0 ? INFINITY : from + 2.0 * need / (v + sqrt(square));
}

/* A contact that has reached its end leaves the march, or rests until the others have. */
static void end_contact(IslandNode *c)
{
  c->lambda = 0.0;
  c->rests = c->e == 0.0;
}

/* The work of the step, kept; contacts that have reached their end leave the march. */
static void keep_step(IslandWork *w, int n, const int list[], double dt)
{
  for (int k = 0; k < n; k++) {
    IslandNode *c = &w->node[list[k]];
    if (c->p <= 0.0) continue;
    const Vec3 velocity = island_velocity(w, c);
    const double v3 = vec3_dot(c->frame.n, velocity), impulse = c->p;
    const Pair u = slip_of(c, velocity);
    const double end = c->rests ? INFINITY : end_part(c, v3, dt);
    if (c->v3_before < 0.0 && v3 >= 0.0) {
      const double part = -c->v3_before / (v3 - c->v3_before);
      c->wc = fmin(c->wc, c->w + 0.5 * impulse * part * c->v3_before);
    }
    const double normal_work = 0.5 * impulse * (c->v3_before + v3);
    const double friction_work =
        0.5 * (c->f1 * (c->u_before.x + u.x) + c->f2 * (c->u_before.y + u.y));
    c->w += normal_work;
    island_record(w, c, vec3_axpy(tangential(c, c->f1, c->f2), impulse, c->frame.n),
                  normal_work + friction_work, IMPACT_STRONGE);
    if (end <= 1.0 + 1e-9) end_contact(c);
  }
}

/* The shortest part of the step at which a contact ends. */
static double first_end(const IslandWork *w, int n, const int list[], double dt)
{
  double first = INFINITY;
  for (int k = 0; k < n; k++) {
    const IslandNode *c = &w->node[list[k]];
    if (c->lambda <= 0.0) continue;
    first = fmin(first, end_part(c, vec3_dot(c->frame.n, island_velocity(w, c)), dt));
  }
  return first;
}

static void restore(IslandWork *w, int n, const int list[])
{
  for (int k = 0; k < n; k++) {
    const IslandNode *c = &w->node[list[k]];
    w->twist[c->a] = w->saved[c->a];
    w->twist[c->b] = w->saved[c->b];
  }
}

/* One step no longer than h: shortened where slip turns, and onto the first end. */
static double take_step(IslandWork *w, int n, const int list[], double h)
{
  for (int k = 0; k < n; k++) {
    const IslandNode *c = &w->node[list[k]];
    w->saved[c->a] = w->twist[c->a];
    w->saved[c->b] = w->twist[c->b];
  }
  try_step(w, n, list, h);
  while (h > short_step && turned(w, n, list)) {
    restore(w, n, list);
    h *= 0.5;
    try_step(w, n, list, h);
  }
  double dt = h;
  for (int i = 0; i < 30; i++) {
    const double part = first_end(w, n, list, dt);
    if (part >= 1.0 - 1e-13) break;
    restore(w, n, list);
    dt = fmax(dt * part, 1e-15); /* never nothing; what it may pass the end by is rounding */
    try_step(w, n, list, dt);
  }
  keep_step(w, n, list, dt);
  return h;
}

/* Let go of contacts that have had their work to rounding; is any left? */
static bool marching(IslandWork *w, int n, const int list[])
{
  bool any = false;
  for (int k = 0; k < n; k++) {
    IslandNode *c = &w->node[list[k]];
    if (c->lambda <= 0.0) continue;
    const bool parting = vec3_dot(c->frame.n, island_velocity(w, c)) >= 0.0;
    const double target = (1.0 - c->e * c->e) * c->wc, rounding = -1e-11 * c->wc;
    if (parting && c->wc < 0.0 && c->w >= target - rounding) end_contact(c);
    any = any || c->lambda > 0.0;
  }
  return any;
}

void island_march(IslandWork *w, int n, const int list[])
{
  double largest = 0.0;
  for (int k = 0; k < n; k++) largest = fmax(largest, w->node[list[k]].p);
  for (int k = 0; k < n; k++) {
    IslandNode *c = &w->node[list[k]];
    c->lambda = !c->rests && c->p > 1e-12 * largest ? c->p : 0.0;
    c->rests = c->rests || (c->e == 0.0 && c->lambda == 0.0);
    c->w = c->wc = 0.0;
  }
  double h = first_step;
  for (int step = 0; step < MAX_STEPS && marching(w, n, list); step++)
    h = fmin(first_step, 2.0 * take_step(w, n, list, h));
}
