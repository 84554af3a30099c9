/*
 * How does slip turn and slow down during an impact?
 *
 * In the normal impulse p the slip u obeys du/dp = b - mu A u/|u|, singular where slip halts.
 * With d tau = dp/|u| it is du/dtau = b |u| - mu A u, homogeneous and smooth for all u: the
 * halt moves to tau = infinity while u shrinks exponentially, and is reached in closed form
 * as soon as the slip direction has settled.
 *
 * The right side is so simple that the Taylor series of u in tau costs little at any order, and
 * its integrals give the impulses and the work of friction; the normal work is what the energy
 * of the contact leaves. A step is as long as the series allows, and the ends of compression
 * and of the impact are roots of the series.
 */
#include "contact/impact_impl.h"

#include <float.h>

enum { ORDER = 18, MAX_STEPS = 1000 };

static const double local_error = 1e-11;   /* of a step, in impulse relative to the whole */
static const double coarse = 1e-4;         /* of a step, relative to the slip left */
static const double settled = 1e-10;       /* impulse that a straight run to the halt may miss */
static const double wedge = 1e-9;          /* |K d| / (|K| |d|) of an impulse that does nothing */
static const double turn_rounding = 1e-13; /* as in the choice of the law */

typedef struct {
  ImpactMarch *m;
  double a1, a2, b1, b2;                  /* mu A and b in units of rate */
  double rate;                            /* the size of the rates of u per tau */
  double p_scale;                         /* an impulse of the size of the whole */
  Pair start, u;                          /* slip at the beginning of the impact, and now */
  double friction_work;                   /* so far */
  double u1[ORDER + 1], u2[ORDER + 1];    /* the series of u in rate * tau */
  double s[ORDER + 1], square[ORDER + 1]; /* of |u| and |u|^2 */
} SlipRun;

/* The impact at some time within the step. */
typedef struct {
  Pair u;
  double p, f1, f2, w, v3, friction_work;
} SlipPoint;

typedef struct {
  double g, h, alpha, dh; /* rates per p of slip, of slip across, of v3; slope of h in the angle */
} SlipRates;

static double length(Pair u)
{
  return sqrt(u.x * u.x + u.y * u.y);
}

/* 1 / (k + 1) */
static const double share[] = {1.0,      1.0 / 2,  1.0 / 3,  1.0 / 4,  1.0 / 5,  1.0 / 6,  1.0 / 7,
                               1.0 / 8,  1.0 / 9,  1.0 / 10, 1.0 / 11, 1.0 / 12, 1.0 / 13, 1.0 / 14,
                               1.0 / 15, 1.0 / 16, 1.0 / 17, 1.0 / 18, 1.0 / 19};

/* Coefficients of |u|^2 and |u| to all orders, and with them those of u. The three sums of a
 * square's coefficient run side by side because each alone would wait for its own additions. */
static void series_build(SlipRun *r)
{
  double *u1 = r->u1, *u2 = r->u2, *s = r->s;
  u1[0] = r->u.x, u2[0] = r->u.y;
  r->square[0] = u1[0] * u1[0] + u2[0] * u2[0];
  s[0] = sqrt(r->square[0]);
  u1[1] = r->b1 * s[0] - r->a1 * u1[0];
  u2[1] = r->b2 * s[0] - r->a2 * u2[0];
  const double half = 0.5 / s[0];
  for (int k = 1; k <= ORDER; k++) {
    double x = u1[0] * u1[k], y = u2[0] * u2[k], z = 0.0;
    int i = 1;
    for (; 2 * i < k; i++) {
      x += u1[i] * u1[k - i];
      y += u2[i] * u2[k - i];
      z += s[i] * s[k - i];
    }
    const bool even = 2 * i == k;
    const double square = 2.0 * (x + y) + (even ? u1[i] * u1[i] + u2[i] * u2[i] : 0.0);
    r->square[k] = square;
    s[k] = half * (square - 2.0 * z - (even ? s[i] * s[i] : 0.0));
    if (k == ORDER) break;
    u1[k + 1] = share[k] * (r->b1 * s[k] - r->a1 * u1[k]);
    u2[k + 1] = share[k] * (r->b2 * s[k] - r->a2 * u2[k]);
  }
}

/*
 * The step at which the last terms of the series are as small as the error allowed: an error of
 * the slip matters by the impulse that would make it, so small slip may err more of itself.
 */
static double series_reach(const SlipRun *r)
{
  const double allowed = fmin(local_error * r->rate * r->p_scale, coarse * r->s[0]);
  double reach = log(6.0);
  for (int k = ORDER - 1; k <= ORDER; k++) {
    const double term = fabs(r->u1[k]) + fabs(r->u2[k]) + fabs(r->s[k]);
    if (term > 0.0) reach = fmin(reach, log(allowed / term) / k);
  }
  return exp(reach);
}

