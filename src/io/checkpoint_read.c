/*
 * The reading side of checkpoints: nothing is trusted before its checksum has been seen to hold.
 */
#include "io/checkpoint.h"
#include "io/checkpoint_impl.h"
#include "io/file.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

const char *checkpoint_path(const Checkpoint *c)
{
  return c->path;
}

static hid_t open_set(Checkpoint *c, const char *name)
{
  return H5Lexists(c->file, name, H5P_DEFAULT) > 0 ? H5Dopen2(c->file, name, H5P_DEFAULT) : -1;
}

static int64_t set_total(hid_t set)
{
  hsize_t total = 0;
  const hid_t space = H5Dget_space(set);
  const bool ok =
      H5Sget_simple_extent_ndims(space) == 1 && H5Sget_simple_extent_dims(space, &total, NULL) == 1;
  H5Sclose(space);
  return ok ? (int64_t)total : -1;
}

static CheckpointType set_type(hid_t set)
{
  const hid_t type = H5Dget_type(set);
  const bool real = H5Tget_class(type) == H5T_FLOAT, text = H5Tget_size(type) == 1;
  H5Tclose(type);
  return text ? CHECKPOINT_TEXT : real ? CHECKPOINT_DOUBLE : CHECKPOINT_INT64;
}

PetscErrorCode CheckpointGetSize(Checkpoint *c, const char *name, int64_t *total)
{
  PetscFunctionBeginUser;
  const hid_t set = open_set(c, name);
  *total = set >= 0 ? set_total(set) : -1;
  if (set >= 0) H5Dclose(set);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Read this rank's part; false when HDF5 refuses. */
static bool read_part(hid_t set, const CheckpointArray *array, void *data)
{
  const hsize_t first = (hsize_t)array->first, n = (hsize_t)array->n;
  const hid_t space = H5Dget_space(set), part = H5Screate_simple(1, &n, NULL);
  const hid_t transfer = H5Pcreate(H5P_DATASET_XFER);
  H5Pset_dxpl_mpio(transfer, H5FD_MPIO_COLLECTIVE);
  if (n == 0) {
    H5Sselect_none(space);
    H5Sselect_none(part);
  } else {
    H5Sselect_hyperslab(space, H5S_SELECT_SET, &first, NULL, &n, NULL);
  }
  const bool ok = array->total == 0 ||
                  H5Dread(set, checkpoint_hdf5_type(array->type), part, space, transfer, data) >= 0;
  H5Pclose(transfer);
  H5Sclose(part);
  H5Sclose(space);
  return ok;
}

PetscErrorCode CheckpointGet(Checkpoint *c, CheckpointArray array, void *data)
{
  PetscFunctionBeginUser;
  const hid_t set = open_set(c, array.name);
  const bool fits = set >= 0 && set_total(set) == array.total && set_type(set) == array.type;
  bool ok = false;
  PetscCall(CheckpointAgree(c->comm, fits && read_part(set, &array, data), &ok));
  if (set >= 0) H5Dclose(set);
  PetscCheck(ok, c->comm, CAROM_ERR_FILE, "%s: no array '%s' of %lld entries", c->path, array.name,
             (long long)array.total);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The share of an array that this rank verifies. */
static void my_share(MPI_Comm comm, CheckpointArray *array)
{
  int rank = 0, size = 1;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  array->first = array->total * rank / size;
  array->n = array->total * (rank + 1) / size - array->first;
}

/* Does one array match the checksum beside it? */
static PetscErrorCode verify_array(Checkpoint *c, const char *name, bool *ok)
{
  PetscFunctionBeginUser;
  uint64_t written = 0, sum = 0;
  const hid_t set = open_set(c, name);
  CheckpointArray array = {.name = name, .total = set >= 0 ? set_total(set) : -1};
  const hid_t mark = set >= 0 ? H5Aopen(set, CHECKPOINT_CHECKSUM, H5P_DEFAULT) : -1;
  bool readable = array.total >= 0 && mark >= 0 && H5Aread(mark, H5T_NATIVE_UINT64, &written) >= 0;
  PetscCall(CheckpointAgree(c->comm, readable, &readable));
  if (readable) {
    array.type = set_type(set);
    my_share(c->comm, &array);
    char *data = NULL;
    PetscCall(PetscMalloc1((size_t)array.n * checkpoint_entry_size(array.type) + 1, &data));
    PetscCall(CheckpointAgree(c->comm, read_part(set, &array, data), &readable));
    PetscCall(CheckpointSum(c->comm, &array, data, &sum));
    PetscCall(PetscFree(data));
  }
  if (mark >= 0) H5Aclose(mark);
  if (set >= 0) H5Dclose(set);
  *ok = readable && sum == written;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The k-th name in the file; false past the end. */
static bool name_at(Checkpoint *c, hsize_t k, char name[], size_t size)
{
  H5G_info_t info;
  if (H5Gget_info(c->file, &info) < 0 || k >= info.nlinks) return false;
  return H5Lget_name_by_idx(c->file, ".", H5_INDEX_NAME, H5_ITER_INC, k, name, size, H5P_DEFAULT) >=
         0;
}

static PetscErrorCode verify_all(Checkpoint *c, char problem[], size_t size)
{
  PetscFunctionBeginUser;
  char name[256];
  hsize_t k = 0;
  for (; problem[0] == '\0' && name_at(c, k, name, sizeof name); k++) {
    bool ok = false;
    PetscCall(verify_array(c, name, &ok));
    if (!ok)
      PetscCall(PetscSNPrintf(problem, size, "array '%s' does not match its checksum", name));
  }
  if (k == 0) PetscCall(PetscSNPrintf(problem, size, "holds no arrays"));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CheckpointOpen(MPI_Comm comm, const char *path, Checkpoint **checkpoint,
                              char problem[], size_t size)
{
  PetscFunctionBeginUser;
  problem[0] = '\0';
  *checkpoint = NULL;
  H5Eset_auto(H5E_DEFAULT, NULL, NULL);
  int hdf5 = 0, rank = 0;
  PetscCallMPI(MPI_Comm_rank(comm, &rank));
  if (rank == 0) hdf5 = H5Fis_hdf5(path) > 0;
  PetscCallMPI(MPI_Bcast(&hdf5, 1, MPI_INT, 0, comm));

  Checkpoint *c = NULL;
  PetscCall(PetscNew(&c));
  c->comm = comm;
  PetscCall(PetscStrncpy(c->path, path, sizeof c->path));
  const hid_t access = checkpoint_access(comm);
  c->file = hdf5 ? H5Fopen(path, H5F_ACC_RDONLY, access) : -1;
  H5Pclose(access);
  bool ok = false;
  PetscCall(CheckpointAgree(comm, c->file >= 0, &ok));
  if (ok)
    PetscCall(verify_all(c, problem, size));
  else
    PetscCall(PetscSNPrintf(problem, size, "not a readable HDF5 file"));
  if (problem[0] != '\0')
    PetscCall(CheckpointClose(&c));
  else
    *checkpoint = c;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CheckpointClose(Checkpoint **checkpoint)
{
  PetscFunctionBeginUser;
  if (*checkpoint == NULL) PetscFunctionReturn(PETSC_SUCCESS);
  if ((*checkpoint)->file >= 0) H5Fclose((*checkpoint)->file);
  PetscCall(PetscFree(*checkpoint));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The names of the complete checkpoints in folder, newest first, on all ranks. */
enum { CANDIDATES = 8, NAME_LENGTH = 64 };

static int is_step(const struct dirent *entry)
{
  int end = 0;
  long long step = 0;
  return sscanf(entry->d_name, "step_%lld.h5%n", &step, &end) == 1 && end > 0 &&
         entry->d_name[end] == '\0' && end < NAME_LENGTH;
}

static PetscErrorCode list_newest(MPI_Comm comm, const char *folder,
                                  char names[CANDIDATES][NAME_LENGTH], int *n)
{
  PetscFunctionBeginUser;
  int rank = 0;
  PetscCallMPI(MPI_Comm_rank(comm, &rank));
  *n = 0;
  memset(names, 0, CANDIDATES * NAME_LENGTH);
  if (rank == 0) {
    struct dirent **entries = NULL;
    const int found = scandir(folder, &entries, is_step, alphasort);
    for (int i = found - 1; i >= 0; i--) {
      if (*n < CANDIDATES) snprintf(names[(*n)++], NAME_LENGTH, "%.63s", entries[i]->d_name);
      free(entries[i]);
    }
    free(entries);
  }
  PetscCallMPI(MPI_Bcast(n, 1, MPI_INT, 0, comm));
  PetscCallMPI(MPI_Bcast(names, CANDIDATES * NAME_LENGTH, MPI_CHAR, 0, comm));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CheckpointOpenNewest(MPI_Comm comm, const char *folder, Checkpoint **checkpoint)
{
  PetscFunctionBeginUser;
  char names[CANDIDATES][NAME_LENGTH], path[PETSC_MAX_PATH_LEN], problem[320];
  int n = 0;
  PetscCall(list_newest(comm, folder, names, &n));
  *checkpoint = NULL;
  for (int i = 0; i < n && *checkpoint == NULL; i++) {
    PetscCall(FileJoin(folder, names[i], path, sizeof path));
    PetscCall(CheckpointOpen(comm, path, checkpoint, problem, sizeof problem));
    if (*checkpoint == NULL)
      PetscCall(
          PetscFPrintf(comm, stderr, "carom: %s: damaged (%s), passed over\n", path, problem));
  }
  PetscCheck(*checkpoint != NULL, comm, CAROM_ERR_FILE, "%s: no valid checkpoint", folder);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CheckpointDescribe(Checkpoint *c, FILE *out)
{
  PetscFunctionBeginUser;
  static const char *const words[] = {"double", "int64", "text"};
  char name[256];
  PetscCall(PetscFPrintf(c->comm, out, "%s: checkpoint, checksums hold\n", c->path));
  for (hsize_t k = 0; name_at(c, k, name, sizeof name); k++) {
    const hid_t set = open_set(c, name);
    PetscCall(PetscFPrintf(c->comm, out, "  %-24s %-7s %12lld\n", name, words[set_type(set)],
                           (long long)set_total(set)));
    H5Dclose(set);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}
