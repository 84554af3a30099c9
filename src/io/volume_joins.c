/*
 * Which vertices of different zones are one, as the file says?
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "comm/block.h"
#include "grid/merge.h"
#include "io/volume_read_impl.h"

typedef struct {
  LocalId n, room;
  GlobalId (*pair)[2]; /* owned */
} Pairs;

static PetscErrorCode AddPair(Pairs *pairs, GlobalId a, GlobalId b)
{
  PetscFunctionBeginUser;
  PetscCall(RoomFor(pairs->n, &pairs->room, sizeof *pairs->pair, &pairs->pair));
  pairs->pair[pairs->n][0] = a;
  pairs->pair[pairs->n++][1] = b;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static GlobalId block_vertex(const VolumeZone *zone, const GlobalId index[3])
{
  return zone->first_vertex + index[0] - 1 +
         zone->dim[0] * (index[1] - 1 + zone->dim[1] * (index[2] - 1));
}

/* This rank's share of the vertices of one interface. */
static PetscErrorCode PairJoin(const VolumeRead *read, const VolumeJoin *join, Pairs *pairs)
{
  PetscFunctionBeginUser;
  const VolumeZone *zone = &read->catalog->zone[join->zone];
  const VolumeZone *donor = &read->catalog->zone[join->donor];
  GlobalId n[3], all = 1;
  for (int d = 0; d < 3; d++) {
    n[d] = (join->end[d] > join->begin[d] ? join->end[d] - join->begin[d]
                                          : join->begin[d] - join->end[d]) +
           1;
    all *= n[d];
  }
  const GlobalId end = block_first(all, read->size, read->rank + 1);
  for (GlobalId i = block_first(all, read->size, read->rank); i < end; i++) {
    const GlobalId step[3] = {i % n[0], i / n[0] % n[1], i / n[0] / n[1]};
    GlobalId here[3], there[3];
    for (int d = 0; d < 3; d++) {
      const GlobalId way = join->end[d] < join->begin[d] ? -step[d] : step[d];
      const int e = abs(join->transform[d]) - 1;
      here[d] = join->begin[d] + way;
      there[e] = join->donor_begin[e] + (join->transform[d] < 0 ? -way : way);
    }
    PetscCall(AddPair(pairs, block_vertex(zone, here), block_vertex(donor, there)));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Place in the row of entry i of a list of vertices; -1 if there is no such vertex. */
static GlobalId listed_vertex(const VolumeZone *zone, const cgsize_t list[], GlobalId i)
{
  if (!zone->structured)
    return list[i] >= 1 && list[i] <= zone->n_vertices ? zone->first_vertex + list[i] - 1 : -1;
  GlobalId index[3];
  for (int d = 0; d < 3; d++) {
    index[d] = list[3 * i + d];
    if (index[d] < 1 || index[d] > zone->dim[d]) return -1;
  }
  return block_vertex(zone, index);
}

/* One rank reads the two lists of an interface. */
static PetscErrorCode PairLink(VolumeRead *read, const VolumeLink *link, Pairs *pairs)
{
  PetscFunctionBeginUser;
  const VolumeZone *zone = &read->catalog->zone[link->zone];
  const VolumeZone *donor = &read->catalog->zone[link->donor];
  cgsize_t *here = NULL, *there = NULL;
  PetscCall(PetscMalloc2(3 * (size_t)link->n, &here, 3 * (size_t)link->n, &there));
  if (cg_conn_read(read->file, zone->base, zone->zone, link->connection, here,
                   CGNS_ENUMV(DataTypeNull), there) != CG_OK)
    volume_problem(read, "zone %s: an interface cannot be read: %s", zone->name, cg_get_error());
  for (GlobalId i = 0; i < link->n && read->problem[0] == '\0'; i++) {
    const GlobalId a = listed_vertex(zone, here, i), b = listed_vertex(donor, there, i);
    if (a < 0 || b < 0)
      volume_problem(read, "zone %s: an interface to zone %s has a vertex that is not there",
                     zone->name, donor->name);
    else
      PetscCall(AddPair(pairs, a, b));
  }
  PetscCall(PetscFree2(here, there));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode VolumeJoins(VolumeRead *read)
{
  PetscFunctionBeginUser;
  const VolumeCatalog *catalog = read->catalog;
  Pairs pairs = {0};
  if (catalog->n_joins + catalog->n_links == 0) PetscFunctionReturn(PETSC_SUCCESS);
  for (int j = 0; j < catalog->n_joins; j++) PetscCall(PairJoin(read, &catalog->join[j], &pairs));
  for (int l = 0; l < catalog->n_links; l++)
    if (l % read->size == read->rank) PetscCall(PairLink(read, &catalog->link[l], &pairs));
  PetscCall(VerticesMerge(read->comm, catalog->n_vertices, pairs.n,
                          (const GlobalId(*)[2])pairs.pair, &read->same));
  PetscCall(PetscFree(pairs.pair));
  PetscFunctionReturn(PETSC_SUCCESS);
}
