/*
 * What a results directory holds, read for people to look at.
 *
 * A run may be going on, cut off or damaged: whatever is missing or cannot be read becomes a note
 * in plain words and the rest is read all the same. Long histories are thinned; the frames around
 * contacts stay. Everything happens on the calling rank alone.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "sim/shapes.h"

#include <stdint.h>

/* The numbers of a row of bodies.csv behind time and name. */
typedef enum {
  CHANNEL_X = 0,  /* mass centre: 3 */
  CHANNEL_Q = 3,  /* attitude, scalar first: 4 */
  CHANNEL_V = 7,  /* velocity: 3 */
  CHANNEL_W = 10, /* spin: 3 */
  CHANNEL_F = 13, /* air force: 3 */
  CHANNEL_M = 16, /* air moment: 3 */
  CHANNEL_COUNT = 19
} Channel;

typedef struct {
  const char *name;
  int spec;     /* its place in the case; -1: there is no case */
  double mass;  /* NaN: unknown */
  Mat3 inertia; /* about the mass centre, body axes */
  Vec3 center;  /* of mass, shape coordinates */
} ResultBody;

typedef struct {
  int n;             /* frames kept */
  int64_t n_written; /* complete frames in the file */
  double *time;      /* owned, n */
  double *value;     /* owned, n frames of n_bodies times CHANNEL_COUNT */
  bool from_case;    /* no rows yet: one frame made from what the case says */
} Frames;

typedef struct {
  double time, approach, energy_before, energy_after;
  double lost; /* in all contacts so far, this one included; an island counts once */
  Vec3 point, normal, impulse; /* normal from b to a, impulse on a */
  int a, b;                    /* names, see result_name */
  int n_points, kind, law;     /* see result_kinds, result_laws; -1: a word not known here */
} ResultContact;

/* A CSV file of numbers with a heading: flow.csv. */
typedef struct {
  int n_rows, n_columns;
  const char **heading; /* n_columns */
  double *value;        /* owned, row by row */
  int64_t n_written;
} ResultTable;

/* A picture of the flow: a PNG file, and what it says of itself (JSON, see io/slice_draw.c). */
typedef struct {
  const char *note;
  char *bytes; /* owned */
  size_t length;
} ResultSlice;

/* Pressure at the vertices of the surfaces of bodies that have a grid. */
typedef struct {
  int n, n_vertices; /* times; vertices of all such bodies */
  int *first;        /* owned: the first vertex of each body, -1: it has no grid */
  double *time;      /* owned */
  float *value;      /* owned: n times n_vertices; NaN: not known */
} ResultSkin;

typedef struct {
  char directory[PETSC_MAX_PATH_LEN];
  Arena *arena; /* owned: names and notes */
  int n_notes;
  const char **note; /* RESULT_NOTES */
  CaseFile *file;    /* owned; NULL: none, or one that cannot be used */
  char *case_text;   /* owned, or NULL */
  char *run_json;    /* owned, or NULL */
  char *verified;    /* owned, or NULL: verify.txt, what scripts/verify printed */
  Shapes shapes;
  int n_bodies;
  ResultBody *body; /* owned */
  int n_names;      /* bodies, walls, and others that contacts.csv names */
  const char **name;
  int name_room;
  Frames frames;
  int n_contacts;
  ResultContact *contact; /* owned, by time */
  int64_t n_contacts_written;
  ResultTable flow;
  int n_slices;
  ResultSlice *slice; /* owned, by name: by slice, then time */
  ResultSkin skin;
} Results;

enum { RESULT_NOTES = 64 };

extern const char *const result_kinds[3];
extern const char *const result_laws[4];

/* How much is kept at most; values: numbers of all frames together, but never under 60 frames. */
typedef struct {
  int frames, contacts;
  double values;
  int slices; /* pictures; 0: those and the pressure on bodies are not read */
} ResultLimits;

/*
 * Read a directory. Fails with CAROM_ERR_FILE only when it cannot be read or holds nothing that a
 * run writes. Not collective.
 */
PetscErrorCode ResultsCreate(const char *directory, ResultLimits limits, Results **results);
PetscErrorCode ResultsDestroy(Results **results);

/* Of body b in frame f: CHANNEL_COUNT numbers. */
const double *result_state(const Results *results, int f, int b);

/* The case, or NULL. */
const Case *result_case(const Results *results);

/* Energies of the bodies that answer forces; those of unknown mass are left out. */
typedef struct {
  double linear, turning, potential;
} ResultEnergy;

ResultEnergy result_energy(const Results *results, int f);
