/*
 * What does a front know of itself, and which way does it want to go?
 *
 * Best is the direction whose worst angle with the faces around the vertex is smallest: the axis
 * of the narrowest cone around their normals. Smoothing blends it with the directions of the
 * neighbours, which spreads columns out of concave corners and fans them around convex ones, and
 * is taken back where a face would no longer be seen well.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "grid/extrude_impl.h"

/* A smoothed direction keeps this part of the best visibility. */
#define KEEP_VISIBLE 0.6

/* Above this visibility the plain vertex normal will do. */
#define SMOOTH_ENOUGH 0.97

/* Sine of the rise to a neighbour at which a vertex begins to be concave and is so fully. */
#define CONCAVE_FROM 0.15
#define CONCAVE_TO 0.4

/* How far directions lean out of concave corners, in thicknesses of the layers. */
#define LEAN_RANGE 2.0

/* Convex vertices whose faces are seen worse than this hold their directions then. */
#define RIDGE 0.9

enum { CONE_STEPS = 100, LEAN_PASSES = 30 };

static PetscErrorCode FrontLink(Front *front)
{
  PetscFunctionBeginUser;
  const WallMesh *wall = front->wall;
  for (int f = 0; f < wall->n_faces; f++)
    for (int k = 0; k < face_corners(wall->face[f]); k++) front->start[wall->face[f][k] + 1]++;
  for (int v = 0; v < wall->n_vertices; v++) front->start[v + 1] += front->start[v];
  int *fill = NULL;
  PetscCall(PetscMalloc1(wall->n_vertices, &fill));
  PetscCall(PetscArraycpy(fill, front->start, wall->n_vertices));
  for (int f = 0; f < wall->n_faces; f++) {
    const int *face = wall->face[f], n = face_corners(face);
    for (int k = 0; k < n; k++)
      front->link[fill[face[k]]++] = (Link){f, face[(k + 1) % n], face[(k + n - 1) % n]};
  }
  PetscCall(PetscFree(fill));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode FrontCreate(const WallMesh *wall, Front *front)
{
  PetscFunctionBeginUser;
  const size_t n = (size_t)wall->n_vertices;
  size_t n_links = 0;
  for (int f = 0; f < wall->n_faces; f++) n_links += (size_t)face_corners(wall->face[f]);
  *front = (Front){.wall = wall};
  PetscCall(PetscCalloc1(n + 1, &front->start));
  PetscCall(PetscMalloc2(n_links, &front->link, n_links, &front->corner));
  PetscCall(PetscMalloc5(n, &front->x, n, &front->to, n, &front->best, n, &front->direction, n,
                         &front->work));
  PetscCall(PetscMalloc7(n, &front->visible, n, &front->edge, n, &front->height, n, &front->ease, n,
                         &front->slow, n, &front->concave, n, &front->scratch));
  PetscCall(FrontLink(front));
  front_reset(front);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode FrontDestroy(Front *front)
{
  PetscFunctionBeginUser;
  PetscCall(PetscFree(front->start));
  PetscCall(PetscFree2(front->link, front->corner));
  PetscCall(PetscFree5(front->x, front->to, front->best, front->direction, front->work));
  PetscCall(PetscFree7(front->visible, front->edge, front->height, front->ease, front->slow,
                       front->concave, front->scratch));
  PetscFunctionReturn(PETSC_SUCCESS);
}

void front_reset(Front *front)
{
  front->thickness = 0.0;
  for (int v = 0; v < front->wall->n_vertices; v++) {
    front->x[v] = front->wall->vertex[v];
    front->slow[v] = 1.0;
  }
}

Vec3 front_middle(const Front *front, const Vec3 x[], int v)
{
  Vec3 sum = {0, 0, 0};
  for (int i = front->start[v]; i < front->start[v + 1]; i++)
    sum = vec3_add(sum, x[front->link[i].next]);
  return vec3_scale(1.0 / (front->start[v + 1] - front->start[v]), sum);
}

/* Smallest cosine between d and the normals at v, and whose it is. */
static double least_visible(const Front *front, int v, Vec3 d, int *whose)
{
  double least = INFINITY;
  for (int i = front->start[v]; i < front->start[v + 1]; i++) {
    const double c = vec3_dot(d, front->corner[i]);
    if (c >= least) continue;
    least = c;
    *whose = i;
  }
  return least;
}

/* Corner normals, and their mean with the weights that are exact on a sphere (Max 1999). */
static Vec3 vertex_normal(Front *front, int v)
{
  Vec3 sum = {0, 0, 0};
  double length = 0.0;
  for (int i = front->start[v]; i < front->start[v + 1]; i++) {
    const Vec3 a = vec3_sub(front->x[front->link[i].next], front->x[v]);
    const Vec3 b = vec3_sub(front->x[front->link[i].before], front->x[v]);
    const Vec3 n = vec3_cross(a, b);
    front->corner[i] = vec3_unit(n);
    sum = vec3_axpy(sum, 1.0 / (vec3_norm2(a) * vec3_norm2(b)), n);
    length += vec3_norm(a);
  }
  front->edge[v] = length / (front->start[v + 1] - front->start[v]);
  return vec3_unit(sum);
}

/* The axis of the narrowest cone: step towards the normal that is seen worst, ever less. */
static Vec3 cone_axis(const Front *front, int v, Vec3 d, double *visible)
{
  Vec3 center = d, best = d;
  int worst = 0;
  *visible = least_visible(front, v, d, &worst);
  for (int k = 1; k <= CONE_STEPS; k++) {
    center = vec3_axpy(center, 1.0 / (k + 1), vec3_sub(front->corner[worst], center));
    const Vec3 unit = vec3_unit(center);
    const double c = least_visible(front, v, unit, &worst);
    if (c <= *visible) continue;
    *visible = c;
    best = unit;
  }
  return best;
}

/* Bring a direction back towards the best one until every face is seen well. */
static Vec3 keep_visible(const Front *front, int v, Vec3 d)
{
  int worst = 0;
  for (int k = 0; k < 6; k++) {
    if (least_visible(front, v, d, &worst) >= KEEP_VISIBLE * front->visible[v]) return d;
    d = vec3_unit(vec3_add(d, front->best[v]));
  }
  return front->best[v];
}

/* The mean direction of the neighbours, near ones first. */
static Vec3 neighbour_direction(const Front *front, int v)
{
  Vec3 sum = {0, 0, 0};
  double weights = 0.0;
  for (int i = front->start[v]; i < front->start[v + 1]; i++) {
    const int w = front->link[i].next;
    const double weight = 1.0 / vec3_distance(front->x[w], front->x[v]);
    sum = vec3_axpy(sum, weight, front->direction[w]);
    weights += weight;
  }
  return vec3_scale(1.0 / weights, sum);
}

static void smooth_directions(Front *front)
{
  for (int v = 0; v < front->wall->n_vertices; v++) {
    const Vec3 blend = vec3_add(front->direction[v], neighbour_direction(front, v));
    front->work[v] = keep_visible(front, v, vec3_unit(blend));
  }
  Vec3 *swap = front->direction;
  front->direction = front->work;
  front->work = swap;
}

/* Where directions lean out of concave corners: 1 in the corner, down to 0 at some thicknesses. */
static void spread_concavity(Front *front, double lean[])
{
  const int n = front->wall->n_vertices;
  for (int v = 0; v < n; v++) lean[v] = front->concave[v];
  bool changed = true;
  for (int pass = 0; changed; pass++) {
    changed = false;
    for (int m = 0; m < n; m++) {
      const int v = pass % 2 == 0 ? m : n - 1 - m;
      const double range = LEAN_RANGE * front->range[v];
      for (int i = front->start[v]; i < front->start[v + 1]; i++) {
        const int w = front->link[i].next;
        const double least = lean[w] - vec3_distance(front->x[v], front->x[w]) / range;
        if (least <= lean[v] + 1e-9) continue;
        lean[v] = least;
        changed = true;
      }
    }
  }
}

/* Around concave corners directions go over into each other evenly; convex edges hold theirs. */
static void lean_directions(Front *front)
{
  const int n = front->wall->n_vertices;
  double *lean = front->scratch;
  spread_concavity(front, lean);
  for (int pass = 0; pass < LEAN_PASSES; pass++)
    for (int m = 0; m < n; m++) {
      const int v = pass % 2 == 0 ? m : n - 1 - m;
      const bool ridge = front->visible[v] < RIDGE && front->concave[v] == 0.0;
      if (lean[v] <= 0.0 || ridge) continue;
      const double part = PetscMin(1.0, 2.0 * lean[v]);
      const Vec3 d = vec3_axpy(vec3_scale(1.0 - part, front->direction[v]), part,
                               neighbour_direction(front, v));
      front->direction[v] = keep_visible(front, v, vec3_unit(d));
    }
}

/* Is a neighbour ahead of the vertex? 0: none, 1: one is far ahead. */
static double concavity(const Front *front, int v)
{
  double ahead = -1.0;
  for (int i = front->start[v]; i < front->start[v + 1]; i++) {
    const Vec3 edge = vec3_unit(vec3_sub(front->x[front->link[i].next], front->x[v]));
    ahead = PetscMax(ahead, vec3_dot(edge, front->best[v]));
  }
  const double part = (ahead - CONCAVE_FROM) / (CONCAVE_TO - CONCAVE_FROM);
  return part < 0.0 ? 0.0 : part > 1.0 ? 1.0 : part;
}

void front_directions(Front *front, int n_smooth)
{
  for (int v = 0; v < front->wall->n_vertices; v++) {
    int worst = 0;
    front->best[v] = vertex_normal(front, v);
    front->visible[v] = least_visible(front, v, front->best[v], &worst);
    if (front->visible[v] < SMOOTH_ENOUGH)
      front->best[v] = cone_axis(front, v, front->best[v], &front->visible[v]);
    front->direction[v] = front->best[v];
    front->concave[v] = concavity(front, v);
  }
  for (int k = 0; k < n_smooth; k++) smooth_directions(front);
  if (n_smooth > 0) lean_directions(front);
}
