/*
 * Which boundary does a face belong to, as the file says?
 *
 * A boundary condition may list faces of a block, elements, or vertices. Elements are told their
 * patch by the ranks that read the lists. Vertices carry one bit per patch; a face belongs to a
 * patch whose bit all its corners carry. The name of a section counts where nothing else does.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "comm/block.h"
#include "comm/route.h"
#include "grid/cell_faces.h"
#include "grid/merge.h"
#include "io/volume_read_impl.h"

#include <string.h>

static PetscErrorCode AddFace(VolumeRead *read, FaceFacts facts, int n, const GlobalId corner[])
{
  PetscFunctionBeginUser;
  PetscCall(RoomFor(read->ring.n, &read->face_room, sizeof facts, &read->face));
  read->face[read->ring.n] = facts;
  PetscCall(IdListsAdd(&read->ring, n, corner));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The face of a block at `index` (from one), across direction d. */
static PetscErrorCode AddBlockFace(VolumeRead *read, const VolumeBoundary *boundary,
                                   const GlobalId index[3])
{
  PetscFunctionBeginUser;
  const VolumeZone *zone = &read->catalog->zone[boundary->zone];
  const int d = boundary->normal, e = (d + 1) % 3, g = (d + 2) % 3;
  const GlobalId stride[3] = {1, zone->dim[0], zone->dim[0] * zone->dim[1]};
  GlobalId a = zone->first_vertex;
  for (int k = 0; k < 3; k++) {
    const GlobalId most = k == d ? zone->dim[k] : zone->dim[k] - 1;
    if (index[k] < 1 || index[k] > most) {
      volume_problem(read, "zone %s: boundary %s reaches beyond the zone", zone->name,
                     read->catalog->patch[boundary->patch].name);
      PetscFunctionReturn(PETSC_SUCCESS);
    }
    a += (index[k] - 1) * stride[k];
  }
  const GlobalId corner[4] = {a, a + stride[e], a + stride[e] + stride[g], a + stride[g]};
  PetscCall(AddFace(read, (FaceFacts){boundary->patch, NAMED_BY_BOUNDARY}, 4, corner));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* This rank's share of a range of faces of a block. */
static PetscErrorCode NameBlockRange(VolumeRead *read, const VolumeBoundary *boundary)
{
  PetscFunctionBeginUser;
  GlobalId n[3], all = 1;
  for (int d = 0; d < 3; d++) {
    n[d] = PetscMax(boundary->hi[d] - boundary->lo[d] + 1, 0);
    all *= n[d];
  }
  const GlobalId end = block_first(all, read->size, read->rank + 1);
  for (GlobalId i = block_first(all, read->size, read->rank); i < end; i++) {
    const GlobalId index[3] = {boundary->lo[0] + i % n[0], boundary->lo[1] + i / n[0] % n[1],
                               boundary->lo[2] + i / n[0] / n[1]};
    PetscCall(AddBlockFace(read, boundary, index));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The points of a boundary given by a list; read by one rank. */
static PetscErrorCode ReadList(VolumeRead *read, const VolumeBoundary *boundary, cgsize_t **list)
{
  PetscFunctionBeginUser;
  const VolumeZone *zone = &read->catalog->zone[boundary->zone];
  PetscCall(PetscCalloc1(3 * (size_t)boundary->n + 1, list));
  const int code =
      boundary->number > 0
          ? cg_boco_read(read->file, zone->base, zone->zone, boundary->number, *list, NULL)
          : cg_conn_read_short(read->file, zone->base, zone->zone, boundary->connection, *list);
  if (code != CG_OK)
    volume_problem(read, "zone %s: boundary %s cannot be read: %s", zone->name,
                   read->catalog->patch[boundary->patch].name, cg_get_error());
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Something in a row, dealt in blocks, that a boundary names. */
typedef struct {
  GlobalId at;
  int patch;
} Naming;

typedef struct {
  LocalId n, room;
  Naming *one; /* owned */
} Namings;

static PetscErrorCode AddNaming(Namings *namings, GlobalId at, int patch)
{
  PetscFunctionBeginUser;
  PetscCall(RoomFor(namings->n, &namings->room, sizeof *namings->one, &namings->one));
  namings->one[namings->n++] = (Naming){at, patch};
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Send namings to the owners of what they name, in a row of n_all. */
static PetscErrorCode SendNamings(const VolumeRead *read, GlobalId n_all, Namings *namings)
{
  PetscFunctionBeginUser;
  int *to = NULL;
  Route *route = NULL;
  Naming *got = NULL;
  PetscCall(PetscMalloc1(namings->n, &to));
  for (LocalId i = 0; i < namings->n; i++)
    to[i] = block_owner(n_all, read->size, namings->one[i].at);
  PetscCall(RouteCreate(read->comm, namings->n, to, &route));
  PetscCall(PetscMalloc1(route_n_arriving(route), &got));
  PetscCall(RouteSend(route, sizeof *got, namings->one, got));
  PetscCall(PetscFree(namings->one));
  *namings = (Namings){route_n_arriving(route), 0, got};
  PetscCall(RouteDestroy(&route));
  PetscCall(PetscFree(to));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Elements of a zone that a boundary lists; numbers that are not there are passed over. */
static PetscErrorCode NameElementList(VolumeRead *read, const VolumeBoundary *boundary,
                                      Namings *namings)
{
  PetscFunctionBeginUser;
  cgsize_t *list = NULL;
  PetscCall(ReadList(read, boundary, &list));
  for (GlobalId i = 0; i < boundary->n && read->problem[0] == '\0'; i++) {
    const VolumeRun *run = volume_find_element(read->catalog, boundary->zone, list[i]);
    if (run != NULL)
      PetscCall(AddNaming(namings, run->first + list[i] - run->start, boundary->patch));
  }
  PetscCall(PetscFree(list));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode NameBlockList(VolumeRead *read, const VolumeBoundary *boundary)
{
  PetscFunctionBeginUser;
  cgsize_t *list = NULL;
  if (boundary->normal < 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(ReadList(read, boundary, &list));
  for (GlobalId i = 0; i < boundary->n && read->problem[0] == '\0'; i++) {
    const GlobalId index[3] = {list[3 * i], list[3 * i + 1], list[3 * i + 2]};
    PetscCall(AddBlockFace(read, boundary, index));
  }
  PetscCall(PetscFree(list));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The lower patch wins where two boundaries name one element. */
static void name_element(VolumeRead *read, GlobalId number, int patch)
{
  const GlobalId at = number - read->first_element;
  if (at < 0 || at >= read->n_elements) return;
  int *named = &read->element_patch[at];
  if (*named < 0 || patch < *named) *named = patch;
}

static void name_element_range(VolumeRead *read, const VolumeBoundary *boundary)
{
  for (LocalId f = 0; f < read->outline.n; f++) {
    const VolumeRun *run = &read->catalog->run[read->surface[f].run];
    const GlobalId element = read->surface[f].number - run->first + run->start;
    if (run->zone == boundary->zone && element >= boundary->lo[0] && element <= boundary->hi[0])
      name_element(read, read->surface[f].number, boundary->patch);
  }
}

/* Surface elements become faces under the name of their boundary, else of their section. */
static PetscErrorCode NameSurfaces(VolumeRead *read)
{
  PetscFunctionBeginUser;
  for (LocalId f = 0; f < read->outline.n; f++) {
    const int run = read->surface[f].run;
    const int named = read->element_patch[read->surface[f].number - read->first_element];
    const LocalId first = read->outline.start[f], n = read->outline.start[f + 1] - first;
    const FaceFacts facts = named >= 0
                                ? (FaceFacts){named, NAMED_BY_BOUNDARY}
                                : (FaceFacts){read->catalog->run[run].patch, NAMED_BY_SECTION};
    const bool by_section = facts.source == NAMED_BY_SECTION;
    if (by_section && (facts.patch < 0 || read->run_has_cells[run])) continue;
    PetscCall(AddFace(read, facts, n, read->outline.item + first));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode VolumeNameElements(VolumeRead *read)
{
  PetscFunctionBeginUser;
  Namings namings = {0};
  PetscCall(PetscMalloc1(read->n_elements, &read->element_patch));
  for (LocalId i = 0; i < read->n_elements; i++) read->element_patch[i] = -1;
  for (int b = 0; b < read->catalog->n_boundaries; b++) {
    const VolumeBoundary *boundary = &read->catalog->boundary[b];
    const bool mine = b % read->size == read->rank;
    if (boundary->place == ON_BLOCK_FACES && boundary->range)
      PetscCall(NameBlockRange(read, boundary));
    else if (boundary->place == ON_BLOCK_FACES && mine)
      PetscCall(NameBlockList(read, boundary));
    else if (boundary->place == ON_ELEMENTS && boundary->range)
      name_element_range(read, boundary);
    else if (boundary->place == ON_ELEMENTS && mine)
      PetscCall(NameElementList(read, boundary, &namings));
  }
  PetscCall(SendNamings(read, read->catalog->n_elements, &namings));
  for (LocalId i = 0; i < namings.n; i++)
    name_element(read, namings.one[i].at, namings.one[i].patch);
  PetscCall(PetscFree(namings.one));
  PetscCall(NameSurfaces(read));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Vertices of a list or range of one boundary. */
static PetscErrorCode ListVertices(VolumeRead *read, const VolumeBoundary *boundary,
                                   Namings *namings)
{
  PetscFunctionBeginUser;
  const VolumeZone *zone = &read->catalog->zone[boundary->zone];
  cgsize_t *list = NULL;
  if (!boundary->range) PetscCall(ReadList(read, boundary, &list));
  const GlobalId n = boundary->range ? boundary->hi[0] - boundary->lo[0] + 1 : boundary->n;
  for (GlobalId i = 0; i < n && read->problem[0] == '\0'; i++) {
    GlobalId v = boundary->range ? boundary->lo[0] + i - 1 : list[i] - 1;
    if (zone->structured)
      v = list[3 * i] - 1 +
          zone->dim[0] * (list[3 * i + 1] - 1 + zone->dim[1] * (list[3 * i + 2] - 1));
    if (v >= 0 && v < zone->n_vertices)
      PetscCall(AddNaming(namings, zone->first_vertex + v, boundary->patch));
  }
  PetscCall(PetscFree(list));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Marks go to the vertices that those of the list are one with. */
static PetscErrorCode ApplyMerge(const VolumeRead *read, Namings *namings)
{
  PetscFunctionBeginUser;
  GlobalId *id = NULL;
  if (read->same == NULL) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscMalloc1(namings->n, &id));
  for (LocalId i = 0; i < namings->n; i++) id[i] = namings->one[i].at;
  PetscCall(VerticesApply(read->comm, read->catalog->n_vertices, read->same, namings->n, id));
  for (LocalId i = 0; i < namings->n; i++) namings->one[i].at = id[i];
  PetscCall(PetscFree(id));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode VolumeMarkVertices(VolumeRead *read)
{
  PetscFunctionBeginUser;
  const VolumeCatalog *catalog = read->catalog;
  Namings namings = {0};
  for (int b = 0; b < catalog->n_boundaries; b++) {
    if (catalog->boundary[b].place != ON_VERTICES) continue;
    read->mark_words = (catalog->n_patches + 63) / 64;
    if (b % read->size == read->rank)
      PetscCall(ListVertices(read, &catalog->boundary[b], &namings));
  }
  if (read->mark_words == 0) PetscFunctionReturn(PETSC_SUCCESS);
  const GlobalId first = block_first(catalog->n_vertices, read->size, read->rank);
  const LocalId n = block_count(catalog->n_vertices, read->size, read->rank);
  PetscCall(ApplyMerge(read, &namings));
  PetscCall(SendNamings(read, catalog->n_vertices, &namings));
  PetscCall(PetscCalloc1((size_t)n * read->mark_words, &read->mark));
  for (LocalId i = 0; i < namings.n; i++) {
    const int patch = namings.one[i].patch;
    uint64_t *mark = read->mark + (namings.one[i].at - first) * read->mark_words;
    mark[patch / 64] |= (uint64_t)1 << patch % 64;
  }
  PetscCall(PetscFree(namings.one));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode VolumeAskMarks(VolumeRead *read, const IdLists *rings, const int own[], int patch[])
{
  PetscFunctionBeginUser;
  const int words = read->mark_words;
  const LocalId n_items = rings->n > 0 ? rings->start[rings->n] : 0;
  uint64_t *mark = NULL;
  PetscCall(PetscMalloc1((size_t)n_items * words, &mark));
  PetscCall(BlockFetch(read->comm, read->catalog->n_vertices, words * sizeof *mark, read->mark,
                       n_items, rings->item, mark));
  for (LocalId f = 0; f < rings->n; f++) {
    patch[f] = -1;
    for (int p = read->catalog->n_patches - 1; p >= 0; p--) {
      bool all = true;
      for (LocalId i = rings->start[f]; i < rings->start[f + 1]; i++)
        all = all && mark[(size_t)i * words + p / 64] >> p % 64 & 1;
      if (!all) continue;
      patch[f] = p;
      if (p == own[f]) break;
    }
  }
  PetscCall(PetscFree(mark));
  PetscFunctionReturn(PETSC_SUCCESS);
}
