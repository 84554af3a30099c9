/*
 * Cells into polygons. A face is a ring of corners on one side of the plane or the other; where the
 * ring goes under the plane and comes up again, the face has a piece of the polygon. A piece begins
 * on an edge on which the next face's ends, since neighbours run along their edge in opposite
 * directions; so pieces chain into rings whatever the cell looks like.
 */
#include "grid/cell_state.h"
#include "io/slice_impl.h"

enum { PIECES = 128 };

/* An edge that the plane crosses, lower corner first. */
typedef struct {
  LocalId low, high;
} CutEdge;

typedef struct {
  CutEdge from, to;
  bool used;
} CutPiece;

static CutEdge edge_of(LocalId a, LocalId b)
{
  return a < b ? (CutEdge){a, b} : (CutEdge){b, a};
}

static bool is_same(CutEdge a, CutEdge b)
{
  return a.low == b.low && a.high == b.high;
}

/* Pieces of one face: from where it goes under the plane to where it next comes up. */
static int cut_face(const FaceWalk *walk, const double d[], int n, CutPiece piece[])
{
  int first = -1;
  for (int i = 0; i < walk->n && first < 0; i++)
    if (d[walk->ring[i]] >= 0.0 && d[walk->ring[(i + 1) % walk->n]] < 0.0) first = i;
  if (first < 0) return n;
  CutEdge down = {0, 0};
  for (int k = 0; k < walk->n && n < PIECES; k++) {
    const LocalId a = walk->ring[(first + k) % walk->n], b = walk->ring[(first + k + 1) % walk->n];
    const bool a_up = d[a] >= 0.0, b_up = d[b] >= 0.0;
    if (a_up && !b_up) down = edge_of(a, b);
    if (!a_up && b_up) piece[n++] = (CutPiece){down, edge_of(a, b), false};
  }
  return n;
}

/* Where the plane crosses an edge: the same bits for every cell that has it. */
static Vec3 crossing(CutEdge e, const Vec3 x[], const double d[])
{
  if (d[e.high] == 0.0) return x[e.high];
  const double s = d[e.low] / (d[e.low] - d[e.high]);
  return vec3_axpy(x[e.low], s, vec3_sub(x[e.high], x[e.low]));
}

