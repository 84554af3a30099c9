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
#include "flow/near_slope_kernels.h"

#include "flow/near_side.h"

/* Lowest and highest difference to a neighbour, and the largest distance of one from the fit. */
typedef struct {
  Row lo, hi, off;
} Range;

enum { TETRA_FACES = 4 };

/* Distance from the fit up to which flow is smooth, and from which it is a jump. */
static const double SMOOTH = 0.01, JUMP = 0.03;

enum { RHO = 0, P = 4, X = NEAR_X, Y = NEAR_X + 1, Z = NEAR_X + 2 };

static inline double larger(double a, double b)
{
  return a > b ? a : b;
}

static inline double smaller(double a, double b)
{
  return a < b ? a : b;
}

static inline Row along(const Slopes *s, double x, double y, double z)
{
  return s->x * x + s->y * y + s->z * z;
}

static inline void gather_slopes(const NearArrays *a, LocalId c, Slopes *s)
{
  const double *record = a->cell + NEAR_CELL * (size_t)c;
  const double *m = a->inverse + NEAR_INVERSE * (size_t)c;
  const Row own = row_load(record);
  Row bx = {0}, by = {0}, bz = {0};
  for (LocalId j = a->face_start[c]; j < a->face_start[c + 1]; j++) {
    const double *to = a->cell + NEAR_CELL * (size_t)a->neighbor[j];
    __builtin_prefetch(a->cell + NEAR_CELL * (size_t)a->neighbor[j + NEAR_AHEAD]);
    const Row d = row_load(to) - own;
    const double x = to[X] - record[X], y = to[Y] - record[Y], z = to[Z] - record[Z];
    const double d2 = x * x + y * y + z * z;
    const double per = 1.0 / (d2 > 0.0 ? d2 : 1.0); /* behind a boundary stands the cell itself */
    bx += d * (x * per);
    by += d * (y * per);
    bz += d * (z * per);
  }
  s->x = bx * m[0] + by * m[1] + bz * m[2];
  s->y = bx * m[1] + by * m[3] + bz * m[4];
  s->z = bx * m[2] + by * m[4] + bz * m[5];
}

static inline void gather_range(const NearArrays *a, LocalId c, const Slopes *s, Range *range)
{
  const double *record = a->cell + NEAR_CELL * (size_t)c;
  const Row own = row_load(record);
  Row lo = {0}, hi = {0}, most = {0};
  for (LocalId j = a->face_start[c]; j < a->face_start[c + 1]; j++) {
    const double *to = a->cell + NEAR_CELL * (size_t)a->neighbor[j];
    const Row d = row_load(to) - own;
    const Row off = d - along(s, to[X] - record[X], to[Y] - record[Y], to[Z] - record[Z]);
    lo = row_min(lo, d);
    hi = row_max(hi, d);
    most = row_max(most, row_abs(off));
  }
  *range = (Range){lo, hi, most};
}

/* Differences between a cell's centre and the centre of its face j, by the slopes. */
static inline Row step_to_face(const NearArrays *a, LocalId c, LocalId j, const Slopes *s)
{
  const double *record = a->cell + NEAR_CELL * (size_t)c;
  const LocalId f = a->face[j];
  return along(s, a->fx[f] - record[X], a->fy[f] - record[Y], a->fz[f] - record[Z]);
}

/* What the limiter leaves of each slope: 1 is all. */
static Row find_limits(const NearArrays *a, LocalId c, const Slopes *s, const Range *range)
{
  const double *record = a->cell + NEAR_CELL * (size_t)c;
  Row least = row_of(1.0), tiny = row_of(1e-30);
  tiny[RHO] = 1e-12 * record[RHO] * record[RHO];
  tiny[P] = 1e-12 * record[P] * record[P];
  for (int k = 1; k < P; k++) tiny[k] = 1e-12 * record[P] / record[RHO];
  for (LocalId j = a->face_start[c]; j < a->face_start[c + 1]; j++) {
    const Row d = step_to_face(a, c, j, s);
    const Row room = row_select(d > 0.0, range->hi, range->lo);
    const Row both = room * d, r2 = room * room;
    least = row_min((r2 + 2.0 * both + tiny) / (r2 + both + 2.0 * d * d + tiny), least);
  }
  return least;
}

