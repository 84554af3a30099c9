/*
 * Where a body is: points of the body frame lie at x + R(q) p in the world.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/quat.h"

typedef struct {
  Vec3 x; /* origin of the body frame in the world */
  Quat q; /* body axes to world axes */
} Pose;

/* A pose with its rotation written out, for loops over many points. */
typedef struct {
  Vec3 x;
  Mat3 r;
} Frame;

static inline Pose pose_identity(void)
{
  return (Pose){{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0, 0.0}};
}

static inline Frame pose_frame(Pose pose)
{
  return (Frame){pose.x, quat_matrix(pose.q)};
}

static inline Vec3 frame_to_world(const Frame *f, Vec3 p_b)
{
  return vec3_add(f->x, mat3_apply(&f->r, p_b));
}

static inline Vec3 frame_to_body(const Frame *f, Vec3 p_w)
{
  return mat3_apply_transposed(&f->r, vec3_sub(p_w, f->x));
}

static inline Vec3 pose_to_world(Pose pose, Vec3 p_b)
{
  return vec3_add(pose.x, quat_rotate(pose.q, p_b));
}

static inline Vec3 pose_to_body(Pose pose, Vec3 p_w)
{
  return quat_rotate_back(pose.q, vec3_sub(p_w, pose.x));
}

/* First b, then a: (a b) p = a (b p). */
static inline Pose pose_multiply(Pose a, Pose b)
{
  return (Pose){pose_to_world(a, b.x), quat_multiply(a.q, b.q)};
}

static inline Pose pose_inverse(Pose a)
{
  const Quat back = quat_conjugate(a.q);
  return (Pose){vec3_scale(-1.0, quat_rotate(back, a.x)), back};
}
