#include "cli/cli.h"

#include "base/start.h"
#include "base/version.h"
#include "cli/verbs.h"

#include <stdio.h>
#include <string.h>

static void print_usage(FILE *out)
{
  fprintf(out, "Carom predicts the flight of bodies close enough to disturb and strike each "
               "other.\n\n");
  for (const Verb *v = verbs; v->name != NULL; v++)
    fprintf(out, "  carom %-7s %-46s %s\n", v->name, v->usage, v->summary);
  fprintf(out, "  carom --help, --version, carom VERB --help\n\n"
               "Under MPI: mpirun -n 8 carom run case.yaml\n"
               "Exit status: 0 done; 2 mistake in the input; 3 mesh or connectivity unusable;\n"
               "4 the computation failed; 5 files could not be read or written; 75 stopped on\n"
               "request with a checkpoint.\n");
}

static const Verb *find_verb(const char *name)
{
  for (const Verb *v = verbs; v->name != NULL; v++)
    if (strcmp(v->name, name) == 0) return v;
  return NULL;
}

/* Where the program's own arguments end: at "--" or at the end. */
static int own_arguments(int argc, char **argv)
{
  for (int i = 1; i < argc; i++)
    if (strcmp(argv[i], "--") == 0) return i;
  return argc;
}

static bool wants_help(int argc, char **argv)
{
  for (int i = 2; i < argc; i++)
    if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) return true;
  return false;
}

/* What needs neither MPI nor a verb that works; -1: go on. */
static int answer_at_once(int argc, char **argv)
{
  const char *word = argc > 1 ? argv[1] : "";
  if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "help") == 0) {
    print_usage(stdout);
    return EXIT_DONE;
  }
  if (strcmp(word, "--version") == 0) {
    fputs(version_summary(), stdout);
    return EXIT_DONE;
  }
  const Verb *verb = find_verb(word);
  if (verb != NULL && wants_help(argc, argv)) {
    printf("carom %s %s\n%s\n%s", verb->name, verb->usage, verb->summary, verb->help);
    return EXIT_DONE;
  }
  return -1;
}

static PetscErrorCode run_verb(int argc, char **argv, int *status)
{
  PetscFunctionBeginUser;
  PetscCheck(argc > 1, PETSC_COMM_WORLD, PETSC_ERR_USER_INPUT,
             "a verb is missing; see carom --help");
  /* Flags may stand before the verb's word, but the verb itself comes first. */
  const Verb *verb = find_verb(argv[1]);
  PetscCheck(verb != NULL, PETSC_COMM_WORLD, PETSC_ERR_USER_INPUT,
             "'%.60s' is no verb; see carom --help", argv[1]);
  PetscCall(verb->run(argc - 2, argv + 2, status));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What stands behind "--" is for PETSc. */
static PetscErrorCode start(int argc, char **argv, int own)
{
  PetscErrorCode code =
      PetscStart(argv[0], own < argc ? argc - own - 1 : 0, argv + own + (own < argc));
  if (code == PETSC_SUCCESS) code = ErrorHandlerInstall();
  return code;
}

int cli_main(int argc, char **argv)
{
  const int own = own_arguments(argc, argv);
  int status = answer_at_once(own, argv);
  if (status >= 0) return status;
  if (start(argc, argv, own) != PETSC_SUCCESS) return EXIT_BUG;

  const PetscErrorCode code = run_verb(own, argv, &status);
  if (code != PETSC_SUCCESS) status = error_exit_status(code);
  if (status < 0) status = EXIT_DONE;
  if (status == EXIT_BUG) MPI_Abort(PETSC_COMM_WORLD, EXIT_BUG);
  PetscOptionsSetValue(NULL, "-options_left", "no");
  PetscFinalize();
  return status;
}
