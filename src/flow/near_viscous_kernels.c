/*
 * The gradient on a face is the mean of its cells', corrected along the normal so that it gives the
 * difference between the two cells exactly: compact where the mean alone would let odd and even
 * cells drift apart. Gradients are with respect to the axes of the grid; only their products with
 * the normal are turned.
 */
#include "flow/near_viscous_kernels.h"

#include "flow/sa.h"

/* Velocity and temperature, and their gradients in axes of the grid. */
typedef struct {
  Vec3 u;
  double t;
  Vec3 du[3], dt;
} Shear;

/* A face: normal in axes of the grid and inertial ones, area, way between the two points whose
 * difference is taken. */
typedef struct {
  Vec3 n_b, n, d;
  double area;
} FaceFrame;

static inline FaceFrame face_frame(const NearArrays *a, const NearMotion *m, LocalId f)
{
  const Vec3 s = vec3(a->sx[f], a->sy[f], a->sz[f]);
  FaceFrame frame = {.area = vec3_norm(s)};
  frame.n_b = vec3_unit(s);
  frame.n = mat3_apply(&m->r, frame.n_b);
  return frame;
}

static inline Vec3 cell_center(const NearArrays *a, LocalId c)
{
  const double *record = a->cell + NEAR_CELL * c;
  return vec3(record[5], record[6], record[7]);
}

static inline Vec3 slope_of(const double *slope, int k)
{
  return vec3(slope[k], slope[NEAR_VARS + k], slope[2 * NEAR_VARS + k]);
}

static inline Shear cell_shear(const NearArrays *a, double gamma, LocalId c)
{
  const double *w = a->cell + NEAR_CELL * c, *g = a->slope + NEAR_SLOPE * c;
  Shear s = {.u = {w[1], w[2], w[3]}, .t = gamma * w[4] / w[0]};
  for (int i = 0; i < 3; i++) s.du[i] = slope_of(g, 1 + i);
  s.dt = vec3_scale(1.0 / w[0], vec3_axpy(vec3_scale(gamma, slope_of(g, 4)), -s.t, slope_of(g, 0)));
  return s;
}

/* A gradient that gives the difference over frame->d, changed along the normal only. */
static inline Vec3 fit_gradient(const FaceFrame *frame, Vec3 g, double difference)
{
  const double along = vec3_dot(frame->d, frame->n_b);
  return vec3_axpy(g, (difference - vec3_dot(g, frame->d)) / along, frame->n_b);
}

/* Stress on the face, tau n. */
static inline Vec3 face_stress(const FaceFrame *frame, const Mat3 *r, const Vec3 du[3], double mu)
{
  const Vec3 along =
      vec3(vec3_dot(du[0], frame->n_b), vec3_dot(du[1], frame->n_b), vec3_dot(du[2], frame->n_b));
  const Vec3 n = frame->n;
  const Vec3 across_b = vec3_axpy(vec3_axpy(vec3_scale(n.x, du[0]), n.y, du[1]), n.z, du[2]);
  const Vec3 across = mat3_apply(r, across_b);
  double divergence = 0.0;
  for (int i = 0; i < 3; i++)
    divergence += r->m[i][0] * du[i].x + r->m[i][1] * du[i].y + r->m[i][2] * du[i].z;
  return vec3_scale(mu, vec3_axpy(vec3_add(along, across), -2.0 / 3.0 * divergence, n));
}

/* Viscosity of the gas and of turbulence. */
typedef struct {
  double gas, eddy;
} Viscosity;

static inline double eddy_of(const NearArrays *a, LocalId c)
{
  return a->eddy == NULL ? 0.0 : a->eddy[c];
}

static inline double conductivity(const Gas *gas, Viscosity mu)
{
  return (mu.gas / gas->prandtl + mu.eddy / SA_PRANDTL) / (gas->gamma - 1.0);
}

/* Take friction and conduction (heat = dT/dn) from the flux of a face. */
static inline void take_friction(const NearArrays *a, const Gas *gas, LocalId f, double area,
                                 Vec3 stress, Vec3 u, Viscosity mu, double heat)
{
  double *flux = a->flux + NEAR_FLUX * (size_t)f;
  const double conduction = conductivity(gas, mu) * heat;
  flux[1] -= stress.x * area;
  flux[2] -= stress.y * area;
  flux[3] -= stress.z * area;
  flux[4] -= (vec3_dot(stress, u) + conduction) * area;
}

