/*
 * What is in a volume file, how good are its cells, and what would it take to run it?
 *
 * What the file says of itself is printed first, so that one that makes no grid is described too.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "grid/cell_faces.h"
#include "grid/quality.h"
#include "io/grid_file_impl.h"

enum { MOST_ZONES = 12 };

/* Beside the grid itself: states, gradients and fluxes; with matrix, factors and Krylov vectors. */
#define EXPLICIT_BYTES_PER_CELL 500.0
#define IMPLICIT_BYTES_PER_CELL 5000.0

static void print_zones(const VolumeCatalog *catalog, FILE *out)
{
  for (int z = 0; z < catalog->n_zones && z < MOST_ZONES; z++) {
    const VolumeZone *zone = &catalog->zone[z];
    if (zone->structured)
      fprintf(out, "  zone %s: structured, %lld x %lld x %lld vertices, %lld cells\n", zone->name,
              (long long)zone->dim[0], (long long)zone->dim[1], (long long)zone->dim[2],
              (long long)zone->n_cells);
    else
      fprintf(out, "  zone %s: unstructured, %lld vertices, %lld cells\n", zone->name,
              (long long)zone->n_vertices, (long long)zone->n_cells);
  }
  if (catalog->n_zones > MOST_ZONES)
    fprintf(out, "  and %d zones more\n", catalog->n_zones - MOST_ZONES);
}

static void print_cells(const NearGrid *grid, const GridQuality *quality, FILE *out)
{
  const char *between = " ";
  fprintf(out, "  cells: %lld:", (long long)grid->n_global);
  for (int k = 0; k < CELL_KINDS; k++) {
    if (quality->n_kind[k] == 0) continue;
    fprintf(out, "%s%lld %s", between, (long long)quality->n_kind[k], cell_kind_name((CellKind)k));
    between = ", ";
  }
  fprintf(out, "\n");
}

static const char *hint_word(PatchHint hint)
{
  static const char *const word[HINT_KINDS] = {
      [HINT_NONE] = "no type",      [HINT_WALL] = "wall",          [HINT_SLIP] = "slip wall",
      [HINT_SYMMETRY] = "symmetry", [HINT_FARFIELD] = "far field", [HINT_INFLOW] = "inflow",
      [HINT_OUTFLOW] = "outflow",   [HINT_OVERSET] = "overset",    [HINT_PERIODIC] = "periodic"};
  return word[hint];
}

/* Boundaries, and whether each closes around something. */
static PetscErrorCode PrintBoundaries(const NearGrid *grid, FILE *out)
{
  PetscFunctionBeginUser;
  const int n = grid->n_patches;
  double *area = NULL;
  bool *chosen = NULL, *wall = NULL;
  GlobalId n_open = 0;
  int n_walls = 0;
  PetscCall(PetscCalloc3(n, &area, n, &chosen, n, &wall));
  PetscCall(GridPatchAreas(grid, area));
  for (int p = 0; p < n; p++) {
    const NearPatch *patch = &grid->patch[p];
    chosen[p] = true;
    PetscCall(GridOpenEdges(grid, chosen, &n_open));
    chosen[p] = false;
    wall[p] = patch->hint == HINT_WALL || patch->hint == HINT_SLIP;
    n_walls += wall[p];
    PetscCall(PetscFPrintf(grid->comm, out, "  boundary %s: %lld faces, area %.9g, %s, ",
                           patch->name, (long long)patch->n_faces_global, area[p],
                           hint_word(patch->hint)));
    PetscCall(n_open == 0
                  ? PetscFPrintf(grid->comm, out, "closed\n")
                  : PetscFPrintf(grid->comm, out, "open along %lld edges\n", (long long)n_open));
  }
  if (n_walls > 1) {
    PetscCall(GridOpenEdges(grid, wall, &n_open));
    PetscCall(PetscFPrintf(grid->comm, out, "  the %d walls together: %s", n_walls,
                           n_open == 0 ? "closed\n" : ""));
    if (n_open > 0)
      PetscCall(PetscFPrintf(grid->comm, out, "open along %lld edges\n", (long long)n_open));
  }
  PetscCall(PetscFree3(area, chosen, wall));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void print_quality(const NearGrid *grid, const GridQuality *q, FILE *out)
{
  const Box b = grid->box;
  fprintf(out, "  box: (%.9g, %.9g, %.9g) to (%.9g, %.9g, %.9g)\n", b.lo.x, b.lo.y, b.lo.z, b.hi.x,
          b.hi.y, b.hi.z);
  fprintf(out, "  volume: %.9g\n", q->volume);
  fprintf(out, "  smallest cell: %.4g at (%.6g, %.6g, %.6g); largest: %.4g\n", q->smallest.value,
          q->smallest.at.x, q->smallest.at.y, q->smallest.at.z, q->largest.value);
  fprintf(out, "  worst skewness: %.3f at (%.6g, %.6g, %.6g)\n", q->skewness.value,
          q->skewness.at.x, q->skewness.at.y, q->skewness.at.z);
  fprintf(out, "  worst slant of a face: %.1f degrees at (%.6g, %.6g, %.6g)\n",
          q->slant.value * 180.0 / PETSC_PI, q->slant.at.x, q->slant.at.y, q->slant.at.z);
}

static PetscErrorCode PrintMemory(const NearGrid *grid, FILE *out)
{
  PetscFunctionBeginUser;
  double bytes = (double)near_grid_bytes(grid);
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &bytes, 1, MPI_DOUBLE, MPI_SUM, grid->comm));
  const double n = (double)grid->n_global;
  PetscCall(PetscFPrintf(grid->comm, out,
                         "  memory: %.3g MB for the grid, about %.3g MB for an explicit run, "
                         "%.3g MB for an implicit one\n",
                         bytes / 1e6, (bytes + n * EXPLICIT_BYTES_PER_CELL) / 1e6,
                         (bytes + n * IMPLICIT_BYTES_PER_CELL) / 1e6));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode GridFileDescribe(MPI_Comm comm, const char *path, FILE *out)
{
  PetscFunctionBeginUser;
  const GridFileSpec spec = {.path = path, .scale = 1.0};
  VolumeFile file;
  NearGrid *grid = NULL;
  GridNotes notes = {0};
  GridQuality quality;
  PetscCall(VolumeOpen(comm, &spec, &file));
  PetscCall(PetscFPrintf(comm, out, "%s: CGNS volume, version %.2f\n", path,
                         (double)file.catalog->version));
  if (file.read.rank == 0) print_zones(file.catalog, out);
  PetscCall(VolumeMake(&file, &notes, &grid));
  PetscCall(GridQualityCompute(grid, &quality));
  if (file.read.rank == 0) print_cells(grid, &quality, out);
  PetscCall(PrintBoundaries(grid, out));
  if (file.read.rank == 0) print_quality(grid, &quality, out);
  PetscCall(PrintMemory(grid, out));
  for (int i = 0; i < notes.n; i++)
    PetscCall(PetscFPrintf(comm, out, "  note: %s\n", notes.line[i]));
  PetscCall(NearGridDestroy(&grid));
  PetscCall(VolumeClose(&file));
  PetscFunctionReturn(PETSC_SUCCESS);
}
