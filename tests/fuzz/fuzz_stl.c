/*
 * Any bytes as STL: read, checked, thrown away; nothing may go wrong but an error code.
 *
 * Build with clang -fsanitize=fuzzer,address,undefined and link the library.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "geom/surface_check.h"
#include "io/stl.h"

#include <stdint.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
  (void)argc, (void)argv;
  PetscCall(PetscInitializeNoArguments());
  PetscCall(PetscPushErrorHandler(PetscReturnErrorHandler, NULL));
  return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
  Triangles triangles = {0};
  if (StlParse(PETSC_COMM_SELF, "x.stl", (const char *)bytes, n, 1.0, &triangles) != 0) return 0;
  SurfaceReport report;
  Surface *surface = NULL;
  PetscCall(SurfaceCheck(&triangles, NAN, &report, &surface));
  PetscCall(SurfaceDestroy(&surface));
  PetscCall(TrianglesDestroy(&triangles));
  return 0;
}
