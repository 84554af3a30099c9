/*
 * The schema: one table that says what may stand in a case file.
 *
 * Reading, checking, defaults, printing, the reference page and the starter case are all
 * driven by it. A section describes a struct; a key says where in the struct its value goes.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "config/case.h"

#include <stdbool.h>
#include <stddef.h>

#define SCHEMA_COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))
#define SCHEMA_BIT(k) (1u << (k))

typedef enum {
  TYPE_NUMBER,     /* double */
  TYPE_INTEGER,    /* int */
  TYPE_FLAG,       /* bool */
  TYPE_TEXT,       /* const char * */
  TYPE_WORD,       /* an enum: one of words */
  TYPE_VECTOR,     /* Vec3 */
  TYPE_QUATERNION, /* Quat, as written */
  TYPE_INERTIA,    /* double[6], how many were given at extra */
  TYPE_NAMES,      /* NameList */
  TYPE_ATTITUDE,   /* Quat of unit length, from a section of AttitudeDraft */
  TYPE_INITIAL,    /* one of words, or INITIAL_CHECKPOINT and a text at extra */
  TYPE_SECTION,    /* a struct in place */
  TYPE_LIST        /* pointer to structs, their number at extra */
} SchemaType;

typedef enum {
  BOUND_NONE,
  BOUND_POSITIVE,
  BOUND_NOT_NEGATIVE,
  BOUND_AT_LEAST_ONE,
  BOUND_ABOVE_ONE,
  BOUND_SHARE,   /* [0, 1] */
  BOUND_POISSON, /* (-1, 0.5] */
  BOUND_ALTITUDE,
  BOUND_LEVELS,
  BOUND_PATCH,
  BOUND_ORDER,
  BOUND_ONE_OR_TWO
} BoundKind;

typedef struct {
  double low, high;
  bool low_open;
  const char *text; /* for the reference: "> 0" */
  const char *must; /* for messages: "must be positive" */
} Bound;

typedef struct {
  const char *word;
  int value;
} SchemaWord;

typedef struct SchemaSection SchemaSection;

/* What is not given is NaN, NULL, zero or empty unless there is a standard value. */
typedef struct {
  const char *key;
  SchemaType type;
  size_t offset, extra;
  const char *unit;
  const char *standard; /* the default as it would be written in a case, or NULL */
  bool unlimited;       /* a number that is infinite when not given */
  bool required;        /* in the variants it belongs to */
  bool may_be_empty;    /* a text of no letters is fine */
  bool direction;       /* a vector that must not be zero */
  BoundKind bound;      /* of a number, or of every element */
  const SchemaWord *words;
  const char *word; /* a number or integer that may also be this word: NaN or 0 */
  const SchemaSection *section;
  unsigned variants; /* bits of the section's variants it belongs to; 0: all */
  const char *help;
} SchemaKey;

struct SchemaSection {
  const char *help;
  size_t size; /* of the struct */
  int n_keys;
  const SchemaKey *keys;
  bool has_given; /* the struct has a flag at given that tells whether the section is there */
  size_t given;
  const SchemaWord *variants;     /* value: the number of the bit */
  const char *variant_noun;       /* "kind", or "" */
  int (*variant)(const void *at); /* which one the struct holds; negative: unknown */
};

/* A body of the file: the struct of body/ and the one of grid/. */
typedef struct {
  BodySpec body;
  GridSpec grid;
} BodyDraft;

/* The case as it is read: bodies are together with their grids. */
typedef struct {
  Case the;
  int n_bodies;
  BodyDraft *bodies;
} CaseDraft;

typedef struct {
  Vec3 axis;
  double angle; /* degrees */
  Quat quaternion;
  Vec3 euler; /* degrees */
} AttitudeDraft;

enum { LOAD_FORCE, LOAD_TABLE, LOAD_DRAG };
enum { GRID_FILE, GRID_EXTRUDED };
enum { STREAM_MACH, STREAM_VELOCITY };

extern const SchemaSection schema_case;     /* a CaseDraft: the root */
extern const SchemaSection schema_body;     /* a BodyDraft */
extern const SchemaSection schema_grid;     /* a GridSpec */
extern const SchemaSection schema_flow;     /* a FlowSpec */
extern const SchemaSection schema_off_body; /* an OffBodySpec */

Bound schema_bound(BoundKind kind);

/* The key of a section, or NULL. */
const SchemaKey *schema_find(const SchemaSection *section, const char *key, size_t length);

/* Does the key belong to the variant that the struct at holds? Yes when that is unknown. */
bool schema_fits(const SchemaSection *section, const SchemaKey *key, const void *at);

/* Fill the struct of a section with what holds when nothing is given. */
void schema_defaults(const SchemaSection *section, void *at);

/* The value of a word, or -1; the word of a value, or NULL. */
int schema_word_value(const SchemaWord *words, const char *word, size_t length);
const char *schema_word_text(const SchemaWord *words, int value);

/* What a value of this key looks like, in words: "a positive number", "a section". */
const char *schema_type_text(const SchemaKey *key);

/* The words of a list with commas, and `last` before the final one. Returns text. */
const char *schema_words_list(const SchemaWord *words, unsigned bits, const char *last, size_t size,
                              char text[]);
