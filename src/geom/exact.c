#include "geom/exact.h"

/* A sum of doubles, the smaller first, none overlapping another: a number without rounding. */
enum { MOST_PARTS = 192 };

typedef struct {
  int n;
  double part[MOST_PARTS];
} Exact;

/* Add a double in place; parts that are zero leave. */
static void exact_add(Exact *e, double b)
{
  double sum = b;
  int kept = 0;
  for (int i = 0; i < e->n; i++) {
    const double a = e->part[i], s = sum + a, back = s - sum;
    const double lost = (sum - (s - back)) + (a - back);
    sum = s;
    if (lost != 0.0) e->part[kept++] = lost;
  }
  if (sum != 0.0) e->part[kept++] = sum;
  e->n = kept;
}

static void exact_set_difference(Exact *e, double a, double b)
{
  e->n = 0;
  exact_add(e, a);
  exact_add(e, -b);
}

/* e + sign * f * g */
static void exact_add_product(Exact *e, double sign, const Exact *f, const Exact *g)
{
  for (int i = 0; i < f->n; i++) {
    for (int j = 0; j < g->n; j++) {
      const double p = f->part[i] * g->part[j], lost = fma(f->part[i], g->part[j], -p);
      exact_add(e, sign * lost);
      exact_add(e, sign * p);
    }
  }
}

static double exact_value(const Exact *e)
{
  double sum = 0.0;
  for (int i = 0; i < e->n; i++) sum += e->part[i];
  return sum;
}

typedef struct {
  Exact x, y, z;
} Exact3;

static void exact3_difference(Exact3 *e, Vec3 a, Vec3 b)
{
  exact_set_difference(&e->x, a.x, b.x);
  exact_set_difference(&e->y, a.y, b.y);
  exact_set_difference(&e->z, a.z, b.z);
}

static void exact3_cross(Exact3 *e, const Exact3 *f, const Exact3 *g)
{
  e->x.n = e->y.n = e->z.n = 0;
  exact_add_product(&e->x, 1.0, &f->y, &g->z);
  exact_add_product(&e->x, -1.0, &f->z, &g->y);
  exact_add_product(&e->y, 1.0, &f->z, &g->x);
  exact_add_product(&e->y, -1.0, &f->x, &g->z);
  exact_add_product(&e->z, 1.0, &f->x, &g->y);
  exact_add_product(&e->z, -1.0, &f->y, &g->x);
}

static double volume_in_full(Vec3 a, Vec3 b, Vec3 c, Vec3 d)
{
  Exact3 ab, ac, ad, normal;
  exact3_difference(&ab, b, a);
  exact3_difference(&ac, c, a);
  exact3_difference(&ad, d, a);
  exact3_cross(&normal, &ab, &ac);
  Exact volume = {.n = 0};
  exact_add_product(&volume, 1.0, &normal.x, &ad.x);
  exact_add_product(&volume, 1.0, &normal.y, &ad.y);
  exact_add_product(&volume, 1.0, &normal.z, &ad.z);
  return exact_value(&volume);
}

/* In double precision, and what its rounding is measured against. */
static double volume_rounded(Vec3 a, Vec3 b, Vec3 c, Vec3 d, double *most)
{
  const Vec3 p = vec3_sub(b, a), q = vec3_sub(c, a), r = vec3_sub(d, a);
  *most = (fabs(p.y * q.z) + fabs(p.z * q.y)) * fabs(r.x) +
          (fabs(p.z * q.x) + fabs(p.x * q.z)) * fabs(r.y) +
          (fabs(p.x * q.y) + fabs(p.y * q.x)) * fabs(r.z);
  return vec3_dot(vec3_cross(p, q), r);
}

/* The bound of the rounding is 7.8e-16; a value good to nine digits has to be so much larger. */
#define SIGN_IS_SURE 8e-16
#define VALUE_IS_GOOD 1e-6

int exact_side(Vec3 a, Vec3 b, Vec3 c, Vec3 d)
{
  double most;
  double volume = volume_rounded(a, b, c, d, &most);
  if (!(fabs(volume) > SIGN_IS_SURE * most)) volume = volume_in_full(a, b, c, d);
  return (volume > 0.0) - (volume < 0.0);
}

double exact_volume(Vec3 a, Vec3 b, Vec3 c, Vec3 d)
{
  double most;
  const double volume = volume_rounded(a, b, c, d, &most);
  return fabs(volume) > VALUE_IS_GOOD * most ? volume : volume_in_full(a, b, c, d);
}

Vec3 exact_cross(Vec3 a, Vec3 b, Vec3 c, Vec3 d)
{
  Exact3 ab, cd, cross;
  exact3_difference(&ab, b, a);
  exact3_difference(&cd, d, c);
  exact3_cross(&cross, &ab, &cd);
  return vec3(exact_value(&cross.x), exact_value(&cross.y), exact_value(&cross.z));
}
