/*
 * What does a case say when everything it leaves out is written down?
 *
 * The schema is walked over the structs. What has no value (NaN, NULL, no limit, empty) and
 * what belongs to another variant is left out, so that the text reads back as the same case.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config/print_impl.h"

#include "config/number_impl.h"
#include "config/schema_impl.h"
#include "config/utf8_impl.h"

#include <ctype.h>
#include <string.h>

static bool is_plain(const char *text)
{
  if (!isalpha((unsigned char)text[0])) return false;
  for (const char *c = text; *c != '\0'; c++)
    if (!isalnum((unsigned char)*c) && strchr("_-./", *c) == NULL) return false;
  return strcmp(text, "null") != 0;
}

/* Control characters, and what YAML takes for line breaks or refuses. */
static bool needs_escape(uint32_t code)
{
  return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x2028 || code == 0x2029 ||
         code == 0xfeff || code == 0xfffe || code == 0xffff;
}

void text_print(const char *text, FILE *out)
{
  if (is_plain(text)) {
    fputs(text, out);
    return;
  }
  fputc('"', out);
  const size_t n = strlen(text);
  for (size_t i = 0; i < n;) {
    const Character c = utf8_decode(text + i, n - i);
    if (c.code == '"' || c.code == '\\')
      fprintf(out, "\\%c", (char)c.code);
    else if (needs_escape(c.code))
      fprintf(out, "\\u%04x", (unsigned)c.code);
    else
      fwrite(text + i, 1, c.bytes, out);
    i += c.bytes > 0 ? c.bytes : 1;
  }
  fputc('"', out);
}

static void print_numbers(int n, const double value[], FILE *out)
{
  char text[NUMBER_PRINTED];
  for (int k = 0; k < n; k++)
    fprintf(out, "%s%s", k == 0 ? "[" : ", ", number_print(value[k], text));
  fputc(']', out);
}

static void print_names(const NameList *names, FILE *out)
{
  fputc('[', out);
  for (int k = 0; k < names->n; k++) {
    if (k > 0) fputs(", ", out);
    text_print(names->name[k], out);
  }
  fputc(']', out);
}

static bool section_has_value(const SchemaSection *section, const char *at);

/* Is there anything to print for this key? */
static bool has_value(const SchemaSection *section, const SchemaKey *key, const char *at)
{
  const void *field = at + key->offset;
  const bool undecided = section->variant != NULL && section->variant(at) < 0;
  if (!schema_fits(section, key, at) || (undecided && key->variants != 0)) return false;
  switch (key->type) {
  case TYPE_NUMBER:
    return isfinite(*(const double *)field) || key->word != NULL;
  case TYPE_TEXT:
    return *(const char *const *)field != NULL;
  case TYPE_VECTOR:
    return vec3_finite(*(const Vec3 *)field);
  case TYPE_INERTIA:
  case TYPE_LIST:
    return *(const int *)(at + key->extra) > 0;
  case TYPE_NAMES:
    return ((const NameList *)field)->n > 0;
  case TYPE_SECTION:
    return section_has_value(key->section, field);
  case TYPE_WORD:
    return schema_word_text(key->words, *(const int *)field) != NULL;
  case TYPE_INTEGER:
  case TYPE_FLAG:
  case TYPE_INITIAL:
  case TYPE_ATTITUDE:
  case TYPE_QUATERNION:
    return true;
  }
  return false;
}

static bool section_has_value(const SchemaSection *section, const char *at)
{
  if (section->has_given) return *(const bool *)(at + section->given);
  for (int k = 0; k < section->n_keys; k++)
    if (has_value(section, &section->keys[k], at)) return true;
  return false;
}

static void print_number(const SchemaKey *key, double value, FILE *out)
{
  char text[NUMBER_PRINTED];
  fputs(isnan(value) ? key->word : number_print(value, text), out);
}

static void print_integer(const SchemaKey *key, int value, FILE *out)
{
  if (key->word != NULL && value == 0)
    fputs(key->word, out);
  else
    fprintf(out, "%d", value);
}

static void print_initial(const SchemaKey *key, const char *at, FILE *out)
{
  const char *word = schema_word_text(key->words, *(const int *)(at + key->offset));
  text_print(word != NULL ? word : *(const char *const *)(at + key->extra), out);
}

/* The value of a key that takes one line. */
static void print_value(const SchemaKey *key, const char *at, FILE *out)
{
  const void *field = at + key->offset;
  switch (key->type) {
  case TYPE_NUMBER:
    print_number(key, *(const double *)field, out);
    break;
  case TYPE_INTEGER:
    print_integer(key, *(const int *)field, out);
    break;
  case TYPE_FLAG:
    fputs(*(const bool *)field ? "true" : "false", out);
    break;
  case TYPE_TEXT:
    text_print(*(const char *const *)field, out);
    break;
  case TYPE_WORD:
    fputs(schema_word_text(key->words, *(const int *)field), out);
    break;
  case TYPE_INITIAL:
    print_initial(key, at, out);
    break;
  case TYPE_VECTOR:
    print_numbers(3, field, out);
    break;
  case TYPE_QUATERNION:
    print_numbers(4, field, out);
    break;
  case TYPE_ATTITUDE:
    fputs("{quaternion: ", out);
    print_numbers(4, field, out);
    fputc('}', out);
    break;
  case TYPE_INERTIA:
    print_numbers(*(const int *)(at + key->extra), field, out);
    break;
  case TYPE_NAMES:
    print_names(field, out);
    break;
  case TYPE_SECTION:
  case TYPE_LIST:
    break; /* print_section goes into these */
  }
}

static void print_section(const SchemaSection *section, const char *at, int indent, bool item,
                          FILE *out);

static void print_list(const SchemaKey *key, const char *at, int indent, FILE *out)
{
  const char *items = *(const char *const *)(at + key->offset);
  const int n = *(const int *)(at + key->extra);
  fputc('\n', out);
  for (int k = 0; k < n; k++)
    print_section(key->section, items + k * key->section->size, indent + 4, true, out);
}

/* The keys of a section, one per line; the first of a list item follows its dash. */
static void print_section(const SchemaSection *section, const char *at, int indent, bool item,
                          FILE *out)
{
  for (int k = 0; k < section->n_keys; k++) {
    const SchemaKey *key = &section->keys[k];
    if (!has_value(section, key, at)) continue;
    if (item)
      fprintf(out, "%*s- %s:", indent - 2, "", key->key);
    else
      fprintf(out, "%*s%s:", indent, "", key->key);
    item = false;
    if (key->type == TYPE_LIST) {
      print_list(key, at, indent, out);
    } else if (key->type == TYPE_SECTION) {
      fputc('\n', out);
      print_section(key->section, at + key->offset, indent + 2, false, out);
    } else {
      fputc(' ', out);
      print_value(key, at, out);
      fputc('\n', out);
    }
  }
}

PetscErrorCode CasePrint(const Case *the_case, FILE *out)
{
  PetscFunctionBeginUser;
  CaseDraft draft = {.the = *the_case, .n_bodies = the_case->n_bodies};
  PetscCall(PetscMalloc1(draft.n_bodies, &draft.bodies));
  for (int b = 0; b < draft.n_bodies; b++)
    draft.bodies[b] = (BodyDraft){the_case->bodies[b], the_case->grids[b]};
  print_section(&schema_case, (const char *)&draft, 0, false, out);
  PetscCall(PetscFree(draft.bodies));
  PetscFunctionReturn(PETSC_SUCCESS);
}
