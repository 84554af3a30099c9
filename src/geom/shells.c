/*
 * Which triangles belong together, and is what they enclose solid or hollow?
 *
 * Triangles are joined over edges that just two of them share; at edges shared by more, only
 * as far as it takes to make every piece balance by itself. An outermost shell that is inside
 * out is turned, with all that is in it. An inner shell that runs the other way is a cavity;
 * one that runs the same way is buried in the solid and leaves.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "geom/surface_check_impl.h"

/*
 * A. van Oosterom and J. Strackee, The solid angle of a plane triangle, IEEE Trans. Biomed. Eng.
 * 30(2), 1983; summed over the shell.
 */
double shell_winding(const Shell *shell, Vec3 p)
{
  double sum = 0.0;
  for (int i = 0; i < shell->n; i++) {
    const int *v = shell->mesh->triangle[shell->id[i]];
    const Vec3 a = vec3_sub(shell->mesh->vertex[v[0]], p);
    const Vec3 b = vec3_sub(shell->mesh->vertex[v[1]], p);
    const Vec3 c = vec3_sub(shell->mesh->vertex[v[2]], p);
    const double la = vec3_norm(a), lb = vec3_norm(b), lc = vec3_norm(c);
    const double y = vec3_dot(a, vec3_cross(b, c));
    const double x = la * lb * lc + vec3_dot(a, b) * lc + vec3_dot(b, c) * la + vec3_dot(c, a) * lb;
    sum += 2.0 * atan2(y, x);
  }
  return sum / (4.0 * M_PI);
}

static int root_of(int parent[], int t)
{
  while (parent[t] != t) {
    parent[t] = parent[parent[t]];
    t = parent[t];
  }
  return t;
}

static bool join(int parent[], int a, int b)
{
  const int p = root_of(parent, a), q = root_of(parent, b);
  if (p < q) parent[q] = p;
  if (q < p) parent[p] = q;
  return p != q;
}

/* Do the uses of an edge balance within each piece that takes part? */
static bool pieces_balance(const Triangles *mesh, const EdgeTable *edges, int e, int parent[])
{
  const int(*triangle)[3] = (const int(*)[3])mesh->triangle;
  for (int i = edges->start[e]; i < edges->start[e + 1]; i++) {
    const int piece = root_of(parent, edges->use[i] / 3);
    int net = 0;
    for (int j = edges->start[e]; j < edges->start[e + 1]; j++) {
      const int u = edges->use[j];
      if (root_of(parent, u / 3) == piece)
        net += use_from(triangle, u) < use_to(triangle, u) ? 1 : -1;
    }
    if (net != 0) return false;
  }
  return true;
}

static void join_pieces(const Triangles *mesh, const EdgeTable *edges, int parent[])
{
  for (int t = 0; t < mesh->n_triangles; t++) parent[t] = t;
  for (int e = 0; e < edges->n_edges; e++) {
    const int first = edges->start[e];
    if (edges->start[e + 1] - first == 2)
      join(parent, edges->use[first] / 3, edges->use[first + 1] / 3);
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (int e = 0; e < edges->n_edges; e++) {
      const int first = edges->start[e];
      if (edges->start[e + 1] - first <= 2 || pieces_balance(mesh, edges, e, parent)) continue;
      for (int i = first + 1; i < edges->start[e + 1]; i++)
        changed |= join(parent, edges->use[first] / 3, edges->use[i] / 3);
    }
  }
}

/* Shell a lies within shell b, which, as it was given, wraps around it so many times. */
typedef struct {
  int a, b, times;
} Wrap;

/* What is known of a shell besides its triangles. */
typedef struct {
  bool negative; /* encloses a negative volume */
  bool turned;   /* compared with how it was given */
  bool gone;
  bool outermost;
  bool cuts;   /* another shell */
  int outside; /* winding number just outside of it */
  int solid;   /* the shell that bounds the solid it belongs to: itself, or around the cavity */
} Fate;

/* Shells as ranges of one list of triangle ids, in the order of their first triangles. */
typedef struct {
  int n;
  Shell *shell; /* owned, n */
  Fate *fate;   /* owned, n */
  int *id;      /* owned, all triangles */
  int n_wraps, room;
  Wrap *wrap; /* owned, n_wraps */
} ShellList;

