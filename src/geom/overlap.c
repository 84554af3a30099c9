/*
 * Do two closed shells cut through each other?
 *
 * They do when an edge of one passes through a triangle of the other. Triangles within the
 * common box are swept along its longest side. An edge that meets the rim of a triangle may
 * only touch, so a small ball a little further along it is asked whether it is really inside.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "geom/surface_check_impl.h"

#include <stdlib.h>

/* How near to its rim, in barycentric coordinates, a crossing is no longer plain. */
#define RIM 1e-6

enum { MOST_RIM_TESTS = 64 };

typedef struct {
  double lo, hi; /* along the sweep */
  int t;
  int shell; /* 0 or 1 */
} Sweep;

typedef struct {
  const Shell *shell[2];
  double tolerance;
  int n_rim_tests;
  Vec3 at;
} CutSearch;

static int compare_sweeps(const void *a, const void *b)
{
  const Sweep *p = a, *q = b;
  if (p->lo != q->lo) return p->lo < q->lo ? -1 : 1;
  return (p->t > q->t) - (p->t < q->t);
}

/* The least barycentric coordinate of x in the triangle abc, x in its plane. */
static double least_barycentric(Vec3 x, Vec3 a, Vec3 b, Vec3 c, Vec3 normal)
{
  const double whole = vec3_norm2(normal);
  const double u = vec3_dot(vec3_cross(vec3_sub(b, x), vec3_sub(c, x)), normal) / whole;
  const double v = vec3_dot(vec3_cross(vec3_sub(c, x), vec3_sub(a, x)), normal) / whole;
  const double w = 1.0 - u - v;
  const double least = u < v ? u : v;
  return least < w ? least : w;
}

/* Is a small ball about p inside? A point on the shell itself could be told either way. */
static bool ball_is_inside(const Shell *shell, Vec3 p, double radius)
{
  static const Vec3 direction[4] = {
      {0.61, 0.52, 0.6}, {0.55, -0.63, -0.55}, {-0.63, 0.57, -0.52}, {-0.53, -0.46, 0.71}};
  for (int k = 0; k < 4; k++)
    if (fabs(shell_winding(shell, vec3_axpy(p, radius, direction[k]))) < 0.5) return false;
  return true;
}

/* Does the edge pq pass through triangle t of the other shell? */
static bool edge_cuts(CutSearch *search, const Shell *other, Vec3 p, Vec3 q, int t)
{
  const Vec3 *x = other->mesh->vertex;
  const int *v = other->mesh->triangle[t];
  const Vec3 normal = triangle_area2(x, v);
  const double length = vec3_norm(normal);
  const double dp = vec3_dot(vec3_sub(p, x[v[0]]), normal);
  const double dq = vec3_dot(vec3_sub(q, x[v[0]]), normal);
  const double margin = search->tolerance * length;
  const bool crosses = (dp > margin && dq < -margin) || (dp < -margin && dq > margin);
  if (!crosses) return false;

  const double s = dp / (dp - dq);
  const Vec3 at = vec3_axpy(p, s, vec3_sub(q, p));
  const double least = least_barycentric(at, x[v[0]], x[v[1]], x[v[2]], normal);
  if (least < -RIM) return false;
  search->at = at;
  if (least > RIM) return true;
  if (search->n_rim_tests++ >= MOST_RIM_TESTS) return false;

  /* One hundredth of the way from the crossing to the end that lies behind the triangle. */
  const double inner = dp < 0.0 ? 0.99 * s : s + 0.01 * (1.0 - s);
  const double depth = 0.01 * (dp < 0.0 ? -dp : -dq) / length;
  return ball_is_inside(other, vec3_axpy(p, inner, vec3_sub(q, p)), 0.25 * depth);
}

static bool triangles_cut(CutSearch *search, const Sweep *a, const Sweep *b)
{
  const Sweep *side[2] = {a, b};
  for (int k = 0; k < 2; k++) {
    const Shell *of = search->shell[side[k]->shell], *other = search->shell[side[1 - k]->shell];
    const int *v = of->mesh->triangle[side[k]->t];
    for (int e = 0; e < 3; e++)
      if (edge_cuts(search, other, of->mesh->vertex[v[e]], of->mesh->vertex[v[(e + 1) % 3]],
                    side[1 - k]->t))
        return true;
  }
  return false;
}

static int longest_axis(Box box)
{
  const Vec3 s = box_size(box);
  return s.x >= s.y && s.x >= s.z ? 0 : s.y >= s.z ? 1 : 2;
}

