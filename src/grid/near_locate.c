#include "grid/near_locate.h"

#include "grid/near_locate_impl.h"

#include <float.h>
#include <string.h>

struct NearLocator {
  const NearGrid *grid; /* borrowed */
  LocateMap map;
  LocalId *block_start; /* owned */
  LocateBlock *block;   /* owned */
  LocateBox *box;       /* owned */
  LocatePlane *plane;   /* owned */
  RankMap ranks;        /* owned */
};

/* Bins and their entries are limited to so many per cell: together about as much as a hexahedron
 * takes in the grid itself. Fewer make longer lists, more do not shorten them much. */
enum { BINS_PER_CELL = 16, ENTRIES_PER_CELL = 16 };

LocateBox locate_box_empty(void)
{
  return (LocateBox){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
}

LocateBox locate_box_join(LocateBox a, LocateBox b)
{
  for (int i = 0; i < 3; i++) {
    if (b.lo[i] < a.lo[i]) a.lo[i] = b.lo[i];
    if (b.hi[i] > a.hi[i]) a.hi[i] = b.hi[i];
  }
  return a;
}

LocateBins locate_bins(LocateBox box, double h)
{
  enum { MOST_ALONG = 1 << 20 };
  LocateBins bins = {.box = box};
  for (int i = 0; i < 3; i++) {
    const double length = (double)box.hi[i] - (double)box.lo[i];
    if (!(length >= 0.0)) return (LocateBins){.box = box};
    bins.n[i] = length > MOST_ALONG * h ? MOST_ALONG : length > h ? (int)(length / h) : 1;
    bins.per_length[i] = length > 0.0 ? LOCATE_STEPS * (bins.n[i] / length) : 0.0;
  }
  return bins;
}

double locate_bin_edge(const LocateBox *box, double most)
{
  double length[3], longest = 0.0;
  for (int i = 0; i < 3; i++) {
    length[i] = (double)box->hi[i] - (double)box->lo[i];
    if (length[i] > longest) longest = length[i];
  }
  for (double h = longest;; h *= 0.95) {
    double bins = 1.0;
    for (int i = 0; i < 3; i++) bins *= length[i] > h ? length[i] / h : 1.0;
    if (!(bins <= most)) return h / 0.95;
  }
}

BinRange locate_bin_range(const LocateBins *bins, const LocateBox *box)
{
  BinRange r;
  for (int i = 0; i < 3; i++) {
    r.first[i] = locate_step(bins, i, box->lo[i]) / LOCATE_STEPS;
    r.last[i] = locate_step(bins, i, box->hi[i]) / LOCATE_STEPS;
  }
  return r;
}

/* The float next to x or equal to it on the given side. */
static float round_to(double x, float side)
{
  const float f = (float)x;
  const bool good = side < 0 ? (double)f <= x : (double)f >= x;
  return good ? f : nextafterf(f, side);
}

/* The box of a cell, a hundredth larger at each side. */
static LocateBox box_of(const NearGrid *g, LocalId c)
{
  const double grow = 0.01;
  const bool counts = g->kind[c] == CELL_POLYHEDRON;
  Box box = box_empty();
  LocateBox rounded;
  for (LocalId i = g->corner_start[c]; i < g->corner_start[c + 1]; i++) {
    if (!counts) {
      box = box_add_point(box, g->vertex[g->corner[i]]);
      continue;
    }
    for (LocalId k = g->corner[i]; k > 0; k--) box = box_add_point(box, g->vertex[g->corner[++i]]);
  }
  const Vec3 size = box_size(box);
  for (int i = 0; i < 3; i++) {
    const double margin = grow * vec3_at(size, i);
    rounded.lo[i] = round_to(vec3_at(box.lo, i) - margin, -FLT_MAX);
    rounded.hi[i] = round_to(vec3_at(box.hi, i) + margin, FLT_MAX);
  }
  return rounded;
}

/*
 * The edge of bins. A box with edges e reaches into about (e_x / h + 1) (e_y / h + 1) (e_z / h + 1)
 * bins of edge h; summed over the cells that is a polynomial in 1 / h. Bins are made as small as
 * the limits allow.
 */
static double bin_edge(LocalId n, const LocateBox box[], const LocateBox *all)
{
  double sum[4] = {n, 0, 0, 0};
  for (LocalId c = 0; c < n; c++) {
    double e[3];
    for (int i = 0; i < 3; i++) e[i] = (double)box[c].hi[i] - (double)box[c].lo[i];
    sum[1] += e[0] + e[1] + e[2];
    sum[2] += e[0] * e[1] + e[1] * e[2] + e[2] * e[0];
    sum[3] += e[0] * e[1] * e[2];
  }
  double h = locate_bin_edge(all, (double)BINS_PER_CELL * n);
  for (;; h *= 1.05) {
    const double q = 1.0 / h, entries = sum[0] + q * (sum[1] + q * (sum[2] + q * sum[3]));
    if (entries <= (double)ENTRIES_PER_CELL * n) return h;
  }
}

/* The part of a box that is in a bin along one axis, in steps of the bin. */
static void put_steps(const LocateBins *bins, const LocateBox *box, int axis, int bin, uint8_t *lo,
                      uint8_t *hi)
{
  const int first = locate_step(bins, axis, box->lo[axis]) - bin * LOCATE_STEPS;
  const int last = locate_step(bins, axis, box->hi[axis]) - bin * LOCATE_STEPS;
  *lo = first < 0 ? 0 : (uint8_t)first;
  *hi = last >= LOCATE_STEPS ? LOCATE_STEPS - 1 : (uint8_t)last;
}

/* Note a cell in all bins of its range: count it, or put it where `at` says the next one goes. */
static void enter(const LocateBins *bins, const LocateBox *box, LocalId c, LocalId at[],
                  LocateBlock *block)
{
  const BinRange r = locate_bin_range(bins, box);
  for (int k = r.first[2]; k <= r.last[2]; k++)
    for (int j = r.first[1]; j <= r.last[1]; j++)
      for (int i = r.first[0]; i <= r.last[0]; i++) {
        const LocalId bin = ((LocalId)k * bins->n[1] + j) * bins->n[0] + i, e = at[bin]++;
        if (block == NULL) continue;
        LocateBlock *b = &block[e / LOCATE_BLOCK];
        const int slot = (int)(e % LOCATE_BLOCK);
        b->cell[slot] = c;
        const int along[3] = {i, j, k};
        for (int a = 0; a < 3; a++)
          put_steps(bins, box, a, along[a], &b->lo[a][slot], &b->hi[a][slot]);
      }
}

/* Count, divide, fill. */
static PetscErrorCode FillBins(NearLocator *l)
{
  PetscFunctionBeginUser;
  const LocateBins *bins = &l->map.bins;
  const LocateBox *box = l->box;
  const LocalId n_bins = locate_n_bins(bins), n = l->grid->n_own;
  LocalId *at = NULL;
  PetscCall(PetscCalloc1(n_bins, &at));
  PetscCall(PetscMalloc1(n_bins + 1, &l->block_start));
  for (LocalId c = 0; c < n; c++) enter(bins, &box[c], c, at, NULL);
  l->block_start[0] = 0;
  for (LocalId b = 0; b < n_bins; b++) {
    l->block_start[b + 1] = l->block_start[b] + (at[b] + LOCATE_BLOCK - 1) / LOCATE_BLOCK;
    at[b] = l->block_start[b] * LOCATE_BLOCK;
  }
  PetscCall(PetscMalloc1(l->block_start[n_bins], &l->block));
  for (LocalId b = 0; b < l->block_start[n_bins]; b++) {
    memset(l->block[b].lo, LOCATE_STEPS - 1, sizeof l->block[b].lo);
    memset(l->block[b].hi, 0, sizeof l->block[b].hi);
  }
  for (LocalId c = 0; c < n; c++) enter(bins, &box[c], c, at, l->block);
  PetscCall(PetscFree(at));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The plane of a face as its cell sees it. A face without area bounds nothing. */
static LocatePlane plane_of(const NearGrid *g, LocalId k)
{
  const LocalId f = g->face[k];
  const Vec3 n = vec3_scale(g->face_sign[k], vec3_unit(vec3(g->sx[f], g->sy[f], g->sz[f])));
  const double d = n.x * g->fx[f] + n.y * g->fy[f] + n.z * g->fz[f];
  return (LocatePlane){{n.x, n.y, n.z}, vec3_norm2(n) > 0.0 ? d : INFINITY};
}

/* Planes of each cell, by falling area. The order decides only how soon a cell is left. */
static PetscErrorCode FindPlanes(NearLocator *l)
{
  PetscFunctionBeginUser;
  const NearGrid *g = l->grid;
  PetscCall(PetscMalloc1(g->n_own > 0 ? g->face_start[g->n_own] : 0, &l->plane));
  for (LocalId c = 0; c < g->n_own; c++) {
    const LocalId first = g->face_start[c];
    for (LocalId k = first; k < g->face_start[c + 1]; k++) {
      const LocalId f = g->face[k];
      const double area = vec3_norm2(vec3(g->sx[f], g->sy[f], g->sz[f]));
      LocalId place = first;
      for (LocalId m = first; m < g->face_start[c + 1]; m++) {
        const LocalId o = g->face[m];
        const double other = vec3_norm2(vec3(g->sx[o], g->sy[o], g->sz[o]));
        place += other > area || (other == area && m < k);
      }
      l->plane[place] = plane_of(g, k);
    }
  }
  l->map.plane = l->plane;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode NearLocatorCreate(const NearGrid *grid, NearLocator **locator)
{
  PetscFunctionBeginUser;
  NearLocator *l = NULL;
  LocateBox all = locate_box_empty();
  PetscCall(PetscNew(&l));
  l->grid = grid;
  PetscCall(PetscMalloc1(grid->n_own, &l->box));
  for (LocalId c = 0; c < grid->n_own; c++) {
    l->box[c] = box_of(grid, c);
    all = locate_box_join(all, l->box[c]);
  }
  l->map.bins = locate_bins(all, grid->n_own > 0 ? bin_edge(grid->n_own, l->box, &all) : 1.0);
  PetscCall(FillBins(l));
  PetscCall(FindPlanes(l));
  PetscCall(RankMapCreate(grid->comm, grid->n_own, l->box, &l->ranks));
  l->map.block_start = l->block_start;
  l->map.block = l->block;
  l->map.box = l->box;
  l->map.plane_start = grid->face_start;
  *locator = l;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode NearLocatorDestroy(NearLocator **locator)
{
  PetscFunctionBeginUser;
  NearLocator *l = *locator;
  if (l == NULL) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscFree(l->block_start));
  PetscCall(PetscFree(l->block));
  PetscCall(PetscFree(l->box));
  PetscCall(PetscFree(l->plane));
  PetscCall(RankMapDestroy(&l->ranks));
  PetscCall(PetscFree(*locator));
  PetscFunctionReturn(PETSC_SUCCESS);
}

int near_locator_ranks(const NearLocator *l, Vec3 p, int most, int rank[])
{
  const RankMap *map = &l->ranks;
  const float at[3] = {(float)p.x, (float)p.y, (float)p.z};
  uint8_t step[3];
  const LocalId bin = locate_bin(&map->bins, at, step);
  if (bin < 0) return 0;
  const int first = map->start[bin], n = map->start[bin + 1] - first;
  for (int k = 0; k < n && k < most; k++) rank[k] = map->rank[first + k];
  return n < most ? n : most;
}

int near_locator_most_ranks(const NearLocator *l)
{
  return l->ranks.most;
}

NearPlace near_locator_find(const NearLocator *l, Vec3 p)
{
  NearPlace place;
  locate_find(&l->map, 1, &p, &place.cell, &place.excess);
  return place;
}

void near_locator_find_many(const NearLocator *l, int n, const Vec3 p[], NearPlace place[])
{
  enum { BATCH = 64 };
  LocalId cell[BATCH];
  double excess[BATCH];
  for (int first = 0; first < n; first += BATCH) {
    const int m = n - first < BATCH ? n - first : BATCH;
    locate_find(&l->map, m, p + first, cell, excess);
    for (int i = 0; i < m; i++) place[first + i] = (NearPlace){cell[i], excess[i]};
  }
}

size_t near_locator_memory(const NearLocator *l)
{
  const LocalId bins = locate_n_bins(&l->map.bins), ranks = locate_n_bins(&l->ranks.bins);
  const LocalId planes = l->grid->n_own > 0 ? l->grid->face_start[l->grid->n_own] : 0;
  return sizeof *l + (size_t)(bins + 1) * sizeof *l->block_start +
         (size_t)l->block_start[bins] * sizeof *l->block + (size_t)planes * sizeof *l->plane +
         (size_t)l->grid->n_own * sizeof *l->box + (size_t)(ranks + 1) * sizeof(int) +
         (size_t)l->ranks.start[ranks] * sizeof(int);
}
