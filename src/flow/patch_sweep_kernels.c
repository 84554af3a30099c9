/*
 * Sweeps over a patch: z and y on vectors along x, x on vectors along y of turned planes.
 */
#include "flow/patch_column_impl.h"

/* Which field or variable is the normal velocity, and which are the others, of each direction. */
static const int order_of[3][PATCH_FIELDS] = {
    {0, 1, 2, 3, 4, 5}, {0, 2, 1, 3, 4, 5}, {0, 3, 1, 2, 4, 5}};

static inline void column_flux(Column *column, ColumnWork *work, PatchCounts *counts)
{
  if (column->scheme.order == 2) {
    column_flux2(column, work);
    return;
  }
  column_flux5(column, work, counts);
  if (column->scheme.rough != NULL) column->scheme.rough += column->n + 1;
}

size_t patch_rough_size(int n)
{
  return (size_t)3 * n * ((n + LANES - 1) / LANES) * (n + 1);
}

/* Store the n lanes from `first` on of a face's fluxes, [variable] n^2 apart. */
static void store_face(const ColumnWork *work, int face, int direction, int n, int first,
                       double *restrict out)
{
  const int lanes = n - first < LANES ? n - first : LANES;
  for (int v = 0; v < PATCH_VARIABLES; v++)
    for (int l = 0; l < lanes; l++)
      out[order_of[direction][v] * n * n + first + l] = work->flux[face][v][l];
}

/* The two ends of a column as fluxes through the sides of the patch, where asked for. */
static void store_ends(const ColumnWork *work, int direction, int n, int first, int b,
                       double *const face_flux[6])
{
  if (face_flux[2 * direction] != NULL)
    store_face(work, 0, direction, n, first, face_flux[2 * direction] + b * n);
  if (face_flux[2 * direction + 1] != NULL)
    store_face(work, n, direction, n, first, face_flux[2 * direction + 1] + b * n);
}

static void sweep_z(const PatchBlock *block, Column *column, double *const face_flux[6],
                    PatchCounts *counts)
{
  const int n = block->n, row = block->row;
  ColumnWork *work = block->column;
  column->step = block->plane;
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i += LANES) {
      const double *at = block->core + PATCH_GHOST * block->plane + (j + PATCH_GHOST) * row + i;
      for (int c = 0; c < PATCH_FIELDS; c++) column->q[c] = at + order_of[2][c] * block->field;
      column_flux(column, work, counts);
      for (int v = 0; v < PATCH_VARIABLES; v++) {
        double *out = block->difference + (order_of[2][v] * n * n + j) * row + i;
        for (int k = 0; k < n; k++)
          lanes_store(out + k * n * row, work->flux[k + 1][v] - work->flux[k][v]);
      }
      store_ends(work, 2, n, i, j, face_flux);
    }
}

static void sweep_y(const PatchBlock *block, Column *column, int k, double *const face_flux[6],
                    PatchCounts *counts)
{
  const int n = block->n, row = block->row;
  ColumnWork *work = block->column;
  column->step = row;
  for (int i = 0; i < n; i += LANES) {
    const double *at = block->core + (k + PATCH_GHOST) * block->plane + PATCH_GHOST * row + i;
    for (int c = 0; c < PATCH_FIELDS; c++) column->q[c] = at + order_of[1][c] * block->field;
    column_flux(column, work, counts);
    for (int v = 0; v < PATCH_VARIABLES; v++) {
      double *out = block->difference + (order_of[1][v] * n + k) * n * row + i;
      for (int j = 0; j < n; j++) {
        const Lanes sum = lanes_load(out + j * row) + (work->flux[j + 1][v] - work->flux[j][v]);
        lanes_store(out + j * row, sum);
      }
    }
    store_ends(work, 1, n, i, k, face_flux);
  }
}

/* One round of turning: lanes and rows whose numbers differ in the bit d change places. */
static inline __attribute__((always_inline)) void swap_bit(Lanes rows[LANES], const int d)
{
  for (int r = 0; r < LANES; r++) {
    if ((r & d) != 0) continue;
    const Lanes a = rows[r], b = rows[r + d];
    Lanes lo = a, hi = b;
    for (int l = 0; l < LANES; l++) {
      lo[l] = (l & d) == 0 ? a[l] : b[l & ~d];
      hi[l] = (l & d) == 0 ? a[l | d] : b[l];
    }
    rows[r] = lo;
    rows[r + d] = hi;
  }
}

