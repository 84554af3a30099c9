#include "io/surface_file.h"

#include "io/cgns_surface.h"
#include "io/file.h"
#include "io/stl.h"

static PetscErrorCode ReadStl(MPI_Comm comm, const ShapeSpec *spec, Triangles *triangles)
{
  PetscFunctionBeginUser;
  char *bytes = NULL;
  size_t n = 0;
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
