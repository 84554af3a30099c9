/*
 * How are cylinders, capsules and cones divided into triangles?
 *
 * Each is a profile turned about an axis. The profile runs upwards along the outside, from the
 * lower pole to the upper, in pieces that are lines or arcs; rings of vertices stand at equal
 * steps along every piece, and neighbouring rings of any two counts are zipped together by
 * always taking the diagonal that turns less. Rings at the joint of two pieces belong to both,
 * but corner normals follow the piece, so rims are creases. The ring step is tried out before
 * anything is stored, until no edge is longer than asked.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "geom/primitive_impl.h"

typedef struct {
  double r0, z0, r1, z1; /* the ends */
  double arc_radius;     /* 0: a line; otherwise an arc about (0, arc_z) */
  double arc_z;
  bool polygon; /* a flat cap made of nothing but its rim */
  int n_least;  /* vertices a ring has at least */
} Piece;

typedef struct {
  double r, z, phase;
  int n;     /* vertices; 1 at a pole */
  int first; /* id of the first vertex */
} Ring;

typedef struct {
  int n_pieces;
  Piece piece[3];
  int n_rings;
  Ring *ring;  /* owned */
  int last[3]; /* the ring a piece ends with; it starts with the last one of the piece before */
  Vec3 axis, u, v;
} Plan;

static double piece_length(const Piece *p)
{
  const double chord = hypot(p->r1 - p->r0, p->z1 - p->z0);
  return p->arc_radius > 0.0 ? 2.0 * p->arc_radius * asin(0.5 * chord / p->arc_radius) : chord;
}

/* Steps along a piece: rows of equilateral triangles with sides h. */
static double piece_steps(const Piece *p, double h)
{
  return p->polygon ? 0.0 : ceil(piece_length(p) / (sqrt(0.75) * h));
}

/* Vertices around a ring of radius r with sides of at most h. */
static double ring_count(double r, double h, int least)
{
  if (r <= 0.0) return 1.0;
  const double half = 0.5 * h / r;
  const double n = half < 1.0 ? ceil(M_PI / asin(half) - 1e-9) : 0.0;
  return n > least ? n : least;
}

/* The point a part s in [0, 1] along the piece; the ends are exact. */
static Ring point_on_piece(const Piece *p, double s)
{
  if (s == 1.0) return (Ring){.r = p->r1, .z = p->z1};
  if (p->arc_radius == 0.0)
    return (Ring){.r = p->r0 + s * (p->r1 - p->r0), .z = p->z0 + s * (p->z1 - p->z0)};
  const double from = atan2(p->z0 - p->arc_z, p->r0), to = atan2(p->z1 - p->arc_z, p->r1);
  const double angle = from + s * (to - from);
  return (Ring){.r = p->arc_radius * cos(angle), .z = p->arc_z + p->arc_radius * sin(angle)};
}

static double count_triangles(const Plan *plan, double h)
{
  double n = 0.0;
  for (int i = 0; i < plan->n_pieces; i++) {
    const Piece *p = &plan->piece[i];
    const double steps = piece_steps(p, h);
    for (int k = 0; k < 8; k++)
      n += steps / 8.0 * 2.0 * ring_count(point_on_piece(p, (k + 0.5) / 8.0).r, h, p->n_least);
  }
  return n;
}

/* At a joint the finer need of the two pieces counts. */
static int joint_least(const Plan *plan, int i)
{
  const int here = plan->piece[i].n_least;
  const int next = i + 1 < plan->n_pieces ? plan->piece[i + 1].n_least : 0;
  return here > next ? here : next;
}

static void place_rings(Plan *plan, double h)
{
  int n = 0;
  for (int i = 0; i < plan->n_pieces; i++) {
    const Piece *p = &plan->piece[i];
    const int steps = (int)piece_steps(p, h);
    const bool lower_polygon = p->polygon && i == 0;
    if (i == 0 && !p->polygon) plan->ring[n++] = (Ring){.r = p->r0, .z = p->z0};
    if (lower_polygon) plan->ring[n++] = (Ring){.r = p->r1, .z = p->z1};
    for (int k = 1; k <= steps; k++) plan->ring[n++] = point_on_piece(p, (double)k / steps);
    plan->last[i] = n - 1;
    const int first = i > 0 ? plan->last[i - 1] + 1 : 0;
    for (int k = first; k < n; k++) {
      const int least = k == n - 1 ? joint_least(plan, i) : p->n_least;
      plan->ring[k].n = (int)ring_count(plan->ring[k].r, h, least);
      plan->ring[k].phase = k % 2 == 0 ? 0.0 : M_PI / plan->ring[k].n;
    }
  }
  plan->n_rings = n;
}

static double ring_angle(const Ring *ring, int i)
{
  return ring->phase + 2.0 * M_PI * i / ring->n;
}

