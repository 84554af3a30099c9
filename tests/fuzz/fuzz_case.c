/*
 * No bytes whatever make the reader of case files misbehave.
 *
 * A file without complaints must print to a text without complaints that prints the same;
 * every complaint must be one line with a place. libFuzzer feeds the bytes: scripts/fuzz.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config/case.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void must(bool good)
{
  if (!good) abort();
}

static char *print(const CaseFile *file)
{
  char *text = NULL;
  size_t n = 0;
  FILE *out = open_memstream(&text, &n);
  must(CasePrint(case_file_case(file), out) == PETSC_SUCCESS);
  fclose(out);
  return text;
}

static void check_complaints(const CaseFile *file)
{
  for (int k = 0; k < case_file_complaints(file); k++) {
    int line = 0, column = 0;
    const char *complaint = case_file_complaint(file, k);
    must(sscanf(complaint, "f.yaml:%d:%d: ", &line, &column) == 2);
    must(line >= 1 && column >= 1 && strchr(complaint, '\n') == NULL);
  }
}

/* What is printed must read back without complaints and print the same again. */
static void check_print(const CaseFile *file)
{
  char *first = print(file);
  CaseFile *again = NULL;
  must(CaseFileCreate("f.yaml", first, strlen(first), &again) == PETSC_SUCCESS);
  must(case_file_complaints(again) == 0);
  char *second = print(again);
  must(strcmp(first, second) == 0);
  must(CaseFileDestroy(&again) == PETSC_SUCCESS);
  free(first);
  free(second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  CaseFile *file = NULL;
  must(CaseFileCreate("f.yaml", (const char *)data, size, &file) == PETSC_SUCCESS);
  check_complaints(file);
  if (case_file_complaints(file) == 0) check_print(file);
  must(CaseFileDestroy(&file) == PETSC_SUCCESS);
  return 0;
}
