/*
 * Which face does a vertex touch that comes down on the rim of one?
 *
 * Boxes of equal width meet corner to rim. From foot to vertex there is then no direction but
 * rounding, and the normal of the rim, which stands between those of its faces, would send the
 * bodies sideways. The vertex can only rest on a face that it points at.
 */
#include "contact/look_impl.h"

/* How far from a face, in sizes of the body, its rim still belongs to it. */
static const double rim = 1e-6;

static Vec3 normal_of(const Side *side, int triangle)
{
  const Corners *t = xray_triangle(side->shape->xray, triangle);
  return mat3_apply(&side->frame.r,
                    vec3_unit(vec3_cross(vec3_sub(t->b, t->a), vec3_sub(t->c, t->a))));
}

/* How far p is from the plane of the triangle; NaN when it is not above or below the triangle. */
static double height_over(const Side *side, int triangle, Vec3 p, double near)
{
  const XRay *xray = side->shape->xray;
  if (!xray_triangle_is_flat(xray, triangle)) return NAN;
  const Corners *t = xray_triangle(xray, triangle);
  const TriangleFoot foot = triangle_foot(t, frame_to_body(&side->frame, p));
  const double height =
      vec3_dot(normal_of(side, triangle), vec3_sub(p, frame_to_world(&side->frame, t->a)));
  return foot.distance2 - height * height <= near * near ? height : NAN;
}

/* Does the vertex point at the face? An edge of the vertex that lies in the face leaves its
 * pseudo-normal clear of the face by more than this. */
static bool points_at(Vec3 outward, Vec3 normal)
{
  return vec3_dot(outward, normal) < -0.1;
}

static int across(const XRay *xray, int triangle, int side)
{
  const int e = xray_triangle_links(xray, triangle)->edge[side];
  const SurfaceEdge *edge = xray_edge(xray, e >= 0 ? e : ~e);
  return edge->triangle[0] == triangle ? edge->triangle[1] : edge->triangle[0];
}

/* The triangle, its neighbours, and theirs; some of them more than once. */
enum { AROUND = 13 };
static int triangles_around(const XRay *xray, int triangle, int found[AROUND])
{
  int n = 0;
  found[n++] = triangle;
  for (int k = 0; k < 3; k++) {
    const int next = across(xray, triangle, k);
    if (next < 0) continue;
    found[n++] = next;
    for (int j = 0; j < 3; j++) {
      const int beyond = across(xray, next, j);
      if (beyond >= 0 && beyond != triangle) found[n++] = beyond;
    }
  }
  return n;
}

void look_onto_face(const Side *other, Vec3 p, Vec3 outward, SurfaceHit *foot)
{
  if (other->shape == NULL) return;
  const double near = rim * other->shape->size;
  if (fabs(foot->distance) > near) return;
  if (foot_is_on_flat_face(other, foot) && points_at(outward, foot->normal)) return;
  int found[AROUND], best = -1;
  const int n = triangles_around(other->shape->xray, foot->triangle, found);
  double least = -INFINITY;
  bool alone = true;
  Vec3 face = {0, 0, 0};
  for (int k = 0; k < n; k++) {
    const Vec3 normal = normal_of(other, found[k]);
    const double height = points_at(outward, normal) ? height_over(other, found[k], p, near) : NAN;
    if (isnan(height) || height > near || height < least - near) continue;
    const bool same = best >= 0 && vec3_dot(normal, face) > 1.0 - 1e-9;
    alone = same || height > least + near;
    if (height <= least) continue;
    best = found[k], least = height, face = normal;
  }
  if (best < 0 || !alone) return;
  *foot = (SurfaceHit){true, least, vec3_axpy(p, -least, face), face, best};
}
