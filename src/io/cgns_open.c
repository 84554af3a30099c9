/*
 * Can the CGNS library read this file, if necessary by a trick?
 *
 * Library 3.4 refuses files stamped 4.x, though it understands nearly all of them. Such a file
 * is copied aside, the copy is stamped 3.4, opened, and unlinked at once.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "io/cgns_impl.h"

#include "io/lfs.h"

#include <cgns_io.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define OLDEST_STAMP 3.4f

static PetscErrorCode CheckReadable(const char *path)
{
  PetscFunctionBeginUser;
  struct stat facts = {0};
  FILE *in = fopen(path, "rb");
  const int number = in == NULL ? errno : fstat(fileno(in), &facts) != 0 ? errno : 0;
  char head[64] = "";
  const bool folder = S_ISDIR(facts.st_mode);
  const size_t n = number == 0 && !folder ? fread(head, 1, sizeof head, in) : 0;
  if (in != NULL) fclose(in);
  PetscCheck(number == 0 && !folder, PETSC_COMM_SELF, CAROM_ERR_FILE, "%s: cannot be read: %s",
             path, strerror(folder ? EISDIR : number));
  PetscCheck(n > 0, PETSC_COMM_SELF, CAROM_ERR_FILE, "%s: empty file, wanted CGNS", path);
  PetscCheck(!bytes_are_lfs_pointer(head, n), PETSC_COMM_SELF, CAROM_ERR_FILE,
             "%s: a git-lfs pointer, not the file itself; fetch it with git lfs pull", path);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Does a file begin as those of the two kinds do that hold CGNS? */
static bool looks_like_cgns(const char *path)
{
  char head[32] = "";
  FILE *in = fopen(path, "rb");
  const size_t n = in != NULL ? fread(head, 1, sizeof head, in) : 0;
  if (in != NULL) fclose(in);
  return n == sizeof head &&
         (memcmp(head, "\x89HDF", 4) == 0 || memcmp(head + 4, "ADF Database", 12) == 0);
}

/* Copy all bytes; an errno or zero. */
static int copy_bytes(const char *path, int to)
{
  FILE *in = fopen(path, "rb"), *out = fdopen(to, "wb");
  if (in == NULL || out == NULL) return errno;
  char piece[1 << 16];
  size_t n = 0;
  bool good = true;
  while (good && (n = fread(piece, 1, sizeof piece, in)) > 0) good = fwrite(piece, 1, n, out) == n;
  good = good && !ferror(in);
  fclose(in);
  good = fclose(out) == 0 && good;
  return good ? 0 : EIO;
}

/* Give the copy the stamp of our library; true if that worked. */
static bool stamp(const char *path)
{
  int io = 0;
  double root = 0.0, node = 0.0;
  const float version = OLDEST_STAMP;
  if (cgio_open_file(path, CGIO_MODE_MODIFY, CGIO_FILE_NONE, &io) != CGIO_ERR_NONE) return false;
  const bool done = cgio_get_root_id(io, &root) == CGIO_ERR_NONE &&
                    cgio_get_node_id(io, root, "CGNSLibraryVersion", &node) == CGIO_ERR_NONE &&
                    cgio_write_all_data(io, node, &version) == CGIO_ERR_NONE;
  return cgio_close_file(io) == CGIO_ERR_NONE && done;
}

