/*
 * A first case to start from, commented with the texts of the schema.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config/print_impl.h"
#include "config/schema_doc.h"
#include "config/schema_impl.h"

#include <string.h>

typedef struct {
  const char *path;  /* of the key; a dash before its last part begins a new list item */
  const char *value; /* NULL: a section or a list begins */
} Line;

static const Line lines[] = {
    {"gravity", "[0, 0, -9.81]"},
    {"time", NULL},
    {"time.step", "1.0e-3"},
    {"time.end", "2.0"},
    {"bodies", NULL},
    {"bodies.-name", "ball"},
    {"bodies.shape", NULL},
    {"bodies.shape.kind", "sphere"},
    {"bodies.shape.radius", "0.1"},
    {"bodies.mass", "1.0"},
    {"bodies.position", "[0, 0, 1.0]"},
    {"bodies.velocity", "[1.0, 0, 0]"},
    {"bodies.restitution", "0.8"},
    {"bodies.-name", "block"},
    {"bodies.shape", NULL},
    {"bodies.shape.kind", "box"},
    {"bodies.shape.size", "[0.3, 0.2, 0.1]"},
    {"bodies.density", "500"},
    {"bodies.position", "[1.0, 0, 0.8]"},
    {"bodies.attitude", "{axis: [0, 1, 0], angle: 20}"},
    {"bodies.spin_body", "[0, 0, 3.0]"},
    {"bodies.restitution", "0.5"},
    {"bodies.friction", "0.3"},
    {"walls", NULL},
    {"walls.-name", "floor"},
    {"walls.point", "[0, 0, 0]"},
    {"walls.normal", "[0, 0, 1]"},
    {"walls.restitution", "0.8"},
    {"walls.friction", "0.3"},
    {"contact", NULL},
    {"contact.law", "auto"},
    {"output", NULL},
    {"output.history", "10"},
    {"output.checkpoint", "500"},
};

/* The key at the end of a path, and how far it is indented. */
static const SchemaKey *find_key(const char *path, int *indent, bool *item)
{
  const SchemaSection *section = &schema_case;
  const SchemaKey *key = NULL;
  *indent = 0;
  while (section != NULL) {
    *item = *path == '-';
    if (*item) path++;
    const size_t n = strcspn(path, ".");
    key = schema_find(section, path, n);
    if (path[n] == '\0') return key;
    *indent += key->type == TYPE_LIST ? 4 : 2;
    section = key->section;
    path += n + 1;
  }
  return key;
}

static void write_comment(const SchemaKey *key, int column, FILE *out)
{
  char list[PETSC_MAX_PATH_LEN];
  fprintf(out, "%*s# ", column < 40 ? 40 - column : 1, "");
  if (key->words != NULL)
    fprintf(out, "%s: ", schema_words_list(key->words, ~0u, " or ", sizeof list, list));
  fputs(key->help, out);
  if (key->unit != NULL) fprintf(out, " [%s]", key->unit);
  fputc('\n', out);
}

PetscErrorCode SchemaWriteStarter(const char *title, FILE *out)
{
  PetscFunctionBeginUser;
  fputs("title: ", out);
  text_print(title, out);
  fputc('\n', out);
  for (size_t k = 0; k < sizeof lines / sizeof lines[0]; k++) {
    int indent;
    bool item;
    const SchemaKey *key = find_key(lines[k].path, &indent, &item);
    PetscCheck(key != NULL, PETSC_COMM_SELF, PETSC_ERR_PLIB, "the schema has no key %s",
               lines[k].path);
    if (indent == 0) fputc('\n', out);
    int column =
        fprintf(out, "%*s%s%s:", item ? indent - 2 : indent, "", item ? "- " : "", key->key);
    if (lines[k].value != NULL) column += fprintf(out, " %s", lines[k].value);
    write_comment(key, column, out);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}
