/*
 * Faults of a grid, counted over all ranks, with the place of the first.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/error.h"
#include "base/ids.h"
#include "base/vec3.h"

typedef struct {
  GlobalId n;
  GlobalId id; /* the lowest id that has the fault */
  Vec3 place;
} Defect;

static inline void defect_note(Defect *defect, GlobalId id, Vec3 place)
{
  if (defect->n++ == 0 || id < defect->id) {
    defect->id = id;
    defect->place = place;
  }
}

/* The sum over all ranks and the lowest id with its place, on all of them. Collective. */
PetscErrorCode DefectGather(MPI_Comm comm, Defect *defect);
