#include "io/table.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Past blanks that do not end the line. */
static const char *skip_blanks(const char *at)
{
  while (*at == ' ' || *at == '\t' || *at == '\r') at++;
  return at;
}

/* How many numbers the line begins with, up to n; *end is where reading stopped. */
static int read_numbers(const char *line, int n, double value[], const char **end)
{
  const char *at = skip_blanks(line);
  for (int k = 0; k < n; k++) {
    char *after = NULL;
    value[k] = isspace((unsigned char)*at) ? NAN : strtod(at, &after);
    if (after == NULL || after == at || !isfinite(value[k])) {
      *end = at;
      return k;
    }
    at = skip_blanks(after);
    if (k < n - 1 && *at == ',') at = skip_blanks(at + 1);
  }
  *end = at;
  return n;
}

static bool line_is_over(const char *at)
{
  return *at == '\0' || *at == '\n';
}

/* One line into one row; a complaint when it is not what it should be. */
static PetscErrorCode parse_row(const char *line, int number, NumberTable *table, char complaint[],
                                size_t size)
{
  PetscFunctionBeginUser;
  const int n = table->n_columns;
  double *row = table->value + (size_t)table->n_rows * n;
  const char *end = NULL;
  const int found = read_numbers(line, n, row, &end);
  const int clip = (int)strcspn(end, ",\n\r");
  if (found < n && line_is_over(end))
    PetscCall(PetscSNPrintf(complaint, size, "line %d: %d numbers, wanted %d", number, found, n));
  else if (found < n)
    PetscCall(PetscSNPrintf(complaint, size, "line %d: '%.*s' is not a finite number", number,
                            clip < 20 ? clip : 20, end));
  else if (!line_is_over(end))
    PetscCall(PetscSNPrintf(complaint, size, "line %d: more than %d numbers", number, n));
  else if (table->n_rows > 0 && row[0] <= row[-n])
    snprintf(complaint, size, "line %d: time %g does not come after %g", number, row[0], row[-n]);
  table->n_rows++;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static int count_lines(const char *text)
{
  int n = 1;
  for (const char *at = text; *at != '\0'; at++) n += *at == '\n';
  return n;
}

/* A heading is a first line that does not begin with a number. */
static bool is_heading(const char *line)
{
  char *after = NULL;
  strtod(line, &after);
  return after == line;
}

PetscErrorCode NumberTableParse(const char *text, int n_columns, NumberTable *table,
                                char complaint[], size_t size)
{
  PetscFunctionBeginUser;
  complaint[0] = '\0';
  *table = (NumberTable){.n_columns = n_columns};
  PetscCall(PetscMalloc1((size_t)count_lines(text) * n_columns, &table->value));

  bool first = true;
  int number = 0;
  for (const char *line = text; line != NULL && complaint[0] == '\0'; number++) {
    const char *at = skip_blanks(line);
    const bool skipped = line_is_over(at) || *at == '#' || (first && is_heading(at));
    if (!skipped) PetscCall(parse_row(at, number + 1, table, complaint, size));
    if (!line_is_over(at) && *at != '#') first = false;
    line = strchr(line, '\n');
    if (line != NULL) line++;
  }
  if (complaint[0] == '\0' && table->n_rows == 0)
    PetscCall(PetscSNPrintf(complaint, size, "no rows of %d numbers", n_columns));
  if (complaint[0] != '\0') PetscCall(NumberTableDestroy(table));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode NumberTableDestroy(NumberTable *table)
{
  PetscFunctionBeginUser;
  PetscCall(PetscFree(table->value));
  *table = (NumberTable){0};
  PetscFunctionReturn(PETSC_SUCCESS);
}
