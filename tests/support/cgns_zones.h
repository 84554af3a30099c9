/*
 * Small CGNS files for tests, written by one rank.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/vec3.h"

#include <cgnslib.h>

/* Stop at once if the library refuses: a test file that cannot be made is a broken test. */
#define CgnsMust(call)                                                    \
  do {                                                                    \
    if ((call) != CG_OK) {                                                \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cg_get_error()); \
      MPI_Abort(MPI_COMM_WORLD, 1);                                       \
    }                                                                     \
  } while (0)

/* A file with one base of the given dimensions; returns its number. */
static inline int zones_start(const char *path, int cell_dim, int physical_dim)
{
  int f = 0, b = 0;
  CgnsMust(cg_set_file_type(CG_FILE_HDF5));
  CgnsMust(cg_open(path, CG_MODE_WRITE, &f));
  CgnsMust(cg_base_write(f, "base", cell_dim, physical_dim, &b));
  return f;
}

static inline void zones_coordinates(int f, int z, int n, const Vec3 at[])
{
  const char *const names[3] = {"CoordinateX", "CoordinateY", "CoordinateZ"};
  double *x = (double *)malloc((size_t)n * sizeof *x);
  for (int d = 0; d < 3; d++) {
    int id = 0;
    for (int v = 0; v < n; v++) x[v] = vec3_at(at[v], d);
    CgnsMust(cg_coord_write(f, 1, z, CGNS_ENUMV(RealDouble), names[d], x, &id));
  }
  free(x);
}

/* A structured zone whose vertex (i, j, k) stands at place(i, j, k), counted from zero. */
static inline int zones_block(int f, const char *name, const int n[3], Vec3 (*place)(int, int, int))
{
  const cgsize_t size[9] = {n[0], n[1], n[2], n[0] - 1, n[1] - 1, n[2] - 1, 0, 0, 0};
  int z = 0, v = 0;
  Vec3 *at = (Vec3 *)malloc((size_t)n[0] * n[1] * n[2] * sizeof *at);
  CgnsMust(cg_zone_write(f, 1, name, size, CGNS_ENUMV(Structured), &z));
  for (int k = 0; k < n[2]; k++)
    for (int j = 0; j < n[1]; j++)
      for (int i = 0; i < n[0]; i++) at[v++] = place(i, j, k);
  zones_coordinates(f, z, v, at);
  free(at);
  return z;
}

static inline int zones_unstructured(int f, const char *name, int n, const Vec3 at[], int n_cells)
{
  const cgsize_t size[3] = {n, n_cells, 0};
  int z = 0;
  CgnsMust(cg_zone_write(f, 1, name, size, CGNS_ENUMV(Unstructured), &z));
  zones_coordinates(f, z, n, at);
  return z;
}

/* A boundary condition; with a family if that is not NULL. Returns its number. */
static inline int zones_boundary(int f, int z, const char *name, const char *family,
                                 CGNS_ENUMT(PointSetType_t) set, CGNS_ENUMT(GridLocation_t) place,
                                 int n, const cgsize_t point[])
{
  int bc = 0;
  CgnsMust(cg_boco_write(f, 1, z, name, CGNS_ENUMV(BCWall), set, n, point, &bc));
  if (place != CGNS_ENUMV(Vertex)) CgnsMust(cg_boco_gridlocation_write(f, 1, z, bc, place));
  if (family != NULL) {
    CgnsMust(cg_goto(f, 1, "Zone_t", z, "ZoneBC_t", 1, "BC_t", bc, "end"));
    CgnsMust(cg_famname_write(family));
  }
  return bc;
}

static inline void zones_section(int f, int z, const char *name, CGNS_ENUMT(ElementType_t) type,
                                 int first, int last, const cgsize_t data[])
{
  int s = 0;
  CgnsMust(cg_section_write(f, 1, z, name, type, first, last, 0, data, &s));
}
