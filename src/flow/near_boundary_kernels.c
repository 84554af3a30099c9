#include "flow/near_boundary_kernels.h"

#include "flow/near_side.h"

FaceNormal near_face_normal(const NearArrays *a, const NearMotion *m, LocalId f, double *area)
{
  const Vec3 s = vec3(a->sx[f], a->sy[f], a->sz[f]), t = vec3(a->tx[f], a->ty[f], a->tz[f]);
  const double size = vec3_norm(s), per = size > 0.0 ? 1.0 / size : 0.0;
  const Vec3 n = mat3_apply(&m->r, s);
  *area = size;
  return (FaceNormal){n.x * per, n.y * per, n.z * per,
                      (vec3_dot(m->twist.v, s) + vec3_dot(m->twist.w, t)) * per};
}

/*
 * The pressure of gas that a solid face stops: that between the state and its mirror image. Gas
 * that leaves the face behind expands like exp(gamma q / c), so the pressure stays positive.
 */
static double solid_pressure(double gamma, FaceState s)
{
  const double spread = sqrt(s.c * s.c + 0.5 * s.q * s.q);
  if (s.q >= 0.0) return s.p + s.rho * s.q * (s.q + spread);
  const double a = -gamma * s.q / s.c;
  return s.p / (1.0 + a + 0.5 * a * a);
}

/* The state on a far face by Riemann invariants along its normal. */
static FaceState far_state(double gamma, FaceNormal n, FaceState in, FaceState out)
{
  if (in.q >= in.c) return in;
  if (out.q <= -out.c) return out;
  const double leaving = in.q + 2.0 * in.c / (gamma - 1.0);
  const double coming = out.q - 2.0 * out.c / (gamma - 1.0);
  const double q = 0.5 * (leaving + coming), c = 0.25 * (gamma - 1.0) * (leaving - coming);
  const FaceState from = q > 0.0 ? in : out;
  const double hot = c / from.c, shift = q - from.q;
  const double rho = from.rho * pow(hot, 2.0 / (gamma - 1.0));
  return face_state(gamma, n, rho, from.u + shift * n.x, from.v + shift * n.y, from.w + shift * n.z,
                    rho * c * c / gamma);
}

static FaceState out_state(double gamma, FaceNormal n, FaceState in, FaceState out)
{
  if (in.q >= in.c) return in;
  if (in.q <= 0.0) return far_state(gamma, n, in, out);
  return face_state(gamma, n, in.rho, in.u, in.v, in.w, out.p);
}

static FaceState beyond_state(double gamma, FaceNormal n, NearBeyond beyond, FaceState in,
                              FaceState out)
{
  if (beyond == NEAR_IN) return out;
  return beyond == NEAR_OUT ? out_state(gamma, n, in, out) : far_state(gamma, n, in, out);
}

FaceFlux near_beyond_flux(double gamma, FaceNormal n, NearBeyond beyond, const Primitive *stream,
                          FaceState in, double *p)
{
  if (beyond == NEAR_SOLID) {
    *p = solid_pressure(gamma, in);
    return (FaceFlux){0.0, *p * n.x, *p * n.y, *p * n.z, *p * n.speed};
  }
  const FaceState out =
      face_state(gamma, n, stream->rho, stream->u.x, stream->u.y, stream->u.z, stream->p);
  const FaceState at = beyond_state(gamma, n, beyond, in, out);
  *p = at.p;
  return face_flux(n, at);
}

void near_boundary_flux(const NearArrays *a, double gamma, const NearMotion *m, NearBeyond beyond,
                        const Primitive *stream, LocalId first, LocalId end)
{
  for (LocalId f = first; f < end; f++) {
    double *flux_at = a->flux + NEAR_FLUX * (size_t)f, area;
    double *skin = a->skin + NEAR_SKIN * (size_t)(f - a->n_interior);
    const Row w = near_side(a, a->left[f], f);
    const FaceNormal n = near_face_normal(a, m, f, &area);
    const FaceState in = face_state(gamma, n, w[0], w[1], w[2], w[3], w[4]);
    const FaceFlux flux = near_beyond_flux(gamma, n, beyond, stream, in, skin);
    flux_at[0] = flux.rho * area;
    flux_at[1] = flux.u * area;
    flux_at[2] = flux.v * area;
    flux_at[3] = flux.w * area;
    flux_at[4] = flux.e * area;
    flux_at[NEAR_SPEED] = ((in.q < 0.0 ? -in.q : in.q) + in.c) * area;
  }
}
