#include "geom/primitive.h"
#include "geom/surface_impl.h"
#include "support.h"

enum { N_SHAPES = 7, N_SPACINGS = 4 };

static const Vec3 slanted = {1.0, -2.0, 0.5};

static const ShapeSpec shapes[N_SHAPES] = {
    {.kind = SHAPE_SPHERE, .radius = 1.3},
    {.kind = SHAPE_BOX, .size = {1.0, 2.0, 0.4}},
    {.kind = SHAPE_CYLINDER, .radius = 1.0, .length = 1.5, .axis = {1.0, -2.0, 0.5}},
    {.kind = SHAPE_CAPSULE, .radius = 0.5, .length = 2.0, .axis = {0, 0, 1}},
    {.kind = SHAPE_CONE, .radius = 1.0, .length = 2.0, .axis = {1.0, -2.0, 0.5}},
    {.kind = SHAPE_CONE, .radius = 0.2, .length = 3.0, .axis = {-1, 0, 0}},
    {.kind = SHAPE_CYLINDER, .radius = 1.0, .length = 0.01, .axis = {0, 3, 0}},
};
static const double spacings[N_SPACINGS] = {NAN, 0.1, 0.23, 10.0};

static Surface *make(int shape, double spacing)
{
  ShapeSpec spec = shapes[shape];
  spec.spacing = spacing;
  Surface *surface = NULL;
  MustPass(PrimitiveCreate(&spec, &surface));
  return surface;
}

static double longest_edge(const Surface *s)
{
  double longest = 0.0;
  for (int u = 0; u < 3 * s->n_triangles; u++) {
    const double edge = vec3_distance(s->vertex[use_from((const int(*)[3])s->triangle, u)],
                                      s->vertex[use_to((const int(*)[3])s->triangle, u)]);
    longest = edge > longest ? edge : longest;
  }
  return longest;
}

/* Distance along and across the axis. */
static void axial(const ShapeSpec *spec, Vec3 p, double *z, double *r)
{
  const Vec3 a = vec3_unit(spec->axis);
  *z = vec3_dot(p, a);
  *r = vec3_norm(vec3_axpy(p, -*z, a));
}

/* How far p is off the exact surface; zero on it. */
static double off_shape(const ShapeSpec *spec, Vec3 p)
{
  double z = 0, r = 0;
  const double l = spec->length, radius = spec->radius;
  switch (spec->kind) {
  case SHAPE_SPHERE:
    return fabs(vec3_norm(p) - radius);
  case SHAPE_BOX: {
    const double x = fabs(p.x) - spec->size.x / 2, y = fabs(p.y) - spec->size.y / 2;
    return fabs(fmax(fmax(x, y), fabs(p.z) - spec->size.z / 2));
  }
  case SHAPE_CYLINDER:
    axial(spec, p, &z, &r);
    return fabs(fmax(r - radius, fabs(z) - l / 2));
  case SHAPE_CAPSULE:
    axial(spec, p, &z, &r);
    return fabs(hypot(r, fmax(fabs(z) - l / 2, 0.0)) - radius);
  default:
    axial(spec, p, &z, &r);
    return fmin(fabs(r - radius * (1 - z / l)), fabs(z));
  }
}

START_TEST(every_primitive_is_closed_and_each_edge_runs_once_each_way)
{
  for (int k = 0; k < N_SHAPES * N_SPACINGS; k++) {
    Surface *s = make(k / N_SPACINGS, spacings[k % N_SPACINGS]);
    const int(*triangle)[3] = (const int(*)[3])s->triangle;
    EdgeTable edges;
    MustPass(EdgeTableCreate(s->n_vertices, s->n_triangles, triangle, &edges));
    for (int e = 0; e < edges.n_edges; e++) {
      ck_assert_int_eq(edges.start[e + 1] - edges.start[e], 2);
      const int a = edges.use[edges.start[e]], b = edges.use[edges.start[e] + 1];
      ck_assert_int_eq(use_from(triangle, a), use_to(triangle, b));
    }
    ck_assert_int_eq(2 * edges.n_edges, 3 * s->n_triangles);
    ck_assert_int_eq(s->n_vertices - edges.n_edges + s->n_triangles, 2);
    MustPass(EdgeTableDestroy(&edges));
    MustPass(SurfaceDestroy(&s));
  }
}
END_TEST

START_TEST(no_edge_is_longer_than_the_spacing)
{
  for (int k = 0; k < N_SHAPES * N_SPACINGS; k++) {
    const double spacing = spacings[k % N_SPACINGS];
    if (isnan(spacing)) continue;
    Surface *s = make(k / N_SPACINGS, spacing);
    ck_assert_double_le(longest_edge(s), spacing * (1 + 1e-12));
    MustPass(SurfaceDestroy(&s));
  }
}
END_TEST

