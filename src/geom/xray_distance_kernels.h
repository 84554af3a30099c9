/*
 * The nearest triangle of a voxel's list, without branches that a processor cannot foresee.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "geom/xray_records.h"

/* A voxel's list and what its triangles look like. */
typedef struct {
  const VoxelEntry *entry;
  const int8_t *slope; /* 3 n: along x, y, z */
  int n;
  float size;      /* edge of the voxel */
  float bin_width; /* the list is sorted but for this much */
  const Corners *corners;
} VoxelList;

/* The triangle nearest to p, which is off the middle of the voxel by r; -1 if the list is empty. */
int voxel_nearest(const VoxelList *list, Vec3 p, Vec3 r, TriangleFoot *foot);
