#include "report/results_impl.h"

#include "io/file.h"

#include <dirent.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *const result_kinds[3] = {"point", "line", "plane"};
const char *const result_laws[4] = {"algebraic", "stronge", "rest", "hertz"};

PetscErrorCode ResultsNote(Results *r, const char *format, ...)
{
  PetscFunctionBeginUser;
  if (r->n_notes == RESULT_NOTES) PetscFunctionReturn(PETSC_SUCCESS);
  char text[1024];
  va_list values;
  va_start(values, format);
  vsnprintf(text, sizeof text, format, values);
  va_end(values);
  if (r->n_notes == RESULT_NOTES - 1) snprintf(text, sizeof text, "and more of this kind");
  PetscCall(ArenaCopyText(r->arena, text, strlen(text), &r->note[r->n_notes++]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ResultsNameFind(Results *r, const char *name, int *place)
{
  PetscFunctionBeginUser;
  for (*place = 0; *place < r->n_names; (*place)++)
    if (strcmp(r->name[*place], name) == 0) PetscFunctionReturn(PETSC_SUCCESS);
  if (r->n_names == r->name_room) {
    const int room = 2 * r->name_room + 16;
    const char **larger = NULL;
    PetscCall(ArenaTake(r->arena, (size_t)room * sizeof *larger, &larger));
    if (r->n_names > 0) memcpy(larger, r->name, (size_t)r->n_names * sizeof *larger);
    r->name = larger;
    r->name_room = room;
  }
  PetscCall(ArenaCopyText(r->arena, name, strlen(name), &r->name[r->n_names++]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Is it a directory, with something in it that a run writes? */
static PetscErrorCode require_results(const char *directory)
{
  PetscFunctionBeginUser;
  static const char *const files[] = {"case.yaml", "bodies.csv", "run.json", "flow.csv"};
  DIR *folder = opendir(directory);
  PetscCall(FileVerdict(PETSC_COMM_SELF, directory, "cannot be read", folder == NULL ? errno : 0));
  closedir(folder);
  bool any = false;
  for (int k = 0; k < 4; k++) {
    char path[PETSC_MAX_PATH_LEN];
    bool there = false;
    PetscCall(FileJoin(directory, files[k], path, sizeof path));
    PetscCall(FileExists(PETSC_COMM_SELF, path, &there));
    any = any || there;
  }
  PetscCheck(any, PETSC_COMM_SELF, CAROM_ERR_FILE,
             "%s: holds no results (no case.yaml, bodies.csv, run.json or flow.csv)", directory);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A text, or NULL where it cannot be read. */
static PetscErrorCode read_text(const Results *r, const char *name, char **text)
{
  PetscFunctionBeginUser;
  char path[PETSC_MAX_PATH_LEN];
  size_t length = 0;
  PetscCall(FileJoin(r->directory, name, path, sizeof path));
  PetscCall(PetscPushErrorHandler(PetscReturnErrorHandler, NULL));
  if (FileReadUpTo(PETSC_COMM_SELF, path, 1 << 20, text, &length) != PETSC_SUCCESS) *text = NULL;
  PetscCall(PetscPopErrorHandler());
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode read_texts(Results *r)
{
  PetscFunctionBeginUser;
  PetscCall(read_text(r, "verify.txt", &r->verified));
  PetscCall(read_text(r, "run.json", &r->run_json));
  if (r->run_json == NULL)
    PetscCall(ResultsNote(r, "run.json cannot be read: how the run ended is unknown"));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Frames that fit the limits. */
static int frames_that_fit(const Results *r, ResultLimits limits)
{
  enum { LEAST = 60 };
  const double fit = limits.values / (CHANNEL_COUNT * (r->n_bodies > 0 ? r->n_bodies : 1));
  const int most = fit < limits.frames ? (int)fit : limits.frames;
  return most > LEAST || most == limits.frames ? most : LEAST;
}

PetscErrorCode ResultsCreate(const char *directory, ResultLimits limits, Results **results)
{
  PetscFunctionBeginUser;
  Results *r = NULL;
  PetscCall(require_results(directory));
  PetscCall(PetscNew(&r));
  PetscCall(PetscStrncpy(r->directory, directory, sizeof r->directory));
  PetscCall(ArenaCreate(&r->arena));
  PetscCall(ArenaTake(r->arena, RESULT_NOTES * sizeof *r->note, &r->note));
  PetscCall(ResultsReadCase(r));
  if (r->file == NULL) PetscCall(ResultsReadNames(r));
  PetscCall(ResultsReadContacts(r, limits.contacts));
  PetscCall(ResultsReadFrames(r, frames_that_fit(r, limits)));
  PetscCall(ResultsReadFlow(r, limits.frames));
  PetscCall(read_texts(r));
  if (limits.slices > 0) {
    PetscCall(ResultsReadSlices(r, limits.slices));
    PetscCall(ResultsReadSkin(r));
  }
  *results = r;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ResultsDestroy(Results **results)
{
  PetscFunctionBeginUser;
  Results *r = *results;
  if (r == NULL) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(ShapesDestroy(&r->shapes));
  PetscCall(CaseFileDestroy(&r->file));
  PetscCall(PetscFree(r->case_text));
  PetscCall(PetscFree(r->run_json));
  PetscCall(PetscFree(r->verified));
  for (int k = 0; k < r->n_slices; k++) PetscCall(PetscFree(r->slice[k].bytes));
  PetscCall(PetscFree(r->slice));
  PetscCall(PetscFree(r->skin.first));
  PetscCall(PetscFree(r->skin.time));
  PetscCall(PetscFree(r->skin.value));
  PetscCall(PetscFree(r->body));
  PetscCall(PetscFree(r->frames.time));
  PetscCall(PetscFree(r->frames.value));
  PetscCall(PetscFree(r->contact));
  PetscCall(PetscFree(r->flow.value));
  PetscCall(ArenaDestroy(&r->arena));
  PetscCall(PetscFree(*results));
  PetscFunctionReturn(PETSC_SUCCESS);
}

const double *result_state(const Results *r, int f, int b)
{
  return r->frames.value + ((size_t)f * r->n_bodies + b) * CHANNEL_COUNT;
}

const Case *result_case(const Results *r)
{
  return r->file != NULL ? case_file_case(r->file) : NULL;
}

ResultEnergy result_energy(const Results *r, int f)
{
  ResultEnergy sum = {0.0, 0.0, 0.0};
  const Case *c = result_case(r);
  for (int b = 0; c != NULL && b < r->n_bodies; b++) {
    const ResultBody *body = &r->body[b];
    const MotionKind motion = c->bodies[body->spec].motion;
    if (motion == MOTION_FIXED || motion == MOTION_PRESCRIBED || isnan(body->mass)) continue;
    const double *s = result_state(r, f, b);
    const Vec3 x = vec3(s[0], s[1], s[2]), v = vec3(s[7], s[8], s[9]);
    const Quat q = {s[3], s[4], s[5], s[6]};
    const Vec3 w = quat_rotate_back(q, vec3(s[10], s[11], s[12]));
    sum.linear += 0.5 * body->mass * vec3_norm2(v);
    sum.turning += 0.5 * vec3_dot(w, mat3_apply(&body->inertia, w));
    sum.potential -= body->mass * vec3_dot(c->gravity, x);
  }
  return sum;
}
