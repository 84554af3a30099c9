/*
 * Gradients take one pass over the neighbours and one more to see how far they lie from the linear
 * fit: second order small in smooth flow on any mesh, half the jump at a discontinuity. Only where
 * that is large does the limiter act, so it leaves smooth flow alone, extrema included.
 *
 * Four face neighbours are too few to be stable on tetrahedra (F. Haider, J.-P. Croisille,
 * B. Courbet, Numer. Math. 113, 2009): there the gradient is the mean of the cell's and its
 * neighbours', which is as exact and reaches one cell further.
 *
 * Eight numbers at a time: five primitives and the centre, whose differences are the way to the
 * neighbour.
 *
 * Limiter: V. Venkatakrishnan, J. Comput. Phys. 118 (1995).
 */
#include "flow/near_cell_kernels.h"

#include "grid/cell_state.h"

/* Gradients by x, y and z, and the range of the differences to the neighbours. */
typedef struct {
  double gx[NEAR_CELL], gy[NEAR_CELL], gz[NEAR_CELL], lo[NEAR_CELL], hi[NEAR_CELL];
} Slopes;

enum { TETRA_FACES = 4 };
enum { RHO = 0, P = 4, X = 5, Y = 6, Z = 7 };

static inline double larger(double a, double b)
{
  return a > b ? a : b;
}

static inline double smaller(double a, double b)
{
  return a < b ? a : b;
}

static inline int sound(double rho, double p)
{
  /* Written so that a NaN is not sound. */
  return rho > 0.0 && p > 0.0 && rho < 1e30 && p < 1e30;
}

static inline int set_record(double *record, double gamma, const double *u)
{
  const double per_rho = 1.0 / u[0];
  record[0] = u[0];
  record[1] = u[1] * per_rho;
  record[2] = u[2] * per_rho;
  record[3] = u[3] * per_rho;
  record[4] =
      (gamma - 1.0) * (u[4] - 0.5 * (u[1] * record[1] + u[2] * record[2] + u[3] * record[3]));
  return sound(record[0], record[4]);
}

int near_set_record(const NearArrays *a, LocalId c, double gamma, const double u[])
{
  return set_record(a->cell + NEAR_CELL * c, gamma, u);
}

LocalId near_primitives(const NearArrays *a, double gamma, const double conserved[])
{
  LocalId bad = 0;
  for (LocalId c = 0; c < a->n_own; c++)
    bad += !set_record(a->cell + NEAR_CELL * c, gamma, conserved + NEAR_VARS * c);
  return bad;
}

static inline void add_difference(Slopes *s, const double *weight, const double *d)
{
  const double wx = weight[0], wy = weight[1], wz = weight[2];
#pragma omp simd
  for (int k = 0; k < NEAR_CELL; k++) {
    s->gx[k] += wx * d[k];
    s->gy[k] += wy * d[k];
    s->gz[k] += wz * d[k];
    s->lo[k] = d[k] < s->lo[k] ? d[k] : s->lo[k];
    s->hi[k] = d[k] > s->hi[k] ? d[k] : s->hi[k];
  }
}

static inline void difference(const double *restrict to, const double *restrict from, double *d)
{
#pragma omp simd
  for (int k = 0; k < NEAR_CELL; k++) d[k] = to[k] - from[k];
}

static inline void gather_slopes(const NearArrays *a, LocalId c, Slopes *s)
{
  *s = (Slopes){0};
  const double *record = a->cell + NEAR_CELL * c;
  for (LocalId j = a->face_start[c]; j < a->face_start[c + 1]; j++) {
    double d[NEAR_CELL];
    difference(a->cell + NEAR_CELL * a->neighbor[j], record, d);
    add_difference(s, a->weight + 3 * j, d);
  }
}

/* Largest distance of a neighbour's density or pressure from the linear fit, relative to them. */
static inline double roughness(const NearArrays *a, LocalId c, const Slopes *s)
{
  const double *record = a->cell + NEAR_CELL * c;
  double most[NEAR_CELL] = {0};
  for (LocalId j = a->face_start[c]; j < a->face_start[c + 1]; j++) {
    double d[NEAR_CELL];
    difference(a->cell + NEAR_CELL * a->neighbor[j], record, d);
    const double x = d[X], y = d[Y], z = d[Z];
#pragma omp simd
    for (int k = 0; k < NEAR_CELL; k++) {
      const double off = d[k] - (s->gx[k] * x + s->gy[k] * y + s->gz[k] * z);
      const double size = off < 0.0 ? -off : off;
      most[k] = size > most[k] ? size : most[k];
    }
  }
  return larger(most[RHO] / (2.0 * record[RHO] + s->lo[RHO]),
                most[P] / (2.0 * record[P] + s->lo[P]));
}

