/*
 * Do these triangles bound a solid, and if not, what is wrong and where?
 *
 * Vertices closer than a tolerance become one, triangles without area and pairs that face
 * each other leave, and whatever is turned inside out as a whole is turned back. What cannot
 * be mended without guessing is named with its place. Shells that cut each other are trimmed:
 * what lies inside another is no part of the surface.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "geom/surface.h"
#include "geom/triangles.h"

#include <stdio.h>

/* Vertices are welded within this part of the longest edge of the box. */
#define SURFACE_WELD_TOLERANCE 1e-6

/* Coordinates beyond this are taken for garbage: their moments would not be finite. */
#define SURFACE_MOST_COORDINATE 1e50

/* How often something was found, and the place of the first. */
typedef struct {
  int n;
  Vec3 at;
} Finding;

typedef struct {
  int n_given;          /* triangles of the file */
  double tolerance;     /* of welding, a length */
  int n_welded;         /* vertices that became part of another */
  int n_not_finite;     /* triangles with a coordinate that is not finite, or absurd */
  int first_not_finite; /* the first of them, from 0 */
  Finding dropped;      /* triangles without area, gone */
  Finding flat;         /* triangles without area that could not go without a hole */
  Finding paired;       /* pairs of triangles back to back, gone */
  Finding open;         /* defect: edges of one triangle only */
  Finding twisted;      /* defect: edges whose two triangles run the same way */
  Finding unbalanced;   /* defect: edges of more triangles that do not balance */
  int n_shells;         /* closed pieces that are left; 0 with a defect or nothing left */
  int n_cavities;       /* of them, holes in the solid */
  Finding inverted;     /* shells that were inside out, turned */
  bool inverted_whole;  /* all of them were */
  Finding buried;       /* shells inside the solid, gone */
  Finding overlap;      /* pairs of shells that cut each other */
  bool trimmed;         /* they are trimmed to their union; else mass has to be given */
  double area, longest_edge, shortest_edge;
} SurfaceReport;

/*
 * Check and clean the triangles. tolerance is a length, NaN for the usual one. *surface is NULL
 * when nothing is left or a coordinate is not finite; with other defects it is there, for
 * those who only look. Never fails for what is in the triangles.
 */
PetscErrorCode SurfaceCheck(const Triangles *triangles, double tolerance, SurfaceReport *report,
                            Surface **surface);

/* Does a closed, well oriented surface come out of it? */
bool surface_report_is_sound(const SurfaceReport *report);

/* May mass, centre and inertia be computed from the surface? */
bool surface_report_has_mass(const SurfaceReport *report);

/* The first defect in words, with its place; empty when there is none. */
void surface_report_defect(const SurfaceReport *report, char text[], size_t room);

/* Print what `carom info` says about a surface; surface may be NULL. */
void surface_describe(const Surface *surface, const SurfaceReport *report, FILE *to);
