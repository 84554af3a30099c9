/*
 * Reading a tree of nodes into the structs that the schema describes.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "config/node_impl.h"
#include "config/schema_impl.h"

/* Where we are: a key, or an item of a list when the key is NULL. */
typedef struct Path Path;
struct Path {
  const Path *up; /* NULL at the top */
  const char *key;
  size_t length;
  int index;
};

typedef struct {
  Arena *arena;
  Complaints *complaints;
} Reader;

/* Complain about a node. */
PetscErrorCode ReaderComplain(Reader *reader, const Node *node, const Path *path,
                              const char *format, ...) __attribute__((format(printf, 4, 5)));

/* "got ..." of a message: a clipped text, or what kind of node it is. Returns shown. */
const char *node_show(const Node *node, char shown[static SHOWN]);

/*
 * Read one value that is no section and no list of sections into the struct at. A wrong value
 * is complained of and leaves the default.
 */
PetscErrorCode ValueRead(Reader *reader, const SchemaKey *key, const Node *node, const Path *path,
                         void *at);

/* Fill the struct at with defaults, then with what the node says; complain of the rest. */
PetscErrorCode SectionRead(Reader *reader, const SchemaSection *section, const Node *node,
                           const Path *path, void *at);
