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
  int n;
  double off;       /* of the point from the middle of the voxel */
  double bin_width; /* the list is sorted but for this much */
  float rounding;   /* of the spheres' middles */
  const BoundSphere *bound;
  const Corners *corners;
} VoxelList;

/* The triangle nearest to p; -1 if the list is empty. */
int voxel_nearest(const VoxelList *list, Vec3 p);