/* Cells next to one that turned out unsound take first order, and so does that one. */
static int is_weak(const NearArrays *a, LocalId c)
{
  int weak = a->weak[c];
  for (LocalId j = a->face_start[c]; j < a->face_start[c + 1]; j++) weak |= a->weak[a->neighbor[j]];
  return weak;
}

/* What remains of the slopes: all where the fit is good, what the limiter says where it is not. */
static inline Row limit_afresh(const NearArrays *a, LocalId c, const Slopes *s, const Range *range)
{
  const double *record = a->cell + NEAR_CELL * (size_t)c;
  const double rough = larger(range->off[RHO] / (2.0 * record[RHO] + range->lo[RHO]),
                              range->off[P] / (2.0 * record[P] + range->lo[P]));
  if (a->weak != NULL && is_weak(a, c)) return row_of(0.0);
  if (rough <= SMOOTH) return row_of(1.0);
  const double share = smaller(1.0, (rough - SMOOTH) / (JUMP - SMOOTH));
  return 1.0 - share * (1.0 - find_limits(a, c, s, range));
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
  const double *to = a->cell + NEAR_CELL * (size_t)a->neighbor[j];
  return vec3_sub(vec3(to[1], to[2], to[3]), own);
}

/* Gradient and, unless NULL, range of the velocity of a special cell. */
static void see_velocity(const NearArrays *a, const NearSpecial *special, const NearMotion *m,
                         Slopes *s, Range *range)
{
  const LocalId c = special->cell, first = a->face_start[c];
  const double *record = a->cell + NEAR_CELL * (size_t)c;
  double g[3][3] = {{0}}, lo[3] = {0}, hi[3] = {0};
  for (LocalId j = first; j < a->face_start[c + 1]; j++) {
    const Vec3 d = seen_velocity(a, record, j, (NearSight)special->sight[j - first], m);
    const double *weight = special->weight + 3 * (j - first);
    for (int k = 0; k < 3; k++) {
      const double dk = vec3_at(d, k);
      for (int i = 0; i < 3; i++) g[i][k] += weight[i] * dk;
      lo[k] = smaller(lo[k], dk);
      hi[k] = larger(hi[k], dk);
    }
  }
  for (int k = 0; k < 3; k++) {
    if (s != NULL) s->x[1 + k] = g[0][k], s->y[1 + k] = g[1][k], s->z[1 + k] = g[2][k];
    if (range != NULL) range->lo[1 + k] = lo[k], range->hi[1 + k] = hi[k];
  }
}

static inline const NearSpecial *special_at(const NearArrays *a, LocalId c)
{
  return a->special_of == NULL || a->special_of[c] < 0 ? NULL : &a->special[a->special_of[c]];
}

static inline void store_slopes(double *out, const Slopes *s, double calm)
{
  Slopes all = *s;
  Row record[2];
  all.z[NEAR_VARS] = calm;
  slopes_pack(&all, record);
  row_store(out, record[0], ROW);
  row_store(out + ROW, record[1], ROW);
}

void near_raw_slopes(const NearArrays *a, const NearMotion *motion)
{
  for (LocalId c = 0; c < a->n_own; c++) {
    Slopes s;
    const NearSpecial *special = special_at(a, c);
    gather_slopes(a, c, &s);
    if (special != NULL) see_velocity(a, special, motion, &s, NULL);
    store_slopes(a->raw + NEAR_SLOPE * (size_t)c, &s, 1.0);
  }
}

/* Of a tetrahedron the mean gradient of it and its neighbours (a boundary face stands for the cell
 * itself), of another cell its own. */
static inline void take_raw(const NearArrays *a, LocalId c, Slopes *s)
{
  const LocalId first = a->face_start[c], end = a->face_start[c + 1];
  const double *raw = a->raw + NEAR_SLOPE * (size_t)c;
  Row lower = row_load(raw), upper = row_load(raw + ROW);
  double share = 1.0;
  for (LocalId j = first; j < end && end - first == TETRA_FACES; j++) {
    const double *other = a->raw + NEAR_SLOPE * (size_t)a->neighbor[j];
    const double *later = a->raw + NEAR_SLOPE * (size_t)a->neighbor[j + NEAR_AHEAD];
    __builtin_prefetch(later);
    __builtin_prefetch(later + NEAR_SLOPE / 2);
    lower += row_load(other);
    upper += row_load(other + ROW);
    share = 1.0 / (TETRA_FACES + 1);
  }
  *s = slopes_unpack(lower * share, upper * share);
}

