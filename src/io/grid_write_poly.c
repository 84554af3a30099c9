/*
 * Grids with polyhedra: faces as polygons, cells as lists of faces.
 *
 * Faces between cells come first, in the order of their lower cell and its own list, so that the
 * file does not depend on the ranks; then the faces of each patch as a section of its own. A face
 * is written by the rank of its lower cell; the rank of the other asks for its number.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/hash.h"
#include "comm/block.h"
#include "comm/route.h"
#include "grid/cell_faces.h"
#include "grid/ring.h"
#include "io/grid_write_impl.h"

/* The rings of all faces of own cells, as the cell that is at hand first sees them. */
typedef struct {
  LocalId *start; /* owned, n_faces: where the ring of a face begins; -1 not yet known */
  int *n;         /* owned, n_faces */
  LocalId *ring;  /* owned */
} FaceRings;

/* Walk a cell along its list of faces; false if a face of the definition is none of the grid. */
static bool next_kept(const NearGrid *g, FaceWalk *walk, double size)
{
  while (face_walk_next(walk)) {
    ring_begin_lowest(walk->n, walk->ring);
    if (walk->n > 0 && !ring_is_flat(walk->n, walk->ring, g->vertex, size)) return true;
  }
  return false;
}

static PetscErrorCode FaceRingsCreate(const NearGrid *g, FaceRings *rings)
{
  PetscFunctionBeginUser;
  LocalId room = 0;
  const double size = box_largest_coordinate(g->box);
  for (int way = 0; way < 2; way++) {
    LocalId at = 0;
    for (LocalId c = 0; c < g->n_own; c++) {
      const LocalId first = g->corner_start[c];
      FaceWalk walk = face_walk(g->kind[c], g->corner_start[c + 1] - first, g->corner + first);
      for (LocalId k = g->face_start[c]; k < g->face_start[c + 1]; k++) {
        PetscCheck(next_kept(g, &walk, size), PETSC_COMM_SELF, PETSC_ERR_PLIB,
                   "a cell has more faces than its definition");
        const LocalId f = g->face[k];

        /* Of the two cells of a face the left one sees it as it is written. */
        if (way == 1 && (rings->start[f] < 0 || g->face_sign[k] > 0)) {
          rings->start[f] = at;
          rings->n[f] = walk.n;
          for (int i = 0; i < walk.n; i++) rings->ring[at + i] = walk.ring[i];
        }
        at += walk.n;
      }
    }
    room = at;
    if (way == 1) break;
    PetscCall(PetscMalloc3(g->n_faces, &rings->start, g->n_faces, &rings->n, room, &rings->ring));
    for (LocalId f = 0; f < g->n_faces; f++) rings->start[f] = -1;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Tells the faces of a cell apart, whoever looks. */
static uint64_t ring_name(const NearGrid *g, const FaceRings *rings, LocalId f)
{
  uint64_t sum = 0;
  for (int i = 0; i < rings->n[f]; i++)
    sum += hash_word(0, (uint64_t)g->vertex_id[rings->ring[rings->start[f] + i]]);
  return sum;
}

/* Add the ring of a face to lists, by the numbers of the file. */
static PetscErrorCode AddRing(const GridWriter *w, const FaceRings *rings, LocalId f, IdLists *to)
{
  PetscFunctionBeginUser;
  GlobalId item[RING_MOST];
  for (int i = 0; i < rings->n[f]; i++) item[i] = w->number[rings->ring[rings->start[f] + i]];
  PetscCall(IdListsAdd(to, rings->n[f], item));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode FirstOf(MPI_Comm comm, GlobalId here, GlobalId *first)
{
  PetscFunctionBeginUser;
  int rank = 0;
  GlobalId before = 0;
  PetscCallMPI(MPI_Comm_rank(comm, &rank));
  PetscCallMPI(MPI_Exscan(&here, &before, 1, MPIU_INT64, MPI_SUM, comm));
  *first = rank == 0 ? 0 : before;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Faces between cells that this rank writes, and their numbers. */
static PetscErrorCode WriteInterior(GridWriter *w, const FaceRings *rings, GlobalId number[])
{
  PetscFunctionBeginUser;
  const NearGrid *g = w->grid;
  IdLists lists = {0};
  GlobalId first = 0, n = 0;
  for (LocalId f = 0; f < g->n_interior; f++) n += g->left[f] < g->n_own;
  PetscCall(FirstOf(g->comm, n, &first));
  for (LocalId c = 0; c < g->n_own; c++) {
    for (LocalId k = g->face_start[c]; k < g->face_start[c + 1]; k++) {
      const LocalId f = g->face[k];
      if (f >= g->n_interior || g->left[f] != c) continue;
      number[f] = w->n_elements + first + lists.n + 1;
      PetscCall(AddRing(w, rings, f, &lists));
    }
  }
  PetscCall(WriterLists(w, "Faces", WRITER_POLYGONS, &lists));
  PetscCall(IdListsFree(&lists));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode WritePatches(GridWriter *w, const FaceRings *rings, GlobalId number[])
{
  PetscFunctionBeginUser;
  const NearGrid *g = w->grid;
  for (int p = 0; p < g->n_patches; p++) {
    const NearPatch *patch = &g->patch[p];
    const GlobalId begin = w->n_elements;
    IdLists lists = {0};
    GlobalId first = 0;
    PetscCall(FirstOf(g->comm, patch->n_faces, &first));
    for (LocalId i = 0; i < patch->n_faces; i++) {
      number[patch->first_face + i] = begin + first + i + 1;
      PetscCall(AddRing(w, rings, patch->first_face + i, &lists));
    }
    char name[PATCH_NAME];
    snprintf(name, sizeof name, "%.27s_poly", patch->name);
    PetscCall(WriterLists(w, name, WRITER_POLYGONS, &lists));
    PetscCall(WriterNamePatch(w, patch, begin));
    PetscCall(IdListsFree(&lists));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A face another rank writes. */
typedef struct {
  uint64_t name;
  GlobalId cell; /* its lower cell */
  LocalId face;
} NumberCall;

static GlobalId find_number(const NearGrid *g, const FaceRings *rings, const GlobalId number[],
                            const NumberCall *call)
{
  const LocalId c = (LocalId)(call->cell - g->first);
  for (LocalId k = g->face_start[c]; k < g->face_start[c + 1]; k++)
    if (ring_name(g, rings, g->face[k]) == call->name) return number[g->face[k]];
  return 0;
}

static PetscErrorCode AskNumbers(const NearGrid *g, const FaceRings *rings, GlobalId number[])
{
  PetscFunctionBeginUser;
  int size = 0, *to = NULL;
  LocalId n = 0;
  NumberCall *call = NULL, *got = NULL;
  GlobalId *given = NULL, *answer = NULL;
  Route *route = NULL;
  PetscCallMPI(MPI_Comm_size(g->comm, &size));
  const LocalId room = g->n_interior - g->n_inner;
  PetscCall(PetscMalloc3(room, &call, room, &to, room, &answer));
  for (LocalId f = g->n_inner; f < g->n_interior; f++) {
    if (g->left[f] < g->n_own) continue;
    call[n] = (NumberCall){ring_name(g, rings, f), g->cell_id[g->left[f]], f};
    to[n] = block_owner(g->n_global, size, call[n].cell);
    n++;
  }
  PetscCall(RouteCreate(g->comm, n, to, &route));
  const LocalId m = route_n_arriving(route);
  PetscCall(PetscMalloc2(m, &got, m, &given));
  PetscCall(RouteSend(route, sizeof *call, call, got));
  for (LocalId i = 0; i < m; i++) given[i] = find_number(g, rings, number, &got[i]);
  PetscCall(RouteReply(route, sizeof *given, given, answer));
  for (LocalId i = 0; i < n; i++) number[call[i].face] = answer[i];
  PetscCall(PetscFree2(got, given));
  PetscCall(PetscFree3(call, to, answer));
  PetscCall(RouteDestroy(&route));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode WriteCells(GridWriter *w, const GlobalId number[])
{
  PetscFunctionBeginUser;
  const NearGrid *g = w->grid;
  IdLists lists = {0};
  GlobalId *item = NULL;
  LocalId most = 1;
  for (LocalId c = 0; c < g->n_own; c++)
    most = PetscMax(most, g->face_start[c + 1] - g->face_start[c]);
  PetscCall(PetscMalloc1(most, &item));
  for (LocalId c = 0; c < g->n_own; c++) {
    const LocalId first = g->face_start[c], n = g->face_start[c + 1] - first;
    for (LocalId k = 0; k < n; k++)
      item[k] =
          g->face_sign[first + k] > 0 ? number[g->face[first + k]] : -number[g->face[first + k]];
    PetscCall(IdListsAdd(&lists, n, item));
  }
  PetscCall(WriterLists(w, "Polyhedra", WRITER_POLYHEDRA, &lists));
  PetscCall(PetscFree(item));
  PetscCall(IdListsFree(&lists));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode WriterPolyhedra(GridWriter *w)
{
  PetscFunctionBeginUser;
  FaceRings rings = {0};
  GlobalId *number = NULL;
  PetscCall(FaceRingsCreate(w->grid, &rings));
  PetscCall(PetscCalloc1(w->grid->n_faces, &number));
  PetscCall(WriteInterior(w, &rings, number));
  PetscCall(WritePatches(w, &rings, number));
  PetscCall(AskNumbers(w->grid, &rings, number));
  PetscCall(WriteCells(w, number));
  PetscCall(PetscFree(number));
  PetscCall(PetscFree3(rings.start, rings.n, rings.ring));
  PetscFunctionReturn(PETSC_SUCCESS);
}
