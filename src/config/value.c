/*
 * Is this node a good value for that key?
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config/number_impl.h"
#include "config/read_impl.h"
#include "config/suggest_impl.h"

#include <string.h>

const char *node_show(const Node *node, char shown[static SHOWN])
{
  if (node->kind == NODE_LIST) return node->n == 0 ? "an empty list" : "a list";
  if (node->kind == NODE_MAP) return "a section";
  if (node_is_empty(node)) return "nothing";
  return text_show(node->text, node->length, shown);
}

static PetscErrorCode Want(Reader *reader, const Node *node, const Path *path, const char *what)
{
  PetscFunctionBeginUser;
  char shown[SHOWN];
  PetscCall(ReaderComplain(reader, node, path, "must be %s, got %s", what, node_show(node, shown)));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Likewise for a number that may also be a word. */
static PetscErrorCode WantNumber(Reader *reader, const SchemaKey *key, const Node *node,
                                 const Path *path, const char *what)
{
  PetscFunctionBeginUser;
  char both[SHOWN];
  snprintf(both, sizeof both, "%s%s%s", what, key->word != NULL ? " or " : "",
           key->word != NULL ? key->word : "");
  PetscCall(Want(reader, node, path, both));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Complain unless value is within the bound of its key. */
static PetscErrorCode CheckBound(Reader *reader, const SchemaKey *key, const Node *node,
                                 const Path *path, double value, bool *good)
{
  PetscFunctionBeginUser;
  const Bound bound = schema_bound(key->bound);
  *good = (bound.low_open ? value > bound.low : value >= bound.low) && value <= bound.high;
  char shown[SHOWN];
  if (!*good)
    PetscCall(ReaderComplain(reader, node, path, "%s, got %s", bound.must, node_show(node, shown)));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A number of the key's bound; left alone when it is none. */
static PetscErrorCode ReadNumber(Reader *reader, const SchemaKey *key, const Node *node,
                                 const Path *path, double *value, bool *good)
{
  PetscFunctionBeginUser;
  *good = false;
  char shown[SHOWN];
  double number = 0.0;
  const bool text = node->kind == NODE_SCALAR && node->plain;
  const NumberVerdict verdict =
      text ? number_read(node->text, node->length, &number) : NUMBER_NOT_ONE;
  if (verdict == NUMBER_NOT_ONE && node->kind == NODE_SCALAR && !node->plain)
    PetscCall(ReaderComplain(reader, node, path, "must be a number, got %s in quotes",
                             node_show(node, shown)));
  else if (verdict == NUMBER_NOT_ONE)
    PetscCall(WantNumber(reader, key, node, path, "a number"));
  else if (verdict != NUMBER_GOOD)
    PetscCall(ReaderComplain(reader, node, path, "is too %s for a number, got %s",
                             verdict == NUMBER_TOO_LARGE ? "large" : "small",
                             node_show(node, shown)));
  else
    PetscCall(CheckBound(reader, key, node, path, number, good));
  if (*good) *value = number;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadInteger(Reader *reader, const SchemaKey *key, const Node *node,
                                  const Path *path, int *value)
{
  PetscFunctionBeginUser;
  char shown[SHOWN];
  int number = 0;
  bool good = false;
  const bool text = node->kind == NODE_SCALAR && node->plain;
  const NumberVerdict verdict =
      text ? number_read_integer(node->text, node->length, &number) : NUMBER_NOT_ONE;
  if (verdict == NUMBER_NOT_ONE)
    PetscCall(WantNumber(reader, key, node, path, "a whole number in decimal digits"));
  else if (verdict != NUMBER_GOOD)
    PetscCall(ReaderComplain(reader, node, path, "is too large, got %s, wanted at most 2147483647",
                             node_show(node, shown)));
  else
    PetscCall(CheckBound(reader, key, node, path, number, &good));
  if (good) *value = number;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadFlag(Reader *reader, const Node *node, const Path *path, bool *value)
{
  PetscFunctionBeginUser;
  if (node->kind == NODE_SCALAR && node->plain && (node_is(node, "true") || node_is(node, "false")))
    *value = node_is(node, "true");
  else
    PetscCall(Want(reader, node, path, "true or false"));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadText(Reader *reader, const SchemaKey *key, const Node *node,
                               const Path *path, const char **text)
{
  PetscFunctionBeginUser;
  if (node->kind != NODE_SCALAR || (node_is_empty(node) && !key->may_be_empty))
    PetscCall(Want(reader, node, path, "text"));
  else if (node->length == 0 && !key->may_be_empty)
    PetscCall(ReaderComplain(reader, node, path, "must not be empty"));
  else if (strlen(node->text) != node->length)
    PetscCall(ReaderComplain(reader, node, path, "must not hold a zero character"));
  else
    *text = node->text;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode RefuseWord(Reader *reader, const SchemaKey *key, const Node *node,
                                 const Path *path)
{
  PetscFunctionBeginUser;
  char list[PATH_SHOWN], shown[SHOWN];
  schema_words_list(key->words, ~0u, " or ", sizeof list, list);
  Suggestion best = suggestion_for("", 0);
  if (node->kind == NODE_SCALAR) {
    best = suggestion_for(node->text, node->length);
    for (const SchemaWord *w = key->words; w->word != NULL; w++) suggestion_offer(&best, w->word);
  }
  PetscCall(ReaderComplain(reader, node, path, "must be %s, got %s%s%s%s", list,
                           node_show(node, shown), best.nearest != NULL ? "; did you mean '" : "",
                           best.nearest != NULL ? best.nearest : "",
                           best.nearest != NULL ? "'?" : ""));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadWord(Reader *reader, const SchemaKey *key, const Node *node,
                               const Path *path, int *value)
{
  PetscFunctionBeginUser;
  const int found =
      node->kind == NODE_SCALAR ? schema_word_value(key->words, node->text, node->length) : -1;
  if (found >= 0)
    *value = found;
  else
    PetscCall(RefuseWord(reader, key, node, path));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* One of the words, or the directory of a checkpoint. */
static PetscErrorCode ReadInitial(Reader *reader, const SchemaKey *key, const Node *node,
                                  const Path *path, char *at)
{
  PetscFunctionBeginUser;
  int *kind = (int *)(at + key->offset);
  const int found =
      node->kind == NODE_SCALAR ? schema_word_value(key->words, node->text, node->length) : -1;
  if (found >= 0) {
    *kind = found;
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  const char **directory = (const char **)(at + key->extra);
  PetscCall(ReadText(reader, key, node, path, directory));
  if (*directory != NULL) *kind = INITIAL_CHECKPOINT;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* At most `most` numbers of a list; *n is 0 when something is wrong with them. */
static PetscErrorCode ReadNumbers(Reader *reader, const SchemaKey *key, const Node *node,
                                  const Path *path, int most, double value[], int *n)
{
  PetscFunctionBeginUser;
  *n = 0;
  const char *what = schema_type_text(key);
  const bool six = key->type == TYPE_INERTIA;
  if (node->kind != NODE_LIST) {
    PetscCall(Want(reader, node, path, what));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  bool all = true;
  const Node *item = node->first;
  for (int k = 0; k < node->n && k < most; k++, item = item->next) {
    const Path inner = {path, NULL, 0, k};
    bool good = false;
    PetscCall(ReadNumber(reader, key, item, &inner, &value[k], &good));
    all = all && good;
  }
  if (node->n != most && !(six && node->n == 3)) {
    PetscCall(ReaderComplain(reader, node, path, "must be %s, got %d of them", what, node->n));
    all = false;
  }
  if (all) *n = node->n;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadVector(Reader *reader, const SchemaKey *key, const Node *node,
                                 const Path *path, Vec3 *value)
{
  PetscFunctionBeginUser;
  double v[3];
  int n;
  PetscCall(ReadNumbers(reader, key, node, path, 3, v, &n));
  if (n == 0) PetscFunctionReturn(PETSC_SUCCESS);
  const Vec3 read = vec3(v[0], v[1], v[2]);
  const double length2 = vec3_norm2(read);
  if (key->direction && !(length2 > 1e-200 && length2 < 1e200))
    PetscCall(ReaderComplain(reader, node, path, "must be a direction, got a length of %g",
                             sqrt(length2)));
  else
    *value = read;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadQuaternion(Reader *reader, const SchemaKey *key, const Node *node,
                                     const Path *path, Quat *value)
{
  PetscFunctionBeginUser;
  double v[4];
  int n;
  PetscCall(ReadNumbers(reader, key, node, path, 4, v, &n));
  if (n == 0) PetscFunctionReturn(PETSC_SUCCESS);
  const Quat read = {v[0], v[1], v[2], v[3]};
  const double length = quat_norm(read);
  if (!(length > 1e-100 && length < 1e100))
    PetscCall(ReaderComplain(reader, node, path, "must not be zero, got a length of %g", length));
  else
    *value = read;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadNames(Reader *reader, const SchemaKey *key, const Node *node,
                                const Path *path, NameList *names)
{
  PetscFunctionBeginUser;
  if (node->kind != NODE_LIST) {
    PetscCall(Want(reader, node, path, "a list of names such as [a, b]"));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(ArenaTake(reader->arena, ((size_t)node->n + 1) * sizeof *names->name, &names->name));
  const Node *item = node->first;
  for (int k = 0; k < node->n; k++, item = item->next) {
    const Path inner = {path, NULL, 0, k};
    const char *name = NULL;
    PetscCall(ReadText(reader, key, item, &inner, &name));
    names->name[names->n++] = name != NULL ? name : "";
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Is the value the word that a number may also be? */
static bool is_word(const SchemaKey *key, const Node *node)
{
  return key->word != NULL && node->kind == NODE_SCALAR && node_is(node, key->word);
}

PetscErrorCode ValueRead(Reader *reader, const SchemaKey *key, const Node *node, const Path *path,
                         void *at)
{
  PetscFunctionBeginUser;
  void *field = (char *)at + key->offset;
  bool good;
  switch (key->type) {
  case TYPE_NUMBER:
    if (is_word(key, node))
      *(double *)field = NAN;
    else
      PetscCall(ReadNumber(reader, key, node, path, field, &good));
    break;
  case TYPE_INTEGER:
    if (is_word(key, node))
      *(int *)field = 0;
    else
      PetscCall(ReadInteger(reader, key, node, path, field));
    break;
  case TYPE_FLAG:
    PetscCall(ReadFlag(reader, node, path, field));
    break;
  case TYPE_TEXT:
    PetscCall(ReadText(reader, key, node, path, field));
    break;
  case TYPE_WORD:
    PetscCall(ReadWord(reader, key, node, path, field));
    break;
  case TYPE_INITIAL:
    PetscCall(ReadInitial(reader, key, node, path, at));
    break;
  case TYPE_VECTOR:
    PetscCall(ReadVector(reader, key, node, path, field));
    break;
  case TYPE_QUATERNION:
    PetscCall(ReadQuaternion(reader, key, node, path, field));
    break;
  case TYPE_INERTIA:
    PetscCall(ReadNumbers(reader, key, node, path, 6, field, (int *)((char *)at + key->extra)));
    break;
  case TYPE_NAMES:
    PetscCall(ReadNames(reader, key, node, path, field));
    break;
  case TYPE_ATTITUDE:
  case TYPE_SECTION:
  case TYPE_LIST:
    break; /* read.c walks these */
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}
