/*
 * Which cells of near-body grids are computed. A grid that no other comes near keeps what it has.
 */
#include "overset/overset_impl.h"

/* What a cell is before its neighbours are asked. */
enum { OPEN, RECEIVES, YIELDS, SOLID };

/* What it is afterwards: layers of fringe, and cells that are computed in the next step only. */
enum { FRINGE_FIRST = 10, LATE = 20 };

/* Both sides of a seam are computed for about two cells, so that donors lie among computed cells.
 */
static double seam(const OversetPart *a, const OversetPart *b)
{
  return cover_slack(a->map) + cover_slack(b->map) + a->map->cell + b->map->cell;
}

/* Does grid a take the place x of the world away from grid b, which is `own` from its wall? */
static int taken(const OversetPart *a, Vec3 x, double own, double margin)
{
  const Vec3 p = frame_to_body(&a->frame, x);
  const Cover c = cover_at(a->map, p);
  if (c.depth <= 0.0F) return OPEN;
  if (isinf(c.depth) || part_is_solid(a, p)) return SOLID;
  return c.wall + margin < own ? YIELDS : OPEN;
}

static Vec3 center(const NearGrid *g, LocalId c)
{
  return vec3(g->x[c], g->y[c], g->z[c]);
}

static void mark_static(OversetPart *b)
{
  for (LocalId c = 0; c < b->of.grid->n_own; c++)
    b->number[c] = b->map->layer[c] < COVER_FRINGE ? RECEIVES : OPEN;
}

static void mark_taken(const Overset *s, const OversetPart *a, OversetPart *b)
{
  const NearGrid *g = b->of.grid;
  const double margin = seam(a, b);
  (void)s;
  for (LocalId c = 0; c < g->n_own; c++) {
    const Vec3 p = center(g, c), x = frame_to_world(&b->frame, p);
    if (!box_contains(a->box_w, x)) continue;
    const int now = taken(a, x, cover_at(b->map, p).wall, margin);
    if (now > b->number[c]) b->number[c] = now;
  }
}

static PetscErrorCode share(OversetPart *b)
{
  PetscFunctionBeginUser;
  double *const field[] = {b->number};
  PetscCall(ExchangeUpdate(b->of.grid->halo, 1, 1, field));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Cells whose stencil would reach into a solid are not computed. */
static PetscErrorCode keep_off_solids(OversetPart *b)
{
  PetscFunctionBeginUser;
  const NearGrid *g = b->of.grid;
  for (int k = 0; k < COVER_FRINGE; k++) {
    PetscCall(share(b));
    for (LocalId f = 0; f < g->n_interior; f++) {
      const LocalId left = g->left[f], right = g->right[f];
      /* The k-th layer beside a solid carries the number -k - 1 until it is finished. */
      const double source = k == 0 ? SOLID : -k;
      if (b->number[left] == source && b->number[right] == OPEN) b->number[right] = -k - 1;
      if (b->number[right] == source && b->number[left] == OPEN) b->number[left] = -k - 1;
    }
  }
  for (LocalId c = 0; c < g->n_own; c++)
    if (b->number[c] < 0.0) b->number[c] = YIELDS;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Of the cells that are not computed, those within two faces of a computed one receive. */
static PetscErrorCode settle(OversetPart *b, bool known)
{
  PetscFunctionBeginUser;
  const NearGrid *g = b->of.grid;
  for (int k = 0; k < COVER_FRINGE; k++) {
    PetscCall(share(b));
    for (LocalId f = 0; f < g->n_interior; f++) {
      const LocalId left = g->left[f], right = g->right[f];
      const double source = k == 0 ? OPEN : FRINGE_FIRST + k - 1;
      const double l = b->number[left], r = b->number[right];
      if (l == source && (r == RECEIVES || r == YIELDS)) b->number[right] = FRINGE_FIRST + k;
      if (r == source && (l == RECEIVES || l == YIELDS)) b->number[left] = FRINGE_FIRST + k;
    }
  }
  /* What was left out receives for a step before it is computed. */
  for (LocalId c = 0; known && c < g->n_own; c++)
    if (b->before[c] == STATE_HOLE && b->number[c] == OPEN) b->number[c] = LATE;
  PetscCall(share(b));
  for (LocalId c = 0; c < g->n_local; c++)
    b->state[c] = b->number[c] == OPEN           ? STATE_FIELD
                  : b->number[c] >= FRINGE_FIRST ? STATE_FRINGE
                                                 : STATE_HOLE;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode list_fringe(OversetPart *b)
{
  PetscFunctionBeginUser;
  b->fringe.n = 0;
  for (LocalId c = 0; c < b->of.grid->n_own; c++)
    if (b->state[c] == STATE_FRINGE)
      PetscCall(ReceiverListAdd(
          &b->fringe, (Receiver){c, FROM_NOBODY, b->number[c] == LATE, center(b->of.grid, c)}));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode OversetNearStates(Overset *s)
{
  PetscFunctionBeginUser;
  for (int j = 0; j < s->n; j++) {
    OversetPart *b = &s->part[j];
    mark_static(b);
    for (int i = 0; i < s->n; i++) {
      const OversetPart *a = &s->part[i];
      if (i != j && a->of.body != b->of.body && box_overlaps(a->box_w, b->box_w))
        mark_taken(s, a, b);
    }
    PetscCall(keep_off_solids(b));
    PetscCall(settle(b, s->known));
    PetscCall(list_fringe(b));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}
