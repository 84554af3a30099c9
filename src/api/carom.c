/*
 * The installed interface over sim/ and below. Errors of PETSc end here: each call runs under a
 * handler that keeps the message with the scene, and leaves with a status.
 */
#include "api/carom.h"

#include "base/start.h"
#include "sim/setup.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct CaromScene {
  MPI_Comm comm;
  CaseFile *file; /* owned */
  Shapes shapes;
  Bodies *bodies;   /* owned; NULL: the scene could not be made */
  Contact *contact; /* owned; NULL: nothing can touch */
  char message[2048];
};

/* Keep the message of a mistake; a bug has a traceback besides. */
static PetscErrorCode handle(MPI_Comm comm, int line, const char *function, const char *file,
                             PetscErrorCode code, PetscErrorType type, const char *message,
                             void *context)
{
  CaromScene *scene = context;
  if (type == PETSC_ERROR_INITIAL && message != NULL && message[0] != '\0')
    snprintf(scene->message, sizeof scene->message, "%s", message);
  if (error_is_plain(code)) return code;
  return PetscTraceBackErrorHandler(comm, line, function, file, code, type, message, NULL);
}

static void enter(CaromScene *scene)
{
  scene->message[0] = '\0';
  PetscPushErrorHandler(handle, scene);
}

static CaromStatus leave(PetscErrorCode code)
{
  PetscPopErrorHandler();
  return (CaromStatus)error_exit_status(code);
}

__attribute__((format(printf, 2, 3))) static CaromStatus refuse(CaromScene *scene,
                                                                const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(scene->message, sizeof scene->message, format, arguments);
  va_end(arguments);
  return CAROM_INPUT;
}

CaromStatus CaromInit(MPI_Comm comm)
{
  PetscBool begun = PETSC_FALSE;
  if (PetscInitialized(&begun) != PETSC_SUCCESS) return CAROM_BUG;
  if (begun) return CAROM_OK;
  int running = 0;
  MPI_Initialized(&running);
  if (running) PETSC_COMM_WORLD = comm;
  const PetscErrorCode code = PetscStart("carom", 0, NULL);
  return code == PETSC_SUCCESS ? CAROM_OK : CAROM_BUG;
}

CaromStatus CaromFinish(void)
{
  PetscBool begun = PETSC_FALSE;
  PetscErrorCode code = PetscInitialized(&begun);
  if (code == PETSC_SUCCESS && begun) code = PetscFinalize();
  return code == PETSC_SUCCESS ? CAROM_OK : CAROM_BUG;
}

