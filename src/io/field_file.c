/*
 * Rank 0 writes; it holds the piece of one rank at a time.
 */
#include "io/field_file.h"

#include "io/cgns_impl.h"
#include "io/field_piece_impl.h"

#include <stdio.h>
#include <unistd.h>

struct FieldFile {
  MPI_Comm comm;
  int rank, size;
  char path[PETSC_MAX_PATH_LEN];
  int file, cells, walls; /* of the library; on rank 0 */
  double t;
};

static const ElementType_t cgns_type[PIECE_TYPES] = {
    CGNS_ENUMV(TRI_3),  CGNS_ENUMV(QUAD_4),  CGNS_ENUMV(NGON_n), CGNS_ENUMV(TETRA_4),
    CGNS_ENUMV(PYRA_5), CGNS_ENUMV(PENTA_6), CGNS_ENUMV(HEXA_8), CGNS_ENUMV(NFACE_n)};
static const char *const section_name[PIECE_TYPES] = {
    "Triangles", "Quads", "Polygons", "Tetrahedra", "Pyramids", "Prisms", "Hexahedra", "Polyhedra"};

/* All ranks leave as rank 0 does. */
static PetscErrorCode agree(const FieldFile *f, PetscErrorCode code)
{
  PetscFunctionBeginUser;
  int all = (int)code;
  PetscCallMPI(MPI_Bcast(&all, 1, MPI_INT, 0, f->comm));
  PetscCheck(all == PETSC_SUCCESS, f->comm, CAROM_ERR_FILE, "%s: cannot be written: %s", f->path,
             f->rank == 0 ? cg_get_error() : "");
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Run a writing call on rank 0 without a message of its own, then agree. */
#define OnFirst(f, call)                                  \
  do {                                                    \
    PetscErrorCode code_ = PETSC_SUCCESS;                 \
    PetscPushErrorHandler(PetscReturnErrorHandler, NULL); \
    if ((f)->rank == 0) code_ = (call);                   \
    PetscPopErrorHandler();                               \
    PetscCall(agree((f), code_));                         \
  } while (0)

static PetscErrorCode begin_base(FieldFile *f, const char *name, int dimension, int *base)
{
  PetscFunctionBeginUser;
  const cgsize_t one = 1;
  CgnsCall(f->path, cg_base_write(f->file, name, dimension, 3, base));
  CgnsCall(f->path, cg_biter_write(f->file, *base, "TimeIterValues", 1));
  CgnsCall(f->path, cg_goto(f->file, *base, "BaseIterativeData_t", 1, "end"));
  CgnsCall(f->path, cg_array_write("TimeValues", CGNS_ENUMV(RealDouble), 1, &one, &f->t));
  CgnsCall(f->path, cg_simulation_type_write(f->file, *base, CGNS_ENUMV(TimeAccurate)));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode begin_file(FieldFile *f)
{
  PetscFunctionBeginUser;
  unlink(f->path);
  CgnsCall(f->path, cg_set_file_type(CG_FILE_HDF5));
  CgnsCall(f->path, cg_open(f->path, CG_MODE_WRITE, &f->file));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode FieldFileCreate(MPI_Comm comm, const char *path, double t, FieldFile **file)
{
  PetscFunctionBeginUser;
  FieldFile *f = NULL;
  PetscCall(PetscNew(&f));
  f->comm = comm;
  f->t = t;
  PetscCallMPI(MPI_Comm_rank(comm, &f->rank));
  PetscCallMPI(MPI_Comm_size(comm, &f->size));
  PetscCall(PetscStrncpy(f->path, path, sizeof f->path));
  OnFirst(f, begin_file(f));
  *file = f;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode write_vertices(FieldFile *f, int base, int zone, const FieldPiece *p)
{
  PetscFunctionBeginUser;
  static const char *const names[] = {"CoordinateX", "CoordinateY", "CoordinateZ"};
  for (int k = 0; k < 3; k++) {
    int number;
    CgnsCall(f->path, cg_coord_write(f->file, base, zone, CGNS_ENUMV(RealDouble), names[k],
                                     p->x + k * p->n_vertices, &number));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Polygons and polyhedra: lists with their counts become lists with offsets. Polyhedra name their
 * polygons by element number. */
static PetscErrorCode write_lists(FieldFile *f, int base, int zone, PieceType t,
                                  const FieldPiece *p, const int *corner, cgsize_t first)
{
  PetscFunctionBeginUser;
  cgsize_t *list, *offset;
  int section;
  PetscCall(PetscMalloc2(p->n_corners[t], &list, p->n[t] + 1, &offset));
  offset[0] = 0;
  for (int e = 0, at = 0; e < p->n[t]; e++) {
    const int n = corner[at++];
    for (int i = 0; i < n; i++) list[offset[e] + i] = corner[at++];
    offset[e + 1] = offset[e] + n;
  }
  const int code = cg_poly_section_write(f->file, base, zone, section_name[t], cgns_type[t], first,
                                         first + p->n[t] - 1, 0, list, offset, &section);
  PetscCall(PetscFree2(list, offset));
  CgnsCall(f->path, code);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode write_sections(FieldFile *f, int base, int zone, const FieldPiece *p)
{
  PetscFunctionBeginUser;
  const int *corner = p->corner;
  cgsize_t first = 1;
  for (int t = 0; t < PIECE_TYPES; corner += p->n_corners[t], first += p->n[t], t++) {
    int section;
    if (p->n[t] == 0) continue;
    if (t == PIECE_POLYGON || t == PIECE_POLYHEDRON)
      PetscCall(write_lists(f, base, zone, (PieceType)t, p, corner, first));
    else
      CgnsCall(f->path, cg_section_write(f->file, base, zone, section_name[t], cgns_type[t], first,
                                         first + p->n[t] - 1, 0, corner, &section));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode write_values(FieldFile *f, int base, int zone, const FieldPiece *p)
{
  PetscFunctionBeginUser;
  const char *const *names = p->names != NULL ? p->names
                             : p->flat        ? field_wall_names
                                              : field_cell_names;
  int solution, field;
  CgnsCall(f->path,
           cg_sol_write(f->file, base, zone, "FlowSolution", CGNS_ENUMV(CellCenter), &solution));
  for (int k = 0; k < p->n_values; k++)
    CgnsCall(f->path, cg_field_write(f->file, base, zone, solution, CGNS_ENUMV(RealDouble),
                                     names[k], p->value + k * p->n_elements, &field));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode write_zone(FieldFile *f, int base, const char *name, const FieldPiece *p)
{
  PetscFunctionBeginUser;
  int zone;
  const cgsize_t size[3] = {p->n_vertices, p->n_elements, 0};
  CgnsCall(f->path, cg_zone_write(f->file, base, name, size, CGNS_ENUMV(Unstructured), &zone));
  PetscCall(write_vertices(f, base, zone, p));
  PetscCall(write_sections(f, base, zone, p));
  PetscCall(write_values(f, base, zone, p));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* One zone of what one rank gave; nothing where it has nothing. */
static PetscErrorCode write_piece(FieldFile *f, const char *grid, int rank, const FieldPiece *p)
{
  PetscFunctionBeginUser;
  char name[CGNS_NAME];
  if (p->n_elements == 0) PetscFunctionReturn(PETSC_SUCCESS);
  if (p->flat && f->walls == 0) PetscCall(begin_base(f, "Walls", 2, &f->walls));
  if (!p->flat && f->cells == 0) PetscCall(begin_base(f, "Flow", 3, &f->cells));
  PetscCall(PetscSNPrintf(name, sizeof name, "%.20s_%d", grid, rank));
  PetscCall(write_zone(f, p->flat ? f->walls : f->cells, name, p));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode write_flat(FieldFile *f, const char *base, const char *zone,
                                 const FieldPiece *p)
{
  PetscFunctionBeginUser;
  if (f->walls == 0) PetscCall(begin_base(f, base, 2, &f->walls));
  if (p->n_elements > 0) PetscCall(write_zone(f, f->walls, zone, p));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode FieldFileAddFlat(FieldFile *f, const char *base, const char *zone,
                                const FieldPiece *p)
{
  PetscFunctionBeginUser;
  OnFirst(f, write_flat(f, base, zone, p));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Bring the pieces of all ranks to rank 0, one after the other. Takes this rank's. */
static PetscErrorCode gather(FieldFile *f, const char *name, FieldPiece *mine)
{
  PetscFunctionBeginUser;
  if (f->rank > 0) PetscCall(FieldPieceSend(mine, f->comm));
  PetscErrorCode code = PETSC_SUCCESS;
  for (int rank = 0; rank < f->size && f->rank == 0; rank++) {
    FieldPiece piece = *mine;
    if (rank > 0) PetscCall(FieldPieceReceive(&piece, f->comm, rank));
    PetscPushErrorHandler(PetscReturnErrorHandler, NULL);
    if (code == PETSC_SUCCESS) code = write_piece(f, name, rank, &piece);
    PetscPopErrorHandler();
    if (rank > 0) PetscCall(FieldPieceDestroy(&piece));
  }
  PetscCall(FieldPieceDestroy(mine));
  PetscCall(agree(f, code));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode FieldFileAdd(FieldFile *f, const FieldGrid *grid)
{
  PetscFunctionBeginUser;
  FieldPiece piece;
  PetscCall(FieldPieceCells(grid, &piece));
  PetscCall(gather(f, grid->name, &piece));
  PetscCall(FieldFileAddWalls(f, grid));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode FieldFileAddWalls(FieldFile *f, const FieldGrid *grid)
{
  PetscFunctionBeginUser;
  FieldPiece piece;
  PetscCall(FieldPieceWalls(grid, &piece));
  PetscCall(gather(f, grid->name, &piece));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode FieldFileAddForest(FieldFile *f, const FieldForest *forest)
{
  PetscFunctionBeginUser;
  FieldPiece piece;
  PetscCall(FieldPieceForest(forest, &piece));
  PetscCall(gather(f, forest->name, &piece));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode end_file(FieldFile *f)
{
  PetscFunctionBeginUser;
  CgnsCall(f->path, cg_close(f->file));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode FieldFileClose(FieldFile **file)
{
  PetscFunctionBeginUser;
  FieldFile *f = *file;
  OnFirst(f, end_file(f));
  PetscCall(PetscFree(*file));
  PetscFunctionReturn(PETSC_SUCCESS);
}