static inline __attribute__((always_inline)) void turn_lanes(Lanes rows[LANES])
{
#if LANES >= 8
  swap_bit(rows, 4);
#endif
#if LANES >= 4
  swap_bit(rows, 2);
#endif
  swap_bit(rows, 1);
}

/* Plane k with its ghosts in x as [field][x][y]. */
static void turn_plane(const PatchBlock *block, int k, double *restrict turned)
{
  const int n = block->n, row = block->row, ghosts = PATCH_GHOST * row;
  const int x_extent = (n + 2 * PATCH_GHOST) * row;
  for (int c = 0; c < PATCH_FIELDS; c++) {
    double *to = turned + c * x_extent;
    const double *lower = block->x_side[0] + c * block->x_field + k * ghosts;
    const double *upper = block->x_side[1] + c * block->x_field + k * ghosts;
    for (int m = 0; m < ghosts; m += LANES) {
      lanes_store(to + m, lanes_load(lower + m));
      lanes_store(to + ghosts + n * row + m, lanes_load(upper + m));
    }
    const double *from =
        block->core + c * block->field + (k + PATCH_GHOST) * block->plane + PATCH_GHOST * row;
    for (int j = 0; j < row; j += LANES)
      for (int i = 0; i < n; i += LANES) {
        Lanes rows[LANES];
        for (int l = 0; l < LANES; l++) rows[l] = lanes_load(from + (j + l) * row + i);
        turn_lanes(rows);
        for (int l = 0; l < LANES; l++)
          if (i + l < n) lanes_store(to + ghosts + (i + l) * row + j, rows[l]);
      }
  }
}

/* Add the differences of one vector of columns along x, at rows j on, to plane k. */
static void add_turned(const PatchBlock *block, const ColumnWork *work, int k, int j)
{
  const int n = block->n, row = block->row;
  for (int v = 0; v < PATCH_VARIABLES; v++)
    for (int i = 0; i < n; i += LANES) {
      Lanes rows[LANES];
      for (int l = 0; l < LANES; l++) {
        const int f = i + l < n ? i + l : n - 1;
        rows[l] = work->flux[f + 1][v] - work->flux[f][v];
      }
      turn_lanes(rows);
      double *out = block->difference + ((v * n + k) * n + j) * row + i;
      for (int l = 0; l < LANES && j + l < n; l++)
        lanes_store(out + l * row, lanes_load(out + l * row) + rows[l]);
    }
}

static void sweep_x(const PatchBlock *block, Column *column, int k, double *const face_flux[6],
                    PatchCounts *counts)
{
  const int n = block->n, row = block->row;
  const int x_extent = (n + 2 * PATCH_GHOST) * row;
  ColumnWork *work = block->column;
  turn_plane(block, k, block->turned);
  column->step = row;
  for (int j = 0; j < n; j += LANES) {
    for (int c = 0; c < PATCH_FIELDS; c++)
      column->q[c] = block->turned + c * x_extent + PATCH_GHOST * row + j;
    column_flux(column, work, counts);
    add_turned(block, work, k, j);
    store_ends(work, 0, n, j, k, face_flux);
  }
}

PatchCounts patch_rhs(const PatchBlock *block, const PatchScheme *scheme,
                      double *const face_flux[6])
{
  PatchCounts counts = {0};
  Column column = {.n = block->n, .scheme = *scheme};
  sweep_z(block, &column, face_flux, &counts);
  for (int k = 0; k < block->n; k++) {
    sweep_y(block, &column, k, face_flux, &counts);
    sweep_x(block, &column, k, face_flux, &counts);
  }
  return counts;
}

void patch_update(const PatchBlock *block, double b, double ratio, const double *restrict u0,
                  const double *restrict u, double *restrict out)
{
  const int n = block->n;
  for (int r = 0; r < PATCH_VARIABLES * n * n; r++) {
    const double *difference = block->difference + (ptrdiff_t)r * block->row;
    const ptrdiff_t at = (ptrdiff_t)r * n;
    /* Written so that what does not change keeps its bits, though b is rounded. */
    for (int i = 0; i < n; i++)
      out[at + i] = u0[at + i] + b * ((u[at + i] - u0[at + i]) - ratio * difference[i]);
  }
}

void patch_rate(const PatchBlock *block, double h, double *restrict rate)
{
  const int n = block->n;
  const double factor = -1.0 / h;
  for (int r = 0; r < PATCH_VARIABLES * n * n; r++)
    for (int i = 0; i < n; i++)
      rate[(ptrdiff_t)r * n + i] = factor * block->difference[(ptrdiff_t)r * block->row + i];
}
