#include "base/quat.h"

Vec3 quat_rotate(Quat q, Vec3 v)
{
  const Vec3 u = {q.x, q.y, q.z};
  const Vec3 t = vec3_scale(2.0, vec3_cross(u, v));
  return vec3_add(vec3_axpy(v, q.w, t), vec3_cross(u, t));
}

Vec3 quat_rotate_back(Quat q, Vec3 v)
{
  return quat_rotate(quat_conjugate(q), v);
}

Quat quat_from_vector(Vec3 w)
{
  const double half = 0.5 * vec3_norm(w);
  const double s = half < 1e-4 ? 0.5 * (1.0 - half * half / 6.0) : 0.5 * sin(half) / half;
  return (Quat){cos(half), s * w.x, s * w.y, s * w.z};
}

Vec3 quat_to_vector(Quat q)
{
  const double sign = q.w < 0.0 ? -1.0 : 1.0;
  const Vec3 u = vec3_scale(sign, vec3(q.x, q.y, q.z));
  const double s = vec3_norm(u), c = sign * q.w;
  const double scale = s < 1e-8 ? 2.0 / c : 2.0 * atan2(s, c) / s;
  return vec3_scale(scale, u);
}

Quat quat_from_axis(Vec3 axis, double angle)
{
  return quat_from_vector(vec3_scale(angle, vec3_unit(axis)));
}

Quat quat_from_euler(double roll, double pitch, double yaw)
{
  const Quat rx = quat_from_vector(vec3(roll, 0, 0));
  const Quat ry = quat_from_vector(vec3(0, pitch, 0));
  const Quat rz = quat_from_vector(vec3(0, 0, yaw));
  return quat_multiply(quat_multiply(rz, ry), rx);
}

Vec3 quat_to_euler(Quat q)
{
  const Mat3 r = quat_matrix(q);
  const double s = r.m[2][0] < -1.0 ? -1.0 : r.m[2][0] > 1.0 ? 1.0 : r.m[2][0];
  return vec3(atan2(r.m[2][1], r.m[2][2]), -asin(s), atan2(r.m[1][0], r.m[0][0]));
}

Quat quat_slerp(Quat a, Quat b, double s)
{
  const Vec3 turn = quat_to_vector(quat_multiply(b, quat_conjugate(a)));
  return quat_unit(quat_multiply(quat_from_vector(vec3_scale(s, turn)), a));
}
