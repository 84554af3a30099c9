/*
 * The undisturbed air of a case, in its units, and the reference units in which the flow is solved.
 *
 * Everything in flow/ works in units of the free stream's density, its speed of sound and the
 * reference length. Conversion happens where numbers enter or leave.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "flow/flow_spec.h"
#include "flow/gas.h"

typedef struct {
  double density, pressure, temperature, sound;
  double viscosity; /* 0 without friction */
  Vec3 velocity;
} FreeStream;

/* A number in reference units times its unit is the number in units of the case. */
typedef struct {
  double length, density, speed;
  double time, pressure, force, moment; /* follow from the three */
  double temperature;                   /* of the free stream: T = 1 is this */
} Units;

/* The air a case describes; the case has been checked (config/). */
FreeStream freestream_of(const FlowSpec *spec, const ReferenceSpec *reference);

Units units_of(const FreeStream *stream, double length);
Gas gas_of(const FlowSpec *spec, const FreeStream *stream, const Units *units);

/* The free stream in reference units. */
Primitive freestream_primitive(const FreeStream *stream, const Units *units);
