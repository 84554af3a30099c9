/*
 * Rows applied: eight numbers of a record at a time, or one line of four cells of a patch.
 */
#include "overset/table.h"

#include <string.h>

/* All is inline: how vectors would be passed between files does not matter. */
#pragma GCC diagnostic ignored "-Wpsabi"

typedef double Eight __attribute__((vector_size(64)));
typedef double EightInMemory __attribute__((vector_size(64), aligned(8), may_alias));
typedef double Four __attribute__((vector_size(32)));
typedef double FourInMemory __attribute__((vector_size(32), aligned(8), may_alias));

enum { RHO = 0, P = 4 };

/* A value that takes density or pressure below this share of its first cell's is not used. */
static const double least_share = 0.1;

static inline bool usable(const double value[], const double own[])
{
  return value[RHO] > least_share * own[RHO] && value[P] > least_share * own[P];
}

void rows_from_records(const RowList *list, const double *record, int size, double *value)
{
  const size_t stride = (size_t)size;
  const LocalId *other = list->other;
  const double *weight = list->weight;
  for (int i = 0; i < list->n; i++) {
    const double *own = record + stride * (size_t)list->cell[i];
    const Eight base = *(const EightInMemory *)own;
    Eight sum = {0};
    for (int k = list->start[i]; k < list->start[i + 1]; k++) {
      const Eight to = *(const EightInMemory *)(record + stride * (size_t)other[k]);
      sum += weight[k] * (to - base);
    }
    const Eight made = base + sum;
    double *to = value + (size_t)ROW_ROOM * (size_t)list->slot[i];
    memcpy(to, &made, sizeof made);
    if (!usable(to, own)) memcpy(to, &base, sizeof base);
  }
}

static inline void to_primitive(double gamma, double u[])
{
  const double per = 1.0 / u[RHO];
  for (int v = 1; v <= 3; v++) u[v] *= per;
  u[P] = (gamma - 1.0) * (u[P] - 0.5 * u[RHO] * (u[1] * u[1] + u[2] * u[2] + u[3] * u[3]));
  for (int v = P + 1; v < ROW_VALUES; v++) u[v] *= per;
}

/* Conserved values made and of the first cell, to primitive ones in a slot. */
static inline void finish(double gamma, double made[], double own[], double *to)
{
  to_primitive(gamma, made);
  to_primitive(gamma, own);
  const double *from = usable(made, own) ? made : own;
  for (int v = 0; v < ROW_VALUES; v++) to[v] = from[v];
}

void rows_from_forest(const RowList *list, const double *off, size_t cells, double gamma,
                      double *value)
{
  for (int i = 0; i < list->n; i++) {
    double made[ROW_VALUES], own[ROW_VALUES];
    const double *base = off + table_cell((size_t)list->cell[i], cells);
    for (int v = 0; v < ROW_VALUES; v++) {
      double sum = 0.0;
      own[v] = base[(size_t)v * cells];
      for (int k = list->start[i]; k < list->start[i + 1]; k++) {
        const double *to = off + table_cell((size_t)list->other[k], cells);
        sum += list->weight[k] * (to[(size_t)v * cells] - own[v]);
      }
      made[v] = own[v] + sum;
    }
    finish(gamma, made, own, value + (size_t)ROW_ROOM * (size_t)list->slot[i]);
  }
}

static inline double brick_sum(const Brick *b, const double *first, size_t n, double own)
{
  const Four x = *(const FourInMemory *)b->x;
  Four sum = {0};
  for (int k = 0; k < 3; k++) {
    Four plane = {0};
    for (int j = 0; j < 3; j++) {
      const Four line = *(const FourInMemory *)(first + ((size_t)k * n + (size_t)j) * n);
      plane += b->y[j] * (line - own);
    }
    sum += b->z[k] * plane;
  }
  sum *= x;
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

void bricks_from_forest(const BrickList *list, const double *off, int n, double gamma,
                        double *value)
{
  const size_t edge = (size_t)n, cells = edge * edge * edge;
  for (int i = 0; i < list->n; i++) {
    const Brick *b = &list->item[i];
    const double *first = off + table_cell((size_t)b->first, cells);
    const double *middle = off + table_cell((size_t)b->middle, cells);
    double made[ROW_VALUES], own[ROW_VALUES];
    for (int v = 0; v < ROW_VALUES; v++) {
      own[v] = middle[(size_t)v * cells];
      made[v] = own[v] + brick_sum(b, first + (size_t)v * cells, edge, own[v]);
    }
    finish(gamma, made, own, value + (size_t)ROW_ROOM * (size_t)b->slot);
  }
}
