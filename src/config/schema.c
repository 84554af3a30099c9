/*
 * Questions to the schema: keys, words, bounds, defaults.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config/schema_impl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(sizeof(MotionKind) == sizeof(int) && sizeof(BoundaryKind) == sizeof(int),
               "words are stored as int");

Bound schema_bound(BoundKind kind)
{
  static const Bound table[] = {
      [BOUND_NONE] = {-INFINITY, INFINITY, false, "", ""},
      [BOUND_POSITIVE] = {0, INFINITY, true, "> 0", "must be positive"},
      [BOUND_NOT_NEGATIVE] = {0, INFINITY, false, ">= 0", "must not be negative"},
      [BOUND_AT_LEAST_ONE] = {1, INFINITY, false, ">= 1", "must be at least 1"},
      [BOUND_ABOVE_ONE] = {1, INFINITY, true, "> 1", "must be above 1"},
      [BOUND_SHARE] = {0, 1, false, "0 to 1", "must be from 0 to 1"},
      [BOUND_POISSON] = {-1, 0.5, true, "> -1, <= 0.5", "must be above -1 and at most 0.5"},
      [BOUND_ALTITUDE] = {-5000, 86000, false, "-5000 to 86000", "must be from -5000 to 86000"},
      [BOUND_LEVELS] = {1, 18, false, "1 to 18", "must be from 1 to 18"},
      [BOUND_PATCH] = {6, 128, false, "6 to 128", "must be from 6 to 128"},
      [BOUND_ORDER] = {2, 5, false, "2 or 5", "must be 2 or 5"},
      [BOUND_ONE_OR_TWO] = {1, 2, false, "1 or 2", "must be 1 or 2"},
  };
  return table[kind];
}

const SchemaKey *schema_find(const SchemaSection *section, const char *key, size_t length)
{
  for (int k = 0; k < section->n_keys; k++) {
    const char *known = section->keys[k].key;
    if (strlen(known) == length && memcmp(known, key, length) == 0) return &section->keys[k];
  }
  return NULL;
}

bool schema_fits(const SchemaSection *section, const SchemaKey *key, const void *at)
{
  if (section->variant == NULL || key->variants == 0) return true;
  const int variant = section->variant(at);
  return variant < 0 || (key->variants >> variant & 1u) != 0;
}

int schema_word_value(const SchemaWord *words, const char *word, size_t length)
{
  for (; words->word != NULL; words++)
    if (strlen(words->word) == length && memcmp(words->word, word, length) == 0)
      return words->value;
  return -1;
}

const char *schema_word_text(const SchemaWord *words, int value)
{
  for (; words->word != NULL; words++)
    if (words->value == value) return words->word;
  return NULL;
}

const char *schema_type_text(const SchemaKey *key)
{
  switch (key->type) {
  case TYPE_NUMBER:
    return "a number";
  case TYPE_INTEGER:
    return "a whole number";
  case TYPE_FLAG:
    return "true or false";
  case TYPE_TEXT:
    return "text";
  case TYPE_WORD:
  case TYPE_INITIAL:
    return "a word";
  case TYPE_VECTOR:
    return "3 numbers [x, y, z]";
  case TYPE_QUATERNION:
    return "4 numbers [w, x, y, z]";
  case TYPE_INERTIA:
    return "3 or 6 numbers";
  case TYPE_NAMES:
    return "a list of names";
  case TYPE_ATTITUDE:
  case TYPE_SECTION:
    return "a section";
  case TYPE_LIST:
    return "a list of sections";
  }
  return "";
}

const char *schema_words_list(const SchemaWord *words, unsigned bits, const char *last, size_t size,
                              char text[])
{
  int left = 0;
  for (const SchemaWord *w = words; w->word != NULL; w++) left += bits >> w->value & 1u;
  size_t n = 0;
  text[0] = '\0';
  for (const SchemaWord *w = words; w->word != NULL; w++) {
    if ((bits >> w->value & 1u) == 0) continue;
    const char *before = n == 0 ? "" : left == 1 ? last : ", ";
    if (n < size) n += (size_t)snprintf(text + n, size - n, "%s%s", before, w->word);
    left--;
  }
  return text;
}

static Vec3 standard_vector(const char *text)
{
  if (text == NULL) return vec3(NAN, NAN, NAN);
  char *end;
  const double x = strtod(text + 1, &end);
  const double y = strtod(end + 1, &end);
  const double z = strtod(end + 1, NULL);
  return vec3(x, y, z);
}

static double standard_number(const SchemaKey *key)
{
  if (key->standard == NULL) return key->unlimited ? INFINITY : NAN;
  if (key->word != NULL && strcmp(key->standard, key->word) == 0) return NAN;
  return strtod(key->standard, NULL);
}

static int standard_word(const SchemaKey *key)
{
  if (key->standard == NULL) return 0;
  return schema_word_value(key->words, key->standard, strlen(key->standard));
}

static void set_default(const SchemaKey *key, char *at)
{
  void *field = at + key->offset;
  switch (key->type) {
  case TYPE_NUMBER:
    *(double *)field = standard_number(key);
    break;
  case TYPE_INTEGER:
    *(int *)field = key->standard != NULL ? atoi(key->standard) : 0;
    break;
  case TYPE_FLAG:
    *(bool *)field = key->standard != NULL && strcmp(key->standard, "true") == 0;
    break;
  case TYPE_TEXT:
    *(const char **)field = key->standard;
    break;
  case TYPE_WORD:
  case TYPE_INITIAL:
    *(int *)field = standard_word(key);
    break;
  case TYPE_VECTOR:
    *(Vec3 *)field = standard_vector(key->standard);
    break;
  case TYPE_QUATERNION:
    *(Quat *)field = (Quat){NAN, NAN, NAN, NAN};
    break;
  case TYPE_ATTITUDE:
    *(Quat *)field = quat_identity();
    break;
  case TYPE_SECTION:
    schema_defaults(key->section, field);
    break;
  case TYPE_INERTIA:
  case TYPE_NAMES:
  case TYPE_LIST:
    break; /* zero already: empty */
  }
}

void schema_defaults(const SchemaSection *section, void *at)
{
  memset(at, 0, section->size);
  for (int k = 0; k < section->n_keys; k++) set_default(&section->keys[k], at);
}