/* Diffusion over a distance needs time steps as a wave of this speed would. */
static inline double diffusion_speed(const Gas *gas, Viscosity mu, double rho, double distance)
{
  const double heat = gas->gamma * (mu.gas / gas->prandtl + mu.eddy / SA_PRANDTL);
  const double shear = 4.0 / 3.0 * (mu.gas + mu.eddy);
  return 2.0 * (heat > shear ? heat : shear) / (rho * (distance > 0.0 ? distance : -distance));
}

void near_viscous_flux(const NearArrays *a, const Gas *gas, const NearMotion *m, LocalId first,
                       LocalId end)
{
  for (LocalId f = first; f < end; f++) {
    const LocalId l = a->left[f], r = a->right[f];
    FaceFrame frame = face_frame(a, m, f);
    frame.d = vec3_sub(cell_center(a, r), cell_center(a, l));
    const Shear left = cell_shear(a, gas->gamma, l), right = cell_shear(a, gas->gamma, r);
    Vec3 du[3];
    for (int i = 0; i < 3; i++)
      du[i] = fit_gradient(&frame, vec3_scale(0.5, vec3_add(left.du[i], right.du[i])),
                           vec3_at(right.u, i) - vec3_at(left.u, i));
    const Vec3 dt =
        fit_gradient(&frame, vec3_scale(0.5, vec3_add(left.dt, right.dt)), right.t - left.t);
    const Viscosity mu = {gas_viscosity(gas, 0.5 * (left.t + right.t)),
                          0.5 * (eddy_of(a, l) + eddy_of(a, r))};
    const Vec3 stress = face_stress(&frame, &m->r, du, mu.gas + mu.eddy);
    take_friction(a, gas, f, frame.area, stress, vec3_scale(0.5, vec3_add(left.u, right.u)), mu,
                  vec3_dot(dt, frame.n_b));
    const double rho = 0.5 * (a->cell[NEAR_CELL * l] + a->cell[NEAR_CELL * r]);
    a->flux[NEAR_FLUX * (size_t)f + NEAR_SPEED] +=
        frame.area * diffusion_speed(gas, mu, rho, vec3_dot(frame.d, frame.n_b));
  }
}

void near_wall_friction(const NearArrays *a, const Gas *gas, const NearMotion *m,
                        double temperature, LocalId first, LocalId end)
{
  for (LocalId f = first; f < end; f++) {
    const LocalId c = a->left[f];
    const Vec3 at = vec3(a->fx[f], a->fy[f], a->fz[f]);
    const Vec3 wall = mat3_apply(&m->r, vec3_add(m->twist.v, vec3_cross(m->twist.w, at)));
    FaceFrame frame = face_frame(a, m, f);
    frame.d = vec3_sub(at, cell_center(a, c));
    const Shear in = cell_shear(a, gas->gamma, c);
    Vec3 du[3];
    for (int i = 0; i < 3; i++)
      du[i] = fit_gradient(&frame, in.du[i], vec3_at(wall, i) - vec3_at(in.u, i));
    const bool adiabatic = isnan(temperature);
    const double t = adiabatic ? in.t : temperature;
    const Viscosity mu = {gas_viscosity(gas, t), 0.0};
    const double heat =
        adiabatic ? 0.0 : vec3_dot(fit_gradient(&frame, in.dt, t - in.t), frame.n_b);
    const Vec3 stress = face_stress(&frame, &m->r, du, mu.gas);
    take_friction(a, gas, f, frame.area, stress, wall, mu, heat);
    double *skin = a->skin + NEAR_SKIN * (size_t)(f - a->n_interior);
    skin[1] = -stress.x * frame.area;
    skin[2] = -stress.y * frame.area;
    skin[3] = -stress.z * frame.area;
    a->flux[NEAR_FLUX * (size_t)f + NEAR_SPEED] +=
        frame.area * diffusion_speed(gas, mu, a->cell[NEAR_CELL * c], vec3_dot(frame.d, frame.n_b));
  }
}

void near_open_friction(const NearArrays *a, const Gas *gas, const NearMotion *m, LocalId first,
                        LocalId end)
{
  for (LocalId f = first; f < end; f++) {
    const FaceFrame frame = face_frame(a, m, f);
    const Shear in = cell_shear(a, gas->gamma, a->left[f]);
    const Viscosity mu = {gas_viscosity(gas, in.t), eddy_of(a, a->left[f])};
    const Vec3 stress = face_stress(&frame, &m->r, in.du, mu.gas + mu.eddy);
    take_friction(a, gas, f, frame.area, stress, in.u, mu, vec3_dot(in.dt, frame.n_b));
  }
}
