/*
 * What files leave out or have the wrong way round, and how it is put right.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/hash.h"
#include "base/sort.h"
#include "comm/route.h"
#include "io/grid_file_impl.h"

#include <string.h>

PetscErrorCode VolumeNameSections(VolumeFile *file)
{
  PetscFunctionBeginUser;
  VolumeRead *read = &file->read;
  int *own = NULL, *patch = NULL;
  if (read->mark_words == 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscMalloc2(read->ring.n, &own, read->ring.n, &patch));
  for (LocalId f = 0; f < read->ring.n; f++) own[f] = read->face[f].patch;
  PetscCall(VolumeAskMarks(read, &read->ring, own, patch));
  for (LocalId f = 0; f < read->ring.n; f++)
    if (read->face[f].source == NAMED_BY_SECTION && patch[f] >= 0) read->face[f].patch = patch[f];
  PetscCall(PetscFree2(own, patch));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode VolumeNameOpen(VolumeFile *file, const GridSurvey *survey)
{
  PetscFunctionBeginUser;
  VolumeRead *read = &file->read;
  int *own = NULL, *patch = NULL;
  if (read->mark_words == 0) PetscFunctionReturn(PETSC_SUCCESS);
  const LocalId n = survey->n_open;
  const IdLists rings = {.n = n, .start = survey->start, .item = survey->ring};
  PetscCall(PetscMalloc2(n, &own, n, &patch));
  for (LocalId f = 0; f < n; f++) own[f] = -1;
  PetscCall(VolumeAskMarks(read, &rings, own, patch));
  for (LocalId f = 0; f < n; f++) {
    if (patch[f] < 0) continue;
    PetscCall(RoomFor(read->ring.n, &read->face_room, sizeof *read->face, &read->face));
    read->face[read->ring.n] = (FaceFacts){patch[f], NAMED_BY_BOUNDARY};
    PetscCall(
        IdListsAdd(&read->ring, rings.start[f + 1] - rings.start[f], rings.item + rings.start[f]));
  }
  PetscCall(PetscFree2(own, patch));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void swap(GlobalId corner[], int i, int j)
{
  const GlobalId kept = corner[i];
  corner[i] = corner[j];
  corner[j] = kept;
}

/* The same cell seen in a mirror. */
static void turn_cell(CellKind kind, int n, GlobalId corner[])
{
  if (kind == CELL_TETRA) swap(corner, 1, 2);
  if (kind == CELL_PYRAMID) swap(corner, 1, 3);
  for (int i = 0; i < n / 2 && (kind == CELL_PRISM || kind == CELL_HEXA); i++)
    swap(corner, i, i + n / 2);
  for (int at = 0; at < n && kind == CELL_POLYHEDRON; at += (int)corner[at] + 1)
    for (int i = 1, j = (int)corner[at]; i < j; i++, j--) swap(corner, at + i, at + j);
}

PetscErrorCode VolumeTurnCells(VolumeFile *file, const double volume[], GridNotes *notes)
{
  PetscFunctionBeginUser;
  VolumeRead *read = &file->read;
  const int n_zones = file->catalog->n_zones;
  GlobalId *count = NULL; /* cells of either sense per zone */
  PetscCall(PetscCalloc1(2 * (size_t)n_zones, &count));
  for (LocalId c = 0; c < read->corner.n; c++)
    if (read->cell[c].kind != CELL_POLYHEDRON) count[2 * read->cell[c].zone + (volume[c] > 0.0)]++;
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, count, 2 * n_zones, MPIU_INT64, MPI_SUM, read->comm));
  for (LocalId c = 0; c < read->corner.n; c++) {
    const LocalId first = read->corner.start[c], n = read->corner.start[c + 1] - first;
    const int z = read->cell[c].zone;
    const bool polyhedron = read->cell[c].kind == CELL_POLYHEDRON;
    const bool all_turned = count[2 * z] > 0 && count[2 * z + 1] == 0;
    if (polyhedron ? volume[c] < 0.0 : all_turned)
      turn_cell(read->cell[c].kind, n, read->corner.item + first);
  }
  int n_turned = 0, last = 0;
  for (int z = 0; z < n_zones; z++) {
    if (count[2 * z] == 0 || count[2 * z + 1] > 0) continue;
    n_turned++;
    last = z;
  }
  if (n_turned == 1)
    grid_note(notes, "zone %s is left-handed; its cells are turned",
              file->catalog->zone[last].name);
  if (n_turned > 1) grid_note(notes, "%d zones are left-handed; their cells are turned", n_turned);
  PetscCall(PetscFree(count));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode VolumeDropPatches(VolumeFile *file)
{
  PetscFunctionBeginUser;
  VolumeRead *read = &file->read;
  VolumeCatalog *catalog = file->catalog;
  int *used = NULL, kept = 0;
  PetscCall(PetscCalloc1(catalog->n_patches, &used));
  for (LocalId f = 0; f < read->ring.n; f++) used[read->face[f].patch] = 1;
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, used, catalog->n_patches, MPI_INT, MPI_MAX, read->comm));
  for (int p = 0; p < catalog->n_patches; p++) {
    if (used[p]) catalog->patch[kept] = catalog->patch[p];
    used[p] = used[p] ? kept++ : -1;
  }
  catalog->n_patches = kept;
  for (LocalId f = 0; f < read->ring.n; f++) read->face[f].patch = used[read->face[f].patch];
  PetscCall(PetscFree(used));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A cell by where its corners stand. */
