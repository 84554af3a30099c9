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

static bool lies_on(const Side *side, int triangle, Vec3 p, double near)
{
  const XRay *xray = side->shape->xray;
  if (!xray_triangle_is_flat(xray, triangle)) return false;
  const TriangleFoot foot =
      triangle_foot(xray_triangle(xray, triangle), frame_to_body(&side->frame, p));
  return foot.distance2 <= near * near;
}

/* Does the vertex point at the face? An edge of the vertex that lies in the face leaves its
 * pseudo-normal clear of the face by more than this. */
static bool points_at(Vec3 outward, Vec3 normal)
{
  return vec3_dot(outward, normal) < -0.1;
}

void look_onto_face(const Side *other, Vec3 p, Vec3 outward, SurfaceHit *foot)
{
  if (other->shape == NULL || foot_is_on_flat_face(other, foot)) return;
  const XRay *xray = other->shape->xray;
  const double near = rim * other->shape->size;
  if (fabs(foot->distance) > near) return;
  const TriangleLinks *links = xray_triangle_links(xray, foot->triangle);
  int candidate[4] = {foot->triangle, -1, -1, -1}, n_faces = 0;
  for (int k = 0; k < 3; k++) {
    const int id = links->edge[k] >= 0 ? links->edge[k] : ~links->edge[k];
    const SurfaceEdge *edge = xray_edge(xray, id);
    candidate[k + 1] = edge->triangle[0] == foot->triangle ? edge->triangle[1] : edge->triangle[0];
  }
  Vec3 face = {0, 0, 0};
  for (int k = 0; k < 4; k++) {
    if (candidate[k] < 0 || !lies_on(other, candidate[k], foot->point, near)) continue;
    const Vec3 normal = normal_of(other, candidate[k]);
    if (!points_at(outward, normal)) continue;
    if (n_faces == 0 || vec3_dot(normal, face) < 1.0 - 1e-9) n_faces++;
    face = normal;
  }
  if (n_faces != 1) return;
  foot->distance = vec3_dot(face, vec3_sub(p, foot->point));
  foot->normal = face;
}