/* A copy with a stamp our library accepts; good is false if it cannot be stamped. */
static PetscErrorCode MakeCopy(const char *path, size_t size, char copy[], bool *good)
{
  PetscFunctionBeginUser;
  const char *folder = getenv("TMPDIR");
  snprintf(copy, size, "%s/carom-XXXXXX", folder != NULL ? folder : P_tmpdir);
  const int to = mkstemp(copy);
  PetscCheck(to >= 0, PETSC_COMM_SELF, CAROM_ERR_FILE, "%s: cannot be written: %s", copy,
             strerror(errno));
  const int number = copy_bytes(path, to);
  *good = number == 0 && stamp(copy);
  if (number != 0) unlink(copy);
  PetscCheck(number == 0, PETSC_COMM_SELF, CAROM_ERR_FILE, "%s: cannot be copied to %s: %s", path,
             copy, strerror(number));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Open the file itself, or a copy of it, whose name is left for the caller to unlink. */
static PetscErrorCode OpenHere(const char *path, size_t size, char copy[], int *file)
{
  PetscFunctionBeginUser;
  copy[0] = '\0';
  PetscCall(CheckReadable(path));
  int kind = 0;
  PetscCheck(cg_is_cgns(path, &kind) == CG_OK, PETSC_COMM_SELF, CAROM_ERR_FILE,
             "%s: not a CGNS file%s", path, looks_like_cgns(path) ? ", or cut off or damaged" : "");
  if (cg_open(path, CG_MODE_READ, file) == CG_OK) PetscFunctionReturn(PETSC_SUCCESS);

  char why[CGIO_MAX_ERROR_LENGTH + 256], broken[2 * PETSC_MAX_PATH_LEN];
  snprintf(why, sizeof why, "%s", cg_get_error());
  PetscCheck(!cgns_find_broken_link(path, sizeof broken, broken), PETSC_COMM_SELF, CAROM_ERR_FILE,
             "%s: %s", path, broken);
  bool good = false;
  PetscCall(MakeCopy(path, size, copy, &good));
  good = good && cg_open(copy, CG_MODE_READ, file) == CG_OK;
  if (!good) unlink(copy);
  const bool recent = strstr(why, "recent version") != NULL;
  PetscCheck(good, PETSC_COMM_SELF, CAROM_ERR_FILE, "%s: %s%s", path,
             recent ? "" : "cut off or damaged: ", why);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CgnsOpen(const char *path, int *file)
{
  PetscFunctionBeginUser;
  char copy[PETSC_MAX_PATH_LEN];
  PetscCall(OpenHere(path, sizeof copy, copy, file));
  if (copy[0] != '\0') unlink(copy);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CgnsVerdict(MPI_Comm comm, PetscErrorCode code)
{
  PetscFunctionBeginUser;
  int rank = 0, first = (int)code;
  PetscCallMPI(MPI_Comm_rank(comm, &rank));
  PetscCallMPI(MPI_Bcast(&first, 1, MPI_INT, 0, comm));
  if (rank == 0) PetscCall(code);
  PetscCheck(first == PETSC_SUCCESS, comm, first, " ");
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The stamp of a file of which a copy is open. One that is open itself must not be opened again:
 * closing it would close its nodes under the library. */
static float stamp_of(const char *path)
{
  int io = 0;
  double root = 0.0, node = 0.0;
  float version = 0.0f;
  if (cgio_open_file(path, CGIO_MODE_READ, CGIO_FILE_NONE, &io) != CGIO_ERR_NONE) return version;
  if (cgio_get_root_id(io, &root) == CGIO_ERR_NONE &&
      cgio_get_node_id(io, root, "CGNSLibraryVersion", &node) == CGIO_ERR_NONE)
    cgio_read_all_data(io, node, &version);
  cgio_close_file(io);
  return version;
}

PetscErrorCode CgnsOpenAll(MPI_Comm comm, const char *path, int *file, float *stamp)
{
  PetscFunctionBeginUser;
  MPI_Comm node;
  int rank = 0, node_rank = 0, good = 1;
  PetscErrorCode code = PETSC_SUCCESS;
  char copy[PETSC_MAX_PATH_LEN] = "";
  PetscCallMPI(MPI_Comm_rank(comm, &rank));

  /* Rank 0 goes first: what is wrong with the file is said once. */
  *stamp = 0.0f;
  if (rank == 0) code = OpenHere(path, sizeof copy, copy, file);
  PetscCall(CgnsVerdict(comm, code));
  if (rank == 0 && copy[0] != '\0')
    *stamp = stamp_of(path);
  else if (rank == 0)
    cg_version(*file, stamp);
  PetscCallMPI(MPI_Bcast(stamp, 1, MPI_FLOAT, 0, comm));

  PetscCallMPI(MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &node));
  PetscCallMPI(MPI_Comm_rank(node, &node_rank));
  if (node_rank == 0 && rank > 0) good = OpenHere(path, sizeof copy, copy, file) == PETSC_SUCCESS;
  PetscCallMPI(MPI_Bcast(copy, sizeof copy, MPI_CHAR, 0, node));
  if (node_rank > 0) good = cg_open(copy[0] != '\0' ? copy : path, CG_MODE_READ, file) == CG_OK;
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &good, 1, MPI_INT, MPI_LAND, comm));
  if (node_rank == 0 && copy[0] != '\0') unlink(copy);
  PetscCallMPI(MPI_Comm_free(&node));
  PetscCheck(good, comm, CAROM_ERR_FILE, "%s: cannot be opened on every rank", path);
  PetscFunctionReturn(PETSC_SUCCESS);
}
