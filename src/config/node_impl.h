/*
 * A YAML file as a tree of nodes with their places: all that the rest of config/ sees of YAML.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "config/complaint_impl.h"

#include <stdbool.h>

typedef enum { NODE_SCALAR, NODE_LIST, NODE_MAP } NodeKind;

/* All of it is owned by the arena it was made in. */
typedef struct Node Node;
struct Node {
  NodeKind kind;
  int line, column; /* from 1 */
  const char *text; /* scalars; closed with a zero, but may hold zeros */
  size_t length;
  bool plain;        /* a scalar without quotes */
  int n;             /* items of a list, entries of a map */
  const Node *first; /* first item of a list, or value of a map */
  const Node *next;  /* next one in the same list or map */
  const Node *key;   /* a value of a map knows its key */
};

/*
 * Read text as one YAML document. *root is NULL when there is none or a mistake of syntax was
 * added to complaints.
 */
PetscErrorCode NodeRead(Arena *arena, const char *text, size_t length, Complaints *complaints,
                        const Node **root);

/* Is this the absence of a value: nothing, ~ or null? */
bool node_is_empty(const Node *node);

/* Does the scalar hold exactly this word? */
bool node_is(const Node *node, const char *word);

/* The value of a key in a map, or NULL; also when map is NULL or no map. */
const Node *node_find(const Node *map, const char *key);

/*
 * The node at a path such as "bodies[1].shape.file" below root, or the nearest one around it
 * that exists.
 */
const Node *node_locate(const Node *root, const char *path);
