#include "grid/ring.h"

static void reverse(LocalId *from, LocalId *to)
{
  for (; from < to; from++, to--) {
    const LocalId kept = *from;
    *from = *to;
    *to = kept;
  }
}

RingMetric ring_metric(int n, const LocalId ring[], const Vec3 at[])
{
  const Vec3 a = at[ring[0]];
  RingMetric m = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
  double total = 0.0;
  Vec3 mean = {0, 0, 0}, plain = {0, 0, 0};
  for (int i = 1; i + 1 < n; i++) {
    const Vec3 b = at[ring[i]], c = at[ring[i + 1]];
    const Vec3 s = vec3_scale(0.5, vec3_cross(vec3_sub(b, a), vec3_sub(c, a)));
    const Vec3 center = vec3_scale(1.0 / 3.0, vec3_add(a, vec3_add(b, c)));
    const double size = vec3_norm(s);
    m.area = vec3_add(m.area, s);
    m.moment = vec3_add(m.moment, vec3_cross(center, s));
    mean = vec3_axpy(mean, size, vec3_sub(center, a));
    plain = vec3_axpy(plain, 1.0 / (n - 2), vec3_sub(center, a));
    total += size;
  }
  m.center = vec3_add(a, total > 0.0 ? vec3_scale(1.0 / total, mean) : plain);
  return m;
}

RingPyramid ring_pyramid(Vec3 apex, int n, const LocalId ring[], const Vec3 at[])
{
  RingPyramid sum = {0.0, {0, 0, 0}};
  const Vec3 a = vec3_sub(at[ring[0]], apex);
  for (int i = 1; i + 1 < n; i++) {
    const Vec3 b = vec3_sub(at[ring[i]], apex), c = vec3_sub(at[ring[i + 1]], apex);
    const double volume = vec3_dot(a, vec3_cross(b, c)) / 6.0;
    sum.volume += volume;
    sum.moment = vec3_axpy(sum.moment, 0.25 * volume, vec3_add(a, vec3_add(b, c)));
  }
  return sum;
}

void ring_begin_lowest(int n, LocalId ring[])
{
  int low = 0;
  for (int i = 1; i < n; i++)
    if (ring[i] < ring[low]) low = i;
  if (low == 0) return;

  /* A turn is three reversals. */
  reverse(ring, ring + low - 1);
  reverse(ring + low, ring + n - 1);
  reverse(ring, ring + n - 1);
}

void ring_reverse(int n, LocalId ring[])
{
  reverse(ring + 1, ring + n - 1);
}

bool ring_is_flat(int n, const LocalId ring[], const Vec3 at[], double size)
{
  const double rounding = 1e-13;
  double area = 0.0, reach = 0.0;
  for (int i = 1; i < n; i++) {
    const Vec3 b = vec3_sub(at[ring[i]], at[ring[0]]);
    const Vec3 c = vec3_sub(at[ring[(i + 1) % n]], at[ring[0]]);
    const double length = vec3_norm(b);
    reach = length > reach ? length : reach;
    area += 0.5 * vec3_norm(vec3_cross(b, c));
  }
  return area <= rounding * reach * size;
}
