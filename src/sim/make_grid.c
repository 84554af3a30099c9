/*
 * How do a few words become a grid file?
 *
 * The words are written down as the shape and the grid of a body in a case, so that they are read
 * and checked by the one schema there is; what it complains of is told without the case around
 * it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "sim/make_grid.h"

#include "config/case.h"
#include "grid/extruded_grid.h"
#include "io/grid_write.h"
#include "io/surface_file.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool ends_with(const char *text, const char *ending)
{
  const size_t n = strlen(text), m = strlen(ending);
  return n >= m && strcasecmp(text + n - m, ending) == 0;
}

/* A word with a dot or a slash is no kind of shape. */
static bool is_file(const char *what)
{
  return strpbrk(what, "./") != NULL;
}

/* A text in quotes, as YAML reads it back unchanged. */
static void write_quoted(FILE *to, const char *text)
{
  fputc('\'', to);
  for (const char *c = text; *c != '\0'; c++) fprintf(to, *c == '\'' ? "''" : "%c", *c);
  fputc('\'', to);
}

/* "size=1,2,3" as a line of a case; lists may come without brackets. */
static void write_key(FILE *to, const char *word)
{
  const char *value = strchr(word, '=') + 1;
  const bool name_list = strncmp(word, "families=", 9) == 0;
  const bool list = value[0] != '[' && (name_list || strchr(value, ',') != NULL);
  const bool text = strncmp(word, "file=", 5) == 0;
  fprintf(to, "      %.*s: %s", (int)(value - word - 1), word, list ? "[" : "");
  if (text)
    write_quoted(to, value);
  else
    fputs(value, to);
  fputs(list ? "]\n" : "\n", to);
}

static void write_case(const GridOrder *order, FILE *to)
{
  fputs("time: {step: 1, end: 1}\nbodies:\n  - name: grid\n    motion: fixed\n    shape:\n", to);
  if (is_file(order->what)) {
    fprintf(to, "      kind: %s\n      file: ", ends_with(order->what, ".cgns") ? "cgns" : "stl");
    write_quoted(to, order->what);
    fputc('\n', to);
  } else {
    fputs("      kind: ", to);
    write_quoted(to, order->what);
    fputc('\n', to);
  }
  /* The spacing of a surface from a file is no key of a case. */
  for (int k = 0; k < order->n_keys; k++)
    if (!is_file(order->what) || strncmp(order->keys[k], "spacing=", 8) != 0)
      write_key(to, order->keys[k]);
  fprintf(to, "    grid:\n      first: %s\n", order->first != NULL ? order->first : "1");
  if (order->layers != NULL) fprintf(to, "      layers: %s\n", order->layers);
  if (order->growth != NULL) fprintf(to, "      growth: %s\n", order->growth);
}

