/*
 * Boxes that cells next to overset boundaries touch are not covered; neither is what can be reached
 * from outside without crossing a cell. All else is. Distances between boxes are exact, from
 * centre to centre (P. Felzenszwalb, D. Huttenlocher, Theory of Computing 8, 2012).
 */
#include "grid/cover_map.h"

#include "comm/sum.h"

#include <math.h>

enum { TOUCHES_SHALLOW = 1, TOUCHES_CELL = 2, TOUCHES_WALL = 4, OUTSIDE = 8 };

/* Layers by steps over faces, one layer at a time so that ranks agree. */
static PetscErrorCode find_layers(const NearGrid *g, const BoundaryKind kind[], uint8_t layer[])
{
  PetscFunctionBeginUser;
  double *number;
  PetscCall(PetscMalloc1(g->n_local, &number));
  for (LocalId c = 0; c < g->n_local; c++) number[c] = COVER_DEEP;
  for (int p = 0; p < g->n_patches; p++)
    for (LocalId f = g->patch[p].first_face; f < g->patch[p].first_face + g->patch[p].n_faces; f++)
      if (kind[p] == BOUNDARY_OVERSET) number[g->left[f]] = 0.0;
  double *const field[] = {number};
  for (int k = 0; k < COVER_MOST; k++) {
    PetscCall(ExchangeUpdate(g->halo, 1, 1, field));
    for (LocalId f = 0; f < g->n_interior; f++) {
      const LocalId a = g->left[f], b = g->right[f];
      if (number[a] == k && number[b] > k + 1) number[b] = k + 1;
      if (number[b] == k && number[a] > k + 1) number[a] = k + 1;
    }
  }
  PetscCall(ExchangeUpdate(g->halo, 1, 1, field));
  for (LocalId c = 0; c < g->n_local; c++) layer[c] = (uint8_t)number[c];
  PetscCall(PetscFree(number));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The mean size of the outermost cells, or of all where no boundary is overset. */
static PetscErrorCode find_size(const NearGrid *g, CoverMap *map, double *size)
{
  PetscFunctionBeginUser;
  double *value, total[4];
  PetscCall(PetscCalloc1(4 * g->n_own, &value));
  for (LocalId c = 0; c < g->n_own; c++) {
    const double own = cbrt(g->volume[c]);
    value[4 * c] = 1.0, value[4 * c + 1] = own;
    if (map->layer[c] == 0) value[4 * c + 2] = 1.0, value[4 * c + 3] = own;
  }
  PetscCall(SumExactly(g->comm, g->n_own, 4, value, total));
  map->cell = total[2] > 0.0 ? total[3] / total[2] : 0.0;
  *size = total[2] > 0.0 ? map->cell : total[1] / total[0];
  PetscCall(PetscFree(value));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Boxes of half the size of an outer cell, but not too many. */
static void lay_out(const NearGrid *g, double size, CoverMap *map)
{
  const double most = 6e6;
  const Vec3 extent = box_size(g->box);
  double h = 0.5 * size, n = 0.0;
  do {
    map->box = box_grow(g->box, 2.0 * h);
    n = 1.0;
    for (int i = 0; i < 3; i++) {
      map->n[i] = (int)ceil(vec3_at(extent, i) / h) + 4;
      n *= map->n[i];
    }
    map->spacing = h;
    map->per_spacing = 1.0 / h;
    h *= 1.1;
  } while (n > most);
}

static size_t lattice_size(const CoverMap *map)
{
  return (size_t)map->n[0] * map->n[1] * map->n[2];
}

/* Mark the boxes that a box around something touches. */
static void mark_box(const CoverMap *map, Box b, uint8_t flag, uint8_t touched[])
{
  int lo[3], hi[3];
  for (int i = 0; i < 3; i++) {
    const double from = vec3_at(map->box.lo, i);
    lo[i] = (int)floor((vec3_at(b.lo, i) - from) * map->per_spacing - 1e-9);
    hi[i] = (int)floor((vec3_at(b.hi, i) - from) * map->per_spacing + 1e-9);
    lo[i] = lo[i] < 0 ? 0 : lo[i];
    hi[i] = hi[i] >= map->n[i] ? map->n[i] - 1 : hi[i];
  }
  for (int z = lo[2]; z <= hi[2]; z++)
    for (int y = lo[1]; y <= hi[1]; y++)
      for (int x = lo[0]; x <= hi[0]; x++)
        touched[((size_t)z * map->n[1] + y) * map->n[0] + x] |= flag;
}

/* The corners of a polyhedron stand among the numbers of corners of its faces. */
static Box cell_box(const NearGrid *g, LocalId c)
{
  Box box = box_empty();
  const LocalId first = g->corner_start[c], end = g->corner_start[c + 1];
  if (g->kind[c] != CELL_POLYHEDRON) {
    for (LocalId k = first; k < end; k++) box = box_add_point(box, g->vertex[g->corner[k]]);
    return box;
  }
  for (LocalId k = first; k < end; k += g->corner[k] + 1)
    for (LocalId i = 1; i <= g->corner[k]; i++)
      box = box_add_point(box, g->vertex[g->corner[k + i]]);
  return box;
}

static Box ring_box(const NearGrid *g, LocalId f)
{
  Box box = box_empty();
  for (LocalId k = g->ring_start[f - g->n_interior]; k < g->ring_start[f - g->n_interior + 1]; k++)
    box = box_add_point(box, g->vertex[g->ring[k]]);
  return box;
}

static PetscErrorCode share_marks(const NearGrid *g, const CoverMap *map, uint8_t touched[])
{
  PetscFunctionBeginUser;
  PetscCallMPI(
      MPI_Allreduce(MPI_IN_PLACE, touched, (int)lattice_size(map), MPI_UINT8_T, MPI_BOR, g->comm));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode mark_walls(const NearGrid *g, const BoundaryKind kind[], const CoverMap *map,
                                 uint8_t touched[])
{
  PetscFunctionBeginUser;
  for (int p = 0; p < g->n_patches; p++) {
    if (kind[p] == BOUNDARY_OVERSET || kind[p] == BOUNDARY_SYMMETRY) continue;
    for (LocalId f = g->patch[p].first_face; f < g->patch[p].first_face + g->patch[p].n_faces; f++)
      mark_box(map, ring_box(g, f), TOUCHES_WALL, touched);
  }
  PetscCall(share_marks(g, map, touched));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode mark_cells(const NearGrid *g, const CoverMap *map, uint8_t touched[])
{
  PetscFunctionBeginUser;
  for (LocalId c = 0; c < g->n_own; c++) {
    const uint8_t shallow = map->layer[c] < map->shallow ? TOUCHES_SHALLOW : 0;
    mark_box(map, cell_box(g, c), TOUCHES_CELL | shallow, touched);
  }
  PetscCall(share_marks(g, map, touched));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* What can be reached from a corner without crossing a cell. */
static PetscErrorCode flood(const CoverMap *map, uint8_t touched[])
{
  PetscFunctionBeginUser;
  const int nx = map->n[0], ny = map->n[1], nz = map->n[2];
  const ptrdiff_t step[3] = {1, nx, (ptrdiff_t)nx * ny};
  size_t n = 1;
  ptrdiff_t *stack;
  PetscCall(PetscMalloc1(lattice_size(map), &stack));
  stack[0] = 0;
  touched[0] |= OUTSIDE;
  while (n > 0) {
    const ptrdiff_t at = stack[--n];
    const int place[3] = {(int)(at % nx), (int)(at / nx % ny), (int)(at / step[2])};
    const int last[3] = {nx - 1, ny - 1, nz - 1};
    for (int i = 0; i < 6; i++) {
      const int axis = i / 2, up = i % 2;
      if (place[axis] == (up ? last[axis] : 0)) continue;
      const ptrdiff_t next = at + (up ? step[axis] : -step[axis]);
      if (touched[next] & (TOUCHES_CELL | OUTSIDE)) continue;
      touched[next] |= OUTSIDE;
      stack[n++] = next;
    }
  }
  PetscCall(PetscFree(stack));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Where the lower envelope of parabolas passes from the one at q to the one at p. */
static double crossing(const double f[], int p, int q)
{
  return ((f[p] + (double)p * p) - (f[q] + (double)q * q)) / (2.0 * (p - q));
}

/* Lower envelope of the parabolas f(q) + (x - q)^2 along a row, in place. */
static void sweep_row(int n, ptrdiff_t step, float *row, double *f, double *from, int *at)
{
  int k = 0;
  for (int q = 0; q < n; q++) f[q] = row[q * step];
  at[0] = 0;
  from[0] = -INFINITY;
  for (int q = 1; q < n; q++) {
    double s = crossing(f, q, at[k]);
    while (k > 0 && s <= from[k]) s = crossing(f, q, at[--k]);
    /* Before the first parabola nothing else begins. */
    if (s > from[k]) from[++k] = s, at[k] = q;
  }
  for (int q = 0, j = 0; q < n; q++) {
    while (j < k && from[j + 1] < q) j++;
    row[q * step] = (float)((q - at[j]) * (double)(q - at[j]) + f[at[j]]);
  }
}

/* Squared distances in boxes, from zero where the distance is zero and a large number elsewhere. */
static PetscErrorCode sweep_all(const CoverMap *map, float square[])
{
  PetscFunctionBeginUser;
  const int nx = map->n[0], ny = map->n[1], nz = map->n[2];
  const int most = (nx > ny ? nx : ny) > nz ? (nx > ny ? nx : ny) : nz;
  const ptrdiff_t plane = (ptrdiff_t)nx * ny;
  double *f, *from;
  int *at;
  PetscCall(PetscMalloc3(most, &f, most + 1, &from, most + 1, &at));
  for (int z = 0; z < nz; z++)
    for (int y = 0; y < ny; y++) sweep_row(nx, 1, square + z * plane + y * nx, f, from, at);
  for (int z = 0; z < nz; z++)
    for (int x = 0; x < nx; x++) sweep_row(ny, nx, square + z * plane + x, f, from, at);
  for (ptrdiff_t i = 0; i < plane; i++) sweep_row(nz, plane, square + i, f, from, at);
  PetscCall(PetscFree3(f, from, at));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Distances from the boxes that carry any of the flags, to them otherwise. */
static PetscErrorCode measure(const CoverMap *map, const uint8_t touched[], int flags, bool with,
                              float square[])
{
  PetscFunctionBeginUser;
  const float far = 1e9F;
  for (size_t i = 0; i < lattice_size(map); i++)
    square[i] = ((touched[i] & flags) != 0) == with ? 0.0F : far;
  PetscCall(sweep_all(map, square));
  for (size_t i = 0; i < lattice_size(map); i++)
    square[i] = square[i] >= 0.5F * far ? INFINITY : (float)(map->spacing * sqrt(square[i]));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode find_walls(CoverMap *map, const uint8_t touched[])
{
  PetscFunctionBeginUser;
  float *distance;
  PetscCall(PetscMalloc1(lattice_size(map), &distance));
  PetscCall(measure(map, touched, TOUCHES_WALL, true, distance));
  /* A grid without walls is far from them, but to be compared with others. */
  for (size_t i = 0; i < lattice_size(map); i++)
    map->cover[i].wall = isinf(distance[i]) ? 1e18F : distance[i];
  PetscCall(PetscFree(distance));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Positive within what is covered, negative outside. */
static PetscErrorCode find_depths(CoverMap *map, const uint8_t touched[])
{
  PetscFunctionBeginUser;
  const size_t n = lattice_size(map);
  float *in, *out;
  PetscCall(PetscMalloc2(n, &in, n, &out));
  PetscCall(measure(map, touched, TOUCHES_SHALLOW | OUTSIDE, true, in));
  PetscCall(measure(map, touched, TOUCHES_SHALLOW | OUTSIDE, false, out));
  for (size_t i = 0; i < n; i++) {
    const bool enclosed = (touched[i] & (TOUCHES_CELL | OUTSIDE)) == 0;
    map->cover[i].depth = in[i] > 0.0F ? in[i] : -out[i];
    if (enclosed) map->cover[i].wall = -map->cover[i].wall;
  }
  PetscCall(PetscFree2(in, out));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/*
 * As many layers are left to the receiving side of others as the grid can spare: what is covered
 * must be wide enough for the fringe of a forest of cells of the same size.
 */
static PetscErrorCode choose_shallow(const NearGrid *g, CoverMap *map)
{
  PetscFunctionBeginUser;
  enum { LAYERS = COVER_MOST + 1 };
  const double wide = 3.5 * map->cell;
  double *value, total[2 * LAYERS];
  PetscCall(PetscCalloc1((size_t)2 * LAYERS * g->n_own, &value));
  for (LocalId c = 0; c < g->n_own; c++) {
    if (map->layer[c] > COVER_MOST) continue;
    double *own = value + (size_t)2 * LAYERS * c + 2 * map->layer[c];
    own[0] = 1.0;
    own[1] = cover_at(map, vec3(g->x[c], g->y[c], g->z[c])).wall;
  }
  PetscCall(SumExactly(g->comm, g->n_own, 2 * LAYERS, value, total));
  map->shallow = COVER_LEAST;
  for (int k = COVER_LEAST + 1; k <= COVER_MOST; k++)
    if (total[2 * k] > 0.0 && total[2 * k + 1] > wide * total[2 * k]) map->shallow = k;
  PetscCall(PetscFree(value));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CoverMapCreate(const NearGrid *g, const BoundaryKind kind[], CoverMap **map)
{
  PetscFunctionBeginUser;
  CoverMap *s = NULL;
  double size = 0.0;
  uint8_t *touched;
  PetscCall(PetscNew(&s));
  PetscCall(PetscMalloc1(g->n_local, &s->layer));
  PetscCall(find_layers(g, kind, s->layer));
  PetscCall(find_size(g, s, &size));
  lay_out(g, size, s);
  PetscCall(PetscMalloc1(lattice_size(s), &s->cover));
  PetscCall(PetscCalloc1(lattice_size(s), &touched));
  PetscCall(mark_walls(g, kind, s, touched));
  PetscCall(find_walls(s, touched));
  PetscCall(choose_shallow(g, s));
  PetscCall(mark_cells(g, s, touched));
  PetscCall(flood(s, touched));
  PetscCall(find_depths(s, touched));
  PetscCall(PetscFree(touched));
  *map = s;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CoverMapDestroy(CoverMap **map)
{
  PetscFunctionBeginUser;
  if (*map == NULL) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscFree((*map)->cover));
  PetscCall(PetscFree((*map)->layer));
  PetscCall(PetscFree(*map));
  PetscFunctionReturn(PETSC_SUCCESS);
}