static PetscErrorCode CollectSweeps(const CutSearch *search, Box common, int *n, Sweep **sweeps)
{
  PetscFunctionBeginUser;
  const int axis = longest_axis(common);
  PetscCall(PetscMalloc1(search->shell[0]->n + search->shell[1]->n, sweeps));
  *n = 0;
  for (int k = 0; k < 2; k++) {
    const Shell *shell = search->shell[k];
    for (int i = 0; i < shell->n; i++) {
      const Box box = triangle_box(shell->mesh, shell->id[i]);
      if (box_overlaps(box, common))
        (*sweeps)[(*n)++] = (Sweep){vec3_at(box.lo, axis), vec3_at(box.hi, axis), shell->id[i], k};
    }
  }
  if (*n > 1) qsort(*sweeps, *n, sizeof(Sweep), compare_sweeps);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static bool sweep_finds_cut(CutSearch *search, int n, const Sweep sweep[])
{
  const Triangles *mesh = search->shell[0]->mesh;
  for (int i = 0; i < n; i++) {
    for (int j = i + 1; j < n && sweep[j].lo <= sweep[i].hi; j++) {
      if (sweep[i].shell == sweep[j].shell) continue;
      if (!box_overlaps(triangle_box(mesh, sweep[i].t), triangle_box(mesh, sweep[j].t))) continue;
      if (triangles_cut(search, &sweep[i], &sweep[j])) return true;
    }
  }
  return false;
}

/* A shell by itself, turned to enclose a positive volume. */
static PetscErrorCode CopyShell(const Shell *shell, Triangles *copy)
{
  PetscFunctionBeginUser;
  Triangles all = {0};
  const bool turn = shell_volume(shell) < 0.0;
  PetscCall(TrianglesCreate(shell->mesh->n_vertices, shell->n, &all));
  PetscCall(PetscCalloc1(shell->n, &all.tag));
  PetscCall(PetscArraycpy(all.vertex, shell->mesh->vertex, all.n_vertices));
  for (int i = 0; i < shell->n; i++) {
    const int *v = shell->mesh->triangle[shell->id[i]];
    all.triangle[i][0] = v[0];
    all.triangle[i][1] = v[turn ? 2 : 1];
    all.triangle[i][2] = v[turn ? 1 : 2];
  }
  PetscCall(TrianglesCopyUsed(&all, copy));
  PetscCall(TrianglesDestroy(&all));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static double volume_from(const Triangles *mesh, Vec3 o)
{
  double volume6 = 0.0;
  for (int t = 0; t < mesh->n_triangles; t++) {
    const int *v = mesh->triangle[t];
    const Vec3 *x = mesh->vertex;
    volume6 +=
        vec3_dot(vec3_sub(x[v[0]], o), vec3_cross(vec3_sub(x[v[1]], o), vec3_sub(x[v[2]], o)));
  }
  return volume6 / 6.0;
}

/* A common volume below this part of the smaller one is rounding. */
#define FLUSH_VOLUME 1e-10

/*
 * Solids whose faces lie in common planes may share a volume although no edge passes through a
 * face. They overlap when that is neither nothing nor the whole of one of them.
 */
static PetscErrorCode ShellsFlush(const Shell *a, const Shell *b, bool *flush)
{
  PetscFunctionBeginUser;
  Triangles p = {0}, q = {0}, both = {0};
  bool done = false;
  *flush = false;
  PetscCall(CopyShell(a, &p));
  PetscCall(CopyShell(b, &q));
  PetscCall(TrianglesUnite(&p, &q, &both, &done));
  if (done) {
    const Vec3 o = box_center(a->box);
    const double va = volume_from(&p, o), vb = volume_from(&q, o);
    const double common = va + vb - volume_from(&both, o), less = PetscMin(va, vb);
    *flush = common > FLUSH_VOLUME * less && less - common > FLUSH_VOLUME * less;
  }
  PetscCall(TrianglesDestroy(&p));
  PetscCall(TrianglesDestroy(&q));
  PetscCall(TrianglesDestroy(&both));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ShellsCut(const Shell *a, const Shell *b, double tolerance, bool *cut, Vec3 *at)
{
  PetscFunctionBeginUser;
  const Box p = a->box, q = b->box;
  const Box common = {
      {PetscMax(p.lo.x, q.lo.x), PetscMax(p.lo.y, q.lo.y), PetscMax(p.lo.z, q.lo.z)},
      {PetscMin(p.hi.x, q.hi.x), PetscMin(p.hi.y, q.hi.y), PetscMin(p.hi.z, q.hi.z)}};
  CutSearch search = {.shell = {a, b}, .tolerance = tolerance};
  int n = 0;
  Sweep *sweep = NULL;
  PetscCall(CollectSweeps(&search, common, &n, &sweep));
  *cut = sweep_finds_cut(&search, n, sweep);
  *at = search.at;
  const Vec3 size = box_size(common);
  if (!*cut && size.x > tolerance && size.y > tolerance && size.z > tolerance) {
    PetscCall(ShellsFlush(a, b, cut));
    *at = box_center(common);
  }
  PetscCall(PetscFree(sweep));
  PetscFunctionReturn(PETSC_SUCCESS);
}
