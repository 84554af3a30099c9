/*
 * How good are the cells of extruded layers?
 *
 * Volumes come from faces cut into fans around their lowest vertex, as the flow sees them.
 * Skewness is the deviation of face angles from those of an equal-sided face, 0 to 1.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "grid/extrude_impl.h"

/* Six times the volume under a face seen from o, cut around its lowest vertex. */
static double fan_volume6(const Extrusion *e, Vec3 o, int n, const int v[])
{
  int low = 0;
  for (int k = 1; k < n; k++)
    if (v[k] < v[low]) low = k;
  const Vec3 a = vec3_sub(e->vertex[v[low]], o);
  double sum = 0.0;
  for (int k = 1; k + 1 < n; k++) {
    const Vec3 b = vec3_sub(e->vertex[v[(low + k) % n]], o);
    const Vec3 c = vec3_sub(e->vertex[v[(low + k + 1) % n]], o);
    sum += vec3_dot(a, vec3_cross(b, c));
  }
  return sum;
}

/* Of the cell over the face with corners v and the same corners one layer up. */
static double cell_volume(const Extrusion *e, int n, const int v[])
{
  const int up = e->n_wall_vertices;
  const Vec3 o = e->vertex[v[0]];
  int low[4], high[4];
  double sum = 0.0;
  for (int k = 0; k < n; k++) {
    low[k] = v[n - 1 - k];
    high[k] = v[k] + up;
    const int next = v[(k + 1) % n];
    const int side[4] = {v[k], next, next + up, v[k] + up};
    sum += fan_volume6(e, o, 4, side);
  }
  return (sum + fan_volume6(e, o, n, low) + fan_volume6(e, o, n, high)) / 6.0;
}

static double face_skewness(const Extrusion *e, int n, const int v[])
{
  const double ideal = M_PI * (n - 2) / n;
  double worst = 0.0;
  for (int k = 0; k < n; k++) {
    const Vec3 x = e->vertex[v[k]];
    const Vec3 a = vec3_sub(e->vertex[v[(k + 1) % n]], x);
    const Vec3 b = vec3_sub(e->vertex[v[(k + n - 1) % n]], x);
    const double angle = atan2(vec3_norm(vec3_cross(a, b)), vec3_dot(a, b));
    const double off = angle > ideal ? (angle - ideal) / (M_PI - ideal) : (ideal - angle) / ideal;
    worst = PetscMax(worst, off);
  }
  return worst;
}

static double cell_skewness(const Extrusion *e, int n, const int v[])
{
  const int up = e->n_wall_vertices;
  int high[4];
  double worst = face_skewness(e, n, v);
  for (int k = 0; k < n; k++) {
    const int next = v[(k + 1) % n];
    const int side[4] = {v[k], next, next + up, v[k] + up};
    high[k] = v[k] + up;
    worst = PetscMax(worst, face_skewness(e, 4, side));
  }
  return PetscMax(worst, face_skewness(e, n, high));
}

static Vec3 middle(const Extrusion *e, int n, const int v[], int shift)
{
  Vec3 sum = {0, 0, 0};
  for (int k = 0; k < n; k++) sum = vec3_add(sum, e->vertex[v[k] + shift]);
  return vec3_scale(1.0 / n, sum);
}

/* Degrees between the normal of the lower face and the line between the middles. */
static double cell_slant(const Extrusion *e, int n, const int v[])
{
  const Vec3 along = vec3_sub(middle(e, n, v, e->n_wall_vertices), middle(e, n, v, 0));
  const Vec3 a = vec3_sub(e->vertex[v[1]], e->vertex[v[0]]);
  const Vec3 b = vec3_sub(e->vertex[v[2]], e->vertex[v[0]]);
  const Vec3 c = vec3_sub(e->vertex[v[n - 1]], e->vertex[v[1]]);
  const Vec3 normal = n == 3 ? vec3_cross(a, b) : vec3_cross(b, c);
  return atan2(vec3_norm(vec3_cross(normal, along)), vec3_dot(normal, along)) * 180.0 / M_PI;
}

static void take_lower(WorstPlace *extreme, double value, Vec3 at)
{
  if (!(value >= extreme->value)) *extreme = (WorstPlace){value, at};
}

static void take_higher(WorstPlace *extreme, double value, Vec3 at)
{
  if (!(value <= extreme->value)) *extreme = (WorstPlace){value, at};
}

static void measure_cell(const int face[4], int layer, Extrusion *e)
{
  ExtrusionQuality *q = &e->quality;
  const int n = face_corners(face);
  int v[4];
  for (int k = 0; k < n; k++) v[k] = face[k] + layer * e->n_wall_vertices;
  const Vec3 at = middle(e, n, v, 0);
  const double volume = cell_volume(e, n, v);
  q->volume += volume;
  take_lower(&q->smallest_volume, volume, at);
  take_higher(&q->worst_skewness, cell_skewness(e, n, v), at);
  take_higher(&q->worst_slant, cell_slant(e, n, v), at);
}