/* Well above zero: a share of the cell's value, unless a neighbour is lower still. */
static inline double lowest(double value, double lo)
{
  return smaller(0.02 * value, 0.5 * (value + lo));
}

/* Do density and pressure stay well above zero at all faces? */
static int stays_positive(const NearArrays *a, LocalId c, const Slopes *s, Row lo)
{
  const double *record = a->cell + NEAR_CELL * (size_t)c;
  double rho = record[RHO], p = record[P];
  for (LocalId j = a->face_start[c]; j < a->face_start[c + 1]; j++) {
    const Row side = row_load(record) + step_to_face(a, c, j, s);
    rho = smaller(rho, side[RHO]);
    p = smaller(p, side[P]);
  }
  return rho > lowest(record[RHO], lo[RHO]) && p > lowest(record[P], lo[P]);
}

/* Is it plain, without a look at the faces, that slopes need no limit and leave density and
 * pressure as stays_positive wants them? The reach of the cell tells it of nearly all cells. */
static inline int plainly_smooth(const NearArrays *a, LocalId c, const Slopes *s,
                                 const Range *range)
{
  const Row own = row_load(a->cell + NEAR_CELL * (size_t)c);
  const Row steep = s->x * s->x + s->y * s->y + s->z * s->z;
  const Row room = own - row_min(0.02 * own, 0.5 * (own + range->lo));
  const RowMask plain =
      (range->off <= SMOOTH * (2.0 * own + range->lo)) & (steep < room * room * a->steepest[c]);
  return (plain[RHO] & plain[P]) != 0;
}

static inline void scale_slopes(Slopes *s, Row factor)
{
  *s = (Slopes){s->x * factor, s->y * factor, s->z * factor};
}

/* How calm the pressure is around a cell. */
static inline double calm_of(const NearArrays *a, LocalId c, const Range *range)
{
  const double p = a->cell[NEAR_CELL * (size_t)c + P];
  return (p + range->lo[P]) / (p + range->hi[P]);
}

/* Limit the slopes of a cell, afresh or as held. Had they to be given up? */
static int limit_slopes(const NearArrays *a, LocalId c, NearLimit mode, const Range *range,
                        Slopes *s, double *calm)
{
  double *kept = mode == NEAR_LIMIT_FRESH ? NULL : a->limit + NEAR_LIMIT * (size_t)c;
  Row factor = mode == NEAR_LIMIT_HELD ? row_load(kept) : limit_afresh(a, c, s, range);
  if (mode == NEAR_LIMIT_HELD) *calm = kept[NEAR_VARS];
  scale_slopes(s, factor);
  const int given_up = !stays_positive(a, c, s, range->lo);
  if (given_up) scale_slopes(s, factor = row_of(0.0));
  if (kept != NULL) row_store(kept, factor, NEAR_VARS), kept[NEAR_VARS] = *calm;
  return given_up;
}

LocalId near_slopes(const NearArrays *a, const NearMotion *motion, NearLimit mode)
{
  const int fresh = mode == NEAR_LIMIT_FRESH && a->weak == NULL;
  LocalId fallbacks = 0;
  for (LocalId c = 0; c < a->n_own; c++) {
    const NearSpecial *special = special_at(a, c);
    Slopes s;
    Range range;
    if (a->raw != NULL)
      take_raw(a, c, &s);
    else
      gather_slopes(a, c, &s);
    if (special != NULL && a->raw == NULL) see_velocity(a, special, motion, &s, NULL);
    gather_range(a, c, &s, &range);
    double calm = calm_of(a, c, &range);
    if (!fresh || !plainly_smooth(a, c, &s, &range)) {
      if (special != NULL) see_velocity(a, special, motion, NULL, &range);
      fallbacks += limit_slopes(a, c, mode, &range, &s, &calm);
    }
    store_slopes(a->slope + NEAR_SLOPE * (size_t)c, &s, calm);
  }
  return fallbacks;
}
