/*
 * The parts of reading a results directory. SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "report/results.h"

/* Add a note, printf-like; the last one that fits says that there are more. */
PetscErrorCode ResultsNote(Results *results, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The place of a name, added if it is new. */
PetscErrorCode ResultsNameFind(Results *results, const char *name, int *place);

/* case.yaml, shapes and masses; without a case there are no bodies yet. */
PetscErrorCode ResultsReadCase(Results *results);

/* bodies.csv; contacts must have been read, since frames around them are kept. */
PetscErrorCode ResultsReadFrames(Results *results, int most);

/* The bodies that the first frame of bodies.csv names, when there is no case. */
PetscErrorCode ResultsReadNames(Results *results);

/* Names in a folder of the results that end so, sorted; free the list. None if it is not there. */
PetscErrorCode ResultsList(Results *results, const char *folder, const char *ending, int *n,
                           const char ***name);

PetscErrorCode ResultsReadSlices(Results *results, int most);

/* Frames must have been read: they tell where bodies were. */
PetscErrorCode ResultsReadSkin(Results *results);

PetscErrorCode ResultsReadContacts(Results *results, int most);
PetscErrorCode ResultsReadFlow(Results *results, int most);
