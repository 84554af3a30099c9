/*
 * Closed surfaces for tests, and the plain answers that clever code is held against.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/pose.h"
#include "geom/surface.h"
#include "support.h"

typedef enum {
  TEST_SPHERE,
  TEST_BOX,
  TEST_PLATE, /* a thousandth as thick as wide */
  TEST_CYLINDER,
  TEST_CAPSULE,
  TEST_CONE, /* sharp tip */
  TEST_TORUS,
  TEST_STAR,    /* a sphere with bumps: concave, no symmetry */
  TEST_ANGLE,   /* an L-shaped block, edges on the axes */
  TEST_CAVITY,  /* a ball with a hollow */
  TEST_OVERLAP, /* two balls that overlap */
  TEST_SHAPES
} TestShape;

extern const char *const test_shape_name[TEST_SHAPES];

/* Shapes of size about 2 around the origin; spacing is about the length of an edge. */
PetscErrorCode TestSurfaceCreate(TestShape shape, double spacing, Surface **surface);

/* A closed surface with random folds: an icosahedron split once, every vertex moved at random
 * by up to `amount`. It may cross itself. */
PetscErrorCode RandomSurfaceCreate(Random *random, double amount, Surface **surface);

/* Turn and move a surface in place. */
void surface_move(Surface *surface, Pose pose);

Quat random_attitude(Random *random);
Vec3 random_point(Random *random, double half);

/* A random point of the triangles. */
Vec3 random_surface_point(Random *random, const Surface *surface, int *triangle);

/* Winding number by the sum of solid angles. */
int brute_winding(const Surface *surface, Vec3 p);

/* Distance to the nearest triangle, one by one, by a method unlike that of the library. */
double brute_distance(const Surface *surface, Vec3 p);
