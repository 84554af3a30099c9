/*
 * Boxes along the axes of their frame. An empty box has lo > hi.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/vec3.h"

typedef struct {
  Vec3 lo, hi;
} Box;

static inline Box box_empty(void)
{
  return (Box){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
}

static inline Box box_add_point(Box b, Vec3 p)
{
  return (Box){
      {p.x < b.lo.x ? p.x : b.lo.x, p.y < b.lo.y ? p.y : b.lo.y, p.z < b.lo.z ? p.z : b.lo.z},
      {p.x > b.hi.x ? p.x : b.hi.x, p.y > b.hi.y ? p.y : b.hi.y, p.z > b.hi.z ? p.z : b.hi.z}};
}

static inline Box box_grow(Box b, double margin)
{
  const Vec3 m = {margin, margin, margin};
  return (Box){vec3_sub(b.lo, m), vec3_add(b.hi, m)};
}

static inline bool box_overlaps(Box a, Box b)
{
  return a.lo.x <= b.hi.x && b.lo.x <= a.hi.x && a.lo.y <= b.hi.y && b.lo.y <= a.hi.y &&
         a.lo.z <= b.hi.z && b.lo.z <= a.hi.z;
}

static inline bool box_contains(Box b, Vec3 p)
{
  return p.x >= b.lo.x && p.x <= b.hi.x && p.y >= b.lo.y && p.y <= b.hi.y && p.z >= b.lo.z &&
         p.z <= b.hi.z;
}

static inline Vec3 box_size(Box b)
{
  return vec3_sub(b.hi, b.lo);
}

static inline Vec3 box_center(Box b)
{
  return vec3_scale(0.5, vec3_add(b.lo, b.hi));
}

/* Longest edge: the "size" of a body in tolerances. */
static inline double box_longest(Box b)
{
  const Vec3 s = box_size(b);
  const double xy = s.x > s.y ? s.x : s.y;
  return xy > s.z ? xy : s.z;
}

/* The coordinate farthest from zero: what rounding is measured by. */
static inline double box_largest_coordinate(Box b)
{
  const double side[6] = {-b.lo.x, -b.lo.y, -b.lo.z, b.hi.x, b.hi.y, b.hi.z};
  double most = 0.0;
  for (int i = 0; i < 6; i++) most = fabs(side[i]) > most ? fabs(side[i]) : most;
  return most;
}
