/*
 * Slices of the large arrays of a file, each read by one rank.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "comm/block.h"
#include "io/volume_read_impl.h"

#include <cgns_io.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void volume_problem(VolumeRead *read, const char *format, ...)
{
  if (read->problem[0] != '\0') return;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(read->problem, sizeof read->problem, format, arguments);
  va_end(arguments);
}

PetscErrorCode VolumeVerdict(VolumeRead *read)
{
  PetscFunctionBeginUser;
  int lowest = read->problem[0] != '\0' ? read->rank : read->size;
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &lowest, 1, MPI_INT, MPI_MIN, read->comm));
  if (lowest == read->size) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCallMPI(MPI_Bcast(read->problem, sizeof read->problem, MPI_CHAR, lowest, read->comm));
  SETERRQ(read->comm, CAROM_ERR_FILE, "%s: %s", read->path, read->problem);
}

/* Read entries of an array of integers of four or eight bytes; false if that fails. */
static bool read_entries(int io, double node, GlobalId first, GlobalId n, void *raw)
{
  const cgsize_t begin = (cgsize_t)first + 1, end = (cgsize_t)(first + n), one = 1;
  const cgsize_t dim = (cgsize_t)n;
  return cgio_read_data(io, node, &begin, &end, &one, 1, &dim, &one, &dim, &one, raw) ==
         CGIO_ERR_NONE;
}

PetscErrorCode VolumeIntegers(VolumeRead *read, const VolumeRun *run, const char *array,
                              GlobalId first, GlobalId n, GlobalId to[])
{
  PetscFunctionBeginUser;
  if (n <= 0 || read->problem[0] != '\0') PetscFunctionReturn(PETSC_SUCCESS);
  const VolumeZone *zone = &read->catalog->zone[run->zone];
  int io = 0, n_dims = 0;
  double root = 0.0, node = 0.0;
  char path[4 * CGNS_NAME + 32], type[CGIO_MAX_DATATYPE_LENGTH + 1] = "";
  cgsize_t dims[CGIO_MAX_DIMENSIONS] = {0};
  snprintf(path, sizeof path, "/%s/%s/%s/%s", zone->base_name, zone->name, run->name, array);
  const bool found = cg_get_cgio(read->file, &io) == CG_OK &&
                     cg_root_id(read->file, &root) == CG_OK &&
                     cgio_get_node_id(io, root, path, &node) == CGIO_ERR_NONE &&
                     cgio_get_data_type(io, node, type) == CGIO_ERR_NONE &&
                     cgio_get_dimensions(io, node, &n_dims, dims) == CGIO_ERR_NONE;
  const bool wide = strcmp(type, "I8") == 0;
  if (!found || n_dims != 1 || (!wide && strcmp(type, "I4") != 0) || first + n > dims[0]) {
    volume_problem(read, "zone %s: section %s: %s is missing, too short or no row of integers",
                   zone->name, run->name, array);
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  int32_t *narrow = NULL;
  if (!wide) PetscCall(PetscMalloc1(n, &narrow));
  if (!read_entries(io, node, first, n, wide ? (void *)to : (void *)narrow))
    volume_problem(read, "zone %s: section %s: %s cannot be read", zone->name, run->name, array);
  for (GlobalId i = 0; !wide && i < n; i++) to[i] = narrow[i];
  PetscCall(PetscFree(narrow));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The largest box of a block that begins at vertex `at` and holds no more than `left`. */
static GlobalId next_box(const VolumeZone *zone, GlobalId at, GlobalId left, cgsize_t lo[3],
                         cgsize_t hi[3])
{
  const GlobalId ni = zone->dim[0], nj = zone->dim[1];
  const GlobalId i = at % ni, j = at / ni % nj, k = at / ni / nj;
  lo[0] = (cgsize_t)i + 1;
  lo[1] = (cgsize_t)j + 1;
  lo[2] = (cgsize_t)k + 1;
  hi[0] = (cgsize_t)ni;
  hi[1] = lo[1];
  hi[2] = lo[2];
  if (i > 0 || left < ni) {
    const GlobalId n = PetscMin(left, ni - i);
    hi[0] = (cgsize_t)(i + n);
    return n;
  }
  if (j > 0 || left < ni * nj) {
    const GlobalId rows = PetscMin(left / ni, nj - j);
    hi[1] = (cgsize_t)(j + rows);
    return rows * ni;
  }
  const GlobalId planes = left / (ni * nj);
  hi[1] = (cgsize_t)nj;
  hi[2] = (cgsize_t)(k + planes);
  return planes * ni * nj;
}

/* Vertices [at, at + n) of a zone into the block of this rank. */
static PetscErrorCode ReadPiece(VolumeRead *read, const VolumeZone *zone, GlobalId at, GlobalId n,
                                Vec3 to[])
{
  PetscFunctionBeginUser;
  static const char *const names[3] = {"CoordinateX", "CoordinateY", "CoordinateZ"};
  double *x = NULL;
  PetscCall(PetscMalloc1(n, &x));
  for (int d = 0; d < 3 && read->problem[0] == '\0'; d++) {
    for (GlobalId done = 0, m = 0; done < n && read->problem[0] == '\0'; done += m) {
      cgsize_t lo[3] = {(cgsize_t)(at + done) + 1, 1, 1}, hi[3] = {(cgsize_t)(at + n), 1, 1};
      m = zone->structured ? next_box(zone, at + done, n - done, lo, hi) : n;
      if (cg_coord_read(read->file, zone->base, zone->zone, names[d], CGNS_ENUMV(RealDouble), lo,
                        hi, x + done) != CG_OK)
        volume_problem(read, "zone %s: %s: %s", zone->name, names[d], cg_get_error());
    }
    const double origin = vec3_at(read->origin, d);
    for (GlobalId v = 0; v < n; v++)
      *(d == 0 ? &to[v].x : d == 1 ? &to[v].y : &to[v].z) = read->scale * x[v] - origin;
  }
  for (GlobalId v = 0; v < n && read->problem[0] == '\0'; v++)
    if (!vec3_finite(to[v]))
      volume_problem(read, "zone %s: vertex %lld is no finite point", zone->name,
                     (long long)(at + v + 1));
  PetscCall(PetscFree(x));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode VolumeVertices(VolumeRead *read)
{
  PetscFunctionBeginUser;
  const GlobalId all = read->catalog->n_vertices;
  const GlobalId first = block_first(all, read->size, read->rank);
  const GlobalId end = block_first(all, read->size, read->rank + 1);
  PetscCall(PetscMalloc1(end - first, &read->vertex));
  for (int z = 0; z < read->catalog->n_zones; z++) {
    const VolumeZone *zone = &read->catalog->zone[z];
    const GlobalId lo = PetscMax(first, zone->first_vertex);
    const GlobalId hi = PetscMin(end, zone->first_vertex + zone->n_vertices);
    if (lo < hi)
      PetscCall(
          ReadPiece(read, zone, lo - zone->first_vertex, hi - lo, read->vertex + (lo - first)));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}