static double edge_length(const Ring *a, double angle_a, const Ring *b, double angle_b)
{
  const double s = 2.0 * sqrt(a->r * b->r) * sin(0.5 * (angle_b - angle_a));
  return sqrt((b->r - a->r) * (b->r - a->r) + (b->z - a->z) * (b->z - a->z) + s * s);
}

/* One step of zipping rings a and b: vertices i of a and j of b are joined. */
typedef struct {
  int i, j;
} Zip;

static int ring_steps(const Ring *ring)
{
  return ring->n > 1 ? ring->n : 0;
}

/* Does the next triangle take a side of a? Otherwise of b. */
static bool zip_takes_lower(const Ring *a, const Ring *b, Zip at)
{
  if (at.i == ring_steps(a)) return false;
  if (at.j == ring_steps(b)) return true;
  const double if_a = fabs(ring_angle(a, at.i + 1) - ring_angle(b, at.j));
  const double if_b = fabs(ring_angle(b, at.j + 1) - ring_angle(a, at.i));
  return if_a <= if_b;
}

static double longest_edge_between(const Ring *a, const Ring *b)
{
  double longest = 0.0;
  for (Zip at = {0, 0}; at.i < ring_steps(a) || at.j < ring_steps(b);) {
    if (zip_takes_lower(a, b, at))
      at.i++;
    else
      at.j++;
    const bool pole = a->n == 1 || b->n == 1;
    const double edge = pole ? edge_length(a, 0.0, b, 0.0)
                             : edge_length(a, ring_angle(a, at.i), b, ring_angle(b, at.j));
    longest = edge > longest ? edge : longest;
  }
  return longest;
}

static double longest_edge(const Plan *plan)
{
  double longest = 0.0;
  for (int k = 0; k < plan->n_rings; k++) {
    const Ring *ring = &plan->ring[k];
    const double side = ring->n > 1 ? 2.0 * ring->r * sin(M_PI / ring->n) : 0.0;
    longest = side > longest ? side : longest;
    const double step = k > 0 ? longest_edge_between(ring - 1, ring) : 0.0;
    longest = step > longest ? step : longest;
  }
  return longest;
}

