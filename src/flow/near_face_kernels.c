/*
 * Faces are taken in blocks that stay in the first cache; a block in which no face is near a shock
 * skips HLL.
 */
#include "flow/near_face_kernels.h"

#include "flow/hllc.h"

enum { BLOCK = 128 };

/* The unit normal of a face in inertial axes, its speed along it, its area. */
static inline FaceNormal turn_normal(const NearArrays *a, const NearMotion *m, LocalId f,
                                     double *area)
{
  const double x = a->sx[f], y = a->sy[f], z = a->sz[f];
  const double size = sqrt(x * x + y * y + z * z);
  const double per = 1.0 / (size > 0.0 ? size : 1.0);
  const Vec3 v = m->twist.v, w = m->twist.w;
  const double swept =
      v.x * x + v.y * y + v.z * z + (w.x * a->tx[f] + w.y * a->ty[f] + w.z * a->tz[f]);
  *area = size;
  return (FaceNormal){(m->r.m[0][0] * x + m->r.m[0][1] * y + m->r.m[0][2] * z) * per,
                      (m->r.m[1][0] * x + m->r.m[1][1] * y + m->r.m[1][2] * z) * per,
                      (m->r.m[2][0] * x + m->r.m[2][1] * y + m->r.m[2][2] * z) * per, swept * per};
}

static inline FaceState load_side(double gamma, FaceNormal n, const double *s)
{
  return face_state(gamma, n, s[0], s[1], s[2], s[3], s[4]);
}

static inline void store_flux(double *s, FaceFlux f, double area, double slow, double fast)
{
  s[0] = f.rho * area;
  s[1] = f.u * area;
  s[2] = f.v * area;
  s[3] = f.w * area;
  s[4] = f.e * area;
  const double speed = fast > -slow ? fast : -slow;
  s[NEAR_FACE_SPEED] = speed * area;
}

static void flux_calm(const NearArrays *a, double gamma, const NearMotion *m, LocalId first,
                      LocalId end)
{
  double *restrict side = a->side;
#pragma omp simd
  for (LocalId f = first; f < end; f++) {
    double *s = side + NEAR_FACE * f;
    double area, slow, fast;
    const FaceNormal n = turn_normal(a, m, f, &area);
    const FaceState l = load_side(gamma, n, s), r = load_side(gamma, n, s + NEAR_SIDE);
    wave_speeds(l, r, &slow, &fast);
    store_flux(s, hllc_flux(n, l, r, slow, fast), area, slow, fast);
  }
}

static void flux_shocked(const NearArrays *a, double gamma, const NearMotion *m, LocalId first,
                         LocalId end)
{
  double *restrict side = a->side;
#pragma omp simd
  for (LocalId f = first; f < end; f++) {
    double *s = side + NEAR_FACE * f;
    double area, slow, fast;
    const FaceNormal n = turn_normal(a, m, f, &area);
    const FaceState l = load_side(gamma, n, s), r = load_side(gamma, n, s + NEAR_SIDE);
    const double sharp = face_sharpness(s[5], s[NEAR_SIDE + 5]);
    wave_speeds(l, r, &slow, &fast);
    const FaceFlux flux =
        blend_flux(sharp, hllc_flux(n, l, r, slow, fast), hll_flux(n, l, r, slow, fast));
    store_flux(s, flux, area, slow, fast);
  }
}

static int is_calm(const double *side, LocalId first, LocalId end)
{
  double least = 1.0;
  for (LocalId f = first; f < end; f++) {
    const double *s = side + NEAR_FACE * f;
    const double sharp = face_sharpness(s[5], s[NEAR_SIDE + 5]);
    least = sharp < least ? sharp : least;
  }
  return least == 1.0;
}

void near_face_flux(const NearArrays *a, double gamma, const NearMotion *m, LocalId first,
                    LocalId end)
{
  for (LocalId f = first; f < end; f += BLOCK) {
    const LocalId stop = f + BLOCK < end ? f + BLOCK : end;
    if (is_calm(a->side, f, stop))
      flux_calm(a, gamma, m, f, stop);
    else
      flux_shocked(a, gamma, m, f, stop);
  }
}
