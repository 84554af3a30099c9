#include "contact/polish.h"

/* The feet of one point on both sides. */
typedef struct {
  bool found;
  SurfaceHit a, b;
  Vec3 middle; /* halfway between the feet */
} Feet;

static Feet feet_of(const Side *a, const Side *b, Vec3 m, double reach)
{
  Feet f = {.a = side_gap(a, m, reach), .b = side_gap(b, m, reach)};
  f.found = f.a.found && f.b.found;
  f.middle = vec3_scale(0.5, vec3_add(f.a.point, f.b.point));
  return f;
}

/* How far the two normals are from opposite, in the plane of t1 and t2. */
static void mismatch(const Feet *f, Vec3 t1, Vec3 t2, double r[2])
{
  const Vec3 sum = vec3_add(f->a.normal, f->b.normal);
  r[0] = vec3_dot(sum, t1);
  r[1] = vec3_dot(sum, t2);
}

/* The change of the mismatch with the position, made symmetric as curvatures are. */
typedef struct {
  Vec3 t1, t2;
  double k11, k12, k22;
  bool found;
} Curvature;

static Curvature curvature_at(const Side *a, const Side *b, const Feet *at, double step,
                              double reach)
{
  const Vec3 n = vec3_unit(vec3_sub(at->b.normal, at->a.normal));
  Curvature k = {.t1 = vec3_normal_to(n)};
  k.t2 = vec3_cross(n, k.t1);
  const Feet f1 = feet_of(a, b, vec3_axpy(at->middle, step, k.t1), reach);
  const Feet f2 = feet_of(a, b, vec3_axpy(at->middle, step, k.t2), reach);
  const Feet g1 = feet_of(a, b, vec3_axpy(at->middle, -step, k.t1), reach);
  const Feet g2 = feet_of(a, b, vec3_axpy(at->middle, -step, k.t2), reach);
  k.found = f1.found && f2.found && g1.found && g2.found;
  double r1[2], r2[2], q1[2], q2[2];
  mismatch(&f1, k.t1, k.t2, r1);
  mismatch(&f2, k.t1, k.t2, r2);
  mismatch(&g1, k.t1, k.t2, q1);
  mismatch(&g2, k.t1, k.t2, q2);
  k.k11 = (r1[0] - q1[0]) / (2.0 * step);
  k.k22 = (r2[1] - q2[1]) / (2.0 * step);
  k.k12 = (r1[1] - q1[1] + r2[0] - q2[0]) / (4.0 * step);
  return k;
}

/* The Newton step in directions with curvature above the least; none in the others. */
static Vec3 newton_step(const Curvature *k, const double r[2], double least)
{
  const double mean = 0.5 * (k->k11 + k->k22), half = 0.5 * (k->k11 - k->k22);
  const double root = sqrt(half * half + k->k12 * k->k12);
  const double angle = 0.5 * atan2(k->k12, half);
  const double value[2] = {mean + root, mean - root};
  Vec3 step = {0.0, 0.0, 0.0};
  for (int i = 0; i < 2; i++) {
    const double c = i == 0 ? cos(angle) : -sin(angle), s = i == 0 ? sin(angle) : cos(angle);
    if (value[i] < least) continue;
    const double along = -(c * r[0] + s * r[1]) / value[i];
    step = vec3_axpy(vec3_axpy(step, along * c, k->t1), along * s, k->t2);
  }
  return step;
}

static double smaller_size(const Side *a, const Side *b)
{
  if (a->shape == NULL) return b->shape->size;
  if (b->shape == NULL) return a->shape->size;
  return a->shape->size < b->shape->size ? a->shape->size : b->shape->size;
}

static double larger_edge(const Side *a, const Side *b)
{
  const double ea = a->shape != NULL ? a->shape->edge : 0.0;
  const double eb = b->shape != NULL ? b->shape->edge : 0.0;
  return ea > eb ? ea : eb;
}

static double smaller_edge(const Side *a, const Side *b)
{
  const double ea = a->shape != NULL ? a->shape->edge : INFINITY;
  const double eb = b->shape != NULL ? b->shape->edge : INFINITY;
  return ea < eb ? ea : eb;
}

bool contact_polish(const Side *a, const Side *b, Vec3 guess, double reach, ContactHit *hit)
{
  enum { ITERATIONS = 16 };
  const double size = smaller_size(a, b), edge = smaller_edge(a, b);
  const double least = 1e-4 / size, small = 1e-12 * size, far = 8.0 * edge;
  Feet f = feet_of(a, b, guess, reach);
  if (!f.found) return false;
  const Curvature k = curvature_at(a, b, &f, 0.1 * edge, reach);
  if (!k.found) return false;

  double last = INFINITY;
  for (int i = 0; i < ITERATIONS; i++) {
    double r[2];
    mismatch(&f, k.t1, k.t2, r);
    Vec3 step = newton_step(&k, r, least);
    const double length = vec3_norm(step);
    if (length > edge) step = vec3_scale(edge / length, step);
    f = feet_of(a, b, vec3_add(f.middle, step), reach);
    if (!f.found || vec3_distance(f.middle, guess) > far) return false;
    /* Feet near the border of two patches are known only to the mismatch of these: steps that no
     * longer shrink are as small as they get. */
    if (length < small || (length < 1e-6 * size && length > 0.5 * last)) break;
    last = length;
  }
  const Vec3 n = vec3_unit(vec3_sub(f.b.normal, f.a.normal));
  hit->point = f.middle;
  hit->normal = n;
  hit->gap = vec3_dot(vec3_sub(f.a.point, f.b.point), n);
  hit->spacing = larger_edge(a, b);
  hit->exact_normal = b->shape == NULL;
  hit->patch = -1;
  return vec3_dot(f.a.normal, f.b.normal) < -0.99;
}

bool contact_curvatures(const Side *a, const Side *b, Vec3 at, double reach, double k[2])
{
  const Feet f = feet_of(a, b, at, reach);
  if (!f.found || vec3_dot(f.a.normal, f.b.normal) > -0.99) return false;
  const Curvature c = curvature_at(a, b, &f, 0.1 * smaller_edge(a, b), reach);
  const double mean = 0.5 * (c.k11 + c.k22), half = 0.5 * (c.k11 - c.k22);
  const double root = sqrt(half * half + c.k12 * c.k12);
  k[0] = mean + root;
  k[1] = mean - root;
  return c.found;
}
