#include "io/file.h"

#include "comm/shared.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

PetscErrorCode FileVerdict(MPI_Comm comm, const char *path, const char *what, int number)
{
  PetscFunctionBeginUser;
  PetscCallMPI(MPI_Bcast(&number, 1, MPI_INT, 0, comm));
  PetscCheck(number == 0, comm, CAROM_ERR_FILE, "%s: %s: %s", path, what, strerror(number));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static bool is_rank_0(MPI_Comm comm)
{
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  return rank == 0;
}

/* Read all of an open file in pieces, whatever its kind claims as size; returns an errno. */
static int read_stream(FILE *in, size_t limit, char **bytes, size_t *length)
{
  size_t capacity = 1 << 16, n = 0;
  char *buffer = malloc(capacity + 1);
  while (buffer != NULL) {
    n += fread(buffer + n, 1, capacity - n, in);
    if (n < capacity) break;
    if (n > limit) break;
    capacity *= 2;
    char *larger = realloc(buffer, capacity + 1);
    if (larger == NULL) free(buffer);
    buffer = larger;
  }
  if (buffer == NULL) return ENOMEM;
  const int number = ferror(in) ? (errno != 0 ? errno : EIO) : n > limit ? EFBIG : 0;
  if (number != 0) {
    free(buffer);
    return number;
  }
  buffer[n] = '\0';
  *bytes = buffer;
  *length = n;
  return 0;
}

static int read_file(const char *path, size_t limit, char **bytes, size_t *length)
{
  struct stat facts;
  if (stat(path, &facts) != 0) return errno;
  if (S_ISDIR(facts.st_mode)) return EISDIR;
  if (S_ISREG(facts.st_mode) && (size_t)facts.st_size > limit) return EFBIG;
  errno = 0;
  FILE *in = fopen(path, "rb");
  if (in == NULL) return errno;
  const int number = read_stream(in, limit, bytes, length);
  fclose(in);
  return number;
}

PetscErrorCode FileReadUpTo(MPI_Comm comm, const char *path, size_t limit, char **bytes,
                            size_t *length)
{
  PetscFunctionBeginUser;
  char *raw = NULL;
  size_t n = 0;
  const int number = is_rank_0(comm) ? read_file(path, limit, &raw, &n) : 0;
  PetscCall(FileVerdict(comm, path, "cannot be read", number));
  unsigned long count = n;
  PetscCallMPI(MPI_Bcast(&count, 1, MPI_UNSIGNED_LONG, 0, comm));

  PetscCall(PetscMalloc1(count + 1, bytes));
  if (raw != NULL) memcpy(*bytes, raw, count);
  free(raw);
  PetscCall(BytesBroadcast(comm, *bytes, count));
  (*bytes)[count] = '\0';
  *length = count;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode FileRead(MPI_Comm comm, const char *path, char **bytes, size_t *length)
{
  PetscFunctionBeginUser;
  PetscCall(FileReadUpTo(comm, path, FILE_LIMIT, bytes, length));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Write and flush to the disk; returns an errno and leaves nothing behind on failure. */
static int write_aside(const char *aside, const char *bytes, size_t length)
{
  errno = 0;
  FILE *out = fopen(aside, "wb");
  if (out == NULL) return errno;
  bool ok = fwrite(bytes, 1, length, out) == length;
  ok = fflush(out) == 0 && ok;
  ok = fsync(fileno(out)) == 0 && ok;
  int number = ok ? 0 : errno != 0 ? errno : EIO;
  if (fclose(out) != 0 && number == 0) number = errno;
  if (number != 0) unlink(aside);
  return number;
}

PetscErrorCode FileReplace(MPI_Comm comm, const char *path, const char *bytes, size_t length)
{
  PetscFunctionBeginUser;
  char aside[PETSC_MAX_PATH_LEN];
  PetscCall(PetscSNPrintf(aside, sizeof aside, "%s.part", path));
  int number = 0;
  if (is_rank_0(comm)) {
    number = write_aside(aside, bytes, length);
    if (number == 0 && rename(aside, path) != 0) {
      number = errno;
      unlink(aside);
    }
  }
  PetscCall(FileVerdict(comm, path, "cannot be written", number));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Make one directory after the other along the path; returns an errno. */
static int make_parents(char *path)
{
  for (char *slash = strchr(path + 1, '/');; slash = strchr(slash + 1, '/')) {
    if (slash != NULL) *slash = '\0';
    struct stat facts;
    const bool made = mkdir(path, 0777) == 0;
    const int number = errno;
    const bool there = stat(path, &facts) == 0 && S_ISDIR(facts.st_mode);
    if (!made && !there) return number == EEXIST ? ENOTDIR : number;
    if (slash == NULL) return 0;
    *slash = '/';
    if (slash[1] == '\0') return 0;
  }
}

PetscErrorCode FileMakeDirectory(MPI_Comm comm, const char *path)
{
  PetscFunctionBeginUser;
  char copy[PETSC_MAX_PATH_LEN];
  PetscCall(PetscStrncpy(copy, path, sizeof copy));
  const int number = !is_rank_0(comm) || copy[0] == '\0' ? 0 : make_parents(copy);
  PetscCall(FileVerdict(comm, path, "cannot be made a directory", number));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode FileExists(MPI_Comm comm, const char *path, bool *exists)
{
  PetscFunctionBeginUser;
  int there = is_rank_0(comm) && access(path, F_OK) == 0;
  PetscCallMPI(MPI_Bcast(&there, 1, MPI_INT, 0, comm));
  *exists = there != 0;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Remove the plain files of a directory, then the directory; returns an errno. */
static int remove_directory(const char *path)
{
  DIR *folder = opendir(path);
  if (folder == NULL) return errno;
  for (struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
    if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
    char file[PETSC_MAX_PATH_LEN];
    snprintf(file, sizeof file, "%s/%s", path, entry->d_name);
    unlink(file);
  }
  closedir(folder);
  return rmdir(path) == 0 ? 0 : errno;
}

PetscErrorCode FileRemove(MPI_Comm comm, const char *path)
{
  PetscFunctionBeginUser;
  int number = 0;
  struct stat facts;
  if (is_rank_0(comm) && lstat(path, &facts) == 0) {
    if (S_ISDIR(facts.st_mode))
      number = remove_directory(path);
    else if (unlink(path) != 0)
      number = errno;
  }
  PetscCall(FileVerdict(comm, path, "cannot be removed", number));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode FileJoin(const char *folder, const char *name, char path[], size_t size)
{
  PetscFunctionBeginUser;
  const bool alone = name[0] == '/' || folder[0] == '\0';
  const size_t needed = strlen(name) + (alone ? 0 : strlen(folder) + 1);
  PetscCheck(needed < size, PETSC_COMM_WORLD, CAROM_ERR_FILE, "path is too long: %.60s...", name);
  if (alone)
    PetscCall(PetscSNPrintf(path, size, "%s", name));
  else
    PetscCall(PetscSNPrintf(path, size, "%s/%s", folder, name));
  PetscFunctionReturn(PETSC_SUCCESS);
}
