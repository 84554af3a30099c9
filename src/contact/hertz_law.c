#include "contact/hertz_law.h"

#include <math.h>
#include <stdbool.h>

double hertz_modulus(double young_a, double poisson_a, double young_b, double poisson_b)
{
  const double a = isinf(young_a) ? 0.0 : (1.0 - poisson_a * poisson_a) / young_a;
  const double b = isinf(young_b) ? 0.0 : (1.0 - poisson_b * poisson_b) / young_b;
  return 1.0 / (a + b);
}

double hertz_stiffness(double modulus, double radius)
{
  return 4.0 / 3.0 * modulus * sqrt(radius);
}

/*
 * -ln e of the oscillator of damping ratio z that is let go when its force vanishes:
 * (pi - 2 psi) tan(psi) with z = sin(psi), and beyond critical damping 2 chi coth(chi) with
 * z = cosh(chi); both are 2 at z = 1.
 */
static double decrement(double z)
{
  if (z == 1.0) return 2.0;
  if (z < 1.0) {
    const double psi = asin(z);
    return (M_PI - 2.0 * psi) * tan(psi);
  }
  const double chi = acosh(z);
  return 2.0 * chi / tanh(chi);
}

double hertz_damping(double restitution)
{
  const double least = 8e-4;
  const double wanted = -log(restitution > least ? restitution : least);
  double lo = 0.0, hi = 32.0;
  for (int k = 0; k < 80; k++) {
    const double mid = 0.5 * (lo + hi);
    if (decrement(mid) < wanted)
      lo = mid;
    else
      hi = mid;
  }
  return restitution >= 1.0 ? 0.0 : sqrt(5.0) * 0.5 * (lo + hi);
}

double hertz_normal_force(const HertzPoint *p, double depth, double rate)
{
  if (depth <= 0.0) return 0.0;
  const double root = sqrt(depth);
  const double force =
      p->stiffness * depth * root + p->damping * sqrt(p->mass * p->stiffness) * sqrt(root) * rate;
  return force > 0.0 ? force : 0.0;
}

double hertz_speed(const HertzPoint *p, double depth, double rate)
{
  const double stored =
      depth > 0.0 ? 0.8 * p->stiffness / p->mass * depth * depth * sqrt(depth) : 0;
  return sqrt(rate * rate + stored);
}

double hertz_contact_time(const HertzPoint *p, double speed)
{
  /* 2 sqrt(pi) Gamma(7/5) / Gamma(9/10) depths over the speed. */
  const double depths = 2.9432746;
  if (speed <= 0.0) return INFINITY;
  return depths * pow(1.25 * p->mass * speed * speed / p->stiffness, 0.4) / speed;
}

double hertz_sub_step(const HertzPoint *p, double depth, double rate)
{
  const double part = 1.0 / 40.0, speed = hertz_speed(p, depth, rate);
  const double step = part * hertz_contact_time(p, speed);
  const bool parted = rate <= 0.0 && hertz_normal_force(p, depth, rate) <= 0.0;
  if (p->damping <= 0.0 || parted) return step;

  /* Nearly at rest only stability matters. Strong damping ends an approach at a depth that falls
   * like a^(-4/5), and at first touch the dashpot comes in with an infinite slope. */
  if (fabs(rate) < 0.2 * speed) return step / fmax(1.0, 0.1 * p->damping);
  const double damped = step / pow(1.0 + p->damping * p->damping, 0.4);
  const double so_far = 0.5 * depth / rate;
  return rate > 0.0 && so_far < damped ? fmax(so_far, damped / 16.0) : damped;
}

double hertz_friction(const HertzPoint *p, double normal_force, double slip, double speed, double h)
{
  const double most = p->friction * normal_force;
  if (most <= 0.0) return 0.0;
  double smooth = speed / 8.0;
  const double least = 2.0 * most * h / p->mass;
  if (smooth < least) smooth = least;
  const double x = slip / smooth;
  return x < 1e-6 ? most / smooth : most * tanh(x) / slip;
}
