#include "io/slice.h"

#include "io/file.h"
#include "io/slice_impl.h"

#include <string.h>

/* Polygons of more than four corners become triangles, since not all programs read others. */
static int triangles_of(int n)
{
  return n > 4 ? n - 2 : n == 3;
}

static void count_elements(const SlicePart *part, FieldPiece *piece)
{
  for (int k = 0; k < part->n; k++) {
    const int n = part->start[k + 1] - part->start[k];
    piece->n[PIECE_TRIANGLE] += triangles_of(n);
    piece->n[PIECE_QUAD] += n == 4;
  }
  piece->n_corners[PIECE_TRIANGLE] = 3 * piece->n[PIECE_TRIANGLE];
  piece->n_corners[PIECE_QUAD] = 4 * piece->n[PIECE_QUAD];
  piece->n_elements = piece->n[PIECE_TRIANGLE] + piece->n[PIECE_QUAD];
}

static void put_element(FieldPiece *piece, int n, const int corner[], int at, int element,
                        const double value[])
{
  memcpy(piece->corner + at, corner, (size_t)n * sizeof *corner);
  for (int i = 0; i < PIECE_VALUES; i++)
    piece->value[(size_t)i * piece->n_elements + element] = value[i];
}

static void put_elements(const SlicePart *part, const SliceCorners *c, FieldPiece *piece)
{
  int triangle = 0, quad = 0;
  for (int k = 0; k < part->n; k++) {
    const int *of = c->of + part->start[k], n = part->start[k + 1] - part->start[k];
    const double *value = part->value + (size_t)k * PIECE_VALUES;
    if (n == 4) {
      const int corner[4] = {of[0] + 1, of[1] + 1, of[2] + 1, of[3] + 1};
      put_element(piece, 4, corner, piece->n_corners[PIECE_TRIANGLE] + 4 * quad,
                  piece->n[PIECE_TRIANGLE] + quad, value);
      quad++;
      continue;
    }
    for (int i = 1; i + 1 < n; i++, triangle++) {
      const int corner[3] = {of[0] + 1, of[i] + 1, of[i + 1] + 1};
      put_element(piece, 3, corner, 3 * triangle, triangle, value);
    }
  }
}

static PetscErrorCode make_piece(const SlicePart *part, const SliceCorners *c, FieldPiece *piece)
{
  PetscFunctionBeginUser;
  *piece = (FieldPiece){
      .flat = true, .n_values = PIECE_VALUES, .names = field_cell_names, .n_vertices = c->n};
  count_elements(part, piece);
  PetscCall(PetscMalloc1(3 * (size_t)c->n, &piece->x));
  PetscCall(PetscMalloc1(piece->n_corners[PIECE_TRIANGLE] + piece->n_corners[PIECE_QUAD],
                         &piece->corner));
  PetscCall(PetscMalloc1((size_t)PIECE_VALUES * piece->n_elements, &piece->value));
  for (int v = 0; v < c->n; v++)
    for (int k = 0; k < 3; k++) piece->x[(size_t)k * c->n + v] = c->x[3 * (size_t)v + k];
  put_elements(part, c, piece);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A zone for each grid; empty everywhere but on rank 0. */
static PetscErrorCode write_polygons(MPI_Comm comm, const SliceFlow *flow, const SlicePicture *p,
                                     const char *path)
{
  PetscFunctionBeginUser;
  FieldFile *file = NULL;
  PetscCall(FieldFileCreate(comm, path, p->t, &file));
  for (int g = 0; g < p->n; g++) {
    FieldPiece piece;
    PetscCall(make_piece(&p->part[g], &p->corners[g], &piece));
    const char *name = g < flow->n_grids ? flow->grid[g].name : flow->forest->name;
    PetscCall(FieldFileAddFlat(file, "Slice", name, &piece));
    PetscCall(FieldPieceDestroy(&piece));
  }
  PetscCall(FieldFileClose(&file));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode write_picture(MPI_Comm comm, const SliceFlow *flow, const SlicePicture *p,
                                    const char *path)
{
  PetscFunctionBeginUser;
  int rank;
  unsigned char *bytes = NULL;
  size_t length = 0;
  PetscCallMPI(MPI_Comm_rank(comm, &rank));
  if (rank == 0) PetscCall(SliceDraw(p, flow->forest != NULL, &bytes, &length));
  PetscCall(FileReplace(comm, path, (const char *)bytes, length));
  PetscCall(PetscFree(bytes));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SliceWrite(MPI_Comm comm, const SliceFlow *flow, const SlicePlane *plane, int number,
                          double t, const char *path_png, const char *path_cgns)
{
  PetscFunctionBeginUser;
  const int n = flow->n_grids + (flow->forest != NULL);
  int rank;
  SlicePart *part;
  SliceCorners *corners;
  PetscCallMPI(MPI_Comm_rank(comm, &rank));
  PetscCall(PetscCalloc2(n, &part, n, &corners));
  for (int g = 0; g < n; g++) {
    if (g < flow->n_grids)
      PetscCall(SliceCutGrid(&flow->grid[g], plane, &part[g]));
    else
      PetscCall(SliceCutForest(flow->forest, plane, &part[g]));
    PetscCall(SliceGather(comm, &part[g]));
    if (rank > 0) PetscCall(SlicePartDestroy(&part[g]));
    PetscCall(SliceJoin(&part[g], plane->quantity, &corners[g]));
  }
  const SlicePicture picture = {plane, number, t, n, part, corners};
  PetscCall(write_polygons(comm, flow, &picture, path_cgns));
  PetscCall(write_picture(comm, flow, &picture, path_png));
  for (int g = 0; g < n; g++) {
    PetscCall(SlicePartDestroy(&part[g]));
    PetscCall(SliceCornersDestroy(&corners[g]));
  }
  PetscCall(PetscFree2(part, corners));
  PetscFunctionReturn(PETSC_SUCCESS);
}
