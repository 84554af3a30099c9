#include "contact/side.h"

ContactShape contact_shape(const XRay *xray)
{
  const Box box = xray_box(xray);
  const Vec3 edges = vec3_sub(box.hi, box.lo);
  return (ContactShape){.xray = xray,
                        .size = box_longest(box),
                        .thickness = fmin(edges.x, fmin(edges.y, edges.z)),
                        .bulge = xray_max_bulge(xray),
                        .edge = xray_mean_edge(xray),
                        .error = xray_geometry_error(xray)};
}

SurfaceHit side_gap(const Side *side, Vec3 p, double reach)
{
  if (side->shape == NULL) {
    const double distance = vec3_dot(side->normal, vec3_sub(p, side->point));
    const Vec3 foot = vec3_axpy(p, -distance, side->normal);
    return (SurfaceHit){fabs(distance) <= reach, distance, foot, side->normal, -1};
  }
  SurfaceHit hit = xray_gap(side->shape->xray, frame_to_body(&side->frame, p), reach);
  hit.point = frame_to_world(&side->frame, hit.point);
  hit.normal = mat3_apply(&side->frame.r, hit.normal);
  return hit;
}
