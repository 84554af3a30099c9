/*
 * What does the text of a case file say, and where?
 *
 * libyaml's events are turned into a tree of nodes. Anchors, aliases and tags are refused:
 * a case needs none of them, and without aliases a small file stays small. Depth is limited,
 * so that nothing that walks the tree can run out of stack. This is the only file that
 * knows libyaml.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config/node_impl.h"
#include "config/utf8_impl.h"

#include <string.h>
#include <yaml.h>

enum { DEEPEST = 24, LARGEST = 256 * 1024 * 1024 };

typedef struct {
  Node *node;
  Node *last; /* the newest item or value in it */
  Node *key;  /* of a map: read, its value is still to come */
} Level;

typedef struct {
  Arena *arena;
  Complaints *complaints;
  const char *text;
  size_t length;
  yaml_parser_t parser;
  int depth;
  Level levels[DEEPEST];
  Node *root;
  bool done; /* the end was reached or a mistake was found */
} Builder;

static PetscErrorCode Refuse(Builder *builder, int line, int column, const char *format, ...)
{
  PetscFunctionBeginUser;
  va_list arguments;
  va_start(arguments, format);
  PetscCall(ComplaintsAdd(builder->complaints, line, column, "", format, arguments));
  va_end(arguments);
  builder->done = true;
  builder->root = NULL;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What libyaml says, and the same for people who do not write parsers. */
static const char *plain_words(const char *problem)
{
  static const char *const table[][2] = {
      {"could not find expected ':'", "expected ':' and a value after this key"},
      {"mapping values are not allowed in this context",
       "a ':' cannot stand here; check the indentation, and quote texts that contain ': '"},
      {"found character that cannot start any token",
       "this character cannot begin a value; use spaces to indent, and quote texts"},
      {"did not find expected key", "expected a key here; check the indentation"},
      {"did not find expected '-' indicator",
       "expected a list item that begins with '-'; check the indentation"},
      {"did not find expected ',' or ']'", "expected ',' or ']' in the list"},
      {"did not find expected ',' or '}'", "expected ',' or '}' in the section"},
      {"found unexpected end of stream", "expected a closing quote of the text"},
      {"found unexpected document indicator", "expected a closing quote of the text"},
      {"block sequence entries are not allowed in this context", "a list item cannot stand here"},
      {"mapping keys are not allowed in this context", "a key cannot stand here"},
      {"found unknown escape character",
       "unknown escape after a backslash; put the text in single quotes"},
      {"did not find expected <document start>",
       "this does not belong to what stands before it; check the indentation"},
      {"did not find expected node content", "expected a value here"},
  };
  for (size_t k = 0; k < sizeof table / sizeof table[0]; k++)
    if (strcmp(problem, table[k][0]) == 0) return table[k][1];
  return NULL;
}

/* Is there a tab at this place of the text? */
static bool tab_at(const char *text, size_t length, int line, int column)
{
  size_t i = 0;
  for (int l = 1; l < line && i < length; i++) l += text[i] == '\n';
  return i + (size_t)column <= length && text[i + (size_t)column - 1] == '\t';
}

/* Is something open that is never closed, so that its beginning is worth telling? */
static bool opens_something(const yaml_parser_t *parser)
{
  const char *problem = parser->problem;
  return problem != NULL &&
         (strstr(problem, "expected ','") != NULL || strstr(problem, "found unexpected ") != NULL);
}

static PetscErrorCode RefuseSyntax(Builder *builder)
{
  PetscFunctionBeginUser;
  const yaml_parser_t *parser = &builder->parser;
  PetscCheck(parser->error != YAML_MEMORY_ERROR, PETSC_COMM_SELF, PETSC_ERR_MEM,
             "no memory left for the case file");
  const int line = (int)parser->problem_mark.line + 1;
  const int column = (int)parser->problem_mark.column + 1;
  const char *problem = parser->problem != NULL ? parser->problem : "unknown problem";
  const char *words = tab_at(builder->text, builder->length, line, column)
                          ? "a tab cannot stand here; use spaces to indent"
                          : plain_words(problem);
  if (words != NULL && opens_something(parser))
    PetscCall(Refuse(builder, line, column, "%s that begins on line %d", words,
                     (int)parser->context_mark.line + 1));
  else if (words != NULL)
    PetscCall(Refuse(builder, line, column, "%s", words));
  else
    PetscCall(Refuse(builder, line, column, "not valid YAML: %s", problem));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Put a finished or opened node where it belongs in the tree. */
static void attach(Builder *builder, Node *node)
{
  if (builder->depth == 0) {
    builder->root = node;
    return;
  }
  Level *level = &builder->levels[builder->depth - 1];
  if (level->node->kind == NODE_MAP) {
    if (level->key == NULL) {
      level->key = node;
      return;
    }
    node->key = level->key;
    level->key = NULL;
  }
  if (level->last == NULL)
    level->node->first = node;
  else
    level->last->next = node;
  level->last = node;
  level->node->n++;
}

static PetscErrorCode NewNode(Builder *builder, NodeKind kind, const yaml_mark_t *mark, Node **node)
{
  PetscFunctionBeginUser;
  PetscCall(ArenaTake(builder->arena, sizeof **node, node));
  (*node)->kind = kind;
  (*node)->line = (int)mark->line + 1;
  (*node)->column = (int)mark->column + 1;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode AddScalar(Builder *builder, const yaml_event_t *event)
{
  PetscFunctionBeginUser;
  Node *node = NULL;
  PetscCall(NewNode(builder, NODE_SCALAR, &event->start_mark, &node));
  node->length = event->data.scalar.length;
  node->plain = event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
  PetscCall(ArenaCopyText(builder->arena, (const char *)event->data.scalar.value, node->length,
                          &node->text));
  attach(builder, node);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Open(Builder *builder, NodeKind kind, const yaml_event_t *event)
{
  PetscFunctionBeginUser;
  const int line = (int)event->start_mark.line + 1, column = (int)event->start_mark.column + 1;
  if (builder->depth == DEEPEST) {
    PetscCall(
        Refuse(builder, line, column, "nested too deeply, wanted at most %d levels", (int)DEEPEST));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  const Level *outer = builder->depth > 0 ? &builder->levels[builder->depth - 1] : NULL;
  if (outer != NULL && outer->node->kind == NODE_MAP && outer->key == NULL) {
    PetscCall(Refuse(builder, line, column, "a key must be a single word, got %s",
                     kind == NODE_MAP ? "a section" : "a list"));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  Node *node = NULL;
  PetscCall(NewNode(builder, kind, &event->start_mark, &node));
  attach(builder, node);
  builder->levels[builder->depth++] = (Level){node, NULL, NULL};
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The property of a node that a case must not use, or NULL. */
static const char *forbidden(const yaml_event_t *event)
{
  const char *anchor = "an anchor (&name) is not supported; write the value out";
  const char *tag = "a tag (!name) is not supported";
  switch (event->type) {
  case YAML_ALIAS_EVENT:
    return "an alias (*name) is not supported; write the value out";
  case YAML_SCALAR_EVENT:
    return event->data.scalar.anchor != NULL ? anchor : event->data.scalar.tag != NULL ? tag : NULL;
  case YAML_SEQUENCE_START_EVENT:
    return event->data.sequence_start.anchor != NULL ? anchor
           : event->data.sequence_start.tag != NULL  ? tag
                                                     : NULL;
  case YAML_MAPPING_START_EVENT:
    return event->data.mapping_start.anchor != NULL ? anchor
           : event->data.mapping_start.tag != NULL  ? tag
                                                    : NULL;
  default:
    return NULL;
  }
}

static PetscErrorCode Take(Builder *builder, const yaml_event_t *event, int *n_documents)
{
  PetscFunctionBeginUser;
  const int line = (int)event->start_mark.line + 1, column = (int)event->start_mark.column + 1;
  const char *why = forbidden(event);
  if (why != NULL) {
    PetscCall(Refuse(builder, line, column, "%s", why));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  switch (event->type) {
  case YAML_DOCUMENT_START_EVENT:
    if (++*n_documents > 1)
      PetscCall(Refuse(builder, line, column, "a second document begins here, wanted only one"));
    break;
  case YAML_SCALAR_EVENT:
    PetscCall(AddScalar(builder, event));
    break;
  case YAML_SEQUENCE_START_EVENT:
    PetscCall(Open(builder, NODE_LIST, event));
    break;
  case YAML_MAPPING_START_EVENT:
    PetscCall(Open(builder, NODE_MAP, event));
    break;
  case YAML_SEQUENCE_END_EVENT:
  case YAML_MAPPING_END_EVENT:
    builder->depth--;
    break;
  case YAML_STREAM_END_EVENT:
    builder->done = true;
    break;
  default:
    break;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Build(Builder *builder)
{
  PetscFunctionBeginUser;
  PetscCheck(yaml_parser_initialize(&builder->parser), PETSC_COMM_SELF, PETSC_ERR_MEM,
             "no memory left for the case file");
  yaml_parser_set_encoding(&builder->parser, YAML_UTF8_ENCODING);
  yaml_parser_set_input_string(&builder->parser, (const unsigned char *)builder->text,
                               builder->length);
  int n_documents = 0;
  while (!builder->done) {
    yaml_event_t event;
    if (!yaml_parser_parse(&builder->parser, &event)) {
      PetscCall(RefuseSyntax(builder));
      break;
    }
    PetscCall(Take(builder, &event, &n_documents));
    yaml_event_delete(&event);
  }
  yaml_parser_delete(&builder->parser);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode NodeRead(Arena *arena, const char *text, size_t length, Complaints *complaints,
                        const Node **root)
{
  PetscFunctionBeginUser;
  const size_t mark = length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
  Builder builder = {
      .arena = arena, .complaints = complaints, .text = text + mark, .length = length - mark};

  const Utf8Fault fault = length > LARGEST ? (Utf8Fault){"is too large for a case file", 1, 1}
                                           : utf8_fault(text + mark, length - mark);
  if (fault.what != NULL)
    PetscCall(Refuse(&builder, fault.line, fault.column, "%s", fault.what));
  else
    PetscCall(Build(&builder));
  *root = builder.root;
  PetscFunctionReturn(PETSC_SUCCESS);
}
