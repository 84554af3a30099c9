/*
 * nu_tilde goes with the mass that passes a face, from the side it comes from, so a uniform
 * nu_tilde stays uniform whatever the gas does. Its gradient on a face is made as those of the
 * velocity are. The limiter keeps the values at faces between those of the cell's neighbours.
 */
#include "flow/near_sa_kernels.h"

#include "grid/cell_state.h"

static inline const double *record_of(const NearArrays *a, LocalId c)
{
  return a->cell + NEAR_CELL * (size_t)c;
}

static inline Vec3 center_of(const NearArrays *a, LocalId c)
{
  const double *w = record_of(a, c);
  return vec3(w[NEAR_X], w[NEAR_X + 1], w[NEAR_X + 2]);
}

static inline Vec3 gradient_of(const NearSa *sa, LocalId c)
{
  const double *g = sa->slope + SA_SLOPE * (size_t)c;
  return vec3(g[0], g[1], g[2]);
}

static inline Vec3 face_center(const NearArrays *a, LocalId f)
{
  return vec3(a->fx[f], a->fy[f], a->fz[f]);
}

static inline double kinematic(const Gas *gas, const double *w)
{
  return gas_viscosity(gas, gas->gamma * w[4] / w[0]) / w[0];
}

void near_sa_take(const NearArrays *a, NearSa *sa, const double conserved[])
{
  for (LocalId c = 0; c < a->n_own; c++) sa->nu_tilde[c] = conserved[c] / record_of(a, c)[0];
}

void near_sa_eddy(const NearArrays *a, const Gas *gas, NearSa *sa, LocalId first, LocalId end)
{
  for (LocalId c = first; c < end; c++) {
    const double *w = record_of(a, c);
    sa->eddy[c] = sa_eddy(w[0], kinematic(gas, w), sa->nu_tilde[c]);
  }
}

/* Difference to what a cell sees behind its j-th face. */
static inline double seen(const NearArrays *a, const NearSa *sa, LocalId c, LocalId j,
                          NearSight sight)
{
  if (sight == NEAR_SEES_WALL) return -sa->nu_tilde[c];
  return sight == NEAR_SEES_MIRROR ? 0.0 : sa->nu_tilde[a->neighbor[j]] - sa->nu_tilde[c];
}

static inline const NearSpecial *special_at(const NearArrays *a, LocalId c)
{
  return a->special_of == NULL || a->special_of[c] < 0 ? NULL : &a->special[a->special_of[c]];
}

static Vec3 special_gradient(const NearArrays *a, const NearSa *sa, const NearSpecial *special,
                             double *lo, double *hi)
{
  const LocalId c = special->cell, first = a->face_start[c];
  Vec3 g = {0, 0, 0};
  for (LocalId j = first; j < a->face_start[c + 1]; j++) {
    const double d = seen(a, sa, c, j, (NearSight)special->sight[j - first]);
    const double *w = special->weight + 3 * (j - first);
    g = vec3_axpy(g, d, vec3(w[0], w[1], w[2]));
    *lo = d < *lo ? d : *lo;
    *hi = d > *hi ? d : *hi;
  }
  return g;
}

static Vec3 plain_gradient(const NearArrays *a, const NearSa *sa, LocalId c, double *lo, double *hi)
{
  const double *m = a->inverse + NEAR_INVERSE * (size_t)c;
  const Vec3 own = center_of(a, c);
  Vec3 b = {0, 0, 0};
  for (LocalId j = a->face_start[c]; j < a->face_start[c + 1]; j++) {
    const double d = sa->nu_tilde[a->neighbor[j]] - sa->nu_tilde[c];
    const Vec3 to = vec3_sub(center_of(a, a->neighbor[j]), own);
    const double d2 = vec3_norm2(to);
    b = vec3_axpy(b, d / (d2 > 0.0 ? d2 : 1.0), to);
    *lo = d < *lo ? d : *lo;
    *hi = d > *hi ? d : *hi;
  }
  return vec3(b.x * m[0] + b.y * m[1] + b.z * m[2], b.x * m[1] + b.y * m[3] + b.z * m[4],
              b.x * m[2] + b.y * m[4] + b.z * m[5]);
}

/* What is left of a gradient so that no face sees more than there is around (Venkatakrishnan). */
static double limit_of(const NearArrays *a, const NearSa *sa, LocalId c, Vec3 g, double lo,
                       double hi)
{
  const double tiny = sa->far * sa->far;
  double least = 1.0;
  for (LocalId j = a->face_start[c]; j < a->face_start[c + 1]; j++) {
    const double d = vec3_dot(g, vec3_sub(face_center(a, a->face[j]), center_of(a, c)));
    const double room = d > 0.0 ? hi : lo, r2 = room * room, both = room * d;
    const double here = (r2 + 2.0 * both + tiny) / (r2 + both + 2.0 * d * d + tiny);
    least = here < least ? here : least;
  }
  return least;
}

