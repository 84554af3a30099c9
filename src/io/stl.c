/*
 * Is it text or binary, and which triangles are in it?
 *
 * Binary files may begin with `solid` too, so their length decides: 84 bytes and 50 for each
 * triangle. What is not that must be text, word by word as the format prescribes.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "io/stl.h"

#include "io/lfs.h"

#include <ctype.h>
#include <locale.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { WORD_LENGTH = 64 };

typedef struct {
  MPI_Comm comm;
  const char *name;
  const char *at, *end;
  int line;
  char word[WORD_LENGTH]; /* the last one read, cut when it is too long */
} Text;

/* The next word; false at the end of the text. */
static bool text_next(Text *text)
{
  const char *at = text->at;
  for (; at < text->end && isspace((unsigned char)*at); at++) text->line += *at == '\n';
  size_t n = 0;
  for (; at < text->end && !isspace((unsigned char)*at); at++)
    if (n < WORD_LENGTH - 1) text->word[n++] = *at;
  text->word[n] = '\0';
  text->at = at;
  return n > 0;
}

static bool text_is(const Text *text, const char *word)
{
  return strcasecmp(text->word, word) == 0;
}

static void text_skip_line(Text *text)
{
  while (text->at < text->end && *text->at != '\n') text->at++;
}

/* Words of binary files are not for a terminal. */
static void make_printable(char *word)
{
  for (; *word != '\0'; word++)
    if (!isprint((unsigned char)*word)) *word = '?';
}

