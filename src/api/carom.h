/*
 * Carom for hosts: bodies that strike each other, moved from a time loop and by forces of your own.
 *
 *   CaromInit(MPI_COMM_WORLD);
 *   CaromSceneCreate(MPI_COMM_WORLD, text, ".", &scene);
 *   while (...) {
 *     CaromSetForce(scene, body, force, moment);
 *     CaromAdvance(scene, dt);
 *     CaromGetState(scene, body, &state);
 *   }
 *   CaromSceneDestroy(&scene);
 *   CaromFinish();
 *
 * Every function returns a status: CAROM_OK, or what is wrong, with its text in CaromMessage. A
 * scene lives on all ranks of its communicator and every rank knows all of it; Create, Advance and
 * Destroy are collective, and all ranks must set the same forces. The answer does not depend on
 * the number of ranks. Units are yours, vectors are in inertial axes, quaternions w, x, y, z turn
 * body axes to inertial ones.
 *
 * Compile with: mpicc host.c $(pkg-config --cflags --libs carom)
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CAROM_H
#define CAROM_H

#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The same numbers as the exit status of the program. */
typedef enum {
  CAROM_OK = 0,
  CAROM_BUG = 1,      /* a defect of Carom; a traceback was printed */
  CAROM_INPUT = 2,    /* a mistake in the description or in an argument */
  CAROM_MESH = 3,     /* a surface cannot be used */
  CAROM_DIVERGED = 4, /* the motion is no longer finite */
  CAROM_FILE = 5      /* a file could not be read */
} CaromStatus;

typedef struct CaromScene CaromScene;

/* Start MPI and PETSC, unless they run already; comm is what the scenes are part of. */
CaromStatus CaromInit(MPI_Comm comm);

/* Stop what CaromInit has started, once all scenes are destroyed. */
CaromStatus CaromFinish(void);

/*
 * Make a scene at time 0. The description is the text of a case file with the sections bodies,
 * walls, contact and gravity alone (doc/case.md has the keys); names of files in it are relative
 * to folder. *scene is there, to ask CaromMessage and to destroy, even when this fails.
 */
CaromStatus CaromSceneCreate(MPI_Comm comm, const char *description, const char *folder,
                             CaromScene **scene);
CaromStatus CaromSceneDestroy(CaromScene **scene);

/* What went wrong with the scene last, a line for each mistake; "" when nothing has. */
const char *CaromMessage(const CaromScene *scene);

/* How many bodies there are, and the number of one by its name; numbers follow the description. */
CaromStatus CaromGetBodyCount(CaromScene *scene, int *n_bodies);
CaromStatus CaromFindBody(CaromScene *scene, const char *name, int *body);

/* Mass centre and its velocity, attitude, angular velocity. */
typedef struct {
  double position[3], attitude[4], velocity[3], spin[3];
} CaromState;

CaromStatus CaromGetTime(CaromScene *scene, double *time);
CaromStatus CaromGetState(CaromScene *scene, int body, CaromState *state);

/*
 * A force on the mass centre and a moment, besides gravity and the loads of the description, held
 * until they are set anew.
 */
CaromStatus CaromSetForce(CaromScene *scene, int body, const double force[3],
                          const double moment[3]);

/* Move all bodies on by dt > 0; impacts inside are found in time and resolved. */
CaromStatus CaromAdvance(CaromScene *scene, double dt);

/* One contact of the last advance, as a row of contacts.csv. */
typedef struct {
  double time;
  int a, b;               /* b from the number of bodies on: the walls, in order */
  const char *kind, *law; /* point, line, plane; algebraic, stronge, rest, hertz */
  int n_points;
  double point[3], normal[3]; /* normal: unit, from b to a */
  double approach;            /* closing speed */
  double impulse[3];          /* on a */
  double energy_before, energy_after;
} CaromEvent;

/* How many there were, by time, and the k-th of them. */
CaromStatus CaromGetEventCount(CaromScene *scene, int *n_events);
CaromStatus CaromGetEvent(CaromScene *scene, int k, CaromEvent *event);

#ifdef __cplusplus
}
#endif

#endif
