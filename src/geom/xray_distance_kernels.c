#include "geom/xray_distance_kernels.h"

#include <float.h>

/* Entries looked at together, and triangles measured together. */
#define CHUNK 64
#define LANES 8

/* Corners of some triangles relative to the query point, one component per row. */
typedef struct {
  double ax[LANES], ay[LANES], az[LANES];
  double bx[LANES], by[LANES], bz[LANES];
  double cx[LANES], cy[LANES], cz[LANES];
} CornerRows;

/* Squared distance of the origin from the segment that runs from a along e. */
static inline double segment_distance2(Vec3 a, Vec3 e)
{
  double t = -vec3_dot(e, a) / (vec3_norm2(e) + DBL_MIN);
  t = t > 0.0 ? t : 0.0;
  t = t < 1.0 ? t : 1.0;
  return vec3_norm2(vec3_axpy(a, t, e));
}

/* Squared distances of the origin; the arithmetic of triangle_foot, all of it for every lane. */
static void distances2(const CornerRows *r, double d2[LANES])
{
#pragma omp simd
  for (int k = 0; k < LANES; k++) {
    const Vec3 a = {r->ax[k], r->ay[k], r->az[k]}, b = {r->bx[k], r->by[k], r->bz[k]};
    const Vec3 c = {r->cx[k], r->cy[k], r->cz[k]};
    const Vec3 ab = vec3_sub(b, a), bc = vec3_sub(c, b), ca = vec3_sub(a, c);
    const Vec3 n = vec3_cross(ca, ab);
    const double in_ab = vec3_dot(n, vec3_cross(a, ab)), in_bc = vec3_dot(n, vec3_cross(b, bc));
    const double in_ca = vec3_dot(n, vec3_cross(a, ca));
    const double height = vec3_dot(n, a);
    const double face = height * height / (vec3_norm2(n) + DBL_MIN);
    const double d_ab = segment_distance2(a, ab), d_bc = segment_distance2(b, bc);
    const double d_ca = segment_distance2(c, ca);
    double least = in_ab < in_bc ? in_ab : in_bc, edge = d_ab < d_bc ? d_ab : d_bc;
    least = in_ca < least ? in_ca : least;
    edge = d_ca < edge ? d_ca : edge;
    d2[k] = least > 0.0 ? face : edge;
  }
}

typedef struct {
  int triangle;
  double distance2;
} Nearest;

/* Measure n triangles; the last one fills the lanes that are left. */
static Nearest measure(const VoxelList *list, Vec3 p, int n, const int32_t id[], Nearest best)
{
  for (int first = 0; first < n; first += LANES) {
    CornerRows rows;
    double d2[LANES];
    for (int k = 0; k < LANES; k++) {
      const Corners *t = &list->corners[id[first + k < n ? first + k : n - 1]];
      rows.ax[k] = t->a.x - p.x, rows.ay[k] = t->a.y - p.y, rows.az[k] = t->a.z - p.z;
      rows.bx[k] = t->b.x - p.x, rows.by[k] = t->b.y - p.y, rows.bz[k] = t->b.z - p.z;
      rows.cx[k] = t->c.x - p.x, rows.cy[k] = t->c.y - p.y, rows.cz[k] = t->c.z - p.z;
    }
    distances2(&rows, d2);
    for (int k = 0; k < LANES && first + k < n; k++)
      if (d2[k] < best.distance2) best = (Nearest){id[first + k], d2[k]};
  }
  return best;
}

/* How many of the entries from `first` on can matter, at most a chunk. */
static int worth_looking(const VoxelList *list, int first, double reach)
{
  const float most = (float)(reach + list->off + list->bin_width) * (1.0f + FLT_EPSILON);
  int n = 0;
  while (n < CHUNK && first + n < list->n && list->entry[first + n].distance < most) n++;
  return n;
}

int voxel_nearest(const VoxelList *list, Vec3 p)
{
  Nearest best = {-1, INFINITY};
  if (list->n == 0) return -1;
  const float px = (float)p.x, py = (float)p.y, pz = (float)p.z;
  const float rounding = 1e-6f * (fabsf(px) + fabsf(py) + fabsf(pz)) + list->rounding;
  /* The middle of the voxel is as near to its first triangle as the list says. */
  float reach = (list->entry[0].distance + (float)list->off) * (1.0f + 1e-5f) + rounding;
  for (int first = 0, n; (n = worth_looking(list, first, reach)) > 0; first += n) {
    float near[CHUNK], far[CHUNK];
    int32_t id[CHUNK];
    const VoxelEntry *entry = list->entry + first;
    for (int k = 0; k < n; k++) {
      const BoundSphere b = list->bound[entry[k].triangle];
      const float x = px - b.x, y = py - b.y, z = pz - b.z;
      far[k] = sqrtf(x * x + y * y + z * z);
      near[k] = far[k] - b.radius;
    }
    /* Spheres stand around the triangles' own middles, which are points of them. */
    for (int k = 0; k < n; k++) reach = far[k] + rounding < reach ? far[k] + rounding : reach;
    int kept = 0;
    for (int k = 0; k < n; k++) {
      id[kept] = entry[k].triangle;
      kept += near[k] - rounding <= reach;
    }
    best = measure(list, p, kept, id, best);
  }
  return best.triangle;
}
