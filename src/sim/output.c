#include "sim/output.h"

#include "io/file.h"
#include "sim/clock.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char bodies_heading[] =
    "time,body,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz,fx,fy,fz,mx,my,mz";
static const char contacts_heading[] =
    "time,body_a,body_b,kind,points,x,y,z,nx,ny,nz,approach,px,py,pz,law,energy_before,"
    "energy_after";

PetscErrorCode OutputTakeCase(Output *o, const char *path, char **text, size_t length)
{
  PetscFunctionBeginUser;
  PetscCall(PetscStrncpy(o->case_path, path, sizeof o->case_path));
  o->case_text = *text;
  o->case_length = length;
  *text = NULL;
  const time_t now = time(NULL);
  struct tm parts;
  strftime(o->started, sizeof o->started, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &parts));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The case's name with .out for .yaml, beside it. */
static PetscErrorCode default_directory(const char *case_path, char directory[], size_t size)
{
  PetscFunctionBeginUser;
  const size_t n = strlen(case_path);
  const char *dot = strrchr(case_path, '.'), *slash = strrchr(case_path, '/');
  const bool yaml =
      dot != NULL && dot > slash && (strcmp(dot, ".yaml") == 0 || strcmp(dot, ".yml") == 0);
  PetscCall(PetscSNPrintf(directory, size, "%.*s.out", (int)(yaml ? dot - case_path : (long)n),
                          case_path));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What a run leaves behind, and --force clears. */
static const char *const results[] = {"bodies.csv",  "contacts.csv", "flow.csv",    "run.json",
                                      "report.html", "case.yaml",    "case.origin", "checkpoint",
                                      "fields",      "slices",       "surfaces"};
enum { RESULTS = sizeof results / sizeof *results };

static PetscErrorCode clear_results(MPI_Comm comm, const char *directory, bool force)
{
  PetscFunctionBeginUser;
  for (int k = 0; k < RESULTS; k++) {
    char path[PETSC_MAX_PATH_LEN];
    bool there = false;
    PetscCall(FileJoin(directory, results[k], path, sizeof path));
    PetscCall(FileExists(comm, path, &there));
    PetscCheck(force || !there, comm, PETSC_ERR_USER_INPUT,
               "%s: holds results already (%s); give --force to replace them, -o DIR for another "
               "place, or go on with them by carom resume",
               directory, results[k]);
    if (there) PetscCall(FileRemove(comm, path));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Keep a copy of the case, and the folder its paths refer to. */
static PetscErrorCode keep_case(const Output *o, MPI_Comm comm, const char *folder)
{
  PetscFunctionBeginUser;
  char path[PETSC_MAX_PATH_LEN], *whole = realpath(folder, NULL);
  PetscCall(FileJoin(o->directory, "case.yaml", path, sizeof path));
  PetscCall(FileReplace(comm, path, o->case_text, o->case_length));
  PetscCall(FileJoin(o->directory, "case.origin", path, sizeof path));
  const char *origin = whole != NULL ? whole : folder;
  PetscCall(FileReplace(comm, path, origin, strlen(origin)));
  free(whole);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The copy of the case and the headings of the histories. */
static PetscErrorCode begin_files(Output *o, MPI_Comm comm, const char *folder)
{
  PetscFunctionBeginUser;
  char path[PETSC_MAX_PATH_LEN];
  PetscCall(keep_case(o, comm, folder));
  PetscCall(FileJoin(o->directory, "bodies.csv", path, sizeof path));
  PetscCall(HistoryCreate(comm, path, bodies_heading, &o->bodies));
  PetscCall(FileJoin(o->directory, "contacts.csv", path, sizeof path));
  PetscCall(HistoryCreate(comm, path, contacts_heading, &o->contacts));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Take away what was begun; why it could not go on has been said already. */
static void take_back(const Output *o, MPI_Comm comm, bool was_there)
{
  PetscPushErrorHandler(PetscReturnErrorHandler, NULL);
  (void)clear_results(comm, o->directory, true);
  if (!was_there) (void)FileRemove(comm, o->directory);
  PetscPopErrorHandler();
}

PetscErrorCode OutputName(Output *o, const Case *c, const char *directory, const char *folder)
{
  PetscFunctionBeginUser;
  if (directory != NULL)
    PetscCall(PetscStrncpy(o->directory, directory, sizeof o->directory));
  else if (c->output.directory != NULL)
    PetscCall(FileJoin(folder, c->output.directory, o->directory, sizeof o->directory));
  else
    PetscCall(default_directory(o->case_path, o->directory, sizeof o->directory));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode OutputCacheFolder(const Output *o, char folder[], size_t size)
{
  PetscFunctionBeginUser;
  PetscCall(FileJoin(o->directory, "xray", folder, size));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode OutputCreate(Output *o, MPI_Comm comm, const char *folder, bool force)
{
  PetscFunctionBeginUser;
  bool was_there = false;
  PetscCall(clear_results(comm, o->directory, force));
  PetscCall(FileExists(comm, o->directory, &was_there));
  PetscCall(FileMakeDirectory(comm, o->directory));
  const PetscErrorCode code = begin_files(o, comm, folder);
  if (code != PETSC_SUCCESS) take_back(o, comm, was_there);
  PetscCall(code);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode OutputClose(Output *o)
{
  PetscFunctionBeginUser;
  PetscCall(HistoryDestroy(&o->bodies));
  PetscCall(HistoryDestroy(&o->contacts));
  PetscCall(PetscFree(o->case_text));
  PetscFunctionReturn(PETSC_SUCCESS);
}

void output_add_bodies(Output *o, const Case *c, const Bodies *bodies)
{
  const double t = bodies_time(bodies);
  for (int b = 0; b < c->n_bodies; b++) {
    const BodyState *s = bodies_state(bodies, b);
    const Vec3 w = body_spin(bodies_body(bodies, b), s);
    const Wrench air = bodies_air_load(bodies, b);
    const double numbers[] = {s->x.x,      s->x.y,       s->x.z,       s->q.w,      s->q.x,
                              s->q.y,      s->q.z,       s->v.x,       s->v.y,      s->v.z,
                              w.x,         w.y,          w.z,          air.force.x, air.force.y,
                              air.force.z, air.moment.x, air.moment.y, air.moment.z};
    history_printf(o->bodies, "%.17g,%s", t, c->bodies[b].name);
    for (int k = 0; k < (int)(sizeof numbers / sizeof *numbers); k++)
      history_printf(o->bodies, ",%.17g", numbers[k]);
    history_add(o->bodies, "\n", 1);
  }
}

int output_add_contacts(Output *o, const Case *c, const Contact *contact)
{
  static const char *const kinds[] = {"point", "line", "plane"};
  static const char *const laws[] = {"none", "algebraic", "stronge", "rest", "hertz"};
  const ContactEvent *events = NULL;
  const int n = contact != NULL ? contact_events(contact, &events) : 0;
  for (int k = 0; k < n && o->contacts != NULL; k++) {
    const ContactEvent *e = &events[k];
    const char *b =
        e->b < c->n_bodies ? c->bodies[e->b].name : contact_wall_name(contact, e->b - c->n_bodies);
    history_printf(o->contacts, "%.17g,%s,%s,%s,%d,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,", e->time,
                   c->bodies[e->a].name, b, kinds[e->kind], e->n_points, e->point.x, e->point.y,
                   e->point.z, e->normal.x, e->normal.y, e->normal.z);
    history_printf(o->contacts, "%.17g,%.17g,%.17g,%.17g,%s,%.17g,%.17g\n", e->approach,
                   e->impulse.x, e->impulse.y, e->impulse.z, laws[e->law], e->energy_before,
                   e->energy_after);
  }
  return n;
}

bool output_write_out(Output *o)
{
  const double pause = 1.0, now = clock_now();
  if (now - o->last_write_out < pause) return false;
  o->last_write_out = now;
  history_write_out(o->bodies);
  history_write_out(o->contacts);
  return true;
}

bool output_in_trouble(const Output *o)
{
  return history_in_trouble(o->bodies) || history_in_trouble(o->contacts);
}

PetscErrorCode OutputFlush(Output *o)
{
  PetscFunctionBeginUser;
  PetscCall(HistoryFlush(o->bodies, NULL));
  PetscCall(HistoryFlush(o->contacts, NULL));
  PetscFunctionReturn(PETSC_SUCCESS);
}