/* Shrink the ring step until the longest edge obeys; the margin is for rounding. */
static PetscErrorCode PlanRings(Plan *plan, double spacing)
{
  PetscFunctionBeginUser;
  double h = spacing * (1.0 - 1e-12);
  for (;;) {
    PetscCall(PrimitiveCheckCount(count_triangles(plan, h), spacing));
    double n_most = 2.0;
    for (int i = 0; i < plan->n_pieces; i++) n_most += piece_steps(&plan->piece[i], h);
    PetscCall(PetscFree(plan->ring));
    PetscCall(PetscMalloc1((size_t)n_most, &plan->ring));
    place_rings(plan, h);
    const double longest = longest_edge(plan);
    if (longest <= spacing) break;
    h *= PetscMin(0.99, spacing / longest);
  }
  int n = 0;
  for (int k = 0; k < plan->n_rings; k++) {
    plan->ring[k].first = n;
    n += plan->ring[k].n;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static Vec3 turned(const Plan *plan, double r, double z, double angle)
{
  const Vec3 out = vec3_axpy(vec3_scale(cos(angle), plan->u), sin(angle), plan->v);
  return vec3_axpy(vec3_scale(r, out), z, plan->axis);
}

static Vec3 corner_normal(const Plan *plan, const Piece *p, const Ring *ring, double angle)
{
  if (p->arc_radius > 0.0) return vec3_unit(turned(plan, ring->r, ring->z - p->arc_z, angle));
  const double length = piece_length(p);
  return turned(plan, (p->z1 - p->z0) / length, (p->r0 - p->r1) / length, angle);
}

typedef struct {
  const Ring *ring;
  int i;
} Corner;

static void put_triangle(const Plan *plan, const Piece *p, Corner a, Corner b, Corner c, Surface *s)
{
  const Corner corner[3] = {a, b, c};
  const int t = s->n_triangles++;

  /* A pole has every direction: it takes the one between the other two corners. */
  double sum = 0.0;
  for (int k = 0; k < 3; k++)
    if (corner[k].ring->n > 1) sum += ring_angle(corner[k].ring, corner[k].i);
  for (int k = 0; k < 3; k++) {
    const Ring *ring = corner[k].ring;
    s->triangle[t][k] = ring->first + corner[k].i % ring->n;
    const double angle = ring->n > 1 ? ring_angle(ring, corner[k].i) : 0.5 * sum;
    s->normal[t][k] = corner_normal(plan, p, ring, angle);
  }
}

static void zip_rings(const Plan *plan, const Piece *p, const Ring *a, const Ring *b, Surface *s)
{
  for (Zip at = {0, 0}; at.i < ring_steps(a) || at.j < ring_steps(b);) {
    const Corner lower = {a, at.i}, upper = {b, at.j};
    if (zip_takes_lower(a, b, at)) {
      put_triangle(plan, p, lower, (Corner){a, ++at.i}, upper, s);
    } else {
      put_triangle(plan, p, lower, (Corner){b, ++at.j}, upper, s);
    }
  }
}

/* Halve the arc again and again, so that triangles are as round as a rim allows. */
static void fill_arc(const Plan *plan, const Piece *p, const Ring *ring, int from, int to,
                     bool upper, Surface *s)
{
  if (to - from < 2) return;
  const int mid = (from + to) / 2;
  const Corner a = {ring, from}, b = {ring, mid}, c = {ring, to};
  put_triangle(plan, p, a, upper ? b : c, upper ? c : b, s);
  fill_arc(plan, p, ring, from, mid, upper, s);
  fill_arc(plan, p, ring, mid, to, upper, s);
}

static void fill_polygon(const Plan *plan, const Piece *p, const Ring *ring, Surface *s)
{
  const bool upper = p->r0 > p->r1;
  const int n = ring->n, third = n / 3, rest = third + (n - third) / 2;
  const Corner a = {ring, 0}, b = {ring, third}, c = {ring, rest};
  put_triangle(plan, p, a, upper ? b : c, upper ? c : b, s);
  fill_arc(plan, p, ring, 0, third, upper, s);
  fill_arc(plan, p, ring, third, rest, upper, s);
  fill_arc(plan, p, ring, rest, n, upper, s);
}

static void fill_surface(const Plan *plan, Surface *s)
{
  for (int k = 0; k < plan->n_rings; k++) {
    const Ring *ring = &plan->ring[k];
    for (int i = 0; i < ring->n; i++)
      s->vertex[ring->first + i] = turned(plan, ring->r, ring->z, ring_angle(ring, i));
  }
  s->n_triangles = 0;
  for (int i = 0; i < plan->n_pieces; i++) {
    const Piece *p = &plan->piece[i];
    const int from = i > 0 ? plan->last[i - 1] : 0;
    if (p->polygon) fill_polygon(plan, p, &plan->ring[from], s);
    for (int k = from; k < plan->last[i]; k++)
      zip_rings(plan, p, &plan->ring[k], &plan->ring[k + 1], s);
  }
  s->box = surface_box(s);
}

static Plan plan_of(const ShapeSpec *spec)
{
  const double r = spec->radius, l = spec->length;
  const Vec3 axis = vec3_unit(spec->axis), u = vec3_normal_to(axis);
  const bool coarse = isnan(spec->spacing);
  const Piece foot = {0, 0, r, 0, .polygon = coarse, .n_least = 6};
  Plan plan = {.axis = axis, .u = u, .v = vec3_cross(axis, u), .n_pieces = 3};

  if (spec->kind == SHAPE_CONE) {
    plan.n_pieces = 2;
    plan.piece[0] = foot;
    plan.piece[1] = (Piece){r, 0, 0, l, .n_least = 12};
    return plan;
  }
  const double z = 0.5 * l;
  plan.piece[1] = (Piece){r, -z, r, z, .n_least = 6};
  if (spec->kind == SHAPE_CYLINDER) {
    plan.piece[0] = (Piece){0, -z, r, -z, .polygon = coarse, .n_least = 6};
    plan.piece[2] = (Piece){r, z, 0, z, .polygon = coarse, .n_least = 6};
  } else {
    plan.piece[0] = (Piece){0, -z - r, r, -z, .arc_radius = r, .arc_z = -z, .n_least = 6};
    plan.piece[2] = (Piece){r, z, 0, z + r, .arc_radius = r, .arc_z = z, .n_least = 6};
  }
  return plan;
}

PetscErrorCode RevolvedCreate(const ShapeSpec *spec, Surface **surface)
{
  PetscFunctionBeginUser;
  Plan plan = plan_of(spec);
  PetscCall(PlanRings(&plan, curved_spacing(spec)));

  /* A closed surface without handles has two triangles for each vertex, less four. */
  const Ring *top = &plan.ring[plan.n_rings - 1];
  const int n_vertices = top->first + top->n;
  PetscCall(SurfaceAllocate(n_vertices, 2 * n_vertices - 4, surface));
  fill_surface(&plan, *surface);
  PetscCheck((*surface)->n_triangles == 2 * n_vertices - 4, PETSC_COMM_SELF, PETSC_ERR_PLIB,
             "%d vertices but %d triangles", n_vertices, (*surface)->n_triangles);
  PetscCall(PetscFree(plan.ring));
  PetscFunctionReturn(PETSC_SUCCESS);
}