static void spread(double value, double range[3])
{
  range[0] = PetscMin(range[0], value);
  range[1] += value;
  range[2] = PetscMax(range[2], value);
}

static void measure_columns(const double limit[], Extrusion *e)
{
  ExtrusionQuality *q = &e->quality;
  const int n = e->n_wall_vertices;
  for (int v = 0; v < n; v++) {
    const Vec3 at = e->vertex[v];
    double thickness = 0.0, height = 0.0;
    for (int layer = 0; layer < e->n_layers; layer++) {
      const Vec3 *x = &e->vertex[v + (size_t)layer * n];
      height = vec3_distance(x[0], x[n]);
      take_lower(&q->thinnest_layer, height, x[0]);
      thickness += height;
    }
    take_lower(&q->thinnest, thickness, at);
    take_higher(&q->thickest, thickness, at);
    q->n_thinned += limit[v] < q->full_thickness;
    spread(height, q->outer_height);
  }
  q->outer_height[1] /= n;
}

/* Two prisms make a block; a hexahedron is one. */
static void measure_outer(const WallMesh *wall, Extrusion *e)
{
  ExtrusionQuality *q = &e->quality;
  for (int f = 0; f < e->n_faces; f++) {
    const int n = face_corners(wall->face[f]);
    int v[4];
    for (int k = 0; k < n; k++) v[k] = e->outer[f][k] - e->n_wall_vertices;
    e->outer_size[f] = cbrt(cell_volume(e, n, v) * (n == 3 ? 2.0 : 1.0));
    spread(e->outer_size[f], q->outer_size);
  }
  q->outer_size[1] /= e->n_faces;
}

PetscErrorCode ExtrusionMeasure(const WallMesh *wall, const double limit[], Extrusion *e)
{
  PetscFunctionBeginUser;
  ExtrusionQuality *q = &e->quality;
  const WorstPlace low = {INFINITY, {0, 0, 0}}, high = {-INFINITY, {0, 0, 0}};
  *q = (ExtrusionQuality){.first = q->first,
                          .full_thickness = q->full_thickness,
                          .smallest_volume = low,
                          .worst_skewness = high,
                          .worst_slant = high,
                          .thinnest_layer = low,
                          .thinnest = low,
                          .thickest = high,
                          .outer_size = {INFINITY, 0.0, 0.0},
                          .outer_height = {INFINITY, 0.0, 0.0}};
  for (int layer = 0; layer < e->n_layers; layer++)
    for (int f = 0; f < e->n_faces; f++) measure_cell(wall->face[f], layer, e);
  measure_columns(limit, e);
  measure_outer(wall, e);
  const Vec3 at = q->smallest_volume.at;
  PetscCheck(q->smallest_volume.value > 0.0, PETSC_COMM_WORLD, CAROM_ERR_MESH,
             "no layers fit at (%g, %g, %g): a cell would have the volume %g", at.x, at.y, at.z,
             q->smallest_volume.value);
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void describe(FILE *to, const char *what, WorstPlace extreme, const char *unit)
{
  fprintf(to, "%-16s %.6g%s at (%g, %g, %g)\n", what, extreme.value, unit, extreme.at.x,
          extreme.at.y, extreme.at.z);
}

void extrusion_describe(const Extrusion *e, FILE *to)
{
  const ExtrusionQuality *q = &e->quality;
  fprintf(to, "cells            %d (%d prisms, %d hexahedra) in %d layers\n",
          e->n_prisms + e->n_hexahedra, e->n_prisms, e->n_hexahedra, e->n_layers);
  fprintf(to, "vertices         %d, on the wall %d\n", e->n_vertices, e->n_wall_vertices);
  fprintf(to, "volume           %.9g\n", q->volume);
  fprintf(to, "first layer      %.6g\n", q->first);
  fprintf(to, "thickness        %.6g to %.6g, asked for %.6g; less over %d wall vertices\n",
          q->thinnest.value, q->thickest.value, q->full_thickness, q->n_thinned);
  describe(to, "thinnest layer", q->thinnest_layer, "");
  describe(to, "smallest volume", q->smallest_volume, "");
  describe(to, "worst skewness", q->worst_skewness, "");
  describe(to, "worst slant", q->worst_slant, " degrees");
  fprintf(to, "outer cells      %.6g to %.6g large, mean %.6g; their layer %.6g to %.6g high\n",
          q->outer_size[0], q->outer_size[2], q->outer_size[1], q->outer_height[0],
          q->outer_height[2]);
}
