/*
 * Inside tests: the ray decides outside the slabs, the slab's own triangles inside them.
 *
 * In a slab a line is dropped from the point to the gap below, whose winding number is known, and
 * the triangles it meets are counted. Left or right of an edge is decided in floating point when
 * that is certain, else in 128-bit integers on coordinates snapped to 2^-50 of the body's size,
 * with the tie rule of the raster; so every line meets a closed fan consistently.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "geom/xray_contains_kernels.h"
#include "geom/xray_impl.h"

/* The plane of a lattice and the grid of exact decisions. */
typedef struct {
  int u, v, w;
  double middle_u, middle_v, scale, size;
} SnapPlane;

static SnapPlane snap_plane(const XRayHeader *head)
{
  const int u = (head->column_axis + 1) % 3, v = (head->column_axis + 2) % 3;
  const Vec3 middle = box_center(head->box);
  return (SnapPlane){
      u,         v, head->column_axis, vec3_at(middle, u), vec3_at(middle, v), 0x1p50 / head->size,
      head->size};
}

/* Twice the area of a, b and (pu, pv) on the grid; *runs_up: does the edge own points on it? */
static __int128 snapped_area(const SnapPlane *s, Vec3 a, Vec3 b, double pu, double pv,
                             bool *runs_up)
{
  const int64_t au = llrint((vec3_at(a, s->u) - s->middle_u) * s->scale);
  const int64_t av = llrint((vec3_at(a, s->v) - s->middle_v) * s->scale);
  const int64_t du = llrint((vec3_at(b, s->u) - s->middle_u) * s->scale) - au;
  const int64_t dv = llrint((vec3_at(b, s->v) - s->middle_v) * s->scale) - av;
  const int64_t ru = llrint((pu - s->middle_u) * s->scale) - au;
  const int64_t rv = llrint((pv - s->middle_v) * s->scale) - av;
  *runs_up = dv > 0 || (dv == 0 && du > 0);
  return (__int128)du * rv - (__int128)dv * ru;
}

/* Is (pu, pv) left of the edge from a to b? Exact on snapped coordinates. */
static bool left_of_exact(const SnapPlane *s, Vec3 a, Vec3 b, double pu, double pv)
{
  bool runs_up;
  const __int128 side = snapped_area(s, a, b, pu, pv, &runs_up);
  return side != 0 ? side > 0 : runs_up;
}

static bool left_of(const SnapPlane *s, Vec3 a, Vec3 b, double pu, double pv)
{
  const double au = vec3_at(a, s->u), av = vec3_at(a, s->v);
  const double du = vec3_at(b, s->u) - au, dv = vec3_at(b, s->v) - av;
  const double ru = pu - au, rv = pv - av;
  const double side = du * rv - dv * ru;
  const double doubt = 0x1p-47 * s->size * (fabs(du) + fabs(dv) + fabs(ru) + fabs(rv));
  return fabs(side) > doubt ? side > 0.0 : left_of_exact(s, a, b, pu, pv);
}

/*
 * Does the triangle, whose projection holds p, pass below p? Its plane tells when p is clearly off
 * it. Else the elevation of the snapped triangle does: p may lie in the plane of an upright
 * triangle and yet far above it.
 */
static bool passes_below(const SnapPlane *s, const Corners *t, Vec3 p, bool left)
{
  const Vec3 a = vec3_sub(t->a, p), b = vec3_sub(t->b, p), c = vec3_sub(t->c, p);
  const double volume = vec3_dot(a, vec3_cross(b, c));
  const double reach = fabs(a.x) + fabs(a.y) + fabs(a.z) + fabs(b.x) + fabs(b.y) + fabs(b.z) +
                       fabs(c.x) + fabs(c.y) + fabs(c.z);
  /* Left of all edges: it faces up the axis, and p is above it on its outer side. */
  if (fabs(volume) > 0x1p-46 * s->size * reach * reach) return (volume < 0.0) == left;
  const double pu = vec3_at(p, s->u), pv = vec3_at(p, s->v);
  bool up;
  const long double weight_c = (long double)snapped_area(s, t->a, t->b, pu, pv, &up);
  const long double weight_a = (long double)snapped_area(s, t->b, t->c, pu, pv, &up);
  const long double weight_b = (long double)snapped_area(s, t->c, t->a, pu, pv, &up);
  const long double height =
      weight_a * vec3_at(a, s->w) + weight_b * vec3_at(b, s->w) + weight_c * vec3_at(c, s->w);
  return left ? height < 0.0L : height > 0.0L;
}

