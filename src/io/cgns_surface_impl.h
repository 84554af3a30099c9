/*
 * What is gathered while a CGNS file is read for its surfaces.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/names.h"
#include "geom/triangles.h"
#include "io/cgns_impl.h"

typedef struct {
  const char *path;
  int file;
  double scale;
  NameList wanted; /* borrowed */
  bool *found;     /* owned, one per wanted name */
  bool *base_has;  /* owned, one per wanted name: found in the base at hand */
  int n_seen, seen_room;
  char (*seen)[CGNS_NAME]; /* owned: names the file offers */
  int n_vertices, vertex_room;
  Vec3 *vertex; /* owned */
  int n_triangles, triangle_room;
  int (*triangle)[3]; /* owned */
  int n_quads;
  bool *half; /* owned: this triangle and the next come from one quad */
} CgnsGather;

/* A section of elements that may be surface elements. */
typedef struct {
  char name[CGNS_NAME];
  CGNS_ENUMT(ElementType_t) type;
  cgsize_t start, end; /* numbers of its first and last element */
  cgsize_t n_data;
  cgsize_t *data; /* owned, NULL when no surface element can be in it */
  int n_surface;  /* surface elements */
} CgnsSection;

/* A zone at hand. Element and vertex numbers start at one, as in the file. */
typedef struct {
  int base, zone, cell_dim;
  char name[CGNS_NAME], family[CGNS_NAME];
  bool structured;
  cgsize_t size[9];
  int n_vertices;
  int first_vertex; /* id of vertex number one in the gather */
  int n_sections;
  CgnsSection *section; /* owned */
  cgsize_t n_elements;
  bool *picked; /* owned, n_elements + 1 */
  bool *corner; /* owned, n_vertices + 1: vertices picked by boundary conditions on vertices */
  bool *taken;  /* owned, one per wanted name: found in this zone already */
} CgnsZone;

/* Read the sections of a zone that may hold surface elements, and check their numbers. */
PetscErrorCode CgnsSectionsRead(const CgnsGather *gather, CgnsZone *zone);

/* Corners of a surface element of this type, 0 for any other element. */
int cgns_surface_corners(CGNS_ENUMT(ElementType_t) type);

/* Step over one element of a section that was checked: type and first corner, for any kind. */
CGNS_ENUMT(ElementType_t)
cgns_next_element(const CgnsSection *section, cgsize_t *at, const cgsize_t **corner);

/* Add the surface elements of a zone that the wanted names pick, or all. */
PetscErrorCode CgnsZonePick(CgnsGather *gather, CgnsZone *zone);
PetscErrorCode CgnsZoneFree(CgnsZone *zone);

/* Note a name the file offers. */
PetscErrorCode CgnsGatherSee(CgnsGather *gather, const char *name);

/* Add a triangle, or a quad cut along its shorter diagonal; ids of the gather. */
PetscErrorCode CgnsGatherAdd(CgnsGather *gather, int n_corners, const int corner[]);
