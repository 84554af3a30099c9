/*
 * What does a file say about the boundaries of a zone and about its joins to others?
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "io/volume_catalog_impl.h"

#include <string.h>

static PatchHint hint_of(CGNS_ENUMT(BCType_t) type)
{
  switch (type) {
  case CGNS_ENUMV(BCWall):
  case CGNS_ENUMV(BCWallViscous):
  case CGNS_ENUMV(BCWallViscousHeatFlux):
  case CGNS_ENUMV(BCWallViscousIsothermal):
    return HINT_WALL;
  case CGNS_ENUMV(BCWallInviscid):
    return HINT_SLIP;
  case CGNS_ENUMV(BCSymmetryPlane):
  case CGNS_ENUMV(BCSymmetryPolar):
    return HINT_SYMMETRY;
  case CGNS_ENUMV(BCFarfield):
    return HINT_FARFIELD;
  case CGNS_ENUMV(BCInflow):
  case CGNS_ENUMV(BCInflowSubsonic):
  case CGNS_ENUMV(BCInflowSupersonic):
  case CGNS_ENUMV(BCTunnelInflow):
    return HINT_INFLOW;
  case CGNS_ENUMV(BCOutflow):
  case CGNS_ENUMV(BCOutflowSubsonic):
  case CGNS_ENUMV(BCOutflowSupersonic):
  case CGNS_ENUMV(BCTunnelOutflow):
  case CGNS_ENUMV(BCExtrapolate):
    return HINT_OUTFLOW;
  default:
    return HINT_NONE;
  }
}

/* The type a family gives its boundaries. */
static PatchHint hint_of_family(const CatalogWalk *walk, int base, const char *family)
{
  int n = 0;
  cg_nfamilies(walk->file, base, &n);
  for (int f = 1; f <= n; f++) {
    char name[CGNS_NAME * 2], bc_name[CGNS_NAME];
    int n_bcs = 0, n_geometries = 0;
    CGNS_ENUMT(BCType_t) type;
    if (cg_family_read(walk->file, base, f, name, &n_bcs, &n_geometries) != CG_OK) continue;
    if (strcmp(name, family) != 0 || n_bcs < 1) continue;
    if (cg_fambc_read(walk->file, base, f, 1, bc_name, &type) == CG_OK) return hint_of(type);
  }
  return HINT_NONE;
}

/* Ranges are told from low to high. */
static void set_range(VolumeBoundary *boundary, int dims, const cgsize_t point[])
{
  for (int d = 0; d < 3; d++) boundary->lo[d] = boundary->hi[d] = 1;
  for (int d = 0; d < dims; d++) {
    boundary->lo[d] = PetscMin(point[d], point[d + dims]);
    boundary->hi[d] = PetscMax(point[d], point[d + dims]);
  }
}

/* Faces of a block by a range of vertices: of the direction the range is flat in. */
static bool settle_block_range(VolumeBoundary *boundary, bool on_vertices)
{
  int flat = boundary->normal;
  for (int d = 0; d < 3 && flat < 0; d++)
    if (boundary->lo[d] == boundary->hi[d]) flat = d;
  if (flat < 0) return false;
  boundary->normal = flat;
  boundary->place = ON_BLOCK_FACES;

  /* From vertices to the faces between them. */
  for (int d = 0; d < 3; d++)
    if (on_vertices && d != flat) boundary->hi[d]--;
  return true;
}

static void settle_place(const VolumeZone *zone, CGNS_ENUMT(PointSetType_t) set,
                         CGNS_ENUMT(GridLocation_t) location, VolumeBoundary *boundary)
{
  const bool elements = set == CGNS_ENUMV(ElementList) || set == CGNS_ENUMV(ElementRange);
  const bool vertices = !elements && location == CGNS_ENUMV(Vertex);
  boundary->range = set == CGNS_ENUMV(ElementRange) || set == CGNS_ENUMV(PointRange);
  boundary->normal = location == CGNS_ENUMV(IFaceCenter)   ? 0
                     : location == CGNS_ENUMV(JFaceCenter) ? 1
                     : location == CGNS_ENUMV(KFaceCenter) ? 2
                                                           : -1;
  boundary->place = vertices ? ON_VERTICES : zone->structured ? ON_BLOCK_FACES : ON_ELEMENTS;
}

