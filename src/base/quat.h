/*
 * Attitudes as unit quaternions, scalar first: q takes body axes to inertial axes.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/mat3.h"

typedef struct {
  double w, x, y, z;
} Quat;

static inline Quat quat_identity(void)
{
  return (Quat){1.0, 0.0, 0.0, 0.0};
}

static inline Quat quat_multiply(Quat a, Quat b)
{
  return (Quat){
      a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
      a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

static inline Quat quat_conjugate(Quat q)
{
  return (Quat){q.w, -q.x, -q.y, -q.z};
}

static inline double quat_norm(Quat q)
{
  return sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
}

static inline Quat quat_unit(Quat q)
{
  const double s = 1.0 / quat_norm(q);
  return (Quat){s * q.w, s * q.x, s * q.y, s * q.z};
}

/* dq/dt for the inertial spin w [rad/s]. */
static inline Quat quat_rate(Quat q, Vec3 w)
{
  const Quat spin = {0.0, 0.5 * w.x, 0.5 * w.y, 0.5 * w.z};
  return quat_multiply(spin, q);
}

/* a + s b, not normalised. */
static inline Quat quat_axpy(Quat a, double s, Quat b)
{
  return (Quat){a.w + s * b.w, a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

/* The rotation matrix of a unit quaternion. */
static inline Mat3 quat_matrix(Quat q)
{
  const double xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
  const double xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
  const double wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
  return (Mat3){{{1.0 - 2.0 * (yy + zz), 2.0 * (xy - wz), 2.0 * (xz + wy)},
                 {2.0 * (xy + wz), 1.0 - 2.0 * (xx + zz), 2.0 * (yz - wx)},
                 {2.0 * (xz - wy), 2.0 * (yz + wx), 1.0 - 2.0 * (xx + yy)}}};
}

/* From body axes to inertial axes, and back. */
Vec3 quat_rotate(Quat q, Vec3 v);
Vec3 quat_rotate_back(Quat q, Vec3 v);

/* exp(w/2): the rotation by |w| radians about w. */
Quat quat_from_vector(Vec3 w);

/* log: the rotation vector of q, its length in [0, pi]. */
Vec3 quat_to_vector(Quat q);

/* Rotation by an angle in radians about an axis of any length but zero. */
Quat quat_from_axis(Vec3 axis, double angle);

/* Rz(yaw) Ry(pitch) Rx(roll), radians. */
Quat quat_from_euler(double roll, double pitch, double yaw);

/* (roll, pitch, yaw) in radians of the same convention. */
Vec3 quat_to_euler(Quat q);

/* The shorter way from a (s = 0) to b (s = 1) at constant spin. */
Quat quat_slerp(Quat a, Quat b, double s);
