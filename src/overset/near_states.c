/*
 * Which cells of near-body grids are computed. A grid that no other comes near keeps what it has.
 */
#include "overset/overset_impl.h"

/* What a cell is before its neighbours are asked; in the solid of its own body or of another, or
 * next to it. */
enum { OPEN, RECEIVES, YIELDS, BESIDE_OWN, OWN_SOLID, BESIDE, SOLID };

/* What it is afterwards: layers of fringe, and cells that are computed in the next step only. */
enum { FRINGE_FIRST = 10, LATE = 20 };

/* Both sides of a seam are computed for about two cells, so that donors lie among computed cells.
 */
static double seam(const OversetPart *a, const OversetPart *b)
{
  return cover_slack(a->map) + cover_slack(b->map) + a->map->cell + b->map->cell;
}

/* Is p, in the frame of a, behind a wall of its body? Grids of one body wear different parts of
 * its surface, which their cells may cut by as much as facets differ from what is round. */
static bool is_behind(const OversetPart *a, const OversetPart *b, Vec3 p, Cover c)
{
  if (c.wall < 0.0F) return true;
  if (!part_is_solid(a, p)) return false;
  if (a->of.body != b->of.body) return true;
  return !xray_distance(a->of.xray, vec3_add(p, a->of.center), a->loose).found;
}

/* Does grid a take the place x of the world away from grid b, which is `own` from its wall? */
static int taken(const OversetPart *a, const OversetPart *b, Vec3 x, double own, double margin)
{
  const Vec3 p = frame_to_body(&a->frame, x);
  const Cover c = cover_at(a->map, p);
  if (c.depth <= 0.0F) return OPEN;
  if (is_behind(a, b, p, c)) return a->of.body == b->of.body ? OWN_SOLID : SOLID;
  if (a->of.priority != b->of.priority)
    return a->of.priority < b->of.priority && c.depth > margin ? YIELDS : OPEN;
  return c.wall + margin < own ? YIELDS : OPEN;
}

static void mark_static(OversetPart *b)
{
  for (LocalId c = 0; c < b->of.grid->n_own; c++)
    b->number[c] = b->map->layer[c] < COVER_FRINGE ? RECEIVES : OPEN;
}

static void mark_taken(const OversetPart *a, OversetPart *b)
{
  const double margin = seam(a, b);
  for (LocalId c = 0; c < b->of.grid->n_own; c++) {
    const Vec3 p = b->cells->center[c], x = frame_to_world(&b->frame, p);
    if (!box_contains(a->box_w, x)) continue;
    const int now = taken(a, b, x, cover_at(b->map, p).wall, margin);
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

/* What a cell next to another becomes: its stencil would reach into a solid. */
static double beside(double own, double other)
{
  const double now = other == SOLID ? BESIDE : other == OWN_SOLID ? BESIDE_OWN : OPEN;
  return now > own ? now : own;
}

static PetscErrorCode keep_off_solids(OversetPart *b)
{
  PetscFunctionBeginUser;
  const NearGrid *g = b->of.grid;
  PetscCall(share(b));
  for (LocalId f = 0; f < g->n_interior; f++) {
    const LocalId left = g->left[f], right = g->right[f];
    const double l = b->number[left], r = b->number[right];
    b->number[left] = beside(l, r);
    b->number[right] = beside(r, l);
  }
  for (LocalId c = 0; c < g->n_own; c++) b->pressed[c] = b->number[c] >= BESIDE;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static bool may_receive(double number)
{
  return number == RECEIVES || number == YIELDS || number == BESIDE_OWN || number == BESIDE;
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
      if (l == source && may_receive(r)) b->number[right] = FRINGE_FIRST + k;
      if (r == source && may_receive(l)) b->number[left] = FRINGE_FIRST + k;
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

/* Wall cells that are not computed because a solid is too near, and who is on the other side. */
static void find_closed(const Overset *s, OversetPart *b)
{
  b->closed = 0;
  b->closed_by = s->n;
  for (LocalId k = 0; k < b->n_walls; k++) {
    const LocalId c = b->wall[k];
    if (!b->pressed[c]) continue;
    b->closed++;
    const Vec3 x = frame_to_world(&b->frame, b->cells->center[c]);
    for (int i = 0; i < b->closed_by; i++) {
      const OversetPart *a = &s->part[i];
      if (a->of.body != b->of.body &&
          cover_at(a->map, frame_to_body(&a->frame, x)).wall < 2.0 * a->map->cell)
        b->closed_by = i;
    }
  }
}

static PetscErrorCode list_fringe(OversetPart *b)
{
  PetscFunctionBeginUser;
  b->fringe.n = 0;
  for (LocalId c = 0; c < b->of.grid->n_own; c++)
    if (b->state[c] == STATE_FRINGE)
      PetscCall(ReceiverListAdd(&b->fringe, (Receiver){.cell = c,
                                                       .from = FROM_NOBODY,
                                                       .late = b->number[c] == LATE,
                                                       .at = b->cells->center[c]}));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode OversetNearStates(Overset *s)
{
  PetscFunctionBeginUser;
  for (int j = 0; j < s->n; j++) {
    OversetPart *b = &s->part[j];
    for (int i = 0; b->calm && i < b->fringe.n; i++) b->fringe.item[i].calm = true;
    if (b->calm) continue;
    mark_static(b);
    for (int i = 0; i < s->n; i++)
      if (i != j && box_overlaps(s->part[i].box_w, b->box_w)) mark_taken(&s->part[i], b);
    PetscCall(keep_off_solids(b));
    find_closed(s, b);
    PetscCall(settle(b, s->known));
    PetscCall(list_fringe(b));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}
