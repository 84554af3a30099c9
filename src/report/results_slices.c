/*
 * Pictures of slices: the files as they are, and the note in each that says where it belongs.
 */
#include "io/file.h"
#include "report/results_impl.h"

#include <string.h>

static uint32_t number_at(const unsigned char *p)
{
  return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

/* The note of a whole PNG file: the text with the key "carom"; false: it has none, or is cut off.
 */
static bool find_note(const unsigned char *bytes, size_t length, const char **note, size_t *n)
{
  static const char key[] = "carom";
  *note = NULL;
  if (length < 8 || memcmp(bytes, "\x89PNG\r\n\x1a\n", 8) != 0) return false;
  for (size_t at = 8; at + 12 <= length;) {
    const size_t size = number_at(bytes + at);
    if (size > length - at - 12) return false;
    const unsigned char *type = bytes + at + 4, *data = bytes + at + 8;
    if (memcmp(type, "tEXt", 4) == 0 && size > sizeof key && memcmp(data, key, sizeof key) == 0) {
      *note = (const char *)data + sizeof key;
      *n = size - sizeof key;
    }
    if (memcmp(type, "IEND", 4) == 0) return *note != NULL && (*note)[0] == '{';
    at += size + 12;
  }
  return false;
}

/* A bad file is left out; they are counted. */
static PetscErrorCode take_slice(Results *r, const char *name, int *bad)
{
  PetscFunctionBeginUser;
  enum { MOST = 1 << 24 };
  char inside[PETSC_MAX_PATH_LEN], path[PETSC_MAX_PATH_LEN], *bytes = NULL;
  size_t length = 0, n = 0;
  const char *note = NULL;
  ResultSlice *slice = &r->slice[r->n_slices];
  PetscCall(FileJoin("slices", name, inside, sizeof inside));
  PetscCall(FileJoin(r->directory, inside, path, sizeof path));
  PetscCall(PetscPushErrorHandler(PetscReturnErrorHandler, NULL));
  const PetscErrorCode code = FileReadUpTo(PETSC_COMM_SELF, path, MOST, &bytes, &length);
  PetscCall(PetscPopErrorHandler());
  if (code != PETSC_SUCCESS || !find_note((const unsigned char *)bytes, length, &note, &n)) {
    PetscCall(PetscFree(bytes));
    (*bad)++;
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(ArenaCopyText(r->arena, note, n, &slice->note));
  slice->bytes = bytes;
  slice->length = length;
  r->n_slices++;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ResultsReadSlices(Results *r, int most)
{
  PetscFunctionBeginUser;
  int n = 0, bad = 0;
  const char **name = NULL;
  PetscCall(ResultsList(r, "slices", ".png", &n, &name));
  const int every = most > 0 ? (n + most - 1) / most : 0;
  if (most == 0) n = 0;
  PetscCall(PetscCalloc1(n + 1, &r->slice));
  /* Names begin with the slice, so that every so manyth is even in time for each of them. */
  for (int k = 0; k < n; k++)
    if ((n - 1 - k) % every == 0) PetscCall(take_slice(r, name[k], &bad));
  if (every > 1) PetscCall(ResultsNote(r, "slices are thinned: %d of %d pictures", r->n_slices, n));
  if (bad > 0)
    PetscCall(ResultsNote(r, "slices: %d of the pictures cannot be read and are left out", bad));
  PetscCall(PetscFree(name));
  PetscFunctionReturn(PETSC_SUCCESS);
}
