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

#include "geom/pn_patch.h"
#include "geom/sphere_tree.h"
#include "geom/surface.h"
#include "geom/xray_records.h"

#include <stdint.h>
#include <stdio.h>

typedef struct {
  double spacing; /* of the rays; NaN: chosen from the surface */
  double reach;   /* how far from the surface distances are known; NaN: two edge lengths, at most a
                    quarter of the body */
} XRaySpec;

typedef struct XRay XRay;

/* Build the x-ray; keeps a copy of what it needs. Fails with PETSC_ERR_USER_INPUT when a ray does
 * not balance. */
PetscErrorCode XRayCreate(const Surface *surface, XRaySpec spec, XRay **xray);
PetscErrorCode XRayDestroy(XRay **xray);

/* Is p, in the frame of the surface, inside the solid (winding number not zero)? Any p; false for
 * NaN. Exact to rounding: never wrong farther than 1e-12 of the body's size from the surface. */
bool xray_contains(const XRay *xray, Vec3 p);

/* The same for n points at once, faster. */
void xray_contains_many(const XRay *xray, int n, const double x[], const double y[],
                        const double z[], bool inside[]);

typedef struct {
  bool found;      /* a surface point lies within the reach asked for; else the rest is zero */
  double distance; /* signed, negative inside */
  Vec3 point;      /* the nearest surface point */
  Vec3 normal;     /* unit, outward: p - point = distance * normal, but see xray_gap */
  int triangle;
} SurfaceHit;

/* Nearest point of the triangles within reach of p; exact; sign from angle-weighted pseudo-normals.
 * Fast when the reach is not above xray_reach, right for any. */
SurfaceHit xray_distance(const XRay *xray, Vec3 p, double reach);

/*
 * Nearest point of the curved surface within reach of p. On smooth parts the normal is the
 * normalised linear corner normal, which is an order better than the direction of p - point; on
 * creases and sharp vertices it is that direction.
 */
SurfaceHit xray_gap(const XRay *xray, Vec3 p, double reach);

/*
 * Never more than the signed distance from p to the triangles or to the curved surface (negative
 * inside), for any p; less than it by no more than about three edge lengths within the box. Costs
 * one look into a coarse grid.
 */
double xray_distance_bound(const XRay *xray, Vec3 p);

/* Estimated largest distance between the curved patches and the smooth shape they stand for; zero
 * for polyhedra. */
double xray_geometry_error(const XRay *xray);

/* What the x-ray knows of its surface. */
Box xray_box(const XRay *xray);
double xray_reach(const XRay *xray);     /* up to which distances come from the voxel lists */
double xray_mean_edge(const XRay *xray); /* length of the edges */
double xray_max_bulge(const XRay *xray); /* no patch leaves its flat triangle farther */
int xray_n_triangles(const XRay *xray);
int xray_n_edges(const XRay *xray);
int xray_n_vertices(const XRay *xray);
const Corners *xray_triangle(const XRay *xray, int triangle);
const TriangleLinks *xray_triangle_links(const XRay *xray, int triangle);
bool xray_triangle_is_flat(const XRay *xray, int triangle);
const SurfaceEdge *xray_edge(const XRay *xray, int edge);

/* A vertex and its VERTEX_ flags; flags may be NULL. */
Vec3 xray_vertex(const XRay *xray, int vertex, int *flags);

/* The outward pseudo-normal of an edge or vertex of the flat surface, unit. */
Vec3 xray_edge_normal(const XRay *xray, int edge);
Vec3 xray_vertex_normal(const XRay *xray, int vertex);

/* The unit normals of the smooth surface at the three corners of a triangle. */
const Vec3 *xray_corner_normals(const XRay *xray, int triangle);

/* The curved patch over a triangle, and its point at the weights (1 - u - v, u, v) with the
 * unit normal that xray_gap gives there (may be NULL). */
PnPatch xray_patch(const XRay *xray, int triangle);
Vec3 xray_patch_point(const XRay *xray, int triangle, double u, double v, Vec3 *normal);

/* Spheres around the curved surface, borrowed from the x-ray. */
SphereTreeView xray_sphere_tree(const XRay *xray);

/* The rays along axis 0, 1 or 2 and the crossings of one of them, lowest first. */
const Lattice *xray_lattice(const XRay *xray, int axis);
const RayCrossing *xray_ray(const XRay *xray, int axis, int ray, int *n);

/* A number that tells surfaces apart: vertices, triangles and normals. */
uint64_t surface_hash(const Surface *surface);

/*
 * The whole x-ray as bytes without pointers, borrowed: to write to a file or to copy into memory
 * shared between processes. Only for machines of one byte order and one version of this program.
 */
PetscErrorCode XRayGetBytes(const XRay *xray, const void **bytes, size_t *n);

/*
 * An x-ray from such bytes, copied or borrowed (then they must stay as they are and outlive it,
 * and start at a multiple of 8). Fails with CAROM_ERR_FILE when they are damaged, of another
 * version, or of a surface with another hash.
 */
PetscErrorCode XRayFromBytes(const void *bytes, size_t n, uint64_t surface_hash, XRay **xray);
PetscErrorCode XRayBorrowBytes(const void *bytes, size_t n, uint64_t surface_hash, XRay **xray);

/* Do the bytes begin like an x-ray, and of which surface? They may still be damaged. */
bool xray_bytes_hash(const void *bytes, size_t n, uint64_t *surface_hash);

/* Print what `carom info` says about an x-ray. */
void xray_describe(const XRay *xray, FILE *to);
