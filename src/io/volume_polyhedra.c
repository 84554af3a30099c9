/*
 * Polyhedra: from the numbers of their faces to the corners of their faces.
 *
 * The polygons are fetched from the ranks that read them, a few corners at a time, so that the
 * rare face with many costs no room for all. Files are not of one mind about signs: the rings of
 * a cell are turned so that neighbours run along their common edge in opposite directions.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "comm/block.h"
#include "comm/route.h"
#include "grid/cell_faces.h"
#include "io/volume_read_impl.h"

#include <stdlib.h>

enum { PART = 6 };

typedef struct {
  GlobalId number;
  int first; /* corner asked for */
  LocalId place;
} PolygonCall;

typedef struct {
  int n; /* corners of the whole polygon; 0: there is none */
  GlobalId corner[PART];
} PolygonPart;

static PolygonPart answer(const VolumeRead *read, const PolygonCall *call)
{
  PolygonPart part = {0};
  const LocalId p = read->polygon[call->number - read->first_element];
  if (p < 0) return part;
  const LocalId first = read->outline.start[p];
  part.n = read->outline.start[p + 1] - first;
  for (int i = 0; i < PART && call->first + i < part.n; i++)
    part.corner[i] = read->outline.item[first + call->first + i];
  return part;
}

/* One round of calls; parts land beside them. */
static PetscErrorCode Ask(const VolumeRead *read, LocalId n, const PolygonCall call[],
                          PolygonPart part[])
{
  PetscFunctionBeginUser;
  int *to = NULL;
  Route *route = NULL;
  PolygonCall *got = NULL;
  PolygonPart *given = NULL;
  PetscCall(PetscMalloc1(n, &to));
  for (LocalId i = 0; i < n; i++)
    to[i] = block_owner(read->catalog->n_elements, read->size, call[i].number);
  PetscCall(RouteCreate(read->comm, n, to, &route));
  const LocalId m = route_n_arriving(route);
  PetscCall(PetscMalloc2(m, &got, m, &given));
  PetscCall(RouteSend(route, sizeof *call, call, got));
  for (LocalId i = 0; i < m; i++) given[i] = answer(read, &got[i]);
  PetscCall(RouteReply(route, sizeof *given, given, part));
  PetscCall(PetscFree2(got, given));
  PetscCall(RouteDestroy(&route));
  PetscCall(PetscFree(to));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Corners of n polygons: ring i is corner[i * RING_MOST] on, with count[i] corners. */
static PetscErrorCode FetchPolygons(const VolumeRead *read, LocalId n, const GlobalId number[],
                                    int count[], GlobalId *corner[])
{
  PetscFunctionBeginUser;
  PolygonCall *call = NULL;
  PolygonPart *part = NULL;
  int most = PART;
  PetscCall(PetscMalloc2(n, &call, n, &part));
  for (int first = 0; first < most; first += PART) {
    LocalId m = 0;
    for (LocalId i = 0; i < n; i++)
      if (first == 0 || count[i] > first) call[m++] = (PolygonCall){number[i], first, i};
    PetscCall(Ask(read, m, call, part));
    for (LocalId i = 0; i < m; i++) {
      const LocalId at = call[i].place;
      count[at] = part[i].n;
      if (first == 0) PetscCall(PetscMalloc1(PetscMax(part[i].n, 1), &corner[at]));
      for (int k = 0; k < PART && first + k < part[i].n; k++)
        corner[at][first + k] = part[i].corner[k];
      most = PetscMax(most, part[i].n);
    }
    PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_INT, MPI_MAX, read->comm));
  }
  PetscCall(PetscFree2(call, part));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* +1 if ring b has an edge of ring a in the same direction, -1 in the other, 0 in none. */
static int common_edge(int n, const GlobalId a[], int m, const GlobalId b[])
{
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < m; j++) {
      const GlobalId a0 = a[i], a1 = a[(i + 1) % n], b0 = b[j], b1 = b[(j + 1) % m];
      if (a0 == b0 && a1 == b1) return 1;
      if (a0 == b1 && a1 == b0) return -1;
    }
  }
  return 0;
}

static void turn(int n, GlobalId ring[])
{
  for (int i = 0, j = n - 1; i < j; i++, j--) {
    const GlobalId kept = ring[i];
    ring[i] = ring[j];
    ring[j] = kept;
  }
}