void near_sa_slopes(const NearArrays *a, NearSa *sa, NearLimit mode)
{
  for (LocalId c = 0; c < a->n_own; c++) {
    const NearSpecial *special = special_at(a, c);
    double lo = 0.0, hi = 0.0, *slope = sa->slope + SA_SLOPE * (size_t)c;
    const Vec3 g = special != NULL ? special_gradient(a, sa, special, &lo, &hi)
                                   : plain_gradient(a, sa, c, &lo, &hi);
    slope[0] = g.x, slope[1] = g.y, slope[2] = g.z;
    /* Four neighbours are too few for second order (flow/near_slope_kernels.c). */
    const int few = a->face_start[c + 1] - a->face_start[c] == 4;
    slope[SA_LIMIT] = sa->spec.order == 1 || few ? 0.0
                      : mode == NEAR_LIMIT_HELD  ? sa->limit[c]
                                                 : limit_of(a, sa, c, g, lo, hi);
    if (mode == NEAR_LIMIT_KEEP) sa->limit[c] = slope[SA_LIMIT];
  }
}

/* What cell c gives to face f. */
static inline double side_of(const NearArrays *a, const NearSa *sa, LocalId c, LocalId f)
{
  const Vec3 to = vec3_sub(face_center(a, f), center_of(a, c));
  return sa->nu_tilde[c] +
         sa->slope[SA_SLOPE * (size_t)c + SA_LIMIT] * vec3_dot(gradient_of(sa, c), to);
}

static inline double mass_of(const NearArrays *a, LocalId f)
{
  return a->flux[NEAR_FLUX * (size_t)f];
}

/* What spreads across a face between cells, per gradient: area (mu + rho nu_tilde f_n) / sigma. */
static inline double conductance(const NearArrays *a, const Gas *gas, const NearSa *sa, LocalId f)
{
  const double *l = record_of(a, a->left[f]), *r = record_of(a, a->right[f]);
  const double nu = 0.5 * (kinematic(gas, l) + kinematic(gas, r));
  const double nt = 0.5 * (sa->nu_tilde[a->left[f]] + sa->nu_tilde[a->right[f]]);
  return 0.5 * (l[0] + r[0]) * sa_spread(nu, nt) / SA_SIGMA;
}

void near_sa_flux(const NearArrays *a, const Gas *gas, NearSa *sa, LocalId first, LocalId end)
{
  for (LocalId f = first; f < end; f++) {
    const LocalId l = a->left[f], r = a->right[f];
    const Vec3 s = vec3(a->sx[f], a->sy[f], a->sz[f]);
    const Vec3 d = vec3_sub(center_of(a, r), center_of(a, l));
    const double mass = mass_of(a, f), area = vec3_norm(s), along = vec3_dot(d, s);
    const Vec3 mean = vec3_scale(0.5, vec3_add(gradient_of(sa, l), gradient_of(sa, r)));
    const double jump = sa->nu_tilde[r] - sa->nu_tilde[l];
    /* Along the normal by area, so that it gives the difference between the two cells. */
    const double slope =
        along != 0.0 ? vec3_dot(mean, s) + (jump - vec3_dot(mean, d)) * area * area / along : 0.0;
    sa->flux[f] = mass * (mass > 0.0 ? side_of(a, sa, l, f) : side_of(a, sa, r, f)) -
                  conductance(a, gas, sa, f) * slope;
  }
}

void near_sa_wall_flux(const NearArrays *a, const Gas *gas, NearSa *sa, double temperature,
                       LocalId first, LocalId end)
{
  for (LocalId f = first; f < end; f++) {
    const LocalId c = a->left[f];
    const double *w = record_of(a, c);
    const Vec3 s = vec3(a->sx[f], a->sy[f], a->sz[f]), g = gradient_of(sa, c);
    const Vec3 d = vec3_sub(face_center(a, f), center_of(a, c));
    const double t = isnan(temperature) ? gas->gamma * w[4] / w[0] : temperature;
    const double slope =
        vec3_dot(g, s) + (-sa->nu_tilde[c] - vec3_dot(g, d)) * vec3_norm2(s) / vec3_dot(d, s);
    sa->flux[f] = -gas_viscosity(gas, t) / SA_SIGMA * slope;
  }
}

void near_sa_open_flux(const NearArrays *a, NearSa *sa, NearBeyond beyond, LocalId first,
                       LocalId end)
{
  for (LocalId f = first; f < end; f++) {
    const double mass = mass_of(a, f);
    const bool comes = mass < 0.0 || beyond == NEAR_IN;
    sa->flux[f] =
        beyond == NEAR_SOLID ? 0.0 : mass * (comes ? sa->far : side_of(a, sa, a->left[f], f));
  }
}

