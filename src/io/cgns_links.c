/*
 * Which link of a file leads nowhere? The library only says that one does.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "io/cgns_impl.h"

#include <cgns_io.h>
#include <stdio.h>

enum { DEEPEST = 16, CHILDREN_MOST = 1 << 16 };

typedef struct {
  int io;
  size_t size;
  char *text;
} LinkSearch;

/* Say what is wrong with a link; its target may be in another file. */
static void describe(const LinkSearch *search, double node, const char *name)
{
  char file[CGIO_MAX_FILE_LENGTH + 1] = "", target[CGIO_MAX_LINK_LENGTH + 1] = "";
  cgio_get_link(search->io, node, file, target);
  snprintf(search->text, search->size, "link %s leads to %s%s%s, which is not there", name, file,
           file[0] != '\0' ? ":" : "", target);
}

/* Look below a node; links are not followed. */
static bool search_below(const LinkSearch *search, double node, int depth)
{
  int n = 0, got = 0, name_length = 0;
  if (depth > DEEPEST || cgio_number_children(search->io, node, &n) != CGIO_ERR_NONE) return false;
  for (int k = 1; k <= n && k <= CHILDREN_MOST; k++) {
    double child = 0.0;
    char name[CGIO_MAX_NAME_LENGTH + 1] = "", label[CGIO_MAX_LABEL_LENGTH + 1];
    if (cgio_children_ids(search->io, node, k, 1, &got, &child) != CGIO_ERR_NONE || got != 1)
      continue;
    const bool link =
        cgio_is_link(search->io, child, &name_length) == CGIO_ERR_NONE && name_length > 0;
    cgio_get_name(search->io, child, name);
    if (link && cgio_get_label(search->io, child, label) != CGIO_ERR_NONE) {
      describe(search, child, name);
      return true;
    }
    if (!link && search_below(search, child, depth + 1)) return true;
  }
  return false;
}

bool cgns_find_broken_link(const char *path, size_t size, char text[])
{
  LinkSearch search = {.size = size, .text = text};
  double root = 0.0;
  if (cgio_open_file(path, CGIO_MODE_READ, CGIO_FILE_NONE, &search.io) != CGIO_ERR_NONE)
    return false;
  const bool found =
      cgio_get_root_id(search.io, &root) == CGIO_ERR_NONE && search_below(&search, root, 0);
  cgio_close_file(search.io);
  return found;
}