/* Differences between a cell's centre and the centre of its face j, by the slopes. */
static inline void step_to_face(const NearArrays *a, LocalId c, LocalId j, const Slopes *s,
                                double *d)
{
  const double *record = a->cell + NEAR_CELL * c;
  const LocalId f = a->face[j];
  const double x = a->fx[f] - record[X], y = a->fy[f] - record[Y], z = a->fz[f] - record[Z];
#pragma omp simd
  for (int k = 0; k < NEAR_CELL; k++) d[k] = s->gx[k] * x + s->gy[k] * y + s->gz[k] * z;
}

/* What the limiter leaves of each slope: 1 is all. */
static void find_limits(const NearArrays *a, LocalId c, const Slopes *s, double limit[NEAR_CELL])
{
  const double *record = a->cell + NEAR_CELL * c;
  double least[NEAR_CELL], tiny[NEAR_CELL];
  for (int k = 0; k < NEAR_CELL; k++) least[k] = 1.0, tiny[k] = 1e-30;
  tiny[RHO] = 1e-12 * record[RHO] * record[RHO];
  tiny[P] = 1e-12 * record[P] * record[P];
  for (int k = 1; k < P; k++) tiny[k] = 1e-12 * record[P] / record[RHO];
  for (LocalId j = a->face_start[c]; j < a->face_start[c + 1]; j++) {
    double d[NEAR_CELL];
    step_to_face(a, c, j, s, d);
#pragma omp simd
    for (int k = 0; k < NEAR_CELL; k++) {
      const double room = d[k] > 0.0 ? s->hi[k] : s->lo[k];
      const double both = room * d[k], r2 = room * room, d2 = d[k] * d[k];
      const double phi = (r2 + 2.0 * both + tiny[k]) / (r2 + both + 2.0 * d2 + tiny[k]);
      least[k] = phi < least[k] ? phi : least[k];
    }
  }
  for (int k = 0; k < NEAR_CELL; k++) limit[k] = least[k];
}

static inline void scale_slopes(Slopes *s, const double factor[])
{
  for (int k = 0; k < NEAR_VARS; k++) {
    s->gx[k] *= factor[k];
    s->gy[k] *= factor[k];
    s->gz[k] *= factor[k];
  }
}

/* Cells next to one that turned out unsound take first order, and so does that one. */
static int is_weak(const NearArrays *a, LocalId c)
{
  int weak = a->weak[c];
  for (LocalId j = a->face_start[c]; j < a->face_start[c + 1]; j++) weak |= a->weak[a->neighbor[j]];
  return weak;
}

/* What remains of the slopes: all where the fit is good, what the limiter says where it is not. */
static void limit_afresh(const NearArrays *a, LocalId c, const Slopes *s, double factor[])
{
  const double smooth = 0.01, jump = 0.03;
  const double rough = roughness(a, c, s);
  for (int k = 0; k < NEAR_VARS; k++) factor[k] = 1.0;
  if (a->weak != NULL && is_weak(a, c)) {
    for (int k = 0; k < NEAR_VARS; k++) factor[k] = 0.0;
  } else if (!(rough <= smooth)) {
    double limit[NEAR_CELL];
    const double share = smaller(1.0, (rough - smooth) / (jump - smooth));
    find_limits(a, c, s, limit);
    for (int k = 0; k < NEAR_VARS; k++) factor[k] = 1.0 - share * (1.0 - limit[k]);
  }
}

/* The velocity that a special cell sees behind its face j, less its own. */
static Vec3 seen_velocity(const NearArrays *a, const double *record, LocalId j, NearSight sight,
                          const NearMotion *m)
{
  const LocalId f = a->face[j];
  const Vec3 own = vec3(record[1], record[2], record[3]);
  const Vec3 at = vec3(a->fx[f], a->fy[f], a->fz[f]);
  const Vec3 grid = mat3_apply(&m->r, vec3_add(m->twist.v, vec3_cross(m->twist.w, at)));
  if (sight == NEAR_SEES_WALL) return vec3_sub(grid, own);
  if (sight == NEAR_SEES_MIRROR) {
    const Vec3 n = vec3_unit(mat3_apply(&m->r, vec3(a->sx[f], a->sy[f], a->sz[f])));
    return vec3_scale(-2.0 * vec3_dot(vec3_sub(own, grid), n), n);
  }
  const double *to = a->cell + NEAR_CELL * a->neighbor[j];
  return vec3_sub(vec3(to[1], to[2], to[3]), own);
}

