#include "sim/sim.h"

#include "base/hash.h"
#include "io/file.h"
#include "sim/setup.h"

#include <string.h>

RunOptions run_options_default(void)
{
  return (RunOptions){.steps = -1, .until = INFINITY, .wall = INFINITY};
}

/* The folder of a path: "." when it has none. */
static PetscErrorCode folder_of(const char *path, char folder[], size_t size)
{
  PetscFunctionBeginUser;
  const char *slash = strrchr(path, '/');
  PetscCall(PetscStrncpy(folder, slash == NULL ? "." : path, size));
  if (slash == path)
    folder[1] = '\0';
  else if (slash != NULL && (size_t)(slash - path) < size)
    folder[slash - path] = '\0';
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Steps to the end: the last may be shorter, but never by rounding only. */
static int64_t count_steps(const TimeSpec *time)
{
  return (int64_t)ceil(time->end / time->step - 1e-9);
}

double sim_time_of(const Sim *sim, int64_t n)
{
  const TimeSpec *time = &sim->the_case->time;
  return n >= sim->n_steps ? time->end : (double)n * time->step;
}

/* What the flow solver cannot do yet. */
static PetscErrorCode refuse_flow(CaseFile *file)
{
  PetscFunctionBeginUser;
  const Case *c = case_file_case(file);
  int n = 0;
  if (c->flow.equations == EQUATIONS_RANS && c->off_body.given)
    PetscCall(CaseFileComplain(file, "flow.equations",
                               "this version has turbulence on a single grid only, wanted no "
                               "off_body"));
  for (int b = 0; b < c->n_bodies; b++) {
    char key[32];
    PetscCall(PetscSNPrintf(key, sizeof key, "bodies[%d].grid", b));
    if (c->grids[b].given && ++n == 2 && !c->off_body.given)
      PetscCall(CaseFileComplain(file, key, "grids of several bodies need off_body to join them"));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What this version cannot do yet is refused at once, in one line. */
static PetscErrorCode refuse_what_is_missing(CaseFile *file)
{
  PetscFunctionBeginUser;
  const Case *c = case_file_case(file);
  if (c->flow.given) PetscCall(refuse_flow(file));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode print_warnings(MPI_Comm comm, const CaseFile *file)
{
  PetscFunctionBeginUser;
  for (int k = 0; k < case_file_warnings(file); k++)
    PetscCall(PetscFPrintf(comm, stderr, "%s\n", case_file_warning(file, k)));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode build(Sim *s)
{
  PetscFunctionBeginUser;
  PetscCall(CaseFileReport(s->file, s->comm));
  PetscCall(print_warnings(s->comm, s->file));
  PetscCall(refuse_what_is_missing(s->file));
  PetscCall(ShapesCreate(s->comm, s->file, s->folder, &s->shapes));
  if (case_file_complaints(s->file) == 0)
    PetscCall(SetupBodies(s->comm, s->file, s->folder, &s->shapes, &s->bodies));
  PetscCall(CaseFileReport(s->file, s->comm));
  char cache[PETSC_MAX_PATH_LEN];
  PetscCall(OutputCacheFolder(&s->output, cache, sizeof cache));
  PetscCall(SetupContact(s->comm, s->file, cache, &s->shapes, s->bodies, &s->contact));
  if (s->the_case->flow.given && s->the_case->off_body.given && s->contact == NULL)
    PetscCall(ShapesTakeXRays(s->comm, cache, &s->shapes));
  PetscCall(AirCreate(s->comm, s->file, s->folder, &s->shapes, &s->air));
  PetscCall(CaseFileReport(s->file, s->comm));
  s->n_steps = count_steps(&s->the_case->time);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SimCreate(MPI_Comm comm, const char *path, const char *folder, const char *directory,
                         Sim **sim)
{
  PetscFunctionBeginUser;
  Sim *s = NULL;
  char *text = NULL;
  size_t length = 0;
  PetscCall(PetscNew(&s));
  s->comm = comm;
  s->saved = -1;
  s->clock = clock_start();
  PetscCall(FileReadUpTo(comm, path, CASE_LIMIT, &text, &length));
  s->case_hash = hash_bytes(0, text, length);
  PetscCall(CaseFileCreate(path, text, length, &s->file));
  s->the_case = case_file_case(s->file);
  if (folder != NULL)
    PetscCall(PetscStrncpy(s->folder, folder, sizeof s->folder));
  else
    PetscCall(folder_of(path, s->folder, sizeof s->folder));
  PetscCall(OutputTakeCase(&s->output, path, &text, length));
  PetscCall(OutputName(&s->output, s->the_case, directory, s->folder));
  PetscCall(build(s));
  clock_lap(&s->clock, STAGE_SETUP);
  *sim = s;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SimDestroy(Sim **sim)
{
  PetscFunctionBeginUser;
  if (*sim == NULL) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(OutputClose(&(*sim)->output));
  PetscCall(AirDestroy(&(*sim)->air));
  PetscCall(ContactDestroy(&(*sim)->contact));
  PetscCall(BodiesDestroy(&(*sim)->bodies));
  PetscCall(ShapesDestroy(&(*sim)->shapes));
  PetscCall(CaseFileDestroy(&(*sim)->file));
  PetscCall(PetscFree((*sim)->lasting));
  PetscCall(PetscFree(*sim));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static const char *motion_name(MotionKind motion)
{
  static const char *const names[] = {"free", "fixed", "axis", "point", "prescribed"};
  return names[motion];
}

static void describe_body(const Sim *s, int b, FILE *out)
{
  const BodySpec *spec = &s->the_case->bodies[b];
  const Body *body = bodies_body(s->bodies, b);
  const Surface *surface = s->shapes.shape[s->shapes.of_body[b]].surface;
  const Vec3 center = setup_center(s->the_case, &s->shapes, b);
  fprintf(out, "  %-16s %-10s %9d triangles", spec->name, motion_name(spec->motion),
          surface != NULL ? surface->n_triangles : 0);
  if (!isnan(body->mass))
    fprintf(out, "  mass %.6g  center (%.6g, %.6g, %.6g)  inertia (%.6g, %.6g, %.6g)", body->mass,
            center.x, center.y, center.z, body->inertia.m[0][0], body->inertia.m[1][1],
            body->inertia.m[2][2]);
  fprintf(out, "\n");
}

PetscErrorCode SimDescribe(const Sim *s, FILE *out)
{
  PetscFunctionBeginUser;
  int rank = 0;
  PetscCallMPI(MPI_Comm_rank(s->comm, &rank));
  if (s->air != NULL) {
    PetscCall(AirFill(s->air, s->bodies));
    PetscCall(AirDescribe(s->air, out));
  }
  if (rank != 0) PetscFunctionReturn(PETSC_SUCCESS);
  enum { SHOWN = 20 };
  const Case *c = s->the_case;
  const double numbers = (double)bodies_record_size(s->bodies);
  fprintf(out, "%s run: %d bodies of %d shapes, %d walls, %lld steps of %g to t = %g\n",
          c->flow.given ? "wet" : "dry", c->n_bodies, s->shapes.n, c->n_walls,
          (long long)s->n_steps, c->time.step, c->time.end);
  for (int b = 0; b < c->n_bodies && b < SHOWN; b++) describe_body(s, b, out);
  if (c->n_bodies > SHOWN) fprintf(out, "  and %d more\n", c->n_bodies - SHOWN);
  fprintf(out, "checkpoint: %.3g MB; histories: about %.3g MB\n", numbers * 8e-6,
          420e-6 * c->n_bodies * (double)(s->n_steps / c->output.history + 2));
  PetscFunctionReturn(PETSC_SUCCESS);
}
