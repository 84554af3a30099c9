/*
 * Does the file say what the schema allows?
 *
 * The table is walked against the tree: known keys are read, the others are complained of with
 * the nearest key that exists, and keys that must be there are asked for.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config/read_impl.h"

#include "config/suggest_impl.h"

#include <string.h>

/* More keys than any section has. */
enum { MOST_KEYS = 32 };

/* Write the path as in bodies[1].mass; what does not fit is cut off. */
static size_t path_print(const Path *path, char text[static PATH_SHOWN])
{
  text[0] = '\0';
  if (path == NULL) return 0;
  size_t n = path_print(path->up, text);
  if (n + 24 >= PATH_SHOWN) return n;
  if (path->key == NULL) return n + (size_t)sprintf(text + n, "[%d]", path->index);
  if (n > 0) text[n++] = '.';
  for (size_t i = 0; i < path->length && i < 40 && n + 1 < PATH_SHOWN; i++) {
    const unsigned char c = (unsigned char)path->key[i];
    text[n++] = c < 0x20 || c == 0x7f ? '?' : (char)c;
  }
  text[n] = '\0';
  return n;
}

PetscErrorCode ReaderComplain(Reader *reader, const Node *node, const Path *path,
                              const char *format, ...)
{
  PetscFunctionBeginUser;
  char text[PATH_SHOWN];
  path_print(path, text);
  va_list arguments;
  va_start(arguments, format);
  PetscCall(ComplaintsAdd(reader->complaints, node->line, node->column, text, format, arguments));
  va_end(arguments);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The section below `section` that knows this key, by its dotted path; empty when there is none. */
static bool find_elsewhere(const SchemaSection *section, const Node *key, int depth, char *text,
                           size_t size)
{
  for (int k = 0; k < section->n_keys && depth < 3; k++) {
    const SchemaKey *inner = &section->keys[k];
    if (inner->section == NULL) continue;
    const int n = snprintf(text, size, "%s.", inner->key);
    const SchemaKey *found = schema_find(inner->section, key->text, key->length);
    if (found != NULL) {
      snprintf(text + n, size - (size_t)n, "%s", found->key);
      return true;
    }
    if (find_elsewhere(inner->section, key, depth + 1, text + n, size - (size_t)n)) return true;
  }
  return false;
}

static PetscErrorCode RefuseKey(Reader *reader, const SchemaSection *section, const Node *key,
                                const Path *path)
{
  PetscFunctionBeginUser;
  char shown[SHOWN], other[PATH_SHOWN];
  text_show(key->text, key->length, shown);
  Suggestion best = suggestion_for(key->text, key->length);
  for (int k = 0; k < section->n_keys; k++) suggestion_offer(&best, section->keys[k].key);
  if (best.nearest != NULL) {
    PetscCall(ReaderComplain(reader, key, path, "unknown key %s; did you mean '%s'?", shown,
                             best.nearest));
  } else if (find_elsewhere(section, key, 0, other, sizeof other)) {
    PetscCall(
        ReaderComplain(reader, key, path, "unknown key %s; did you mean '%s'?", shown, other));
  } else {
    char list[512] = "";
    for (int k = 0, n = 0; k < section->n_keys; k++)
      n += snprintf(list + n, sizeof list - (size_t)n, "%s%s", k == 0 ? "" : ", ",
                    section->keys[k].key);
    PetscCall(ReaderComplain(reader, key, path, "unknown key %s, wanted one of %s", shown, list));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadList(Reader *reader, const SchemaKey *key, const Node *node,
                               const Path *path, char *at)
{
  PetscFunctionBeginUser;
  char shown[SHOWN];
  if (node->kind != NODE_LIST) {
    PetscCall(ReaderComplain(reader, node, path, "must be a list of sections, got %s",
                             node_show(node, shown)));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  char *items = NULL;
  PetscCall(ArenaTake(reader->arena, ((size_t)node->n + 1) * key->section->size, &items));
  const Node *item = node->first;
  for (int k = 0; k < node->n; k++, item = item->next) {
    const Path inner = {path, NULL, 0, k};
    PetscCall(SectionRead(reader, key->section, item, &inner, items + k * key->section->size));
  }
  *(char **)(at + key->offset) = items;
  *(int *)(at + key->extra) = node->n;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A quaternion of unit length stays as it is, so that a printed one reads back unchanged. */
static Quat unit_attitude(Quat q)
{
  return fabs(quat_norm(q) - 1.0) < 1e-15 ? q : quat_unit(q);
}

static PetscErrorCode ReadAttitude(Reader *reader, const SchemaKey *key, const Node *node,
                                   const Path *path, Quat *attitude)
{
  PetscFunctionBeginUser;
  AttitudeDraft draft;
  const int before = reader->complaints->n;
  PetscCall(SectionRead(reader, key->section, node, path, &draft));
  if (reader->complaints->n > before) PetscFunctionReturn(PETSC_SUCCESS);

  const bool axis = !isnan(draft.axis.x), angle = !isnan(draft.angle);
  const bool quaternion = !isnan(draft.quaternion.w), euler = !isnan(draft.euler.x);
  const double degree = M_PI / 180.0;
  if ((axis || angle) + quaternion + euler != 1)
    PetscCall(ReaderComplain(reader, node, path,
                             "must have either axis and angle, or quaternion, or euler"));
  else if (axis != angle)
    PetscCall(ReaderComplain(reader, node, path, "must have both axis and angle, got only %s",
                             axis ? "axis" : "angle"));
  else if (quaternion)
    *attitude = unit_attitude(draft.quaternion);
  else if (euler)
    *attitude = unit_attitude(
        quat_from_euler(degree * draft.euler.x, degree * draft.euler.y, degree * draft.euler.z));
  else
    *attitude = unit_attitude(quat_from_axis(draft.axis, degree * draft.angle));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadKey(Reader *reader, const SchemaKey *key, const Node *node,
                              const Path *path, char *at)
{
  PetscFunctionBeginUser;
  if (key->type == TYPE_SECTION)
    PetscCall(SectionRead(reader, key->section, node, path, at + key->offset));
  else if (key->type == TYPE_LIST)
    PetscCall(ReadList(reader, key, node, path, at));
  else if (key->type == TYPE_ATTITUDE)
    PetscCall(ReadAttitude(reader, key, node, path, (Quat *)(at + key->offset)));
  else
    PetscCall(ValueRead(reader, key, node, path, at));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A key of another variant: say which it is for. */
static PetscErrorCode RefuseVariant(Reader *reader, const SchemaSection *section,
                                    const SchemaKey *key, const Node *node, const Path *path,
                                    const void *at)
{
  PetscFunctionBeginUser;
  char list[PATH_SHOWN];
  PetscCall(ReaderComplain(
      reader, node->key, path, "does not go with %s%s; it is for %s", section->variant_noun,
      schema_word_text(section->variants, section->variant(at)),
      schema_words_list(section->variants, key->variants, " and ", sizeof list, list)));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode RefuseMissing(Reader *reader, const SchemaKey *key, const Node *node,
                                    const Path *path)
{
  PetscFunctionBeginUser;
  char list[PATH_SHOWN];
  PetscCall(ReaderComplain(reader, node, path, "missing, wanted %s",
                           key->words != NULL
                               ? schema_words_list(key->words, ~0u, " or ", sizeof list, list)
                               : schema_type_text(key)));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What is required and missing, and what is there but belongs to another variant. */
static PetscErrorCode CheckKeys(Reader *reader, const SchemaSection *section, const Node *node,
                                const Path *path, const Node *const given[], const void *at)
{
  PetscFunctionBeginUser;
  const bool undecided = section->variant != NULL && section->variant(at) < 0;
  for (int k = 0; k < section->n_keys; k++) {
    const SchemaKey *key = &section->keys[k];
    const Path inner = {path, key->key, strlen(key->key), 0};
    if (undecided && key->variants != 0) continue;
    const bool fits = schema_fits(section, key, at);
    if (given[k] != NULL && !fits)
      PetscCall(RefuseVariant(reader, section, key, given[k], &inner, at));
    if (given[k] == NULL && fits && key->required)
      PetscCall(RefuseMissing(reader, key, node, &inner));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SectionRead(Reader *reader, const SchemaSection *section, const Node *node,
                           const Path *path, void *at)
{
  PetscFunctionBeginUser;
  schema_defaults(section, at);
  if (section->has_given) *(bool *)((char *)at + section->given) = true;
  if (node->kind != NODE_MAP) {
    char shown[SHOWN];
    PetscCall(ReaderComplain(reader, node, path, "must be a section of keys, got %s",
                             node_show(node, shown)));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  const Node *given[MOST_KEYS] = {NULL};
  for (const Node *value = node->first; value != NULL; value = value->next) {
    const Node *name = value->key;
    const Path inner = {path, name->text, name->length, 0};
    const SchemaKey *key = schema_find(section, name->text, name->length);
    if (key == NULL) {
      PetscCall(RefuseKey(reader, section, name, &inner));
    } else if (given[key - section->keys] != NULL) {
      PetscCall(ReaderComplain(reader, name, &inner, "given twice, first on line %d",
                               given[key - section->keys]->key->line));
    } else {
      given[key - section->keys] = value;
      PetscCall(ReadKey(reader, key, value, &inner, at));
    }
  }
  PetscCall(CheckKeys(reader, section, node, path, given, at));
  PetscFunctionReturn(PETSC_SUCCESS);
}
