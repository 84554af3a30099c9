/*
 * Who is whose neighbour on a surface: edges, creases, pseudo-normals and the control points of
 * the curved patches.
 *
 * Pseudo-normals: Baerentzen and Aanaes, Signed distance computation using the angle weighted
 * pseudonormal, 2005.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "geom/pn_patch.h"
#include "geom/surface.h"
#include "geom/xray_records.h"

typedef struct {
  int n_edges;
  SurfaceEdge *edge;       /* owned, n_edges, sorted by their vertices */
  Vec3 (*edge_control)[2]; /* owned, n_edges, next to vertex 0 and next to vertex 1 */
  Vec3 *edge_normal;       /* owned, n_edges, pseudo-normals, not unit */
  TriangleLinks *triangle; /* owned, n_triangles */
  Vec3 *vertex_normal;     /* owned, n_vertices, pseudo-normals, not unit */
  int32_t *vertex_flags;   /* owned, n_vertices */
  double mean_edge;
  double max_bulge;
} Topology;

PetscErrorCode TopologyCreate(const Surface *surface, Topology **topology);
PetscErrorCode TopologyDestroy(Topology **topology);

/* Estimated largest distance between the patches and the smooth surface they stand for. */
double topology_geometry_error(const Surface *surface, const Topology *topology);

/* The patch over a triangle from arrays in the layout above. */
PnPatch topology_patch(const Corners *corners, const Vec3 normal[3], const TriangleLinks *links,
                       const Vec3 (*edge_control)[2]);
