/*
 * Borders between patches on different ranks or levels, and at the sides of the domain.
 *
 * A slab holds primitive variables next to a side of a patch, [variable][layer][b][a]: layer 0
 * touches the side, a is the first and b the second of the two other axes. Borders are slabs of
 * PATCH_GHOST layers on the far side of a face. Values are points, so interpolation is in
 * primitive variables; where a shock makes it lose its way, the nearest value is taken.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "flow/patch_kernels.h"

enum {
  BORDER_REACH = 7,    /* layers of fine cells that three coarse ones need */
  BORDER_POINTS = 5,   /* of an interpolation along one axis */
  BORDER_SMALLEST = 6, /* edge of a patch that has as many layers */
};

/* Doubles in a slab of so many layers. */
static inline size_t slab_size(int n, int layers)
{
  return (size_t)PATCH_VARIABLES * layers * n * n;
}

/* The outermost `layers` layers at a side of a patch of conservative variables. */
void slab_take(int n, double gamma, int side, int layers, const double *restrict u,
               double *restrict slab);

/*
 * From a coarse slab of PATCH_GHOST layers to the places of the cells of the finer patch that
 * meets quarter `part` of it; still layers of coarse cells. work holds as much as the slab.
 */
void border_to_fine(int n, int part, const double *restrict slab, double *restrict work,
                    double *restrict border);

/* From a fine slab of BORDER_REACH layers to a quarter of a border of coarse cells. */
void border_to_coarse(int n, const double *restrict slab, double *restrict work,
                      double *restrict quarter);

/* A border of fine cells from what border_to_fine made and the patch's own slab of two layers. */
void border_from_coarse(int n, const double *restrict coarse, const double *restrict own,
                        double *restrict border);

/* A border from the four quarters that finer neighbours made. */
void border_from_fine(int n, const double *const quarter[4], double *restrict border);

/* Borders at sides of the domain from the patch's own slab of PATCH_GHOST layers. */
void border_mirror(int n, int side, const double *restrict own, double *restrict border);
void border_repeat(int n, const double *restrict own, double *restrict border);
void border_set(int n, const double state[PATCH_VARIABLES], double *restrict border);

/* Far away: Riemann invariants from within and from the free stream, by the way they travel. */
void border_farfield(int n, double gamma, int side, const double state[PATCH_VARIABLES],
                     const double *restrict own, double *restrict border);

/* Mean of each four fluxes [variable][b][a] through a fine side: a quarter of the coarse one. */
void flux_quarter(int n, const double *restrict flux, double *restrict quarter);

/* No flux comes from a fine patch that is not computed. */
void flux_quarter_none(int n, double *restrict quarter);

/*
 * Put the finer neighbours' fluxes in place of the patch's own at a side: out is the next stage,
 * made with `factor` = b times ratio of patch_update. Cells that are not STATE_FIELD (state NULL:
 * all are), and those whose finer neighbours are not computed, stay as they are.
 */
void flux_match(int n, int side, double factor, const double *restrict own,
                const double *const quarter[4], const uint8_t *restrict state,
                double *restrict out);
