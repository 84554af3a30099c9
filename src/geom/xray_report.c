/*
 * The words for what an x-ray holds.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "geom/xray_impl.h"

static void describe_rays(const XRayHeader *head, FILE *to)
{
  for (int axis = 0; axis < 3; axis++) {
    const Lattice *l = &head->lattice[axis];
    fprintf(to, "rays along %c     %d x %d, spacing %.6g, %d crossings\n", 'x' + axis, l->n_u,
            l->n_v, l->spacing, l->n_crossings);
  }
  const Lattice *columns = &head->lattice[head->column_axis];
  fprintf(to, "columns          %lld along %c, %llu slabs\n",
          (long long)columns->n_u * columns->n_v, 'x' + head->column_axis,
          (unsigned long long)head->span[SECTION_SLAB].count - 1);
}

static void describe_voxels(const XRay *xray, FILE *to)
{
  const VoxelGrid *g = &xray->head->voxel;
  const int n = xray_count(xray, SECTION_VOXEL_START) - 1;
  int used = 0;
  for (int v = 0; v < n; v++) used += xray->voxel_start[v + 1] > xray->voxel_start[v];
  fprintf(to, "voxels           %d x %d x %d of size %.6g, %d with %d entries\n", g->n[0], g->n[1],
          g->n[2], g->size, used, xray_count(xray, SECTION_VOXEL_ENTRY));
  fprintf(to, "coarse grid      %d x %d x %d\n", g->n[0] / g->coarse, g->n[1] / g->coarse,
          g->n[2] / g->coarse);
}

void xray_describe(const XRay *xray, FILE *to)
{
  const XRayHeader *head = xray->head;
  const Box b = head->box;
  fprintf(to, "surface hash     %016llx\n", (unsigned long long)head->surface_hash);
  fprintf(to, "triangles        %d (%d vertices, %d edges)\n", xray_n_triangles(xray),
          xray_n_vertices(xray), xray_n_edges(xray));
  fprintf(to, "box              %.9g %.9g %.9g to %.9g %.9g %.9g\n", b.lo.x, b.lo.y, b.lo.z, b.hi.x,
          b.hi.y, b.hi.z);
  fprintf(to, "mean edge        %.6g\n", head->mean_edge);
  describe_rays(head, to);
  describe_voxels(xray, to);
  fprintf(to, "reach            %.6g\n", head->reach);
  fprintf(to, "patch error      %.3g\n", head->geometry_error);
  fprintf(to, "overlapping      %s\n", head->overlapping ? "yes" : "no");
  fprintf(to, "memory           %.1f MB\n", 1e-6 * (double)head->bytes);
  fprintf(to, "whole            yes, version %u\n", head->version);
}
