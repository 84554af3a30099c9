/*
 * What a case says about the air. Numbers that were not given are NaN.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/vec3.h"

#include <stdbool.h>

typedef enum { EQUATIONS_EULER, EQUATIONS_LAMINAR, EQUATIONS_RANS } EquationsKind;
typedef enum { INTEGRATOR_BDF2, INTEGRATOR_SSPRK3, INTEGRATOR_MIXED } IntegratorKind;
typedef enum { COUPLING_LOOSE, COUPLING_STRONG } CouplingKind;
typedef enum { FLUX_HLLC } FluxKind;
typedef enum {
  INITIAL_FREESTREAM,
  INITIAL_VORTEX,
  INITIAL_SOD,
  INITIAL_BLAST,
  INITIAL_CHECKPOINT
} InitialKind;

/* What a picture of the flow may show. */
typedef enum {
  QUANTITY_MACH,
  QUANTITY_DENSITY,
  QUANTITY_PRESSURE,
  QUANTITY_TEMPERATURE,
  QUANTITY_SPEED,
  QUANTITIES
} FlowQuantity;

typedef struct {
  double gamma, gas_constant, prandtl;
  double viscosity; /* NaN: Sutherland */
} GasSpec;

typedef struct {
  double mach;
  Vec3 velocity;
  double alpha, beta; /* degrees */
  double pressure, temperature, density;
  double altitude;
} FreestreamSpec;

typedef struct {
  bool given;
  int iterations;
  double drop;
} SteadyStartSpec;

/* What a case may change of the turbulence model (flow/sa.h). */
typedef struct {
  bool rotation; /* less is made where the flow turns more than it strains */
  bool ddes;     /* away from walls the size of cells is the length */
  int order;     /* of convection: 1 or 2 */
} SaSpec;

typedef struct {
  bool given;
  EquationsKind equations;
  SaSpec turbulence;
  GasSpec gas;
  FreestreamSpec freestream;
  double reynolds;
  InitialKind initial;
  const char *initial_directory; /* INITIAL_CHECKPOINT */
  IntegratorKind integrator;
  double cfl;
  FluxKind flux;
  SteadyStartSpec steady_start;
  CouplingKind coupling;
} FlowSpec;

typedef struct {
  double length, area;
  Vec3 point;
} ReferenceSpec;
