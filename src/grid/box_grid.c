#include "grid/box_grid.h"

#include "base/hash.h"
#include "comm/block.h"

#include <string.h>

struct BoxGrid {
  BoxGridSpec spec;
  GridInput input;
  Vec3 *vertex; /* owned, as all below; the input borrows them */
  CellKind *kind;
  LocalId *corner_start, *face_start;
  GlobalId *corner, *face_corner;
  int *face_patch;
  PatchInput patch[6];
  PeriodicInput periodic[3];
};

/* Corners of a hexahedron on the lattice, and the cells it is cut into. The cut follows the main
 * diagonal 0-6 of every hexahedron, so that neighbours agree on the diagonal of their face. */
static const int lattice[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                  {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
static const int prisms[2][6] = {{0, 1, 2, 4, 5, 6}, {0, 2, 3, 4, 6, 7}};
static const int tetras[6][4] = {{0, 1, 2, 6}, {0, 2, 3, 6}, {0, 3, 7, 6},
                                 {0, 7, 4, 6}, {0, 4, 5, 6}, {0, 5, 1, 6}};

static int pieces(CellKind kind)
{
  return kind == CELL_TETRA ? 6 : kind == CELL_PRISM ? 2 : 1;
}

static GlobalId vertex_of(const int n[3], GlobalId i, GlobalId j, GlobalId k)
{
  return i + (n[0] + 1) * (j + (GlobalId)(n[1] + 1) * k);
}

/* A number in [-1, 1) from vertex, direction and seed. */
static double shake_of(const BoxGridSpec *spec, GlobalId vertex, int d)
{
  const uint64_t word = hash_word(spec->seed, hash_word((uint64_t)vertex, (uint64_t)d));
  return (double)(word >> 11) * 0x1p-52 - 1.0;
}

static Vec3 place_vertex(const BoxGridSpec *spec, GlobalId v)
{
  const int *n = spec->n;
  const GlobalId at[3] = {v % (n[0] + 1), v / (n[0] + 1) % (n[1] + 1), v / (n[0] + 1) / (n[1] + 1)};
  const Vec3 lo = spec->box.lo, size = box_size(spec->box);
  bool inside = true;
  for (int d = 0; d < 3; d++) inside = inside && at[d] > 0 && at[d] < n[d];
  double x[3];
  for (int d = 0; d < 3; d++) {
    const double move = inside ? spec->shake * shake_of(spec, v, d) : 0.0;
    x[d] = vec3_at(lo, d) + ((double)at[d] + move) / n[d] * vec3_at(size, d);
  }
  const Vec3 p = {x[0], x[1], x[2]};
  return spec->map != NULL ? spec->map(p, spec->context) : p;
}

static void set_cell(const BoxGridSpec *spec, GlobalId cell, GlobalId corner[8], int *n_corners)
{
  const int *n = spec->n, m = pieces(spec->kind);
  const GlobalId hexa = cell / m;
  const int piece = (int)(cell % m);
  const GlobalId i = hexa % n[0], j = hexa / n[0] % n[1], k = hexa / n[0] / n[1];
  *n_corners = m == 6 ? 4 : m == 2 ? 6 : 8;
  for (int c = 0; c < *n_corners; c++) {
    const int *o = lattice[m == 6 ? tetras[piece][c] : m == 2 ? prisms[piece][c] : c];
    corner[c] = vertex_of(n, i + o[0], j + o[1], k + o[2]);
  }
}

static PetscErrorCode FillVertices(MPI_Comm comm, BoxGrid *box)
{
  PetscFunctionBeginUser;
  const int *n = box->spec.n;
  int rank = 0, size = 0;
  PetscCallMPI(MPI_Comm_rank(comm, &rank));
  PetscCallMPI(MPI_Comm_size(comm, &size));
  const GlobalId all = (GlobalId)(n[0] + 1) * (n[1] + 1) * (n[2] + 1);
  const GlobalId first = block_first(all, size, rank);
  const LocalId here = block_count(all, size, rank);
  PetscCall(PetscMalloc1(here, &box->vertex));
  for (LocalId v = 0; v < here; v++) box->vertex[v] = place_vertex(&box->spec, first + v);
  box->input.n_vertices = all;
  box->input.vertex = box->vertex;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode FillCells(MPI_Comm comm, BoxGrid *box)
{
  PetscFunctionBeginUser;
  GridInput *input = &box->input;
  const int *n = box->spec.n;
  int rank = 0, size = 0;
  PetscCallMPI(MPI_Comm_rank(comm, &rank));
  PetscCallMPI(MPI_Comm_size(comm, &size));
  input->n_cells = (GlobalId)n[0] * n[1] * n[2] * pieces(box->spec.kind);
  input->first_cell = block_first(input->n_cells, size, rank);
  const LocalId here = input->n_cells_here = block_count(input->n_cells, size, rank);
  PetscCall(
      PetscMalloc3(here, &box->kind, here + 1, &box->corner_start, 8 * (size_t)here, &box->corner));
  LocalId at = 0;
  for (LocalId c = 0; c < here; c++) {
    int n_corners = 0;
    GlobalId corner[8];
    set_cell(&box->spec, input->first_cell + c, corner, &n_corners);
    box->kind[c] = box->spec.kind;
    box->corner_start[c] = at;
    for (int i = 0; i < n_corners; i++) box->corner[at++] = corner[i];
  }
  box->corner_start[here] = at;
  input->kind = box->kind;
  input->corner_start = box->corner_start;
  input->corner = box->corner;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The square at (p, q) of a side, cut as the cells behind it are. */
static LocalId add_square(BoxGrid *box, int side, GlobalId p, GlobalId q, LocalId f)
{
  const int *n = box->spec.n, d = side / 2, e = (d + 1) % 3, g = (d + 2) % 3;
  GlobalId corner[4];
  for (int c = 0; c < 4; c++) {
    GlobalId at[3];
    at[d] = side % 2 == 0 ? 0 : n[d];
    at[e] = p + (c == 1 || c == 2);
    at[g] = q + (c == 2 || c == 3);
    corner[c] = vertex_of(n, at[0], at[1], at[2]);
  }
  const bool cut = box->spec.kind == CELL_TETRA || (box->spec.kind == CELL_PRISM && d == 2);
  static const int half[2][3] = {{0, 1, 2}, {0, 2, 3}};
  for (int h = 0; h < (cut ? 2 : 1); h++) {
    const LocalId first = box->face_start[f];
    const int m = cut ? 3 : 4;
    for (int i = 0; i < m; i++) box->face_corner[first + i] = corner[cut ? half[h][i] : i];
    box->face_patch[f] = side;
    box->face_start[++f] = first + m;
  }
  return f;
}

/* Squares of all six sides in one row, dealt in equal runs. */
static PetscErrorCode FillFaces(MPI_Comm comm, BoxGrid *box)
{
  PetscFunctionBeginUser;
  const int *n = box->spec.n;
  int rank = 0, size = 0;
  PetscCallMPI(MPI_Comm_rank(comm, &rank));
  PetscCallMPI(MPI_Comm_size(comm, &size));
  GlobalId all = 0;
  for (int d = 0; d < 3; d++) all += 2 * (GlobalId)n[(d + 1) % 3] * n[(d + 2) % 3];
  const LocalId here = block_count(all, size, rank);
  PetscCall(PetscMalloc3(2 * here + 1, &box->face_start, 6 * (size_t)here, &box->face_corner,
                         2 * (size_t)here, &box->face_patch));
  box->face_start[0] = 0;
  LocalId f = 0;
  for (LocalId i = 0; i < here; i++) {
    GlobalId at = block_first(all, size, rank) + i;
    int side = 0;
    for (;; side++) {
      const GlobalId squares = (GlobalId)n[(side / 2 + 1) % 3] * n[(side / 2 + 2) % 3];
      if (at < squares) break;
      at -= squares;
    }
    const int across = n[(side / 2 + 1) % 3];
    f = add_square(box, side, at % across, at / across, f);
  }
  box->input.n_faces_here = f;
  box->input.face_start = box->face_start;
  box->input.face_corner = box->face_corner;
  box->input.face_patch = box->face_patch;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void name_sides(BoxGrid *box)
{
  static const char *const name[6] = {"xmin", "xmax", "ymin", "ymax", "zmin", "zmax"};
  for (int p = 0; p < 6; p++) snprintf(box->patch[p].name, PATCH_NAME, "%s", name[p]);
  box->input.n_patches = 6;
  box->input.patch = box->patch;
  const Vec3 size = box_size(box->spec.box);
  const Vec3 shift[3] = {{size.x, 0, 0}, {0, size.y, 0}, {0, 0, size.z}};
  for (int d = 0; d < 3; d++)
    if (box->spec.periodic[d])
      box->periodic[box->input.n_periodic++] = (PeriodicInput){2 * d, 2 * d + 1, shift[d]};
  box->input.periodic = box->periodic;
}

PetscErrorCode BoxGridCreate(MPI_Comm comm, const char *name, const BoxGridSpec *spec,
                             BoxGrid **box)
{
  PetscFunctionBeginUser;
  PetscCheck(spec->n[0] > 0 && spec->n[1] > 0 && spec->n[2] > 0, comm, PETSC_ERR_USER_INPUT,
             "%s: a box of %d x %d x %d cells", name, spec->n[0], spec->n[1], spec->n[2]);
  PetscCheck(spec->kind == CELL_HEXA || spec->kind == CELL_PRISM || spec->kind == CELL_TETRA, comm,
             PETSC_ERR_ARG_OUTOFRANGE, "a box is made of hexahedra, prisms or tetrahedra");
  BoxGrid *self = NULL;
  PetscCall(PetscNew(&self));
  self->spec = *spec;
  self->input.name = name;
  name_sides(self);
  PetscCall(FillVertices(comm, self));
  PetscCall(FillCells(comm, self));
  PetscCall(FillFaces(comm, self));
  *box = self;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode BoxGridDestroy(BoxGrid **box)
{
  PetscFunctionBeginUser;
  if (*box == NULL) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscFree((*box)->vertex));
  PetscCall(PetscFree3((*box)->kind, (*box)->corner_start, (*box)->corner));
  PetscCall(PetscFree3((*box)->face_start, (*box)->face_corner, (*box)->face_patch));
  PetscCall(PetscFree(*box));
  PetscFunctionReturn(PETSC_SUCCESS);
}

const GridInput *box_grid_input(const BoxGrid *box)
{
  return &box->input;
}
