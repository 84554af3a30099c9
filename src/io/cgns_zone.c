/*
 * Which surface elements of a zone do the wanted names mean?
 *
 * A name is first taken for that of a surface zone or a section, then for a boundary condition
 * given by elements, and only then for one given by vertices: that picks every element with
 * all corners on the list, which may be one too many at a sharp corner.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "io/cgns_surface_impl.h"

#include <string.h>

PetscErrorCode CgnsZoneFree(CgnsZone *zone)
{
  PetscFunctionBeginUser;
  for (int s = 0; zone->section != NULL && s < zone->n_sections; s++)
    PetscCall(PetscFree(zone->section[s].data));
  PetscCall(PetscFree(zone->section));
  PetscCall(PetscFree3(zone->picked, zone->corner, zone->taken));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Note a name and say whether it is wanted here and not taken yet; then it is found. */
static PetscErrorCode NameIsWanted(CgnsGather *gather, const CgnsZone *zone, const char *name,
                                   int *place)
{
  PetscFunctionBeginUser;
  *place = -1;
  PetscCall(CgnsGatherSee(gather, name));
  for (int i = 0; i < gather->wanted.n && name[0] != '\0'; i++) {
    if (gather->found[i] || zone->taken[i] || strcmp(gather->wanted.name[i], name) != 0) continue;
    gather->base_has[i] = true;
    *place = i;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void pick_range(CgnsZone *zone, cgsize_t first, cgsize_t last)
{
  const cgsize_t lo = PetscMax(1, first), hi = PetscMin(last, zone->n_elements);
  for (cgsize_t e = lo; e <= hi; e++) zone->picked[e] = true;
}

static PetscErrorCode PickSections(CgnsGather *gather, CgnsZone *zone, bool now[])
{
  PetscFunctionBeginUser;
  int place = -1;
  for (int s = 0; s < zone->n_sections; s++) {
    const CgnsSection *section = &zone->section[s];
    if (section->n_surface == 0) continue;
    PetscCall(NameIsWanted(gather, zone, section->name, &place));
    if (place < 0) continue;
    now[place] = true;
    pick_range(zone, section->start, section->end);
  }
  if (zone->cell_dim != 2) PetscFunctionReturn(PETSC_SUCCESS);
  for (int k = 0; k < 2; k++) {
    PetscCall(NameIsWanted(gather, zone, k == 0 ? zone->name : zone->family, &place));
    if (place < 0) continue;
    now[place] = true;
    pick_range(zone, 1, zone->n_elements);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

typedef struct {
  char name[CGNS_NAME], family[CGNS_NAME];
  bool range, on_vertices;
  cgsize_t n;
} Boundary;

/* The family named at the place the library was sent to; empty if there is none. */
static void read_family(char family[CGNS_NAME])
{
  char path[CGNS_NAME * 20 + 1] = ""; /* a family may be a path of up to twenty names */
  if (cg_famname_read(path) != CG_OK) path[0] = '\0';
  snprintf(family, CGNS_NAME, "%.*s", CGNS_NAME - 1, path);
}

static PetscErrorCode ReadBoundary(const CgnsGather *gather, const CgnsZone *zone, int k,
                                   Boundary *boundary)
{
  PetscFunctionBeginUser;
  const int file = gather->file, b = zone->base, z = zone->zone;
  CGNS_ENUMT(BCType_t) type;
  CGNS_ENUMT(PointSetType_t) set;
  CGNS_ENUMT(DataType_t) data;
  CGNS_ENUMT(GridLocation_t) location;
  cgsize_t n_normals = 0;
  int normal_index[3], n_datasets = 0;
  CgnsCall(gather->path, cg_boco_info(file, b, z, k, boundary->name, &type, &set, &boundary->n,
                                      normal_index, &n_normals, &data, &n_datasets));
  CgnsCall(gather->path, cg_boco_gridlocation_read(file, b, z, k, &location));
  const bool elements = set == CGNS_ENUMV(ElementList) || set == CGNS_ENUMV(ElementRange);
  boundary->range = set == CGNS_ENUMV(ElementRange) || set == CGNS_ENUMV(PointRange);
  boundary->on_vertices = !elements && location == CGNS_ENUMV(Vertex);
  if (cg_goto(file, b, "Zone_t", z, "ZoneBC_t", 1, "BC_t", k, "end") == CG_OK)
    read_family(boundary->family);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Mark elements or vertices of a boundary condition; numbers that are not there are passed over. */
static PetscErrorCode PickBoundary(const CgnsGather *gather, CgnsZone *zone, int k,
                                   const Boundary *boundary)
{
  PetscFunctionBeginUser;
  cgsize_t *point = NULL;
  PetscCall(PetscMalloc1(PetscMax(boundary->n, 2), &point));
  const int code = cg_boco_read(gather->file, zone->base, zone->zone, k, point, NULL);
  const cgsize_t most = boundary->on_vertices ? zone->n_vertices : zone->n_elements;
  bool *mark = boundary->on_vertices ? zone->corner : zone->picked;
  if (code == CG_OK && boundary->range && boundary->n == 2) {
    const cgsize_t lo = PetscMax(1, point[0]), hi = PetscMin(most, point[1]);
    for (cgsize_t i = lo; i <= hi; i++) mark[i] = true;
  }
  for (cgsize_t i = 0; code == CG_OK && !boundary->range && i < boundary->n; i++)
    if (point[i] >= 1 && point[i] <= most) mark[point[i]] = true;
  PetscCall(PetscFree(point));
  CgnsCall(gather->path, code);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode PickBoundaries(CgnsGather *gather, CgnsZone *zone, bool on_vertices,
                                     bool now[])
{
  PetscFunctionBeginUser;
  int n = 0;
  CgnsCall(gather->path, cg_nbocos(gather->file, zone->base, zone->zone, &n));
  for (int k = 1; k <= n; k++) {
    Boundary boundary = {.n = 0};
    int by_name = -1, by_family = -1;
    PetscCall(ReadBoundary(gather, zone, k, &boundary));
    if (boundary.on_vertices != on_vertices) continue;
    PetscCall(NameIsWanted(gather, zone, boundary.name, &by_name));
    PetscCall(NameIsWanted(gather, zone, boundary.family, &by_family));
    if (by_name < 0 && by_family < 0) continue;
    if (by_name >= 0) now[by_name] = true;
    if (by_family >= 0) now[by_family] = true;
    PetscCall(PickBoundary(gather, zone, k, &boundary));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode AddPicked(CgnsGather *gather, const CgnsZone *zone)
{
  PetscFunctionBeginUser;
  for (int s = 0; s < zone->n_sections; s++) {
    const CgnsSection *section = &zone->section[s];
    if (section->n_surface == 0) continue;
    cgsize_t at = 0;
    for (cgsize_t e = section->start; e <= section->end; e++) {
      const cgsize_t *corner = NULL;
      const int n = cgns_surface_corners(cgns_next_element(section, &at, &corner));
      bool on_list = n > 0;
      int id[4];
      for (int k = 0; k < n; k++) {
        on_list = on_list && zone->corner[corner[k]];
        id[k] = zone->first_vertex + (int)corner[k] - 1;
      }
      const bool pick = zone->picked[e] || on_list || gather->wanted.n == 0;
      if (n > 0 && pick) PetscCall(CgnsGatherAdd(gather, n, id));
    }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A structured surface zone is one sheet of quads under its own name. */
static PetscErrorCode PickSheet(CgnsGather *gather, CgnsZone *zone)
{
  PetscFunctionBeginUser;
  int by_name = -1, by_family = -1;
  PetscCall(NameIsWanted(gather, zone, zone->name, &by_name));
  PetscCall(NameIsWanted(gather, zone, zone->family, &by_family));
  if (gather->wanted.n > 0 && by_name < 0 && by_family < 0) PetscFunctionReturn(PETSC_SUCCESS);
  const int ni = (int)zone->size[0], nj = (int)zone->size[1];
  for (int j = 0; j + 1 < nj; j++) {
    for (int i = 0; i + 1 < ni; i++) {
      const int at = zone->first_vertex + j * ni + i;
      const int corner[4] = {at, at + 1, at + 1 + ni, at + ni};
      PetscCall(CgnsGatherAdd(gather, 4, corner));
    }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What was found in one round of picking is not looked for in the next. */
static void close_round(const CgnsGather *gather, CgnsZone *zone, bool now[])
{
  for (int i = 0; i < gather->wanted.n; i++) {
    zone->taken[i] = zone->taken[i] || now[i];
    now[i] = false;
  }
}

PetscErrorCode CgnsZonePick(CgnsGather *gather, CgnsZone *zone)
{
  PetscFunctionBeginUser;
  if (cg_goto(gather->file, zone->base, "Zone_t", zone->zone, "end") == CG_OK)
    read_family(zone->family);
  if (!zone->structured) PetscCall(CgnsSectionsRead(gather, zone));
  const int n_names = gather->wanted.n;
  PetscCall(PetscCalloc3((size_t)zone->n_elements + 1, &zone->picked, zone->n_vertices + 1,
                         &zone->corner, 2 * n_names + 1, &zone->taken));
  if (zone->structured) {
    if (zone->cell_dim == 2) PetscCall(PickSheet(gather, zone));
    PetscFunctionReturn(PETSC_SUCCESS);
  }

  bool *now = zone->taken + n_names; /* the second half */
  PetscCall(PickSections(gather, zone, now));
  close_round(gather, zone, now);
  for (int round = 0; round < 2; round++) {
    PetscCall(PickBoundaries(gather, zone, round == 1, now));
    close_round(gather, zone, now);
  }
  PetscCall(AddPicked(gather, zone));
  PetscFunctionReturn(PETSC_SUCCESS);
}
