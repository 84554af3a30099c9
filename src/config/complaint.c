/*
 * How are the mistakes of a case file kept and shown?
 *
 * Every complaint is written out as one line when it is found and kept with its place, so
 * that the list can be brought into file order whatever the order of the checks was.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config/complaint_impl.h"

#include "config/number_impl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_COMPLAINTS = 500, CLIPPED = 40 };

static PetscErrorCode Grow(Complaints *complaints)
{
  PetscFunctionBeginUser;
  if (complaints->n < complaints->capacity) PetscFunctionReturn(PETSC_SUCCESS);
  const int capacity = complaints->capacity == 0 ? 16 : 2 * complaints->capacity;
  Complaint *list = NULL;
  PetscCall(PetscMalloc1(capacity, &list));
  if (complaints->n > 0) PetscCall(PetscArraycpy(list, complaints->list, complaints->n));
  PetscCall(PetscFree(complaints->list));
  complaints->list = list;
  complaints->capacity = capacity;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ComplaintsAdd(Complaints *complaints, int line, int column, const char *path,
                             const char *format, va_list arguments)
{
  PetscFunctionBeginUser;
  va_list again;
  va_copy(again, arguments);
  const int n_message = vsnprintf(NULL, 0, format, again);
  va_end(again);

  const char *colon = path[0] != '\0' ? ": " : "";
  const int n_place =
      snprintf(NULL, 0, "%s:%d:%d: %s%s", complaints->file, line, column, path, colon);
  char *text = NULL;
  PetscCall(ArenaTake(complaints->arena, (size_t)(n_place + n_message + 1), &text));
  snprintf(text, (size_t)n_place + 1, "%s:%d:%d: %s%s", complaints->file, line, column, path,
           colon);
  vsnprintf(text + n_place, (size_t)n_message + 1, format, arguments);

  PetscCall(Grow(complaints));
  complaints->list[complaints->n++] = (Complaint){line, column, text};
  PetscFunctionReturn(PETSC_SUCCESS);
}

static bool is_after(const Complaint *a, const Complaint *b)
{
  return a->line != b->line ? a->line > b->line : a->column > b->column;
}

/* Merge the sorted halves [from, middle) and [middle, to) by way of work. */
static void merge(Complaint *list, Complaint *work, int from, int middle, int to)
{
  int a = from, b = middle;
  for (int k = from; k < to; k++) {
    const bool take_b = b < to && (a >= middle || is_after(&list[a], &list[b]));
    work[k] = take_b ? list[b++] : list[a++];
  }
  memcpy(list + from, work + from, (size_t)(to - from) * sizeof *list);
}

/* A merge sort, because qsort may exchange complaints about one place. */
PetscErrorCode ComplaintsSort(Complaints *complaints)
{
  PetscFunctionBeginUser;
  const int n = complaints->n;
  Complaint *work = NULL;
  PetscCall(PetscMalloc1(n, &work));
  for (int width = 1; width < n; width *= 2)
    for (int from = 0; from + width < n; from += 2 * width)
      merge(complaints->list, work, from, from + width,
            from + 2 * width < n ? from + 2 * width : n);
  PetscCall(PetscFree(work));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode AddPlain(Complaints *complaints, int line, int column, const char *format,
                               ...)
{
  PetscFunctionBeginUser;
  va_list arguments;
  va_start(arguments, format);
  PetscCall(ComplaintsAdd(complaints, line, column, "", format, arguments));
  va_end(arguments);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ComplaintsShorten(Complaints *complaints)
{
  PetscFunctionBeginUser;
  if (complaints->n <= MOST_COMPLAINTS) PetscFunctionReturn(PETSC_SUCCESS);
  const int more = complaints->n - MOST_COMPLAINTS;
  complaints->n = MOST_COMPLAINTS;
  const Complaint last = complaints->list[MOST_COMPLAINTS - 1];
  PetscCall(AddPlain(complaints, last.line, last.column,
                     "%d more mistakes come after this one and are not shown", more));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ComplaintsFree(Complaints *complaints)
{
  PetscFunctionBeginUser;
  PetscCall(PetscFree(complaints->list));
  complaints->n = complaints->capacity = 0;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* How many bytes of the text to keep, so that no character of several bytes is cut. */
static size_t clip(const char *text, size_t length)
{
  if (length <= CLIPPED) return length;
  size_t n = CLIPPED;
  while (n > 0 && ((unsigned char)text[n] & 0xc0) == 0x80) n--;
  return n;
}

const char *text_show(const char *text, size_t length, char shown[static SHOWN])
{
  double number;
  const bool bare = length <= CLIPPED && number_read(text, length, &number) == NUMBER_GOOD;
  const size_t n = clip(text, length);
  char *out = shown;
  if (!bare) *out++ = '\'';
  for (size_t i = 0; i < n; i++) {
    const unsigned char c = (unsigned char)text[i];
    *out++ = c < 0x20 || c == 0x7f ? '?' : (char)c;
  }
  if (n < length) out += sprintf(out, "...");
  if (!bare) *out++ = '\'';
  *out = '\0';
  return shown;
}
