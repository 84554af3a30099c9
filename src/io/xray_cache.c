#include "io/xray_cache.h"

#include "io/file.h"

#include <math.h>

static PetscErrorCode cache_path(const char *folder, const Surface *surface, char path[],
                                 size_t size)
{
  PetscFunctionBeginUser;
  char name[32];
  const unsigned long long hash = surface_hash(surface);
  PetscCall(PetscSNPrintf(name, sizeof name, "%016llx.xray", hash));
  PetscCall(FileJoin(folder, name, path, size));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* On one rank: the x-ray from the cache, or NULL when it is not there or not sound. */
static PetscErrorCode read_cache(const char *folder, const Surface *surface, XRay **xray)
{
  PetscFunctionBeginUser;
  char path[PETSC_MAX_PATH_LEN], *bytes = NULL;
  size_t n = 0;
  bool there = false;
  *xray = NULL;
  if (folder == NULL) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(cache_path(folder, surface, path, sizeof path));
  PetscCall(FileExists(PETSC_COMM_SELF, path, &there));
  if (!there) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscPushErrorHandler(PetscReturnErrorHandler, NULL));
  const PetscErrorCode read = FileRead(PETSC_COMM_SELF, path, &bytes, &n);
  const PetscErrorCode made =
      read == PETSC_SUCCESS ? XRayFromBytes(bytes, n, surface_hash(surface), xray) : read;
  PetscCall(PetscPopErrorHandler());
  if (made != PETSC_SUCCESS) *xray = NULL;
  PetscCall(PetscFree(bytes));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode XRayObtain(MPI_Comm comm, const char *folder, const Surface *surface, XRay **xray,
                          SharedBytes **shared, bool *cached)
{
  PetscFunctionBeginUser;
  const XRaySpec spec = {NAN, NAN};
  const void *bytes = NULL;
  size_t n = 0;
  int rank = 0, found = 0;
  XRay *made = NULL;
  PetscCallMPI(MPI_Comm_rank(comm, &rank));
  if (rank == 0) {
    PetscCall(read_cache(folder, surface, &made));
    found = made != NULL;
    if (!found) PetscCall(XRayCreate(surface, spec, &made));
    PetscCall(XRayGetBytes(made, &bytes, &n));
  }
  PetscCallMPI(MPI_Bcast(&found, 1, MPI_INT, 0, comm));
  *cached = found != 0;
  PetscCall(SharedBytesCreate(comm, bytes, n, shared));
  PetscCall(XRayDestroy(&made));
  bytes = shared_bytes_get(*shared, &n);
  PetscCall(XRayBorrowBytes(bytes, n, surface_hash(surface), xray));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode XRayKeep(MPI_Comm comm, const char *folder, const Surface *surface, const XRay *xray)
{
  PetscFunctionBeginUser;
  char path[PETSC_MAX_PATH_LEN];
  const void *bytes = NULL;
  size_t n = 0;
  PetscCall(cache_path(folder, surface, path, sizeof path));
  PetscCall(XRayGetBytes(xray, &bytes, &n));
  PetscCall(PetscPushErrorHandler(PetscReturnErrorHandler, NULL));
  const PetscErrorCode made = FileMakeDirectory(comm, folder);
  if (made == PETSC_SUCCESS) (void)FileReplace(comm, path, bytes, n);
  PetscCall(PetscPopErrorHandler());
  PetscFunctionReturn(PETSC_SUCCESS);
}
