#include "report/csv.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>

void csv_open(Csv *csv, const char *path)
{
  struct stat facts;
  *csv = (Csv){0};
  if (stat(path, &facts) == 0 && !S_ISDIR(facts.st_mode)) csv->file = fopen(path, "rb");
}

void csv_close(Csv *csv)
{
  if (csv->file != NULL) fclose(csv->file);
  free(csv->line);
  *csv = (Csv){0};
}

bool csv_next(Csv *csv)
{
  if (csv->file == NULL) return false;
  csv->offset = ftello(csv->file);
  const ssize_t n = getline(&csv->line, &csv->room, csv->file);
  if (n <= 0 || csv->line[n - 1] != '\n' || strlen(csv->line) != (size_t)n) return false;
  csv->line[n - 1] = '\0';
  if (n > 1 && csv->line[n - 2] == '\r') csv->line[n - 2] = '\0';
  csv->number++;
  return true;
}

bool csv_seek(Csv *csv, int64_t offset)
{
  return csv->file != NULL && fseeko(csv->file, (off_t)offset, SEEK_SET) == 0;
}

int csv_split(char *line, char *field[], int max)
{
  int n = 0;
  for (char *at = line; at != NULL; n++) {
    char *comma = strchr(at, ',');
    if (comma != NULL) *comma = '\0';
    if (n < max) field[n] = at;
    at = comma != NULL ? comma + 1 : NULL;
  }
  return n;
}

bool csv_numbers(char *const field[], int n, double value[])
{
  for (int k = 0; k < n; k++) {
    char *end = NULL;
    value[k] = strtod(field[k], &end);
    if (end == field[k] || *end != '\0') return false;
  }
  return true;
}