/* Gradient and range of the velocity of a special cell. */
static void see_velocity(const NearArrays *a, const NearSpecial *special, const NearMotion *m,
                         Slopes *s)
{
  const LocalId c = special->cell, first = a->face_start[c];
  const double *record = a->cell + NEAR_CELL * c;
  for (int k = 1; k <= 3; k++) s->gx[k] = s->gy[k] = s->gz[k] = s->lo[k] = s->hi[k] = 0.0;
  for (LocalId j = first; j < a->face_start[c + 1]; j++) {
    const Vec3 d = seen_velocity(a, record, j, (NearSight)special->sight[j - first], m);
    const double *weight = special->weight + 3 * (j - first);
    for (int k = 1; k <= 3; k++) {
      const double dk = vec3_at(d, k - 1);
      s->gx[k] += weight[0] * dk;
      s->gy[k] += weight[1] * dk;
      s->gz[k] += weight[2] * dk;
      s->lo[k] = smaller(s->lo[k], dk);
      s->hi[k] = larger(s->hi[k], dk);
    }
  }
}

static inline void keep_slopes(double *out, const Slopes *s, double calm)
{
  for (int k = 0; k < NEAR_VARS; k++) {
    out[k] = s->gx[k];
    out[NEAR_VARS + k] = s->gy[k];
    out[2 * NEAR_VARS + k] = s->gz[k];
  }
  out[NEAR_CALM] = calm;
}

/* Well above zero: a share of the cell's value, unless a neighbour is lower still. */
static inline double lowest(double value, double lo)
{
  return smaller(0.02 * value, 0.5 * (value + lo));
}

/* States at the faces of a cell. Are density and pressure well above zero at all of them? */
static inline int write_sides(const NearArrays *a, LocalId c, const Slopes *s, double calm)
{
  const double *record = a->cell + NEAR_CELL * c;
  double rho = record[RHO], p = record[P];
  for (LocalId j = a->face_start[c]; j < a->face_start[c + 1]; j++) {
    double d[NEAR_CELL];
    step_to_face(a, c, j, s, d);
    double *side =
        a->side + NEAR_FACE * (size_t)a->face[j] + (a->face_sign[j] > 0.0 ? 0 : NEAR_SIDE);
    for (int k = 0; k < NEAR_VARS; k++) side[k] = record[k] + d[k];
    side[NEAR_VARS] = calm;
    rho = smaller(rho, side[RHO]);
    p = smaller(p, side[P]);
  }
  return rho > lowest(record[RHO], s->lo[RHO]) && p > lowest(record[P], s->lo[P]);
}

static inline void find_slopes(const NearArrays *a, LocalId c, const NearMotion *motion, Slopes *s)
{
  gather_slopes(a, c, s);
  if (a->special_of != NULL && a->special_of[c] >= 0)
    see_velocity(a, &a->special[a->special_of[c]], motion, s);
}

void near_raw_slopes(const NearArrays *a, const NearMotion *motion)
{
  for (LocalId c = 0; c < a->n_own; c++) {
    Slopes s;
    find_slopes(a, c, motion, &s);
    keep_slopes(a->raw + NEAR_SLOPE * c, &s, 1.0);
  }
}

/* The mean gradient of a cell and its neighbours; a boundary face stands for the cell itself. */
static void mean_slopes(const NearArrays *a, LocalId c, Slopes *s)
{
  const LocalId first = a->face_start[c], end = a->face_start[c + 1];
  const double share = 1.0 / (double)(end - first + 1);
  double sum[NEAR_SLOPE];
  for (int k = 0; k < NEAR_SLOPE; k++) sum[k] = a->raw[NEAR_SLOPE * c + k];
  for (LocalId j = first; j < end; j++)
    for (int k = 0; k < NEAR_SLOPE; k++) sum[k] += a->raw[NEAR_SLOPE * a->neighbor[j] + k];
  for (int k = 0; k < NEAR_VARS; k++) {
    s->gx[k] = share * sum[k];
    s->gy[k] = share * sum[NEAR_VARS + k];
    s->gz[k] = share * sum[2 * NEAR_VARS + k];
  }
}