/* Make all rings run as the first, spreading over common edges. */
static void turn_alike(int n, const int count[], GlobalId *ring[], bool done[])
{
  for (int f = 0; f < n; f++) done[f] = f == 0;
  for (bool more = true; more;) {
    more = false;
    for (int f = 0; f < n; f++) {
      for (int g = 0; done[f] && g < n; g++) {
        const int way = done[g] ? 0 : common_edge(count[f], ring[f], count[g], ring[g]);
        if (way == 0) continue;
        if (way > 0) turn(count[g], ring[g]);
        done[g] = more = true;
      }
    }
  }
}

/* The rings of one cell as the list of a polyhedron. */
static PetscErrorCode AddPolyhedron(IdLists *to, int n, const int count[], GlobalId *ring[])
{
  PetscFunctionBeginUser;
  int n_items = n, at = 0;
  GlobalId *item = NULL;
  for (int f = 0; f < n; f++) n_items += count[f];
  PetscCall(PetscMalloc1(n_items, &item));
  for (int f = 0; f < n; f++) {
    item[at++] = count[f];
    for (int i = 0; i < count[f]; i++) item[at++] = ring[f][i];
  }
  PetscCall(IdListsAdd(to, n_items, item));
  PetscCall(PetscFree(item));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The numbers of all faces of all polyhedra here, as places in the row of elements. */
static PetscErrorCode ListFaces(VolumeRead *read, LocalId *n, GlobalId **number)
{
  PetscFunctionBeginUser;
  LocalId room = 0;
  for (LocalId c = 0; c < read->corner.n; c++)
    if (read->cell[c].kind == CELL_POLYHEDRON)
      room += read->corner.start[c + 1] - read->corner.start[c];
  PetscCall(PetscMalloc1(room, number));
  *n = 0;
  for (LocalId c = 0; c < read->corner.n; c++) {
    if (read->cell[c].kind != CELL_POLYHEDRON) continue;
    for (LocalId i = read->corner.start[c]; i < read->corner.start[c + 1]; i++) {
      const GlobalId face = read->corner.item[i] < 0 ? -read->corner.item[i] : read->corner.item[i];
      const VolumeRun *run = volume_find_element(read->catalog, read->cell[c].zone, face);
      if (run == NULL)
        volume_problem(read, "zone %s: a polyhedron has face %lld, which is not there",
                       read->catalog->zone[read->cell[c].zone].name, (long long)face);
      (*number)[(*n)++] = run != NULL ? run->first + face - run->start : 0;
    }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Rebuild(VolumeRead *read, int count[], GlobalId *ring[])
{
  PetscFunctionBeginUser;
  IdLists made = {0};
  bool *done = NULL;
  LocalId at = 0, most = 1;
  for (LocalId c = 0; c < read->corner.n; c++)
    most = PetscMax(most, read->corner.start[c + 1] - read->corner.start[c]);
  PetscCall(PetscMalloc1(most, &done));
  for (LocalId c = 0; c < read->corner.n; c++) {
    const LocalId first = read->corner.start[c], n = read->corner.start[c + 1] - first;
    if (read->cell[c].kind != CELL_POLYHEDRON) {
      PetscCall(IdListsAdd(&made, n, read->corner.item + first));
      continue;
    }
    for (LocalId f = 0; f < n; f++) {
      if (count[at + f] == 0)
        volume_problem(read, "zone %s: a polyhedron has a face that is no polygon",
                       read->catalog->zone[read->cell[c].zone].name);
      if (read->corner.item[first + f] < 0) turn(count[at + f], ring[at + f]);
    }
    turn_alike(n, count + at, ring + at, done);
    PetscCall(AddPolyhedron(&made, n, count + at, ring + at));
    at += n;
  }
  PetscCall(PetscFree(done));
  PetscCall(IdListsFree(&read->corner));
  read->corner = made;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode VolumePolyhedra(VolumeRead *read)
{
  PetscFunctionBeginUser;
  LocalId n = 0;
  GlobalId *number = NULL, **ring = NULL;
  int *count = NULL, any = 0;
  PetscCall(ListFaces(read, &n, &number));
  any = n > 0;
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &any, 1, MPI_INT, MPI_MAX, read->comm));
  if (any) {
    PetscCall(PetscCalloc2(n, &count, n, &ring));
    PetscCall(FetchPolygons(read, n, number, count, ring));
    PetscCall(Rebuild(read, count, ring));
    for (LocalId i = 0; i < n; i++) PetscCall(PetscFree(ring[i]));
    PetscCall(PetscFree2(count, ring));
  }
  PetscCall(PetscFree(number));
  PetscFunctionReturn(PETSC_SUCCESS);
}
