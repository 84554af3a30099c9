/*
 * How does a front take one layer without spoiling a cell?
 *
 * Vertices step along their directions, longer in concave corners, where the faces beside them
 * would overtake them, and are drawn a little towards the middle of their neighbours, which keeps
 * them from crowding. Then every cell is judged. Vertices of a bad cell first give up the
 * drawing and the smoothing, then part of their step; a step short enough along a direction that
 * sees all faces always makes sound cells.
 *
 * The Jacobian of a prism is linear across and quadratic along the column; over corner i its
 * Bernstein coefficients are d.(a x b), d.(a x b' + a' x b)/2 and d.(a' x b') with the edges a, b
 * of the lower and a', b' of the upper triangle and the column d. All nine positive: the
 * Jacobian is positive throughout the cell.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "grid/extrude_impl.h"

/* Cells under this soundness are bad. */
#define SOUND 0.02

/* A vertex that can make no more than this part of its step is stuck. */
#define STUCK 0.02

/* Longest drawing towards the neighbours, of the step; and how fast it sets in with the step. */
#define DRAW_MOST 0.35
#define DRAW_RATE 0.4

/* Heights of neighbours differ by no more than this part of the edge between them. */
#define HEIGHT_SLOPE 0.5

/* Neighbours ahead by less than this part of the edge draw nothing forward. */
#define DRAW_AHEAD 0.08

/* Steps in concave corners grow as if faces were seen at no less than this cosine. */
#define CONCAVE_LEAST_VISIBLE 0.6

/* A slowed vertex recovers by this factor per layer. */
#define RECOVERY 1.15

enum { EASE_ONLY = 2, MOST_REPAIRS = 60 };

double cell_soundness(int n, const Vec3 from[], const Vec3 to[])
{
  double least = INFINITY;
  for (int i = 0; i < n; i++) {
    const int next = (i + 1) % n, before = (i + n - 1) % n;
    const Vec3 a = vec3_sub(from[next], from[i]), b = vec3_sub(from[before], from[i]);
    const Vec3 p = vec3_sub(to[next], to[i]), q = vec3_sub(to[before], to[i]);
    const Vec3 d = vec3_sub(to[i], from[i]), low = vec3_cross(a, b);
    const double c0 = vec3_dot(low, d);
    const double c1 = 0.5 * vec3_dot(vec3_add(vec3_cross(a, q), vec3_cross(p, b)), d);
    const double c2 = vec3_dot(vec3_cross(p, q), d);
    const double c = PetscMin(c0, PetscMin(c1, c2)) / (vec3_norm(low) * vec3_norm(d));
    if (!(c >= least)) least = c;
  }
  return least;
}

/* How much longer a concave vertex has to step so that the faces beside it do not overtake it. */
static double concave_factor(const Front *front, int v)
{
  const double visible = PetscMax(CONCAVE_LEAST_VISIBLE, front->visible[v]);
  return 1.0 + front->concave[v] * (1.0 / visible - 1.0);
}

/* The heights of the layer: what is asked, adapted to corners and to what went before. */
static void set_heights(Front *front, const double height[])
{
  const int n = front->wall->n_vertices;
  for (int v = 0; v < n; v++) {
    front->slow[v] = PetscMin(1.0, RECOVERY * front->slow[v]);
    front->height[v] = height[v] * front->slow[v] * concave_factor(front, v);
    front->ease[v] = 1.0;
  }
  bool changed = true;
  for (int pass = 0; pass < 20 && changed; pass++) {
    changed = false;
    for (int v = 0; v < n; v++)
      for (int i = front->start[v]; i < front->start[v + 1]; i++) {
        const int w = front->link[i].next;
        const double most =
            front->height[w] + HEIGHT_SLOPE * vec3_distance(front->x[v], front->x[w]);
        if (front->height[v] <= most) continue;
        front->height[v] = most;
        changed = true;
      }
  }
}

/* The way from p towards the middle of the neighbours, without falling back on convex parts. */
static Vec3 drawing(const Front *front, const Vec3 x[], int v)
{
  const Vec3 d = front->direction[v];
  const double h = front->height[v], edge = front->edge[v];
  Vec3 off = vec3_sub(front_middle(front, x, v), x[v]);
  const double ahead = vec3_dot(off, d);
  off = vec3_axpy(off, ahead > DRAW_AHEAD * edge ? -DRAW_AHEAD * edge : -ahead, d);
  off = vec3_scale(PetscMin(0.5, DRAW_RATE * front->thickness / edge), off);
  const double length = vec3_norm(off), most = DRAW_MOST * h;
  return length > most ? vec3_scale(most / length, off) : off;
}

/* Where all vertices would go now. */
static void propose(Front *front)
{
  const int n = front->wall->n_vertices;
  for (int v = 0; v < n; v++) {
    const double ease = front->ease[v];
    const Vec3 d =
        vec3_unit(vec3_axpy(vec3_scale(ease, front->direction[v]), 1.0 - ease, front->best[v]));
    front->work[v] = vec3_axpy(front->x[v], front->height[v], d);
  }
  for (int v = 0; v < n; v++)
    front->to[v] = vec3_axpy(front->work[v], front->ease[v], drawing(front, front->work, v));
}

/* Mark the vertices of bad cells in bad[]; how many cells are bad. */
static int judge(const Front *front, double bad[])
{
  int n_bad = 0;
  for (int v = 0; v < front->wall->n_vertices; v++) bad[v] = 0.0;
  for (int f = 0; f < front->wall->n_faces; f++) {
    const int *face = front->wall->face[f], n = face_corners(face);
    Vec3 from[4], to[4];
    for (int k = 0; k < n; k++) {
      from[k] = front->x[face[k]];
      to[k] = front->to[face[k]];
    }
    if (cell_soundness(n, from, to) >= SOUND) continue;
    n_bad++;
    for (int k = 0; k < n; k++) bad[face[k]] = 1.0;
  }
  return n_bad;
}

int front_march(Front *front, const double height[], bool stuck[])
{
  const int n = front->wall->n_vertices;
  double *bad = front->scratch;
  set_heights(front, height);
  propose(front);
  for (int repair = 0; judge(front, bad) > 0; repair++) {
    int n_stuck = 0;
    for (int v = 0; v < n; v++) {
      stuck[v] = false;
      if (bad[v] == 0.0) continue;
      front->ease[v] *= 0.5;
      if (repair < EASE_ONLY) continue;
      front->height[v] *= 0.8;
      front->slow[v] *= 0.8;
      stuck[v] = front->slow[v] < STUCK || repair == MOST_REPAIRS;
      n_stuck += stuck[v];
    }
    if (n_stuck > 0) return n_stuck;
    propose(front);
  }
  for (int v = 0; v < n; v++) front->x[v] = front->to[v];
  return 0;
}
