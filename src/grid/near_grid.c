#include "grid/near_grid.h"

#include "base/hash.h"
#include "grid/cell_faces.h"
#include "grid/defect.h"
#include "grid/near_draft_impl.h"

#include <string.h>

/* Are all corners of a cell or face vertices that exist? */
static bool corners_exist(const GridInput *input, CellKind kind, LocalId n, const GlobalId corner[])
{
  for (LocalId i = 0; i < n; i++) {
    if (kind == CELL_POLYHEDRON) {
      for (GlobalId k = corner[i]; k > 0; k--)
        if (corner[++i] < 0 || corner[i] >= input->n_vertices) return false;
    } else if (corner[i] < 0 || corner[i] >= input->n_vertices) {
      return false;
    }
  }
  return true;
}

PetscErrorCode DraftCheckInput(NearDraft *draft)
{
  PetscFunctionBeginUser;
  const GridInput *input = draft->input;
  Defect cell = {0}, face = {0};
  const Vec3 nowhere = {0, 0, 0};
  PetscCheck(input->n_cells > 0, draft->comm, CAROM_ERR_MESH, "%s: no cells", input->name);
  for (LocalId c = 0; c < input->n_cells_here; c++) {
    const LocalId first = input->corner_start[c], n = input->corner_start[c + 1] - first;
    if (!cell_list_is_good(input->kind[c], n, input->corner + first) ||
        !corners_exist(input, input->kind[c], n, input->corner + first))
      defect_note(&cell, grid_input_number(input, c), nowhere);
  }
  for (LocalId f = 0; f < input->n_faces_here; f++) {
    const LocalId first = input->face_start[f], n = input->face_start[f + 1] - first;
    if (n < 3 || n > RING_MOST || input->face_patch[f] < 0 ||
        input->face_patch[f] >= input->n_patches ||
        !corners_exist(input, CELL_HEXA, n, input->face_corner + first))
      defect_note(&face, f, nowhere);
  }
  PetscCall(DefectGather(draft->comm, &cell));
  PetscCheck(cell.n == 0, draft->comm, CAROM_ERR_MESH,
             "%s: %lld cells have corners that do not exist or do not make a cell, first cell %lld",
             input->name, (long long)cell.n, (long long)cell.id + 1);
  PetscCall(DefectGather(draft->comm, &face));
  PetscCheck(face.n == 0, draft->comm, CAROM_ERR_MESH,
             "%s: %lld boundary faces have corners that do not exist, less than 3 or more than %d",
             input->name, (long long)face.n, RING_MOST);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode DraftFree(NearDraft *draft)
{
  PetscFunctionBeginUser;
  PetscCall(PetscFree4(draft->file_id, draft->kind, draft->corner_start, draft->corner));
  PetscCall(CellVerticesFree(&draft->vertices));
  PetscCall(PetscFree(draft->periodic));
  PetscCall(PetscFree2(draft->volume, draft->center));
  PetscCall(PetscFree(draft->side_start));
  PetscCall(PetscFree2(draft->side, draft->ring));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Vertices and corners are kept for output and for donors. */
static PetscErrorCode TakeShapes(NearDraft *draft, NearGrid *grid)
{
  PetscFunctionBeginUser;
  const LocalId n = draft->n_own;
  grid->n_vertices_global = draft->input->n_vertices;
  grid->n_vertices = draft->vertices.n;
  grid->vertex = draft->vertices.at;
  grid->vertex_id = draft->vertices.id;
  grid->corner = draft->vertices.corner;
  draft->vertices = (CellVertices){0};
  PetscCall(PetscMalloc2(n, &grid->kind, n + 1, &grid->corner_start));
  PetscCall(PetscArraycpy(grid->kind, draft->kind, n));
  PetscCall(PetscArraycpy(grid->corner_start, draft->corner_start, n + 1));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode NearGridCreate(MPI_Comm comm, const GridInput *input, NearGrid **grid)
{
  PetscFunctionBeginUser;
  NearDraft draft = {.comm = comm, .input = input};
  PetscCallMPI(MPI_Comm_rank(comm, &draft.rank));
  PetscCallMPI(MPI_Comm_size(comm, &draft.size));
  PetscCall(DraftCheckInput(&draft));
  PetscCall(DraftPartition(&draft));
  PetscCall(DraftSides(&draft));
  PetscCall(DraftCheckVolumes(&draft));
  PetscCall(DraftMatch(&draft));
  PetscCall(DraftOpposites(&draft));
  PetscCall(DraftPeriodic(&draft));

  NearGrid *self = NULL;
  PetscCall(PetscNew(&self));
  self->comm = comm;
  self->n_global = input->n_cells;
  self->first = draft.first;
  self->box = draft.box;
  PetscCall(DraftHalo(&draft, self));
  PetscCall(DraftFaces(&draft, self));
  PetscCall(TakeShapes(&draft, self));
  PetscCall(DraftFree(&draft));
  *grid = self;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode NearGridDestroy(NearGrid **grid)
{
  PetscFunctionBeginUser;
  NearGrid *self = *grid;
  if (self == NULL) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(ExchangeDestroy(&self->halo));
  PetscCall(PetscFree(self->cell_id));
  PetscCall(PetscFree4(self->volume, self->x, self->y, self->z));
  PetscCall(PetscFree2(self->left, self->right));
  PetscCall(PetscFree3(self->sx, self->sy, self->sz));
  PetscCall(PetscFree3(self->tx, self->ty, self->tz));
  PetscCall(PetscFree3(self->fx, self->fy, self->fz));
  PetscCall(PetscFree3(self->face_start, self->face, self->face_sign));
  PetscCall(PetscFree(self->patch));
  PetscCall(PetscFree(self->vertex));
  PetscCall(PetscFree(self->vertex_id));
  PetscCall(PetscFree(self->corner));
  PetscCall(PetscFree2(self->kind, self->corner_start));
  PetscCall(PetscFree2(self->ring_start, self->ring));
  PetscCall(PetscFree(*grid));
  PetscFunctionReturn(PETSC_SUCCESS);
}

int near_grid_find_patch(const NearGrid *grid, const char *name)
{
  for (int p = 0; p < grid->n_patches; p++)
    if (strcmp(grid->patch[p].name, name) == 0) return p;
  return -1;
}

/* What a face contributes where it stands in the list of an own cell. */
static uint64_t hash_face(const NearGrid *grid, LocalId c, LocalId k)
{
  const LocalId f = grid->face[k];
  const LocalId other = grid->left[f] == c ? grid->right[f] : grid->left[f];
  int patch = -1;
  for (int p = 0; p < grid->n_patches; p++)
    if (f >= grid->patch[p].first_face && f < grid->patch[p].first_face + grid->patch[p].n_faces)
      patch = p;
  const double beyond[4] = {other < 0 ? -1.0 - patch : (double)grid->cell_id[other],
                            other < 0 ? 0.0 : grid->x[other], other < 0 ? 0.0 : grid->y[other],
                            other < 0 ? 0.0 : grid->z[other]};
  const double metric[10] = {grid->sx[f], grid->sy[f],       grid->sz[f], grid->tx[f],
                             grid->ty[f], grid->tz[f],       grid->fx[f], grid->fy[f],
                             grid->fz[f], grid->face_sign[k]};
  return hash_bytes(1, beyond, sizeof beyond) + hash_bytes(5, metric, sizeof metric);
}

PetscErrorCode NearGridHash(const NearGrid *grid, uint64_t *hash)
{
  PetscFunctionBeginUser;
  uint64_t sum = 0;
  for (LocalId c = 0; c < grid->n_own; c++) {
    const double cell[5] = {grid->volume[c], grid->x[c], grid->y[c], grid->z[c],
                            (double)grid->kind[c]};
    uint64_t word = hash_bytes(0, cell, sizeof cell);
    for (LocalId k = grid->face_start[c]; k < grid->face_start[c + 1]; k++)
      word += hash_word((uint64_t)(k - grid->face_start[c]), hash_face(grid, c, k));
    sum += hash_word((uint64_t)grid->cell_id[c], word);
  }
  PetscCallMPI(MPI_Allreduce(&sum, hash, 1, MPI_UINT64_T, MPI_SUM, grid->comm));
  PetscFunctionReturn(PETSC_SUCCESS);
}