/* The text with the one section that a case needs and a host does not: it has its own time. */
static PetscErrorCode read_description(CaromScene *s, const char *description)
{
  PetscFunctionBeginUser;
  static const char time[] = "\ntime: {step: 1, end: 1}\n";
  const size_t n = strlen(description);
  char *text = NULL;
  PetscCall(PetscMalloc1(n + sizeof time, &text));
  memcpy(text, description, n);
  memcpy(text + n, time, sizeof time);
  PetscCall(CaseFileCreate("scene", text, n + sizeof time - 1, &s->file));
  PetscCall(PetscFree(text));
  if (case_file_complaints(s->file) == 0 && case_file_case(s->file)->flow.given)
    PetscCall(CaseFileComplain(s->file, "flow", "is for the program, a host has its own air"));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Complaints of the description become the message. */
static PetscErrorCode check_complaints(CaromScene *s)
{
  PetscFunctionBeginUser;
  char text[sizeof s->message] = "";
  size_t at = 0;
  const int n = case_file_complaints(s->file);
  for (int k = 0; k < n && at < sizeof text; k++)
    at += (size_t)snprintf(text + at, sizeof text - at, "%s%s", k > 0 ? "\n" : "",
                           case_file_complaint(s->file, k));
  PetscCheck(n == 0, s->comm, PETSC_ERR_USER_INPUT, "%s", text);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode build(CaromScene *s, const char *description, const char *folder)
{
  PetscFunctionBeginUser;
  PetscCall(read_description(s, description));
  PetscCall(check_complaints(s));
  PetscCall(ShapesCreate(s->comm, s->file, folder, &s->shapes));
  PetscCall(check_complaints(s));
  Bodies *bodies = NULL;
  PetscCall(SetupBodies(s->comm, s->file, folder, &s->shapes, &bodies));
  PetscCall(check_complaints(s));
  s->bodies = bodies;
  PetscCall(SetupContact(s->comm, s->file, NULL, &s->shapes, bodies, &s->contact));
  PetscCall(check_complaints(s));
  PetscFunctionReturn(PETSC_SUCCESS);
}

CaromStatus CaromSceneCreate(MPI_Comm comm, const char *description, const char *folder,
                             CaromScene **scene)
{
  if (PetscNew(scene) != PETSC_SUCCESS) return CAROM_BUG;
  (*scene)->comm = comm;
  enter(*scene);
  const CaromStatus status = leave(build(*scene, description, folder));
  if (status != CAROM_OK) BodiesDestroy(&(*scene)->bodies);
  return status;
}

static PetscErrorCode destroy(CaromScene **scene)
{
  PetscFunctionBeginUser;
  CaromScene *s = *scene;
  PetscCall(ContactDestroy(&s->contact));
  PetscCall(BodiesDestroy(&s->bodies));
  if (s->shapes.shape != NULL) PetscCall(ShapesDestroy(&s->shapes));
  PetscCall(CaseFileDestroy(&s->file));
  PetscCall(PetscFree(*scene));
  PetscFunctionReturn(PETSC_SUCCESS);
}

CaromStatus CaromSceneDestroy(CaromScene **scene)
{
  return *scene == NULL || destroy(scene) == PETSC_SUCCESS ? CAROM_OK : CAROM_BUG;
}

const char *CaromMessage(const CaromScene *scene)
{
  return scene->message;
}

/* Is there a scene, and a body of this number in it? */
static CaromStatus check_body(CaromScene *s, int body)
{
  if (s->bodies == NULL) return refuse(s, "the scene could not be made");
  const int n = bodies_count(s->bodies);
  return body >= 0 && body < n ? CAROM_OK : refuse(s, "body %d: there are %d", body, n);
}

CaromStatus CaromGetBodyCount(CaromScene *s, int *n_bodies)
{
  *n_bodies = s->bodies != NULL ? bodies_count(s->bodies) : 0;
  return check_body(s, 0);
}

CaromStatus CaromFindBody(CaromScene *s, const char *name, int *body)
{
  const CaromStatus status = check_body(s, 0);
  if (status != CAROM_OK) return status;
  const Case *c = case_file_case(s->file);
  for (int b = 0; b < c->n_bodies; b++)
    if (strcmp(c->bodies[b].name, name) == 0) {
      *body = b;
      return CAROM_OK;
    }
  return refuse(s, "there is no body '%.60s'", name);
}

CaromStatus CaromGetTime(CaromScene *s, double *time)
{
  const CaromStatus status = check_body(s, 0);
  if (status == CAROM_OK) *time = bodies_time(s->bodies);
  return status;
}

static void put(Vec3 v, double out[3])
{
  out[0] = v.x;
  out[1] = v.y;
  out[2] = v.z;
}

CaromStatus CaromGetState(CaromScene *s, int body, CaromState *state)
{
  const CaromStatus status = check_body(s, body);
  if (status != CAROM_OK) return status;
  const BodyState *now = bodies_state(s->bodies, body);
  put(now->x, state->position);
  put(now->v, state->velocity);
  put(body_spin(bodies_body(s->bodies, body), now), state->spin);
  const double q[4] = {now->q.w, now->q.x, now->q.y, now->q.z};
  memcpy(state->attitude, q, sizeof q);
  return CAROM_OK;
}

CaromStatus CaromSetForce(CaromScene *s, int body, const double force[3], const double moment[3])
{
  const CaromStatus status = check_body(s, body);
  if (status != CAROM_OK) return status;
  const Wrench value = {vec3(force[0], force[1], force[2]), vec3(moment[0], moment[1], moment[2])};
  const Wrench steady = {vec3(0, 0, 0), vec3(0, 0, 0)};
  if (!vec3_finite(value.force) || !vec3_finite(value.moment))
    return refuse(s, "body %d: force and moment must be finite", body);
  bodies_set_air(s->bodies, body, value, steady);
  return CAROM_OK;
}

static PetscErrorCode advance(CaromScene *s, double t_end)
{
  PetscFunctionBeginUser;
  PetscCall(BodiesBegin(s->bodies, t_end));
  if (s->contact != NULL) PetscCall(ContactAdvance(s->contact, s->bodies, t_end));
  bodies_end(s->bodies);
  for (int b = 0; b < bodies_count(s->bodies); b++) {
    const BodyState *state = bodies_state(s->bodies, b);
    PetscCheck(vec3_finite(state->x) && vec3_finite(state->v) && vec3_finite(state->L), s->comm,
               CAROM_ERR_DIVERGED, "t = %g: the motion of body %d is no longer finite", t_end, b);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

CaromStatus CaromAdvance(CaromScene *s, double dt)
{
  const CaromStatus status = check_body(s, 0);
  if (status != CAROM_OK) return status;
  const double t = bodies_time(s->bodies), t_end = t + dt;
  if (!(t_end > t) || !isfinite(t_end)) return refuse(s, "dt must be positive, got %g", dt);
  enter(s);
  return leave(advance(s, t_end));
}

CaromStatus CaromGetEventCount(CaromScene *s, int *n_events)
{
  const ContactEvent *events = NULL;
  const CaromStatus status = check_body(s, 0);
  *n_events = status == CAROM_OK && s->contact != NULL ? contact_events(s->contact, &events) : 0;
  return status;
}

CaromStatus CaromGetEvent(CaromScene *s, int k, CaromEvent *event)
{
  static const char *const kinds[] = {"point", "line", "plane"};
  static const char *const laws[] = {"none", "algebraic", "stronge", "rest", "hertz"};
  const ContactEvent *events = NULL;
  const int n = s->contact != NULL ? contact_events(s->contact, &events) : 0;
  if (k < 0 || k >= n) return refuse(s, "event %d: there are %d", k, n);
  const ContactEvent *e = &events[k];
  *event = (CaromEvent){.time = e->time,
                        .a = e->a,
                        .b = e->b,
                        .kind = kinds[e->kind],
                        .law = laws[e->law],
                        .n_points = e->n_points,
                        .approach = e->approach,
                        .energy_before = e->energy_before,
                        .energy_after = e->energy_after};
  put(e->point, event->point);
  put(e->normal, event->normal);
  put(e->impulse, event->impulse);
  return CAROM_OK;
}