/* Every word has to be one key and one value on one line. */
static PetscErrorCode CheckWords(MPI_Comm comm, const GridOrder *order)
{
  PetscFunctionBeginUser;
  for (int k = 0; k < order->n_keys; k++)
    PetscCheck(strchr(order->keys[k], '=') != NULL && order->keys[k][0] != '=', comm,
               PETSC_ERR_USER_INPUT, "grid: wanted key=value, got '%.60s'", order->keys[k]);
  const char *texts[] = {order->what, order->layers, order->first, order->growth};
  for (int k = 0; k < order->n_keys + 4; k++) {
    const char *text = k < 4 ? texts[k] : order->keys[k - 4];
    for (const char *c = text; c != NULL && *c != '\0'; c++)
      PetscCheck(!iscntrl((unsigned char)*c), comm, PETSC_ERR_USER_INPUT,
                 "grid: a word holds a control character");
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The complaints about the shape and the grid, without their place in a case nobody wrote. */
static PetscErrorCode Report(MPI_Comm comm, const CaseFile *file)
{
  PetscFunctionBeginUser;
  int rank = 0;
  PetscCallMPI(MPI_Comm_rank(comm, &rank));
  const int n = case_file_complaints(file);
  if (n == 0) PetscFunctionReturn(PETSC_SUCCESS);
  if (rank == 0) fflush(stdout);
  for (int k = 0; k < n && rank == 0; k++) {
    const char *line = case_file_complaint(file, k), *at = NULL;
    static const char *const places[] = {"bodies[0].shape.", "bodies[0].grid.", "bodies[0].", ": "};
    for (int p = 0; p < 4 && at == NULL; p++) {
      at = strstr(line, places[p]);
      if (at != NULL) at += strlen(places[p]);
    }
    fprintf(stderr, "carom: grid: %s\n", at != NULL ? at : line);
  }
  SETERRQ(comm, PETSC_ERR_USER_INPUT, "%s", "");
}

static PetscErrorCode ReadOrder(MPI_Comm comm, const GridOrder *order, CaseFile **file)
{
  PetscFunctionBeginUser;
  char *text = NULL;
  size_t length = 0;
  PetscCall(CheckWords(comm, order));
  FILE *out = open_memstream(&text, &length);
  PetscCheck(out != NULL, PETSC_COMM_SELF, PETSC_ERR_MEM, "no memory for a few words");
  write_case(order, out);
  fclose(out);
  PetscCall(CaseFileCreate("grid", text, length, file));
  free(text);
  PetscCall(Report(comm, *file));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The spacing of a surface from a file, which is no key of a case; NaN when not given. */
static PetscErrorCode FileSpacing(MPI_Comm comm, const GridOrder *order, double *spacing)
{
  PetscFunctionBeginUser;
  *spacing = NAN;
  for (int k = 0; k < order->n_keys; k++) {
    if (strncmp(order->keys[k], "spacing=", 8) != 0) continue;
    const char *value = order->keys[k] + 8;
    char *end = NULL;
    *spacing = strtod(value, &end);
    PetscCheck(end != value && *end == '\0' && isfinite(*spacing) && *spacing > 0.0, comm,
               PETSC_ERR_USER_INPUT, "grid: spacing: must be a positive number, got '%.40s'",
               value);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode TakeSurface(MPI_Comm comm, const ShapeSpec *shape, Surface **surface)
{
  PetscFunctionBeginUser;
  SurfaceReport report;
  PetscCall(SurfaceRead(comm, shape, &report, surface));
  PetscCall(SurfaceRequireSound(comm, shape->file, &report));
  PetscCheck(report.overlap.n == 0 || report.trimmed, comm, CAROM_ERR_MESH,
             "%s: shells cut each other, first at (%g, %g, %g): no layers can grow from them",
             shape->file, report.overlap.at.x, report.overlap.at.y, report.overlap.at.z);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode GridMake(MPI_Comm comm, const GridOrder *order, FILE *out)
{
  PetscFunctionBeginUser;
  int rank = 0;
  CaseFile *file = NULL;
  Surface *surface = NULL;
  Extrusion *layers = NULL;
  NearGrid *grid = NULL;
  PetscCallMPI(MPI_Comm_rank(comm, &rank));
  PetscCall(ReadOrder(comm, order, &file));
  ShapeSpec shape = case_file_case(file)->bodies[0].shape;
  const GridSpec *asked = &case_file_case(file)->grids[0];
  if (is_file(order->what)) PetscCall(FileSpacing(comm, order, &shape.spacing));
  if (shape.file != NULL) PetscCall(TakeSurface(comm, &shape, &surface));

  const ExtrudedGridSpec spec = {
      .name = order->what,
      .shape = &shape,
      .surface = surface,
      .layers = {asked->layers, order->first != NULL ? asked->first : NAN, asked->growth, NULL}};
  PetscCall(ExtrudedLayersCreate(&spec, &layers));
  PetscCall(ExtrudedGridFromLayers(comm, order->path, layers, &grid));
  PetscCall(GridFileWrite(grid, order->path));
  if (rank == 0) extrusion_describe(layers, out);
  PetscCall(PetscFPrintf(comm, out, "wrote %s; boundaries body and outer\n", order->path));
  PetscCall(NearGridDestroy(&grid));
  PetscCall(ExtrusionDestroy(&layers));
  PetscCall(SurfaceDestroy(&surface));
  PetscCall(CaseFileDestroy(&file));
  PetscFunctionReturn(PETSC_SUCCESS);
}
