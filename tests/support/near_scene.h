/*
 * A flow on one box grid, for tests and benches. SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "flow/flow.h"
#include "grid/box_grid.h"

typedef struct {
  BoxGridSpec box;
  FlowSpec flow;
  ReferenceSpec reference;
  BoundaryKind kind[6]; /* of xmin, xmax, ymin, ymax, zmin, zmax; ignored where periodic */
  double wall_temperature;
} SceneSpec;

typedef struct {
  NearGrid *grid; /* owned */
  Flow *flow;     /* owned */
  FlowSpec spec;
} Scene;

/* Air at rho = 1, c = 1 that moves at a Mach number along x, far boundaries, explicit. */
SceneSpec scene_spec(double mach, InitialKind initial);

PetscErrorCode SceneCreate(MPI_Comm comm, const SceneSpec *spec, Pose pose, Scene **scene);
PetscErrorCode SceneDestroy(Scene **scene);

/* Advance to a time by n equal steps of one motion that starts at the pose; *sound unless a step
 * failed. */
PetscErrorCode SceneRun(Scene *scene, Pose pose, Screw twist, double dt, int n, bool *sound);
