/*
 * The verbs: what each does with its words and flags, and its help.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/error.h"

typedef struct {
  const char *name;
  const char *usage; /* after "carom NAME" */
  const char *summary;
  const char *help; /* more lines for carom NAME --help */
  PetscErrorCode (*run)(int argc, char **argv, int *status);
} Verb;

/* The table, ended by an entry without name. */
extern const Verb verbs[];

/* Raise a mistake on the command line: one line, exit 2. */
PetscErrorCode VerbMistake(const char *verb, const char *problem);

/* PETSc options that were given after -- and that nobody asked for are a mistake. */
PetscErrorCode VerbRequireOptionsUsed(void);

PetscErrorCode VerbRun(int argc, char **argv, int *status);
PetscErrorCode VerbResume(int argc, char **argv, int *status);
PetscErrorCode VerbCheck(int argc, char **argv, int *status);
PetscErrorCode VerbInfo(int argc, char **argv, int *status);
PetscErrorCode VerbInit(int argc, char **argv, int *status);
PetscErrorCode VerbGrid(int argc, char **argv, int *status);

/* Look at results: cli/verbs_look.c. */
PetscErrorCode VerbReport(int argc, char **argv, int *status);
extern const char verb_report_help[];
PetscErrorCode VerbPlot(int argc, char **argv, int *status);
extern const char verb_plot_help[];
