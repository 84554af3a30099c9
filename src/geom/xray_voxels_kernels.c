#include "geom/xray_voxels_kernels.h"

#include <float.h>

/* A triangle thinner than the square root of this, of its length, is as good as its edges: single
 * precision would make its normal up. */
#define NEEDLE 1e-11f

typedef struct {
  float x, y, z;
} Vec3f;

static inline Vec3f sub(Vec3f a, Vec3f b)
{
  return (Vec3f){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline float dot(Vec3f a, Vec3f b)
{
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline Vec3f cross(Vec3f a, Vec3f b)
{
  return (Vec3f){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/* The point of the segment from a along e that is nearest to the origin. */
static inline Vec3f segment_foot(Vec3f a, Vec3f e)
{
  float t = -dot(e, a) / (dot(e, e) + FLT_MIN);
  t = t > 0.0f ? t : 0.0f;
  t = t < 1.0f ? t : 1.0f;
  return (Vec3f){a.x + t * e.x, a.y + t * e.y, a.z + t * e.z};
}

static inline Vec3f nearer(Vec3f a, Vec3f b)
{
  const bool second = dot(b, b) < dot(a, a);
  return (Vec3f){second ? b.x : a.x, second ? b.y : a.y, second ? b.z : a.z};
}

/* The point of a triangle that is nearest to the origin; everything is computed, then chosen. */
static inline Vec3f nearest_to_origin(Vec3f a, Vec3f b, Vec3f c)
{
  const Vec3f ab = sub(b, a), bc = sub(c, b), ca = sub(a, c);
  const Vec3f n = cross(ca, ab);
  const float in_ab = dot(n, cross(a, ab)), in_bc = dot(n, cross(b, bc)),
              in_ca = dot(n, cross(a, ca));
  const float n2 = dot(n, n), height = dot(n, a) / (n2 + FLT_MIN);
  const Vec3f edge = nearer(nearer(segment_foot(a, ab), segment_foot(b, bc)), segment_foot(c, ca));
  const float ab2 = dot(ab, ab), bc2 = dot(bc, bc), long2 = ab2 > bc2 ? ab2 : bc2;
  float least = in_ab < in_bc ? in_ab : in_bc;
  least = in_ca < least ? in_ca : least;
  const bool face = (least > 0.0f) & (n2 > NEEDLE * long2 * long2);
  return (Vec3f){face ? height * n.x : edge.x, face ? height * n.y : edge.y,
                 face ? height * n.z : edge.z};
}

/* Triangles measured together, one coordinate per row. */
#define BLOCK 64

typedef struct {
  float of[9][BLOCK];
} CornerRows;

/* Differences are taken in double, so that the middle may be far from the origin. */
static void gather(int n, const int32_t id[], const Corners corners[], Vec3 m, CornerRows *rows)
{
  for (int k = 0; k < n; k++) {
    const Corners *t = &corners[id[k]];
    rows->of[0][k] = (float)(t->a.x - m.x), rows->of[1][k] = (float)(t->a.y - m.y);
    rows->of[2][k] = (float)(t->a.z - m.z), rows->of[3][k] = (float)(t->b.x - m.x);
    rows->of[4][k] = (float)(t->b.y - m.y), rows->of[5][k] = (float)(t->b.z - m.z);
    rows->of[6][k] = (float)(t->c.x - m.x), rows->of[7][k] = (float)(t->c.y - m.y);
    rows->of[8][k] = (float)(t->c.z - m.z);
  }
}

static void measure(int n, const CornerRows *r, float touching, float *restrict d,
                    float *restrict x, float *restrict y, float *restrict z)
{
#pragma omp simd
  for (int k = 0; k < n; k++) {
    const Vec3f a = {r->of[0][k], r->of[1][k], r->of[2][k]};
    const Vec3f b = {r->of[3][k], r->of[4][k], r->of[5][k]};
    const Vec3f c = {r->of[6][k], r->of[7][k], r->of[8][k]};
    const Vec3f f = nearest_to_origin(a, b, c);
    const float length = sqrtf(dot(f, f));
    const float scale = length < touching ? 0.0f : -1.0f / (length + FLT_MIN);
    d[k] = length < touching ? 0.0f : length;
    x[k] = scale * f.x, y[k] = scale * f.y, z[k] = scale * f.z;
  }
}

void slopes_at(int n, const int32_t id[], const Corners corners[], Vec3 m, float touching,
               const Slopes *out)
{
  CornerRows rows;
  for (int k = 0; k < n; k += BLOCK) {
    const int block = n - k < BLOCK ? n - k : BLOCK;
    gather(block, id + k, corners, m, &rows);
    measure(block, &rows, touching, out->d + k, out->x + k, out->y + k, out->z + k);
  }
}

int slopes_seed(int n, const Slopes *s, const float r[3])
{
  const float *restrict d = s->d, *restrict x = s->x, *restrict y = s->y, *restrict z = s->z;
  const float rx = r[0], ry = r[1], rz = r[2];
  int seed = 0;
  float least = INFINITY;
  for (int first = 0; first < n; first += BLOCK) {
    const int block = n - first < BLOCK ? n - first : BLOCK;
    /* The squared distance less that of r; the point is m - d slope. */
    float value[BLOCK];
    for (int k = 0; k < block; k++) {
      const int i = first + k;
      value[k] = d[i] * (d[i] + 2.0f * (rx * x[i] + ry * y[i] + rz * z[i]));
    }
    for (int k = 0; k < block; k++)
      if (value[k] < least) least = value[k], seed = first + k;
  }
  return seed;
}

/* Slopes are good to this much. */
#define SLOPE_ERROR 0.01f

void slopes_mark(int n, const Slopes *s, const CubeView *cube, int32_t flag[])
{
  const CubeView c = *cube;
  const float *restrict d = s->d, *restrict x = s->x, *restrict y = s->y, *restrict z = s->z;
  int32_t *restrict out = flag;
  /* At the place q from the middle of the cube the known point bounds the distance from above by
   * distance + slope . q + q^2 / (2 distance), or by distance + |q|. */
  const float q2 = 3.0f * c.half * c.half, bend = 0.5f * q2 / (c.distance + FLT_MIN);
  const float reach = fabsf(c.r[0]) + fabsf(c.r[1]) + fabsf(c.r[2]) + 3.0f * c.half;
  const float margin = c.slack + SLOPE_ERROR * reach;
  const float plain = 2.0f * sqrtf(q2) + margin, tight = bend + margin;
  const float rx = c.r[0], ry = c.r[1], rz = c.r[2];
#pragma omp simd
  for (int k = 0; k < n; k++) {
    const float turn =
        fabsf(x[k] - c.slope[0]) + fabsf(y[k] - c.slope[1]) + fabsf(z[k] - c.slope[2]);
    const float most = c.half * turn + tight;
    const float lower = d[k] + (rx * x[k] + ry * y[k] + rz * z[k]) - c.distance;
    out[k] |= lower <= (most < plain ? most : plain) ? 1 : 0;
  }
}
