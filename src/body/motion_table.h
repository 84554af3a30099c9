/*
 * Prescribed motion from a table: where is the body at time t, and how fast?
 *
 * Positions follow the cubic spline through the rows (third derivative continuous at the
 * second and the last but one row, so that cubics are reproduced); attitudes turn at constant
 * spin between rows. Before the first and after the last row the body stands still there.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/error.h"
#include "base/pose.h"

typedef struct MotionTable MotionTable;

typedef struct {
  Pose pose;
  Vec3 velocity, spin; /* inertial axes */
} MotionPoint;

/*
 * Rows of 8 numbers: t, x, y, z, qw, qx, qy, qz; times ascend strictly, quaternions are not
 * zero (the caller has checked; they are normalised here).
 */
PetscErrorCode MotionTableCreate(int n_rows, const double rows[][8], MotionTable **table);
PetscErrorCode MotionTableDestroy(MotionTable **table);

MotionPoint motion_table_at(const MotionTable *table, double t);
