#include "sim/shapes.h"

#include "base/hash.h"
#include "geom/primitive.h"
#include "io/file.h"
#include "io/surface_file.h"

#include <string.h>

static bool same_text(const char *a, const char *b)
{
  return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

/* Equal numbers; two that were not given are equal too. */
static bool same_number(double a, double b)
{
  return a == b || (isnan(a) && isnan(b));
}

static bool same_vec3(Vec3 a, Vec3 b)
{
  return same_number(a.x, b.x) && same_number(a.y, b.y) && same_number(a.z, b.z);
}

static bool same_shape(const ShapeSpec *a, const ShapeSpec *b)
{
  if (a->kind != b->kind || a->families.n != b->families.n) return false;
  for (int i = 0; i < a->families.n; i++)
    if (!same_text(a->families.name[i], b->families.name[i])) return false;
  return same_number(a->radius, b->radius) && same_vec3(a->size, b->size) &&
         same_number(a->length, b->length) && same_vec3(a->axis, b->axis) &&
         same_text(a->file, b->file) && same_number(a->scale, b->scale) &&
         same_number(a->spacing, b->spacing);
}

/* A hash of the numbers that same_shape compares, so that many bodies are sorted out quickly. */
static uint64_t shape_key(const ShapeSpec *s)
{
  const double numbers[] = {s->kind,   s->radius, s->size.x, s->size.y, s->size.z, s->length,
                            s->axis.x, s->axis.y, s->axis.z, s->scale,  s->spacing};
  uint64_t key = 0;
  for (int k = 0; k < (int)(sizeof numbers / sizeof *numbers); k++)
    if (!isnan(numbers[k])) key += hash_bytes((uint64_t)k, &numbers[k], sizeof numbers[k]);
  if (s->file != NULL) key += hash_bytes(100, s->file, strlen(s->file));
  return key;
}

/* Number the different shapes in case order, through an open hash table. */
static PetscErrorCode number_shapes(const Case *c, Shapes *shapes)
{
  PetscFunctionBeginUser;
  int *slot, size = 16;
  while (size < 2 * c->n_bodies) size *= 2;
  PetscCall(PetscMalloc1(size, &slot));
  for (int i = 0; i < size; i++) slot[i] = -1;
  for (int b = 0; b < c->n_bodies; b++) {
    const ShapeSpec *spec = &c->bodies[b].shape;
    int i = (int)(shape_key(spec) % (uint64_t)size);
    while (slot[i] >= 0 && !same_shape(spec, &shapes->shape[slot[i]].spec)) i = (i + 1) % size;
    if (slot[i] < 0) {
      shapes->shape[shapes->n] = (Shape){.spec = *spec, .first_body = b};
      slot[i] = shapes->n++;
    }
    shapes->of_body[b] = slot[i];
  }
  PetscCall(PetscFree(slot));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode build_primitive(CaseFile *file, const char *path, Shape *shape)
{
  PetscFunctionBeginUser;
  const PetscErrorCode code = PrimitiveCreate(&shape->spec, &shape->surface);
  if (code == PETSC_ERR_USER_INPUT) {
    PetscCall(CaseFileComplain(file, path, "cannot be divided into triangles"));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(code);
  shape->mass = primitive_mass_properties(&shape->spec);
  shape->has_mass = true;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode build_from_file(MPI_Comm comm, const char *folder, Shape *shape)
{
  PetscFunctionBeginUser;
  char path[PETSC_MAX_PATH_LEN];
  SurfaceReport report;
  ShapeSpec spec = shape->spec;
  PetscCall(FileJoin(folder, spec.file, path, sizeof path));
  spec.file = path;
  PetscCall(SurfaceRead(comm, &spec, &report, &shape->surface));
  PetscCall(SurfaceRequireSound(comm, path, &report));
  shape->has_mass = surface_report_has_mass(&report);
  if (shape->has_mass) shape->mass = surface_mass_properties(shape->surface);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ShapesInit(const Case *c, Shapes *shapes)
{
  PetscFunctionBeginUser;
  *shapes = (Shapes){0};
  PetscCall(PetscCalloc2(c->n_bodies, &shapes->shape, c->n_bodies, &shapes->of_body));
  PetscCall(number_shapes(c, shapes));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ShapeBuild(MPI_Comm comm, CaseFile *file, const char *folder, Shape *shape)
{
  PetscFunctionBeginUser;
  char path[64];
  PetscCall(PetscSNPrintf(path, sizeof path, "bodies[%d].shape", shape->first_body));
  if (shape_is_primitive(shape->spec.kind))
    PetscCall(build_primitive(file, path, shape));
  else if (shape->spec.kind != SHAPE_NONE)
    PetscCall(build_from_file(comm, folder, shape));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ShapesCreate(MPI_Comm comm, CaseFile *file, const char *folder, Shapes *shapes)
{
  PetscFunctionBeginUser;
  PetscCall(ShapesInit(case_file_case(file), shapes));
  for (int k = 0; k < shapes->n; k++) PetscCall(ShapeBuild(comm, file, folder, &shapes->shape[k]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ShapesTakeXRays(MPI_Comm comm, const char *folder, Shapes *shapes)
{
  PetscFunctionBeginUser;
  for (int k = 0; k < shapes->n; k++) {
    Shape *shape = &shapes->shape[k];
    if (shape->surface == NULL) continue;
    PetscCall(
        XRayObtain(comm, folder, shape->surface, &shape->xray, &shape->shared, &shape->cached));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ShapesKeepXRays(MPI_Comm comm, const char *folder, const Shapes *shapes)
{
  PetscFunctionBeginUser;
  for (int k = 0; k < shapes->n; k++) {
    const Shape *shape = &shapes->shape[k];
    if (shape->xray != NULL && !shape->cached)
      PetscCall(XRayKeep(comm, folder, shape->surface, shape->xray));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ShapesDestroy(Shapes *shapes)
{
  PetscFunctionBeginUser;
  for (int k = 0; k < shapes->n; k++) {
    PetscCall(SurfaceDestroy(&shapes->shape[k].surface));
    PetscCall(XRayDestroy(&shapes->shape[k].xray));
    PetscCall(SharedBytesDestroy(&shapes->shape[k].shared));
  }
  PetscCall(PetscFree2(shapes->shape, shapes->of_body));
  *shapes = (Shapes){0};
  PetscFunctionReturn(PETSC_SUCCESS);
}