/* How the winding number changes from the gap below a slab to the point p in that slab. */
static int winding_in_slab(const XRay *xray, Vec3 p, int slab)
{
  const XRayHeader *head = xray->head;
  const SnapPlane plane = snap_plane(head);
  const double pu = vec3_at(p, plane.u), pv = vec3_at(p, plane.v);
  int winding = 0;
  for (int k = xray->slab[slab].first; k < xray->slab[slab + 1].first; k++) {
    const Corners *t = &xray->corners[xray->column_triangle[k]];
    const bool left = left_of(&plane, t->a, t->b, pu, pv);
    if (left_of(&plane, t->b, t->c, pu, pv) != left) continue;
    if (left_of(&plane, t->c, t->a, pu, pv) != left) continue;
    if (passes_below(&plane, t, p, left)) winding += left ? -1 : 1;
  }
  return winding;
}

static Columns xray_columns(const XRay *xray)
{
  const XRayHeader *head = xray->head;
  const Lattice *l = &head->lattice[head->column_axis];
  return (Columns){xray->column_start,
                   xray->slab,
                   l->origin_u,
                   l->origin_v,
                   1.0 / l->spacing,
                   vec3_at(box_center(head->box), head->column_axis),
                   l->n_u,
                   l->n_v};
}

/* Winding number of a point that lies in the slab with the given number of column `first`. */
static int winding_at(const XRay *xray, Vec3 p, int slab, bool lowest)
{
  return (lowest ? 0 : xray->slab[slab - 1].winding) + winding_in_slab(xray, p, slab);
}

bool xray_contains(const XRay *xray, Vec3 p)
{
  const Columns c = xray_columns(xray);
  const int axis = xray->head->column_axis, u = axis == 2 ? 0 : axis + 1, v = u == 2 ? 0 : u + 1;
  const int column = columns_find(&c, vec3_at(p, u), vec3_at(p, v));
  if (column < 0) return false;
  const int first = c.start[column], end = c.start[column + 1];
  const double height = vec3_at(p, axis) - c.middle_w;
  int at = first;
  while (at < end && height > c.slab[at].hi) at++;
  if (at < end && height >= c.slab[at].lo) return winding_at(xray, p, at, at == first) != 0;
  return at > first && c.slab[at - 1].winding != 0;
}

/* Points are taken in pieces whose work arrays fit the stack and the first cache. */
#define PIECE 512

void xray_contains_many(const XRay *xray, int n, const double x[], const double y[],
                        const double z[], bool inside[])
{
  const Columns columns = xray_columns(xray);
  const int axis = xray->head->column_axis;
  const double *const of[3] = {x, y, z};
  const double *const u = of[(axis + 1) % 3], *const v = of[(axis + 2) % 3], *const w = of[axis];
  int doubtful[PIECE], slab[PIECE];
  for (int done = 0; done < n; done += PIECE) {
    const int piece = n - done < PIECE ? n - done : PIECE;
    const int n_doubtful = columns_contain(&columns, piece, u + done, v + done, w + done,
                                           inside + done, doubtful, slab);
    for (int k = 0; k < n_doubtful; k++) {
      const int i = done + doubtful[k];
      const int column = columns_find(&columns, u[i], v[i]);
      inside[i] =
          winding_at(xray, vec3(x[i], y[i], z[i]), slab[k], slab[k] == columns.start[column]) != 0;
    }
  }
}
