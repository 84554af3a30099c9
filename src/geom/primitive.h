/*
 * Spheres, boxes, cylinders, capsules and cones as closed triangulated surfaces.
 *
 * Vertices lie on the exact shape and corner normals are exact. The mass properties are those
 * of the solid primitive itself, not of its triangles.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "geom/shape_spec.h"
#include "geom/surface.h"

/* Is the shape one of the primitives (not a file, not none)? */
bool shape_is_primitive(ShapeKind kind);

/* The surface of a primitive in shape coordinates. The spec has been checked. */
PetscErrorCode PrimitiveCreate(const ShapeSpec *spec, Surface **surface);

/* Exact volume, mass centre and inertia (density one) of the solid primitive, shape axes. */
MassProperties primitive_mass_properties(const ShapeSpec *spec);
