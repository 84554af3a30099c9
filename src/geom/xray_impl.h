/*
 * Inside an x-ray: one block of bytes with a header and sections of records.
 *
 * The block holds no pointers, so it may lie in memory shared by processes or come from a file.
 * An XRay is a small handle of one process with the addresses of the sections in the block.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "geom/sphere_tree.h"
#include "geom/topology.h"
#include "geom/xray.h"
#include "geom/xray_records.h"

typedef enum {
  SECTION_VERTEX,
  SECTION_CORNERS,
  SECTION_NORMAL,
  SECTION_LINKS,
  SECTION_EDGE,
  SECTION_EDGE_CONTROL,
  SECTION_EDGE_NORMAL,
  SECTION_VERTEX_NORMAL,
  SECTION_VERTEX_FLAGS,
  SECTION_RAY_START,                        /* one per axis */
  SECTION_CROSSING = SECTION_RAY_START + 3, /* one per axis */
  SECTION_COLUMN_START = SECTION_CROSSING + 3,
  SECTION_SLAB,
  SECTION_COLUMN_TRIANGLE,
  SECTION_BOUND,
  SECTION_VOXEL_START,
  SECTION_VOXEL_ENTRY,
  SECTION_VOXEL_SLOPE,
  SECTION_COARSE,
  SECTION_TREE_NODE,
  SECTION_TREE_TRIANGLE,
  SECTION_COUNT
} XRaySection;

typedef struct {
  uint64_t offset, count;
} XRaySpan;

/* Cubes of edge `size` over the box of the surface grown by the reach, x fastest. */
typedef struct {
  Vec3 origin;
  double size;
  int32_t n[3];
  int32_t coarse; /* voxels along an edge of a cell of the coarse distance grid */
} VoxelGrid;

typedef struct {
  char magic[8];
  uint32_t version, n_sections;
  uint64_t bytes, checksum, surface_hash;
  Box box;
  double size;    /* longest edge of the box */
  double spacing; /* of the rays */
  double reach;   /* the voxel lists answer for every point this near */
  double mean_edge, max_bulge, geometry_error;
  double bin_width; /* voxel lists are sorted by distance but for this much */
  int32_t column_axis;
  int32_t overlapping; /* some ray met a winding number other than 0 and 1 */
  Lattice lattice[3];
  VoxelGrid voxel;
  XRaySpan span[SECTION_COUNT];
} XRayHeader;

struct XRay {
  const XRayHeader *head; /* the block */
  void *owned;            /* the block if it is ours to free, else NULL */
  const Vec3 *vertex;
  const Corners *corners;
  const Vec3 (*normal)[3];
  const TriangleLinks *links;
  const SurfaceEdge *edge;
  const Vec3 (*edge_control)[2];
  const Vec3 *edge_normal;
  const Vec3 *vertex_normal;
  const int32_t *vertex_flags;
  const int32_t *ray_start[3];
  const RayCrossing *crossing[3];
  const int32_t *column_start;
  const Slab *slab; /* one more than there are, as the end of the last */
  const int32_t *column_triangle;
  const BoundSphere *bound;
  const int32_t *voxel_start;
  const VoxelEntry *voxel_entry;
  const int8_t *voxel_slope;
  const float *coarse;
  const SphereNode *node;
  const int32_t *node_triangle;
};

static inline int xray_count(const XRay *xray, XRaySection s)
{
  return (int)xray->head->span[s].count;
}

/* The voxel that holds p, or -1. */
static inline int xray_voxel(const XRay *xray, Vec3 p)
{
  const VoxelGrid *g = &xray->head->voxel;
  const double x = (p.x - g->origin.x) / g->size, y = (p.y - g->origin.y) / g->size;
  const double z = (p.z - g->origin.z) / g->size;
  if (!(x >= 0.0 && x < g->n[0] && y >= 0.0 && y < g->n[1] && z >= 0.0 && z < g->n[2])) return -1;
  return (int)x + g->n[0] * ((int)y + g->n[1] * (int)z);
}

/* How far p is from the middle of its voxel. */
static inline double xray_off_middle(const XRay *xray, int voxel, Vec3 p)
{
  const VoxelGrid *g = &xray->head->voxel;
  const int i = voxel % g->n[0], j = voxel / g->n[0] % g->n[1], k = voxel / g->n[0] / g->n[1];
  const Vec3 middle = {g->origin.x + g->size * (i + 0.5), g->origin.y + g->size * (j + 0.5),
                       g->origin.z + g->size * (k + 0.5)};
  return vec3_distance(p, middle) * (1.0 + 1e-12) + 1e-12 * g->size;
}

/* A lower bound of the distance from p to a flat triangle. */
static inline double bound_distance(const BoundSphere *b, Vec3 p)
{
  const double x = p.x - b->x, y = p.y - b->y, z = p.z - b->z;
  return sqrt(x * x + y * y + z * z) - b->radius;
}

/* The nearest triangle within reach, by the tree; -1: none. */
int xray_tree_nearest(const XRay *xray, Vec3 p, double reach, TriangleFoot *foot);
