#include "contact/side.h"

ContactShape contact_shape(const XRay *xray)
{
  return (ContactShape){xray, box_longest(xray_box(xray)), xray_max_bulge(xray),
                        xray_mean_edge(xray), xray_geometry_error(xray)};
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
