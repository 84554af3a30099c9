#include "body/load.h"

bool load_acts(const Load *load, double t)
{
  if (t < load->spec.from || t >= load->spec.to || t >= load->ended) return false;
  const LoadTable table = load->table;
  return table.n == 0 || (t >= table.row[0][0] && t < table.row[table.n - 1][0]);
}

/* The last row at or before t. */
static int row_of(LoadTable table, double t)
{
  int lo = 0, hi = table.n - 1;
  while (hi - lo > 1) {
    const int mid = lo + (hi - lo) / 2;
    if (table.row[mid][0] <= t)
      lo = mid;
    else
      hi = mid;
  }
  return lo;
}

Wrench load_value(const Load *load, double t)
{
  const LoadTable table = load->table;
  if (table.n == 0) return (Wrench){load->spec.force, load->spec.moment};
  if (table.n == 1) {
    const double *only = table.row[0];
    return (Wrench){{only[1], only[2], only[3]}, {only[4], only[5], only[6]}};
  }

  const int i = row_of(table, t);
  const double *a = table.row[i], *b = table.row[i + 1];
  const double s = (t - a[0]) / (b[0] - a[0]);
  double value[7];
  for (int k = 1; k < 7; k++) value[k] = a[k] + s * (b[k] - a[k]);
  return (Wrench){{value[1], value[2], value[3]}, {value[4], value[5], value[6]}};
}

double load_next_corner(const Load *load, double t)
{
  double next = INFINITY;
  if (load->spec.from > t) next = load->spec.from;
  if (load->spec.to > t && load->spec.to < next) next = load->spec.to;
  const LoadTable table = load->table;
  if (table.n == 0) return next;
  const int i = row_of(table, t);
  for (int k = i; k < table.n && k <= i + 2; k++)
    if (table.row[k][0] > t) return table.row[k][0] < next ? table.row[k][0] : next;
  return next;
}

Vec3 load_stroke_point(const Load *load, Pose body, Pose carrier)
{
  const Vec3 p = pose_to_world(body, load->spec.at);
  return load->carrier >= 0 ? pose_to_body(carrier, p) : p;
}
