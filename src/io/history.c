#include "io/history.h"

#include "io/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct History {
  MPI_Comm comm;
  char path[PETSC_MAX_PATH_LEN];
  int file;       /* descriptor on rank 0, else -1 */
  int64_t length; /* bytes on the disk */
  char *buffer;   /* owned, capacity: rows not yet written */
  size_t n, capacity;
  int trouble; /* the first errno, 0 while all is well */
};

enum { BUFFER_START = 1 << 20 };

static PetscErrorCode new_history(MPI_Comm comm, const char *path, History **history)
{
  PetscFunctionBeginUser;
  History *h = NULL;
  PetscCall(PetscNew(&h));
  h->comm = comm;
  h->file = -1;
  PetscCall(PetscStrncpy(h->path, path, sizeof h->path));
  int rank = 0;
  PetscCallMPI(MPI_Comm_rank(comm, &rank));
  if (rank == 0) {
    h->capacity = BUFFER_START;
    PetscCall(PetscMalloc1(h->capacity, &h->buffer));
  }
  *history = h;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode HistoryCreate(MPI_Comm comm, const char *path, const char *heading,
                             History **history)
{
  PetscFunctionBeginUser;
  PetscCall(new_history(comm, path, history));
  History *h = *history;
  int number = 0;
  if (h->buffer != NULL) {
    h->file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    number = h->file < 0 ? errno : 0;
  }
  PetscCall(FileVerdict(comm, path, "cannot be written", number));
  history_printf(h, "%s\n", heading);
  PetscCall(HistoryFlush(h, NULL));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Open for writing and cut to length; returns an errno, ENODATA when the file is too short. */
static int reopen_at(History *h, int64_t length)
{
  h->file = open(h->path, O_WRONLY | O_CLOEXEC);
  if (h->file < 0) return errno;
  if (lseek(h->file, 0, SEEK_END) < length) return ENODATA;
  if (ftruncate(h->file, length) != 0) return errno;
  return lseek(h->file, length, SEEK_SET) == length ? 0 : errno;
}

PetscErrorCode HistoryReopen(MPI_Comm comm, const char *path, int64_t length, History **history)
{
  PetscFunctionBeginUser;
  PetscCall(new_history(comm, path, history));
  History *h = *history;
  const int number = h->buffer != NULL ? reopen_at(h, length) : 0;
  PetscCall(FileVerdict(comm, path, "cannot be continued", number));
  h->length = length;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Write the buffer; on trouble cut the file back to its last good length. */
static void write_buffer(History *h)
{
  size_t done = 0;
  while (h->trouble == 0 && done < h->n) {
    const ssize_t n = write(h->file, h->buffer + done, h->n - done);
    if (n > 0)
      done += (size_t)n;
    else if (n < 0 && errno != EINTR)
      h->trouble = errno;
  }
  if (h->trouble == 0)
    h->length += (int64_t)h->n;
  else if (ftruncate(h->file, h->length) != 0)
    h->trouble = errno;
  h->n = 0;
}

void history_add(History *h, const char *text, size_t length)
{
  if (h->buffer == NULL || h->trouble != 0) return;
  if (h->n + length > h->capacity) write_buffer(h);
  if (length > h->capacity) {
    h->trouble = EOVERFLOW;
    return;
  }
  memcpy(h->buffer + h->n, text, length);
  h->n += length;
}

void history_printf(History *h, const char *format, ...)
{
  if (h->buffer == NULL) return;
  char line[2048];
  va_list values;
  va_start(values, format);
  const int n = vsnprintf(line, sizeof line, format, values);
  va_end(values);
  if (n > 0 && n < (int)sizeof line)
    history_add(h, line, (size_t)n);
  else
    h->trouble = EOVERFLOW;
}

void history_write_out(History *h)
{
  if (h->buffer != NULL && h->n > 0) write_buffer(h);
}

bool history_in_trouble(const History *h)
{
  return h->trouble != 0;
}

PetscErrorCode HistoryFlush(History *h, int64_t *length)
{
  PetscFunctionBeginUser;
  if (h->buffer != NULL) {
    write_buffer(h);
    if (h->trouble == 0 && fdatasync(h->file) != 0 && errno != EINVAL) h->trouble = errno;
  }
  PetscCall(FileVerdict(h->comm, h->path, "cannot be written", h->trouble));
  PetscCallMPI(MPI_Bcast(&h->length, 1, MPI_INT64_T, 0, h->comm));
  if (length != NULL) *length = h->length;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode HistoryDestroy(History **history)
{
  PetscFunctionBeginUser;
  History *h = *history;
  if (h == NULL) PetscFunctionReturn(PETSC_SUCCESS);
  if (h->buffer != NULL && h->trouble == 0) write_buffer(h);
  if (h->file >= 0) close(h->file);
  PetscCall(PetscFree(h->buffer));
  PetscCall(PetscFree(*history));
  PetscFunctionReturn(PETSC_SUCCESS);
}
