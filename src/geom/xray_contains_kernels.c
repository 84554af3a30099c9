#include "geom/xray_contains_kernels.h"

int columns_contain(const Columns *columns, int n, const double *restrict u,
                    const double *restrict v, const double *restrict w, bool *restrict inside,
                    int *restrict doubtful, int *restrict slab)
{
  const Columns c = *columns;
  int n_doubtful = 0;
  for (int k = 0; k < n; k++) {
    const int column = columns_find(&c, u[k], v[k]);
    /* Beyond all columns the list is empty. */
    const int first = column < 0 ? 0 : c.start[column];
    const int end = column < 0 ? 0 : c.start[column + 1];
    const double height = w[k] - c.middle_w;
    /* Count the slabs wholly below without branching on the point. */
    int at = first;
    for (int s = first; s < end; s++) at += height > c.slab[s].hi;
    inside[k] = at > first && c.slab[at - 1].winding != 0;
    doubtful[n_doubtful] = k;
    slab[n_doubtful] = at;
    n_doubtful += at < end && height >= c.slab[at].lo;
  }
  return n_doubtful;
}