static SlipPoint series_at(const SlipRun *r, double t)
{
  double x = 0, y = 0, ix = 0, iy = 0, is = 0, iq = 0;
  for (int k = ORDER; k >= 0; k--) {
    x = x * t + r->u1[k];
    y = y * t + r->u2[k];
    ix = ix * t + r->u1[k] * share[k];
    iy = iy * t + r->u2[k] * share[k];
    is = is * t + r->s[k] * share[k];
    iq = iq * t + r->square[k] * share[k];
  }
  const ImpactMarch *m = r->m;
  const ContactFrame *c = &m->c;
  const double tau = t / r->rate;
  SlipPoint at = {.u = {x, y}, .p = m->p + tau * is};
  at.f1 = m->f1 - m->mu * tau * ix;
  at.f2 = m->f2 - m->mu * tau * iy;
  at.friction_work = r->friction_work - m->mu * tau * iq;
  const double bf = c->b1 * at.f1 + c->b2 * at.f2;
  at.v3 = m->v3_start + bf + c->b3 * at.p;
  const double tangential =
      at.f1 * (r->start.x + 0.5 * c->a1 * at.f1) + at.f2 * (r->start.y + 0.5 * c->a2 * at.f2);
  at.w = at.p * (m->v3_start + bf + 0.5 * c->b3 * at.p) + tangential - at.friction_work;
  return at;
}

/* The impact at the beginning of the step, which needs no series. */
static SlipPoint series_start(const SlipRun *r)
{
  const ImpactMarch *m = r->m;
  return (SlipPoint){r->u, m->p, m->f1, m->f2, m->w, march_v3(m), r->friction_work};
}

static SlipRates rates_at(const ImpactMarch *m, Pair u)
{
  const ContactFrame *c = &m->c;
  const double s = length(u), x = u.x / s, y = u.y / s;
  const double r1 = c->b1 - m->mu * c->a1 * x, r2 = c->b2 - m->mu * c->a2 * y;
  const double bu = c->b1 * x + c->b2 * y;
  return (SlipRates){.g = r1 * x + r2 * y,
                     .h = r2 * x - r1 * y,
                     .alpha = c->b3 - m->mu * bu,
                     .dh = m->mu * (c->a1 - c->a2) * (x * x - y * y) - bu};
}

typedef enum { EVENT_EXTREME, EVENT_STILL, EVENT_END } SlipEvent;

/* What becomes zero at an event, and its slope in the time of the series. */
static double event_value(const SlipRun *r, SlipEvent event, const SlipPoint *at, double *slope)
{
  const double s = length(at->u);
  const SlipRates rates = rates_at(r->m, at->u);
  if (event == EVENT_END) {
    *slope = s * at->v3 / r->rate;
    return at->w - march_target(r->m);
  }
  if (event == EVENT_STILL) {
    *slope = s * rates.alpha / r->rate;
    return at->v3;
  }
  const ContactFrame *c = &r->m->c;
  *slope = r->m->mu * rates.h * (c->b1 * at->u.y - c->b2 * at->u.x) / (s * r->rate);
  return rates.alpha;
}

/*
 * The first time at or just after which the event has happened, known to lie in (0, hi], where the
 * impact is at end: Newton inside a shrinking bracket.
 */
static double event_time(const SlipRun *r, SlipEvent event, double hi, const SlipPoint *end)
{
  SlipPoint at = series_start(r);
  double slope, lo = 0.0, x = hi;
  const double first = event_value(r, event, &at, &slope);
  const double last = event_value(r, event, end, &slope);
  const double sign = last > first ? 1.0 : -1.0, tiny = 4.0 * DBL_EPSILON * hi;
  double f = last;
  for (int i = 0; i < 60 && hi - lo > tiny; i++) {
    x -= f / slope;
    if (!(x > lo && x < hi)) x = 0.5 * (lo + hi);
    at = series_at(r, x);
    f = event_value(r, event, &at, &slope);
    if (sign * f < 0.0)
      lo = x;
    else
      hi = x;
    /* Newton is there: one small step beyond makes sure of the far side. */
    if (fabs(f) <= tiny * fabs(slope)) return fmin(hi, x + (sign * f < 0.0 ? tiny : 0.0));
  }
  return hi;
}

/*
 * Is the rest of the slip straight? Either the direction does not turn at all, or it turns
 * towards a direction in which slip halts and what is left of the turn no longer matters.
 */
static bool straight(const SlipRun *run, const SlipRates *r, double s)
{
  if (fabs(r->h) <= turn_rounding * run->rate) return r->g < 0.0 || r->alpha > 0.0;
  if (r->g >= 0.0) return false;
  const double left = s / -r->g;
  if (left <= settled * run->p_scale) return true;
  return r->dh < 0.0 && fabs(r->h) * left <= settled * run->p_scale * -r->dh;
}

