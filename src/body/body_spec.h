/*
 * What a case says about bodies and the loads on them. Numbers that were not given are NaN,
 * texts NULL, lists empty.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/pose.h"
#include "geom/shape_spec.h"

typedef enum { MOTION_FREE, MOTION_FIXED, MOTION_AXIS, MOTION_POINT, MOTION_PRESCRIBED } MotionKind;

typedef enum { FRAME_BODY, FRAME_INERTIAL } FrameKind;

typedef struct {
  double cd, area, density; /* all NaN when the load is not a drag */
} DragSpec;

typedef struct {
  Vec3 force, moment;
  Vec3 at; /* body axes, from the mass centre */
  FrameKind frame;
  double from, to;         /* to = INFINITY: for ever */
  double stroke;           /* INFINITY: no limit */
  const char *relative_to; /* the carrier's name, or NULL */
  const char *table;       /* t,fx,fy,fz,mx,my,mz in place of force and moment, or NULL */
  DragSpec drag;
} LoadSpec;

typedef struct {
  const char *name;
  ShapeSpec shape;
  double mass, density; /* at most one is given */
  int n_inertia;        /* 0 (from the shape), 3 or 6 */
  double inertia[6];    /* xx, yy, zz, xy, xz, yz */
  Vec3 center;          /* NaN: from the shape */
  Vec3 position;
  Quat attitude; /* unit */
  Vec3 velocity; /* NaN: follows from spin and pivot, or from the motion table */
  Vec3 spin;     /* inertial axes, along the axis of motion axis; NaN: spin_body or the table */
  Vec3 spin_body;
  MotionKind motion;
  Vec3 pivot, axis; /* axis: unit */
  const char *motion_table;
  double release;
  double restitution, friction;
  double young, poisson;
  int n_loads;
  LoadSpec *loads; /* owned by the case */
} BodySpec;
