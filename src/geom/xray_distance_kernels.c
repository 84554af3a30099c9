#include "geom/xray_distance_kernels.h"

#include <float.h>

/* Squared distance of r from the segment between 0 and e. */
static inline double segment_distance2(Vec3 e, Vec3 r)
{
  double t = vec3_dot(e, r) / (vec3_norm2(e) + DBL_MIN);
  t = t < 0.0 ? 0.0 : t;
  t = t > 1.0 ? 1.0 : t;
  return vec3_norm2(vec3_axpy(r, -t, e));
}

/* Squared distance of p from a triangle; the arithmetic of triangle_foot, all of it always. */
static inline double triangle_distance2(const Corners *t, Vec3 p)
{
  const Vec3 ab = vec3_sub(t->b, t->a), bc = vec3_sub(t->c, t->b), ca = vec3_sub(t->a, t->c);
  const Vec3 ap = vec3_sub(p, t->a), bp = vec3_sub(p, t->b), cp = vec3_sub(p, t->c);
  const Vec3 n = vec3_cross(ca, ab);
  const double in_ab = vec3_dot(n, vec3_cross(ab, ap));
  const double in_bc = vec3_dot(n, vec3_cross(bc, bp));
  const double in_ca = vec3_dot(n, vec3_cross(ca, ap));
  const double least = in_ab < in_bc ? in_ab : in_bc;
  const double height = vec3_dot(n, ap);
  const double face = height * height / (vec3_norm2(n) + DBL_MIN);
  const double d_ab = segment_distance2(ab, ap), d_bc = segment_distance2(bc, bp);
  const double d_ca = segment_distance2(ca, cp);
  double edge = d_ab < d_bc ? d_ab : d_bc;
  edge = d_ca < edge ? d_ca : edge;
  return (least < in_ca ? least : in_ca) > 0.0 ? face : edge;
}

int voxel_nearest(const VoxelList *list, Vec3 p)
{
  int best = -1;
  double best2 = INFINITY, reach = INFINITY;
  for (int k = 0; k < list->n; k++) {
    const double least = list->entry[k].distance - list->off;
    if (least >= reach) {
      /* The order is right to a bin; beyond that nothing nearer follows. */
      if (least >= reach + list->bin_width) break;
      continue;
    }
    const int t = list->entry[k].triangle;
    const BoundSphere b = list->bound[t];
    const double x = p.x - b.x, y = p.y - b.y, z = p.z - b.z, sure = reach + b.radius;
    if (x * x + y * y + z * z >= sure * sure) continue;
    const double d2 = triangle_distance2(&list->corners[t], p);
    if (d2 < best2) best2 = d2, best = t, reach = sqrt(d2);
  }
  return best;
}
