/*
 * Wall meshes for tests: the seven bodies that layers are promised for, and blocky ones.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "grid/wall_mesh.h"
#include "support.h"

/* Sphere, box, capsule, cylinder, cone, dart, ramp. */
enum { WALL_DART = 5, WALL_RAMP = 6, WALL_BODIES = 7 };
extern const ShapeSpec wall_bodies[WALL_BODIES];

/* The surface of such a body or of any other primitive as it is. */
WallMesh *WallOf(const ShapeSpec *body);

/* A set of unit cubes; any blocky body. */
typedef struct {
  int n[3];
  const char *filled; /* x fastest; '#' is solid */
} Blocks;

/* Its boundary as quads, times size. At most some hundred blocks. */
WallMesh *WallOfBlocks(const Blocks *blocks, double size);
