/*
 * Steps of the creation of an x-ray; each needs those before it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "geom/xray_impl.h"
#include "geom/xray_raster_kernels.h"

/* An x-ray in the making: sections in memory of their own, gathered into the block at the end. */
typedef struct {
  XRayHeader head;
  void *section[SECTION_COUNT]; /* owned, PetscMalloc */
  float *coarse_most;           /* owned: upper bounds where the section has lower ones */
} XRayDraft;

/* Hand over a section of n records. */
static inline void draft_take(XRayDraft *draft, int section, void *records, size_t n)
{
  draft->section[section] = records;
  draft->head.span[section].count = n;
}

/* A draft with the surface, its topology, the tree and the layout of lattices and voxels. */
PetscErrorCode XRayDraftCreate(const Surface *surface, XRaySpec spec, XRayDraft **draft);
PetscErrorCode XRayDraftDestroy(XRayDraft **draft);

/* The axis along which columns leave the least volume to their slabs. */
int column_axis_best(const Surface *surface);

/* A lattice as the raster kernels see it. */
RasterLattice raster_lattice(const XRayHeader *head, int axis);

/* Crossings of the rays; needs the corners and the lattices in the header. */
PetscErrorCode XRayDraftRays(int n_triangles, XRayDraft *draft);

/* Slabs; needs the rays. */
PetscErrorCode XRayDraftColumns(int n_triangles, XRayDraft *draft);

/* Voxel lists and coarse distances; needs the voxel grid in the header and the columns. */
PetscErrorCode XRayDraftVoxels(int n_triangles, XRayDraft *draft);

/* Gather the sections into one block. Before it is sealed, finish() may change the coarse
 * distances. */
PetscErrorCode XRayAssemble(XRayDraft *draft,
                            void (*finish)(XRay *, const XRayDraft *draft, float *coarse),
                            XRay **xray);
