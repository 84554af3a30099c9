#include "geom/pn_patch.h"

#include "geom/triangle.h"

void pn_patch_finish(PnPatch *patch)
{
  Vec3 e = {0.0, 0.0, 0.0}, v = {0.0, 0.0, 0.0};
  for (int k = 0; k < 3; k++) {
    e = vec3_add(e, vec3_add(patch->edge[k][0], patch->edge[k][1]));
    v = vec3_add(v, patch->corner[k]);
  }
  patch->middle = vec3_axpy(vec3_scale(0.25, e), -1.0 / 6.0, v);
}

double pn_patch_bulge(const PnPatch *patch)
{
  double worst = 0.0;
  Vec3 center = {0.0, 0.0, 0.0};
  for (int k = 0; k < 3; k++) {
    const Vec3 a = patch->corner[k], b = patch->corner[k == 2 ? 0 : k + 1];
    const Vec3 ab = vec3_sub(b, a);
    const double d0 = vec3_distance(patch->edge[k][0], vec3_axpy(a, 1.0 / 3.0, ab));
    const double d1 = vec3_distance(patch->edge[k][1], vec3_axpy(a, 2.0 / 3.0, ab));
    worst = d0 > worst ? d0 : worst;
    worst = d1 > worst ? d1 : worst;
    center = vec3_axpy(center, 1.0 / 3.0, a);
  }
  const double d = vec3_distance(patch->middle, center);
  return d > worst ? d : worst;
}

/* a x + b y + c z for three points. */
static inline Vec3 blend(double a, Vec3 x, double b, Vec3 y, double c, Vec3 z)
{
  return vec3(a * x.x + b * y.x + c * z.x, a * x.y + b * y.y + c * z.y,
              a * x.z + b * y.z + c * z.z);
}

/* Two steps of de Casteljau leave three points per level; their differences are derivatives. */
PatchJet pn_patch_jet(const PnPatch *p, double u, double v)
{
  const double w = 1.0 - u - v;
  const Vec3 *c = p->corner;
  /* First step: the six points of a quadratic patch, named by their powers of (w, u, v). */
  const Vec3 q200 = blend(w, c[0], u, p->edge[0][0], v, p->edge[2][1]);
  const Vec3 q020 = blend(w, p->edge[0][1], u, c[1], v, p->edge[1][0]);
  const Vec3 q002 = blend(w, p->edge[2][0], u, p->edge[1][1], v, c[2]);
  const Vec3 q110 = blend(w, p->edge[0][0], u, p->edge[0][1], v, p->middle);
  const Vec3 q011 = blend(w, p->middle, u, p->edge[1][0], v, p->edge[1][1]);
  const Vec3 q101 = blend(w, p->edge[2][1], u, p->middle, v, p->edge[2][0]);
  const Vec3 r0 = blend(w, q200, u, q110, v, q101);
  const Vec3 r1 = blend(w, q110, u, q020, v, q011);
  const Vec3 r2 = blend(w, q101, u, q011, v, q002);
  PatchJet jet;
  jet.s = blend(w, r0, u, r1, v, r2);
  jet.su = vec3_scale(3.0, vec3_sub(r1, r0));
  jet.sv = vec3_scale(3.0, vec3_sub(r2, r0));
  jet.suu = blend(6.0, q200, -12.0, q110, 6.0, q020);
  jet.svv = blend(6.0, q200, -12.0, q101, 6.0, q002);
  jet.suv = vec3_add(blend(6.0, q200, -6.0, q110, -6.0, q101), vec3_scale(6.0, q011));
  return jet;
}

Vec3 pn_patch_point(const PnPatch *patch, double u, double v)
{
  return pn_patch_jet(patch, u, v).s;
}

Vec3 pn_patch_normal(const PnPatch *patch, double u, double v)
{
  return vec3_unit(blend(1.0 - u - v, patch->normal[0], u, patch->normal[1], v, patch->normal[2]));
}

Vec3 pn_patch_normal_at(const PnPatch *patch, Vec3 q, double u, double v)
{
  const Vec3 a = patch->corner[0], *n = patch->normal;
  const Vec3 ab = vec3_sub(patch->corner[1], a), ac = vec3_sub(patch->corner[2], a);
  const Vec3 face = vec3_cross(ab, ac), aq = vec3_sub(q, a);
  const Vec3 by_u = vec3_cross(aq, ac), by_v = vec3_cross(ab, aq);
  /* Each round gains the square of the angle between the normals. */
  for (int k = 0; k < 4; k++) {
    const Vec3 m = blend(1.0 - u - v, n[0], u, n[1], v, n[2]);
    const double volume = vec3_dot(m, face);
    if (!(volume * volume > 0.01 * vec3_norm2(face) * vec3_norm2(m))) break;
    u = vec3_dot(m, by_u) / volume;
    v = vec3_dot(m, by_v) / volume;
  }
  return pn_patch_normal(patch, u, v);
}

/* Weights (u, v) at parameter t of edge e. */
static void edge_weights(int e, double t, double *u, double *v)
{
  *u = e == 0 ? t : e == 1 ? 1.0 - t : 0.0;
  *v = e == 0 ? 0.0 : e == 1 ? t : 1.0 - t;
}

static PatchFoot foot_at(const PatchJet *jet, Vec3 p, double u, double v, int feature)
{
  return (PatchFoot){vec3_norm2(vec3_sub(jet->s, p)), jet->s, u, v, feature};
}

