#include "io/grid_file.h"

#include "grid/boundary_kind.h"
#include "grid/merge.h"
#include "io/grid_file_impl.h"

#include <stdarg.h>
#include <stdio.h>

void grid_note(GridNotes *notes, const char *format, ...)
{
  if (notes->n == GRID_NOTES) return;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(notes->line[notes->n++], sizeof notes->line[0], format, arguments);
  va_end(arguments);
}

static PetscErrorCode SumOverRanks(MPI_Comm comm, GlobalId here, GlobalId *all)
{
  PetscFunctionBeginUser;
  PetscCallMPI(MPI_Allreduce(&here, all, 1, MPIU_INT64, MPI_SUM, comm));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode VolumeOpen(MPI_Comm comm, const GridFileSpec *spec, VolumeFile *file)
{
  PetscFunctionBeginUser;
  float stamp = 0.0f;
  *file = (VolumeFile){
      .read = {.comm = comm, .path = spec->path, .scale = spec->scale, .origin = spec->origin},
      .kinds = spec->kinds};
  PetscCallMPI(MPI_Comm_rank(comm, &file->read.rank));
  PetscCallMPI(MPI_Comm_size(comm, &file->read.size));
  PetscCall(CgnsOpenAll(comm, spec->path, &file->read.file, &stamp));
  file->is_open = true;
  PetscCall(VolumeCatalogCreate(comm, spec->path, file->read.file, &file->catalog));
  file->read.catalog = file->catalog;
  file->catalog->version = stamp;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode VolumeClose(VolumeFile *file)
{
  PetscFunctionBeginUser;
  VolumeRead *read = &file->read;
  if (file->is_open) cg_close(read->file);
  PetscCall(PetscFree(read->vertex));
  PetscCall(PetscFree(read->cell));
  PetscCall(IdListsFree(&read->corner));
  PetscCall(PetscFree(read->surface));
  PetscCall(IdListsFree(&read->outline));
  PetscCall(PetscFree(read->polygon));
  PetscCall(PetscFree(read->element_patch));
  PetscCall(PetscFree(read->run_has_cells));
  PetscCall(PetscFree(read->mark));
  PetscCall(PetscFree(read->face));
  PetscCall(IdListsFree(&read->ring));
  PetscCall(PetscFree(read->same));
  PetscCall(VolumeCatalogDestroy(&file->catalog));
  PetscCall(PetscFree3(file->kind, file->number, file->face_patch));
  PetscCall(PetscFree(file->joined));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Ids that are one become one. Corners of polyhedra stand between counts, which stay. */
static PetscErrorCode ApplyMerge(VolumeRead *read)
{
  PetscFunctionBeginUser;
  if (read->same == NULL) PetscFunctionReturn(PETSC_SUCCESS);
  const LocalId n = read->corner.n > 0 ? read->corner.start[read->corner.n] : 0;
  GlobalId *id = NULL;
  LocalId m = 0;
  PetscCall(PetscMalloc1(n, &id));
  for (int way = 0; way < 2; way++) {
    m = 0;
    for (LocalId c = 0; c < read->corner.n; c++) {
      const bool counts = read->cell[c].kind == CELL_POLYHEDRON;
      GlobalId left = 0;
      for (LocalId i = read->corner.start[c]; i < read->corner.start[c + 1]; i++) {
        GlobalId *item = &read->corner.item[i];
        if (counts && left-- == 0)
          left = *item;
        else if (way == 0)
          id[m++] = *item;
        else
          *item = id[m++];
      }
    }
    if (way == 0)
      PetscCall(VerticesApply(read->comm, read->catalog->n_vertices, read->same, m, id));
  }
  PetscCall(PetscFree(id));
  const LocalId n_ring = read->ring.n > 0 ? read->ring.start[read->ring.n] : 0;
  PetscCall(
      VerticesApply(read->comm, read->catalog->n_vertices, read->same, n_ring, read->ring.item));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Show what was read as the input of a grid. */
static PetscErrorCode ShowInput(VolumeFile *file, GridInput *input)
{
  PetscFunctionBeginUser;
  VolumeRead *read = &file->read;
  static const LocalId nothing[1] = {0};
  const LocalId n = read->corner.n, n_faces = read->ring.n;
  PetscCall(PetscFree3(file->kind, file->number, file->face_patch));
  PetscCall(PetscMalloc3(n, &file->kind, n, &file->number, n_faces, &file->face_patch));
  for (LocalId c = 0; c < n; c++) {
    file->kind[c] = read->cell[c].kind;
    file->number[c] = read->cell[c].number;
  }
  for (LocalId f = 0; f < n_faces; f++) file->face_patch[f] = read->face[f].patch;
  *input = (GridInput){.name = read->path,
                       .n_vertices = read->catalog->n_vertices,
                       .vertex = read->vertex,
                       .n_cells_here = n,
                       .cell_number = file->number,
                       .kind = file->kind,
                       .corner_start = n > 0 ? read->corner.start : nothing,
                       .corner = read->corner.item,
                       .n_faces_here = n_faces,
                       .face_start = n_faces > 0 ? read->ring.start : nothing,
                       .face_corner = read->ring.item,
                       .face_patch = file->face_patch,
                       .n_patches = file->catalog->n_patches,
                       .patch = file->catalog->patch};
  PetscCall(SumOverRanks(read->comm, n, &input->n_cells));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Read everything the file says. */
static PetscErrorCode ReadAll(VolumeFile *file, GridNotes *notes)
{
  PetscFunctionBeginUser;
  VolumeRead *read = &file->read;
  GlobalId n_reduced = 0, n_cells = 0, n_repeated = 0;
  PetscCall(VolumeVertices(read));
  PetscCall(VolumeElements(read));
  PetscCall(VolumeVerdict(read));
  PetscCall(SumOverRanks(read->comm, read->corner.n, &n_cells));
  PetscCheck(n_cells > 0, read->comm, CAROM_ERR_MESH, "%s: no cells, only surfaces", read->path);
  PetscCall(VolumePolyhedra(read));
  PetscCall(VolumeVerdict(read));
  PetscCall(VolumeNameElements(read));
  PetscCall(VolumeJoins(read));
  PetscCall(VolumeMarkVertices(read));
  PetscCall(VolumeVerdict(read));
  PetscCall(VolumeDropRepeats(file, &n_repeated));
  PetscCall(ApplyMerge(read));

  if (file->catalog->version > 3.45f)
    grid_note(notes, "stamped %.2f by a later library, read through a copy stamped 3.4",
              (double)file->catalog->version);
  PetscCall(SumOverRanks(read->comm, read->n_reduced, &n_reduced));
  if (n_reduced > 0)
    grid_note(notes, "%lld elements of higher order are reduced to their corners",
              (long long)n_reduced);
  if (n_repeated > 0)
    grid_note(notes, "%lld cells repeat cells of an earlier base and are left out",
              (long long)n_repeated);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Join vertices of open faces that stand at one place; how many were joined. */
static PetscErrorCode WeldOpen(VolumeFile *file, const GridSurvey *survey, GlobalId *n_welded)
{
  PetscFunctionBeginUser;
  VolumeRead *read = &file->read;
  GlobalId n_open = 0;
  LocalId n_pairs = 0;
  GlobalId(*pair)[2] = NULL;
  *n_welded = 0;
  PetscCall(SumOverRanks(read->comm, survey->n_open, &n_open));
  if (n_open == 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(VerticesFindPairs(read->comm, survey, &n_pairs, &pair));
  PetscCall(SumOverRanks(read->comm, n_pairs, n_welded));
  if (*n_welded > 0) {
    PetscCall(PetscFree(read->same));
    PetscCall(VerticesMerge(read->comm, read->catalog->n_vertices, n_pairs,
                            (const GlobalId(*)[2])pair, &read->same));
    PetscCall(ApplyMerge(read));
  }
  PetscCall(PetscFree(pair));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Mend what the file leaves out, in rounds: names, sense of zones, joins by place. */
static PetscErrorCode Mend(VolumeFile *file, GridInput *input, GridNotes *notes)
{
  PetscFunctionBeginUser;
  GridSurvey survey = {0};
  GlobalId n_welded = 0;
  PetscCall(VolumeNameSections(file));
  PetscCall(ShowInput(file, input));
  PetscCall(GridSurveyCreate(file->read.comm, input, &survey));
  PetscCall(VolumeTurnCells(file, survey.volume, notes));
  PetscCall(VolumeNameOpen(file, &survey));
  PetscCall(GridSurveyFree(&survey));
  PetscCall(ShowInput(file, input));
  if (file->catalog->n_zones == 1) PetscFunctionReturn(PETSC_SUCCESS);

  PetscCall(GridSurveyCreate(file->read.comm, input, &survey));
  PetscCall(WeldOpen(file, &survey, &n_welded));
  PetscCall(GridSurveyFree(&survey));
  if (n_welded > 0) {
    grid_note(notes, "the file leaves joins between zones unsaid; made where vertices coincide");
    PetscCall(ShowInput(file, input));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Which patches are to be joined to their opposites. */
static PetscErrorCode ListJoined(VolumeFile *file, GridInput *input)
{
  PetscFunctionBeginUser;
  if (file->kinds == NULL) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscMalloc1(input->n_patches, &file->joined));
  for (int p = 0; p < input->n_patches; p++)
    if (boundary_kind_of(file->kinds, &input->patch[p]) == BOUNDARY_PERIODIC)
      file->joined[input->n_joined++] = p;
  input->joined = file->joined;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Say which boundaries have cells on both sides of all their faces: gas passes through them. */
static void note_inner(const GridInput *input, const NearGrid *grid, GridNotes *notes)
{
  for (int p = 0; p < grid->n_patches; p++) {
    bool joined = false;
    for (int k = 0; k < input->n_joined; k++) joined = joined || input->joined[k] == p;
    if (grid->patch[p].n_faces_global == 0 && !joined)
      grid_note(notes, "boundary %s lies between cells, so it bounds nothing", grid->patch[p].name);
  }
}

PetscErrorCode VolumeMake(VolumeFile *file, GridNotes *notes, NearGrid **grid)
{
  PetscFunctionBeginUser;
  GridInput input = {0};
  PetscCall(ReadAll(file, notes));
  PetscCall(Mend(file, &input, notes));
  PetscCall(VolumeDropPatches(file));
  PetscCall(ShowInput(file, &input));
  PetscCall(ListJoined(file, &input));
  PetscCall(NearGridCreate(file->read.comm, &input, grid));
  note_inner(&input, *grid, notes);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode GridFileRead(MPI_Comm comm, const GridFileSpec *spec, NearGrid **grid,
                            GridNotes *notes)
{
  PetscFunctionBeginUser;
  VolumeFile file;
  notes->n = 0;
  PetscCall(VolumeOpen(comm, spec, &file));
  PetscCall(VolumeMake(&file, notes, grid));
  PetscCall(VolumeClose(&file));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode GridFileHasVolume(MPI_Comm comm, const char *path, bool *volume)
{
  PetscFunctionBeginUser;
  int rank = 0, file = 0, there = 0;
  PetscErrorCode code = PETSC_SUCCESS;
  PetscCallMPI(MPI_Comm_rank(comm, &rank));
  if (rank == 0) code = CgnsOpen(path, &file);
  PetscCall(CgnsVerdict(comm, code));
  if (rank == 0) {
    there = volume_is_there(file);
    cg_close(file);
  }
  PetscCallMPI(MPI_Bcast(&there, 1, MPI_INT, 0, comm));
  *volume = there != 0;
  PetscFunctionReturn(PETSC_SUCCESS);
}
