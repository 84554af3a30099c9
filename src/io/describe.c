#include "io/describe.h"

#include "geom/xray.h"
#include "io/checkpoint.h"
#include "io/file.h"
#include "io/grid_file.h"
#include "io/surface_file.h"

#include <math.h>
#include <string.h>

static PetscErrorCode describe_surface(MPI_Comm comm, const char *path, ShapeKind kind, FILE *out)
{
  PetscFunctionBeginUser;
  const ShapeSpec spec = {.kind = kind, .file = path, .scale = 1.0, .spacing = NAN};
  SurfaceReport report;
  Surface *surface = NULL;
  int rank = 0;
  PetscCall(SurfaceRead(comm, &spec, &report, &surface));
  PetscCallMPI(MPI_Comm_rank(comm, &rank));
  PetscCall(PetscFPrintf(comm, out, "%s: %s surface\n", path, kind == SHAPE_STL ? "STL" : "CGNS"));
  if (rank == 0) surface_describe(surface, &report, out);
  PetscCall(SurfaceDestroy(&surface));
  PetscCall(SurfaceRequireSound(comm, path, &report));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode describe_cgns(MPI_Comm comm, const char *path, FILE *out)
{
  PetscFunctionBeginUser;
  bool volume = false;
  PetscCall(GridFileHasVolume(comm, path, &volume));
  if (volume)
    PetscCall(GridFileDescribe(comm, path, out));
  else
    PetscCall(describe_surface(comm, path, SHAPE_CGNS, out));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode describe_checkpoint(MPI_Comm comm, const char *path, FILE *out)
{
  PetscFunctionBeginUser;
  Checkpoint *file = NULL;
  char problem[320];
  PetscCall(CheckpointOpen(comm, path, &file, problem, sizeof problem));
  PetscCheck(file != NULL, comm, CAROM_ERR_FILE, "%s: damaged checkpoint: %s", path, problem);
  PetscCall(CheckpointDescribe(file, out));
  PetscCall(CheckpointClose(&file));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What is wrong with a cache is told with its name; a run would make it anew. */
static PetscErrorCode describe_xray(MPI_Comm comm, const char *path, const char *bytes, size_t n,
                                    uint64_t hash, FILE *out)
{
  PetscFunctionBeginUser;
  XRay *xray = NULL;
  int rank = 0;
  PetscCall(PetscPushErrorHandler(PetscReturnErrorHandler, NULL));
  const PetscErrorCode made = XRayFromBytes(bytes, n, hash, &xray);
  PetscCall(PetscPopErrorHandler());
  PetscCheck(made == PETSC_SUCCESS, comm, CAROM_ERR_FILE,
             "%s: x-ray cache is damaged, cut short or of another version; the next run makes it "
             "anew",
             path);
  PetscCallMPI(MPI_Comm_rank(comm, &rank));
  PetscCall(PetscFPrintf(comm, out, "%s: x-ray cache\n", path));
  if (rank == 0) xray_describe(xray, out);
  PetscCall(XRayDestroy(&xray));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static bool ends_with(const char *text, const char *ending)
{
  const size_t n = strlen(text), m = strlen(ending);
  return n >= m && strcmp(text + n - m, ending) == 0;
}

PetscErrorCode FileDescribe(MPI_Comm comm, const char *path, FILE *out)
{
  PetscFunctionBeginUser;
  static const char hdf5[8] = {'\x89', 'H', 'D', 'F', '\r', '\n', '\x1a', '\n'};
  char *bytes = NULL;
  size_t n = 0;

  /* Grids may be larger than a rank: they are never read whole. */
  if (ends_with(path, ".cgns")) {
    PetscCall(describe_cgns(comm, path, out));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(FileRead(comm, path, &bytes, &n));
  const bool is_hdf5 = n >= sizeof hdf5 && memcmp(bytes, hdf5, sizeof hdf5) == 0;
  uint64_t hash = 0;
  if (xray_bytes_hash(bytes, n, &hash)) {
    const PetscErrorCode code = describe_xray(comm, path, bytes, n, hash, out);
    PetscCall(PetscFree(bytes));
    PetscCall(code);
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  PetscCall(PetscFree(bytes));
  if (is_hdf5)
    PetscCall(describe_checkpoint(comm, path, out));
  else
    PetscCall(describe_surface(comm, path, SHAPE_STL, out));
  PetscFunctionReturn(PETSC_SUCCESS);
}
