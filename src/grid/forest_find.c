/*
 * Who has the patch around a point?
 *
 * A point has whole coordinates in patches of the finest level, and with them a place on the
 * curve. The ranks' runs begin at known places of it, and so do the patches of a rank.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "grid/forest_impl.h"

#include <p8est_bits.h>

/* A place on the curve: a tree and a smallest quadrant in it. */
typedef struct {
  p4est_topidx_t tree;
  p8est_quadrant_t q;
} CurvePlace;

/*
 * The interval of n between lo and lo + n * edge that holds x, or -1. Its ends are those that
 * forest_corner says, bit for bit, so that patches and points agree on every face.
 */
static int32_t interval_of(double x, double lo, double edge, int32_t n)
{
  if (!(x >= lo && x <= lo + n * edge)) return -1;
  int32_t i = (int32_t)((x - lo) / edge);
  if (i > n - 1) i = n - 1;
  while (i + 1 < n && lo + (i + 1) * edge <= x) i++;
  while (i > 0 && lo + i * edge > x) i--;
  return i;
}

static bool place_of(const Forest *f, Vec3 x, CurvePlace *place)
{
  const int finest = f->spec.levels - 1, level = f->base + finest;
  const double edge = f->spec.patch * forest_spacing(f, finest);
  int32_t tree[3], in[3];
  for (int i = 0; i < 3; i++) {
    const int32_t at = interval_of(vec3_at(x, i), vec3_at(f->domain.box.lo, i), edge,
                                   f->domain.n[i] * (1 << finest));
    if (at < 0) return false;
    tree[i] = at >> level;
    in[i] = (at - tree[i] * (1 << level)) * (1 << (P8EST_MAXLEVEL - level));
  }
  const int nx = f->domain.n[0] >> f->base, ny = f->domain.n[1] >> f->base;
  place->tree = f->tree_at[(tree[2] * ny + tree[1]) * nx + tree[0]];
  place->q = (p8est_quadrant_t){.x = in[0], .y = in[1], .z = in[2], .level = P8EST_QMAXLEVEL};
  return true;
}

static bool is_after(const p8est_quadrant_t *first, const CurvePlace *place)
{
  if (first->p.which_tree != place->tree) return first->p.which_tree > place->tree;
  return p8est_quadrant_compare(first, &place->q) > 0;
}

int forest_owner(const Forest *f, Vec3 x)
{
  CurvePlace place;
  if (!place_of(f, x, &place)) return -1;
  /* The last rank that does not begin after it; those without patches begin where the next does. */
  int lo = 0, hi = f->p8est->mpisize - 1;
  while (lo < hi) {
    const int mid = lo + (hi - lo + 1) / 2;
    if (is_after(&f->p8est->global_first_position[mid], &place))
      hi = mid - 1;
    else
      lo = mid;
  }
  return lo;
}

LocalId forest_find(const Forest *f, Vec3 x)
{
  CurvePlace place;
  const p8est_t *p8est = f->p8est;
  if (!place_of(f, x, &place)) return -1;
  if (place.tree < p8est->first_local_tree || place.tree > p8est->last_local_tree) return -1;
  p8est_tree_t *tree = p8est_tree_array_index(p8est->trees, place.tree);
  size_t lo = 0, hi = tree->quadrants.elem_count;
  /* The number of patches that begin at the place or before it. */
  while (lo < hi) {
    const size_t mid = lo + (hi - lo) / 2;
    if (p8est_quadrant_compare(p8est_quadrant_array_index(&tree->quadrants, mid), &place.q) > 0)
      hi = mid;
    else
      lo = mid + 1;
  }
  if (lo == 0) return -1;
  const p8est_quadrant_t *q = p8est_quadrant_array_index(&tree->quadrants, lo - 1);
  const int down = P8EST_MAXLEVEL - q->level;
  const bool holds = q->x >> down == place.q.x >> down && q->y >> down == place.q.y >> down &&
                     q->z >> down == place.q.z >> down;
  return holds ? tree->quadrants_offset + (LocalId)(lo - 1) : -1;
}
