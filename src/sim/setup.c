#include "sim/setup.h"

#include "grid/forest.h"
#include "io/file.h"
#include "io/table.h"

#include <string.h>

Vec3 setup_center(const Case *c, const Shapes *shapes, int b)
{
  const Shape *shape = &shapes->shape[shapes->of_body[b]];
  if (vec3_finite(c->bodies[b].center)) return c->bodies[b].center;
  return shape->has_mass ? shape->mass.center : vec3(0, 0, 0);
}

/* Inertia of the shape's solid about the mass centre of the case. */
static Mat3 inertia_from_shape(const MassProperties *solid, double mass, Vec3 center)
{
  const Mat3 shift = mat3_steiner(vec3_sub(center, solid->center));
  const Mat3 own = mat3_scale(mass / solid->volume, &solid->inertia);
  const Mat3 moved = mat3_scale(mass, &shift);
  return mat3_add(&own, &moved);
}

PetscErrorCode SetupMass(CaseFile *file, const Shapes *shapes, int b, BodyInput *input)
{
  PetscFunctionBeginUser;
  const Case *c = case_file_case(file);
  const BodySpec *spec = &c->bodies[b];
  const Shape *shape = &shapes->shape[shapes->of_body[b]];
  const bool given = spec->motion == MOTION_FIXED || spec->motion == MOTION_PRESCRIBED;
  *input = (BodyInput){spec, spec->mass, mat3_identity()};

  char path[64];
  PetscCall(PetscSNPrintf(path, sizeof path, "bodies[%d]", b));
  const bool needs_shape = !isnan(spec->density) || (spec->n_inertia == 0 && !given);
  if (needs_shape && !shape->has_mass) {
    PetscCall(CaseFileComplain(file, path,
                               "the shape has no volume of its own (its shells overlap); "
                               "give mass, center and inertia"));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  if (!isnan(spec->density)) input->mass = spec->density * shape->mass.volume;
  const double *in = spec->inertia;
  if (spec->n_inertia == 3) input->inertia = mat3_diagonal(in[0], in[1], in[2]);
  if (spec->n_inertia == 6)
    input->inertia = mat3_symmetric(in[0], in[1], in[2], in[3], in[4], in[5]);
  if (spec->n_inertia == 0 && shape->has_mass && !isnan(input->mass))
    input->inertia = inertia_from_shape(&shape->mass, input->mass, setup_center(c, shapes, b));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Read a table of numbers; what is wrong with it becomes a complaint at the key. */
static PetscErrorCode read_table(MPI_Comm comm, CaseFile *file, const char *folder, const char *key,
                                 const char *name, int n_columns, NumberTable *table)
{
  PetscFunctionBeginUser;
  char path[PETSC_MAX_PATH_LEN], complaint[160], *text = NULL;
  size_t length = 0;
  PetscCall(FileJoin(folder, name, path, sizeof path));
  PetscCall(FileRead(comm, path, &text, &length));
  if (strlen(text) != length)
    PetscCall(PetscStrncpy(complaint, "holds a zero byte: not a text file", sizeof complaint));
  else
    PetscCall(NumberTableParse(text, n_columns, table, complaint, sizeof complaint));
  PetscCall(PetscFree(text));
  if (complaint[0] != '\0') PetscCall(CaseFileComplain(file, key, "%s: %s", name, complaint));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode load_motion_table(MPI_Comm comm, CaseFile *file, const char *folder, int b,
                                        MotionTable **motion)
{
  PetscFunctionBeginUser;
  enum { COLUMNS = 8 };
  const char *name = case_file_case(file)->bodies[b].motion_table;
  *motion = NULL;
  if (name == NULL) PetscFunctionReturn(PETSC_SUCCESS);
  char key[64];
  NumberTable table = {0};
  PetscCall(PetscSNPrintf(key, sizeof key, "bodies[%d].motion_table", b));
  PetscCall(read_table(comm, file, folder, key, name, COLUMNS, &table));
  bool sound = table.n_rows > 0;
  for (int i = 0; i < table.n_rows; i++) {
    const double *q = table.value + i * COLUMNS + 4;
    if (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] > 0.0) continue;
    PetscCall(CaseFileComplain(file, key, "%s: row %d has a zero quaternion", name, i + 1));
    sound = false;
  }
  if (sound)
    PetscCall(MotionTableCreate(table.n_rows, (const double(*)[COLUMNS])table.value, motion));
  PetscCall(NumberTableDestroy(&table));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static int body_named(const Case *c, const char *name)
{
  for (int b = 0; name != NULL && b < c->n_bodies; b++)
    if (strcmp(c->bodies[b].name, name) == 0) return b;
  return -1;
}

static PetscErrorCode make_load(MPI_Comm comm, CaseFile *file, const char *folder, int b, int k,
                                Load *load)
{
  PetscFunctionBeginUser;
  enum { COLUMNS = 7 };
  const Case *c = case_file_case(file);
  *load = (Load){.spec = c->bodies[b].loads[k], .body = b};
  load->carrier = body_named(c, load->spec.relative_to);
  if (load->spec.table == NULL) PetscFunctionReturn(PETSC_SUCCESS);
  char key[64];
  NumberTable table = {0};
  PetscCall(PetscSNPrintf(key, sizeof key, "bodies[%d].loads[%d].table", b, k));
  PetscCall(read_table(comm, file, folder, key, load->spec.table, COLUMNS, &table));
  load->table = (LoadTable){table.n_rows, (double(*)[COLUMNS])table.value};
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode make_loads(MPI_Comm comm, CaseFile *file, const char *folder, int *n_loads,
                                 Load **loads)
{
  PetscFunctionBeginUser;
  const Case *c = case_file_case(file);
  *n_loads = 0;
  for (int b = 0; b < c->n_bodies; b++) *n_loads += c->bodies[b].n_loads;
  PetscCall(PetscCalloc1(*n_loads, loads));
  int n = 0;
  for (int b = 0; b < c->n_bodies; b++)
    for (int k = 0; k < c->bodies[b].n_loads; k++)
      PetscCall(make_load(comm, file, folder, b, k, &(*loads)[n++]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SetupBodies(MPI_Comm comm, CaseFile *file, const char *folder, const Shapes *shapes,
                           Bodies **bodies)
{
  PetscFunctionBeginUser;
  const Case *c = case_file_case(file);
  BodyInput *inputs;
  MotionTable **tables;
  Load *loads = NULL;
  int n_loads = 0;
  PetscCall(PetscCalloc2(c->n_bodies, &inputs, c->n_bodies, &tables));
  for (int b = 0; b < c->n_bodies; b++) {
    PetscCall(SetupMass(file, shapes, b, &inputs[b]));
    PetscCall(load_motion_table(comm, file, folder, b, &tables[b]));
  }
  PetscCall(make_loads(comm, file, folder, &n_loads, &loads));
  *bodies = NULL;
  if (case_file_complaints(file) == 0)
    PetscCall(BodiesCreate(c->n_bodies, inputs, tables, n_loads, loads, c->gravity, bodies));
  PetscCall(PetscFree(loads));
  PetscCall(PetscFree2(inputs, tables));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The name of a body or a wall. */
static const char *name_of(const Case *c, const Contact *contact, int id)
{
  return id < c->n_bodies ? c->bodies[id].name : contact_wall_name(contact, id - c->n_bodies);
}

static PetscErrorCode refuse_overlap(CaseFile *file, Contact *contact, Bodies *bodies)
{
  PetscFunctionBeginUser;
  const Case *c = case_file_case(file);
  Overlap worst;
  if (c->contact.allow_initial_overlap) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(ContactFindOverlap(contact, bodies, &worst));
  if (worst.depth <= worst.allowed) PetscFunctionReturn(PETSC_SUCCESS);
  char path[64];
  PetscCall(PetscSNPrintf(path, sizeof path, "bodies[%d]", worst.a));
  PetscCall(CaseFileComplain(file, path,
                             "'%s' and '%s' overlap at the start by %.3g, more than touching "
                             "(%.3g); move them apart or set contact.allow_initial_overlap",
                             name_of(c, contact, worst.a), name_of(c, contact, worst.b),
                             worst.depth, worst.allowed));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Half-spaces that bodies strike: those of the case, then the solid sides of the domain. A plane of
 * symmetry has no friction; a slip wall has what the body has. */
static int list_walls(const Case *c, WallSpec wall[])
{
  static const char *const names[SIDES] = {"xmin", "xmax", "ymin", "ymax", "zmin", "zmax"};
  int n = c->n_walls;
  for (int w = 0; w < n; w++) wall[w] = c->walls[w];
  if (!c->off_body.given) return n;
  const Box box = forest_domain(&c->off_body).box;
  for (int side = 0; side < SIDES; side++) {
    const BoundaryKind kind = c->off_body.boundaries[side];
    if (kind != BOUNDARY_SYMMETRY && kind != BOUNDARY_SLIP) continue;
    const double inward = side % 2 == 0 ? 1.0 : -1.0;
    wall[n++] =
        (WallSpec){.name = names[side],
                   .point = side % 2 == 0 ? box.lo : box.hi,
                   .normal = vec3(side / 2 == 0 ? inward : 0.0, side / 2 == 1 ? inward : 0.0,
                                  side / 2 == 2 ? inward : 0.0),
                   .restitution = 1.0,
                   .friction = kind == BOUNDARY_SLIP ? INFINITY : 0.0};
  }
  return n;
}

PetscErrorCode SetupContact(MPI_Comm comm, CaseFile *file, const char *cache, Shapes *shapes,
                            Bodies *bodies, Contact **contact)
{
  PetscFunctionBeginUser;
  const Case *c = case_file_case(file);
  *contact = NULL;
  const XRay **xray;
  Vec3 *center;
  WallSpec *wall;
  PetscCall(PetscMalloc1(c->n_walls + SIDES, &wall));
  const int n_walls = list_walls(c, wall);
  if (c->contact.law == LAW_NONE || c->n_bodies + n_walls < 2) {
    PetscCall(PetscFree(wall));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(ShapesTakeXRays(comm, cache, shapes));
  PetscCall(PetscMalloc2(c->n_bodies, &xray, c->n_bodies, &center));
  for (int b = 0; b < c->n_bodies; b++) {
    xray[b] = shapes->shape[shapes->of_body[b]].xray;
    center[b] = setup_center(c, shapes, b);
  }
  const ContactInput input = {&c->contact, c->n_bodies, c->bodies, xray,
                              center,      n_walls,     wall,      c->gravity};
  PetscCall(ContactCreate(comm, &input, contact));
  PetscCall(PetscFree2(xray, center));
  PetscCall(PetscFree(wall));
  PetscCall(refuse_overlap(file, *contact, bodies));
  PetscFunctionReturn(PETSC_SUCCESS);
}
