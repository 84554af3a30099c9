#include "grid/near_locate_kernels.h"

#include <string.h>

/* A word has a byte for each of eight cells: 1 where its steps hold the point's. */
enum { WORDS = LOCATE_BLOCK / 8 };

static inline void block_hits(const LocateBlock *b, const uint8_t p[3], uint64_t hits[WORDS])
{
  uint8_t in[LOCATE_BLOCK];
  const uint8_t x = p[0], y = p[1], z = p[2];
#pragma omp simd
  for (int k = 0; k < LOCATE_BLOCK; k++)
    in[k] = (b->lo[0][k] <= x) & (b->hi[0][k] >= x) & (b->lo[1][k] <= y) & (b->hi[1][k] >= y) &
            (b->lo[2][k] <= z) & (b->hi[2][k] >= z);
  memcpy(hits, in, sizeof in);
}

/* Put the cells of a block that may hold the point behind the first n of a list; returns how many
 * there are then. */
static inline int list_block(const LocateBlock *b, const uint8_t p[3], int n, LocalId list[])
{
  uint64_t hits[WORDS];
  block_hits(b, p, hits);
  for (int w = 0; w < WORDS; w++)
    for (uint64_t h = hits[w]; h != 0; h &= h - 1)
      list[n++] = b->cell[8 * w + __builtin_ctzll(h) / 8];
  return n;
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
  /* The bytes let a little more pass than the box; only a winner has to be looked at again. */
  const float at[3] = {(float)p.x, (float)p.y, (float)p.z};
  return locate_box_holds(&map->box[c], at) ? (Best){c, most} : best;
}

/* All at once: what a bin with too many cells for the list below comes to. */
static Best find_in_bin(const LocateMap *map, LocalId bin, const uint8_t step[3], Vec3 p)
{
  Best best = {-1, INFINITY};
  for (LocalId b = map->block_start[bin]; b < map->block_start[bin + 1]; b++) {
    LocalId list[LOCATE_BLOCK];
    const int n = list_block(&map->block[b], step, 0, list);
    for (int k = 0; k < n; k++) best = better_of(map, best, list[k], p);
  }
  return best;
}

/*
 * Points are worked on in batches, one stage for all of them before the next: bins, blocks,
 * planes. Each stage calls for the memory of the next, which is far away if points are.
 */
enum { BATCH = 32, CELLS = 12 * BATCH, LINE = 64 };

typedef struct {
  LocalId bin[BATCH];
  uint8_t step[BATCH][3];
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
    batch->bin[i] = locate_bin(&map->bins, at, batch->step[i]);
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

/* The same for all blocks of a bin, until the list is full. */
static int list_bin(const LocateMap *map, LocalId bin, const uint8_t step[3], int n, LocalId list[])
{
  const int first = n;
  for (LocalId b = map->block_start[bin]; b < map->block_start[bin + 1] && n < CELLS; b++)
    n = list_block(&map->block[b], step, n, list);
  for (int k = first; k < n; k++) {
    const LocalId *start = &map->plane_start[list[k]];
    call_for(map->plane + start[0], map->plane + start[1]);
  }
  return n;
}

static void list_cells(const LocateMap *map, int n, Batch *batch)
{
  int filled = 0;
  for (int i = 0; i < n; i++) {
    batch->start[i] = filled;
    const int end = batch->bin[i] < 0
                        ? filled
                        : list_bin(map, batch->bin[i], batch->step[i], filled, batch->cell);
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
  list_cells(map, n, &batch);
  for (int i = 0; i < n; i++) {
    Best best = {-1, INFINITY};
    if (batch.crowded[i]) best = find_in_bin(map, batch.bin[i], batch.step[i], p[i]);
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
