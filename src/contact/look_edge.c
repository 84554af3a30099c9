/*
 * Sharp edges: crossed with another one, or touched somewhere along their length.
 *
 * A sharp edge against a smooth surface, and a curved edge against any, is followed to the place
 * where the other's normal stands at right angles to it. A straight edge needs no such look over
 * flat faces: there its ends, or edges that it crosses, come nearest.
 */
#include "contact/look_impl.h"
#include "contact/tritri.h"

/* The outward normals of the two faces at an edge, world; false for edges that are not sharp. */
static bool edge_faces(const Side *s, int edge, Vec3 n[2], Vec3 ends[2])
{
  const SurfaceEdge *e = xray_edge(s->shape->xray, edge);
  if (!(e->flags & EDGE_CREASE) || e->triangle[1] < 0) return false;
  for (int k = 0; k < 2; k++) {
    const Corners *t = xray_triangle(s->shape->xray, e->triangle[k]);
    n[k] =
        mat3_apply(&s->frame.r, vec3_unit(vec3_cross(vec3_sub(t->b, t->a), vec3_sub(t->c, t->a))));
    ends[k] = frame_to_world(&s->frame, xray_vertex(s->shape->xray, e->vertex[k], NULL));
  }
  return true;
}

/* Does the unit vector n, at right angles to the edge, lie between the normals of its faces? */
static bool in_cone(Vec3 n, const Vec3 face[2], double slack)
{
  const double c = vec3_dot(face[0], face[1]);
  return vec3_dot(n, face[0]) >= c - slack && vec3_dot(n, face[1]) >= c - slack &&
         vec3_dot(n, vec3_add(face[0], face[1])) > 0.0;
}

/*
 * Edges that seem to have passed each other by some depth have done so only if what lies halfway is
 * inside both bodies, and about as deep: else one is beyond a thin part of the other, or the way
 * along the normal is not the way out.
 */
static bool have_passed(const Side *a, const Side *b, Vec3 halfway, double depth)
{
  const SurfaceHit in_a = side_gap(a, halfway, depth), in_b = side_gap(b, halfway, depth);
  if (!in_a.found || !in_b.found) return false;
  return in_a.distance < -0.1 * depth && in_b.distance < -0.1 * depth;
}