/* Nearest point of one boundary curve: Newton in its parameter, kept in [0, 1]. */
static PatchFoot edge_foot(const PnPatch *patch, Vec3 p, int e, double t)
{
  const double du = e == 0 ? 1.0 : e == 1 ? -1.0 : 0.0;
  const double dv = e == 0 ? 0.0 : e == 1 ? 1.0 : -1.0;
  PatchFoot best = {.distance2 = INFINITY};
  double step = 0.0;
  for (int k = 0; k < 20; k++) {
    double u, v;
    edge_weights(e, t, &u, &v);
    const PatchJet jet = pn_patch_jet(patch, u, v);
    const Vec3 d = blend(du, jet.su, dv, jet.sv, 0.0, jet.s);
    const Vec3 dd = blend(du * du, jet.suu, 2.0 * du * dv, jet.suv, dv * dv, jet.svv);
    const Vec3 r = vec3_sub(jet.s, p);
    const double d2 = vec3_norm2(r);
    if (!(d2 <= best.distance2 * (1.0 + 1e-14))) { /* A step too far: halve it. */
      step *= 0.5;
      t -= step;
      continue;
    }
    best = foot_at(&jet, p, u, v,
                   t <= 0.0   ? FOOT_CORNER + e
                   : t >= 1.0 ? FOOT_CORNER + (e + 1) % 3
                              : FOOT_EDGE + e);
    const double slope = vec3_dot(r, d), speed2 = vec3_norm2(d);
    const double bend = speed2 + vec3_dot(r, dd);
    double next = t - slope / (bend > 0.1 * speed2 ? bend : speed2);
    next = next < 0.0 ? 0.0 : next > 1.0 ? 1.0 : next;
    step = next - t;
    if (fabs(step) < 1e-13) break;
    t = next;
  }
  return best;
}

/* One Newton step; where the Hessian is not safely positive, Gauss-Newton. */
static void newton_step(const PatchJet *jet, Vec3 p, double *du, double *dv)
{
  const Vec3 r = vec3_sub(jet->s, p);
  const double gu = vec3_dot(r, jet->su), gv = vec3_dot(r, jet->sv);
  const double auu = vec3_norm2(jet->su), avv = vec3_norm2(jet->sv);
  const double auv = vec3_dot(jet->su, jet->sv);
  const double flat = auu * avv - auv * auv;
  double huu = auu + vec3_dot(r, jet->suu), hvv = avv + vec3_dot(r, jet->svv);
  double huv = auv + vec3_dot(r, jet->suv);
  double det = huu * hvv - huv * huv;
  if (!(huu > 0.0 && hvv > 0.0 && det > 0.05 * flat)) huu = auu, hvv = avv, huv = auv, det = flat;
  *du = (huv * gv - hvv * gu) / det;
  *dv = (huv * gu - huu * gv) / det;
}

/* The best of the boundary curves that the weights have left. */
static PatchFoot boundary_foot(const PnPatch *patch, Vec3 p, double u, double v)
{
  const double weight[3] = {1.0 - u - v, u, v};
  PatchFoot best = {.distance2 = INFINITY};
  for (int e = 0; e < 3; e++) {
    const int next = e == 2 ? 0 : e + 1, across = next == 2 ? 0 : next + 1;
    if (weight[across] > 0.0) continue;
    double t = weight[next] / (weight[e] + weight[next]);
    t = t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t;
    const PatchFoot foot = edge_foot(patch, p, e, t);
    if (foot.distance2 < best.distance2) best = foot;
  }
  return best;
}

PatchFoot pn_patch_foot(const PnPatch *patch, Vec3 p, double u, double v)
{
  PatchFoot best = {.distance2 = INFINITY};
  double du = 0.0, dv = 0.0;
  for (int k = 0; k < 20; k++) {
    const PatchJet jet = pn_patch_jet(patch, u, v);
    if (!(vec3_norm2(vec3_sub(jet.s, p)) <= best.distance2 * (1.0 + 1e-14))) {
      du *= 0.5, dv *= 0.5;
      u -= du, v -= dv;
      continue;
    }
    best = foot_at(&jet, p, u, v, FOOT_FACE);
    newton_step(&jet, p, &du, &dv);
    if (fabs(du) + fabs(dv) < 1e-13) break;
    u += du, v += dv;
    /* Well outside, the nearest point of this patch is on its boundary. */
    if (u < -0.5 || v < -0.5 || u + v > 1.5) return boundary_foot(patch, p, u, v);
  }
  if (best.u > 0.0 && best.v > 0.0 && best.u + best.v < 1.0) return best;
  return boundary_foot(patch, p, best.u, best.v);
}

void pn_patch_settle(const PnPatch *patch, Vec3 p, double *u, double *v, PatchJet *jet)
{
  enum { ROUNDS = 12 };
  for (int k = 0; k < ROUNDS; k++) {
    double du, dv;
    *jet = pn_patch_jet(patch, *u, *v);
    newton_step(jet, p, &du, &dv);
    const double length = fabs(du) + fabs(dv);
    const double part = length > 1.0 ? 1.0 / length : 1.0;
    *u += part * du;
    *v += part * dv;
    if (length < 1e-8) { /* What is left is of the order of its square. */
      jet->s = blend(1.0, jet->s, du, jet->su, dv, jet->sv);
      return;
    }
    if (*u < -0.5 || *v < -0.5 || *u + *v > 1.5) return;
  }
}
