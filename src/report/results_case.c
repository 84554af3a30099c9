/*
 * The case of a run: shapes to draw and masses for energies. What cannot be had is a note.
 */
#include "geom/primitive.h"
#include "io/file.h"
#include "report/results_impl.h"
#include "sim/output.h"
#include "sim/setup.h"
#include "sim/sim.h"

#include <string.h>

/* The message of an error that is the user's to mend, kept instead of printed. */
typedef struct {
  char text[512];
} Heard;

static PetscErrorCode hear(MPI_Comm comm, int line, const char *function, const char *file,
                           PetscErrorCode code, PetscErrorType type, const char *message,
                           void *context)
{
  Heard *heard = context;
  if (!error_is_plain(code))
    return PetscTraceBackErrorHandler(comm, line, function, file, code, type, message, context);
  if (type == PETSC_ERROR_INITIAL && message != NULL)
    snprintf(heard->text, sizeof heard->text, "%s", message);
  return code;
}

/* The text of the case and the folder its paths refer to. */
static PetscErrorCode read_text(Results *r, char path[], char folder[], size_t size, size_t *length)
{
  PetscFunctionBeginUser;
  PetscCall(OutputFind(PETSC_COMM_SELF, r->directory, path, folder, size));
  PetscCall(FileReadUpTo(PETSC_COMM_SELF, path, CASE_LIMIT, &r->case_text, length));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/*
 * Edges of primitives as coarse as the eye allows: normals are exact, so that shading stays smooth
 * with far fewer triangles than contact needs.
 */
static double spacing_to_look_at(const ShapeSpec *spec, int n_bodies)
{
  enum { MANY = 64 };
  return spec->kind == SHAPE_BOX ? NAN : spec->radius / (n_bodies > MANY ? 4.0 : 9.0);
}

static PetscErrorCode build_shapes(Results *r, const char *folder)
{
  PetscFunctionBeginUser;
  const Case *c = case_file_case(r->file);
  PetscCall(ShapesInit(c, &r->shapes));
  for (int k = 0; k < r->shapes.n; k++) {
    Shape *shape = &r->shapes.shape[k];
    Heard heard = {""};
    if (shape_is_primitive(shape->spec.kind))
      shape->spec.spacing = spacing_to_look_at(&shape->spec, c->n_bodies);
    PetscCall(PetscPushErrorHandler(hear, &heard));
    const PetscErrorCode code = ShapeBuild(PETSC_COMM_SELF, r->file, folder, shape);
    PetscCall(PetscPopErrorHandler());
    if (code != PETSC_SUCCESS && !error_is_plain(code)) PetscCall(code);
    if (code != PETSC_SUCCESS)
      PetscCall(ResultsNote(r, "the shape of %s is not drawn: %s",
                            c->bodies[shape->first_body].name, heard.text));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode take_bodies(Results *r)
{
  PetscFunctionBeginUser;
  const Case *c = case_file_case(r->file);
  r->n_bodies = c->n_bodies;
  PetscCall(PetscCalloc1(c->n_bodies + 1, &r->body));
  for (int b = 0; b < c->n_bodies; b++) {
    BodyInput input;
    int place = 0;
    PetscCall(SetupMass(r->file, &r->shapes, b, &input));
    PetscCall(ResultsNameFind(r, c->bodies[b].name, &place));
    r->body[b] = (ResultBody){c->bodies[b].name, b, input.mass, input.inertia,
                              setup_center(c, &r->shapes, b)};
  }
  for (int w = 0; w < c->n_walls; w++) {
    int place = 0;
    PetscCall(ResultsNameFind(r, c->walls[w].name, &place));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ResultsReadCase(Results *r)
{
  PetscFunctionBeginUser;
  char path[PETSC_MAX_PATH_LEN], folder[PETSC_MAX_PATH_LEN];
  size_t length = 0;
  Heard heard = {""};
  PetscCall(PetscPushErrorHandler(hear, &heard));
  const PetscErrorCode code = read_text(r, path, folder, sizeof path, &length);
  PetscCall(PetscPopErrorHandler());
  if (code != PETSC_SUCCESS) {
    PetscCall(ResultsNote(r, "no case to read, so shapes and masses are unknown: %s", heard.text));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(CaseFileCreate(path, r->case_text, length, &r->file));
  if (case_file_complaints(r->file) > 0) {
    PetscCall(ResultsNote(r, "the case cannot be used, so shapes and masses are unknown: %s",
                          case_file_complaint(r->file, 0)));
    PetscCall(CaseFileDestroy(&r->file));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(build_shapes(r, folder));
  PetscCall(take_bodies(r));
  PetscFunctionReturn(PETSC_SUCCESS);
}
