/*
 * The writing side of checkpoints.
 */
#include "io/checkpoint.h"

#include "base/hash.h"
#include "io/checkpoint_impl.h"
#include "io/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

size_t checkpoint_entry_size(CheckpointType type)
{
  return type == CHECKPOINT_TEXT ? 1 : 8;
}

hid_t checkpoint_hdf5_type(CheckpointType type)
{
  if (type == CHECKPOINT_DOUBLE) return H5T_NATIVE_DOUBLE;
  return type == CHECKPOINT_INT64 ? H5T_NATIVE_INT64 : H5T_NATIVE_UINT8;
}

hid_t checkpoint_access(MPI_Comm comm)
{
  const hid_t list = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_fapl_mpio(list, comm, MPI_INFO_NULL);
  /* Of all layouts only the latest has checksums over names, sizes and places too. */
  H5Pset_libver_bounds(list, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
  return list;
}

PetscErrorCode CheckpointAgree(MPI_Comm comm, bool mine, bool *all)
{
  PetscFunctionBeginUser;
  int ok = mine;
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &ok, 1, MPI_INT, MPI_LAND, comm));
  *all = ok != 0;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CheckpointSum(MPI_Comm comm, const CheckpointArray *array, const void *data,
                             uint64_t *sum)
{
  PetscFunctionBeginUser;
  uint64_t mine = 0;
  if (array->type == CHECKPOINT_TEXT)
    for (int64_t i = 0; i < array->n; i++)
      mine += hash_word((uint64_t)(array->first + i), ((const unsigned char *)data)[i]);
  else
    mine = hash_bytes((uint64_t)array->first, data, (size_t)array->n * 8);
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &mine, 1, MPI_UINT64_T, MPI_SUM, comm));
  *sum = mine + hash_word(~(uint64_t)0, (uint64_t)array->total) +
         hash_bytes(1, array->name, strlen(array->name));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Raise the trouble of rank 0, if any; the half-written file goes away. */
