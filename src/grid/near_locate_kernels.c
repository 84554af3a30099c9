#include "grid/near_locate_kernels.h"

/* Bit k is set where box k of the block holds the point. */
static inline unsigned block_hits(const LocateBlock *b, float x, float y, float z)
{
  static const int bit[LOCATE_BLOCK] = {1, 2, 4, 8, 16, 32, 64, 128};
  int mask = 0;
#pragma omp simd reduction(| : mask)
  for (int k = 0; k < LOCATE_BLOCK; k++) {
    const int in = (b->lo[0][k] <= x) & (b->hi[0][k] >= x) & (b->lo[1][k] <= y) &
                   (b->hi[1][k] >= y) & (b->lo[2][k] <= z) & (b->hi[2][k] >= z);
    mask |= in ? bit[k] : 0;
  }
  return (unsigned)mask;
}

static inline double distance(const LocatePlane *s, Vec3 p)
{
  return s->n[0] * p.x + s->n[1] * p.y + s->n[2] * p.z - s->d;
}

typedef struct {
  LocalId cell;
  double excess;
} Best;

/* A cell is left as soon as one of its planes says more than the best has: it cannot win. */
static inline Best better_of(const LocateMap *map, Best best, LocalId c, Vec3 p)
{
  const LocatePlane *s = map->plane + map->plane_start[c];
  const LocatePlane *const end = map->plane + map->plane_start[c + 1];
  double most = -INFINITY;
  for (; s < end; s++) {
    const double d = distance(s, p);
    most = d > most ? d : most;
    if (most > best.excess) return best;
  }
  if (most == best.excess && best.cell >= 0 && best.cell < c) return best;
  return (Best){c, most};
}

/* All at once: what a bin with too many cells for the list below comes to. */
static Best find_in_bin(const LocateMap *map, LocalId bin, Vec3 p)
{
  Best best = {-1, INFINITY};
  const float x = (float)p.x, y = (float)p.y, z = (float)p.z;
  for (LocalId b = map->block_start[bin]; b < map->block_start[bin + 1]; b++)
    for (unsigned hits = block_hits(&map->block[b], x, y, z); hits != 0; hits &= hits - 1)
      best = better_of(map, best, map->block[b].cell[__builtin_ctz(hits)], p);
  return best;
}

/*
 * Points are worked on in batches, one stage for all of them before the next: bins, blocks, boxes,
 * planes. Each stage calls for the memory of the next, which is far away if points are.
 */
enum { BATCH = 32, CELLS = 12 * BATCH, LINE = 64 };

typedef struct {
  LocalId bin[BATCH];
  int start[BATCH + 1]; /* of the cells of a point */
  bool crowded[BATCH];  /* too many: they are not in the list */
  LocalId cell[CELLS + LOCATE_BLOCK];
} Batch;

static void call_for(const void *from, const void *to)
{
  for (const char *at = from; at < (const char *)to; at += LINE) __builtin_prefetch(at);
}

static void find_bins(const LocateMap *map, int n, const Vec3 p[], Batch *batch)
{
  for (int i = 0; i < n; i++) {
    const float at[3] = {(float)p[i].x, (float)p[i].y, (float)p[i].z};
    batch->bin[i] = locate_bin(&map->bins, at);
    if (batch->bin[i] >= 0) __builtin_prefetch(&map->block_start[batch->bin[i]]);
  }
}

static void call_for_blocks(const LocateMap *map, int n, const Batch *batch)
{
  enum { MOST = 4 };
  for (int i = 0; i < n; i++) {
    if (batch->bin[i] < 0) continue;
    const LocalId *start = &map->block_start[batch->bin[i]];
    const LocalId end = start[1] - start[0] > MOST ? start[0] + MOST : start[1];
    call_for(map->block + start[0], map->block + end);
  }
}

/* The cells whose boxes hold a point, behind the first `n` of the list; returns how many then. */
static int list_cells(const LocateMap *map, LocalId bin, Vec3 p, int n, LocalId list[])
{
  const float x = (float)p.x, y = (float)p.y, z = (float)p.z;
  for (LocalId b = map->block_start[bin]; b < map->block_start[bin + 1] && n < CELLS; b++)
    for (unsigned hits = block_hits(&map->block[b], x, y, z); hits != 0; hits &= hits - 1) {
      const LocalId c = map->block[b].cell[__builtin_ctz(hits)];
      __builtin_prefetch(map->plane + map->plane_start[c]);
      list[n++] = c;
    }
  return n;
}

static void test_boxes(const LocateMap *map, int n, const Vec3 p[], Batch *batch)
{
  int filled = 0;
  for (int i = 0; i < n; i++) {
    batch->start[i] = filled;
    const int end =
        batch->bin[i] < 0 ? filled : list_cells(map, batch->bin[i], p[i], filled, batch->cell);
    batch->crowded[i] = end >= CELLS;
    if (!batch->crowded[i]) filled = end;
  }
  batch->start[n] = filled;
}

static void find_batch(const LocateMap *map, int n, const Vec3 *restrict p, LocalId *restrict cell,
                       double *restrict excess)
{
  Batch batch;
  find_bins(map, n, p, &batch);
  call_for_blocks(map, n, &batch);
  test_boxes(map, n, p, &batch);
  for (int i = 0; i < n; i++) {
    Best best = {-1, INFINITY};
    if (batch.crowded[i]) best = find_in_bin(map, batch.bin[i], p[i]);
    for (int k = batch.start[i]; k < batch.start[i + 1]; k++)
      best = better_of(map, best, batch.cell[k], p[i]);
    cell[i] = best.cell;
    excess[i] = best.excess;
  }
}

void locate_find(const LocateMap *map, int n, const Vec3 *restrict p, LocalId *restrict cell,
                 double *restrict excess)
{
  for (int first = 0; first < n; first += BATCH)
    find_batch(map, n - first < BATCH ? n - first : BATCH, p + first, cell + first, excess + first);
}
