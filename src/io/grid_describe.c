/*
 * What is in a volume file, how good are its cells, and what would it take to run it?
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "io/grid_file_impl.h"

PetscErrorCode GridFileDescribe(MPI_Comm comm, const char *path, FILE *out)
{
  PetscFunctionBeginUser;
  const GridFileSpec spec = {.path = path, .scale = 1.0};
  VolumeFile file;
  NearGrid *grid = NULL;
  GridNotes notes = {0};
  PetscCall(VolumeOpen(comm, &spec, &file));
  PetscCall(VolumeMake(&file, &notes, &grid));
  for (int i = 0; i < notes.n; i++)
    PetscCall(PetscFPrintf(comm, out, "  note: %s\n", notes.line[i]));
  PetscCall(PetscFPrintf(comm, out, "%s: %lld cells\n", path, (long long)grid->n_global));
  PetscCall(NearGridDestroy(&grid));
  PetscCall(VolumeClose(&file));
  PetscFunctionReturn(PETSC_SUCCESS);
}
