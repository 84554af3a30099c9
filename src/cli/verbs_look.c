/*
 * Verbs that show results: report and plot. One rank does the work; all leave with its status.
 */
#include "cli/arguments.h"
#include "cli/verbs.h"
#include "io/file.h"
#include "report/page.h"
#include "report/plot.h"

#include <string.h>

#define WORLD PETSC_COMM_WORLD

const char verb_report_help[] =
    "Writes DIR/report.html, which opens from disk in any browser: replay, plots, contacts, "
    "tables.\n"
    "DIR2, another run, is drawn as a ghost. Runs that are going on or were cut off will do.\n"
    "  -o FILE           write there instead\n"
    "  --frames N        at most so many frames of motion (20000, fewer for many bodies)\n";

const char verb_plot_help[] =
    "Draws paths, speeds, spins and energies over time, with contacts marked.\n"
    "  -o F.svg, F.png   where to, lines or pixels (DIR/plot.svg)\n";

/* What fits a page that can be mailed. */
static ResultLimits page_limits(void)
{
  return (ResultLimits){.frames = 20000, .contacts = 20000, .values = 6e6, .slices = 60};
}

static PetscErrorCode write_report(const char *const words[], int n_words, const char *path,
                                   ResultLimits limits)
{
  PetscFunctionBeginUser;
  Results *run = NULL, *ghost = NULL;
  char beside[PETSC_MAX_PATH_LEN];
  PetscCall(ResultsCreate(words[0], limits, &run));
  if (n_words > 1) PetscCall(ResultsCreate(words[1], limits, &ghost));
  PetscCall(FileJoin(words[0], "report.html", beside, sizeof beside));
  PetscCall(PageWrite(path != NULL ? path : beside, run, ghost));
  PetscCall(PetscPrintf(PETSC_COMM_SELF, "%s\n", path != NULL ? path : beside));
  for (int k = 0; k < run->n_notes; k++)
    PetscCall(PetscPrintf(PETSC_COMM_SELF, "  %s\n", run->note[k]));
  PetscCall(ResultsDestroy(&run));
  PetscCall(ResultsDestroy(&ghost));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Rank 0 has come to a code; all take it. */
static PetscErrorCode agree(PetscErrorCode code)
{
  PetscFunctionBeginUser;
  int shared = (int)code;
  PetscCallMPI(MPI_Bcast(&shared, 1, MPI_INT, 0, WORLD));
  PetscCall((PetscErrorCode)shared);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static bool is_rank_0(void)
{
  int rank = 0;
  MPI_Comm_rank(WORLD, &rank);
  return rank == 0;
}

PetscErrorCode VerbReport(int argc, char **argv, int *status)
{
  PetscFunctionBeginUser;
  (void)status;
  const char *path = NULL, *frames = NULL, *words[2] = {NULL, NULL};
  const Flag flags[] = {{"-o", true, &path}, {"--frames", true, &frames}};
  char problem[ARGUMENTS_PROBLEM];
  int n_words = 0;
  long long n = 0;
  ResultLimits limits = page_limits();
  if (!arguments_parse(argc, argv, flags, 2, words, 2, &n_words, problem))
    PetscCall(VerbMistake("report", problem));
  if (n_words == 0) PetscCall(VerbMistake("report", "DIR is missing"));
  if (path != NULL && path[0] == '\0') PetscCall(VerbMistake("report", "-o wants a file"));
  if (frames != NULL && (!argument_count(frames, &n) || n < 2 || n > 10000000))
    PetscCall(VerbMistake("report", "--frames wants a whole number of at least 2"));
  if (frames != NULL) limits = (ResultLimits){(int)n, limits.contacts, INFINITY, limits.slices};
  PetscCall(VerbRequireOptionsUsed());
  PetscCall(agree(is_rank_0() ? write_report(words, n_words, path, limits) : PETSC_SUCCESS));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode write_plot(const char *directory, const char *path)
{
  PetscFunctionBeginUser;
  /* Finer than print, and few enough numbers for any program that opens the file. */
  const ResultLimits limits = {.frames = 2000, .contacts = 2000, .values = 1.5e6};
  Results *run = NULL;
  char beside[PETSC_MAX_PATH_LEN];
  PetscCall(ResultsCreate(directory, limits, &run));
  PetscCall(FileJoin(directory, "plot.svg", beside, sizeof beside));
  PetscCall(PlotWrite(path != NULL ? path : beside, run));
  PetscCall(PetscPrintf(PETSC_COMM_SELF, "%s\n", path != NULL ? path : beside));
  PetscCall(ResultsDestroy(&run));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode VerbPlot(int argc, char **argv, int *status)
{
  PetscFunctionBeginUser;
  (void)status;
  const char *path = NULL, *directory = NULL;
  const Flag flags[] = {{"-o", true, &path}};
  char problem[ARGUMENTS_PROBLEM];
  int n_words = 0;
  if (!arguments_parse(argc, argv, flags, 1, &directory, 1, &n_words, problem))
    PetscCall(VerbMistake("plot", problem));
  if (n_words == 0) PetscCall(VerbMistake("plot", "DIR is missing"));
  if (path != NULL && !plot_is_known(path)) {
    snprintf(problem, sizeof problem, "-o wants a name that ends in .svg or .png, got '%.80s'",
             path);
    PetscCall(VerbMistake("plot", problem));
  }
  PetscCall(VerbRequireOptionsUsed());
  PetscCall(agree(is_rank_0() ? write_plot(directory, path) : PETSC_SUCCESS));
  PetscFunctionReturn(PETSC_SUCCESS);
}
