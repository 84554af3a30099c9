/*
 * Loops of the turbulence model over the cells and faces of a near-body grid.
 *
 * The variable has arrays of its own beside the records of the gas, which therefore cost the same
 * with and without it. Everything below follows the gas: records and slopes are current, and the
 * flux of mass through a face carries nu_tilde.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "flow/near_arrays.h"
#include "flow/near_boundary_kernels.h"
#include "flow/sa.h"

/* Numbers of a cell's slope: the gradient, and what the limiter leaves of it at faces. */
enum { SA_SLOPE = 4, SA_LIMIT = 3 };

typedef struct {
  SaSpec spec;
  double far;       /* nu_tilde of the free stream */
  double *nu_tilde; /* n_local */
  double *eddy;     /* n_local: the viscosity it makes */
  double *slope;    /* n_local records of SA_SLOPE */
  double *limit;    /* n_own: held while a solver iterates; NULL: never */
  double *flux;     /* n_faces: of rho nu_tilde */
  double *source;   /* n_own: by volume */
  double *distance; /* n_local: to the nearest wall */
} NearSa;

/* nu_tilde and its viscosity: of own cells from rho nu_tilde; of cells [first, end) from nu_tilde.
 */
void near_sa_take(const NearArrays *arrays, NearSa *sa, const double conserved[]);
void near_sa_eddy(const NearArrays *arrays, const Gas *gas, NearSa *sa, LocalId first, LocalId end);

/* Gradients of own cells and their limits. */
void near_sa_slopes(const NearArrays *arrays, NearSa *sa, NearLimit limit);

/* Fluxes after those of the gas: between cells, and through boundary faces. */
void near_sa_flux(const NearArrays *arrays, const Gas *gas, NearSa *sa, LocalId first, LocalId end);
void near_sa_wall_flux(const NearArrays *arrays, const Gas *gas, NearSa *sa, double temperature,
                       LocalId first, LocalId end);
void near_sa_open_flux(const NearArrays *arrays, NearSa *sa, NearBeyond beyond, LocalId first,
                       LocalId end);

/* What is made and destroyed in own cells, from the slopes of gas and nu_tilde. */
void near_sa_source(const NearArrays *arrays, const Gas *gas, const NearMotion *motion, NearSa *sa);

/* The rate of change of rho nu_tilde in own cell c. */
double near_sa_rate(const NearArrays *arrays, const NearSa *sa, LocalId c);

/*
 * How fluxes out of cells depend on rho nu_tilde, and on density through it, at first order: for a
 * face the derivatives of its flux by rho nu_tilde of its left and right cell; for a cell the part
 * of the source that holds it back, not negative.
 */
void near_sa_face_jacobian(const NearArrays *arrays, const Gas *gas, const NearSa *sa, LocalId f,
                           double by[2]);
double near_sa_boundary_jacobian(const NearArrays *arrays, const Gas *gas, const NearSa *sa,
                                 NearBeyond beyond, bool sticks, LocalId f);
double near_sa_restraint(const NearArrays *arrays, const Gas *gas, const NearMotion *motion,
                         const NearSa *sa, LocalId c);
