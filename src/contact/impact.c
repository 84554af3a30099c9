/*
 * The impact laws of one contact, from straight pieces: along a constant impulse direction the
 * normal velocity is linear and the normal work a parabola in the normal impulse, so the end
 * of compression and the end of the impact are roots in closed form.
 */
#include "contact/impact_impl.h"

#include <float.h>

/* Below this, relative to the speed of the contact, a slip is rounding. */
static const double slip_rounding = 1e-13;

/* Below this a direction of slip does not turn; relative to the rates it is the difference of. */
static const double turn_rounding = 1e-13;

bool impact_blocked(const Mat3 *k, Vec3 normal)
{
  const double trace = k->m[0][0] + k->m[1][1] + k->m[2][2];
  return vec3_dot(normal, mat3_apply(k, normal)) <= 1e-16 * trace;
}

void march_end_compression(ImpactMarch *m)
{
  m->wc = fmin(m->wc, m->w);
  m->compressing = false;
  if (m->e == 0.0) m->done = true;
}

static void advance(ImpactMarch *m, double d1, double d2, double dp)
{
  const double before = march_v3(m);
  m->p += dp;
  m->f1 += dp * d1;
  m->f2 += dp * d2;
  m->w += 0.5 * dp * (before + march_v3(m));
}

/* The impulse to the end of the impact while v3 changes at the rate alpha; or infinity. */
static double impulse_to_end(double v3, double alpha, double work)
{
  const double square = v3 * v3 + 2.0 * alpha * work;
  if (square < 0.0) return INFINITY;
  const double sum = v3 + sqrt(square);
  return work <= 0.0 ? 0.0 : sum > 0.0 ? 2.0 * work / sum : INFINITY;
}

void march_straight(ImpactMarch *m, double d1, double d2, double limit)
{
  const double alpha = m->c.b3 + m->c.b1 * d1 + m->c.b2 * d2;
  if (alpha < 0.0 && m->compressing) m->result.jammed = true;
  while (!m->done) {
    const double v3 = march_v3(m);
    const bool turns = m->compressing ? v3 < 0.0 && alpha > 0.0 : v3 > 0.0 && alpha < 0.0;
    const double to_zero = turns ? -v3 / alpha : INFINITY;
    const double to_end =
        m->compressing ? INFINITY : impulse_to_end(v3, alpha, march_target(m) - m->w);
    const double step = fmin(limit, fmin(to_zero, to_end));
    if (m->compressing && v3 >= 0.0 && alpha > 0.0) {
      march_end_compression(m);
    } else if (step >= limit) {
      if (isfinite(limit)) advance(m, d1, d2, limit);
      return;
    } else {
      advance(m, d1, d2, step);
      limit -= step;
      if (to_end <= to_zero)
        m->done = true;
      else if (m->compressing)
        march_end_compression(m);
      else
        m->compressing = true;
    }
  }
}

void march_wedged(ImpactMarch *m)
{
  m->result.wedged = true;
  march_straight(m, 0.0, 0.0, INFINITY);
}

void march_from_rest(ImpactMarch *m)
{
  const Pair stick = contact_stick(&m->c);
  Pair d = stick;
  if (stick.x * stick.x + stick.y * stick.y > m->mu * m->mu) {
    const Pair slip = contact_escape(&m->c, m->mu);
    d = (Pair){-m->mu * slip.x, -m->mu * slip.y};
    m->result.reversed = true;
  } else {
    m->result.stuck = true;
  }
  if (m->c.b3 + m->c.b1 * d.x + m->c.b2 * d.y > 1e-12 * m->c.b3)
    march_straight(m, d.x, d.y, INFINITY);
  if (!m->done) march_wedged(m);
}

static ImpactMarch march_begin(const ImpactInput *in)
{
  return (ImpactMarch){.c = contact_frame(&in->inverse_mass, in->normal),
                       .e = in->restitution,
                       .mu = in->friction,
                       .v3_start = vec3_dot(in->normal, in->velocity),
                       .compressing = true};
}

static double work_of(const ImpactInput *in, Vec3 impulse)
{
  const Vec3 half = vec3_scale(0.5, mat3_apply(&in->inverse_mass, impulse));
  return vec3_dot(impulse, vec3_add(in->velocity, half));
}

static ImpactResult march_result(const ImpactMarch *m, const ImpactInput *in, ImpactLaw law)
{
  ImpactResult r = m->result;
  const Vec3 tangential = vec3_axpy(vec3_scale(m->f1, m->c.t1), m->f2, m->c.t2);
  r.impulse = vec3_axpy(tangential, m->p, m->c.n);
  r.law = law;
  r.work = work_of(in, r.impulse);
  r.compression_work = m->wc;
  return r;
}