typedef struct {
  uint64_t shape;
  GlobalId number;
  int base, drop;
  LocalId place;
} ShapeCall;

static int compare_shapes(const void *a, const void *b)
{
  const ShapeCall *p = a, *q = b;
  if (p->shape != q->shape) return p->shape < q->shape ? -1 : 1;
  if (p->base != q->base) return p->base - q->base;
  return p->number < q->number ? -1 : p->number > q->number;
}

/* Of cells with one shape those of the first base stay. */
static PetscErrorCode JudgeShapes(const VolumeRead *read, LocalId n, const ShapeCall call[],
                                  int drop[])
{
  PetscFunctionBeginUser;
  int *to = NULL, *given = NULL;
  ShapeCall *got = NULL;
  Route *route = NULL;
  PetscCall(PetscMalloc1(n, &to));
  for (LocalId i = 0; i < n; i++) to[i] = (int)(call[i].shape % (uint64_t)read->size);
  PetscCall(RouteCreate(read->comm, n, to, &route));
  const LocalId m = route_n_arriving(route);
  PetscCall(PetscMalloc2(m, &got, m, &given));
  PetscCall(RouteSend(route, sizeof *call, call, got));
  for (LocalId i = 0; i < m; i++) got[i].place = i;
  sort_fast(got, (size_t)m, sizeof *got, compare_shapes);
  for (LocalId i = 0, first = 0; i < m; i++) {
    if (got[i].shape != got[first].shape) first = i;
    given[got[i].place] = got[i].base != got[first].base;
  }
  PetscCall(RouteReply(route, sizeof *given, given, drop));
  PetscCall(PetscFree2(got, given));
  PetscCall(RouteDestroy(&route));
  PetscCall(PetscFree(to));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The sum over corners of a hash of where they stand; their order does not matter. */
static PetscErrorCode ListShapes(const VolumeRead *read, ShapeCall call[])
{
  PetscFunctionBeginUser;
  const LocalId n = read->corner.n > 0 ? read->corner.start[read->corner.n] : 0;
  GlobalId *id = NULL;
  Vec3 *at = NULL;
  PetscCall(PetscMalloc2(n, &id, n, &at));
  for (LocalId i = 0; i < n; i++)
    id[i] = PetscMin(read->corner.item[i], read->catalog->n_vertices - 1);
  PetscCall(BlockFetch(read->comm, read->catalog->n_vertices, sizeof *at, read->vertex, n, id, at));
  for (LocalId c = 0; c < read->corner.n; c++) {
    uint64_t shape = 0;
    for (LocalId i = read->corner.start[c]; i < read->corner.start[c + 1]; i++)
      shape += hash_bytes(0, &at[i], sizeof at[i]);
    call[c] = (ShapeCall){.shape = shape,
                          .number = read->cell[c].number,
                          .base = read->catalog->zone[read->cell[c].zone].base};
  }
  PetscCall(PetscFree2(id, at));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode VolumeDropRepeats(VolumeFile *file, GlobalId *n_dropped)
{
  PetscFunctionBeginUser;
  VolumeRead *read = &file->read;
  const VolumeCatalog *catalog = file->catalog;
  ShapeCall *call = NULL;
  int *drop = NULL;
  IdLists kept = {0};
  *n_dropped = 0;
  if (catalog->zone[0].base == catalog->zone[catalog->n_zones - 1].base)
    PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscMalloc2(read->corner.n, &call, read->corner.n, &drop));
  PetscCall(ListShapes(read, call));
  PetscCall(JudgeShapes(read, read->corner.n, call, drop));
  for (LocalId c = 0; c < read->corner.n; c++) {
    const LocalId first = read->corner.start[c], n = read->corner.start[c + 1] - first;
    *n_dropped += drop[c];
    if (drop[c]) continue;
    read->cell[kept.n] = read->cell[c];
    PetscCall(IdListsAdd(&kept, n, read->corner.item + first));
  }
  PetscCall(IdListsFree(&read->corner));
  read->corner = kept;
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, n_dropped, 1, MPIU_INT64, MPI_SUM, read->comm));
  PetscCall(PetscFree2(call, drop));
  PetscFunctionReturn(PETSC_SUCCESS);
}
