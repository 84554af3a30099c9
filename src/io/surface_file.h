/*
 * Surfaces from files, checked. SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "geom/shape_spec.h"
#include "geom/surface_check.h"

/*
 * Read the file of an stl or cgns shape and check what is in it. Collective; the surface is the
 * same on all ranks. Fails for files that cannot be read; what is wrong with the triangles
 * stands in the report, and *surface may be NULL then: see SurfaceRequireSound.
 */
PetscErrorCode SurfaceRead(MPI_Comm comm, const ShapeSpec *spec, SurfaceReport *report,
                           Surface **surface);

/*
 * Fail with PETSC_ERR_USER_INPUT, naming the file and the first defect, unless the surface is
 * sound. All ranks of comm hold the same report.
 */
PetscErrorCode SurfaceRequireSound(MPI_Comm comm, const char *name, const SurfaceReport *report);
