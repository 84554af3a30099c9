/*
 * Where in the tree of a YAML file is a key?
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config/node_impl.h"

#include <stdlib.h>
#include <string.h>

bool node_is(const Node *node, const char *word)
{
  return node->kind == NODE_SCALAR && node->length == strlen(word) &&
         memcmp(node->text, word, node->length) == 0;
}

bool node_is_empty(const Node *node)
{
  if (node->kind != NODE_SCALAR || !node->plain) return false;
  return node->length == 0 || node_is(node, "~") || node_is(node, "null");
}

/* As node_find, for a key that is the first n bytes of a text. */
static const Node *find(const Node *map, const char *key, size_t n)
{
  if (map == NULL || map->kind != NODE_MAP) return NULL;
  for (const Node *value = map->first; value != NULL; value = value->next)
    if (value->key->length == n && memcmp(value->key->text, key, n) == 0) return value;
  return NULL;
}

const Node *node_find(const Node *map, const char *key)
{
  return find(map, key, strlen(key));
}

static const Node *item(const Node *list, long index)
{
  if (list == NULL || list->kind != NODE_LIST) return NULL;
  const Node *at = list->first;
  for (long k = 0; k < index && at != NULL; k++) at = at->next;
  return at;
}

const Node *node_locate(const Node *root, const char *path)
{
  const Node *node = root;
  while (*path != '\0') {
    const Node *inner;
    if (*path == '[') {
      char *end;
      inner = item(node, strtol(path + 1, &end, 10));
      path = *end == ']' ? end + 1 : end + strlen(end);
    } else {
      if (*path == '.') path++;
      const size_t n = strcspn(path, ".[");
      inner = find(node, path, n);
      path += n;
    }
    if (inner == NULL) return node;
    node = inner;
  }
  return node;
}
