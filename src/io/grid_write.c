#include "io/grid_write.h"

#include "grid/cell_faces.h"
#include "io/cgns_impl.h"
#include "io/grid_write_impl.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* On rank 0: the message of the library as our error. */
#define WriteCall(writer, call)                                                             \
  PetscCheck((call) == CG_OK, PETSC_COMM_SELF, CAROM_ERR_FILE, "%s: cannot be written: %s", \
             (writer)->path, cg_get_error())

static const CGNS_ENUMT(ElementType_t) element_type[CELL_POLYHEDRON] = {
    [CELL_TETRA] = CGNS_ENUMV(TETRA_4),
    [CELL_PYRAMID] = CGNS_ENUMV(PYRA_5),
    [CELL_PRISM] = CGNS_ENUMV(PENTA_6),
    [CELL_HEXA] = CGNS_ENUMV(HEXA_8)};

static CGNS_ENUMT(BCType_t) bc_type(PatchHint hint)
{
  switch (hint) {
  case HINT_WALL:
    return CGNS_ENUMV(BCWall);
  case HINT_SLIP:
    return CGNS_ENUMV(BCWallInviscid);
  case HINT_SYMMETRY:
    return CGNS_ENUMV(BCSymmetryPlane);
  case HINT_FARFIELD:
    return CGNS_ENUMV(BCFarfield);
  case HINT_INFLOW:
    return CGNS_ENUMV(BCInflow);
  case HINT_OUTFLOW:
    return CGNS_ENUMV(BCOutflow);
  default:
    return CGNS_ENUMV(BCTypeUserDefined);
  }
}

