#include "contact/tritri.h"

static double clamp01(double s)
{
  return s < 0.0 ? 0.0 : s > 1.0 ? 1.0 : s;
}

void segments_nearest(Vec3 a0, Vec3 a1, Vec3 b0, Vec3 b1, double *s, double *t)
{
  const Vec3 u = vec3_sub(a1, a0), v = vec3_sub(b1, b0), w = vec3_sub(a0, b0);
  const double uu = vec3_norm2(u), vv = vec3_norm2(v), uv = vec3_dot(u, v);
  const double uw = vec3_dot(u, w), vw = vec3_dot(v, w);
  const double determinant = uu * vv - uv * uv;
  *s = determinant > 1e-14 * uu * vv ? clamp01((uv * vw - vv * uw) / determinant) : 0.0;
  *t = vv > 0.0 ? (uv * *s + vw) / vv : 0.0;
  if (*t < 0.0 || *t > 1.0) {
    *t = clamp01(*t);
    *s = uu > 0.0 ? clamp01((uv * *t - uw) / uu) : 0.0;
  }
}

static Vec3 corner(const Corners *t, int i)
{
  return i == 0 ? t->a : i == 1 ? t->b : t->c;
}

static void keep(TrianglePair *best, Vec3 on_a, Vec3 on_b)
{
  const double d2 = vec3_norm2(vec3_sub(on_a, on_b));
  if (d2 >= best->distance2) return;
  best->distance2 = d2;
  best->on_a = on_a;
  best->on_b = on_b;
}

static void try_edges(TrianglePair *best, const Corners *a, const Corners *b)
{
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      const Vec3 a0 = corner(a, i), a1 = corner(a, (i + 1) % 3);
      const Vec3 b0 = corner(b, j), b1 = corner(b, (j + 1) % 3);
      double s = 0.0, t = 0.0;
      segments_nearest(a0, a1, b0, b1, &s, &t);
      keep(best, vec3_axpy(a0, s, vec3_sub(a1, a0)), vec3_axpy(b0, t, vec3_sub(b1, b0)));
    }
}

bool segment_pierces(Vec3 p, Vec3 q, const Corners *t, Vec3 *where)
{
  const Vec3 n = vec3_cross(vec3_sub(t->b, t->a), vec3_sub(t->c, t->a));
  const double hp = vec3_dot(n, vec3_sub(p, t->a)), hq = vec3_dot(n, vec3_sub(q, t->a));
  if (!((hp > 0.0 && hq < 0.0) || (hp < 0.0 && hq > 0.0))) return false;
  const Vec3 x = vec3_axpy(p, hp / (hp - hq), vec3_sub(q, p));
  bool inside = true;
  for (int j = 0; j < 3 && inside; j++) {
    const Vec3 c0 = corner(t, j), c1 = corner(t, (j + 1) % 3);
    inside = vec3_dot(n, vec3_cross(vec3_sub(c1, c0), vec3_sub(x, c0))) > 0.0;
  }
  *where = x;
  return inside;
}

/* Does an edge of a pass through the inside of b? */
static bool pierces(const Corners *a, const Corners *b, Vec3 *where)
{
  return segment_pierces(a->a, a->b, b, where) || segment_pierces(a->b, a->c, b, where) ||
         segment_pierces(a->c, a->a, b, where);
}

TrianglePair triangle_pair(const Corners *a, const Corners *b)
{
  TrianglePair best = {.distance2 = INFINITY};
  for (int i = 0; i < 3; i++) {
    const Vec3 p = corner(a, i), q = corner(b, i);
    keep(&best, p, triangle_foot(b, p).point);
    keep(&best, triangle_foot(a, q).point, q);
  }
  try_edges(&best, a, b);
  Vec3 x;
  if (pierces(a, b, &x) || pierces(b, a, &x))
    best = (TrianglePair){.on_a = x, .on_b = x, .crossing = true};
  return best;
}

bool triangles_cross(const Corners *a, const Corners *b)
{
  Vec3 x;
  return pierces(a, b, &x) || pierces(b, a, &x);
}

/* Do all corners of t lie farther than limit beyond the plane through p with normal n? */
static bool beyond_plane(Vec3 n, Vec3 p, const Corners *t, double limit)
{
  const double a = vec3_dot(n, vec3_sub(t->a, p)), b = vec3_dot(n, vec3_sub(t->b, p)),
               c = vec3_dot(n, vec3_sub(t->c, p));
  const double low = a < b ? (a < c ? a : c) : (b < c ? b : c);
  return low > 0.0 && low * low > limit * limit * vec3_norm2(n);
}

/* Does the plane of p, or one at right angles to it through an edge, hold the triangles apart? */
static bool held_apart(const Corners *p, const Corners *t, double limit)
{
  const Vec3 ab = vec3_sub(p->b, p->a), bc = vec3_sub(p->c, p->b), ca = vec3_sub(p->a, p->c);
  const Vec3 n = vec3_cross(ca, ab);
  return beyond_plane(n, p->a, t, limit) || beyond_plane(vec3_scale(-1.0, n), p->a, t, limit) ||
         beyond_plane(vec3_cross(ab, n), p->a, t, limit) ||
         beyond_plane(vec3_cross(bc, n), p->b, t, limit) ||
         beyond_plane(vec3_cross(ca, n), p->c, t, limit);
}

bool triangles_apart(const Corners *a, const Corners *b, double limit)
{
  return held_apart(a, b, limit) || held_apart(b, a, limit);
}
