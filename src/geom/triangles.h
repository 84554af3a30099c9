/*
 * Triangles as a file gave them: nothing is known of how they fit together.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/error.h"
#include "base/vec3.h"

typedef struct {
  int n_vertices;
  Vec3 *vertex; /* owned, n_vertices */
  int n_triangles;
  int (*triangle)[3]; /* owned, n_triangles, vertex ids */
  bool *half;         /* owned, or NULL: n_triangles, this and the next are halves of a quad */
  int *tag;           /* owned, n_triangles, or NULL: where each comes from */
} Triangles;

/* Room for the given numbers; what is in it is left to the caller, and there are no tags. */
PetscErrorCode TrianglesCreate(int n_vertices, int n_triangles, Triangles *triangles);
PetscErrorCode TrianglesDestroy(Triangles *triangles);
