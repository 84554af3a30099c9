/*
 * Vertices that are one and the same: said to be so by a file, or found at one place.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "grid/survey.h"

/*
 * For each vertex the lowest of those it is one with; this rank holds the block of it. Every rank
 * gives any pairs. Joins whatever chains of pairs join. Collective; free `same` with PetscFree.
 */
PetscErrorCode VerticesMerge(MPI_Comm comm, GlobalId n_vertices, LocalId n_pairs,
                             const GlobalId (*pair)[2], GlobalId **same);

/* Replace ids by those they are one with. Collective. */
PetscErrorCode VerticesApply(MPI_Comm comm, GlobalId n_vertices, const GlobalId same[], LocalId n,
                             GlobalId id[]);

/*
 * Pairs of vertices at one place among those of open faces: nearer than a thousandth of the
 * shortest edge there. Collective; free `pair` with PetscFree.
 */
PetscErrorCode VerticesFindPairs(MPI_Comm comm, const GridSurvey *survey, LocalId *n_pairs,
                                 GlobalId (**pair)[2]);
