#include "geom/xray_place.h"

#include "geom/xray_impl.h"

/* Weights this little outside are rounding. */
static const double inside = -1e-9;

static void enter(const XRay *xray, int triangle, XRayPlace *at)
{
  at->triangle = triangle;
  at->patch = xray_patch(xray, triangle);
  if (!xray_triangle_is_flat(xray, triangle)) return;
  const Corners *c = &xray->corners[triangle];
  const Vec3 n = vec3_unit(vec3_cross(vec3_sub(c->b, c->a), vec3_sub(c->c, c->a)));
  for (int k = 0; k < 3; k++) at->patch.normal[k] = n;
}

XRayPlace xray_place(const XRay *xray, int triangle)
{
  XRayPlace at = {.u = 1.0 / 3.0, .v = 1.0 / 3.0};
  enter(xray, triangle, &at);
  return at;
}

/* The edge beyond which the weights lie farthest; -1: inside. */
static int edge_passed(double u, double v)
{
  const double w = 1.0 - u - v;
  const double least = w < u ? (w < v ? w : v) : (u < v ? u : v);
  if (least >= inside) return -1;
  return least == w ? 1 : least == u ? 2 : 0;
}

/* Step over edge e onto the neighbour; false at a crease. */
static bool step_over(const XRay *xray, int e, XRayPlace *at)
{
  const int id = xray->links[at->triangle].edge[e];
  const SurfaceEdge *edge = &xray->edge[id < 0 ? ~id : id];
  if (edge->flags & (EDGE_CREASE | EDGE_SINGULAR)) return false;
  const int other = edge->triangle[0] == at->triangle && edge->side[0] == e ? 1 : 0;
  const double weight[3] = {1.0 - at->u - at->v, at->u, at->v};
  double ahead = weight[(e + 1) % 3] / (weight[e] + weight[(e + 1) % 3]);
  ahead = ahead > 0.0 ? (ahead < 1.0 ? ahead : 1.0) : 0.0;
  double start[3] = {0.0, 0.0, 0.0};
  start[edge->side[other]] = ahead;
  start[(edge->side[other] + 1) % 3] = 1.0 - ahead;
  at->u = start[1];
  at->v = start[2];
  enter(xray, edge->triangle[other], at);
  return true;
}

/* Both patches at an edge send the point to each other: it stays on the edge. */
static void stay_on_edge(Vec3 p, XRayPlace *at)
{
  const PatchFoot foot = pn_patch_foot(&at->patch, p, at->u, at->v);
  at->u = foot.u;
  at->v = foot.v;
  at->jet = pn_patch_jet(&at->patch, at->u, at->v);
}

static void finish(const XRay *xray, Vec3 p, XRayPlace *at)
{
  const PatchJet *j = &at->jet;
  const Vec3 r = vec3_sub(j->s, p);
  at->huu = vec3_norm2(j->su) + vec3_dot(r, j->suu);
  at->huv = vec3_dot(j->su, j->sv) + vec3_dot(r, j->suv);
  at->hvv = vec3_norm2(j->sv) + vec3_dot(r, j->svv);
  at->point = j->s;
  at->normal = xray_triangle_is_flat(xray, at->triangle)
                   ? at->patch.normal[0]
                   : pn_patch_normal_at(&at->patch, j->s, at->u, at->v);
}

bool xray_place_follow(const XRay *xray, Vec3 p, XRayPlace *at)
{
  enum { HOPS = 24, RETURNS = 2 };
  int from = -1, n_returns = 0;
  for (int hop = 0; hop < HOPS; hop++) {
    pn_patch_settle(&at->patch, p, &at->u, &at->v, &at->jet);
    const int e = edge_passed(at->u, at->v), here = at->triangle;
    const double u = at->u, v = at->v;
    if (e >= 0 && !step_over(xray, e, at)) return false;
    n_returns += e >= 0 && at->triangle == from;
    if (n_returns == RETURNS) {
      enter(xray, here, at);
      at->u = u;
      at->v = v;
      stay_on_edge(p, at);
    }
    if (e < 0 || at->triangle == here) {
      finish(xray, p, at);
      return true;
    }
    from = here;
  }
  return false;
}

Vec3 xray_place_turn(const XRayPlace *at, Vec3 dp)
{
  const double gu = vec3_dot(at->jet.su, dp), gv = vec3_dot(at->jet.sv, dp);
  const double det = at->huu * at->hvv - at->huv * at->huv;
  const double du = (at->hvv * gu - at->huv * gv) / det, dv = (at->huu * gv - at->huv * gu) / det;
  const Vec3 *n = at->patch.normal;
  const Vec3 sum =
      vec3_axpy(vec3_axpy(n[0], at->u, vec3_sub(n[1], n[0])), at->v, vec3_sub(n[2], n[0]));
  const Vec3 d = vec3_axpy(vec3_scale(du, vec3_sub(n[1], n[0])), dv, vec3_sub(n[2], n[0]));
  return vec3_scale(1.0 / vec3_norm(sum), vec3_axpy(d, -vec3_dot(d, at->normal), at->normal));
}
