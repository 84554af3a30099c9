/*
 * Which zones of a CGNS file hold surfaces, and how do they reach every rank?
 *
 * Rank 0 walks the bases and zones and gathers vertices and triangles; arrays are broadcast.
 * Names are looked for base by base, each taken from the first base that has it, since some
 * programs repeat boundaries as bases of their own.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "io/cgns_surface.h"

#include "geom/surface.h"
#include "io/cgns_surface_impl.h"

#include <string.h>

PetscErrorCode CgnsGatherSee(CgnsGather *gather, const char *name)
{
  PetscFunctionBeginUser;
  if (name[0] == '\0') PetscFunctionReturn(PETSC_SUCCESS);
  for (int i = 0; i < gather->n_seen; i++)
    if (strcmp(gather->seen[i], name) == 0) PetscFunctionReturn(PETSC_SUCCESS);
  if (gather->n_seen == gather->seen_room) {
    gather->seen_room = 2 * gather->seen_room + 16;
    PetscCall(PetscRealloc(gather->seen_room * sizeof *gather->seen, &gather->seen));
  }
  snprintf(gather->seen[gather->n_seen++], CGNS_NAME, "%s", name);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode AddTriangle(CgnsGather *gather, int a, int b, int c, bool half)
{
  PetscFunctionBeginUser;
  if (gather->n_triangles == gather->triangle_room) {
    gather->triangle_room = gather->triangle_room * 3 / 2 + 1024;
    PetscCall(PetscRealloc(gather->triangle_room * sizeof *gather->triangle, &gather->triangle));
    PetscCall(PetscRealloc(gather->triangle_room * sizeof *gather->half, &gather->half));
  }
  gather->half[gather->n_triangles] = half;
  gather->n_quads += half;
  int *t = gather->triangle[gather->n_triangles++];
  t[0] = a;
  t[1] = b;
  t[2] = c;
  PetscCheck(gather->n_triangles <= SURFACE_MOST_TRIANGLES, PETSC_COMM_SELF, PETSC_ERR_USER_INPUT,
             "%s: more than %.0f triangles (%.0f MB), these are not taken", gather->path,
             SURFACE_MOST_TRIANGLES, SURFACE_MOST_TRIANGLES * SURFACE_BYTES_PER_TRIANGLE / 1e6);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CgnsGatherAdd(CgnsGather *gather, int n_corners, const int c[])
{
  PetscFunctionBeginUser;
  if (n_corners == 3) {
    PetscCall(AddTriangle(gather, c[0], c[1], c[2], false));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  const Vec3 *x = gather->vertex;
  const double d02 = vec3_distance(x[c[0]], x[c[2]]), d13 = vec3_distance(x[c[1]], x[c[3]]);

  /* Of two equal diagonals that with the lowest vertex, from whichever corner a quad starts. */
  const int low02 = PetscMin(c[0], c[2]), low13 = PetscMin(c[1], c[3]);
  const bool even = d02 < d13 || (d02 == d13 && low02 < low13);
  const int k = even ? 0 : 1;
  PetscCall(AddTriangle(gather, c[k], c[k + 1], c[k + 2], true));
  PetscCall(AddTriangle(gather, c[k], c[k + 2], c[(k + 3) % 4], false));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Coordinates of all vertices of a zone go to the end of the gather. */
