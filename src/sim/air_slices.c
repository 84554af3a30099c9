/*
 * Pictures of the flow and pressure on bodies, as often as the case asks for them.
 */
#include "io/file.h"
#include "io/slice.h"
#include "sim/air.h"

static FieldGrid grid_of(const Air *s, int g)
{
  return (FieldGrid){s->the_case->bodies[s->body[g]].name, flow_grid(s->flow, g), s->kind[g],
                     s->motion[g].start, flow_units(s->flow)};
}

/* directory/folder/name, and the folder made. */
static PetscErrorCode place(const Air *s, const char *directory, const char *folder,
                            const char *name, char path[PETSC_MAX_PATH_LEN])
{
  PetscFunctionBeginUser;
  char whole[PETSC_MAX_PATH_LEN];
  PetscCall(FileJoin(directory, folder, whole, sizeof whole));
  PetscCall(FileMakeDirectory(s->comm, whole));
  PetscCall(FileJoin(whole, name, path, PETSC_MAX_PATH_LEN));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode write_slice(Air *s, int k, const FieldGrid grid[], const char *directory,
                                  int64_t step, double t)
{
  PetscFunctionBeginUser;
  const SliceSpec *spec = &s->the_case->output.slices[k];
  const SlicePlane plane = {spec->point, spec->normal, spec->quantity,
                            spec->low,   spec->high,   spec->width};
  const FieldForest forest = {"off_body", flow_off_body(s->flow), flow_units(s->flow),
                              s->the_case->flow.gas.gamma};
  const SliceFlow flow = {s->n, grid, forest.flow != NULL ? &forest : NULL};
  char name[48], png[PETSC_MAX_PATH_LEN], cgns[PETSC_MAX_PATH_LEN];
  PetscCall(PetscSNPrintf(name, sizeof name, "slice%d_%08lld.png", k, (long long)step));
  PetscCall(place(s, directory, "slices", name, png));
  PetscCall(PetscSNPrintf(name, sizeof name, "slice%d_%08lld.cgns", k, (long long)step));
  PetscCall(place(s, directory, "slices", name, cgns));
  PetscCall(SliceWrite(s->comm, &flow, &plane, k, t, png, cgns));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode write_surfaces(Air *s, const FieldGrid grid[], const char *directory,
                                     int64_t step, double t)
{
  PetscFunctionBeginUser;
  char name[32], path[PETSC_MAX_PATH_LEN];
  FieldFile *file = NULL;
  PetscCall(PetscSNPrintf(name, sizeof name, "step_%08lld.cgns", (long long)step));
  PetscCall(place(s, directory, "surfaces", name, path));
  PetscCall(FieldFileCreate(s->comm, path, t, &file));
  for (int g = 0; g < s->n; g++) PetscCall(FieldFileAddWalls(file, &grid[g]));
  PetscCall(FieldFileClose(&file));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode AirWritePictures(Air *s, const char *directory, int64_t step, bool last, double t)
{
  PetscFunctionBeginUser;
  const OutputSpec *output = &s->the_case->output;
  FieldGrid *grid;
  PetscCall(PetscMalloc1(s->n + 1, &grid));
  for (int g = 0; g < s->n; g++) grid[g] = grid_of(s, g);
  for (int k = 0; k < output->n_slices; k++)
    if (last || step % output->slices[k].every == 0)
      PetscCall(write_slice(s, k, grid, directory, step, t));
  if (output->surfaces > 0 && (last || step % output->surfaces == 0) && s->n > 0)
    PetscCall(write_surfaces(s, grid, directory, step, t));
  PetscCall(PetscFree(grid));
  PetscFunctionReturn(PETSC_SUCCESS);
}