static PetscErrorCode ShellListCreate(const Triangles *mesh, int parent[], ShellList *list)
{
  PetscFunctionBeginUser;
  const int n = mesh->n_triangles;
  int *number = NULL;
  PetscCall(PetscMalloc1(n, &number));
  list->n = 0;
  for (int t = 0; t < n; t++) {
    const int root = root_of(parent, t);
    number[t] = root == t ? list->n++ : number[root];
  }
  PetscCall(PetscCalloc3(list->n, &list->shell, list->n, &list->fate, n, &list->id));
  for (int t = 0; t < n; t++) list->shell[number[t]].n++;
  for (int s = 0, first = 0; s < list->n; s++) {
    const int count = list->shell[s].n;
    list->shell[s] = (Shell){mesh, list->id + first, 0, box_empty()};
    first += count;
  }
  for (int t = 0; t < n; t++) {
    Shell *shell = &list->shell[number[t]];
    list->id[shell->id - list->id + shell->n++] = t;
    for (int k = 0; k < 3; k++)
      shell->box = box_add_point(shell->box, mesh->vertex[mesh->triangle[t][k]]);
  }
  PetscCall(PetscFree(number));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ShellListDestroy(ShellList *list)
{
  PetscFunctionBeginUser;
  PetscCall(PetscFree3(list->shell, list->fate, list->id));
  PetscCall(PetscFree(list->wrap));
  PetscFunctionReturn(PETSC_SUCCESS);
}

double shell_volume(const Shell *shell)
{
  const Vec3 o = box_center(shell->box);
  double volume6 = 0.0;
  for (int i = 0; i < shell->n; i++) {
    const int *v = shell->mesh->triangle[shell->id[i]];
    const Vec3 *x = shell->mesh->vertex;
    volume6 +=
        vec3_dot(vec3_sub(x[v[0]], o), vec3_cross(vec3_sub(x[v[1]], o), vec3_sub(x[v[2]], o)));
  }
  return volume6 / 6.0;
}

static bool box_is_inside(Box a, Box b)
{
  return box_contains(b, a.lo) && box_contains(b, a.hi);
}

/* How often b wraps around a; a point of a that is on b tells nothing, so a few are tried. */
static int winding_around(const Shell *a, const Shell *b)
{
  if (!box_is_inside(a->box, b->box)) return 0;
  enum { MOST_TRIES = 8 };
  double best = 0.5;
  for (int i = 0; i < MOST_TRIES && i < a->n; i++) {
    const double w = shell_winding(b, triangle_middle(a->mesh, a->id[(long)i * a->n / MOST_TRIES]));
    const double off = fabs(w - round(w)), best_off = fabs(best - round(best));
    best = i == 0 || off < best_off ? w : best;
    if (fabs(best - round(best)) < 1e-6) break;
  }
  return (int)round(best);
}

static PetscErrorCode AddWrap(ShellList *list, int a, int b)
{
  PetscFunctionBeginUser;
  const int times = winding_around(&list->shell[a], &list->shell[b]);
  if (times == 0) PetscFunctionReturn(PETSC_SUCCESS);
  if (list->n_wraps == list->room) {
    list->room = 2 * list->room + 16;
    PetscCall(PetscRealloc(list->room * sizeof(Wrap), &list->wrap));
  }
  list->wrap[list->n_wraps++] = (Wrap){a, b, times};
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Two shells cut each other, or one lies within the other, or neither. */
static PetscErrorCode FindRelations(ShellList *list, double tolerance, Finding *overlap)
{
  PetscFunctionBeginUser;
  for (int a = 0; a < list->n; a++) {
    for (int b = a + 1; b < list->n; b++) {
      if (!box_overlaps(list->shell[a].box, list->shell[b].box)) continue;
      bool cut = false;
      Vec3 at = {0};
      PetscCall(ShellsCut(&list->shell[a], &list->shell[b], tolerance, &cut, &at));
      if (cut) {
        finding_add(overlap, at);
        list->fate[a].cuts = list->fate[b].cuts = true;
      } else {
        PetscCall(AddWrap(list, a, b));
        PetscCall(AddWrap(list, b, a));
      }
    }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void turn_shell(Triangles *mesh, ShellList *list, int s, Finding *inverted)
{
  const Shell *shell = &list->shell[s];
  finding_add(inverted, mesh->vertex[mesh->triangle[shell->id[0]][0]]);
  for (int i = 0; i < shell->n; i++) {
    int *t = mesh->triangle[shell->id[i]];
    const int second = t[1];
    t[1] = t[2];
    t[2] = second;
  }
  list->fate[s].negative = !list->fate[s].negative;
  list->fate[s].turned = !list->fate[s].turned;
}

/* Outermost shells must enclose a positive volume; what is within turns with them. */
static void turn_outermost(Triangles *mesh, ShellList *list, Finding *inverted)
{
  for (int s = 0; s < list->n; s++) {
    list->fate[s].negative = shell_volume(&list->shell[s]) < 0.0;
    list->fate[s].outermost = true;
  }
  for (int w = 0; w < list->n_wraps; w++) list->fate[list->wrap[w].a].outermost = false;
  for (int s = 0; s < list->n; s++) {
    if (!list->fate[s].outermost || !list->fate[s].negative) continue;
    turn_shell(mesh, list, s, inverted);
    for (int w = 0; w < list->n_wraps; w++) {
      const Wrap wrap = list->wrap[w];
      if (wrap.b == s && !list->fate[wrap.a].turned) turn_shell(mesh, list, wrap.a, inverted);
    }
  }
}

/* The winding numbers outside and inside of a shell tell what it is. */
static void judge_shell(Triangles *mesh, ShellList *list, int s, SurfaceReport *report)
{
  Fate *fate = &list->fate[s];
  if (fate->negative && fate->outside <= 0) turn_shell(mesh, list, s, &report->inverted);
  const int inside = fate->outside + (fate->negative ? -1 : 1);
  if (fate->outside > 0 && inside > 0) {
    fate->gone = true;
    finding_add(&report->buried, mesh->vertex[mesh->triangle[list->shell[s].id[0]][0]]);
  }
  report->n_shells += !fate->gone;
  report->n_cavities += !fate->gone && fate->negative;
}

/* A cavity belongs to the smallest shell around it that is not one. */
static void find_solids(ShellList *list)
{
  for (int s = 0; s < list->n; s++) list->fate[s].solid = s;
  for (int w = 0; w < list->n_wraps; w++) {
    Fate *fate = &list->fate[list->wrap[w].a];
    const int around = list->wrap[w].b;
    if (!fate->negative || fate->gone || list->fate[around].negative || list->fate[around].gone)
      continue;
    const bool first = list->fate[fate->solid].negative;
    if (first ||
        fabs(shell_volume(&list->shell[around])) < fabs(shell_volume(&list->shell[fate->solid])))
      fate->solid = around;
  }
  for (int s = 0; s < list->n; s++)
    if (list->fate[s].cuts && !list->fate[s].gone) list->fate[list->fate[s].solid].cuts = true;
}

/* The numbers of solids that cut others, triangle by triangle as they are after the compression. */
static PetscErrorCode NumberSolids(const Triangles *mesh, const ShellList *list, int **solid)
{
  PetscFunctionBeginUser;
  int *number = NULL, *before = NULL, n = 0;
  PetscCall(PetscMalloc2(list->n, &number, mesh->n_triangles, &before));
  PetscCall(PetscMalloc1(mesh->n_triangles, solid));
  for (int s = 0; s < list->n; s++) {
    const Fate *fate = &list->fate[s];
    number[s] = fate->solid == s && fate->cuts && !fate->gone ? n++ : -1;
  }
  for (int s = 0; s < list->n; s++)
    for (int i = 0; i < list->shell[s].n; i++)
      before[list->shell[s].id[i]] = list->fate[s].gone ? -2 : number[list->fate[s].solid];
  for (int t = 0, kept = 0; t < mesh->n_triangles; t++)
    if (before[t] != -2) (*solid)[kept++] = before[t];
  PetscCall(PetscFree2(number, before));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode JudgeShells(Triangles *mesh, ShellList *list, SurfaceReport *report,
                                  int **solid)
{
  PetscFunctionBeginUser;
  PetscCall(FindRelations(list, report->tolerance, &report->overlap));
  turn_outermost(mesh, list, &report->inverted);
  report->inverted_whole = report->inverted.n == list->n;
  for (int w = 0; w < list->n_wraps; w++) {
    const Wrap wrap = list->wrap[w];
    list->fate[wrap.a].outside += list->fate[wrap.b].turned ? -wrap.times : wrap.times;
  }
  for (int s = 0; s < list->n; s++) judge_shell(mesh, list, s, report);
  find_solids(list);
  PetscCall(NumberSolids(mesh, list, solid));

  bool *gone = NULL;
  PetscCall(PetscCalloc1(mesh->n_triangles, &gone));
  for (int s = 0; s < list->n; s++)
    for (int i = 0; i < list->shell[s].n; i++) gone[list->shell[s].id[i]] = list->fate[s].gone;
  triangles_compress(mesh, gone);
  PetscCall(PetscFree(gone));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode TrianglesSortShells(Triangles *mesh, SurfaceReport *report, int **solid)
{
  PetscFunctionBeginUser;
  EdgeTable edges;
  int *parent = NULL;
  PetscCall(EdgeTableCreate(mesh->n_vertices, mesh->n_triangles, (const int(*)[3])mesh->triangle,
                            &edges));
  PetscCall(PetscMalloc1(mesh->n_triangles, &parent));
  join_pieces(mesh, &edges, parent);
  PetscCall(EdgeTableDestroy(&edges));

  ShellList list = {0};
  PetscCall(ShellListCreate(mesh, parent, &list));
  PetscCall(PetscFree(parent));
  PetscCall(JudgeShells(mesh, &list, report, solid));
  PetscCall(ShellListDestroy(&list));
  PetscFunctionReturn(PETSC_SUCCESS);
}
