/*
 * Implicit time: BDF2 with variable step and steady states by pseudo-time, both by Newton-Krylov.
 *
 * The unknowns of all grids are solved for together: matrix-free products with the residual
 * itself, preconditioned by its first-order Jacobian, ILU(0) on each rank. Options of PETSc with
 * the prefix -flow_ change all of it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "flow/flow.h"

typedef struct Implicit Implicit;

PetscErrorCode ImplicitCreate(Flow *flow, Implicit **implicit);
PetscErrorCode ImplicitDestroy(Implicit **implicit);

/* One step of a time in reference units; the motion of the grids is that of the flow. It is tried
 * until it is accepted. */
PetscErrorCode ImplicitStep(Implicit *implicit, double dt, FlowVerdict *verdict);
PetscErrorCode ImplicitAccept(Implicit *implicit);

/* Towards a steady flow about grids that stand still. */
PetscErrorCode ImplicitSteady(Implicit *implicit, int iterations, double drop,
                              FlowVerdict *verdict);
