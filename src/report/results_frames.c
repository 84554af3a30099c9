/*
 * bodies.csv: first where each frame begins, then the numbers of those that are kept.
 */
#include "io/file.h"
#include "report/csv.h"
#include "report/results_impl.h"

#include <stdlib.h>
#include <string.h>

enum { FIELDS = 2 + CHANNEL_COUNT };

/* Where the complete frames of a file begin. */
typedef struct {
  int64_t n, room;
  int64_t *offset; /* owned */
  double *time;    /* owned */
} FrameIndex;

static PetscErrorCode open_bodies(const Results *r, Csv *csv)
{
  PetscFunctionBeginUser;
  char path[PETSC_MAX_PATH_LEN];
  PetscCall(FileJoin(r->directory, "bodies.csv", path, sizeof path));
  csv_open(csv, path);
  csv_next(csv);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ResultsReadNames(Results *r)
{
  PetscFunctionBeginUser;
  Csv csv;
  char *field[FIELDS], first[64] = "";
  PetscCall(open_bodies(r, &csv));
  while (csv_next(&csv) && csv_split(csv.line, field, FIELDS) == FIELDS) {
    int place = 0;
    if (first[0] == '\0') snprintf(first, sizeof first, "%s", field[0]);
    if (strcmp(first, field[0]) != 0) break;
    PetscCall(ResultsNameFind(r, field[1], &place));
  }
  csv_close(&csv);
  r->n_bodies = r->n_names;
  PetscCall(PetscCalloc1(r->n_bodies + 1, &r->body));
  for (int b = 0; b < r->n_bodies; b++)
    r->body[b] = (ResultBody){r->name[b], -1, NAN, mat3_identity(), vec3(0, 0, 0)};
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode index_add(FrameIndex *index, int64_t offset, double time)
{
  PetscFunctionBeginUser;
  if (index->n == index->room) {
    index->room = 2 * index->room + 1024;
    PetscCall(PetscRealloc((size_t)index->room * sizeof *index->offset, &index->offset));
    PetscCall(PetscRealloc((size_t)index->room * sizeof *index->time, &index->time));
  }
  index->offset[index->n] = offset;
  index->time[index->n++] = time;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A frame is as many rows as there are bodies; one that is cut off does not count. */
static PetscErrorCode index_frames(const Results *r, Csv *csv, FrameIndex *index)
{
  PetscFunctionBeginUser;
  *index = (FrameIndex){0};
  int row = 0;
  while (csv_next(csv)) {
    if (row == 0) PetscCall(index_add(index, csv->offset, strtod(csv->line, NULL)));
    if (++row == r->n_bodies) row = 0;
  }
  if (row != 0) index->n--;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The last frame that begins at or before t. */
static int64_t frame_before(const FrameIndex *index, double t)
{
  int64_t low = 0, high = index->n;
  while (high - low > 1) {
    const int64_t middle = (low + high) / 2;
    if (index->time[middle] <= t)
      low = middle;
    else
      high = middle;
  }
  return low;
}

/* Mark about `most` frames: evenly, and those on both sides of contacts. */
static void choose_frames(const Results *r, const FrameIndex *index, int most, bool keep[])
{
  const int64_t n = index->n;
  const int n_contacts = r->n_contacts, share = most / 4 + 1;
  const int every = n_contacts / share + 1;
  int used = 0;
  for (int k = 0; k < n_contacts && n > most; k += every, used += 2) {
    const int64_t f = frame_before(index, r->contact[k].time);
    keep[f] = true;
    if (f + 1 < n) keep[f + 1] = true;
  }
  const int64_t even = n <= most ? n : most - used < 2 ? 2 : most - used;
  for (int64_t k = 0; k < even; k++) keep[even > 1 ? k * (n - 1) / (even - 1) : 0] = true;
}

/* The rows of one frame; false when one is not what it should be. */
static bool read_frame(const Results *r, Csv *csv, double value[])
{
  for (int b = 0; b < r->n_bodies; b++) {
    char *field[FIELDS];
    const bool good = csv_next(csv) && csv_split(csv->line, field, FIELDS) == FIELDS &&
                      strcmp(field[1], r->body[b].name) == 0 &&
                      csv_numbers(field + 2, CHANNEL_COUNT, value + (size_t)b * CHANNEL_COUNT);
    if (!good) return false;
  }
  return true;
}

static PetscErrorCode read_kept(Results *r, Csv *csv, const FrameIndex *index, const bool keep[])
{
  PetscFunctionBeginUser;
  Frames *frames = &r->frames;
  const size_t numbers = (size_t)r->n_bodies * CHANNEL_COUNT;
  int n = 0;
  for (int64_t f = 0; f < index->n; f++) n += keep[f];
  PetscCall(PetscMalloc1(n + 1, &frames->time));
  PetscCall(PetscMalloc1((size_t)(n + 1) * numbers, &frames->value));
  for (int64_t f = 0; f < index->n; f++) {
    if (!keep[f]) continue;
    frames->time[frames->n] = index->time[f];
    const bool good = csv_seek(csv, index->offset[f]) &&
                      read_frame(r, csv, frames->value + (size_t)frames->n * numbers);
    if (good) frames->n++;
    if (good) continue;
    PetscCall(ResultsNote(r,
                          "bodies.csv: the rows of t = %g are not those of the bodies of the "
                          "case; the rest is left out",
                          index->time[f]));
    break;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* One frame with the bodies where the case puts them. */
static PetscErrorCode frame_from_case(Results *r)
{
  PetscFunctionBeginUser;
  const Case *c = result_case(r);
  Frames *frames = &r->frames;
  PetscCall(PetscCalloc1(1, &frames->time));
  PetscCall(PetscCalloc1((size_t)r->n_bodies * CHANNEL_COUNT, &frames->value));
  for (int b = 0; b < r->n_bodies; b++) {
    const BodySpec *spec = &c->bodies[b];
    double *s = frames->value + (size_t)b * CHANNEL_COUNT;
    const double state[] = {spec->position.x, spec->position.y, spec->position.z, spec->attitude.w,
                            spec->attitude.x, spec->attitude.y, spec->attitude.z};
    memcpy(s, state, sizeof state);
  }
  frames->n = 1;
  frames->from_case = true;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode note_frames(Results *r, bool file_is_there)
{
  PetscFunctionBeginUser;
  const Frames *frames = &r->frames;
  const char *what =
      file_is_there ? "bodies.csv has no complete frame yet" : "bodies.csv is missing";
  if (frames->n == 0 && r->file != NULL && r->n_bodies > 0) {
    PetscCall(frame_from_case(r));
    PetscCall(ResultsNote(r, "%s: bodies stand where the case puts them", what));
  } else if (frames->n == 0) {
    PetscCall(ResultsNote(r, "%s: there is no motion to show", what));
  } else if (frames->n < frames->n_written) {
    PetscCall(ResultsNote(r, "motion is thinned: %d of %lld frames, with those around contacts",
                          frames->n, (long long)frames->n_written));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ResultsReadFrames(Results *r, int most)
{
  PetscFunctionBeginUser;
  Csv csv;
  FrameIndex index = {0};
  PetscCall(open_bodies(r, &csv));
  const bool there = csv.file != NULL;
  if (r->n_bodies > 0) PetscCall(index_frames(r, &csv, &index));
  r->frames.n_written = index.n;
  bool *keep;
  PetscCall(PetscCalloc1((size_t)index.n + 1, &keep));
  if (index.n > 0) {
    choose_frames(r, &index, most, keep);
    PetscCall(read_kept(r, &csv, &index, keep));
  }
  PetscCall(PetscFree(keep));
  PetscCall(PetscFree(index.offset));
  PetscCall(PetscFree(index.time));
  csv_close(&csv);
  PetscCall(note_frames(r, there));
  PetscFunctionReturn(PETSC_SUCCESS);
}