LocalId near_reconstruct(const NearArrays *a, const NearMotion *motion, NearLimit mode)
{
  LocalId fallbacks = 0;
  for (LocalId c = 0; c < a->n_own; c++) {
    const double *record = a->cell + NEAR_CELL * c;
    double fresh[NEAR_SIDE];
    double *factor = mode == NEAR_LIMIT_FRESH ? fresh : a->limit + NEAR_SIDE * c;
    Slopes s;
    find_slopes(a, c, motion, &s);
    if (a->raw != NULL && a->face_start[c + 1] - a->face_start[c] == TETRA_FACES)
      mean_slopes(a, c, &s);
    if (mode != NEAR_LIMIT_HELD) {
      factor[NEAR_VARS] = (record[P] + s.lo[P]) / (record[P] + s.hi[P]);
      limit_afresh(a, c, &s, factor);
    }
    scale_slopes(&s, factor);
    if (!write_sides(a, c, &s, factor[NEAR_VARS])) {
      for (int k = 0; k < NEAR_VARS; k++) factor[k] = 0.0;
      scale_slopes(&s, factor);
      write_sides(a, c, &s, factor[NEAR_VARS]);
      fallbacks++;
    }
    keep_slopes(a->slope + NEAR_SLOPE * c, &s, factor[NEAR_VARS]);
  }
  return fallbacks;
}

void near_reconstruct_halo(const NearArrays *a)
{
  for (LocalId f = a->n_inner; f < a->n_interior; f++) {
    const int on_right = a->right[f] >= a->n_own;
    const LocalId c = on_right ? a->right[f] : a->left[f];
    const double *record = a->cell + NEAR_CELL * c, *g = a->slope + NEAR_SLOPE * c;
    const double x = a->fx[f] - record[X], y = a->fy[f] - record[Y], z = a->fz[f] - record[Z];
    double *side = a->side + NEAR_FACE * (size_t)f + (on_right ? NEAR_SIDE : 0);
    for (int k = 0; k < NEAR_VARS; k++)
      side[k] = record[k] + (g[k] * x + g[NEAR_VARS + k] * y + g[2 * NEAR_VARS + k] * z);
    side[NEAR_VARS] = g[NEAR_CALM];
  }
}

static inline int is_computed(const NearArrays *a, LocalId c)
{
  return a->state == NULL || a->state[c] == STATE_FIELD;
}

/* Cells that receive, and those left out, keep what they were given. */
static inline void keep_cell(LocalId c, const double in[], double out[])
{
  for (LocalId i = NEAR_VARS * c; i < NEAR_VARS * (c + 1); i++) out[i] = in[i];
}

/* The sum of fluxes into a cell, in the order of its faces. */
static inline void sum_fluxes(const NearArrays *a, LocalId c, double sum[NEAR_VARS])
{
  for (int k = 0; k < NEAR_VARS; k++) sum[k] = 0.0;
  for (LocalId j = a->face_start[c]; j < a->face_start[c + 1]; j++) {
    const double sign = a->face_sign[j], *flux = a->side + NEAR_FACE * (size_t)a->face[j];
    for (int k = 0; k < NEAR_VARS; k++) sum[k] -= sign * flux[k];
  }
}

LocalId near_stage(const NearArrays *a, double gamma, NearStage stage, const double start[],
                   const double in[], double out[])
{
  LocalId bad = 0;
  for (LocalId c = 0; c < a->n_own; c++) {
    double sum[NEAR_VARS];
    if (!is_computed(a, c)) {
      keep_cell(c, in, out);
      continue;
    }
    sum_fluxes(a, c, sum);
    const double step = stage.dt / a->volume[c];
    for (int k = 0; k < NEAR_VARS; k++) {
      const LocalId i = NEAR_VARS * c + k;
      out[i] = stage.a * start[i] + stage.b * (in[i] + step * sum[k]);
    }
    bad += !set_record(a->cell + NEAR_CELL * c, gamma, out + NEAR_VARS * c);
  }
  return bad;
}

void near_rate(const NearArrays *a, double rate[])
{
  for (LocalId c = 0; c < a->n_own; c++) {
    double sum[NEAR_VARS];
    sum_fluxes(a, c, sum);
    const double per = 1.0 / a->volume[c];
    for (int k = 0; k < NEAR_VARS; k++) rate[NEAR_VARS * c + k] = per * sum[k];
  }
}

static double local_step(const NearArrays *a, LocalId c)
{
  double sum = 0.0;
  for (LocalId j = a->face_start[c]; j < a->face_start[c + 1]; j++)
    sum += a->side[NEAR_FACE * (size_t)a->face[j] + NEAR_FACE_SPEED];
  return 2.0 * a->volume[c] / sum;
}

void near_local_steps(const NearArrays *a, double dt[])
{
  for (LocalId c = 0; c < a->n_own; c++) dt[c] = local_step(a, c);
}

double near_time_step(const NearArrays *a)
{
  double least = HUGE_VAL;
  for (LocalId c = 0; c < a->n_own; c++)
    if (is_computed(a, c)) least = smaller(least, local_step(a, c));
  return least;
}
