#include "geom/pierce.h"

#include "geom/exact.h"

#include <stdlib.h>

PetscErrorCode SolidCreate(const Triangles *mesh, bool moves, Solid *solid)
{
  PetscFunctionBeginUser;
  *solid = (Solid){.mesh = mesh, .moves = moves};
  PetscCall(EdgeTableCreate(mesh->n_vertices, mesh->n_triangles, (const int(*)[3])mesh->triangle,
                            &solid->edges));
  PetscCall(PetscMalloc1(3 * (size_t)mesh->n_triangles + 1, &solid->edge_of));
  for (int e = 0; e < solid->edges.n_edges; e++)
    for (int i = solid->edges.start[e]; i < solid->edges.start[e + 1]; i++)
      solid->edge_of[solid->edges.use[i]] = e;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SolidDestroy(Solid *solid)
{
  PetscFunctionBeginUser;
  PetscCall(EdgeTableDestroy(&solid->edges));
  PetscCall(PetscFree(solid->edge_of));
  PetscFunctionReturn(PETSC_SUCCESS);
}

void solid_edge_ends(const Solid *solid, int edge, int end[2])
{
  const int(*triangle)[3] = (const int(*)[3])solid->mesh->triangle;
  const int use = solid->edges.use[solid->edges.start[edge]];
  const int a = use_from(triangle, use), b = use_to(triangle, use);
  end[0] = a < b ? a : b;
  end[1] = a < b ? b : a;
}

/* The sign of v . (e, e^2, e^3). */
static int sign_of_move(Vec3 v)
{
  const double first = v.x != 0.0 ? v.x : v.y != 0.0 ? v.y : v.z;
  return (first > 0.0) - (first < 0.0);
}

/* On which side of the triangle abc is p, of the other solid? moves: p does, else abc does. */
static int side_of(const Vec3 t[3], Vec3 p, bool moves)
{
  const int side = exact_side(t[0], t[1], t[2], p);
  if (side != 0) return side;
  const int tie = sign_of_move(exact_cross(t[0], t[1], t[0], t[2]));
  return moves ? tie : -tie;
}

/* Which way does the line from p to q pass the edge from a to b of the other solid? */
static int way_past(Vec3 p, Vec3 q, Vec3 a, Vec3 b, bool moves)
{
  const int way = exact_side(p, q, a, b);
  if (way != 0) return way;
  const int tie = sign_of_move(exact_cross(p, q, b, a));
  return moves ? -tie : tie;
}

/* +1: the way from p to q comes inside through the triangle, -1: outside, 0: misses it. */
static int pierces(Vec3 p, Vec3 q, bool moves, const Vec3 t[3])
{
  const int side = side_of(t, p, moves);
  if (side_of(t, q, moves) == side) return 0;
  const int first = way_past(p, q, t[0], t[1], moves);
  if (way_past(p, q, t[1], t[2], moves) != first) return 0;
  if (way_past(p, q, t[2], t[0], moves) != first) return 0;
  return side;
}

static void corners_of(const Triangles *mesh, int t, Vec3 corner[3])
{
  for (int k = 0; k < 3; k++) corner[k] = mesh->vertex[mesh->triangle[t][k]];
}

static Box corners_box(const Vec3 corner[3])
{
  return box_add_point(box_add_point(box_add_point(box_empty(), corner[0]), corner[1]), corner[2]);
}

int solid_winding(const Solid *solid, int v, const Solid *other)
{
  /* A direction that drawings do not have, far enough to be outside. */
  const Vec3 p = solid->mesh->vertex[v];
  Box box = box_add_point(box_empty(), p);
  for (int k = 0; k < other->mesh->n_vertices; k++)
    box = box_add_point(box, other->mesh->vertex[k]);
  const double far = 4.0 * box_longest(box);
  const Vec3 q = vec3_axpy(p, far, vec3(0.57713, 0.30281, 0.75907));
  const Box way = box_add_point(box_add_point(box_empty(), p), q);
  int winding = 0;
  for (int t = 0; t < other->mesh->n_triangles; t++) {
    Vec3 corner[3];
    corners_of(other->mesh, t, corner);
    if (box_overlaps(corners_box(corner), way)) winding -= pierces(p, q, solid->moves, corner);
  }
  return winding;
}

/* Lists that grow while pairs of triangles are looked at. */
typedef struct {
  const Solid *solid;
  Box *box[2];        /* owned, of the triangles */
  Piercing *piercing; /* owned */
  size_t n_piercings, piercing_room;
  Seam *seam; /* owned; from and to are places in the list of piercings */
  size_t n_seams, seam_room;
  bool consistent;
} Search;

static PetscErrorCode AddPiercing(Search *s, Piercing piercing)
{
  PetscFunctionBeginUser;
  if (s->n_piercings == s->piercing_room) {
    s->piercing_room = 2 * s->piercing_room + 64;
    PetscCall(PetscRealloc(s->piercing_room * sizeof(Piercing), &s->piercing));
  }
  s->piercing[s->n_piercings++] = piercing;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode AddSeam(Search *s, Seam seam)
{
  PetscFunctionBeginUser;
  if (s->n_seams == s->seam_room) {
    s->seam_room = 2 * s->seam_room + 64;
    PetscCall(PetscRealloc(s->seam_room * sizeof(Seam), &s->seam));
  }
  s->seam[s->n_seams++] = seam;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Try side k of triangle t of solid `of` on triangle u of the other. On t what is outside lies left
 * of the seam, so the seam begins where the rim of t comes inside. */
static PetscErrorCode TrySide(Search *s, int of, int t, int k, int u, int end[2], int *n_ends)
{
  PetscFunctionBeginUser;
  const Solid *solid = &s->solid[of];
  Vec3 corner[3];
  corners_of(s->solid[1 - of].mesh, u, corner);
  const int *v = solid->mesh->triangle[t];
  const int a = v[k], b = v[(k + 1) % 3], lower = a < b ? a : b, upper = a < b ? b : a;
  const Vec3 p = solid->mesh->vertex[lower], q = solid->mesh->vertex[upper];
  const int how = pierces(p, q, solid->moves, corner);
  if (how == 0) PetscFunctionReturn(PETSC_SUCCESS);

  const double dp = fabs(exact_volume(corner[0], corner[1], corner[2], p));
  const double dq = fabs(exact_volume(corner[0], corner[1], corner[2], q));
  const double along = dp + dq > 0.0 ? dp / (dp + dq) : 0.5;
  const Vec3 at = along < 0.5 ? vec3_axpy(p, along, vec3_sub(q, p))
                              : vec3_axpy(q, dq / (dp + dq), vec3_sub(p, q));
  const bool rim_enters = (how > 0) == (a == lower);
  const int which = rim_enters == (of == 0) ? 0 : 1;
  if (++*n_ends <= 2) end[which] = (int)s->n_piercings;
  PetscCall(AddPiercing(s, (Piercing){of, solid->edge_of[3 * t + k], u, how > 0, along, at}));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode TryPair(Search *s, int t, int u)
{
  PetscFunctionBeginUser;
  int end[2] = {-1, -1}, n_ends = 0;
  for (int k = 0; k < 3; k++) {
    PetscCall(TrySide(s, 0, t, k, u, end, &n_ends));
    PetscCall(TrySide(s, 1, u, k, t, end, &n_ends));
  }
  if (n_ends == 0) PetscFunctionReturn(PETSC_SUCCESS);
  if (n_ends != 2 || end[0] < 0 || end[1] < 0) s->consistent = false;
  PetscCall(AddSeam(s, (Seam){{t, u}, end[0], end[1]}));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Triangles of both solids that reach into a box. */
typedef struct {
  Box box;
  int n[2];
  int *id[2]; /* borrowed */
} Crowd;

enum { FEW_PAIRS = 256, MOST_HALVINGS = 40 };

/* Pairs are looked at in the box that holds the lower corner of what they have in common. */
static PetscErrorCode TryCrowd(Search *s, const Crowd *c)
{
  PetscFunctionBeginUser;
  for (int i = 0; i < c->n[0]; i++) {
    const Box a = s->box[0][c->id[0][i]];
    for (int j = 0; j < c->n[1]; j++) {
      const Box b = s->box[1][c->id[1][j]];
      if (!box_overlaps(a, b)) continue;
      const Vec3 lower = {PetscMax(a.lo.x, b.lo.x), PetscMax(a.lo.y, b.lo.y),
                          PetscMax(a.lo.z, b.lo.z)};
      const Vec3 lo = c->box.lo, hi = c->box.hi;
      const bool here = lower.x >= lo.x && lower.x < hi.x && lower.y >= lo.y && lower.y < hi.y &&
                        lower.z >= lo.z && lower.z < hi.z;
      if (here) PetscCall(TryPair(s, c->id[0][i], c->id[1][j]));
    }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The lower or upper half of a box. */
static Box half_box(Box box, int axis, bool upper)
{
  const Vec3 middle = box_center(box);
  Vec3 *end = upper ? &box.lo : &box.hi;
  if (axis == 0) end->x = middle.x;
  if (axis == 1) end->y = middle.y;
  if (axis == 2) end->z = middle.z;
  return box;
}

/* Halve a box until few pairs are left or halving does not help. */
static PetscErrorCode SplitCrowd(Search *s, const Crowd *c, int depth)
{
  PetscFunctionBeginUser;
  if (c->n[0] == 0 || c->n[1] == 0) PetscFunctionReturn(PETSC_SUCCESS);
  if ((double)c->n[0] * c->n[1] <= FEW_PAIRS || depth == MOST_HALVINGS) {
    PetscCall(TryCrowd(s, c));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  const Vec3 size = box_size(c->box);
  const int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
  Crowd half[2];
  for (int h = 0; h < 2; h++) {
    half[h].box = half_box(c->box, axis, h == 1);
    for (int k = 0; k < 2; k++) {
      PetscCall(PetscMalloc1(c->n[k] + 1, &half[h].id[k]));
      half[h].n[k] = 0;
      for (int i = 0; i < c->n[k]; i++)
        if (box_overlaps(s->box[k][c->id[k][i]], half[h].box))
          half[h].id[k][half[h].n[k]++] = c->id[k][i];
    }
  }
  /* Triangles as large as the box stay in both halves for ever. */
  const bool helps =
      half[0].n[0] + half[1].n[0] < 1.7 * c->n[0] || half[0].n[1] + half[1].n[1] < 1.7 * c->n[1];
  if (helps)
    for (int h = 0; h < 2; h++) PetscCall(SplitCrowd(s, &half[h], depth + 1));
  else
    PetscCall(TryCrowd(s, c));
  for (int h = 0; h < 2; h++)
    for (int k = 0; k < 2; k++) PetscCall(PetscFree(half[h].id[k]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode SearchAll(Search *s)
{
  PetscFunctionBeginUser;
  Crowd all = {.box = box_empty()};
  for (int k = 0; k < 2; k++) {
    const Triangles *mesh = s->solid[k].mesh;
    all.n[k] = mesh->n_triangles;
    PetscCall(PetscMalloc1(mesh->n_triangles + 1, &s->box[k]));
    PetscCall(PetscMalloc1(mesh->n_triangles + 1, &all.id[k]));
    for (int t = 0; t < mesh->n_triangles; t++) {
      Vec3 corner[3];
      corners_of(mesh, t, corner);
      s->box[k][t] = corners_box(corner);
      all.id[k][t] = t;
      all.box = box_add_point(box_add_point(all.box, s->box[k][t].lo), s->box[k][t].hi);
    }
  }
  all.box = box_grow(all.box, 1e-3 * box_longest(all.box));
  PetscCall(SplitCrowd(s, &all, 0));
  for (int k = 0; k < 2; k++) {
    PetscCall(PetscFree(all.id[k]));
    PetscCall(PetscFree(s->box[k]));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static int compare_piercings(const void *a, const void *b)
{
  const Piercing *p = a, *q = b;
  if (p->of != q->of) return p->of < q->of ? -1 : 1;
  if (p->edge != q->edge) return p->edge < q->edge ? -1 : 1;
  return (p->triangle > q->triangle) - (p->triangle < q->triangle);
}

/* Every triangle at an edge has found its piercings anew: keep one of each. */
static int drop_copies(int n, Piercing piercing[])
{
  int kept = 0;
  for (int i = 0; i < n; i++)
    if (kept == 0 || compare_piercings(&piercing[kept - 1], &piercing[i]) != 0)
      piercing[kept++] = piercing[i];
  return kept;
}

static int number_of(const Cut *cut, const Piercing *key)
{
  const Piercing *found =
      bsearch(key, cut->piercing, (size_t)cut->n_piercings, sizeof *key, compare_piercings);
  return (int)(found - cut->piercing);
}

PetscErrorCode CutCreate(const Solid solid[2], Cut *cut, bool *consistent)
{
  PetscFunctionBeginUser;
  Search s = {.solid = solid, .consistent = true};
  PetscCall(SearchAll(&s));
  *cut = (Cut){.n_seams = (int)s.n_seams, .seam = s.seam};
  *consistent = s.consistent;
  PetscCall(PetscMalloc1(s.n_piercings + 1, &cut->piercing));
  PetscCall(PetscArraycpy(cut->piercing, s.piercing, s.n_piercings));
  qsort(cut->piercing, s.n_piercings, sizeof(Piercing), compare_piercings);
  cut->n_piercings = drop_copies((int)s.n_piercings, cut->piercing);
  for (int k = 0; k < cut->n_seams && s.consistent; k++) {
    cut->seam[k].from = number_of(cut, &s.piercing[cut->seam[k].from]);
    cut->seam[k].to = number_of(cut, &s.piercing[cut->seam[k].to]);
  }
  PetscCall(PetscFree(s.piercing));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CutDestroy(Cut *cut)
{
  PetscFunctionBeginUser;
  PetscCall(PetscFree(cut->piercing));
  PetscCall(PetscFree(cut->seam));
  PetscFunctionReturn(PETSC_SUCCESS);
}
