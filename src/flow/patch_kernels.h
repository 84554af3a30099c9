/*
 * The right-hand side of the equations of flow on one patch of n^3 cubic cells.
 *
 * A patch and the cells of its neighbours next to its faces are first put together in a scratch
 * block that stays in the cache (patch_take_*), as primitive variables and speed of sound. Then
 * patch_rhs takes the differences of fluxes in all three directions, and patch_update forms the
 * next stage. Only faces are needed, no edges or corners.
 *
 *   core    [field][z][y][x], z and y with ghosts; rows along x are padded to whole vectors
 *   x_side  [field][z][layer][y] at the lower and upper end in x: already turned, because the
 *           sweep along x works on vectors along y
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum {
  PATCH_VARIABLES = 5, /* density, momentum, energy per volume; or rho, u, v, w, p */
  PATCH_FIELDS = 6,    /* rho, u, v, w, p, c */
  PATCH_GHOST = 3,
  PATCH_LARGEST = 128 /* cells along an edge */
};

/* The usual PatchScheme.smooth: ten times what the vortex shows at four cells per radius. */
#define PATCH_SMOOTH 2e-3

/* Which faces are rough is found anew, found and kept, or as it was kept: a solver that iterates
 * needs equations that do not switch. */
typedef enum { PATCH_FRESH, PATCH_KEEP, PATCH_HELD } PatchHold;

typedef struct {
  int order; /* 2 or 5 */
  double gamma;
  double smooth;     /* relative jump between the two sides of a face up to which order 5 is
                        linear; negative: WENO everywhere */
  double time_ratio; /* time step over spacing, for the positivity of order 5; 0: not asked for */
  PatchHold hold;
  uint8_t *rough; /* patch_rough_size bytes where faces are kept; NULL with PATCH_FRESH */
} PatchScheme;

typedef struct {
  int64_t rough;    /* faces at which order 5 is not linear */
  int64_t fallback; /* faces reduced to first order to keep density and pressure positive */
} PatchCounts;

typedef struct {
  int n;                  /* cells along an edge */
  int row;                /* n rounded up to whole vectors */
  ptrdiff_t plane, field; /* doubles from z to z, and from field to field of core */
  ptrdiff_t x_field;      /* from field to field of x_side */
  double *core;
  double *x_side[2];
  double *difference; /* [variable][z][y][row]: sum over directions of upper less lower flux */
  double *turned;     /* scratch of the sweep along x */
  void *column;       /* scratch of a column */
  double *friction;   /* scratch of friction */
} PatchBlock;

/* Doubles a block needs. */
size_t patch_block_size(int n);

/* Bytes for which faces of a patch are rough. */
size_t patch_rough_size(int n);

/* Lay a block of edge n out in memory for patch_block_size(n) doubles, aligned to 64 bytes. */
PatchBlock patch_block_in(double *memory, int n);

/* Take the n^3 cells [variable][z][y][x] of the patch itself, conservative variables. */
void patch_take_core(const PatchBlock *block, double gamma, const double *restrict u);

/* Take the cells next to `side` (0 to 5: xmin, xmax, ymin...) from the neighbour's own array. */
void patch_take_neighbour(const PatchBlock *block, double gamma, int side,
                          const double *restrict u);

/*
 * Take the cells next to a side from a packed border of primitive variables
 * [variable][layer][b][a]: layer 0 touches the face, a is x or else y, b is z or else y.
 */
void patch_take_border(const PatchBlock *block, double gamma, int side,
                       const double *restrict border);

/*
 * Sum of the differences of the fluxes into block->difference. face_flux[side], where not NULL,
 * receives the flux through that side [variable][b][a], positive along the axis.
 */
PatchCounts patch_rhs(const PatchBlock *block, const PatchScheme *scheme,
                      double *const face_flux[6]);

/* Viscosity at T = 1, Sutherland's constant over the unit of temperature (NaN: the viscosity does
 * not change), 1 / (Prandtl number (gamma - 1)), and the width of a cell. T = c^2. */
typedef struct {
  double viscosity, sutherland, heat, spacing;
} PatchFriction;

/* Take friction and conduction off the differences, and off the fluxes through sides, after
 * patch_rhs. */
void patch_add_friction(const PatchBlock *block, const PatchFriction *friction,
                        double *const face_flux[6]);

/* Doubles of scratch that needs. */
size_t patch_friction_size(int n);

/* The largest diffusivity of momentum or heat in cells of STATE_FIELD (NULL: all are). */
double patch_diffusivity(int n, double gamma, const PatchFriction *friction,
                         const double *restrict u, const uint8_t *restrict state);

/* out = (1 - b) u0 + b (u - ratio difference), all [variable][z][y][x]. */
void patch_update(const PatchBlock *block, double b, double ratio, const double *restrict u0,
                  const double *restrict u, double *restrict out);

/* rate = -difference / h, [variable][z][y][x]. */
void patch_rate(const PatchBlock *block, double h, double *restrict rate);

/* What a pass over the cells of a patch finds; cells that are not STATE_FIELD are left out. */
typedef struct {
  double speed; /* largest sum over the axes of |velocity| + speed of sound */
  double rho_min, rho_max, p_min, p_max;
} PatchSurvey;

/* state may be NULL: all cells are field. */
PatchSurvey patch_survey(int n, double gamma, const double *restrict u,
                         const uint8_t *restrict state);

/* How many cells lack density or inner energy, or are not numbers. */
int patch_unsound(int n, const double *restrict u, const uint8_t *restrict state);

/* Sums of the variables over the cells of STATE_FIELD. */
void patch_sums(int n, const double *restrict u, const uint8_t *restrict state,
                double sum[PATCH_VARIABLES]);
