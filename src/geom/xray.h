/*
 * X-ray of a closed surface: is a point inside, how far is the surface, which way is out?
 *
 * Rays stand on regular lattices along x, y and z of the body's frame and keep where they
 * pierce the surface; voxel lists keep the triangles near each place. Built once per shape,
 * read-only afterwards, shared by all bodies of that shape.
 *
 * Flat queries are exact on the triangles. The curved query follows a PN patch over each
 * smooth triangle, so that its error falls with the fourth power of the edge length.
 *
 * Method: R. L. Meakin, AIAA Paper 2001-2537; Vlachos et al., Curved PN triangles, 2001.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "geom/surface.h"

#include <stdint.h>

typedef struct {
  double spacing; /* of the rays; NaN: chosen from the surface */
  double reach;   /* how far from the surface distances are known; NaN: two edge lengths */
} XRaySpec;

typedef struct XRay XRay;

/* Build the x-ray; keeps a copy of what it needs. Fails with PETSC_ERR_USER_INPUT when a ray does
 * not balance. */
PetscErrorCode XRayCreate(const Surface *surface, XRaySpec spec, XRay **xray);
PetscErrorCode XRayDestroy(XRay **xray);

/* Is p, in the frame of the surface, inside the solid (winding number not zero)? */
bool xray_contains(const XRay *xray, Vec3 p);

typedef struct {
  bool found;      /* a surface point lies within the reach asked for */
  double distance; /* signed, negative inside */
  Vec3 point;      /* the nearest surface point */
  Vec3 normal;     /* unit, outward */
  int triangle;
} SurfaceHit;

/* Nearest point of the triangles within reach of p; exact; sign from angle-weighted pseudo-normals.
 */
SurfaceHit xray_distance(const XRay *xray, Vec3 p, double reach);

/* Nearest point of the curved surface within reach of p; normal = normalised linear corner normals.
 */
SurfaceHit xray_gap(const XRay *xray, Vec3 p, double reach);

/* A lower bound of the distance from p to the surface, negative inside; cheap, for culling; any p.
 */
double xray_distance_bound(const XRay *xray, Vec3 p);

/* Estimated largest distance between the curved patches and the shape they stand for. */
double xray_geometry_error(const XRay *xray);