static PetscErrorCode settle_trouble(Checkpoint *c, int number)
{
  PetscFunctionBeginUser;
  int rank = 0;
  PetscCallMPI(MPI_Comm_rank(c->comm, &rank));
  if (rank == 0 && number != 0) unlink(c->aside);
  PetscCall(FileVerdict(c->comm, c->path, "cannot be written", number));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CheckpointCreate(MPI_Comm comm, const char *folder, int64_t step,
                                Checkpoint **checkpoint)
{
  PetscFunctionBeginUser;
  PetscCall(FileMakeDirectory(comm, folder));
  Checkpoint *c = NULL;
  PetscCall(PetscNew(&c));
  c->comm = comm;
  PetscCall(PetscSNPrintf(c->path, sizeof c->path, "%s/step_%010lld.h5", folder, (long long)step));
  PetscCall(PetscSNPrintf(c->aside, sizeof c->aside, "%s.part", c->path));

  /* A file that cannot be made is found out with plain means first: HDF5 would only say -1. */
  int rank = 0, number = 0;
  PetscCallMPI(MPI_Comm_rank(comm, &rank));
  if (rank == 0) {
    const int file = open(c->aside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    number = file < 0 ? errno : 0;
    if (file >= 0) close(file);
  }
  PetscCall(FileVerdict(comm, c->path, "cannot be written", number));

  H5Eset_auto(H5E_DEFAULT, NULL, NULL);
  const hid_t access = checkpoint_access(comm);
  c->file = H5Fcreate(c->aside, H5F_ACC_TRUNC, H5P_DEFAULT, access);
  H5Pclose(access);
  bool ok = false;
  PetscCall(CheckpointAgree(comm, c->file >= 0, &ok));
  if (!ok) PetscCall(settle_trouble(c, EIO));
  *checkpoint = c;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/*
 * Is there room for the array and some more? A full disk is then one clean line. Rank 0 looks, so
 * that all come to the same verdict: an errno.
 */
static PetscErrorCode find_room(const Checkpoint *c, const CheckpointArray *array, int *number)
{
  PetscFunctionBeginUser;
  int rank = 0;
  struct statvfs facts;
  const double wanted = (double)array->total * (double)checkpoint_entry_size(array->type) + 65536.0;
  *number = 0;
  PetscCallMPI(MPI_Comm_rank(c->comm, &rank));
  if (rank == 0 && statvfs(c->aside, &facts) != 0)
    *number = errno;
  else if (rank == 0 && (double)facts.f_bavail * (double)facts.f_frsize < wanted)
    *number = ENOSPC;
  PetscCallMPI(MPI_Bcast(number, 1, MPI_INT, 0, c->comm));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Write this rank's part and the checksum; returns whether HDF5 was content. */
static bool write_array(Checkpoint *c, const CheckpointArray *array, const void *data, uint64_t sum)
{
  const hsize_t total = (hsize_t)array->total, first = (hsize_t)array->first, n = (hsize_t)array->n,
                one = 1;
  const hid_t type = checkpoint_hdf5_type(array->type);
  const hid_t space = H5Screate_simple(1, &total, NULL), part = H5Screate_simple(1, &n, NULL);
  const hid_t set =
      H5Dcreate2(c->file, array->name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  const hid_t transfer = H5Pcreate(H5P_DATASET_XFER);
  H5Pset_dxpl_mpio(transfer, H5FD_MPIO_COLLECTIVE);
  if (n == 0) {
    H5Sselect_none(space);
    H5Sselect_none(part);
  } else {
    H5Sselect_hyperslab(space, H5S_SELECT_SET, &first, NULL, &n, NULL);
  }
  bool ok = set >= 0 && (total == 0 || H5Dwrite(set, type, part, space, transfer, data) >= 0);

  const hid_t scalar = H5Screate_simple(1, &one, NULL);
  const hid_t mark =
      H5Acreate2(set, CHECKPOINT_CHECKSUM, H5T_NATIVE_UINT64, scalar, H5P_DEFAULT, H5P_DEFAULT);
  ok = ok && mark >= 0 && H5Awrite(mark, H5T_NATIVE_UINT64, &sum) >= 0;
  H5Aclose(mark);
  H5Sclose(scalar);
  H5Pclose(transfer);
  H5Dclose(set);
  H5Sclose(part);
  H5Sclose(space);
  return ok;
}

PetscErrorCode CheckpointPut(Checkpoint *c, CheckpointArray array, const void *data)
{
  PetscFunctionBeginUser;
  int number = 0;
  PetscCall(find_room(c, &array, &number));
  if (number != 0) {
    H5Fclose(c->file);
    PetscCall(settle_trouble(c, number));
  }
  uint64_t sum = 0;
  bool ok = false;
  PetscCall(CheckpointSum(c->comm, &array, data, &sum));
  PetscCall(CheckpointAgree(c->comm, write_array(c, &array, data, sum), &ok));
  if (!ok) {
    H5Fclose(c->file);
    PetscCall(settle_trouble(c, EIO));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* To the disk, then to its name; returns an errno. */
static int settle(const Checkpoint *c)
{
  const int file = open(c->aside, O_RDONLY | O_CLOEXEC);
  if (file < 0) return errno;
  const int number = fsync(file) != 0 ? errno : 0;
  close(file);
  if (number != 0) return number;
  return rename(c->aside, c->path) == 0 ? 0 : errno;
}

static int is_checkpoint(const struct dirent *entry)
{
  const size_t n = strlen(entry->d_name);
  return strncmp(entry->d_name, "step_", 5) == 0 && n > 3 &&
         strcmp(entry->d_name + n - 3, ".h5") == 0;
}

/*
 * Remove all but this one and the one before; names sort by step. Later ones were passed over as
 * damaged when the run was resumed, and the histories no longer match them.
 */
static void prune(const Checkpoint *c)
{
  char folder[PETSC_MAX_PATH_LEN];
  snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(c->path, '/') - c->path), c->path);
  struct dirent **entries = NULL;
  const char *own = strrchr(c->path, '/') + 1;
  const int n = scandir(folder, &entries, is_checkpoint, alphasort);
  int place = 0;
  while (place < n && strcmp(entries[place]->d_name, own) != 0) place++;
  for (int i = 0; i < n; i++) {
    char old[PETSC_MAX_PATH_LEN + 256];
    snprintf(old, sizeof old, "%s/%s", folder, entries[i]->d_name);
    if (i != place && i != place - 1) unlink(old);
    free(entries[i]);
  }
  free(entries);
}

PetscErrorCode CheckpointCommit(Checkpoint **checkpoint)
{
  PetscFunctionBeginUser;
  Checkpoint *c = *checkpoint;
  bool ok = false;
  PetscCall(CheckpointAgree(c->comm, H5Fclose(c->file) >= 0, &ok));
  if (!ok) PetscCall(settle_trouble(c, EIO));
  int rank = 0, number = 0;
  PetscCallMPI(MPI_Comm_rank(c->comm, &rank));
  if (rank == 0) {
    number = settle(c);
    if (number == 0) prune(c);
  }
  PetscCall(settle_trouble(c, number));
  PetscCall(PetscFree(*checkpoint));
  PetscFunctionReturn(PETSC_SUCCESS);
}
