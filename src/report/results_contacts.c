/*
 * contacts.csv and flow.csv.
 */
#include "base/sort.h"
#include "io/file.h"
#include "report/csv.h"
#include "report/results_impl.h"

#include <string.h>

enum { FIELDS = 18 };

static int word_place(const char *word, const char *const list[], int n)
{
  for (int k = 0; k < n; k++)
    if (strcmp(word, list[k]) == 0) return k;
  return -1;
}

/* One row; false when it is not one. */
static PetscErrorCode parse_row(Results *r, char *line, ResultContact *contact, bool *good)
{
  PetscFunctionBeginUser;
  char *field[FIELDS] = {NULL};
  double time, n, at[10], energy[2];
  *good = csv_split(line, field, FIELDS) == FIELDS && csv_numbers(field, 1, &time) &&
          csv_numbers(field + 4, 1, &n) && csv_numbers(field + 5, 10, at) &&
          csv_numbers(field + 16, 2, energy);
  if (!*good) PetscFunctionReturn(PETSC_SUCCESS);
  *contact = (ResultContact){.time = time,
                             .approach = at[6],
                             .energy_before = energy[0],
                             .energy_after = energy[1],
                             .point = vec3(at[0], at[1], at[2]),
                             .normal = vec3(at[3], at[4], at[5]),
                             .impulse = vec3(at[7], at[8], at[9]),
                             .n_points = (int)n,
                             .kind = word_place(field[3], result_kinds, 3),
                             .law = word_place(field[15], result_laws, 4)};
  PetscCall(ResultsNameFind(r, field[1], &contact->a));
  PetscCall(ResultsNameFind(r, field[2], &contact->b));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Sum up what is lost; rows of one island, which share time and energies, count once. */
static void add_losses(Results *r)
{
  double lost = 0.0;
  for (int k = 0; k < r->n_contacts; k++) {
    ResultContact *now = &r->contact[k];
    bool again = false;
    for (int i = k - 1; i >= 0 && r->contact[i].time == now->time && !again; i--)
      again = r->contact[i].energy_before == now->energy_before &&
              r->contact[i].energy_after == now->energy_after;
    if (!again) lost += now->energy_before - now->energy_after;
    now->lost = lost;
  }
}

static int stronger_first(const void *a, const void *b)
{
  const double p = *(const double *)a, q = *(const double *)b;
  return (p < q) - (p > q);
}

/* Keep the strongest contacts, in their order. */
static PetscErrorCode thin_contacts(Results *r, int most)
{
  PetscFunctionBeginUser;
  if (r->n_contacts <= most) PetscFunctionReturn(PETSC_SUCCESS);
  double *impulse;
  PetscCall(PetscMalloc1(r->n_contacts, &impulse));
  for (int k = 0; k < r->n_contacts; k++) impulse[k] = vec3_norm(r->contact[k].impulse);
  sort_in_place(impulse, (size_t)r->n_contacts, sizeof *impulse, stronger_first);
  const double least = impulse[most - 1];
  PetscCall(PetscFree(impulse));
  int n = 0;
  for (int k = 0; k < r->n_contacts && n < most; k++)
    if (!(vec3_norm(r->contact[k].impulse) < least)) r->contact[n++] = r->contact[k];
  r->n_contacts = n;
  PetscCall(ResultsNote(r, "contacts are thinned: the %d strongest of %lld are shown", n,
                        (long long)r->n_contacts_written));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode read_rows(Results *r, Csv *csv)
{
  PetscFunctionBeginUser;
  int room = 0;
  while (csv_next(csv)) {
    if (csv->number == 1) continue;
    if (r->n_contacts == room) {
      room = 2 * room + 256;
      PetscCall(PetscRealloc((size_t)room * sizeof *r->contact, &r->contact));
    }
    bool good = false;
    PetscCall(parse_row(r, csv->line, &r->contact[r->n_contacts], &good));
    if (!good) {
      PetscCall(ResultsNote(r, "contacts.csv: row %lld cannot be read; the rest is left out",
                            (long long)csv->number));
      break;
    }
    r->n_contacts++;
  }
  r->n_contacts_written = r->n_contacts;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ResultsReadContacts(Results *r, int most)
{
  PetscFunctionBeginUser;
  char path[PETSC_MAX_PATH_LEN];
  Csv csv;
  PetscCall(FileJoin(r->directory, "contacts.csv", path, sizeof path));
  csv_open(&csv, path);
  if (csv.file == NULL) PetscCall(ResultsNote(r, "contacts.csv is missing: no contacts are shown"));
  PetscCall(read_rows(r, &csv));
  csv_close(&csv);
  add_losses(r);
  PetscCall(thin_contacts(r, most));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Rows of numbers under the heading that was just read; every other one goes when full. */
static PetscErrorCode read_table(Results *r, Csv *csv, int most)
{
  PetscFunctionBeginUser;
  ResultTable *t = &r->flow;
  int64_t stride = 1;
  char **field;
  PetscCall(PetscMalloc1(t->n_columns, &field));
  PetscCall(PetscMalloc1((size_t)most * t->n_columns, &t->value));
  for (; csv_next(csv); t->n_written++) {
    double *row = t->value + (size_t)t->n_rows * t->n_columns;
    if (t->n_written % stride != 0) continue;
    const bool good = csv_split(csv->line, field, t->n_columns) == t->n_columns;
    if (!good || !csv_numbers(field, t->n_columns, row)) {
      PetscCall(ResultsNote(r, "flow.csv: row %lld cannot be read; the rest is left out",
                            (long long)csv->number));
      break;
    }
    if (++t->n_rows < most) continue;
    stride *= 2;
    t->n_rows /= 2;
    for (int i = 1; i < t->n_rows; i++)
      memcpy(t->value + (size_t)i * t->n_columns, t->value + (size_t)2 * i * t->n_columns,
             (size_t)t->n_columns * sizeof *t->value);
  }
  PetscCall(PetscFree(field));
  if (stride > 1)
    PetscCall(ResultsNote(r, "flow.csv is thinned: one row in %lld is shown", (long long)stride));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode ResultsReadFlow(Results *r, int most)
{
  PetscFunctionBeginUser;
  enum { COLUMNS = 256 };
  char path[PETSC_MAX_PATH_LEN], *field[COLUMNS];
  Csv csv;
  PetscCall(FileJoin(r->directory, "flow.csv", path, sizeof path));
  csv_open(&csv, path);
  if (csv_next(&csv)) {
    ResultTable *t = &r->flow;
    const int n = csv_split(csv.line, field, COLUMNS);
    t->n_columns = n < COLUMNS ? n : COLUMNS;
    PetscCall(ArenaTake(r->arena, (size_t)t->n_columns * sizeof *t->heading, &t->heading));
    for (int k = 0; k < t->n_columns; k++)
      PetscCall(ArenaCopyText(r->arena, field[k], strlen(field[k]), &t->heading[k]));
    PetscCall(read_table(r, &csv, most > 2 ? most : 2));
  }
  csv_close(&csv);
  PetscFunctionReturn(PETSC_SUCCESS);
}
