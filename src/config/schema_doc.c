/*
 * The reference page of the case file, made from the schema.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config/schema_doc.h"

#include "config/schema_impl.h"

#include <string.h>

/* In a table of Markdown a bar would end the column. */
static void write_cell(const char *text, FILE *out)
{
  for (; *text != '\0'; text++) fprintf(out, *text == '|' ? "\\|" : "%c", *text);
}

static void write_type(const SchemaKey *key, FILE *out)
{
  if (key->words == NULL) {
    write_cell(schema_type_text(key), out);
    if (key->word != NULL) fprintf(out, " or `%s`", key->word);
    return;
  }
  for (const SchemaWord *w = key->words; w->word != NULL; w++)
    fprintf(out, "%s`%s`", w == key->words ? "" : ", ", w->word);
  if (key->type == TYPE_INITIAL) fputs(", or a directory", out);
}

static void write_default(const SchemaKey *key, FILE *out)
{
  if (key->standard != NULL)
    fprintf(out, "`%s`", key->standard[0] != '\0' ? key->standard : "\"\"");
  else if (key->required)
    fputs("required", out);
  else if (key->unlimited)
    fputs("no limit", out);
}

static void write_row(const SchemaSection *section, const SchemaKey *key, FILE *out)
{
  char list[PETSC_MAX_PATH_LEN];
  fprintf(out, "| `%s` | ", key->key);
  write_type(key, out);
  fprintf(out, " | %s | ", key->unit != NULL ? key->unit : "");
  write_default(key, out);
  fprintf(out, " | %s | ", schema_bound(key->bound).text);
  if (key->variants != 0)
    fprintf(out, "(%s) ",
            schema_words_list(section->variants, key->variants, ", ", sizeof list, list));
  write_cell(key->help, out);
  fputs(" |\n", out);
}

/* The table of a section, then those of the sections in it. */
static void write_section(const SchemaSection *section, const char *path, FILE *out)
{
  if (path[0] != '\0') fprintf(out, "\n## `%s`\n\n%s\n", path, section->help);
  fputs("\n| key | value | unit | default | bounds | meaning |\n"
        "| --- | --- | --- | --- | --- | --- |\n",
        out);
  for (int k = 0; k < section->n_keys; k++) write_row(section, &section->keys[k], out);
  for (int k = 0; k < section->n_keys; k++) {
    const SchemaKey *key = &section->keys[k];
    if (key->section == NULL) continue;
    char inner[PETSC_MAX_PATH_LEN];
    snprintf(inner, sizeof inner, "%s%s%s%s", path, path[0] != '\0' ? "." : "", key->key,
             key->type == TYPE_LIST ? "[]" : "");
    write_section(key->section, inner, out);
  }
}

PetscErrorCode SchemaWriteReference(FILE *out)
{
  PetscFunctionBeginUser;
  fputs(
      "# The case file\n\n"
      "A case is one YAML file. This page lists every key; `carom run CASE --print-case` shows a\n"
      "case with all defaults filled in, and `carom init NAME` writes a first one:\n\n```yaml\n",
      out);
  PetscCall(SchemaWriteStarter("a ball and a block", out));
  fputs("```\n\n", out);
  fprintf(
      out,
      "%s Vectors are `[x, y, z]`, angles are in\n"
      "degrees, spins in radians per second. Numbers are decimal, as in `1`, `-0.5` or `2e-3`;\n"
      "whole numbers have digits only. File names are relative to the case file. Anchors,\n"
      "aliases, tags and several documents are not supported. All mistakes of a file are\n"
      "reported together, each as `file:line:column: key: what is wrong`.\n",
      schema_case.help);
  write_section(&schema_case, "", out);
  PetscFunctionReturn(PETSC_SUCCESS);
}
