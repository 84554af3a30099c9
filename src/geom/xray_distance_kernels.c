#include "geom/xray_distance_kernels.h"

/* Entries looked at together; as many bits of a key tell which one it is. */
#define CHUNK_BITS 7
#define CHUNK (1 << CHUNK_BITS)

/* Lower bounds are counted in this part of a voxel, rounded down; they stay below 2^24. */
#define STEPS_PER_VOXEL 1e6f
#define MOST_STEPS 16777215.0f

/* What slopes are rounded to, and their own error. */
#define SLOPE_ROUNDING (0.5f / SLOPE_UNIT + 0.003f)

/* Entries are taken by so many; what is read beyond a list is still within the x-ray. */
#define LANES 16

/* Lower bounds of n distances and, in the low bits, whose they are. */
static void lower_bounds(const VoxelList *list, int first, int n, const float r[3],
                         int32_t *restrict key)
{
  const VoxelEntry *restrict e = list->entry + first;
  const int8_t *restrict x = list->slope + first, *restrict y = x + list->n,
                         *restrict z = y + list->n;
  const float scale = STEPS_PER_VOXEL / list->size;
  const float u = r[0] * scale / SLOPE_UNIT, v = r[1] * scale / SLOPE_UNIT;
  const float w = r[2] * scale / SLOPE_UNIT;
  const float margin = scale * SLOPE_ROUNDING * (fabsf(r[0]) + fabsf(r[1]) + fabsf(r[2]));
  const int end = (n + LANES - 1) / LANES * LANES;
#pragma omp simd simdlen(LANES)
  for (int k = 0; k < end; k++) {
    float steps = e[k].distance * scale - margin + (u * x[k] + v * y[k] + w * z[k]);
    steps = steps > 0.0f ? steps : 0.0f;
    steps = steps < MOST_STEPS ? steps : MOST_STEPS;
    key[k] = k < n ? ((int32_t)steps << CHUNK_BITS) + k : INT32_MAX;
  }
}

/* Of whole lanes, so that no rest is left to single steps. */
static int32_t least_of(int n, const int32_t key[])
{
  const int end = (n + LANES - 1) / LANES * LANES;
  int32_t least = INT32_MAX;
#pragma omp simd reduction(min : least)
  for (int k = 0; k < end; k++) least = key[k] < least ? key[k] : least;
  return least;
}

/* The key above which nothing is nearer than d. */
static int32_t key_above(const VoxelList *list, double d)
{
  const double steps = d * (STEPS_PER_VOXEL / list->size) * (1.0 + 1e-6) + 2.0;
  return steps < MOST_STEPS ? ((int32_t)steps << CHUNK_BITS) + CHUNK - 1 : INT32_MAX;
}

static void try_entry(const VoxelList *list, int at, Vec3 p, int *best, TriangleFoot *foot)
{
  const int t = list->entry[at].triangle;
  const TriangleFoot f = triangle_foot(&list->corners[t], p);
  if (f.distance2 >= foot->distance2) return;
  *foot = f;
  *best = t;
}

/* Measure the entry of least bound first, then those that it does not rule out. */
static void search_chunk(const VoxelList *list, int first, int n, const int32_t key[], Vec3 p,
                         int *best, TriangleFoot *foot)
{
  const int32_t least = least_of(n, key);
  if (least > key_above(list, sqrt(foot->distance2))) return;
  const int seed = least & (CHUNK - 1);
  try_entry(list, first + seed, p, best, foot);
  int32_t limit = key_above(list, sqrt(foot->distance2));
  int left[CHUNK], n_left = 0;
  for (int k = 0; k < n; k++) {
    left[n_left] = k;
    n_left += key[k] <= limit;
  }
  for (int i = 0; i < n_left; i++) {
    const int k = left[i];
    if (k == seed || key[k] > limit) continue;
    const double before = foot->distance2;
    try_entry(list, first + k, p, best, foot);
    if (foot->distance2 < before) limit = key_above(list, sqrt(foot->distance2));
  }
}

int voxel_nearest(const VoxelList *list, Vec3 p, Vec3 r, TriangleFoot *foot)
{
  int best = -1;
  foot->distance2 = INFINITY;
  const float off[3] = {(float)r.x, (float)r.y, (float)r.z};
  const double slack = list->bin_width + vec3_norm(r) * (1.0 + 1e-6);
  for (int first = 0; first < list->n; first += CHUNK) {
    int32_t key[CHUNK];
    const int n = list->n - first < CHUNK ? list->n - first : CHUNK;
    if (list->entry[first].distance - slack > sqrt(foot->distance2)) break;
    lower_bounds(list, first, n, off, key);
    search_chunk(list, first, n, key, p, &best, foot);
  }
  return best;
}
