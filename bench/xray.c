/*
 * How fast are x-rays? One core, a sphere and a concave shape of about 20,000 triangles.
 *
 * Prints: name | work | seconds (median) | rate; peers build their trees in bench/peers.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "geom/xray.h"
#include "bench.h"
#include "geom/primitive.h"
#include "geom/xray_draft.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define REPEATS 5
#define POINTS 100000

/* Time this process spent on its core: waiting for a busy machine does not count. */
static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int compare(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

static double median(double seconds[REPEATS])
{
  qsort(seconds, REPEATS, sizeof *seconds, compare);
  return seconds[REPEATS / 2];
}

static void print_line(const char *shape, const char *work, double seconds, int n)
{
  char name[64];
  snprintf(name, sizeof name, "xray/%s/%s", shape, work);
  bench_report(name, n, n > 1 ? "points" : "builds", seconds);
}

typedef struct {
  double *x, *y, *z; /* owned */
  bool *inside;      /* owned */
} Points;

static double unit_random(uint64_t *state)
{
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (double)(*state >> 11) / 9007199254740992.0;
}

/* Rows of points along x, as a grid has them, or points in random order, in the box. */
static void fill_box(const Surface *s, bool coherent, Points *p)
{
  uint64_t state = 5;
  const Vec3 lo = s->box.lo, size = box_size(s->box);
  const int side = (int)cbrt(POINTS);
  for (int k = 0; k < POINTS; k++) {
    const int i = k % side, j = k / side % side, l = k / side / side;
    p->x[k] = lo.x + size.x * (coherent ? (i + 0.5) / side : unit_random(&state));
    p->y[k] = lo.y + size.y * (coherent ? (j + 0.5) / side : unit_random(&state));
    p->z[k] = lo.z + size.z * (coherent ? (l + 0.5) / side : unit_random(&state));
  }
}

/* Points within `band` of the surface, triangle after triangle or in random order. */
static void fill_band(const Surface *s, const XRay *x, double band, bool coherent, Points *p)
{
  uint64_t state = 6;
  for (int k = 0; k < POINTS; k++) {
    const int next = (int)((int64_t)k * s->n_triangles / POINTS);
    const int t = coherent ? next : (int)(unit_random(&state) * s->n_triangles);
    double u = unit_random(&state), v = unit_random(&state);
    if (u + v > 1.0) u = 1.0 - u, v = 1.0 - v;
    Vec3 n;
    const Vec3 q = xray_patch_point(x, t, u, v, &n);
    const Vec3 at = vec3_axpy(q, band * (2.0 * unit_random(&state) - 1.0), n);
    p->x[k] = at.x, p->y[k] = at.y, p->z[k] = at.z;
  }
}

typedef double (*Query)(const XRay *x, const Points *p, double reach);

static double ask_inside(const XRay *x, const Points *p, double reach)
{
  (void)reach;
  xray_contains_many(x, POINTS, p->x, p->y, p->z, p->inside);
  return p->inside[POINTS / 2];
}

static double ask_inside_one_by_one(const XRay *x, const Points *p, double reach)
{
  (void)reach;
  int n = 0;
  for (int k = 0; k < POINTS; k++) n += xray_contains(x, vec3(p->x[k], p->y[k], p->z[k]));
  return n;
}

static double ask_distance(const XRay *x, const Points *p, double reach)
{
  double sum = 0.0;
  for (int k = 0; k < POINTS; k++)
    sum += xray_distance(x, vec3(p->x[k], p->y[k], p->z[k]), reach).distance;
  return sum;
}

static double ask_gap(const XRay *x, const Points *p, double reach)
{
  double sum = 0.0;
  for (int k = 0; k < POINTS; k++)
    sum += xray_gap(x, vec3(p->x[k], p->y[k], p->z[k]), reach).distance;
  return sum;
}

static double ask_bound(const XRay *x, const Points *p, double reach)
{
  (void)reach;
  double sum = 0.0;
  for (int k = 0; k < POINTS; k++) sum += xray_distance_bound(x, vec3(p->x[k], p->y[k], p->z[k]));
  return sum;
}

static void time_query(const char *shape, const char *work, Query ask, const XRay *x,
                       const Points *p)
{
  double seconds[REPEATS], check = 0.0;
  for (int k = 0; k < REPEATS; k++) {
    const double start = now();
    check += ask(x, p, xray_reach(x));
    seconds[k] = now() - start;
  }
  if (check == 0.123) printf("\n"); /* The answers are used. */
  print_line(shape, work, median(seconds), POINTS);
}

static PetscErrorCode BuildTime(const char *shape, const Surface *s, XRaySpec spec)
{
  PetscFunctionBeginUser;
  double whole[REPEATS], lattices[REPEATS];
  for (int k = 0; k < REPEATS; k++) {
    XRay *x = NULL;
    const double start = now();
    PetscCall(XRayCreate(s, spec, &x));
    whole[k] = now() - start;
    PetscCall(XRayDestroy(&x));
  }
  for (int k = 0; k < REPEATS; k++) {
    XRayDraft *draft = NULL;
    PetscCall(XRayDraftCreate(s, spec, &draft));
    const double start = now();
    PetscCall(XRayDraftRays(s->n_triangles, draft));
    PetscCall(XRayDraftColumns(s->n_triangles, draft));
    lattices[k] = now() - start;
    PetscCall(XRayDraftDestroy(&draft));
  }
  print_line(shape, "build lattices", median(lattices), 1);
  print_line(shape, "build everything", median(whole), 1);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ShapeRun(const char *shape, const Surface *s)
{
  PetscFunctionBeginUser;
  Points p = {NULL, NULL, NULL, NULL};
  XRay *x = NULL;
  const XRaySpec spec = {0.01, NAN};
  const void *bytes = NULL;
  size_t n = 0;
  PetscCall(PetscMalloc3(POINTS, &p.x, POINTS, &p.y, POINTS, &p.z));
  PetscCall(PetscMalloc1(POINTS, &p.inside));
  PetscCall(XRayCreate(s, spec, &x));
  PetscCall(XRayGetBytes(x, &bytes, &n));
  printf("xray %-7s | %d triangles, %.1f MB\n", shape, s->n_triangles, 1e-6 * (double)n);
  PetscCall(BuildTime(shape, s, spec));
  for (int coherent = 1; coherent >= 0; coherent--) {
    const char *order = coherent ? "coherent" : "random";
    char work[64];
    fill_box(s, coherent, &p);
    snprintf(work, sizeof work, "inside, many, %s", order);
    time_query(shape, work, ask_inside, x, &p);
    snprintf(work, sizeof work, "inside, one by one, %s", order);
    time_query(shape, work, ask_inside_one_by_one, x, &p);
    snprintf(work, sizeof work, "distance bound, %s", order);
    time_query(shape, work, ask_bound, x, &p);
    fill_band(s, x, xray_reach(x), coherent, &p);
    snprintf(work, sizeof work, "distance in band, %s", order);
    time_query(shape, work, ask_distance, x, &p);
    snprintf(work, sizeof work, "curved gap in band, %s", order);
    time_query(shape, work, ask_gap, x, &p);
  }
  PetscCall(XRayDestroy(&x));
  PetscCall(PetscFree3(p.x, p.y, p.z));
  PetscCall(PetscFree(p.inside));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A ball with dents: the same triangles on moved vertices. */
static PetscErrorCode DentedCreate(const Surface *ball, Surface **dented)
{
  PetscFunctionBeginUser;
  Vec3 *v = NULL;
  PetscCall(PetscMalloc1((size_t)ball->n_vertices, &v));
  for (int k = 0; k < ball->n_vertices; k++) {
    const Vec3 u = vec3_unit(ball->vertex[k]);
    const double bumps = sin(4 * u.x + 1) * sin(5 * u.y) + sin(6 * u.z + 2 * u.x);
    v[k] = vec3_scale(0.85 + 0.2 * bumps, u);
  }
  PetscCall(SurfaceCreate(ball->n_vertices, v, ball->n_triangles, (const int(*)[3])ball->triangle,
                          NULL, dented));
  PetscCall(PetscFree(v));
  PetscFunctionReturn(PETSC_SUCCESS);
}

int main(int argc, char **argv)
{
  PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
  Surface *ball = NULL, *dented = NULL;
  const ShapeSpec spec = {.kind = SHAPE_SPHERE, .radius = 1.0, .spacing = 0.042};
  PetscCall(PrimitiveCreate(&spec, &ball));
  PetscCall(DentedCreate(ball, &dented));
  PetscCall(ShapeRun("sphere", ball));
  PetscCall(ShapeRun("concave", dented));
  PetscCall(SurfaceDestroy(&ball));
  PetscCall(SurfaceDestroy(&dented));
  PetscCall(PetscFinalize());
  return 0;
}
