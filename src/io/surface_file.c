#include "io/surface_file.h"

#include "io/cgns_surface.h"
#include "io/file.h"
#include "io/stl.h"

#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* Above this many bytes the user is told before they are taken. */
#define MUCH_MEMORY 1e9

/* Number of triangles of a binary STL file by its header and length; 0 when it is none. */
static double binary_count(const char *path)
{
  unsigned char head[STL_HEADER];
  struct stat facts;
  FILE *in = fopen(path, "rb");
  if (in == NULL) return 0.0;
  const bool whole =
      fread(head, 1, sizeof head, in) == sizeof head && fstat(fileno(in), &facts) == 0;
  fclose(in);
  if (!whole || !S_ISREG(facts.st_mode)) return 0.0;
  const uint32_t n = (uint32_t)head[80] | (uint32_t)head[81] << 8 | (uint32_t)head[82] << 16 |
                     (uint32_t)head[83] << 24;
  return (double)facts.st_size == STL_HEADER + STL_RECORD * (double)n ? (double)n : 0.0;
}

/* Refuse files that do not fit before anything of them is read, and announce large ones. */
static PetscErrorCode CheckMemory(MPI_Comm comm, const char *path)
{
  PetscFunctionBeginUser;
  int rank = 0;
  double n = 0.0;
  PetscCallMPI(MPI_Comm_rank(comm, &rank));
  if (rank == 0) n = binary_count(path);
  PetscCallMPI(MPI_Bcast(&n, 1, MPI_DOUBLE, 0, comm));
  PetscCall(StlCheckCount(comm, path, n));
  const double bytes = n * STL_BYTES_PER_TRIANGLE;
  double most = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
  PetscCallMPI(MPI_Bcast(&most, 1, MPI_DOUBLE, 0, comm));
  PetscCheck(bytes < most, comm, PETSC_ERR_USER_INPUT,
             "%s: %.0f triangles take %.0f MB, this machine has %.0f MB", path, n, 1e-6 * bytes,
             1e-6 * most);
  if (bytes > MUCH_MEMORY)
    PetscCall(PetscFPrintf(comm, stderr, "carom: %s: %.0f triangles, takes %.0f MB\n", path, n,
                           1e-6 * bytes));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ReadStl(MPI_Comm comm, const ShapeSpec *spec, Triangles *triangles)
{
  PetscFunctionBeginUser;
  char *bytes = NULL;
  size_t n = 0;
  PetscCall(CheckMemory(comm, spec->file));
  PetscCall(FileRead(comm, spec->file, &bytes, &n));
  const PetscErrorCode code = StlParse(comm, spec->file, bytes, n, spec->scale, triangles);
  PetscCall(PetscFree(bytes));
  PetscCall(code);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SurfaceRead(MPI_Comm comm, const ShapeSpec *spec, SurfaceReport *report,
                           Surface **surface)
{
  PetscFunctionBeginUser;
  PetscCheck(spec->kind == SHAPE_STL || spec->kind == SHAPE_CGNS, comm, PETSC_ERR_ARG_OUTOFRANGE,
             "shape kind %d has no file", (int)spec->kind);
  Triangles triangles = {0};
  if (spec->kind == SHAPE_STL)
    PetscCall(ReadStl(comm, spec, &triangles));
  else
    PetscCall(CgnsSurfaceRead(comm, spec->file, &spec->families, spec->scale, &triangles));
  PetscCall(SurfaceCheck(&triangles, NAN, report, surface));
  PetscCall(TrianglesDestroy(&triangles));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SurfaceRequireSound(MPI_Comm comm, const char *name, const SurfaceReport *report)
{
  PetscFunctionBeginUser;
  char defect[256];
  surface_report_defect(report, defect, sizeof defect);
  PetscCheck(surface_report_is_sound(report), comm, PETSC_ERR_USER_INPUT, "%s: %s", name, defect);
  PetscFunctionReturn(PETSC_SUCCESS);
}
