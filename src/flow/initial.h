/*
 * What fills the domain at the start, point by point.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "flow/flow_spec.h"
#include "flow/gas.h"

typedef struct {
  InitialKind kind;
  Vec3 center;   /* reference.point */
  double radius; /* reference.length */
  double gamma;
  Primitive stream; /* the free stream, in any units of density and pressure */
} Initial;

/* The gas at a point of the world, in units of the stream. INITIAL_CHECKPOINT counts as the free
 * stream. */
Primitive initial_at(const Initial *initial, Vec3 x);
