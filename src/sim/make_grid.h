/*
 * A near-body grid from a few words: what `carom grid` does.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/error.h"

#include <stdio.h>

/* Texts as the user wrote them; those of flags may be NULL. */
typedef struct {
  const char *what; /* a kind of shape, or an STL or CGNS file */
  int n_keys;
  const char *const *keys; /* "radius=1": keys as under `shape` */
  const char *layers, *first, *growth;
  const char *path; /* where the grid goes */
} GridOrder;

/*
 * Make the grid, print its quality on rank 0 and write it. Collective. Mistakes in the words are
 * printed one line each and raised as PETSC_ERR_USER_INPUT.
 */
PetscErrorCode GridMake(MPI_Comm comm, const GridOrder *order, FILE *out);