START_TEST(without_a_spacing_curved_parts_take_a_twentieth_and_flat_ones_their_outline)
{
  Surface *sphere = make(0, NAN), *box = make(1, NAN), *cylinder = make(2, NAN);
  ck_assert_double_le(longest_edge(sphere), 1.3 / 20);
  ck_assert_double_ge(longest_edge(sphere), 0.9 * 1.3 / 20);
  ck_assert_int_eq(box->n_triangles, 12);

  int inner = 0;
  for (int v = 0; v < cylinder->n_vertices; v++) {
    double z = 0, r = 0;
    axial(&shapes[2], cylinder->vertex[v], &z, &r);
    inner += r < 0.999;
  }
  ck_assert_int_eq(inner, 0);
  MustPass(SurfaceDestroy(&sphere));
  MustPass(SurfaceDestroy(&box));
  MustPass(SurfaceDestroy(&cylinder));
}
END_TEST

START_TEST(all_vertices_lie_on_the_exact_shape)
{
  for (int k = 0; k < N_SHAPES * N_SPACINGS; k++) {
    Surface *s = make(k / N_SPACINGS, spacings[k % N_SPACINGS]);
    for (int v = 0; v < s->n_vertices; v++)
      ck_assert_double_le(off_shape(&shapes[k / N_SPACINGS], s->vertex[v]), TOL_ROUND(4));
    MustPass(SurfaceDestroy(&s));
  }
}
END_TEST

/* The outward gradient of the exact shape at p, on the side where the triangle lies. */
static Vec3 exact_normal(const ShapeSpec *spec, Vec3 p, Vec3 middle)
{
  const Vec3 a = vec3_unit(spec->axis);
  const double l = spec->length, zm = vec3_dot(middle, a);
  const Vec3 across = vec3_axpy(p, -vec3_dot(p, a), a);
  if (spec->kind == SHAPE_SPHERE) return vec3_unit(p);
  if (spec->kind == SHAPE_CAPSULE) {
    const double z = vec3_dot(p, a), near = fmax(-l / 2, fmin(l / 2, z));
    return vec3_unit(vec3_axpy(p, -near, a));
  }
  const double low = spec->kind == SHAPE_CONE ? 0.0 : -l / 2,
               high = spec->kind == SHAPE_CONE ? INFINITY : l / 2;
  if (fabs(zm - low) < 1e-9) return vec3_scale(-1, a);
  if (fabs(zm - high) < 1e-9) return a;
  if (spec->kind == SHAPE_CYLINDER) return vec3_unit(across);
  return vec3_unit(vec3_axpy(vec3_scale(l, vec3_unit(across)), spec->radius, a));
}

START_TEST(corner_normals_are_those_of_the_exact_shape_on_each_side_of_a_rim)
{
  for (int k = 0; k < N_SHAPES * N_SPACINGS; k++) {
    const ShapeSpec *spec = &shapes[k / N_SPACINGS];
    Surface *s = make(k / N_SPACINGS, spacings[k % N_SPACINGS]);
    for (int c = 0; c < 3 * s->n_triangles; c++) {
      const int *t = s->triangle[c / 3];
      const Vec3 p = s->vertex[t[c % 3]], n = s->normal[c / 3][c % 3];
      const Vec3 flat = vec3_unit(triangle_area2(s->vertex, t));
      ck_assert_double_le(fabs(vec3_norm(n) - 1), TOL_ROUND(1));
      ck_assert_double_gt(vec3_dot(n, flat), 0.0);
      double z = 0, r = 1;
      if (spec->kind != SHAPE_SPHERE && spec->kind != SHAPE_BOX) axial(spec, p, &z, &r);
      if (spec->kind == SHAPE_CONE && z > 0.999999 * spec->length) continue;
      const Vec3 middle = vec3_scale(
          1.0 / 3, vec3_add(s->vertex[t[0]], vec3_add(s->vertex[t[1]], s->vertex[t[2]])));
      const Vec3 wanted = spec->kind == SHAPE_BOX ? flat : exact_normal(spec, p, middle);
      ck_assert_double_le(vec3_distance(n, wanted), 1e-12);
    }
    MustPass(SurfaceDestroy(&s));
  }
}
END_TEST

static double mass_error(const MassProperties *a, const MassProperties *b)
{
  double error = fabs(a->volume - b->volume) / b->volume + vec3_distance(a->center, b->center);
  for (int i = 0; i < 9; i++)
    error += fabs(a->inertia.m[i / 3][i % 3] - b->inertia.m[i / 3][i % 3]);
  return error;
}

