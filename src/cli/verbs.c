#include "cli/verbs.h"

#include "cli/arguments.h"
#include "config/schema_doc.h"
#include "io/describe.h"
#include "io/file.h"
#include "sim/make_grid.h"
#include "sim/sim.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WORLD PETSC_COMM_WORLD

static const char run_help[] =
    "  -o DIR            where results go (output.directory, else the case's name with .out)\n"
    "  --steps N         stop after N steps of this invocation\n"
    "  --until T         stop after the first step at or past time T\n"
    "  --wall SECONDS    stop with a checkpoint when so much time has passed (exit 75)\n"
    "  --quiet           print nothing but mistakes\n"
    "  --force           replace results that are there\n"
    "  --print-case      print the case with all defaults filled in, and run nothing\n"
    "  -- OPTIONS        options for PETSc\n"
    "SIGINT, SIGTERM, SIGUSR1, SIGUSR2 or a file STOP in DIR end the run after its step with a\n"
    "checkpoint (exit 75).\n";
static const char resume_help[] =
    "Goes on from the newest valid checkpoint, on any number of ranks, to time.end or the limits\n"
    "given. Flags --steps, --until, --wall, --quiet as for run.\n";

static const char grid_help[] =
    "Grows layers of cells from a closed surface: prisms over triangles, hexahedra over quads.\n"
    "KIND is sphere, box, cylinder, capsule or cone, with keys as under shape in a case, such as\n"
    "  carom grid box size=1,2,0.5 spacing=0.05 -o box.cgns\n"
    "FILE is an STL or CGNS file with its surface; keys: scale, families, and spacing, the "
    "longest\n"
    "surface edge (1/20 of the body).\n"
    "  --layers N        number of layers (24)\n"
    "  --first H         height of the layer at the wall (as high as makes the outermost cells as\n"
    "                    high as surface edges are long)\n"
    "  --growth G        of the heights from layer to layer (1.2)\n"
    "  -o G.cgns         where the grid goes; its boundaries are body and outer\n"
    "Layers are thinner where there is no room. Quality, thickness and the size of the outermost\n"
    "cells are printed.\n";

const Verb verbs[] = {
    {"run", "CASE.yaml [-o DIR] [flags] [-- PETSc options]", "run a case", run_help, VerbRun},
    {"check", "CASE.yaml", "validate a case, print a summary, run nothing", "", VerbCheck},
    {"resume", "DIR [flags]", "go on with a run that was stopped", resume_help, VerbResume},
    {"info", "FILE", "what is in a CGNS, STL, x-ray or checkpoint file", "", VerbInfo},
    {"init", "NAME", "write a commented starter case NAME.yaml that runs", "", VerbInit},
    {"grid", "(KIND key=value... | FILE) -o G.cgns [flags]", "make a near-body volume grid",
     grid_help, VerbGrid},
    {"report", "DIR [DIR2] [-o F.html]", "make one web page of a run", verb_report_help,
     VerbReport},
    {"plot", "DIR [-o F.svg]", "draw the common plots", verb_plot_help, VerbPlot},
    {NULL, NULL, NULL, NULL, NULL}};

PetscErrorCode VerbMistake(const char *verb, const char *problem)
{
  PetscFunctionBeginUser;
  SETERRQ(WORLD, PETSC_ERR_USER_INPUT, "%s; see carom %s --help", problem, verb);
}

