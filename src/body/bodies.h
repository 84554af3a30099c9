/*
 * All bodies of a run and their motion through a step.
 *
 * BodiesBegin integrates every body from the present time to the end of the step and keeps the
 * pieces of its path; bodies_at answers where a body is at any instant of the step, by one
 * Runge-Kutta step from the start of the piece, so to the same order as the motion itself.
 * BodiesReset puts new states (after an impact) on the paths of a few bodies and integrates only
 * those again. BodiesEnd makes the end of the step the present.
 *
 * Bodies tied by a load and its reaction form a group and are integrated together.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "body/body.h"

typedef struct Bodies Bodies;

/*
 * inputs and tables have n entries (a table may be NULL), loads n_loads. Takes the motion
 * tables and the rows of the load tables.
 */
PetscErrorCode BodiesCreate(int n, const BodyInput inputs[], MotionTable *const tables[],
                            int n_loads, const Load loads[], Vec3 gravity, Bodies **bodies);
PetscErrorCode BodiesDestroy(Bodies **bodies);

int bodies_count(const Bodies *bodies);
double bodies_time(const Bodies *bodies);
const Body *bodies_body(const Bodies *bodies, int b);

/* The state at the present time. */
const BodyState *bodies_state(const Bodies *bodies, int b);

/* Air force and moment about the mass centre at the present time, dry drag included. */
Wrench bodies_air_load(const Bodies *bodies, int b);

/* The air's load from now on: value at the present time and rate of change. */
void bodies_set_air(Bodies *bodies, int b, Wrench value, Wrench rate);

/*
 * A force and a moment about the mass centre, inertial axes, that contacts exert on the body over
 * all of the path that is integrated after this call; BodiesBegin forgets it.
 */
void bodies_push(Bodies *bodies, int b, Wrench push);

/* One force more, at the point p, on the body whose mass centre is at x then. */
void bodies_push_at(Bodies *bodies, int b, Vec3 p, Vec3 x, Vec3 force);

/* Likewise, but value at t and changing at the rate from there on. */
void bodies_push_from(Bodies *bodies, int b, double t, Wrench value, Wrench rate);

/* Bodies with the same number are integrated together. */
int bodies_group(const Bodies *bodies, int b);

PetscErrorCode BodiesBegin(Bodies *bodies, double t_end);
BodyState bodies_at(Bodies *bodies, int b, double t);
PetscErrorCode BodiesReset(Bodies *bodies, double t, int n, const int ids[],
                           const BodyState states[]);
void bodies_end(Bodies *bodies);

/* Everything a restart needs, as numbers: how many, out, and in. */
int bodies_record_size(const Bodies *bodies);
void bodies_record_get(const Bodies *bodies, double record[]);
void bodies_record_set(Bodies *bodies, const double record[]);
