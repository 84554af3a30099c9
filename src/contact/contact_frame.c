/*
 * The geometry of one contact with friction: its axes, and the three closed answers that
 * friction gives: stick, escape from rest, and the impulse that opposes the slip it leaves.
 *
 * In the axes that make the tangential inverse mass diagonal the last two are one scalar
 * equation each, sum of b_i^2 / (g + a_i)^2 = 1, whose left side falls as g grows.
 */
#include "contact/impact_impl.h"

#include <float.h>

static double quadratic(const Mat3 *k, Vec3 a, Vec3 b)
{
  return vec3_dot(a, mat3_apply(k, b));
}

ContactFrame contact_frame(const Mat3 *inverse_mass, Vec3 normal)
{
  const Vec3 x = vec3_normal_to(normal), y = vec3_cross(normal, x);
  const Vec3 kx = mat3_apply(inverse_mass, x), ky = mat3_apply(inverse_mass, y);
  const double xx = vec3_dot(x, kx), yy = vec3_dot(y, ky), xy = vec3_dot(x, ky);

  /* One Jacobi rotation; a plane that is isotropic to rounding keeps its first axes. */
  double c = 1.0, s = 0.0;
  if (fabs(xy) > 4.0 * DBL_EPSILON * (xx + yy)) {
    const double theta = (yy - xx) / (2.0 * xy);
    const double t = (theta >= 0.0 ? 1.0 : -1.0) / (fabs(theta) + sqrt(theta * theta + 1.0));
    c = 1.0 / sqrt(t * t + 1.0);
    s = t * c;
  }
  ContactFrame f;
  f.t1 = vec3_axpy(vec3_scale(c, x), -s, y);
  f.t2 = vec3_axpy(vec3_scale(s, x), c, y);
  f.n = normal;
  const Vec3 kn = mat3_apply(inverse_mass, normal);
  f.a1 = fmax(0.0, quadratic(inverse_mass, f.t1, f.t1));
  f.a2 = fmax(0.0, quadratic(inverse_mass, f.t2, f.t2));
  f.b1 = vec3_dot(f.t1, kn);
  f.b2 = vec3_dot(f.t2, kn);
  f.b3 = fmax(0.0, vec3_dot(normal, kn));
  return f;
}

/* b / a where the contact can yield; a direction without mobility needs no friction. */
static double yield(double b, double a, double scale)
{
  return a > 1e-14 * scale ? b / a : 0.0;
}

Pair contact_stick(const ContactFrame *c)
{
  const double scale = c->a1 + c->a2 + c->b3;
  return (Pair){-yield(c->b1, c->a1, scale), -yield(c->b2, c->a2, scale)};
}

/*
 * The g > 0 with |(b1 / (g + a1), b2 / (g + a2))| = 1, known to exist. Newton on 1/|.| - 1,
 * which is concave and nearly straight: from the left it rises to the root without passing it.
 */
static double secular_root(double a1, double a2, double b1, double b2)
{
  /* Newton's method squares the error: a step of this size leaves rounding. */
  const double rounding = 1e-9;
  /* Neither component exceeds one at the root, which bounds it from the left. */
  const double bound = fmax(fabs(b1) - a1, fabs(b2) - a2), b = sqrt(b1 * b1 + b2 * b2);
  const double least = fmax(0.0, fmax(bound, b - fmax(a1, a2)));
  double g = least;
  for (int i = 0; i < 60; i++) {
    const double x1 = b1 / (g + a1), x2 = b2 / (g + a2);
    const double norm2 = x1 * x1 + x2 * x2, norm = sqrt(norm2);
    const double slope = x1 * x1 / (g + a1) + x2 * x2 / (g + a2);
    const double step = (norm - 1.0) * norm2 / slope;
    g = fmax(g + step, least);
    if (fabs(step) <= rounding * (g + fmin(a1, a2))) break;
  }
  return g;
}

static Pair unit(double x, double y)
{
  const double s = 1.0 / sqrt(x * x + y * y);
  return (Pair){s * x, s * y};
}

Pair contact_escape(const ContactFrame *c, double mu)
{
  const double a1 = mu * c->a1, a2 = mu * c->a2;
  const double g = secular_root(a1, a2, c->b1, c->b2);
  return unit(c->b1 / (g + a1), c->b2 / (g + a2));
}

Pair contact_disc(double a1, double a2, Pair u, double radius)
{
  const double scale = a1 + a2, f1 = -yield(u.x, a1, scale), f2 = -yield(u.y, a2, scale);
  /* Where both axes yield alike the nearest point of the disc is the answer. */
  if (fabs(a1 - a2) <= 1e-9 * scale && scale > 0.0) {
    const double size2 = f1 * f1 + f2 * f2;
    const double part = size2 > radius * radius ? radius / sqrt(size2) : 1.0;
    return (Pair){part * f1, part * f2};
  }
  const bool reaches = (a1 > 1e-14 * scale || u.x == 0.0) && (a2 > 1e-14 * scale || u.y == 0.0);
  if (reaches && f1 * f1 + f2 * f2 <= radius * radius) return (Pair){f1, f2};
  if (radius <= 0.0) return (Pair){0.0, 0.0};
  const double g = secular_root(radius * a1, radius * a2, u.x, u.y);
  const Pair slip = unit(u.x / (g + radius * a1), u.y / (g + radius * a2));
  return (Pair){-radius * slip.x, -radius * slip.y};
}