static PetscErrorCode TextExpect(Text *text, const char *wanted)
{
  PetscFunctionBeginUser;
  const bool found = text_next(text);
  PetscCheck(found, text->comm, CAROM_ERR_FILE, "%s:%d: cut off: wanted `%s`, got the end",
             text->name, text->line, wanted);
  if (!text_is(text, wanted)) make_printable(text->word);
  PetscCheck(text_is(text, wanted), text->comm, CAROM_ERR_FILE, "%s:%d: wanted `%s`, got `%s`",
             text->name, text->line, wanted, text->word);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode TextNumber(Text *text, double *number)
{
  PetscFunctionBeginUser;
  const bool found = text_next(text);
  PetscCheck(found, text->comm, CAROM_ERR_FILE, "%s:%d: cut off: wanted a number, got the end",
             text->name, text->line);
  char *rest = NULL;
  *number = strtod(text->word, &rest);
  if (*rest != '\0') make_printable(text->word);
  PetscCheck(*rest == '\0', text->comm, CAROM_ERR_FILE, "%s:%d: wanted a number, got `%s`",
             text->name, text->line, text->word);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode TextVector(Text *text, Vec3 *v)
{
  PetscFunctionBeginUser;
  PetscCall(TextNumber(text, &v->x));
  PetscCall(TextNumber(text, &v->y));
  PetscCall(TextNumber(text, &v->z));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What follows the word `facet`. */
static PetscErrorCode TextFacet(Text *text, Vec3 corner[3])
{
  PetscFunctionBeginUser;
  Vec3 normal;
  PetscCall(TextExpect(text, "normal"));
  PetscCall(TextVector(text, &normal));
  PetscCall(TextExpect(text, "outer"));
  PetscCall(TextExpect(text, "loop"));
  for (int k = 0; k < 3; k++) {
    PetscCall(TextExpect(text, "vertex"));
    PetscCall(TextVector(text, &corner[k]));
  }
  PetscCall(TextExpect(text, "endloop"));
  PetscCall(TextExpect(text, "endfacet"));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What follows the word `solid`, up to `endsolid`. */
static PetscErrorCode TextSolid(Text *text, int room, Triangles *triangles)
{
  PetscFunctionBeginUser;
  text_skip_line(text);
  for (;;) {
    const bool found = text_next(text);
    PetscCheck(found, text->comm, CAROM_ERR_FILE, "%s:%d: cut off: wanted `endsolid`, got the end",
               text->name, text->line);
    if (text_is(text, "endsolid")) break;
    if (!text_is(text, "facet")) make_printable(text->word);
    PetscCheck(text_is(text, "facet"), text->comm, CAROM_ERR_FILE,
               "%s:%d: wanted `facet` or `endsolid`, got `%s`", text->name, text->line, text->word);
    Vec3 corner[3];
    PetscCall(TextFacet(text, corner));

    /* Room was counted by `endfacet`, which this facet has. */
    PetscCheck(triangles->n_triangles < room, text->comm, PETSC_ERR_PLIB, "facets were miscounted");
    PetscCall(PetscArraycpy(&triangles->vertex[3 * triangles->n_triangles++], corner, 3));
  }
  text_skip_line(text);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The word `endfacet` closes each triangle; in the name of a solid it costs memory only. */
static double count_facets(Text text)
{
  double n = 0.0;
  while (text_next(&text)) n += text_is(&text, "endfacet");
  return n;
}

PetscErrorCode StlCheckCount(MPI_Comm comm, const char *name, double n)
{
  PetscFunctionBeginUser;
  PetscCheck(n <= SURFACE_MOST_TRIANGLES, comm, PETSC_ERR_USER_INPUT,
             "%s: %.0f triangles would take %.0f MB, at most %.0f are taken", name, n,
             n * STL_BYTES_PER_TRIANGLE / 1e6, SURFACE_MOST_TRIANGLES);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ParseText(Text *text, Triangles *triangles)
{
  PetscFunctionBeginUser;
  const double n_facets = count_facets(*text);
  PetscCall(StlCheckCount(text->comm, text->name, n_facets));
  PetscCall(TrianglesCreate(3 * (int)n_facets, (int)n_facets, triangles));
  triangles->n_triangles = 0;
  while (text_next(text)) {
    if (!text_is(text, "solid")) make_printable(text->word);
    PetscCheck(text_is(text, "solid"), text->comm, CAROM_ERR_FILE,
               "%s:%d: wanted `solid`, got `%s`", text->name, text->line, text->word);
    PetscCall(TextSolid(text, (int)n_facets, triangles));
  }
  triangles->n_vertices = 3 * triangles->n_triangles;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Numbers are little endian in the file, whatever they are here. */
static uint32_t word_at(const char *bytes)
{
  const unsigned char *b = (const unsigned char *)bytes;
  return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static double float_at(const char *bytes)
{
  const uint32_t word = word_at(bytes);
  float value;
  memcpy(&value, &word, sizeof value);
  return value;
}

static PetscErrorCode ParseBinary(MPI_Comm comm, const char *name, const char *bytes,
                                  Triangles *triangles)
{
  PetscFunctionBeginUser;
  const uint32_t n = word_at(bytes + 80);
  PetscCall(StlCheckCount(comm, name, n));
  PetscCall(TrianglesCreate(3 * (int)n, (int)n, triangles));
  for (size_t c = 0; c < 3 * (size_t)n; c++) {
    const char *at = bytes + STL_HEADER + STL_RECORD * (c / 3) + 12 * (c % 3 + 1);
    triangles->vertex[c] = vec3(float_at(at), float_at(at + 4), float_at(at + 8));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What is neither; says why as well as that can be told. */
static PetscErrorCode RefuseBytes(MPI_Comm comm, const char *name, const char *bytes, size_t n)
{
  PetscFunctionBeginUser;
  PetscCheck(n > 0, comm, CAROM_ERR_FILE, "%s: empty file, wanted STL", name);
  PetscCheck(!bytes_are_lfs_pointer(bytes, n), comm, CAROM_ERR_FILE,
             "%s: a git-lfs pointer, not the file itself; fetch it with git lfs pull", name);
  PetscCheck(n >= STL_HEADER, comm, CAROM_ERR_FILE,
             "%s: not STL: it does not begin with `solid` and %zu bytes are too few for binary STL",
             name, n);
  const double count = word_at(bytes + 80);
  SETERRQ(comm, CAROM_ERR_FILE,
          "%s: not STL, or cut off: it does not begin with `solid`, and as binary STL its %.0f "
          "triangles need %.0f bytes, got %zu",
          name, count, STL_HEADER + STL_RECORD * count, n);
}

/* The first word is `solid` and no zero byte follows in what would be the binary header. */
static bool looks_like_text(const char *bytes, size_t n)
{
  Text text = {.at = bytes, .end = bytes + n};
  const size_t head = n < STL_HEADER ? n : STL_HEADER;
  return text_next(&text) && text_is(&text, "solid") && memchr(bytes, '\0', head) == NULL;
}

PetscErrorCode StlParse(MPI_Comm comm, const char *name, const char *bytes, size_t n, double scale,
                        Triangles *triangles)
{
  PetscFunctionBeginUser;
  PetscCheck(isfinite(scale) && scale > 0.0, comm, PETSC_ERR_USER_INPUT,
             "%s: scale must be positive, got %g", name, scale);
  const bool binary = n >= STL_HEADER && n == STL_HEADER + STL_RECORD * (size_t)word_at(bytes + 80);
  if (!binary && !looks_like_text(bytes, n)) PetscCall(RefuseBytes(comm, name, bytes, n));

  Triangles parsed = {0};
  PetscErrorCode code = PETSC_SUCCESS;
  if (binary) {
    code = ParseBinary(comm, name, bytes, &parsed);
  } else {
    /* Decimal points are points, whatever the user's locale says. */
    const locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0), before = uselocale(plain);
    Text text = {.comm = comm, .name = name, .at = bytes, .end = bytes + n, .line = 1};
    code = ParseText(&text, &parsed);
    uselocale(before);
    freelocale(plain);
  }
  if (code != PETSC_SUCCESS) PetscCall(TrianglesDestroy(&parsed));
  PetscCall(code);

  for (int c = 0; c < parsed.n_vertices; c++) {
    parsed.vertex[c] = vec3_scale(scale, parsed.vertex[c]);
    parsed.triangle[c / 3][c % 3] = c;
  }
  *triangles = parsed;
  PetscFunctionReturn(PETSC_SUCCESS);
}