PetscErrorCode VerbRequireOptionsUsed(void)
{
  PetscFunctionBeginUser;
  PetscInt n = 0;
  char **names = NULL, **values = NULL, list[512] = "";
  PetscCall(PetscOptionsLeftGet(NULL, &n, &names, &values));
  for (PetscInt k = 0; k < n; k++) {
    PetscCall(PetscStrlcat(list, " -", sizeof list));
    PetscCall(PetscStrlcat(list, names[k], sizeof list));
  }
  PetscCall(PetscOptionsLeftRestore(NULL, &n, &names, &values));
  PetscCheck(list[0] == '\0', WORLD, PETSC_ERR_USER_INPUT, "options after -- that nothing uses:%s",
             list);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The flags that run and resume share, from text to options. */
static PetscErrorCode read_limits(const char *verb, const char *steps, const char *until,
                                  const char *wall, RunOptions *options)
{
  PetscFunctionBeginUser;
  long long n = 0;
  char problem[ARGUMENTS_PROBLEM];
  if (steps != NULL && !argument_count(steps, &n)) {
    snprintf(problem, sizeof problem, "--steps wants a whole number, got '%.40s'", steps);
    PetscCall(VerbMistake(verb, problem));
  }
  if (steps != NULL) options->steps = n;
  if (until != NULL && !argument_seconds(until, &options->until)) {
    snprintf(problem, sizeof problem, "--until wants a time, got '%.40s'", until);
    PetscCall(VerbMistake(verb, problem));
  }
  if (wall != NULL && !argument_seconds(wall, &options->wall)) {
    snprintf(problem, sizeof problem, "--wall wants seconds, got '%.40s'", wall);
    PetscCall(VerbMistake(verb, problem));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Flags and the one word that run and resume want. */
static PetscErrorCode read_run_flags(const char *verb, const char *word_name, int argc, char **argv,
                                     RunOptions *options, bool *print_case, const char **word)
{
  PetscFunctionBeginUser;
  const char *directory = NULL, *steps = NULL, *until = NULL, *wall = NULL, *quiet = NULL,
             *force = NULL, *print = NULL;
  const Flag flags[] = {{"--steps", true, &steps},      {"--until", true, &until},
                        {"--wall", true, &wall},        {"--quiet", false, &quiet},
                        {"-o", true, &directory},       {"--force", false, &force},
                        {"--print-case", false, &print}};
  const int n_flags = strcmp(verb, "run") == 0 ? 7 : 4;
  char problem[ARGUMENTS_PROBLEM];
  int n_words = 0;
  if (!arguments_parse(argc, argv, flags, n_flags, word, 1, &n_words, problem))
    PetscCall(VerbMistake(verb, problem));
  if (n_words == 0) {
    snprintf(problem, sizeof problem, "%s is missing", word_name);
    PetscCall(VerbMistake(verb, problem));
  }
  if (directory != NULL && directory[0] == '\0')
    PetscCall(VerbMistake(verb, "-o wants a directory"));
  *options = run_options_default();
  options->directory = directory;
  options->quiet = quiet != NULL;
  options->force = force != NULL;
  *print_case = print != NULL;
  PetscCall(read_limits(verb, steps, until, wall, options));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Read and check a case, and print it with its defaults. */
static PetscErrorCode print_case(const char *path)
{
  PetscFunctionBeginUser;
  char *text = NULL;
  size_t length = 0;
  CaseFile *file = NULL;
  int rank = 0;
  PetscCall(FileReadUpTo(WORLD, path, CASE_LIMIT, &text, &length));
  PetscCall(CaseFileCreate(path, text, length, &file));
  PetscCall(PetscFree(text));
  PetscCall(CaseFileReport(file, WORLD));
  PetscCallMPI(MPI_Comm_rank(WORLD, &rank));
  if (rank == 0) PetscCall(CasePrint(case_file_case(file), stdout));
  PetscCall(CaseFileDestroy(&file));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode VerbRun(int argc, char **argv, int *status)
{
  PetscFunctionBeginUser;
  RunOptions options;
  bool print = false;
  const char *path = NULL;
  Sim *sim = NULL;
  PetscCall(read_run_flags("run", "CASE.yaml", argc, argv, &options, &print, &path));
  if (print) {
    PetscCall(print_case(path));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(SimCreate(WORLD, path, NULL, options.directory, &sim));
  PetscCall(VerbRequireOptionsUsed());
  PetscCall(SimRun(sim, &options, status));
  PetscCall(SimDestroy(&sim));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode VerbResume(int argc, char **argv, int *status)
{
  PetscFunctionBeginUser;
  RunOptions options;
  bool print = false;
  const char *directory = NULL;
  PetscCall(read_run_flags("resume", "DIR", argc, argv, &options, &print, &directory));
  PetscCall(VerbRequireOptionsUsed());
  options.directory = directory;
  PetscCall(SimResume(WORLD, &options, status));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The one word of a verb without flags of its own. */
static PetscErrorCode only_word(const char *verb, const char *name, int argc, char **argv,
                                const Flag flags[], int n_flags, const char **word)
{
  PetscFunctionBeginUser;
  char problem[ARGUMENTS_PROBLEM];
  int n_words = 0;
  if (!arguments_parse(argc, argv, flags, n_flags, word, 1, &n_words, problem))
    PetscCall(VerbMistake(verb, problem));
  if (n_words == 0) {
    snprintf(problem, sizeof problem, "%s is missing", name);
    PetscCall(VerbMistake(verb, problem));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode VerbCheck(int argc, char **argv, int *status)
{
  PetscFunctionBeginUser;
  (void)status;
  const char *path = NULL, *fields = NULL;
  const Flag flags[] = {{"--fields", false, &fields}};
  Sim *sim = NULL;
  PetscCall(only_word("check", "CASE.yaml", argc, argv, flags, 1, &path));
  PetscCall(SimCreate(WORLD, path, NULL, NULL, &sim));
  PetscCall(VerbRequireOptionsUsed());
  PetscCall(SimDescribe(sim, stdout));
  PetscCall(SimDestroy(&sim));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode VerbInfo(int argc, char **argv, int *status)
{
  PetscFunctionBeginUser;
  (void)status;
  const char *path = NULL;
  PetscCall(only_word("info", "FILE", argc, argv, NULL, 0, &path));
  PetscCall(VerbRequireOptionsUsed());
  PetscCall(FileDescribe(WORLD, path, stdout));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode VerbInit(int argc, char **argv, int *status)
{
  PetscFunctionBeginUser;
  (void)status;
  const char *name = NULL;
  char path[PETSC_MAX_PATH_LEN], *text = NULL;
  size_t length = 0;
  bool there = false;
  PetscCall(only_word("init", "NAME", argc, argv, NULL, 0, &name));
  PetscCall(VerbRequireOptionsUsed());
  const size_t n = strlen(name);
  const bool whole = n > 5 && strcmp(name + n - 5, ".yaml") == 0;
  PetscCall(PetscSNPrintf(path, sizeof path, "%s%s", name, whole ? "" : ".yaml"));
  PetscCall(FileExists(WORLD, path, &there));
  PetscCheck(!there, WORLD, PETSC_ERR_USER_INPUT, "%s: is there already", path);

  FILE *out = open_memstream(&text, &length);
  PetscCheck(out != NULL, PETSC_COMM_SELF, PETSC_ERR_MEM, "no memory for the starter case");
  PetscCall(SchemaWriteStarter(name, out));
  fclose(out);
  PetscCall(FileReplace(WORLD, path, text, length));
  free(text);
  PetscCall(PetscPrintf(WORLD, "wrote %s; try: carom run %s\n", path, path));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Words of carom grid: what, and keys with their values. */
enum { GRID_WORDS = 16 };

PetscErrorCode VerbGrid(int argc, char **argv, int *status)
{
  PetscFunctionBeginUser;
  (void)status;
  const char *words[GRID_WORDS] = {NULL};
  GridOrder order = {0};
  const Flag flags[] = {{"--layers", true, &order.layers},
                        {"--first", true, &order.first},
                        {"--growth", true, &order.growth},
                        {"-o", true, &order.path}};
  char problem[ARGUMENTS_PROBLEM];
  int n_words = 0;
  if (!arguments_parse(argc, argv, flags, 4, words, GRID_WORDS, &n_words, problem))
    PetscCall(VerbMistake("grid", problem));
  if (n_words == 0) PetscCall(VerbMistake("grid", "KIND or FILE is missing"));
  if (order.path == NULL || order.path[0] == '\0')
    PetscCall(VerbMistake("grid", "-o G.cgns is missing"));
  PetscCall(VerbRequireOptionsUsed());
  order.what = words[0];
  order.keys = words + 1;
  order.n_keys = n_words - 1;
  PetscCall(GridMake(WORLD, &order, stdout));
  PetscFunctionReturn(PETSC_SUCCESS);
}
