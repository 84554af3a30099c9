/*
 * What a case says about near-body grids and the off-body forest. Numbers that were not
 * given are NaN, texts NULL, lists empty.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/box.h"
#include "base/names.h"

typedef enum {
  BOUNDARY_WALL,
  BOUNDARY_SLIP,
  BOUNDARY_SYMMETRY,
  BOUNDARY_OVERSET,
  BOUNDARY_FARFIELD,
  BOUNDARY_SUPERSONIC_IN,
  BOUNDARY_OUT,
  BOUNDARY_PERIODIC,
  BOUNDARY_KINDS
} BoundaryKind;

typedef struct {
  bool given;
  const char *file;
  int layers;
  double first; /* NaN: from y_plus */
  double y_plus, growth;
  double wall_temperature;             /* NaN: adiabatic */
  NameList boundaries[BOUNDARY_KINDS]; /* families of each kind */
} GridSpec;

typedef struct {
  Vec3 min, max;
  int level;
} RefineSpec;

typedef enum { SENSOR_DENSITY, SENSOR_PRESSURE, SENSOR_VORTICITY, SENSOR_ENTROPY } SensorKind;

typedef struct {
  bool given;
  int every;
  SensorKind sensor;
  double threshold;
} AdaptSpec;

/* Sides in the order xmin, xmax, ymin, ymax, zmin, zmax. */
enum { SIDES = 6 };

typedef struct {
  bool given;
  Box box;
  double spacing;
  int n_refine;
  RefineSpec *refine; /* owned by the case */
  int levels, patch, order;
  BoundaryKind boundaries[SIDES];
  AdaptSpec adapt;
} OffBodySpec;
