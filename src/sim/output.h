/*
 * The results directory: histories, checkpoints, the copy of the case, run.json.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "body/bodies.h"
#include "config/case.h"
#include "contact/contact.h"
#include "io/checkpoint.h"
#include "io/history.h"
#include "sim/air.h"

typedef struct {
  char directory[PETSC_MAX_PATH_LEN];
  char case_path[PETSC_MAX_PATH_LEN]; /* as it was given */
  char *case_text;                    /* owned */
  size_t case_length;
  History *bodies, *contacts; /* owned */
  double last_write_out;      /* when the rows were last handed to the system */
  char started[32];           /* when this invocation began, ISO 8601 */
} Output;

/* How a run stands, for checkpoints and run.json. */
typedef struct {
  int64_t step, n_steps, n_contacts;
  double t, seconds;
  uint64_t case_hash;
  int ranks;
} RunFacts;

/* Take the text of the case, of which the directory will keep a copy. */
PetscErrorCode OutputTakeCase(Output *output, const char *path, char **text, size_t length);

/* Name the results directory: as asked for, else as the case says, else after the case. */
PetscErrorCode OutputName(Output *output, const Case *the_case, const char *directory,
                          const char *folder);

/* Where x-rays are kept: a folder of the results directory. */
PetscErrorCode OutputCacheFolder(const Output *output, char folder[], size_t size);

/*
 * Begin the results directory, which is made; one that holds results is refused unless force,
 * which clears them. folder is what paths of the case refer to.
 */
PetscErrorCode OutputCreate(Output *output, MPI_Comm comm, const char *folder, bool force);

/* Is there a run in the directory that can be gone on with? Raises CAROM_ERR_FILE if not; reads the
 * original folder of the case. */
PetscErrorCode OutputFind(MPI_Comm comm, const char *directory, char case_path[], char folder[],
                          size_t size);

/* Bring bodies, air (NULL: none) and histories back to the newest valid checkpoint. */
PetscErrorCode OutputRestore(Output *output, MPI_Comm comm, const char *directory, Bodies *bodies,
                             Contact *contact, Air *air, RunFacts *facts);
PetscErrorCode OutputClose(Output *output);

/* Add one row per body to bodies.csv. Not collective. */
void output_add_bodies(Output *output, const Case *the_case, const Bodies *bodies);

/* Add the events of the last step to contacts.csv; returns how many. Not collective. */
int output_add_contacts(Output *output, const Case *the_case, const Contact *contact);

/* Let others read what there is, now and then: was it time to? Not collective. */
bool output_write_out(Output *output);

/* Has writing failed on this rank? */
bool output_in_trouble(const Output *output);

/* Bring the histories to the disk. Collective. */
PetscErrorCode OutputFlush(Output *output);

/* Flush the histories and write a checkpoint. Collective. */
PetscErrorCode OutputCheckpoint(Output *output, MPI_Comm comm, const Bodies *bodies,
                                const Contact *contact, Air *air, const RunFacts *facts);

/* Write run.json; reason is "running", "done", "wall limit", ... Collective. */
PetscErrorCode OutputRunJson(const Output *output, MPI_Comm comm, const RunFacts *facts,
                             const char *reason, int status);
