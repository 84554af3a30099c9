/*
 * Differences of the flux itself: exact enough for a preconditioner, and always in step with the
 * flux and the boundary conditions.
 */
#include "flow/near_jacobian_kernels.h"

#include "flow/sa.h"

static void cell_conserved(const NearArrays *a, double gamma, LocalId c, double u[NEAR_VARS])
{
  const double *w = a->cell + NEAR_CELL * c;
  u[0] = w[0];
  for (int k = 1; k <= 3; k++) u[k] = w[0] * w[k];
  u[4] = w[4] / (gamma - 1.0) + 0.5 * w[0] * (w[1] * w[1] + w[2] * w[2] + w[3] * w[3]);
}

static FaceState state_of(double gamma, FaceNormal n, const double u[NEAR_VARS])
{
  const double per = 1.0 / u[0];
  const double kinetic = 0.5 * (u[1] * u[1] + u[2] * u[2] + u[3] * u[3]) * per;
  return face_state(gamma, n, u[0], u[1] * per, u[2] * per, u[3] * per,
                    (gamma - 1.0) * (u[4] - kinetic));
}

/* Steps that change a state by little, whatever its Mach number. */
static void step_sizes(FaceState s, double h[NEAR_VARS])
{
  const double little = 1e-7;
  h[0] = little * s.rho;
  h[1] = h[2] = h[3] = little * s.rho * s.c;
  h[4] = little * s.rho * s.c * s.c;
}

static void flux_of(FaceNormal n, FaceState l, FaceState r, double flux[NEAR_VARS])
{
  double slow, fast;
  wave_speeds(l, r, &slow, &fast);
  const FaceFlux f = hllc_flux(n, l, r, slow, fast);
  flux[0] = f.rho, flux[1] = f.u, flux[2] = f.v, flux[3] = f.w, flux[4] = f.e;
}

/* Speed at which values diffuse across the face. */
static double diffusion(const NearArrays *a, const Gas *gas, LocalId c, Vec3 d, LocalId f)
{
  const double *w = a->cell + NEAR_CELL * c;
  const double mu = gas_viscosity(gas, gas->gamma * w[4] / w[0]);
  const double eddy = a->eddy == NULL ? 0.0 : a->eddy[c];
  const double heat = gas->gamma * (mu / gas->prandtl + eddy / SA_PRANDTL);
  const double shear = 4.0 / 3.0 * (mu + eddy);
  const double along = vec3_dot(d, vec3_unit(vec3(a->sx[f], a->sy[f], a->sz[f])));
  return (heat > shear ? heat : shear) / (w[0] * fabs(along));
}

static Vec3 center(const NearArrays *a, LocalId c)
{
  const double *w = a->cell + NEAR_CELL * c;
  return vec3(w[5], w[6], w[7]);
}

void near_face_jacobian(const NearArrays *a, const Gas *gas, const NearMotion *m, bool viscous,
                        LocalId f, double left[NEAR_BLOCK], double right[NEAR_BLOCK])
{
  const double gamma = gas->gamma;
  const LocalId cell[2] = {a->left[f], a->right[f]};
  double area, u[2][NEAR_VARS], base[NEAR_VARS], *block[2] = {left, right};
  const FaceNormal n = near_face_normal(a, m, f, &area);
  for (int s = 0; s < 2; s++) cell_conserved(a, gamma, cell[s], u[s]);
  const FaceState state[2] = {state_of(gamma, n, u[0]), state_of(gamma, n, u[1])};
  flux_of(n, state[0], state[1], base);
  for (int s = 0; s < 2; s++) {
    double h[NEAR_VARS];
    step_sizes(state[s], h);
    for (int k = 0; k < NEAR_VARS; k++) {
      double moved[NEAR_VARS], flux[NEAR_VARS];
      for (int i = 0; i < NEAR_VARS; i++) moved[i] = u[s][i] + (i == k ? h[k] : 0.0);
      const FaceState other = state_of(gamma, n, moved);
      flux_of(n, s == 0 ? other : state[0], s == 0 ? state[1] : other, flux);
      for (int i = 0; i < NEAR_VARS; i++)
        block[s][NEAR_VARS * i + k] = (flux[i] - base[i]) / h[k] * area;
    }
  }
  if (!viscous) return;
  const Vec3 d = vec3_sub(center(a, cell[1]), center(a, cell[0]));
  const double speed = diffusion(a, gas, cell[0], d, f) * area;
  for (int i = 0; i < NEAR_VARS; i++) {
    left[(NEAR_VARS + 1) * i] += speed;
    right[(NEAR_VARS + 1) * i] -= speed;
  }
}

void near_boundary_jacobian(const NearArrays *a, const Gas *gas, const NearMotion *m,
                            NearBeyond beyond, const Primitive *stream, bool sticks, LocalId f,
                            double left[NEAR_BLOCK])
{
  const LocalId c = a->left[f];
  double area, p, u[NEAR_VARS], h[NEAR_VARS];
  const FaceNormal n = near_face_normal(a, m, f, &area);
  cell_conserved(a, gas->gamma, c, u);
  const FaceState in = state_of(gas->gamma, n, u);
  const FaceFlux base = near_beyond_flux(gas->gamma, n, beyond, stream, in, &p);
  const double was[NEAR_VARS] = {base.rho, base.u, base.v, base.w, base.e};
  step_sizes(in, h);
  for (int k = 0; k < NEAR_VARS; k++) {
    double moved[NEAR_VARS];
    for (int i = 0; i < NEAR_VARS; i++) moved[i] = u[i] + (i == k ? h[k] : 0.0);
    const FaceFlux now =
        near_beyond_flux(gas->gamma, n, beyond, stream, state_of(gas->gamma, n, moved), &p);
    const double is[NEAR_VARS] = {now.rho, now.u, now.v, now.w, now.e};
    for (int i = 0; i < NEAR_VARS; i++) left[NEAR_VARS * i + k] = (is[i] - was[i]) / h[k] * area;
  }
  if (!sticks) return;
  const Vec3 d = vec3_sub(vec3(a->fx[f], a->fy[f], a->fz[f]), center(a, c));
  const double speed = diffusion(a, gas, c, d, f) * area;
  for (int i = 1; i < NEAR_VARS; i++) left[(NEAR_VARS + 1) * i] += speed;
}