/* Vorticity, strain and all of the gradient of the velocity: with the velocity turned into the axes
 * of the grid, in which its derivatives are. */
static inline void set_shear(const double *slope, const NearMotion *m, SaPoint *p)
{
  double g[3][3];
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++)
      g[i][k] = m->r.m[0][i] * slope[NEAR_VARS * k + 1] + m->r.m[1][i] * slope[NEAR_VARS * k + 2] +
                m->r.m[2][i] * slope[NEAR_VARS * k + 3];
  double turn = 0.0, strain = 0.0, all = 0.0;
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) {
      const double w = 0.5 * (g[i][k] - g[k][i]), s = 0.5 * (g[i][k] + g[k][i]);
      turn += w * w;
      strain += s * s;
      all += g[i][k] * g[i][k];
    }
  p->vorticity = sqrt(2.0 * turn);
  p->strain = sqrt(2.0 * strain);
  p->shear = sqrt(all);
}

static inline SaPoint point_of(const NearArrays *a, const Gas *gas, const NearMotion *m,
                               const NearSa *sa, LocalId c)
{
  const double *w = record_of(a, c), *slope = a->slope + NEAR_SLOPE * (size_t)c;
  const Vec3 g = gradient_of(sa, c);
  SaPoint p = {.rho = w[0], .nu = kinematic(gas, w), .nu_tilde = sa->nu_tilde[c]};
  set_shear(slope, m, &p);
  p.steep2 = vec3_norm2(g);
  p.with_rho = vec3_dot(g, vec3(slope[0], slope[NEAR_VARS], slope[2 * NEAR_VARS]));
  p.distance = sa->distance[c];
  p.width = 2.0 / sqrt(a->steepest[c]);
  return p;
}

static inline int is_computed(const NearArrays *a, LocalId c)
{
  return a->state == NULL || a->state[c] == STATE_FIELD;
}

void near_sa_source(const NearArrays *a, const Gas *gas, const NearMotion *m, NearSa *sa)
{
  for (LocalId c = 0; c < a->n_own; c++) {
    const SaPoint p = point_of(a, gas, m, sa, c);
    sa->source[c] = is_computed(a, c) ? sa_source(&sa->spec, &p) : 0.0;
  }
}

double near_sa_rate(const NearArrays *a, const NearSa *sa, LocalId c)
{
  double sum = 0.0;
  for (LocalId j = a->face_start[c]; j < a->face_start[c + 1]; j++)
    sum -= sa->flux[a->face[j]] * (double)a->face_sign[j];
  return sum / a->volume[c] + sa->source[c];
}

void near_sa_face_jacobian(const NearArrays *a, const Gas *gas, const NearSa *sa, LocalId f,
                           double by[2])
{
  const LocalId l = a->left[f], r = a->right[f];
  const Vec3 s = vec3(a->sx[f], a->sy[f], a->sz[f]);
  const Vec3 d = vec3_sub(center_of(a, r), center_of(a, l));
  const double mass = mass_of(a, f), along = fabs(vec3_dot(d, s));
  const double spread = along > 0.0 ? conductance(a, gas, sa, f) * vec3_norm2(s) / along : 0.0;
  by[0] = ((mass > 0.0 ? mass : 0.0) + spread) / record_of(a, l)[0];
  by[1] = ((mass < 0.0 ? mass : 0.0) - spread) / record_of(a, r)[0];
}

double near_sa_boundary_jacobian(const NearArrays *a, const Gas *gas, const NearSa *sa,
                                 NearBeyond beyond, bool sticks, LocalId f)
{
  const double *w = record_of(a, a->left[f]), mass = mass_of(a, f);
  if (sticks) {
    const Vec3 s = vec3(a->sx[f], a->sy[f], a->sz[f]);
    const Vec3 d = vec3_sub(face_center(a, f), center_of(a, a->left[f]));
    return kinematic(gas, w) / SA_SIGMA * vec3_norm2(s) / fabs(vec3_dot(d, s));
  }
  (void)sa;
  return beyond != NEAR_SOLID && beyond != NEAR_IN && mass > 0.0 ? mass / w[0] : 0.0;
}

double near_sa_restraint(const NearArrays *a, const Gas *gas, const NearMotion *m, const NearSa *sa,
                         LocalId c)
{
  if (!is_computed(a, c)) return 0.0;
  SaPoint p = point_of(a, gas, m, sa, c);
  const double h = 1e-6 * (fabs(p.nu_tilde) + p.nu), here = sa_source(&sa->spec, &p);
  p.nu_tilde += h;
  const double slope = (sa_source(&sa->spec, &p) - here) / (h * p.rho);
  return slope < 0.0 ? -slope : 0.0;
}
