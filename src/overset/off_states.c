/*
 * Which cells of the forest are computed: all that no near-body grid covers. The depth of a place
 * in what is covered tells whether a computed cell can reach it.
 *
 * Depths change no faster than places do, so one look at the middle of a block tells about all of
 * it far from where states change; only blocks there are looked at cell by cell.
 */
#include "overset/overset_impl.h"

#include <string.h>

enum { BLOCK = 4 };

/* A patch, and the grids whose covers come near it. */
typedef struct {
  LocalId number;
  Vec3 lo;
  double h;
  int n_near;
  const int *near;
} Spot;

static PetscErrorCode note_near(Overset *s, int at, int g)
{
  PetscFunctionBeginUser;
  if (at == s->near_room) {
    s->near_room = 2 * s->near_room + 1024;
    PetscCall(PetscRealloc(s->near_room * sizeof *s->near_list, &s->near_list));
  }
  s->near_list[at] = g;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static Spot spot_of(const Overset *s, LocalId c)
{
  const PatchPlace place = forest_places(s->forest)[c];
  return (Spot){c, forest_corner(s->forest, place), forest_spacing(s->forest, place.level),
                s->near_start[c + 1] - s->near_start[c], s->near_list + s->near_start[c]};
}

/* Grids near each patch, and whether anything near it has moved. */
static PetscErrorCode find_near(Overset *s)
{
  PetscFunctionBeginUser;
  int n = 0;
  s->coarsest = 0.0;
  s->near_start[0] = 0;
  for (LocalId c = 0; c < forest_n(s->forest); c++) {
    const PatchPlace place = forest_places(s->forest)[c];
    const double h = forest_spacing(s->forest, place.level), edge = h * s->patch;
    const Vec3 lo = forest_corner(s->forest, place);
    const Box box = {lo, vec3_add(lo, vec3(edge, edge, edge))};
    s->restless[c] = s->stale || s->patch_late[c];
    for (int g = 0; g < s->n; g++) {
      if (s->part[g].moved && box_overlaps(box, s->part[g].swept)) s->restless[c] = 1;
      if (!box_overlaps(box, s->part[g].box_w)) continue;
      PetscCall(note_near(s, n++, g));
      s->coarsest = h > s->coarsest ? h : s->coarsest;
    }
    s->near_start[c + 1] = n;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* How deep a cell may be and receive. */
static double fringe_depth(const Overset *s, const OversetPart *part, double h)
{
  return s->reach * h + cover_slack(part->map);
}

/* What a ball of cells is all through, or -1: it has to be looked at. */
static int state_of_ball(const Overset *s, const Spot *spot, Vec3 center, double radius)
{
  int state = STATE_FIELD;
  for (int k = 0; k < spot->n_near; k++) {
    const OversetPart *part = &s->part[spot->near[k]];
    const double reach = radius + cover_slack(part->map);
    const double depth = cover_at(part->map, frame_to_body(&part->frame, center)).depth;
    if (depth > fringe_depth(s, part, spot->h) + reach) return STATE_HOLE;
    if (depth > -reach) state = -1;
  }
  return state;
}

/* A row of cells along x: the greatest depth of each in what the grids cover. */
static void row_states(const Overset *s, const Spot *spot, Vec3 first, int n, uint8_t state[])
{
  double depth[BLOCK] = {0}, most[BLOCK] = {0};
  bool enclosed[BLOCK] = {false};
  for (int k = 0; k < spot->n_near; k++) {
    const OversetPart *part = &s->part[spot->near[k]];
    const Vec3 p = frame_to_body(&part->frame, first);
    const Mat3 *r = &part->frame.r;
    /* One step along x of the world, in the frame of the grid. */
    const Vec3 step = vec3(spot->h * r->m[0][0], spot->h * r->m[0][1], spot->h * r->m[0][2]);
    const double fringe = fringe_depth(s, part, spot->h);
    for (int i = 0; i < n; i++) {
      const Cover own = cover_at(part->map, vec3_axpy(p, i, step));
      if (own.depth > depth[i]) depth[i] = own.depth, most[i] = fringe;
      enclosed[i] |= own.wall < 0.0F;
    }
  }
  for (int i = 0; i < n; i++)
    state[i] = depth[i] <= 0.0                       ? STATE_FIELD
               : !enclosed[i] && depth[i] <= most[i] ? STATE_FRINGE
                                                     : STATE_HOLE;
}

static Vec3 cell_center(const Spot *spot, double i, double j, double k)
{
  return vec3(spot->lo.x + (i + 0.5) * spot->h, spot->lo.y + (j + 0.5) * spot->h,
              spot->lo.z + (k + 0.5) * spot->h);
}

static void block_states(const Overset *s, const Spot *spot, const int at[3], uint8_t *state)
{
  const int n = s->patch;
  int size[3];
  for (int i = 0; i < 3; i++) size[i] = n - at[i] < BLOCK ? n - at[i] : BLOCK;
  const Vec3 middle = cell_center(spot, at[0] + 0.5 * (size[0] - 1), at[1] + 0.5 * (size[1] - 1),
                                  at[2] + 0.5 * (size[2] - 1));
  const double radius = 0.8660254037844386 * (BLOCK - 1) * spot->h;
  const int all = state_of_ball(s, spot, middle, radius);
  for (int k = at[2]; k < at[2] + size[2]; k++)
    for (int j = at[1]; j < at[1] + size[1]; j++) {
      uint8_t *row = state + ((size_t)k * n + j) * n + at[0];
      if (all >= 0)
        memset(row, all, (size_t)size[0]);
      else
        row_states(s, spot, cell_center(spot, at[0], j, k), size[0], row);
    }
}

static void patch_states(Overset *s, const Spot *spot)
{
  const int n = s->patch;
  const size_t cells = (size_t)n * n * n;
  uint8_t *state = s->off_state + (size_t)spot->number * cells;
  const double middle = 0.5 * (n - 1);
  const double radius = 0.8660254037844386 * (n - 1) * spot->h;
  const int all = state_of_ball(s, spot, cell_center(spot, middle, middle, middle), radius);
  if (all >= 0) {
    memset(state, all, cells);
    return;
  }
  for (int k = 0; k < n; k += BLOCK)
    for (int j = 0; j < n; j += BLOCK)
      for (int i = 0; i < n; i += BLOCK) block_states(s, spot, (const int[3]){i, j, k}, state);
}

static PetscErrorCode list_patch(Overset *s, const Spot *spot)
{
  PetscFunctionBeginUser;
  const int n = s->patch;
  const size_t cells = (size_t)n * n * n, first = (size_t)spot->number * cells;
  size_t at = first;
  const bool was = s->off_known && memchr(s->off_before + first, STATE_HOLE, cells) != NULL;
  if (!was && memchr(s->off_state + first, STATE_FRINGE, cells) == NULL)
    PetscFunctionReturn(PETSC_SUCCESS);
  for (int k = 0; k < n; k++)
    for (int j = 0; j < n; j++)
      for (int i = 0; i < n; i++, at++) {
        /* What was left out receives for a step before it is computed. */
        const bool late = was && s->off_before[at] == STATE_HOLE && s->off_state[at] == STATE_FIELD;
        if (late) {
          s->off_state[at] = STATE_FRINGE;
          s->patch_late[spot->number] = 1;
        }
        if (s->off_state[at] != STATE_FRINGE) continue;
        PetscCall(ReceiverListAdd(&s->off_fringe, (Receiver){.cell = (LocalId)at,
                                                             .from = FROM_NOBODY,
                                                             .late = late,
                                                             .at = cell_center(spot, i, j, k)}));
      }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Receivers of a patch near which nothing has moved. */
static PetscErrorCode keep_patch(Overset *s, LocalId c)
{
  PetscFunctionBeginUser;
  for (int i = s->patch_first[c]; i < s->patch_first[c + 1]; i++) {
    s->spare.item[i].calm = true;
    PetscCall(ReceiverListAdd(&s->off_fringe, s->spare.item[i]));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode make_room(Overset *s)
{
  PetscFunctionBeginUser;
  const LocalId n = forest_n(s->forest);
  s->off_cells = (size_t)n * s->patch * s->patch * s->patch;
  if (n > s->patch_room || s->patch_first == NULL) {
    s->patch_room = n + n / 8;
    PetscCall(PetscFree4(s->near_start, s->restless, s->patch_late, s->patch_first));
    PetscCall(PetscMalloc4(s->patch_room + 1, &s->near_start, s->patch_room, &s->restless,
                           s->patch_room, &s->patch_late, s->patch_room + 1, &s->patch_first));
  }
  if (s->off_cells <= s->off_room) PetscFunctionReturn(PETSC_SUCCESS);
  s->off_room = s->off_cells + s->off_cells / 8;
  PetscCall(PetscFree2(s->off_state, s->off_before));
  PetscCall(PetscMalloc2(s->off_room, &s->off_state, s->off_room, &s->off_before));
  s->off_known = false;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode OversetOffStates(Overset *s)
{
  PetscFunctionBeginUser;
  PetscCall(make_room(s));
  PetscCall(find_near(s));
  const ReceiverList old = s->off_fringe;
  s->off_fringe = s->spare;
  s->spare = old;
  s->off_fringe.n = 0;
  for (LocalId c = 0; c < forest_n(s->forest); c++) {
    const Spot spot = spot_of(s, c);
    const int first = s->off_fringe.n;
    if (!s->restless[c]) {
      PetscCall(keep_patch(s, c));
    } else {
      s->patch_late[c] = 0;
      patch_states(s, &spot);
      PetscCall(list_patch(s, &spot));
    }
    s->patch_first[c] = first;
  }
  s->patch_first[forest_n(s->forest)] = s->off_fringe.n;
  PetscFunctionReturn(PETSC_SUCCESS);
}
