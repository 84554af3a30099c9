/*
 * The different shapes of a case, each built once however many bodies have it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "config/case.h"
#include "io/xray_cache.h"

typedef struct {
  ShapeSpec spec;
  int first_body;      /* the first body that has it, for messages */
  Surface *surface;    /* owned; NULL for SHAPE_NONE */
  XRay *xray;          /* owned; NULL until ShapesTakeXRays */
  SharedBytes *shared; /* owned: the bytes of the x-ray, one copy per node */
  bool cached;         /* the x-ray came from the cache */
  bool has_mass;       /* volume, centre and inertia are known */
  MassProperties mass; /* for density one, shape axes */
} Shape;

typedef struct {
  int n;
  Shape *shape; /* owned, n */
  int *of_body; /* owned: the shape of each body */
} Shapes;

/* Build the surfaces; mistakes become complaints of the case file. Files are relative to folder.
 * Collective. */
PetscErrorCode ShapesCreate(MPI_Comm comm, CaseFile *file, const char *folder, Shapes *shapes);

/* Its two halves, for those who can do without a surface that cannot be built: number the different
 * shapes, and build the surface of one. */
PetscErrorCode ShapesInit(const Case *the_case, Shapes *shapes);
PetscErrorCode ShapeBuild(MPI_Comm comm, CaseFile *file, const char *folder, Shape *shape);

/* Make the x-ray of every shape that has a surface, or find it in the cache folder (NULL: none).
 * Collective. */
PetscErrorCode ShapesTakeXRays(MPI_Comm comm, const char *folder, Shapes *shapes);

/* Keep the x-rays in the cache folder. Collective. */
PetscErrorCode ShapesKeepXRays(MPI_Comm comm, const char *folder, const Shapes *shapes);
PetscErrorCode ShapesDestroy(Shapes *shapes);
