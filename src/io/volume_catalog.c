#include "io/volume_catalog_impl.h"

#include "comm/shared.h"

#include <cgns_io.h>
#include <string.h>

PetscErrorCode CatalogGrow(int n, size_t size, void *array)
{
  PetscFunctionBeginUser;
  /* Full at 0, 8, 16, 32, ...: the powers of two. */
  if (n == 0 || (n >= 8 && (n & (n - 1)) == 0))
    PetscCall(PetscRealloc(size * (size_t)(n == 0 ? 8 : 2 * n), array));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CatalogPatch(CatalogWalk *walk, const char *name, PatchHint hint, int *patch)
{
  PetscFunctionBeginUser;
  VolumeCatalog *to = walk->to;
  for (*patch = 0; *patch < to->n_patches; ++*patch) {
    if (strcmp(to->patch[*patch].name, name) != 0) continue;
    if (to->patch[*patch].hint == HINT_NONE) to->patch[*patch].hint = hint;
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(CatalogGrow(to->n_patches, sizeof *to->patch, &to->patch));
  PatchInput *one = &to->patch[to->n_patches++];
  *one = (PatchInput){.hint = hint};
  snprintf(one->name, sizeof one->name, "%s", name);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode AddRun(CatalogWalk *walk, VolumeRun run)
{
  PetscFunctionBeginUser;
  VolumeCatalog *to = walk->to;
  PetscCall(CatalogGrow(to->n_runs, sizeof *to->run, &to->run));
  run.first = to->n_elements;
  to->n_elements += run.n;
  to->run[to->n_runs++] = run;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Is there an array of offsets beside the connectivity of a section? */
static bool has_offsets(const CatalogWalk *walk, const VolumeZone *zone, const char *section)
{
  int io = 0;
  double root = 0.0, node = 0.0;
  char path[4 * CGNS_NAME + 32];
  snprintf(path, sizeof path, "/%s/%s/%s/ElementStartOffset", zone->base_name, zone->name, section);
  return cg_get_cgio(walk->file, &io) == CG_OK && cg_root_id(walk->file, &root) == CG_OK &&
         cgio_get_node_id(io, root, path, &node) == CGIO_ERR_NONE;
}

static PetscErrorCode AddSection(CatalogWalk *walk, int z, int s)
{
  PetscFunctionBeginUser;
  const VolumeZone *zone = &walk->to->zone[z];
  VolumeRun run = {.zone = z, .section = s, .patch = -1};
  CGNS_ENUMT(ElementType_t) type;
  cgsize_t start = 0, end = 0, n_data = 0;
  int n_boundary = 0, has_parents = 0;
  CgnsCall(walk->path, cg_section_read(walk->file, zone->base, zone->zone, s, run.name, &type,
                                       &start, &end, &n_boundary, &has_parents));
  PetscCheck(start >= 1 && end >= start - 1, PETSC_COMM_SELF, CAROM_ERR_FILE,
             "%s: zone %s: section %s: elements %ld to %ld", walk->path, zone->name, run.name,
             (long)start, (long)end);
  run.type = (int)type;
  run.start = start;
  run.n = end - start + 1;
  CgnsCall(walk->path, cg_ElementDataSize(walk->file, zone->base, zone->zone, s, &n_data));
  run.n_data = n_data;
  run.has_offsets = has_offsets(walk, zone, run.name);
  if (type != CGNS_ENUMV(NGON_n) && type != CGNS_ENUMV(NFACE_n))
    PetscCall(CatalogPatch(walk, run.name, HINT_NONE, &run.patch));
  PetscCall(AddRun(walk, run));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode AddZone(CatalogWalk *walk, int base, const char *base_name, int number)
{
  PetscFunctionBeginUser;
  VolumeZone zone = {.base = base, .zone = number, .dim = {1, 1, 1}};
  CGNS_ENUMT(ZoneType_t) type;
  cgsize_t size[9] = {0};
  snprintf(zone.base_name, sizeof zone.base_name, "%s", base_name);
  CgnsCall(walk->path, cg_zone_type(walk->file, base, number, &type));
  CgnsCall(walk->path, cg_zone_read(walk->file, base, number, zone.name, size));
  zone.structured = type == CGNS_ENUMV(Structured);
  PetscCheck(zone.structured || type == CGNS_ENUMV(Unstructured), PETSC_COMM_SELF, CAROM_ERR_FILE,
             "%s: zone %s is neither structured nor unstructured", walk->path, zone.name);
  zone.n_vertices = zone.n_cells = 1;
  for (int d = 0; d < (zone.structured ? 3 : 1); d++) {
    zone.dim[d] = size[d];
    zone.n_vertices *= size[d];
    zone.n_cells *= zone.structured ? size[d] - 1 : size[1];
    PetscCheck(size[d] >= (zone.structured ? 2 : 1), PETSC_COMM_SELF, CAROM_ERR_FILE,
               "%s: zone %s has %ld vertices along direction %d", walk->path, zone.name,
               (long)size[d], d + 1);
  }
  zone.first_vertex = walk->to->n_vertices;
  walk->to->n_vertices += zone.n_vertices;
  const int z = walk->to->n_zones;
  PetscCall(CatalogGrow(z, sizeof zone, &walk->to->zone));
  walk->to->zone[walk->to->n_zones++] = zone;

  int n_sections = 0;
  if (zone.structured) {
    VolumeRun run = {.zone = z, .start = 1, .n = zone.n_cells, .patch = -1};
    snprintf(run.name, sizeof run.name, "%s", zone.name);
    run.type = CGNS_ENUMV(HEXA_8);
    PetscCall(AddRun(walk, run));
  } else {
    CgnsCall(walk->path, cg_nsections(walk->file, base, number, &n_sections));
    for (int s = 1; s <= n_sections; s++) PetscCall(AddSection(walk, z, s));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode WalkBases(CatalogWalk *walk)
{
  PetscFunctionBeginUser;
  int n_bases = 0, n_zones = 0, cell_dim = 0, physical_dim = 0;
  char name[CGNS_NAME];
  CgnsCall(walk->path, cg_nbases(walk->file, &n_bases));
  PetscCheck(n_bases > 0, PETSC_COMM_SELF, CAROM_ERR_FILE, "%s: no base", walk->path);
  for (int b = 1; b <= n_bases; b++) {
    CgnsCall(walk->path, cg_base_read(walk->file, b, name, &cell_dim, &physical_dim));
    CgnsCall(walk->path, cg_nzones(walk->file, b, &n_zones));
    if (cell_dim != 3 || physical_dim != 3) {
      walk->to->n_flat_bases++;
      continue;
    }
    for (int z = 1; z <= n_zones; z++) PetscCall(AddZone(walk, b, name, z));
  }
  PetscCheck(walk->to->n_zones > 0, PETSC_COMM_SELF, CAROM_ERR_FILE,
             walk->to->n_flat_bases > 0
                 ? "%s: cells of %d dimensions in space of %d, wanted 3 and 3"
                 : "%s: no zones",
             walk->path, cell_dim, physical_dim);
  for (int z = 0; z < walk->to->n_zones; z++) {
    PetscCall(CatalogBoundaries(walk, z));
    PetscCall(CatalogJoins(walk, z));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ShareArray(MPI_Comm comm, int n, size_t size, void *array)
{
  PetscFunctionBeginUser;
  int rank = 0;
  void **at = array;
  PetscCallMPI(MPI_Comm_rank(comm, &rank));
  if (rank > 0) PetscCall(PetscMalloc1(n * size + 1, (char **)at));
  PetscCall(BytesBroadcast(comm, *at, n * size));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Share(MPI_Comm comm, VolumeCatalog *catalog)
{
  PetscFunctionBeginUser;
  VolumeCatalog kept = *catalog;
  int rank = 0;
  PetscCallMPI(MPI_Comm_rank(comm, &rank));
  PetscCallMPI(MPI_Bcast(catalog, sizeof *catalog, MPI_BYTE, 0, comm));
  catalog->zone = kept.zone;
  catalog->run = kept.run;
  catalog->boundary = kept.boundary;
  catalog->join = kept.join;
  catalog->link = kept.link;
  catalog->patch = kept.patch;
  PetscCall(ShareArray(comm, catalog->n_zones, sizeof *catalog->zone, &catalog->zone));
  PetscCall(ShareArray(comm, catalog->n_runs, sizeof *catalog->run, &catalog->run));
  PetscCall(ShareArray(comm, catalog->n_boundaries, sizeof *catalog->boundary, &catalog->boundary));
  PetscCall(ShareArray(comm, catalog->n_joins, sizeof *catalog->join, &catalog->join));
  PetscCall(ShareArray(comm, catalog->n_links, sizeof *catalog->link, &catalog->link));
  PetscCall(ShareArray(comm, catalog->n_patches, sizeof *catalog->patch, &catalog->patch));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode VolumeCatalogCreate(MPI_Comm comm, const char *path, int file,
                                   VolumeCatalog **catalog)
{
  PetscFunctionBeginUser;
  int rank = 0, code = PETSC_SUCCESS;
  VolumeCatalog *self = NULL;
  PetscCall(PetscNew(&self));
  PetscCallMPI(MPI_Comm_rank(comm, &rank));
  CatalogWalk walk = {path, file, self};
  if (rank == 0) code = WalkBases(&walk);
  PetscCall(CgnsVerdict(comm, code));
  PetscCall(Share(comm, self));
  *catalog = self;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode VolumeCatalogDestroy(VolumeCatalog **catalog)
{
  PetscFunctionBeginUser;
  VolumeCatalog *self = *catalog;
  if (self == NULL) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscFree(self->zone));
  PetscCall(PetscFree(self->run));
  PetscCall(PetscFree(self->boundary));
  PetscCall(PetscFree(self->join));
  PetscCall(PetscFree(self->link));
  PetscCall(PetscFree(self->patch));
  PetscCall(PetscFree(*catalog));
  PetscFunctionReturn(PETSC_SUCCESS);
}

const VolumeRun *volume_find_element(const VolumeCatalog *catalog, int zone, GlobalId element)
{
  for (int r = 0; r < catalog->n_runs; r++) {
    const VolumeRun *run = &catalog->run[r];
    if (run->zone == zone && element >= run->start && element < run->start + run->n) return run;
  }
  return NULL;
}

static bool section_is_volume(int file, int b, int z, int s)
{
  char name[CGNS_NAME];
  CGNS_ENUMT(ElementType_t) type;
  cgsize_t start = 0, end = 0;
  int n_boundary = 0, has_parents = 0;
  if (cg_section_read(file, b, z, s, name, &type, &start, &end, &n_boundary, &has_parents) != CG_OK)
    return false;
  return type >= CGNS_ENUMV(TETRA_4) && strncmp(cg_ElementTypeName(type), "TRI", 3) != 0 &&
         strncmp(cg_ElementTypeName(type), "QUAD", 4) != 0 &&
         strncmp(cg_ElementTypeName(type), "BAR", 3) != 0;
}

bool volume_is_there(int file)
{
  int n_bases = 0;
  cg_nbases(file, &n_bases);
  for (int b = 1; b <= n_bases; b++) {
    char name[CGNS_NAME];
    int cell_dim = 0, physical_dim = 0, n_zones = 0, n_sections = 0;
    if (cg_base_read(file, b, name, &cell_dim, &physical_dim) != CG_OK) continue;
    if (physical_dim != 3) return true; /* neither a volume nor a surface; the reader says so */
    if (cell_dim != 3) continue;
    cg_nzones(file, b, &n_zones);
    for (int z = 1; z <= n_zones; z++) {
      CGNS_ENUMT(ZoneType_t) type;
      if (cg_zone_type(file, b, z, &type) != CG_OK) continue;
      if (type == CGNS_ENUMV(Structured)) return true;
      cg_nsections(file, b, z, &n_sections);
      for (int s = 1; s <= n_sections; s++)
        if (section_is_volume(file, b, z, s)) return true;
    }
  }
  return false;
}
