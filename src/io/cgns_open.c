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

static PetscErrorCode OpenCopy(const char *path, int *file, bool *opened)
{
  PetscFunctionBeginUser;
  const char *folder = getenv("TMPDIR");
  char copy[PETSC_MAX_PATH_LEN];
  snprintf(copy, sizeof copy, "%s/carom-XXXXXX", folder != NULL ? folder : P_tmpdir);
  const int to = mkstemp(copy);
  PetscCheck(to >= 0, PETSC_COMM_SELF, CAROM_ERR_FILE, "%s: cannot be written: %s", copy,
             strerror(errno));
  const int number = copy_bytes(path, to);
  *opened = number == 0 && stamp(copy) && cg_open(copy, CG_MODE_READ, file) == CG_OK;
  unlink(copy);
  PetscCheck(number == 0, PETSC_COMM_SELF, CAROM_ERR_FILE, "%s: cannot be copied to %s: %s", path,
             copy, strerror(number));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CgnsOpen(const char *path, int *file)
{
  PetscFunctionBeginUser;
  PetscCall(CheckReadable(path));
  int kind = 0;
  PetscCheck(cg_is_cgns(path, &kind) == CG_OK, PETSC_COMM_SELF, CAROM_ERR_FILE,
             "%s: not a CGNS file", path);
  if (cg_open(path, CG_MODE_READ, file) == CG_OK) PetscFunctionReturn(PETSC_SUCCESS);

  char why[CGIO_MAX_ERROR_LENGTH + 256];
  snprintf(why, sizeof why, "%s", cg_get_error());
  bool opened = false;
  PetscCall(OpenCopy(path, file, &opened));
  PetscCheck(opened, PETSC_COMM_SELF, CAROM_ERR_FILE, "%s: %s", path, why);
  PetscFunctionReturn(PETSC_SUCCESS);
}
