/*
 * Loops over the cells of a near-body grid: gradients, limiting, states at faces, sums of fluxes.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "flow/near_arrays.h"

/* Limit afresh; limit and keep how; or limit as kept. */
typedef enum { NEAR_LIMIT_FRESH, NEAR_LIMIT_KEEP, NEAR_LIMIT_HELD } NearLimit;

/* Fill the record of a cell from its five conserved values. Not 0: it is sound. */
int near_set_record(const NearArrays *arrays, LocalId c, double gamma, const double u[]);

/* Fill the records of own cells from their conserved values, five each. Returns how many are not
 * sound: density or pressure not positive, or not finite. */
LocalId near_primitives(const NearArrays *arrays, double gamma, const double conserved[]);

/* Fill `raw` of own cells, which then has to be exchanged. */
void near_raw_slopes(const NearArrays *arrays, const NearMotion *motion);

/*
 * Gradients of own cells by weighted least squares, limited where the flow is not smooth, and with
 * them the states at their faces. Halo records must be there. Returns how many cells fell back to
 * first order because a state at a face would not have been positive.
 */
LocalId near_reconstruct(const NearArrays *arrays, const NearMotion *motion, NearLimit limit);

/* States that halo cells give to the faces they share with own cells, from their slopes. */
void near_reconstruct_halo(const NearArrays *arrays);

/*
 * One stage: out = a start + b (in + dt R) with R the sum of fluxes into own cells by volume, and
 * the records of own cells from it. Returns how many are not sound.
 */
typedef struct {
  double a, b, dt;
} NearStage;
LocalId near_stage(const NearArrays *arrays, double gamma, NearStage stage, const double start[],
                   const double in[], double out[]);

/* The rate of change of the conserved values, from the fluxes. */
void near_rate(const NearArrays *arrays, double rate[]);

/* The time step of each own cell at a Courant number of one. */
void near_local_steps(const NearArrays *arrays, double dt[]);

/* The longest time step of any own cell at a Courant number of one. */
double near_time_step(const NearArrays *arrays);