static PetscErrorCode StartFile(GridWriter *w, GlobalId n_vertices)
{
  PetscFunctionBeginUser;
  const GlobalId most = 2147483647; /* numbers in this library are of 32 bits */
  PetscCheck(n_vertices < most && w->grid->n_global < most, PETSC_COMM_SELF, CAROM_ERR_FILE,
             "%s: %lld vertices and %lld cells are more than this CGNS library can number", w->path,
             (long long)n_vertices, (long long)w->grid->n_global);
  const cgsize_t size[3] = {(cgsize_t)n_vertices, (cgsize_t)w->grid->n_global, 0};
  WriteCall(w, cg_set_file_type(CG_FILE_HDF5));
  WriteCall(w, cg_open(w->aside, CG_MODE_WRITE, &w->file));
  WriteCall(w, cg_base_write(w->file, "Base", 3, 3, &w->base));
  WriteCall(w, cg_goto(w->file, w->base, "end"));
  WriteCall(w, cg_dataclass_write(CGNS_ENUMV(Dimensional)));
  WriteCall(w, cg_units_write(CGNS_ENUMV(Kilogram), CGNS_ENUMV(Meter), CGNS_ENUMV(Second),
                              CGNS_ENUMV(Kelvin), CGNS_ENUMV(Radian)));
  WriteCall(w,
            cg_zone_write(w->file, w->base, WRITER_ZONE, size, CGNS_ENUMV(Unstructured), &w->zone));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Numbers one, two, ... for the vertices in use, in the order of their ids. */
static PetscErrorCode WriteVertices(GridWriter *w)
{
  PetscFunctionBeginUser;
  UsedVertices used = {0};
  PetscErrorCode code = PETSC_SUCCESS;
  PetscCall(UsedVerticesCreate(w->grid, &used));
  if (w->rank == 0) code = StartFile(w, used.n_all);
  PetscCall(CgnsVerdict(w->grid->comm, code));
  w->number = used.number;
  for (int d = 0; d < 3; d++) {
    w->direction = d;
    code = StreamToFirst(w->grid->comm, sizeof *used.at, used.n, used.at, WriterTakeVertices, w);
    PetscCall(CgnsVerdict(w->grid->comm, code));
  }
  PetscCall(PetscFree(used.at));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode WriterTakeVertices(void *context, GlobalId first, LocalId n, const void *record)
{
  PetscFunctionBeginUser;
  static const char *const names[3] = {"CoordinateX", "CoordinateY", "CoordinateZ"};
  GridWriter *w = context;
  const Vec3 *at = record;
  const cgsize_t lo = (cgsize_t)first + 1, hi = (cgsize_t)(first + n);
  double *x = NULL;
  int id = 0;
  PetscCall(PetscMalloc1(n, &x));
  for (LocalId v = 0; v < n; v++) x[v] = vec3_at(at[v], w->direction);
  WriteCall(w, cg_coord_partial_write(w->file, w->base, w->zone, CGNS_ENUMV(RealDouble),
                                      names[w->direction], &lo, &hi, x, &id));
  PetscCall(PetscFree(x));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Begin a section of n elements. */
static PetscErrorCode StartSection(GridWriter *w, const char *name, CGNS_ENUMT(ElementType_t) type,
                                   GlobalId n)
{
  PetscFunctionBeginUser;
  w->first_element = w->n_elements;
  w->n_elements += n;
  if (w->rank == 0)
    WriteCall(w, cg_section_partial_write(w->file, w->base, w->zone, name, type,
                                          (cgsize_t)w->first_element + 1, (cgsize_t)w->n_elements,
                                          0, &w->section));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode WriterTakeElements(void *context, GlobalId first, LocalId n, const void *record)
{
  PetscFunctionBeginUser;
  GridWriter *w = context;
  const GlobalId *corner = record;
  const size_t m = (size_t)n * w->n_corners;
  cgsize_t *entry = NULL;
  PetscCall(PetscMalloc1(m, &entry));
  for (size_t i = 0; i < m; i++) entry[i] = (cgsize_t)corner[i];
  const cgsize_t begin = (cgsize_t)(w->first_element + first) + 1;
  WriteCall(w, cg_elements_partial_write(w->file, w->base, w->zone, w->section, begin,
                                         begin + n - 1, entry));
  PetscCall(PetscFree(entry));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Elements of n_corners corners of all ranks, as the next section; nothing if there are none. */
static PetscErrorCode WriteSection(GridWriter *w, const char *name, CGNS_ENUMT(ElementType_t) type,
                                   int n_corners, LocalId n, const GlobalId corner[],
                                   GlobalId *n_all)
{
  PetscFunctionBeginUser;
  const GlobalId here = n;
  PetscErrorCode code = PETSC_SUCCESS;
  PetscCallMPI(MPI_Allreduce(&here, n_all, 1, MPIU_INT64, MPI_SUM, w->grid->comm));
  if (*n_all == 0) PetscFunctionReturn(PETSC_SUCCESS);
  w->n_corners = n_corners;
  code = StartSection(w, name, type, *n_all);
  PetscCall(CgnsVerdict(w->grid->comm, code));
  code = StreamToFirst(w->grid->comm, n_corners * sizeof *corner, n, corner, WriterTakeElements, w);
  PetscCall(CgnsVerdict(w->grid->comm, code));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode WriteCells(GridWriter *w)
{
  PetscFunctionBeginUser;
  static const char *const names[CELL_POLYHEDRON] = {"Tetrahedra", "Pyramids", "Prisms",
                                                     "Hexahedra"};
  const NearGrid *g = w->grid;
  GlobalId *corner = NULL;
  PetscCall(PetscMalloc1(8 * (size_t)g->n_own, &corner));
  for (int k = 0; k < CELL_POLYHEDRON; k++) {
    const int n_corners = cell_kind_corners((CellKind)k);
    LocalId n = 0;
    for (LocalId c = 0; c < g->n_own; c++) {
      if (g->kind[c] != (CellKind)k) continue;
      for (int i = 0; i < n_corners; i++)
        corner[n_corners * n + i] = w->number[g->corner[g->corner_start[c] + i]];
      n++;
    }
    PetscCall(WriteSection(w, names[k], element_type[k], n_corners, n, corner, &w->n_of_kind[k]));
  }
  PetscCall(PetscFree(corner));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A family of the patch's name and a boundary condition over its elements. */
static PetscErrorCode NamePatch(GridWriter *w, const NearPatch *patch, GlobalId first, GlobalId n)
{
  PetscFunctionBeginUser;
  char name[CGNS_NAME];
  int family = 0, family_bc = 0, bc = 0;
  const cgsize_t range[2] = {(cgsize_t)first + 1, (cgsize_t)(first + n)};
  snprintf(name, sizeof name, "%.32s", patch->name);
  WriteCall(w, cg_family_write(w->file, w->base, name, &family));
  WriteCall(w, cg_fambc_write(w->file, w->base, family, "FamBC", bc_type(patch->hint), &family_bc));
  WriteCall(w, cg_boco_write(w->file, w->base, w->zone, name, CGNS_ENUMV(FamilySpecified),
                             CGNS_ENUMV(PointRange), 2, range, &bc));
  WriteCall(w, cg_boco_gridlocation_write(w->file, w->base, w->zone, bc, CGNS_ENUMV(FaceCenter)));
  WriteCall(w, cg_goto(w->file, w->base, "Zone_t", w->zone, "ZoneBC_t", 1, "BC_t", bc, "end"));
  WriteCall(w, cg_famname_write(name));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode WriterNamePatch(GridWriter *w, const NearPatch *patch, GlobalId first)
{
  PetscFunctionBeginUser;
  PetscErrorCode code = PETSC_SUCCESS;
  if (w->rank == 0 && w->n_elements > first)
    code = NamePatch(w, patch, first, w->n_elements - first);
  PetscCall(CgnsVerdict(w->grid->comm, code));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Triangles and quads of a patch, each as a section of their own. */
static PetscErrorCode WritePatch(GridWriter *w, const NearPatch *patch)
{
  PetscFunctionBeginUser;
  const NearGrid *g = w->grid;
  const GlobalId first = w->n_elements;
  GlobalId *corner = NULL, n_all = 0;
  PetscCall(PetscMalloc1(4 * (size_t)patch->n_faces, &corner));
  for (int m = 3; m <= 4; m++) {
    LocalId n = 0;
    for (LocalId i = 0; i < patch->n_faces; i++) {
      const LocalId f = patch->first_face - g->n_interior + i, begin = g->ring_start[f];
      if (g->ring_start[f + 1] - begin != m) continue;
      for (int k = 0; k < m; k++) corner[m * n + k] = w->number[g->ring[begin + k]];
      n++;
    }
    char name[CGNS_NAME];
    snprintf(name, sizeof name, "%.27s_%s", patch->name, m == 3 ? "tri" : "quad");
    PetscCall(WriteSection(w, name, m == 3 ? CGNS_ENUMV(TRI_3) : CGNS_ENUMV(QUAD_4), m, n, corner,
                           &n_all));
  }
  PetscCall(PetscFree(corner));
  PetscCall(WriterNamePatch(w, patch, first));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* One polyhedron makes all cells lists of polygons: programs read one kind or the other. */
static PetscErrorCode FindPolyhedra(GridWriter *w)
{
  PetscFunctionBeginUser;
  int any = 0;
  for (LocalId c = 0; c < w->grid->n_own; c++) any = any || w->grid->kind[c] == CELL_POLYHEDRON;
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &any, 1, MPI_INT, MPI_LOR, w->grid->comm));
  w->polyhedral = any != 0;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode GridWriterOpen(const NearGrid *grid, const char *path, GridWriter **writer)
{
  PetscFunctionBeginUser;
  GridWriter *w = NULL;
  PetscCall(PetscNew(&w));
  w->grid = grid;
  PetscCall(PetscStrallocpy(path, &w->path));
  snprintf(w->aside, sizeof w->aside, "%s.part", path);
  PetscCallMPI(MPI_Comm_rank(grid->comm, &w->rank));
  PetscCall(FindPolyhedra(w));
  PetscCall(WriteVertices(w));
  if (w->polyhedral) PetscCall(WriterPolyhedra(w));
  if (!w->polyhedral) PetscCall(WriteCells(w));
  for (int p = 0; p < grid->n_patches && !w->polyhedral; p++)
    PetscCall(WritePatch(w, &grid->patch[p]));
  *writer = w;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode WriterTakeField(void *context, GlobalId first, LocalId n, const void *record)
{
  PetscFunctionBeginUser;
  GridWriter *w = context;
  const cgsize_t lo = (cgsize_t)(w->first_element + first) + 1, hi = lo + n - 1;
  int id = 0;
  WriteCall(w, cg_field_partial_write(w->file, w->base, w->zone, w->solution,
                                      CGNS_ENUMV(RealDouble), w->field, &lo, &hi, record, &id));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode StartSolution(GridWriter *w)
{
  PetscFunctionBeginUser;
  WriteCall(w,
            cg_sol_write(w->file, w->base, w->zone, "Cells", CGNS_ENUMV(CellCenter), &w->solution));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode GridWriterField(GridWriter *w, const char *name, const double value[])
{
  PetscFunctionBeginUser;
  const NearGrid *g = w->grid;
  PetscErrorCode code = PETSC_SUCCESS;
  double *sorted = NULL;
  PetscCall(PetscMalloc1(g->n_own, &sorted));
  w->field = name;
  w->first_element = 0;
  if (w->rank == 0 && w->solution == 0) code = StartSolution(w);
  PetscCall(CgnsVerdict(g->comm, code));
  const int n_groups = w->polyhedral ? 1 : CELL_POLYHEDRON;
  for (int k = 0; k < n_groups; k++) {
    LocalId n = 0;
    for (LocalId c = 0; c < g->n_own; c++)
      if (w->polyhedral || g->kind[c] == (CellKind)k) sorted[n++] = value[c];
    code = StreamToFirst(g->comm, sizeof *sorted, n, sorted, WriterTakeField, w);
    PetscCall(CgnsVerdict(g->comm, code));
    w->first_element += w->n_of_kind[k];
  }
  PetscCall(PetscFree(sorted));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Finish(GridWriter *w)
{
  PetscFunctionBeginUser;
  WriteCall(w, cg_close(w->file));
  PetscCheck(rename(w->aside, w->path) == 0, PETSC_COMM_SELF, CAROM_ERR_FILE,
             "%s: cannot be written: %s", w->path, strerror(errno));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode GridWriterClose(GridWriter **writer)
{
  PetscFunctionBeginUser;
  GridWriter *w = *writer;
  if (w == NULL) PetscFunctionReturn(PETSC_SUCCESS);
  PetscErrorCode code = PETSC_SUCCESS;
  if (w->rank == 0) code = Finish(w);
  PetscCall(CgnsVerdict(w->grid->comm, code));
  PetscCall(PetscFree(w->number));
  PetscCall(PetscFree(w->path));
  PetscCall(PetscFree(*writer));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode GridFileWrite(const NearGrid *grid, const char *path)
{
  PetscFunctionBeginUser;
  GridWriter *writer = NULL;
  PetscCall(GridWriterOpen(grid, path, &writer));
  PetscCall(GridWriterClose(&writer));
  PetscFunctionReturn(PETSC_SUCCESS);
}
