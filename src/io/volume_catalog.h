/*
 * What a CGNS file says it holds: zones, runs of elements, boundaries and joins between zones.
 *
 * Rank 0 walks the file and tells the others; the large arrays are left where they are. All
 * vertices of the file stand in one row, zone after zone, and so do all elements: the cells of
 * structured zones and the elements of sections, cells or not. Ranks read slices of the two rows.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "grid/grid_input.h"
#include "io/cgns_impl.h"

typedef struct {
  int base, zone; /* numbers in the file */
  char base_name[CGNS_NAME], name[CGNS_NAME];
  bool structured;
  GlobalId dim[3]; /* vertices along i, j, k of a structured zone */
  GlobalId n_vertices, first_vertex;
  GlobalId n_cells; /* as the file says */
} VolumeZone;

/* A section, or the cells of a structured zone (section 0). */
typedef struct {
  int zone, section;
  char name[CGNS_NAME];
  int type;        /* ElementType_t */
  GlobalId start;  /* number of its first element in the zone */
  GlobalId n;      /* elements */
  GlobalId first;  /* place of the first in the row of all elements */
  GlobalId n_data; /* entries of its connectivity */
  bool has_offsets;
  int patch; /* named after the section, used if nothing else names its faces; -1 */
} VolumeRun;

typedef enum {
  ON_VERTICES,   /* names every boundary face whose corners are all on the list */
  ON_ELEMENTS,   /* of an unstructured zone */
  ON_BLOCK_FACES /* of a structured zone; `normal` is their direction, or -1 to be found */
} BoundaryPlace;

typedef struct {
  int zone, number; /* its number among the boundary conditions of the zone; 0: a connection */
  int connection;   /* its number among the connections of the zone */
  int patch;
  BoundaryPlace place;
  bool range;
  int normal;
  GlobalId n;            /* entries of a list */
  GlobalId lo[3], hi[3]; /* of a range */
} VolumeBoundary;

/* A side of a structured zone that is a side of another: index d of the first runs along
 * |transform[d]| of the second, backwards if negative. */
typedef struct {
  char name[CGNS_NAME];
  int zone, donor;
  GlobalId begin[3], end[3], donor_begin[3];
  int transform[3];
} VolumeJoin;

/* Vertices of one zone that are vertices of another, by lists. */
typedef struct {
  int zone, donor, connection;
  GlobalId n;
} VolumeLink;

typedef struct {
  float version; /* the file's own stamp */
  int n_zones, n_runs, n_boundaries, n_joins, n_links, n_patches;
  VolumeZone *zone; /* owned, as all below */
  VolumeRun *run;   /* by place in the row */
  VolumeBoundary *boundary;
  VolumeJoin *join;
  VolumeLink *link;
  PatchInput *patch;
  GlobalId n_vertices, n_elements;
  int n_flat_bases; /* bases that hold no volume */
} VolumeCatalog;

/*
 * Collective; `file` is open on rank 0 at least. Fails with CAROM_ERR_FILE or CAROM_ERR_MESH on
 * all ranks: no zones of three dimensions, zones or interfaces that contradict themselves.
 */
PetscErrorCode VolumeCatalogCreate(MPI_Comm comm, const char *path, int file,
                                   VolumeCatalog **catalog);
PetscErrorCode VolumeCatalogDestroy(VolumeCatalog **catalog);

/* The run that holds an element of a zone, by its number in the zone; NULL if none does. */
const VolumeRun *volume_find_element(const VolumeCatalog *catalog, int zone, GlobalId element);

/* Does the file hold volumes? Asked of the open file on one rank. */
bool volume_is_there(int file);
