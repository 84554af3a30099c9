/*
 * Checkpoints of a run and the way back from them.
 *
 * Everything a dry run needs is the same on all ranks, so rank 0 writes it and all read it. Of the
 * air every rank writes and reads its own cells.
 */
#include "io/file.h"
#include "sim/output.h"

#include <string.h>

enum { COUNTERS = 6 };

static PetscErrorCode put(Checkpoint *file, const char *name, CheckpointType type, int64_t n,
                          MPI_Comm comm, const void *data)
{
  PetscFunctionBeginUser;
  int rank = 0;
  PetscCallMPI(MPI_Comm_rank(comm, &rank));
  const CheckpointArray array = {name, type, n, rank == 0 ? 0 : n, rank == 0 ? n : 0};
  PetscCall(CheckpointPut(file, array, data));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode get(Checkpoint *file, const char *name, CheckpointType type, int64_t n,
                          void *data)
{
  PetscFunctionBeginUser;
  const CheckpointArray array = {name, type, n, 0, n};
  PetscCall(CheckpointGet(file, array, data));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Which contacts last; without contact an empty list. */
static PetscErrorCode put_contact(Checkpoint *file, MPI_Comm comm, const Contact *contact)
{
  PetscFunctionBeginUser;
  const int n = contact != NULL ? contact_record_size(contact) : 0;
  int64_t *record;
  PetscCall(PetscMalloc1(n + 1, &record));
  if (n > 0) contact_record_get(contact, record);
  PetscCall(put(file, "lasting", CHECKPOINT_INT64, n, comm, record));
  PetscCall(PetscFree(record));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode get_contact(Checkpoint *file, Contact *contact, double now)
{
  PetscFunctionBeginUser;
  int64_t n = 0, *record;
  PetscCall(CheckpointGetSize(file, "lasting", &n));
  if (contact == NULL || n <= 0) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscMalloc1(n, &record));
  PetscCall(get(file, "lasting", CHECKPOINT_INT64, n, record));
  PetscCall(ContactRecordSet(contact, now, (int)n, record));
  PetscCall(PetscFree(record));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode OutputCheckpoint(Output *o, MPI_Comm comm, const Bodies *bodies,
                                const Contact *contact, Air *air, const RunFacts *facts)
{
  PetscFunctionBeginUser;
  int64_t lengths[2];
  PetscCall(HistoryFlush(o->bodies, &lengths[0]));
  PetscCall(HistoryFlush(o->contacts, &lengths[1]));

  char folder[PETSC_MAX_PATH_LEN];
  const int n = bodies_record_size(bodies);
  double *record;
  PetscCall(FileJoin(o->directory, "checkpoint", folder, sizeof folder));
  PetscCall(PetscMalloc1(n, &record));
  bodies_record_get(bodies, record);
  const int64_t counters[COUNTERS] = {facts->step,          lengths[0],
                                      lengths[1],           facts->n_contacts,
                                      bodies_count(bodies), (int64_t)facts->case_hash};
  Checkpoint *file = NULL;
  PetscCall(CheckpointCreate(comm, folder, facts->step, &file));
  PetscCall(put(file, "counters", CHECKPOINT_INT64, COUNTERS, comm, counters));
  PetscCall(put(file, "bodies", CHECKPOINT_DOUBLE, n, comm, record));
  PetscCall(put_contact(file, comm, contact));
  if (air != NULL) PetscCall(AirPut(air, file));
  PetscCall(CheckpointCommit(&file));
  PetscCall(PetscFree(record));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode OutputFind(MPI_Comm comm, const char *directory, char case_path[], char folder[],
                          size_t size)
{
  PetscFunctionBeginUser;
  char path[PETSC_MAX_PATH_LEN], *text = NULL;
  size_t length = 0;
  bool there = false;
  PetscCall(FileJoin(directory, "case.yaml", case_path, size));
  PetscCall(FileExists(comm, case_path, &there));
  PetscCheck(there, comm, CAROM_ERR_FILE, "%s: holds no run to go on with (no case.yaml)",
             directory);
  PetscCall(FileJoin(directory, "case.origin", path, sizeof path));
  PetscCall(FileRead(comm, path, &text, &length));
  PetscCall(PetscStrncpy(folder, text, size));
  PetscCall(PetscFree(text));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode OutputRestore(Output *o, MPI_Comm comm, const char *directory, Bodies *bodies,
                             Contact *contact, Air *air, RunFacts *facts)
{
  PetscFunctionBeginUser;
  char path[PETSC_MAX_PATH_LEN];
  int64_t counters[COUNTERS];
  const int n = bodies_record_size(bodies);
  double *record;
  Checkpoint *file = NULL;
  PetscCall(PetscStrncpy(o->directory, directory, sizeof o->directory));
  PetscCall(FileJoin(directory, "checkpoint", path, sizeof path));
  PetscCall(CheckpointOpenNewest(comm, path, &file));
  PetscCall(get(file, "counters", CHECKPOINT_INT64, COUNTERS, counters));
  PetscCheck(counters[4] == bodies_count(bodies), comm, PETSC_ERR_USER_INPUT,
             "%s: the checkpoint is of %d bodies, the case has %d", directory, (int)counters[4],
             bodies_count(bodies));
  if ((uint64_t)counters[5] != facts->case_hash)
    PetscCall(PetscFPrintf(comm, stderr,
                           "carom: %s/case.yaml was changed since the checkpoint; going on with "
                           "the changed case\n",
                           directory));
  PetscCall(PetscMalloc1(n, &record));
  PetscCall(get(file, "bodies", CHECKPOINT_DOUBLE, n, record));
  PetscCall(get_contact(file, contact, record[0]));
  bodies_record_set(bodies, record);
  PetscCall(PetscFree(record));
  int64_t flow_length = 0;
  if (air != NULL) PetscCall(AirGet(air, file, bodies, &flow_length));
  PetscCall(CheckpointClose(&file));

  facts->step = counters[0];
  facts->n_contacts = counters[3];
  PetscCall(FileJoin(directory, "bodies.csv", path, sizeof path));
  PetscCall(HistoryReopen(comm, path, counters[1], &o->bodies));
  PetscCall(FileJoin(directory, "contacts.csv", path, sizeof path));
  PetscCall(HistoryReopen(comm, path, counters[2], &o->contacts));
  if (air != NULL) PetscCall(AirResumeHistory(air, directory, flow_length));
  PetscFunctionReturn(PETSC_SUCCESS);
}
