/*
 * Walls are written as triangles, quadrilaterals and polygons, in that order, with a value for each
 * face (field_file.c); they are read in the same order.
 */
#include "io/wall_file.h"

#include "io/cgns_impl.h"

#include <string.h>

typedef struct {
  const char *path;
  int file, base, zone;
  cgsize_t n_vertices, n_faces;
  double *x; /* owned: x of all vertices, then y, then z */
} Reading;

static PetscErrorCode read_vertices(Reading *r)
{
  PetscFunctionBeginUser;
  static const char *const names[] = {"CoordinateX", "CoordinateY", "CoordinateZ"};
  const cgsize_t one = 1, n = r->n_vertices;
  PetscCall(PetscMalloc1(3 * (size_t)n, &r->x));
  for (int k = 0; k < 3; k++)
    CgnsCall(r->path, cg_coord_read(r->file, r->base, r->zone, names[k], CGNS_ENUMV(RealDouble),
                                    &one, &n, r->x + (size_t)k * n));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The mean of the corners of a face; false when one does not exist. */
static bool center_of(const Reading *r, int n, const cgsize_t corner[], double center[3])
{
  for (int k = 0; k < 3; k++) center[k] = 0.0;
  for (int i = 0; i < n; i++) {
    const cgsize_t v = corner[i] - 1;
    if (v < 0 || v >= r->n_vertices) return false;
    for (int k = 0; k < 3; k++) center[k] += r->x[(size_t)k * r->n_vertices + v] / n;
  }
  return n > 0;
}

/* Faces of one size, or polygons with their offsets. */
static PetscErrorCode read_section(Reading *r, int section, WallZone *z)
{
  PetscFunctionBeginUser;
  char name[CGNS_NAME];
  ElementType_t type;
  cgsize_t start, end, size, *corner, *offset;
  int boundary, parent, corners = 0;
  CgnsCall(r->path, cg_section_read(r->file, r->base, r->zone, section, name, &type, &start, &end,
                                    &boundary, &parent));
  CgnsCall(r->path, cg_ElementDataSize(r->file, r->base, r->zone, section, &size));
  const bool polygons = type == CGNS_ENUMV(NGON_n);
  if (!polygons) CgnsCall(r->path, cg_npe(type, &corners));
  const cgsize_t n = end - start + 1;
  PetscCheck(n > 0 && z->n + n <= r->n_faces && (polygons || n * corners == size), PETSC_COMM_SELF,
             CAROM_ERR_FILE, "%s: walls of a kind that is not known here", r->path);
  PetscCall(PetscMalloc2(size, &corner, n + 1, &offset));
  for (cgsize_t i = 0; i <= n; i++) offset[i] = i * corners;
  const int code =
      polygons ? cg_poly_elements_read(r->file, r->base, r->zone, section, corner, offset, NULL)
               : cg_elements_read(r->file, r->base, r->zone, section, corner, NULL);
  bool good = code == CG_OK;
  for (cgsize_t i = 0; i < n && good; i++)
    good =
        offset[i] >= 0 && offset[i + 1] <= size &&
        center_of(r, (int)(offset[i + 1] - offset[i]), corner + offset[i], z->center + 3 * z->n++);
  PetscCall(PetscFree2(corner, offset));
  PetscCheck(good, PETSC_COMM_SELF, CAROM_ERR_FILE, "%s: the faces of walls cannot be read",
             r->path);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode read_faces(Reading *r, WallZone *z)
{
  PetscFunctionBeginUser;
  int n_sections = 0;
  const cgsize_t one = 1;
  PetscCall(PetscMalloc1(3 * (size_t)r->n_faces, &z->center));
  PetscCall(PetscMalloc1(r->n_faces, &z->pressure));
  CgnsCall(r->path, cg_nsections(r->file, r->base, r->zone, &n_sections));
  for (int k = 1; k <= n_sections; k++) PetscCall(read_section(r, k, z));
  PetscCheck(z->n == r->n_faces, PETSC_COMM_SELF, CAROM_ERR_FILE, "%s: faces of walls are missing",
             r->path);
  CgnsCall(r->path, cg_field_read(r->file, r->base, r->zone, 1, "Pressure", CGNS_ENUMV(RealDouble),
                                  &one, &r->n_faces, z->pressure));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode read_zone(Reading *r, WallZone *z)
{
  PetscFunctionBeginUser;
  cgsize_t size[9] = {0};
  char name[CGNS_NAME];
  CgnsCall(r->path, cg_zone_read(r->file, r->base, r->zone, name, size));
  r->n_vertices = size[0];
  r->n_faces = size[1];
  PetscCheck(size[0] > 0 && size[1] > 0, PETSC_COMM_SELF, CAROM_ERR_FILE, "%s: a zone is empty",
             r->path);
  char *rank = strrchr(name, '_');
  if (rank != NULL) *rank = '\0';
  PetscCall(PetscStrncpy(z->name, name, sizeof z->name));
  PetscCall(read_vertices(r));
  PetscCall(read_faces(r, z));
  PetscCall(PetscFree(r->x));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode read_time(const Reading *r, double *t)
{
  PetscFunctionBeginUser;
  CgnsCall(r->path, cg_goto(r->file, r->base, "BaseIterativeData_t", 1, "end"));
  CgnsCall(r->path, cg_array_read_as(1, CGNS_ENUMV(RealDouble), t));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode read_walls(Reading *r, WallFile *f)
{
  PetscFunctionBeginUser;
  int n_bases = 0, dimension, space;
  char name[CGNS_NAME] = "";
  CgnsCall(r->path, cg_nbases(r->file, &n_bases));
  for (r->base = 1; r->base <= n_bases; r->base++) {
    CgnsCall(r->path, cg_base_read(r->file, r->base, name, &dimension, &space));
    if (strcmp(name, "Walls") == 0) break;
  }
  if (r->base > n_bases) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(read_time(r, &f->t));
  CgnsCall(r->path, cg_nzones(r->file, r->base, &f->n));
  PetscCall(PetscCalloc1(f->n, &f->zone));
  for (r->zone = 1; r->zone <= f->n; r->zone++) PetscCall(read_zone(r, &f->zone[r->zone - 1]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode WallFileRead(const char *path, WallFile *f)
{
  PetscFunctionBeginUser;
  Reading r = {.path = path};
  *f = (WallFile){0};
  PetscCall(CgnsOpen(path, &r.file));
  const PetscErrorCode code = read_walls(&r, f);
  cg_close(r.file);
  if (code != PETSC_SUCCESS) {
    PetscCall(PetscFree(r.x));
    PetscCall(WallFileDestroy(f));
  }
  PetscCall(code);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode WallFileDestroy(WallFile *f)
{
  PetscFunctionBeginUser;
  for (int k = 0; k < f->n && f->zone != NULL; k++) {
    PetscCall(PetscFree(f->zone[k].center));
    PetscCall(PetscFree(f->zone[k].pressure));
  }
  PetscCall(PetscFree(f->zone));
  *f = (WallFile){0};
  PetscFunctionReturn(PETSC_SUCCESS);
}
