/*
 * Distances of many triangles from one point, and which of them matter around it.
 *
 * The distance from a triangle is a convex function of the point, so its value and slope at one
 * point bound it from below everywhere: d(p) >= d(m) + slope . (p - m).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "geom/xray_records.h"

/* Distances and slopes of triangles at a point m. */
typedef struct {
  float *d, *x, *y, *z; /* borrowed */
} Slopes;

/* Those of n triangles; all zero for a triangle nearer than `touching`, whose slope is not known.
 */
void slopes_at(int n, const int32_t id[], const Corners corners[], Vec3 m, float touching,
               const Slopes *out);

/* The triangle whose point nearest to m is nearest to m + r; n is at least 1. */
int slopes_seed(int n, const Slopes *s, const float r[3]);

/* A cube near m, and a point known to be on the surface. */
typedef struct {
  float r[3];     /* from m to the middle of the cube */
  float half;     /* half its edge */
  float distance; /* of the known point from that middle */
  float slope[3]; /* unit, from that point to the middle */
  float slack;    /* mark triangles that are nearest but for this much */
} CubeView;

/* Set flag[k] for triangles that can be nearest somewhere in the cube; leave the others. */
void slopes_mark(int n, const Slopes *s, const CubeView *cube, int32_t flag[]);
