/*
 * Which cells of the forest are computed: all that no near-body grid covers. The depth of a place
 * in what is covered tells whether a computed cell can reach it.
 */
#include "overset/overset_impl.h"

#include <string.h>

/* Grids whose cover comes near a patch. */
static int grids_near(const Overset *s, Box patch, int near[])
{
  int n = 0;
  for (int g = 0; g < s->n; g++)
    if (box_overlaps(patch, s->part[g].box_w)) near[n++] = g;
  return n;
}

/* A row of cells along x: the greatest depth of each in what the grids cover, and 0 if none does.
 */
static void row_depths(const Overset *s, int n_near, const int near[], Vec3 first, double h,
                       double depth[], double slack[])
{
  for (int i = 0; i < s->patch; i++) depth[i] = 0.0, slack[i] = 0.0;
  for (int k = 0; k < n_near; k++) {
    const OversetPart *part = &s->part[near[k]];
    const Vec3 p = frame_to_body(&part->frame, first);
    const Mat3 *r = &part->frame.r;
    /* One step along x of the world, in the frame of the grid. */
    const Vec3 step = vec3(h * r->m[0][0], h * r->m[0][1], h * r->m[0][2]);
    for (int i = 0; i < s->patch; i++) {
      const double own = cover_at(part->map, vec3_axpy(p, i, step)).depth;
      if (own > depth[i]) depth[i] = own, slack[i] = cover_slack(part->map);
    }
  }
}

static void set_states(Overset *s, LocalId c, Vec3 corner, double h, int n_near, const int near[])
{
  const int n = s->patch;
  uint8_t *state = s->off_state + (size_t)c * n * n * n;
  double depth[512], slack[512];
  for (int k = 0; k < n; k++)
    for (int j = 0; j < n; j++) {
      const Vec3 first =
          vec3(corner.x + 0.5 * h, corner.y + (j + 0.5) * h, corner.z + (k + 0.5) * h);
      row_depths(s, n_near, near, first, h, depth, slack);
      uint8_t *row = state + ((size_t)k * n + j) * n;
      for (int i = 0; i < n; i++)
        row[i] = depth[i] <= 0.0                       ? STATE_FIELD
                 : depth[i] <= s->reach * h + slack[i] ? STATE_FRINGE
                                                       : STATE_HOLE;
    }
}

static PetscErrorCode list_patch(Overset *s, LocalId c, Vec3 corner, double h)
{
  PetscFunctionBeginUser;
  const int n = s->patch;
  const size_t first = (size_t)c * n * n * n;
  size_t at = first;
  const bool was = s->off_known && memchr(s->off_before + first, STATE_HOLE, (size_t)n * n * n);
  if (!was && memchr(s->off_state + first, STATE_FRINGE, (size_t)n * n * n) == NULL)
    PetscFunctionReturn(PETSC_SUCCESS);
  for (int k = 0; k < n; k++)
    for (int j = 0; j < n; j++)
      for (int i = 0; i < n; i++, at++) {
        /* What was left out receives for a step before it is computed. */
        const bool late = was && s->off_before[at] == STATE_HOLE && s->off_state[at] == STATE_FIELD;
        if (late) s->off_state[at] = STATE_FRINGE;
        if (s->off_state[at] != STATE_FRINGE) continue;
        const Vec3 x =
            vec3(corner.x + (i + 0.5) * h, corner.y + (j + 0.5) * h, corner.z + (k + 0.5) * h);
        PetscCall(ReceiverListAdd(&s->off_fringe, (Receiver){(LocalId)at, FROM_NOBODY, late, x}));
      }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode make_room(Overset *s)
{
  PetscFunctionBeginUser;
  s->off_cells = (size_t)forest_n(s->forest) * s->patch * s->patch * s->patch;
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
  const size_t cells = (size_t)s->patch * s->patch * s->patch;
  int *near;
  PetscCall(make_room(s));
  PetscCall(PetscMalloc1(s->n + 1, &near));
  s->off_fringe.n = 0;
  for (LocalId c = 0; c < forest_n(s->forest); c++) {
    const PatchPlace place = forest_places(s->forest)[c];
    const double h = forest_spacing(s->forest, place.level), edge = h * s->patch;
    const Vec3 lo = forest_corner(s->forest, place);
    const int n_near = grids_near(s, (Box){lo, vec3_add(lo, vec3(edge, edge, edge))}, near);
    if (n_near == 0)
      PetscCall(PetscArrayzero(s->off_state + c * cells, cells));
    else
      set_states(s, c, lo, h, n_near, near);
    PetscCall(list_patch(s, c, lo, h));
  }
  PetscCall(PetscFree(near));
  PetscFunctionReturn(PETSC_SUCCESS);
}