static PetscErrorCode ReadVertices(CgnsGather *gather, CgnsZone *zone)
{
  PetscFunctionBeginUser;
  static const char *names[3] = {"CoordinateX", "CoordinateY", "CoordinateZ"};
  const int n = zone->n_vertices;
  PetscCheck(gather->n_vertices <= PETSC_MAX_INT - n, PETSC_COMM_SELF, CAROM_ERR_FILE,
             "%s: more vertices than can be counted", gather->path);
  if (gather->n_vertices + n > gather->vertex_room) {
    gather->vertex_room = gather->n_vertices + n;
    PetscCall(PetscRealloc(gather->vertex_room * sizeof(Vec3), &gather->vertex));
  }
  double *x = NULL;
  PetscCall(PetscMalloc1(n, &x));
  const int dims = zone->structured ? zone->cell_dim : 1;
  const cgsize_t lo[3] = {1, 1, 1};
  const cgsize_t hi[3] = {zone->size[0], dims > 1 ? zone->size[1] : 1,
                          dims > 2 ? zone->size[2] : 1};
  Vec3 *to = gather->vertex + gather->n_vertices;
  for (int d = 0; d < 3; d++) {
    const int code = cg_coord_read(gather->file, zone->base, zone->zone, names[d],
                                   CGNS_ENUMV(RealDouble), lo, hi, x);
    for (int v = 0; v < n && code == CG_OK; v++)
      *(d == 0 ? &to[v].x : d == 1 ? &to[v].y : &to[v].z) = gather->scale * x[v];
    if (code != CG_OK) PetscCall(PetscFree(x));
    PetscCheck(code == CG_OK, PETSC_COMM_SELF, CAROM_ERR_FILE, "%s: zone %s: %s: %s", gather->path,
               zone->name, names[d], cg_get_error());
  }
  PetscCall(PetscFree(x));
  zone->first_vertex = gather->n_vertices;
  gather->n_vertices += n;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode GatherZone(CgnsGather *gather, int base, int cell_dim, int z)
{
  PetscFunctionBeginUser;
  CgnsZone zone = {.base = base, .zone = z, .cell_dim = cell_dim};
  CGNS_ENUMT(ZoneType_t) type;
  CgnsCall(gather->path, cg_zone_type(gather->file, base, z, &type));
  CgnsCall(gather->path, cg_zone_read(gather->file, base, z, zone.name, zone.size));
  zone.structured = type == CGNS_ENUMV(Structured);
  if (!zone.structured && type != CGNS_ENUMV(Unstructured)) PetscFunctionReturn(PETSC_SUCCESS);

  double n = 1.0;
  for (int d = 0; d < (zone.structured ? cell_dim : 1); d++) n *= PetscMax(0, zone.size[d]);
  PetscCheck(n < PETSC_MAX_INT, PETSC_COMM_SELF, CAROM_ERR_FILE, "%s: zone %s has %g vertices",
             gather->path, zone.name, n);
  zone.n_vertices = (int)n;
  const int n_before = gather->n_triangles;
  PetscCall(ReadVertices(gather, &zone));
  const PetscErrorCode code = CgnsZonePick(gather, &zone);
  PetscCall(CgnsZoneFree(&zone));
  PetscCall(code);
  if (gather->n_triangles == n_before) gather->n_vertices = zone.first_vertex;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode GatherBases(CgnsGather *gather)
{
  PetscFunctionBeginUser;
  int n_bases = 0;
  CgnsCall(gather->path, cg_nbases(gather->file, &n_bases));
  for (int b = 1; b <= n_bases; b++) {
    char name[CGNS_NAME];
    int cell_dim = 0, physical_dim = 0, n_zones = 0;
    CgnsCall(gather->path, cg_base_read(gather->file, b, name, &cell_dim, &physical_dim));
    CgnsCall(gather->path, cg_nzones(gather->file, b, &n_zones));
    if (physical_dim != 3 || cell_dim < 2) continue;
    for (int z = 1; z <= n_zones; z++) PetscCall(GatherZone(gather, b, cell_dim, z));
    if (gather->wanted.n == 0 && gather->n_triangles > 0) break;
    for (int i = 0; i < gather->wanted.n; i++)
      gather->found[i] = gather->found[i] || gather->base_has[i];
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode CheckFound(const CgnsGather *gather)
{
  PetscFunctionBeginUser;
  for (int i = 0; i < gather->wanted.n; i++) {
    if (gather->found[i]) continue;
    char list[1024] = "";
    size_t n = 0;
    for (int s = 0; s < gather->n_seen && n < sizeof list; s++)
      n += (size_t)snprintf(list + n, sizeof list - n, "%s%s", s > 0 ? ", " : "", gather->seen[s]);
    SETERRQ(PETSC_COMM_SELF, PETSC_ERR_USER_INPUT, "%s: no family %s, it has %s", gather->path,
            gather->wanted.name[i], n > 0 ? list : "none");
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadHere(CgnsGather *gather)
{
  PetscFunctionBeginUser;
  PetscCall(PetscCalloc2(gather->wanted.n, &gather->found, gather->wanted.n, &gather->base_has));
  PetscCall(CgnsOpen(gather->path, &gather->file));
  const PetscErrorCode code = GatherBases(gather);
  cg_close(gather->file);
  PetscCall(code);
  PetscCall(CheckFound(gather));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode GatherFree(CgnsGather *gather)
{
  PetscFunctionBeginUser;
  PetscCall(PetscFree2(gather->found, gather->base_has));
  PetscCall(PetscFree(gather->seen));
  PetscCall(PetscFree(gather->vertex));
  PetscCall(PetscFree(gather->triangle));
  PetscCall(PetscFree(gather->half));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Counts stay below 2^31: vertices and triangles were checked against that. */
static PetscErrorCode Share(MPI_Comm comm, const CgnsGather *gather, Triangles *triangles)
{
  PetscFunctionBeginUser;
  int count[3] = {gather->n_vertices, gather->n_triangles, gather->n_quads};
  PetscCallMPI(MPI_Bcast(count, 3, MPI_INT, 0, comm));
  PetscCall(TrianglesCreate(count[0], count[1], triangles));
  if (gather->n_vertices > 0)
    PetscCall(PetscArraycpy(triangles->vertex, gather->vertex, gather->n_vertices));
  if (gather->n_triangles > 0)
    PetscCall(PetscArraycpy(triangles->triangle, gather->triangle, gather->n_triangles));
  MPI_Datatype point;
  PetscCallMPI(MPI_Type_contiguous(3, MPI_DOUBLE, &point));
  PetscCallMPI(MPI_Type_commit(&point));
  PetscCallMPI(MPI_Bcast(triangles->vertex, count[0], point, 0, comm));
  PetscCallMPI(MPI_Type_free(&point));
  PetscCallMPI(MPI_Bcast(triangles->triangle, 3 * count[1], MPI_INT, 0, comm));
  if (count[2] == 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscMalloc1(count[1], &triangles->half));
  if (gather->n_quads > 0) PetscCall(PetscArraycpy(triangles->half, gather->half, count[1]));
  PetscCallMPI(MPI_Bcast(triangles->half, count[1], MPI_C_BOOL, 0, comm));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CgnsSurfaceRead(MPI_Comm comm, const char *path, const NameList *families,
                               double scale, Triangles *triangles)
{
  PetscFunctionBeginUser;
  PetscCheck(isfinite(scale) && scale > 0.0, comm, PETSC_ERR_USER_INPUT,
             "%s: scale must be positive, got %g", path, scale);
  int rank = 0, code = PETSC_SUCCESS;
  PetscCallMPI(MPI_Comm_rank(comm, &rank));
  CgnsGather gather = {.path = path, .scale = scale, .wanted = *families};
  if (rank == 0) code = ReadHere(&gather);
  if (code != PETSC_SUCCESS) PetscCall(GatherFree(&gather));
  PetscCall(CgnsVerdict(comm, code));
  PetscCall(Share(comm, &gather, triangles));
  PetscCall(GatherFree(&gather));
  PetscFunctionReturn(PETSC_SUCCESS);
}