/* Nothing to do: parting already, or nothing that can yield. */
static bool idle(const ImpactInput *in, ImpactResult *r)
{
  *r = (ImpactResult){.law = IMPACT_NONE};
  r->blocked = impact_blocked(&in->inverse_mass, in->normal);
  return r->blocked || !(vec3_dot(in->normal, in->velocity) < 0.0);
}

static ImpactResult frictionless(const ImpactInput *in)
{
  const double v3 = vec3_dot(in->normal, in->velocity);
  const double k = vec3_dot(in->normal, mat3_apply(&in->inverse_mass, in->normal));
  const double p = -(1.0 + in->restitution) * v3 / k;
  return (ImpactResult){.impulse = vec3_scale(p, in->normal),
                        .law = IMPACT_ALGEBRAIC,
                        .work = 0.5 * p * (1.0 - in->restitution) * v3,
                        .compression_work = -0.5 * v3 * v3 / k};
}

/* Slip along t1, t2 before the impact; zero where it is rounding. */
static Pair slip_before(const ImpactMarch *m, const ImpactInput *in)
{
  const Pair u = {vec3_dot(m->c.t1, in->velocity), vec3_dot(m->c.t2, in->velocity)};
  const double s2 = u.x * u.x + u.y * u.y;
  const double rounding = slip_rounding * slip_rounding * (s2 + m->v3_start * m->v3_start);
  return s2 <= rounding ? (Pair){0.0, 0.0} : u;
}

/* How slip changes per unit normal impulse along the slip direction, and across it. */
static Pair slip_rates(const ImpactMarch *m, Pair dir)
{
  const double r1 = m->c.b1 - m->mu * m->c.a1 * dir.x, r2 = m->c.b2 - m->mu * m->c.a2 * dir.y;
  return (Pair){r1 * dir.x + r2 * dir.y, r2 * dir.x - r1 * dir.y};
}

static ImpactResult frozen_direction(ImpactMarch *m, const ImpactInput *in, Pair u)
{
  const double s = sqrt(u.x * u.x + u.y * u.y);
  if (s > 0.0) {
    const Pair dir = {u.x / s, u.y / s};
    const double g = slip_rates(m, dir).x;
    const double alpha = m->c.b3 - m->mu * (m->c.b1 * dir.x + m->c.b2 * dir.y);
    const double limit = g < 0.0 ? -s / g : alpha > 0.0 ? INFINITY : 0.0;
    march_straight(m, -m->mu * dir.x, -m->mu * dir.y, limit);
    m->result.halted = !m->done;
  }
  if (!m->done) march_straight(m, 0.0, 0.0, INFINITY);
  return march_result(m, in, IMPACT_ALGEBRAIC);
}

ImpactResult impact_algebraic(const ImpactInput *in)
{
  ImpactResult none;
  if (idle(in, &none)) return none;
  if (in->friction == 0.0) return frictionless(in);
  ImpactMarch m = march_begin(in);
  return frozen_direction(&m, in, slip_before(&m, in));
}

/* Does slip keep its direction and last until the end, so that the closed form is exact? */
static bool slips_straight_through(const ImpactMarch *m, Pair u)
{
  const double s = sqrt(u.x * u.x + u.y * u.y);
  if (s == 0.0) return false;
  const Pair dir = {u.x / s, u.y / s}, rates = slip_rates(m, dir);
  const double scale = fabs(m->c.b1) + fabs(m->c.b2) + m->mu * (m->c.a1 + m->c.a2);
  if (fabs(rates.y) > turn_rounding * scale) return false;
  const double alpha = m->c.b3 - m->mu * (m->c.b1 * dir.x + m->c.b2 * dir.y);
  return alpha > 0.0 && s + rates.x * (-(1.0 + m->e) * m->v3_start / alpha) > 0.0;
}

ImpactResult impact_stronge(const ImpactInput *in)
{
  ImpactResult none;
  if (idle(in, &none)) return none;
  ImpactMarch m = march_begin(in);
  const Pair u = slip_before(&m, in);
  if (m.mu == 0.0)
    march_straight(&m, 0.0, 0.0, INFINITY);
  else if (u.x == 0.0 && u.y == 0.0)
    march_from_rest(&m);
  else
    march_slip(&m, u);
  return march_result(&m, in, IMPACT_STRONGE);
}

ImpactResult impact_auto(const ImpactInput *in)
{
  ImpactResult none;
  if (idle(in, &none)) return none;
  if (in->friction == 0.0) return frictionless(in);
  ImpactMarch m = march_begin(in);
  const Pair u = slip_before(&m, in);
  if (slips_straight_through(&m, u)) return frozen_direction(&m, in, u);
  if (u.x == 0.0 && u.y == 0.0)
    march_from_rest(&m);
  else
    march_slip(&m, u);
  return march_result(&m, in, IMPACT_STRONGE);
}
