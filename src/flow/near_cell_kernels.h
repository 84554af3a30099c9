/*
 * Loops over the cells of a near-body grid: states, and sums of fluxes.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "flow/near_arrays.h"

/* Fill the record of a cell from its five conserved values. Not 0: it is sound. */
int near_set_record(const NearArrays *arrays, LocalId c, double gamma, const double u[]);

/* Fill the records of own cells from their conserved values, five each. Returns how many are not
 * sound: density or pressure not positive, or not finite. */
LocalId near_primitives(const NearArrays *arrays, double gamma, const double conserved[]);

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
