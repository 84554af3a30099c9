/*
 * Put a patch and the cells next to its sides together in the scratch block.
 */
#include "flow/patch_column_impl.h"

#include <math.h>

enum { ALIGNED = 8 }; /* doubles in 64 bytes */

static ptrdiff_t whole(ptrdiff_t n, int unit)
{
  return (n + unit - 1) / unit * unit;
}

/* Places of the parts of a block, counted in doubles from its beginning. */
typedef struct {
  ptrdiff_t row, plane, field, x_field;
  ptrdiff_t x_side[2], difference, turned, column, friction, end;
} Layout;

static Layout layout_of(int n)
{
  Layout at = {.row = whole(n, LANES)};
  const int wide = n + 2 * PATCH_GHOST;
  /* One vector more per plane and one per field keep strides off powers of two. */
  at.plane = wide * at.row + ALIGNED;
  at.field = whole(wide * at.plane + ALIGNED, ALIGNED);
  at.x_field = whole((ptrdiff_t)n * PATCH_GHOST * at.row + ALIGNED, ALIGNED);
  at.x_side[0] = PATCH_FIELDS * at.field;
  at.x_side[1] = at.x_side[0] + PATCH_FIELDS * at.x_field;
  at.difference = at.x_side[1] + PATCH_FIELDS * at.x_field;
  at.turned = at.difference + whole((ptrdiff_t)PATCH_VARIABLES * n * n * at.row, ALIGNED);
  at.column = at.turned + whole((ptrdiff_t)PATCH_FIELDS * wide * at.row, ALIGNED);
  at.friction = at.column + (ptrdiff_t)(sizeof(ColumnWork) / sizeof(double));
  at.end = at.friction + (ptrdiff_t)patch_friction_size(n);
  return at;
}

size_t patch_block_size(int n)
{
  return (size_t)layout_of(n).end;
}

PatchBlock patch_block_in(double *memory, int n)
{
  const Layout at = layout_of(n);
  /* Lanes beyond the rows and cells that no neighbour fills hold a harmless state. */
  for (ptrdiff_t i = 0; i < at.end; i++) memory[i] = 1.0;
  return (PatchBlock){.n = n,
                      .row = (int)at.row,
                      .plane = at.plane,
                      .field = at.field,
                      .x_field = at.x_field,
                      .core = memory,
                      .x_side = {memory + at.x_side[0], memory + at.x_side[1]},
                      .difference = memory + at.difference,
                      .turned = memory + at.turned,
                      .column = memory + at.column,
                      .friction = memory + at.friction};
}

/* A row of n cells: conservative variables `from` apart to fields `to` apart. */
static inline void take_row(int n, double gamma, const double *restrict u, ptrdiff_t from,
                            double *restrict q, ptrdiff_t to)
{
  const double *m = u + from, *e = u + 4 * from;
#pragma omp simd
  for (int i = 0; i < n; i++) {
    const double rho = u[i], over = 1.0 / rho;
    const double vx = m[i] * over, vy = m[i + from] * over, vz = m[i + 2 * from] * over;
    const double p = (gamma - 1.0) * (e[i] - 0.5 * rho * (vx * vx + vy * vy + vz * vz));
    q[i] = rho;
    q[i + to] = vx;
    q[i + 2 * to] = vy;
    q[i + 3 * to] = vz;
    q[i + 4 * to] = p;
    q[i + 5 * to] = sqrt(gamma * p * over);
  }
}

/* A row of n cells that are primitive already. */
static inline void copy_row(int n, double gamma, const double *restrict v, ptrdiff_t from,
                            double *restrict q, ptrdiff_t to)
{
#pragma omp simd
  for (int i = 0; i < n; i++) {
    const double rho = v[i], p = v[i + 4 * from];
    q[i] = rho;
    q[i + to] = v[i + from];
    q[i + 2 * to] = v[i + 2 * from];
    q[i + 3 * to] = v[i + 3 * from];
    q[i + 4 * to] = p;
    q[i + 5 * to] = sqrt(gamma * p * (1.0 / rho));
  }
}

/* Where row (z, y) of the core begins; both may be ghosts. */
static inline double *core_row(const PatchBlock *block, int k, int j)
{
  return block->core + (k + PATCH_GHOST) * block->plane + (j + PATCH_GHOST) * block->row;
}

void patch_take_core(const PatchBlock *block, double gamma, const double *restrict u)
{
  const int n = block->n;
  for (int k = 0; k < n; k++)
    for (int j = 0; j < n; j++)
      take_row(n, gamma, u + (k * n + j) * n, (ptrdiff_t)n * n * n, core_row(block, k, j),
               block->field);
}

/* Cells next to an end in x: columns of the neighbour become rows along y. */
static void take_x(const PatchBlock *block, double gamma, int upper, const double *restrict u)
{
  const int n = block->n;
  const ptrdiff_t cells = (ptrdiff_t)n * n * n;
  double lines[PATCH_GHOST][PATCH_VARIABLES][PATCH_LARGEST];
  for (int k = 0; k < n; k++) {
    for (int c = 0; c < PATCH_VARIABLES; c++) {
      const double *from = u + c * cells + k * n * n + (upper ? 0 : n - PATCH_GHOST);
      for (int j = 0; j < n; j++)
        for (int m = 0; m < PATCH_GHOST; m++) lines[m][c][j] = from[j * n + m];
    }
    for (int m = 0; m < PATCH_GHOST; m++)
      take_row(n, gamma, lines[m][0], PATCH_LARGEST,
               block->x_side[upper] + (k * PATCH_GHOST + m) * block->row, block->x_field);
  }
}

void patch_take_neighbour(const PatchBlock *block, double gamma, int side, const double *restrict u)
{
  const int n = block->n, upper = side % 2;
  const ptrdiff_t cells = (ptrdiff_t)n * n * n;
  if (side < 2) {
    take_x(block, gamma, upper, u);
    return;
  }
  for (int b = 0; b < n; b++)
    for (int m = 0; m < PATCH_GHOST; m++) {
      const int from = upper ? m : n - PATCH_GHOST + m, to = upper ? n + m : m - PATCH_GHOST;
      if (side < 4)
        take_row(n, gamma, u + (b * n + from) * n, cells, core_row(block, b, to), block->field);
      else
        take_row(n, gamma, u + (from * n + b) * n, cells, core_row(block, to, b), block->field);
    }
}

void patch_take_border(const PatchBlock *block, double gamma, int side,
                       const double *restrict border)
{
  const int n = block->n, upper = side % 2;
  const ptrdiff_t variable = (ptrdiff_t)PATCH_GHOST * n * n;
  for (int m = 0; m < PATCH_GHOST; m++)
    for (int b = 0; b < n; b++) {
      const double *from = border + (m * n + b) * n;
      const int to = upper ? n + m : -1 - m;
      if (side < 2)
        copy_row(n, gamma, from, variable,
                 block->x_side[upper] +
                     (b * PATCH_GHOST + (upper ? m : PATCH_GHOST - 1 - m)) * block->row,
                 block->x_field);
      else if (side < 4)
        copy_row(n, gamma, from, variable, core_row(block, b, to), block->field);
      else
        copy_row(n, gamma, from, variable, core_row(block, to, b), block->field);
    }
}
