#include "contact/mobility.h"

Mobility mobility_free(double mass, const Mat3 *inertia, Vec3 center)
{
  return (Mobility){1.0 / mass, mat3_inverse(inertia), center};
}

Mobility mobility_point(const Mat3 *inertia, Vec3 pivot)
{
  return (Mobility){0.0, mat3_inverse(inertia), pivot};
}

Mobility mobility_axis(Vec3 axis, double moment, Vec3 pivot)
{
  const Vec3 a = vec3_unit(axis);
  const Mat3 outer =
      mat3_symmetric(a.x * a.x, a.y * a.y, a.z * a.z, a.x * a.y, a.x * a.z, a.y * a.z);
  return (Mobility){0.0, mat3_scale(1.0 / moment, &outer), pivot};
}

Mobility mobility_none(Vec3 center)
{
  return (Mobility){0.0, {{{0}}}, center};
}

/* 1/m - [r] J [r] with [r] the matrix of r x; symmetric in the order of its sums. */
Mat3 mobility_at(const Mobility *body, Vec3 p)
{
  const Vec3 r = vec3_sub(p, body->center);
  const Vec3 rows[3] = {vec3(0.0, r.z, -r.y), vec3(-r.z, 0.0, r.x), vec3(r.y, -r.x, 0.0)};
  Mat3 k;
  for (int j = 0; j < 3; j++) {
    const Vec3 turned = mat3_apply(&body->inverse_inertia, rows[j]);
    for (int i = 0; i <= j; i++) {
      k.m[i][j] = vec3_dot(rows[i], turned) + (i == j ? body->inverse_mass : 0.0);
      k.m[j][i] = k.m[i][j];
    }
  }
  return k;
}

Mat3 mobility_pair(const Mobility *a, const Mobility *b, Vec3 p)
{
  const Mat3 ka = mobility_at(a, p), kb = mobility_at(b, p);
  return mat3_add(&ka, &kb);
}