static PetscErrorCode AddBoundary(CatalogWalk *walk, VolumeBoundary boundary)
{
  PetscFunctionBeginUser;
  VolumeCatalog *to = walk->to;
  const VolumeZone *zone = &to->zone[boundary.zone];
  const bool vertices = boundary.place == ON_VERTICES;

  /* A range that is a line or a point names no face; degenerate sides are told this way. */
  if (zone->structured && boundary.range && !settle_block_range(&boundary, vertices))
    PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(CatalogGrow(to->n_boundaries, sizeof boundary, &to->boundary));
  to->boundary[to->n_boundaries++] = boundary;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The last part of a family's path; empty if the boundary has no family. */
static void read_family(const CatalogWalk *walk, const VolumeZone *zone, int k, char family[])
{
  char path[CGNS_NAME * 20 + 1] = "";
  family[0] = '\0';
  if (cg_goto(walk->file, zone->base, "Zone_t", zone->zone, "ZoneBC_t", 1, "BC_t", k, "end") !=
          CG_OK ||
      cg_famname_read(path) != CG_OK)
    return;
  const char *slash = strrchr(path, '/');
  snprintf(family, PATCH_NAME, "%.*s", PATCH_NAME - 1, slash != NULL ? slash + 1 : path);
}

static PetscErrorCode ReadBoundary(CatalogWalk *walk, int z, int k)
{
  PetscFunctionBeginUser;
  const VolumeZone *zone = &walk->to->zone[z];
  VolumeBoundary boundary = {.zone = z, .number = k};
  char name[CGNS_NAME], family[PATCH_NAME];
  CGNS_ENUMT(BCType_t) type;
  CGNS_ENUMT(PointSetType_t) set;
  CGNS_ENUMT(DataType_t) data;
  CGNS_ENUMT(GridLocation_t) location;
  cgsize_t n = 0, n_normals = 0, point[6] = {0};
  int normal_index[3], n_datasets = 0;
  CgnsCall(walk->path, cg_boco_info(walk->file, zone->base, zone->zone, k, name, &type, &set, &n,
                                    normal_index, &n_normals, &data, &n_datasets));
  CgnsCall(walk->path, cg_boco_gridlocation_read(walk->file, zone->base, zone->zone, k, &location));
  read_family(walk, zone, k, family);
  PatchHint hint = hint_of(type);
  if (hint == HINT_NONE && family[0] != '\0') hint = hint_of_family(walk, zone->base, family);
  boundary.n = n;
  settle_place(zone, set, location, &boundary);
  if (boundary.range) {
    PetscCheck(n == 2, PETSC_COMM_SELF, CAROM_ERR_FILE,
               "%s: zone %s: boundary %s: a range of %ld points, wanted 2", walk->path, zone->name,
               name, (long)n);
    CgnsCall(walk->path, cg_boco_read(walk->file, zone->base, zone->zone, k, point, NULL));
    set_range(&boundary, zone->structured && boundary.place != ON_ELEMENTS ? 3 : 1, point);
  }
  PetscCall(CatalogPatch(walk, family[0] != '\0' ? family : name, hint, &boundary.patch));
  PetscCall(AddBoundary(walk, boundary));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CatalogBoundaries(CatalogWalk *walk, int z)
{
  PetscFunctionBeginUser;
  const VolumeZone *zone = &walk->to->zone[z];
  int n = 0;
  CgnsCall(walk->path, cg_nbocos(walk->file, zone->base, zone->zone, &n));
  for (int k = 1; k <= n; k++) PetscCall(ReadBoundary(walk, z, k));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The zone of a name in the base of zone z; the name may be a path. */
static int find_zone(const VolumeCatalog *catalog, int z, const char *name)
{
  const char *slash = strrchr(name, '/');
  const char *last = slash != NULL ? slash + 1 : name;
  for (int i = 0; i < catalog->n_zones; i++)
    if (catalog->zone[i].base == catalog->zone[z].base && strcmp(catalog->zone[i].name, last) == 0)
      return i;
  return -1;
}

/* Does a join stay inside both zones, and is its transform one of the three directions? */
static bool join_fits(const VolumeCatalog *catalog, const VolumeJoin *join)
{
  const VolumeZone *zone = &catalog->zone[join->zone], *donor = &catalog->zone[join->donor];
  bool used[3] = {false, false, false};
  if (!zone->structured || !donor->structured) return false;
  for (int d = 0; d < 3; d++) {
    const int e = abs(join->transform[d]) - 1;
    if (e < 0 || e > 2 || used[e]) return false;
    used[e] = true;
    const GlobalId way = (join->end[d] - join->begin[d]) * (join->transform[d] < 0 ? -1 : 1);
    const GlobalId far = join->donor_begin[e] + way;
    if (PetscMin(join->begin[d], join->end[d]) < 1) return false;
    if (PetscMax(join->begin[d], join->end[d]) > zone->dim[d]) return false;
    if (PetscMin(join->donor_begin[e], far) < 1) return false;
    if (PetscMax(join->donor_begin[e], far) > donor->dim[e]) return false;
  }
  return true;
}

/* A side that goes on at the other end of the grid is a boundary; the case may join it. */
static PetscErrorCode AddPeriodic(CatalogWalk *walk, const VolumeJoin *join)
{
  PetscFunctionBeginUser;
  VolumeBoundary boundary = {.zone = join->zone, .range = true, .normal = -1};
  cgsize_t point[6];
  for (int d = 0; d < 3; d++) {
    point[d] = (cgsize_t)join->begin[d];
    point[d + 3] = (cgsize_t)join->end[d];
  }
  set_range(&boundary, 3, point);
  PetscCall(CatalogPatch(walk, join->name, HINT_PERIODIC, &boundary.patch));
  PetscCall(AddBoundary(walk, boundary));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadJoin(CatalogWalk *walk, int z, int k)
{
  PetscFunctionBeginUser;
  VolumeCatalog *to = walk->to;
  const VolumeZone *zone = &to->zone[z];
  VolumeJoin join = {.zone = z};
  char donor[CGNS_NAME * 2];
  cgsize_t range[6], donor_range[6];
  float center[3], angle[3], shift[3];
  CgnsCall(walk->path, cg_1to1_read(walk->file, zone->base, zone->zone, k, join.name, donor, range,
                                    donor_range, join.transform));
  const bool periodic =
      cg_1to1_periodic_read(walk->file, zone->base, zone->zone, k, center, angle, shift) == CG_OK;
  join.donor = find_zone(to, z, donor);
  PetscCheck(join.donor >= 0, PETSC_COMM_SELF, CAROM_ERR_MESH,
             "%s: zone %s: interface %s leads to zone %s, which is not there", walk->path,
             zone->name, join.name, donor);
  for (int d = 0; d < 3; d++) {
    join.begin[d] = range[d];
    join.end[d] = range[d + 3];
    join.donor_begin[d] = donor_range[d];
  }
  PetscCheck(join_fits(to, &join), PETSC_COMM_SELF, CAROM_ERR_MESH,
             "%s: zone %s: interface %s does not fit zone %s", walk->path, zone->name, join.name,
             donor);
  if (periodic) {
    PetscCall(AddPeriodic(walk, &join));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(CatalogGrow(to->n_joins, sizeof join, &to->join));
  to->join[to->n_joins++] = join;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Lists of vertices that are one, and overset sides, which are boundaries. */
static PetscErrorCode ReadConnection(CatalogWalk *walk, int z, int k)
{
  PetscFunctionBeginUser;
  VolumeCatalog *to = walk->to;
  const VolumeZone *zone = &to->zone[z];
  char name[CGNS_NAME], donor[CGNS_NAME * 2];
  CGNS_ENUMT(GridLocation_t) location;
  CGNS_ENUMT(GridConnectivityType_t) kind;
  CGNS_ENUMT(PointSetType_t) set, donor_set;
  CGNS_ENUMT(ZoneType_t) donor_type;
  CGNS_ENUMT(DataType_t) donor_data;
  cgsize_t n = 0, n_donor = 0;
  float center[3], angle[3], shift[3];
  CgnsCall(walk->path,
           cg_conn_info(walk->file, zone->base, zone->zone, k, name, &location, &kind, &set, &n,
                        donor, &donor_type, &donor_set, &donor_data, &n_donor));
  const bool periodic =
      cg_conn_periodic_read(walk->file, zone->base, zone->zone, k, center, angle, shift) == CG_OK;
  const bool joined = kind == CGNS_ENUMV(Abutting1to1) && !periodic;
  if (!joined) {
    VolumeBoundary boundary = {.zone = z, .connection = k, .n = n};
    settle_place(zone, set, location, &boundary);
    PetscCall(CatalogPatch(walk, name, periodic ? HINT_PERIODIC : HINT_OVERSET, &boundary.patch));
    cgsize_t point[6] = {0};
    if (boundary.range && n == 2) {
      CgnsCall(walk->path, cg_conn_read_short(walk->file, zone->base, zone->zone, k, point));
      set_range(&boundary, zone->structured ? 3 : 1, point);
    }
    if (!boundary.range || n == 2) PetscCall(AddBoundary(walk, boundary));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  const VolumeLink link = {.zone = z, .donor = find_zone(to, z, donor), .connection = k, .n = n};
  const bool lists = location == CGNS_ENUMV(Vertex) && set == CGNS_ENUMV(PointList) &&
                     donor_set == CGNS_ENUMV(PointListDonor) && n == n_donor;
  PetscCheck(link.donor >= 0, PETSC_COMM_SELF, CAROM_ERR_MESH,
             "%s: zone %s: interface %s leads to zone %s, which is not there", walk->path,
             zone->name, name, donor);

  /* Interfaces told in other ways are found by place. */
  if (!lists) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(CatalogGrow(to->n_links, sizeof link, &to->link));
  to->link[to->n_links++] = link;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CatalogJoins(CatalogWalk *walk, int z)
{
  PetscFunctionBeginUser;
  const VolumeZone *zone = &walk->to->zone[z];
  int n_joins = 0, n_connections = 0;
  if (zone->structured)
    CgnsCall(walk->path, cg_n1to1(walk->file, zone->base, zone->zone, &n_joins));
  CgnsCall(walk->path, cg_nconns(walk->file, zone->base, zone->zone, &n_connections));
  for (int k = 1; k <= n_joins; k++) PetscCall(ReadJoin(walk, z, k));
  for (int k = 1; k <= n_connections; k++) PetscCall(ReadConnection(walk, z, k));
  PetscFunctionReturn(PETSC_SUCCESS);
}