START_TEST(mass_properties_of_the_triangles_converge_to_the_exact_ones_at_second_order)
{
  for (int k = 0; k < N_SHAPES; k++) {
    double error[3];
    for (int level = 0; level < 3; level++) {
      ShapeSpec spec = shapes[k];
      spec.spacing = 0.16 / (1 << level) * (spec.kind == SHAPE_CONE ? 0.5 * spec.radius : 1);
      Surface *s = make(k, spec.spacing);
      const MassProperties got = surface_mass_properties(s);
      const MassProperties exact = primitive_mass_properties(&spec);
      error[level] = mass_error(&got, &exact);
      MustPass(SurfaceDestroy(&s));
    }
    if (shapes[k].kind == SHAPE_BOX)
      ck_assert_double_le(error[2], 1e-12);
    else
      ck_assert_double_ge(log2(error[0] / error[2]) / 2, 1.8);
  }
}
END_TEST

START_TEST(triangles_of_a_sphere_are_well_shaped)
{
  Surface *s = make(0, 0.1);
  for (int t = 0; t < s->n_triangles; t++) {
    const Vec3 a = s->vertex[s->triangle[t][0]], b = s->vertex[s->triangle[t][1]],
               c = s->vertex[s->triangle[t][2]];
    const double p = vec3_distance(a, b), q = vec3_distance(b, c), r = vec3_distance(c, a);
    ck_assert_double_le(fmax(p, fmax(q, r)) / fmin(p, fmin(q, r)), 1.3);
  }
  MustPass(SurfaceDestroy(&s));
}
END_TEST

START_TEST(a_spacing_far_too_fine_is_refused_before_memory_is_taken)
{
  for (int k = 0; k < N_SHAPES; k++) {
    for (int e = 0; e < 3; e++) {
      ShapeSpec spec = shapes[k];
      spec.spacing = (double[]){1e-5, 1e-14, 1e-300}[e];
      Surface *s = NULL;
      MustFail(PETSC_ERR_USER_INPUT, PrimitiveCreate(&spec, &s));
      ck_assert_ptr_null(s);
    }
  }
  const ShapeSpec needle = {
      .kind = SHAPE_CYLINDER, .radius = 1e-12, .length = 1, .axis = {0, 0, 1}, .spacing = 1e-8};
  Surface *s = NULL;
  MustFail(PETSC_ERR_USER_INPUT, PrimitiveCreate(&needle, &s));
}
END_TEST

START_TEST(a_closed_form_holds_for_an_axis_in_any_direction)
{
  const ShapeSpec straight = {.kind = SHAPE_CONE, .radius = 1, .length = 2, .axis = {0, 0, 3}};
  ShapeSpec turned = straight;
  turned.axis = slanted;
  const Vec3 a = vec3_unit(slanted), u = vec3_normal_to(a), v = vec3_cross(a, u);
  const Mat3 r = {{{u.x, v.x, a.x}, {u.y, v.y, a.y}, {u.z, v.z, a.z}}};
  const MassProperties from = primitive_mass_properties(&straight);
  const MassProperties to = primitive_mass_properties(&turned);
  const Mat3 wanted = mat3_rotate_tensor(&r, &from.inertia);
  ck_assert_double_le(vec3_distance(to.center, mat3_apply(&r, from.center)), TOL_ROUND(1));
  for (int i = 0; i < 9; i++)
    ck_assert_double_le(fabs(to.inertia.m[i / 3][i % 3] - wanted.m[i / 3][i % 3]), TOL_ROUND(1));
}
END_TEST

Suite *test_suite(void)
{
  Suite *suite = suite_create("geom/primitive");
  TCase *tests = tcase_create("core");

  tcase_add_test(tests, every_primitive_is_closed_and_each_edge_runs_once_each_way);
  tcase_add_test(tests, no_edge_is_longer_than_the_spacing);
  tcase_add_test(tests,
                 without_a_spacing_curved_parts_take_a_twentieth_and_flat_ones_their_outline);
  tcase_add_test(tests, all_vertices_lie_on_the_exact_shape);
  tcase_add_test(tests, corner_normals_are_those_of_the_exact_shape_on_each_side_of_a_rim);
  tcase_add_test(tests,
                 mass_properties_of_the_triangles_converge_to_the_exact_ones_at_second_order);
  tcase_add_test(tests, triangles_of_a_sphere_are_well_shaped);
  tcase_add_test(tests, a_spacing_far_too_fine_is_refused_before_memory_is_taken);
  tcase_add_test(tests, a_closed_form_holds_for_an_axis_in_any_direction);
  suite_add_tcase(suite, tests);
  return suite;
}
