/*
 * A canvas as a PNG file. Rows are kept as differences to the row above or the pixel before,
 * whichever is smaller: smooth pictures become mostly zeros.
 *
 * ISO/IEC 15948: Portable Network Graphics.
 */
#include "draw/canvas.h"
#include "draw/zip.h"

#include <stdlib.h>
#include <string.h>

enum { PIXEL = 4, FILTER_NONE = 0, FILTER_BEFORE = 1, FILTER_ABOVE = 2, FILTERS = 3 };

static void put32(unsigned char *to, uint32_t value)
{
  for (int k = 0; k < 4; k++) to[k] = (unsigned char)(value >> (24 - 8 * k));
}

/* Length, type, data, check sum; returns where the next chunk begins. */
static unsigned char *put_chunk(unsigned char *at, const char type[4], const void *data, size_t n)
{
  put32(at, (uint32_t)n);
  memcpy(at + 4, type, 4);
  if (n > 0) memcpy(at + 8, data, n);
  put32(at + 8 + n, zip_check(0, at + 4, n + 4));
  return at + 12 + n;
}

/* One row after a filter; returns the sum of what is left, which tells how well it will pack. */
static long filter_row(const unsigned char *row, const unsigned char *above, size_t n, int filter,
                       unsigned char *out)
{
  long sum = 0;
  for (size_t k = 0; k < n; k++) {
    const unsigned char before = k >= PIXEL ? row[k - PIXEL] : 0,
                        over = above != NULL ? above[k] : 0;
    const int less = filter == FILTER_BEFORE ? before : filter == FILTER_ABOVE ? over : 0;
    out[k] = (unsigned char)(row[k] - less);
    sum += abs((signed char)out[k]);
  }
  return sum;
}

/* All rows, each behind the number of its filter. */
static void filter_rows(const Canvas *c, unsigned char *out)
{
  const size_t n = PIXEL * (size_t)c->width;
  for (int j = 0; j < c->height; j++, out += n + 1) {
    const unsigned char *row = c->pixel + j * n, *above = j > 0 ? row - n : NULL;
    int best = FILTER_NONE;
    long least = filter_row(row, above, n, best, out + 1);
    for (int filter = FILTER_BEFORE; filter < FILTERS; filter++) {
      const long sum = filter_row(row, above, n, filter, out + 1);
      if (sum < least) least = sum, best = filter;
    }
    out[0] = (unsigned char)best;
    filter_row(row, above, n, best, out + 1);
  }
}

PetscErrorCode CanvasEncode(const Canvas *c, const char *note, unsigned char **bytes,
                            size_t *length)
{
  PetscFunctionBeginUser;
  static const unsigned char signature[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
  static const char key[] = "carom";
  const size_t raw = (PIXEL * (size_t)c->width + 1) * (size_t)c->height;
  const size_t n_note = note != NULL ? sizeof key + strlen(note) : 0;
  unsigned char head[13] = {0}, *rows, *zipped, *text;
  size_t n_zipped = 0;
  put32(head, (uint32_t)c->width);
  put32(head + 4, (uint32_t)c->height);
  head[8] = 8; /* bits of a channel */
  head[9] = 6; /* red, green, blue, opacity */
  PetscCall(PetscMalloc2(raw, &rows, n_note + 1, &text));
  filter_rows(c, rows);
  PetscCall(ZipBytes(rows, raw, &zipped, &n_zipped));
  PetscCall(PetscMalloc1(sizeof signature + 4 * 12 + sizeof head + n_note + n_zipped, bytes));
  unsigned char *at = *bytes;
  memcpy(at, signature, sizeof signature);
  at = put_chunk(at + sizeof signature, "IHDR", head, sizeof head);
  if (note != NULL) {
    memcpy(text, key, sizeof key);
    memcpy(text + sizeof key, note, n_note - sizeof key);
    at = put_chunk(at, "tEXt", text, n_note);
  }
  at = put_chunk(at, "IDAT", zipped, n_zipped);
  at = put_chunk(at, "IEND", NULL, 0);
  *length = (size_t)(at - *bytes);
  PetscCall(PetscFree(zipped));
  PetscCall(PetscFree2(rows, text));
  PetscFunctionReturn(PETSC_SUCCESS);
}
