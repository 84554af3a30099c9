/*
 * Which normal impulses stop several contacts at once?
 *
 * A linear complementarity problem with the symmetric, often singular matrix N = J M^-1 J^T.
 * The velocities are unique though the impulses of redundant points are not. Proximal steps
 * from zero, each with N + eps 1, converge to the impulses of least norm, and block principal
 * pivoting (Judice and Pires 1994) solves each step with few factorisations.
 */
#include "contact/island_impl.h"

#include <float.h>

/* One body's part of the velocity along i's normal that a unit impulse along j's gives. */
static double coupling(const Mobility *body, const IslandNode *i, int side_i, const IslandNode *j,
                       int side_j)
{
  const Vec3 turned = mat3_apply(&body->inverse_inertia, j->lever[side_j]);
  const double part = body->inverse_mass * vec3_dot(i->frame.n, j->frame.n);
  const double sum = part + vec3_dot(i->lever[side_i], turned);
  return side_i == side_j ? sum : -sum;
}

static double couple(const IslandWork *w, const IslandNode *i, const IslandNode *j)
{
  double sum = 0.0;
  if (i->a == j->a) sum += coupling(&w->body[i->a], i, 0, j, 0);
  if (i->a == j->b) sum += coupling(&w->body[i->a], i, 0, j, 1);
  if (i->b == j->a) sum += coupling(&w->body[i->b], i, 1, j, 0);
  if (i->b == j->b) sum += coupling(&w->body[i->b], i, 1, j, 1);
  return sum;
}

/* Cholesky of the listed rows and columns of the matrix with eps on its diagonal. */
static void factor_part(const IslandWork *w, int size, double eps, int n, const int idx[])
{
  double *l = w->factor;
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) {
      double sum = w->matrix[idx[i] * size + idx[j]] + (i == j ? eps : 0.0);
      for (int k = 0; k < j; k++) sum -= l[i * n + k] * l[j * n + k];
      l[i * n + j] = i == j ? sqrt(fmax(sum, DBL_EPSILON * eps)) : sum / l[j * n + j];
    }
}

static void solve_part(const IslandWork *w, int n, double x[])
{
  const double *l = w->factor;
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < i; k++) x[i] -= l[i * n + k] * x[k];
    x[i] /= l[i * n + i];
  }
  for (int i = n - 1; i >= 0; i--) {
    for (int k = i + 1; k < n; k++) x[i] -= l[k * n + i] * x[k];
    x[i] /= l[i * n + i];
  }
}

/* Impulses x for the present passive set, slack speeds of the others, and who is infeasible. */
static int try_passive(IslandWork *w, int n, double eps, bool factored, double speed)
{
  int m = 0, n_flips = 0;
  double largest = 0.0;
  for (int i = 0; i < n; i++)
    if (w->passive[i]) {
      w->list[m] = i;
      w->rhs[m++] = -w->shifted[i];
    }
  if (!factored) factor_part(w, n, eps, m, w->list);
  solve_part(w, m, w->rhs);
  for (int i = 0; i < n; i++) w->x[i] = 0.0;
  for (int k = 0; k < m; k++) {
    w->x[w->list[k]] = w->rhs[k];
    largest = fmax(largest, fabs(w->rhs[k]));
  }
  for (int i = 0; i < n; i++) {
    w->slack[i] = w->shifted[i];
    for (int k = 0; k < m; k++) w->slack[i] += w->matrix[i * n + w->list[k]] * w->rhs[k];
    const bool wrong = w->passive[i] ? w->x[i] < -1e-12 * largest : w->slack[i] < -1e-13 * speed;
    if (wrong) w->flips[n_flips++] = i;
  }
  return n_flips;
}

/*
 * Solve (N + eps) x + shifted complementary to x >= 0. All infeasible ones flip at once while
 * that helps, else the last alone, which always ends. The factor of the last passive set is
 * kept for the next call.
 */
static void pivot(IslandWork *w, int n, double eps, bool factored, double speed)
{
  int best = n + 1, patience = 3;
  for (int turn = 0; turn < 200 + 20 * n; turn++) {
    const int n_flips = try_passive(w, n, eps, factored && turn == 0, speed);
    if (n_flips == 0) break;
    if (n_flips < best)
      best = n_flips, patience = 3;
    else
      patience--;
    const int first = patience >= 0 ? 0 : n_flips - 1;
    for (int k = first; k < n_flips; k++) w->passive[w->flips[k]] = !w->passive[w->flips[k]];
  }
  for (int i = 0; i < n; i++) w->x[i] = fmax(0.0, w->x[i]);
}

/*
 * Proximal steps. A large eps leaves little rounding in redundant impulses; a nearly singular
 * system needs a small one to converge.
 */