static PetscErrorCode make_room(SlicePart *p, int corners)
{
  PetscFunctionBeginUser;
  if (p->n + 2 > p->room) {
    p->room = 2 * p->room + 256;
    PetscCall(PetscRealloc((size_t)p->room * sizeof *p->start, &p->start));
    PetscCall(PetscRealloc((size_t)p->room * PIECE_VALUES * sizeof *p->value, &p->value));
    PetscCall(PetscRealloc((size_t)p->room * sizeof *p->show, &p->show));
    if (p->n == 0) p->start[0] = 0;
  }
  if (p->n_corners + corners > p->corner_room) {
    p->corner_room = 2 * p->corner_room + 1024;
    PetscCall(PetscRealloc((size_t)p->corner_room * 3 * sizeof *p->x, &p->x));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Corners that repeat are passed over: the plane goes through a corner of the cell. */
static void add_corner(SlicePart *p, int begin, Vec3 x)
{
  const double *last = p->x + 3 * ((size_t)p->n_corners - 1), *one = p->x + 3 * (size_t)begin;
  const bool repeats =
      p->n_corners > begin && ((last[0] == x.x && last[1] == x.y && last[2] == x.z) ||
                               (one[0] == x.x && one[1] == x.y && one[2] == x.z));
  if (repeats) return;
  /* A zero has one sign, so that equal corners are equal bytes. */
  for (int k = 0; k < 3; k++) p->x[3 * (size_t)p->n_corners + k] = vec3_at(x, k) + 0.0;
  p->n_corners++;
}

PetscErrorCode SliceCutCell(FaceWalk walk, const Vec3 x[], const double d[],
                            const double value[PIECE_VALUES], SliceShow show, SlicePart *part)
{
  PetscFunctionBeginUser;
  CutPiece piece[PIECES];
  int n = 0;
  while (face_walk_next(&walk)) n = cut_face(&walk, d, n, piece);
  for (int k = 0; k < n; k++) {
    if (piece[k].used) continue;
    PetscCall(make_room(part, n));
    const int begin = part->n_corners;
    for (int at = k, next; at >= 0; at = next) {
      piece[at].used = true;
      add_corner(part, begin, crossing(piece[at].from, x, d));
      next = -1;
      for (int i = k; i < n && next < 0; i++)
        if (!piece[i].used && is_same(piece[i].from, piece[at].to)) next = i;
    }
    if (part->n_corners - begin < 3) {
      part->n_corners = begin;
      continue;
    }
    for (int i = 0; i < PIECE_VALUES; i++)
      part->value[(size_t)part->n * PIECE_VALUES + i] = value[i];
    part->show[part->n] = (int)show;
    part->start[++part->n] = part->n_corners;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static double height(const SlicePlane *plane, Vec3 x)
{
  return vec3_dot(plane->normal, vec3_sub(x, plane->point));
}

/* Corners that lie in the plane but for rounding are in it, or a cell whose face they make would be
 * cut above here and below there, and be nothing. */
static double height_beyond(const SlicePlane *plane, Vec3 x, double rounding)
{
  const double d = height(plane, x);
  return fabs(d) <= rounding ? 0.0 : d;
}

/* Does a list of corners reach to both sides? */
static bool is_cut(int n, const LocalId corner[], const double d[])
{
  bool up = false, down = false;
  for (int i = 0; i < n; i++) {
    up = up || d[corner[i]] >= 0.0;
    down = down || d[corner[i]] < 0.0;
  }
  return up && down;
}

/* A polyhedron's corners are those of its faces, each after their count. */
static bool is_polyhedron_cut(int n, const LocalId list[], const double d[])
{
  bool up = false, down = false;
  for (int at = 0; at < n; at += list[at] + 1)
    for (int i = 1; i <= list[at]; i++) {
      up = up || d[list[at + i]] >= 0.0;
      down = down || d[list[at + i]] < 0.0;
    }
  return up && down;
}

PetscErrorCode SliceCutGrid(const FieldGrid *grid, const SlicePlane *plane, SlicePart *part)
{
  PetscFunctionBeginUser;
  const NearGrid *g = near_flow_grid(grid->flow);
  const uint8_t *state = near_flow_arrays(grid->flow)->state;
  const Frame frame = pose_frame(grid->pose);
  Vec3 *x;
  double *d, value[PIECE_VALUES];
  const double rounding = 1e-9 * vec3_norm(vec3_sub(g->box.hi, g->box.lo));
  *part = (SlicePart){0};
  PetscCall(PetscMalloc2(g->n_vertices, &x, g->n_vertices, &d));
  for (LocalId v = 0; v < g->n_vertices; v++) {
    x[v] = frame_to_world(&frame, g->vertex[v]);
    d[v] = height_beyond(plane, x[v], rounding);
  }
  for (LocalId c = 0; c < g->n_own; c++) {
    const LocalId *corner = g->corner + g->corner_start[c];
    const int n = g->corner_start[c + 1] - g->corner_start[c];
    if (state != NULL && state[c] == STATE_HOLE) continue;
    if (!(g->kind[c] == CELL_POLYHEDRON ? is_polyhedron_cut(n, corner, d) : is_cut(n, corner, d)))
      continue;
    field_near_values(grid, c, value);
    PetscCall(SliceCutCell(face_walk(g->kind[c], n, corner), x, d, value,
                           state == NULL || state[c] == STATE_FIELD ? SHOW_ABOVE : SHOW_NOT, part));
  }
  PetscCall(PetscFree2(x, d));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Corners of the cells of a patch. They count from the lower corner of the domain, so that patches
 * of one level have the same bits where they meet, and those of two levels where they can. */
static void patch_corners(const Forest *forest, PatchPlace place, int n, const SlicePlane *plane,
                          Vec3 x[], double d[])
{
  const Vec3 lo = forest_domain_of(forest)->box.lo;
  const double h = forest_spacing(forest, place.level);
  const int edge = n + 1;
  for (int v = 0; v < edge * edge * edge; v++) {
    const int at[3] = {v % edge, v / edge % edge, v / (edge * edge)};
    x[v] = vec3(lo.x + ((double)place.index[0] * n + at[0]) * h,
                lo.y + ((double)place.index[1] * n + at[1]) * h,
                lo.z + ((double)place.index[2] * n + at[2]) * h);
    d[v] = height_beyond(plane, x[v], 1e-9 * h);
  }
}

/* May the plane meet the patch? */
static bool meets(const Forest *forest, PatchPlace place, int n, const SlicePlane *plane)
{
  const double half = 0.5 * n * forest_spacing(forest, place.level);
  const Vec3 lo = forest_corner(forest, place), a = plane->normal;
  const double away = height(plane, vec3_add(lo, vec3(half, half, half)));
  return fabs(away) <= 1.001 * half * (fabs(a.x) + fabs(a.y) + fabs(a.z));
}

/* Cell i of a patch, by the cells of that patch. */
static SliceShow show_cell(const uint8_t *state, int n, int i)
{
  if (state == NULL || state[i] == STATE_FIELD) return SHOW_ABOVE;
  const int at[3] = {i % n, i / n % n, i / (n * n)}, step[3] = {1, n, n * n};
  for (int k = 0; k < 3; k++)
    if ((at[k] > 0 && state[i - step[k]] == STATE_FIELD) ||
        (at[k] < n - 1 && state[i + step[k]] == STATE_FIELD))
      return SHOW_BELOW;
  return SHOW_NOT;
}

static PetscErrorCode cut_patch(const FieldForest *f, LocalId c, const Vec3 x[], const double d[],
                                SlicePart *part)
{
  PetscFunctionBeginUser;
  const int n = off_body_patch(f->flow), edge = n + 1, up = edge * edge, cells = n * n * n;
  const uint8_t *states = off_body_states(f->flow);
  double value[FOREST_VALUES];
  for (int i = 0; i < cells; i++) {
    const LocalId first = (i / (n * n) * edge + i / n % n) * edge + i % n;
    const LocalId corner[8] = {
        first,      first + 1,      first + edge + 1,      first + edge,
        first + up, first + up + 1, first + up + edge + 1, first + up + edge};
    if (states != NULL && states[(size_t)c * cells + i] == STATE_HOLE) continue;
    if (!is_cut(8, corner, d)) continue;
    field_forest_values(f, c, i, value);
    PetscCall(SliceCutCell(face_walk(CELL_HEXA, 8, corner), x, d, value,
                           show_cell(states == NULL ? NULL : states + (size_t)c * cells, n, i),
                           part));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SliceCutForest(const FieldForest *f, const SlicePlane *plane, SlicePart *part)
{
  PetscFunctionBeginUser;
  const Forest *forest = off_body_forest(f->flow);
  const int n = off_body_patch(f->flow), corners = (n + 1) * (n + 1) * (n + 1);
  Vec3 *x;
  double *d;
  *part = (SlicePart){0};
  PetscCall(PetscMalloc2(corners, &x, corners, &d));
  for (LocalId c = 0; c < forest_n(forest); c++) {
    const PatchPlace place = forest_places(forest)[c];
    if (!meets(forest, place, n, plane)) continue;
    patch_corners(forest, place, n, plane, x, d);
    PetscCall(cut_patch(f, c, x, d, part));
  }
  PetscCall(PetscFree2(x, d));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SlicePartDestroy(SlicePart *p)
{
  PetscFunctionBeginUser;
  PetscCall(PetscFree(p->start));
  PetscCall(PetscFree(p->x));
  PetscCall(PetscFree(p->value));
  PetscCall(PetscFree(p->show));
  *p = (SlicePart){0};
  PetscFunctionReturn(PETSC_SUCCESS);
}
