/*
 * Three by three matrices, held by rows: rotations and inertia tensors.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/vec3.h"

typedef struct {
  double m[3][3];
} Mat3;

static inline Mat3 mat3_diagonal(double a, double b, double c)
{
  return (Mat3){{{a, 0, 0}, {0, b, 0}, {0, 0, c}}};
}

static inline Mat3 mat3_identity(void)
{
  return mat3_diagonal(1.0, 1.0, 1.0);
}

static inline Mat3 mat3_symmetric(double xx, double yy, double zz, double xy, double xz, double yz)
{
  return (Mat3){{{xx, xy, xz}, {xy, yy, yz}, {xz, yz, zz}}};
}

static inline Vec3 mat3_apply(const Mat3 *a, Vec3 v)
{
  return (Vec3){a->m[0][0] * v.x + a->m[0][1] * v.y + a->m[0][2] * v.z,
                a->m[1][0] * v.x + a->m[1][1] * v.y + a->m[1][2] * v.z,
                a->m[2][0] * v.x + a->m[2][1] * v.y + a->m[2][2] * v.z};
}

/* a^T v: a rotation backwards. */
static inline Vec3 mat3_apply_transposed(const Mat3 *a, Vec3 v)
{
  return (Vec3){a->m[0][0] * v.x + a->m[1][0] * v.y + a->m[2][0] * v.z,
                a->m[0][1] * v.x + a->m[1][1] * v.y + a->m[2][1] * v.z,
                a->m[0][2] * v.x + a->m[1][2] * v.y + a->m[2][2] * v.z};
}

Mat3 mat3_add(const Mat3 *a, const Mat3 *b);
Mat3 mat3_scale(double s, const Mat3 *a);
Mat3 mat3_multiply(const Mat3 *a, const Mat3 *b);
Mat3 mat3_transpose(const Mat3 *a);
double mat3_determinant(const Mat3 *a);

/* Inverse by cofactors; the caller knows that a is not singular. */
Mat3 mat3_inverse(const Mat3 *a);

/* r a r^T: a tensor seen from the other side of the rotation r. */
Mat3 mat3_rotate_tensor(const Mat3 *r, const Mat3 *a);

/* |r|^2 1 - r r^T: what a unit mass at r adds to an inertia tensor. */
Mat3 mat3_steiner(Vec3 r);

/*
 * Eigenvalues in ascending order and unit eigenvectors (columns of *axes, right-handed) of a
 * symmetric matrix, by Jacobi rotations.
 */
Vec3 mat3_eigen_symmetric(const Mat3 *a, Mat3 *axes);