PetscErrorCode LookAtEdges(LookWork *w, const Side *a, const Side *b, int ea, int eb, double reach)
{
  PetscFunctionBeginUser;
  bool seen = false;
  Vec3 face_a[2], face_b[2], pa[2], pb[2];
  if (!edge_faces(a, ea, face_a, pa) || !edge_faces(b, eb, face_b, pb))
    PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(LookSee(w, feature_key(FEATURE_EDGES, ea, eb), &seen));
  if (seen) PetscFunctionReturn(PETSC_SUCCESS);
  const Vec3 ua = vec3_sub(pa[1], pa[0]), ub = vec3_sub(pb[1], pb[0]);
  const Vec3 cross = vec3_cross(ua, ub);
  if (vec3_norm(cross) < 1e-6 * vec3_norm(ua) * vec3_norm(ub)) PetscFunctionReturn(PETSC_SUCCESS);
  double s = 0.0, t = 0.0;
  segments_nearest(pa[0], pa[1], pb[0], pb[1], &s, &t);
  if (s <= 0.0 || s >= 1.0 || t <= 0.0 || t >= 1.0) PetscFunctionReturn(PETSC_SUCCESS);
  Vec3 n = vec3_unit(cross);
  if (vec3_dot(n, vec3_add(face_b[0], face_b[1])) < 0.0) n = vec3_scale(-1.0, n);
  if (!in_cone(n, face_b, 1e-9) || !in_cone(vec3_scale(-1.0, n), face_a, 1e-9))
    PetscFunctionReturn(PETSC_SUCCESS);
  const Vec3 on_a = vec3_axpy(pa[0], s, ua), on_b = vec3_axpy(pb[0], t, ub);
  const double gap = vec3_dot(vec3_sub(on_a, on_b), n);
  const double edge = a->shape->edge > b->shape->edge ? a->shape->edge : b->shape->edge;
  const bool flat = vec3_dot(n, face_b[0]) > 1.0 - 1e-9 || vec3_dot(n, face_b[1]) > 1.0 - 1e-9;
  const Vec3 middle = vec3_scale(0.5, vec3_add(on_a, on_b));
  const double rounding = 1e-9 * edge;
  if (gap > reach || gap < -edge || (gap < -rounding && !have_passed(a, b, middle, -gap)))
    PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(LookAddHit(w, (ContactHit){middle, n, gap, edge, flat, flat ? 0 : -1}));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A point of the curved edge at s in [0, 1], world. */
static Vec3 edge_point(const Side *side, const SurfaceEdge *e, double s)
{
  double weight[3] = {0.0, 0.0, 0.0};
  weight[e->side[0]] = 1.0 - s;
  weight[(e->side[0] + 1) % 3] = s;
  const Vec3 p = xray_patch_point(side->shape->xray, e->triangle[0], weight[1], weight[2], NULL);
  return frame_to_world(&side->frame, p);
}

/* What the other surface is like beside a point of the edge. */
typedef struct {
  double s, slope; /* slope: of the gap along the edge, but for a factor */
  Vec3 p;
  SurfaceHit foot;
} EdgeLook;

static EdgeLook look_from_edge(const Side *own, const Side *other, const SurfaceEdge *e, double s,
                               double reach)
{
  const double ds = 1e-4;
  EdgeLook look = {.s = s, .p = edge_point(own, e, s)};
  const Vec3 ahead = edge_point(own, e, s + ds), behind = edge_point(own, e, s - ds);
  look.foot = side_gap(other, look.p, reach);
  look.slope = vec3_dot(look.foot.normal, vec3_sub(ahead, behind));
  return look;
}

/* From a falling gap at lo and a rising one at hi to the least in between (Illinois). */
static bool find_least(const Side *own, const Side *other, const SurfaceEdge *e, EdgeLook lo,
                       EdgeLook hi, double reach, EdgeLook *least)
{
  enum { LOOKS = 40 };
  double f_lo = lo.slope, f_hi = hi.slope;
  const double small = 1e-14 * vec3_distance(lo.p, hi.p);
  int last = 0;
  *least = lo;
  for (int k = 0; k < LOOKS && hi.s - lo.s > 1e-10; k++) {
    const double s = lo.s + (hi.s - lo.s) * f_lo / (f_lo - f_hi);
    *least = look_from_edge(own, other, e, s, reach);
    if (!least->foot.found || fabs(least->slope) < small) break;
    const int side = least->slope < 0.0 ? -1 : 1;
    if (side < 0) {
      lo = *least;
      f_lo = lo.slope;
      if (last == side) f_hi *= 0.5;
    } else {
      hi = *least;
      f_hi = hi.slope;
      if (last == side) f_lo *= 0.5;
    }
    last = side;
  }
  return least->foot.found;
}

/* Follow the edge to its place of least gap; false: that is an end, or the other sharp features
 * see it. */
static bool least_along(const Side *own, const Side *other, const SurfaceEdge *e, double deep,
                        EdgeLook *least)
{
  const bool curved = e->flags & EDGE_CURVED;
  const EdgeLook lo = look_from_edge(own, other, e, 0.0, deep);
  const EdgeLook hi = look_from_edge(own, other, e, 1.0, deep);
  if (!lo.foot.found || !hi.foot.found || !(lo.slope < 0.0 && hi.slope > 0.0)) return false;
  if (!curved && xray_triangle_is_flat(other->shape->xray, lo.foot.triangle) &&
      xray_triangle_is_flat(other->shape->xray, hi.foot.triangle))
    return false;
  return find_least(own, other, e, lo, hi, deep, least);
}

PetscErrorCode LookAlongEdge(LookWork *w, const Side *own, const Side *other, int edge,
                             bool own_is_a, double reach)
{
  PetscFunctionBeginUser;
  bool seen = false;
  Vec3 face[2], end[2];
  const SurfaceEdge *e = xray_edge(own->shape->xray, edge);
  if (!edge_faces(own, edge, face, end) || (other->shape == NULL && !(e->flags & EDGE_CURVED)))
    PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(LookSee(w, feature_key(own_is_a ? FEATURE_EDGE_A : FEATURE_EDGE_B, edge, 0), &seen));
  if (seen) PetscFunctionReturn(PETSC_SUCCESS);
  const double mine = own->shape->edge, theirs = other->shape != NULL ? other->shape->edge : 0.0;
  const double deep = mine + theirs + vec3_distance(end[0], end[1]) + reach;
  EdgeLook least;
  if (!least_along(own, other, e, other->shape != NULL ? deep : INFINITY, &least))
    PetscFunctionReturn(PETSC_SUCCESS);
  const Vec3 n = least.foot.normal;
  /* Normals of flat triangles stand for those of the patches: nearly between is enough. */
  if (least.foot.distance > reach || !in_cone(vec3_scale(-1.0, n), face, 0.2))
    PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(LookAddHit(w, (ContactHit){vec3_scale(0.5, vec3_add(least.p, least.foot.point)),
                                       own_is_a ? n : vec3_scale(-1.0, n), least.foot.distance,
                                       mine > theirs ? mine : theirs,
                                       foot_is_on_flat_face(other, &least.foot), -1}));
  PetscFunctionReturn(PETSC_SUCCESS);
}