static void proximal_steps(IslandWork *w, int n, const int list[], double diagonal, double speed)
{
  double eps = 1e-5 * diagonal;
  for (int i = 0; i < n; i++) {
    w->passive[i] = w->q[i] < 0.0;
    w->node[list[i]].p = 0.0;
  }
  for (int step = 0, stage = 0; step < 60; step++) {
    for (int i = 0; i < n; i++) w->shifted[i] = w->q[i] - eps * w->node[list[i]].p;
    pivot(w, n, eps, stage > 0, speed);
    double change = 0.0;
    for (int i = 0; i < n; i++) {
      change = fmax(change, fabs(w->x[i] - w->node[list[i]].p));
      w->node[list[i]].p = w->x[i];
    }
    if (eps * change <= 1e-15 * speed) break;
    stage = (stage + 1) % 12;
    if (stage == 0) eps *= 1e-2;
  }
}

/*
 * Of redundant points that want nearly, not exactly, what is possible, complementarity leaves
 * some without impulse for the sake of rounding. The same velocities come from impulses of least
 * norm over all points that are not clearly parting.
 */
static void even_out(IslandWork *w, int n, const int list[], double diagonal, double speed)
{
  static const double clearly = 1e-6; /* of the speeds */
  for (int i = 0; i < n; i++) {
    double change = 0.0;
    for (int j = 0; j < n; j++) change += w->matrix[i * n + j] * w->node[list[j]].p;
    w->q[i] = w->q[i] + change > clearly * speed ? speed : -change;
  }
  proximal_steps(w, n, list, diagonal, speed);
}

static void dense_normals(IslandWork *w, int n, const int list[], bool even)
{
  double diagonal = 0.0, speed = 0.0;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j <= i; j++) {
      const double v = couple(w, &w->node[list[i]], &w->node[list[j]]);
      w->matrix[i * n + j] = w->matrix[j * n + i] = v;
    }
    diagonal = fmax(diagonal, w->matrix[i * n + i]);
    speed = fmax(speed, fabs(w->q[i]));
    w->node[list[i]].p = 0.0;
  }
  if (speed == 0.0) return;
  proximal_steps(w, n, list, diagonal, speed);
  if (even) even_out(w, n, list, diagonal, speed);
}

/* The same by sweeps over the contacts, on the velocities of the bodies, for large islands. */
static void swept_normals(IslandWork *w, int n, const int list[])
{
  enum { SWEEPS = 20000 };
  for (int b = 0; b <= w->n_bodies; b++) w->saved[b] = w->twist[b];
  for (int i = 0; i < n; i++) {
    IslandNode *c = &w->node[list[i]];
    c->p = 0.0;
    w->shifted[i] = w->q[i] - vec3_dot(c->frame.n, island_velocity(w, c));
  }
  for (int sweep = 0; sweep < SWEEPS; sweep++) {
    double change = 0.0;
    for (int k = 0; k < n; k++) {
      const int i = sweep % 2 ? n - 1 - k : k;
      IslandNode *c = &w->node[list[i]];
      const double v = vec3_dot(c->frame.n, island_velocity(w, c)) + w->shifted[i];
      const double p = fmax(0.0, c->p - v / c->frame.b3);
      change = fmax(change, fabs(p - c->p) * c->frame.b3);
      island_kick(w, c, vec3_scale(p - c->p, c->frame.n));
      c->p = p;
    }
    if (change <= 1e-14 * w->speed) break;
  }
  for (int b = 0; b <= w->n_bodies; b++) w->twist[b] = w->saved[b];
}

void island_normals(IslandWork *w, int n, const int list[], const double bias[], bool even)
{
  for (int i = 0; i < n; i++) {
    const IslandNode *c = &w->node[list[i]];
    w->q[i] = vec3_dot(c->frame.n, island_velocity(w, c)) + bias[i];
  }
  if (n <= ISLAND_DENSE)
    dense_normals(w, n, list, even);
  else
    swept_normals(w, n, list);
}

void island_apply_normals(IslandWork *w, int n, const int list[], ImpactLaw law)
{
  for (int i = 0; i < n; i++) {
    IslandNode *c = &w->node[list[i]];
    c->v3_before = vec3_dot(c->frame.n, island_velocity(w, c));
  }
  for (int i = 0; i < n; i++) {
    const IslandNode *c = &w->node[list[i]];
    if (c->p > 0.0) island_kick(w, c, vec3_scale(c->p, c->frame.n));
  }
  for (int i = 0; i < n; i++) {
    IslandNode *c = &w->node[list[i]];
    if (c->p <= 0.0) continue;
    const double after = vec3_dot(c->frame.n, island_velocity(w, c));
    const double done = 0.5 * c->p * (c->v3_before + after);
    island_record(w, c, vec3_scale(c->p, c->frame.n), done, law);
  }
}