/*
 * When what is left of the turn matters to second order only, friction to the halt is mu times
 * its normal impulse x along some mean direction, and the halt itself, u + A f + b x = 0, says
 * which: |A^-1 (u + b x)| = mu x. False when the impact might end or turn before the halt.
 */
static bool jump_to_halt(SlipRun *run, const SlipRates *r, double s)
{
  if (r->g >= 0.0 || r->dh >= 0.0) return false;
  ImpactMarch trial = *run->m;
  const ContactFrame *c = &trial.c;
  const double turn = r->h / r->dh, mu = trial.mu;
  double x = s / -r->g;
  if (turn * turn * x > 0.1 * settled * run->p_scale) return false;
  if (fmin(c->a1, c->a2) <= 1e-6 * fmax(c->a1, c->a2)) return false;

  double f1 = 0.0, f2 = 0.0;
  for (int i = 0; i < 4; i++) {
    f1 = -(run->u.x + c->b1 * x) / c->a1, f2 = -(run->u.y + c->b2 * x) / c->a2;
    const double miss = f1 * f1 + f2 * f2 - mu * mu * x * x;
    x += 0.5 * miss / (f1 * c->b1 / c->a1 + f2 * c->b2 / c->a2 + mu * mu * x);
  }
  if (!(fabs(x * r->g / s + 1.0) < 0.1)) return false;
  march_straight(&trial, f1 / x, f2 / x, x);
  if (trial.done || trial.compressing != run->m->compressing) return false;
  *run->m = trial;
  return true;
}

/* The end of the next step: no more than a right turn, and v3 monotone on the way. */
static double step_length(const SlipRun *r, SlipPoint *end)
{
  double h = series_reach(r);
  *end = series_at(r, h);
  while (end->u.x * r->u.x + end->u.y * r->u.y < 0.3 * length(end->u) * r->s[0]) {
    h *= 0.6;
    *end = series_at(r, h);
  }
  const double before = rates_at(r->m, r->u).alpha, after = rates_at(r->m, end->u).alpha;
  if (before * after < 0.0) {
    h = event_time(r, EVENT_EXTREME, h, end);
    *end = series_at(r, h);
  }
  return h;
}

/* One step of the series, ended by the first event inside it. */
static void step_slip(SlipRun *r)
{
  ImpactMarch *m = r->m;
  series_build(r);
  SlipPoint end;
  double h = step_length(r, &end);
  const bool turned = m->compressing ? end.v3 >= 0.0 : end.v3 < 0.0 && march_v3(m) > 0.0;
  if (turned) {
    h = event_time(r, EVENT_STILL, h, &end);
    end = series_at(r, h);
  }
  if (!m->compressing && end.w >= march_target(m)) {
    end = series_at(r, event_time(r, EVENT_END, h, &end));
    m->done = true;
  }
  m->p = end.p, m->f1 = end.f1, m->f2 = end.f2, m->w = end.w;
  r->u = end.u;
  r->friction_work = end.friction_work;
  if (turned && m->compressing)
    march_end_compression(m);
  else if (turned)
    m->compressing = true;
}

static SlipRun run_begin(ImpactMarch *m, Pair u)
{
  const ContactFrame *c = &m->c;
  SlipRun run = {.m = m, .start = u, .u = u};
  run.rate = fabs(c->b1) + fabs(c->b2) + m->mu * (c->a1 + c->a2);
  run.a1 = m->mu * c->a1 / run.rate, run.a2 = m->mu * c->a2 / run.rate;
  run.b1 = c->b1 / run.rate, run.b2 = c->b2 / run.rate;
  run.p_scale = -m->v3_start / c->b3;
  return run;
}

static bool wedged(const SlipRun *run, const SlipRates *r)
{
  const double scale = wedge * (run->rate + run->m->c.b3);
  return fabs(r->g) <= scale && fabs(r->h) <= scale && fabs(r->alpha) <= scale;
}

void march_slip(ImpactMarch *m, Pair u)
{
  SlipRun run = run_begin(m, u);
  for (int steps = 0; !m->done && steps < MAX_STEPS; steps++) {
    const SlipRates r = rates_at(m, run.u);
    const double s = length(run.u);
    if (m->compressing && r.alpha < 0.0) m->result.jammed = true;
    if (wedged(&run, &r)) break;
    if (straight(&run, &r, s)) {
      const double d1 = -m->mu * run.u.x / s, d2 = -m->mu * run.u.y / s;
      march_straight(m, d1, d2, r.g < 0.0 ? -s / r.g : INFINITY);
      m->result.halted = !m->done;
    } else if (jump_to_halt(&run, &r, s)) {
      m->result.halted = true;
    }
    if (m->result.halted) march_from_rest(m);
    if (m->done) return;
    step_slip(&run);
  }
  if (!m->done) march_wedged(m);
}
