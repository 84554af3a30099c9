/*
 * A volume file between opening and the grid made of it. SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "grid/survey.h"
#include "io/grid_file.h"
#include "io/volume_read_impl.h"

typedef struct {
  VolumeRead read;
  VolumeCatalog *catalog; /* owned */
  bool is_open;
  CellKind *kind; /* owned, as the two below: what an input shows */
  GlobalId *number;
  int *face_patch;
  const GridSpec *kinds; /* borrowed; NULL: no boundaries are joined */
  int *joined;           /* owned: patches that are periodic */
} VolumeFile;

PetscErrorCode VolumeOpen(MPI_Comm comm, const GridFileSpec *spec, VolumeFile *file);
PetscErrorCode VolumeMake(VolumeFile *file, GridNotes *notes, NearGrid **grid);
PetscErrorCode VolumeClose(VolumeFile *file);

void grid_note(GridNotes *notes, const char *format, ...);

/* Mending; all collective. */

/* Leave out cells whose corners stand where those of a cell of an earlier base do. */
PetscErrorCode VolumeDropRepeats(VolumeFile *file, GlobalId *n_dropped);

/* Faces named by their section alone take the name their vertices carry, if they do. */
PetscErrorCode VolumeNameSections(VolumeFile *file);

/* Open faces become boundary faces where their vertices carry a name. */
PetscErrorCode VolumeNameOpen(VolumeFile *file, const GridSurvey *survey);

/* Turn zones that are left-handed throughout, and single polyhedra that are inside out. */
PetscErrorCode VolumeTurnCells(VolumeFile *file, const double volume[], GridNotes *notes);

/* Forget patches no face belongs to. */
PetscErrorCode VolumeDropPatches(VolumeFile *file);
