#include "geom/divide.h"
#include "geom/primitive.h"
#include "geom/surface_impl.h"
#include "shapes.h"

static double longest_edge(const Surface *s)
{
  double longest = 0.0;
  for (int u = 0; u < 3 * s->n_triangles; u++)
    longest = fmax(longest, vec3_distance(s->vertex[use_from((const int(*)[3])s->triangle, u)],
                                          s->vertex[use_to((const int(*)[3])s->triangle, u)]));
  return longest;
}

static double area(const Surface *s)
{
  double sum = 0.0;
  for (int t = 0; t < s->n_triangles; t++)
    sum += 0.5 * vec3_norm(triangle_area2(s->vertex, s->triangle[t]));
  return sum;
}

/* Twice the smallest height over the longest edge of any triangle: 1.7 when equilateral. */
static double worst_shape(const Surface *s)
{
  double worst = INFINITY;
  for (int t = 0; t < s->n_triangles; t++) {
    double edge2 = 0.0;
    for (int k = 0; k < 3; k++)
      edge2 = fmax(edge2, vec3_norm2(vec3_sub(s->vertex[s->triangle[t][k]],
                                              s->vertex[s->triangle[t][(k + 1) % 3]])));
    worst = fmin(worst, 2.0 * vec3_norm(triangle_area2(s->vertex, s->triangle[t])) / edge2);
  }
  return worst;
}

static bool is_closed(const Surface *s)
{
  EdgeTable table;
  bool closed = true;
  const int(*t)[3] = (const int(*)[3])s->triangle;
  MustPass(EdgeTableCreate(s->n_vertices, s->n_triangles, t, &table));
  for (int e = 0; e < table.n_edges; e++) {
    const int *use = &table.use[table.start[e]];
    closed = closed && table.start[e + 1] - table.start[e] == 2 &&
             use_from(t, use[0]) == use_to(t, use[1]);
  }
  MustPass(EdgeTableDestroy(&table));
  return closed;
}

START_TEST(a_divided_surface_is_closed_and_has_no_edge_above_the_spacing)
{
  const double spacings[3] = {0.5, 0.21, 0.08};
  for (int k = 0; k < 3; k++) {
    Surface *s = NULL, *d = NULL;
    MustPass(TestSurfaceCreate((TestShape)_i, 0.6, &s));
    MustPass(SurfaceDivide(s, spacings[k], &d));
    ck_assert_msg(is_closed(d), "%s at %g is open", test_shape_name[_i], spacings[k]);
    ck_assert_double_le(longest_edge(d), spacings[k]);
    MustPass(SurfaceDestroy(&d));
    MustPass(SurfaceDestroy(&s));
  }
}
END_TEST

/* Turned diagonals bend the surface by no more than DIVIDE_FLAT, a thousandth. */
#define TOL_FLAT 1e-4

START_TEST(dividing_changes_neither_area_nor_volume)
{
  Surface *s = NULL, *d = NULL;
  MustPass(TestSurfaceCreate((TestShape)_i, 0.6, &s));
  MustPass(SurfaceDivide(s, 0.1, &d));
  ck_assert_double_le(fabs(area(d) - area(s)), TOL_FLAT * area(s));
  const double volume = surface_mass_properties(s).volume;
  ck_assert_double_le(fabs(surface_mass_properties(d).volume - volume), TOL_FLAT * volume);
  MustPass(SurfaceDestroy(&d));
  MustPass(SurfaceDestroy(&s));
}
END_TEST

START_TEST(needles_on_flat_faces_become_round)
{
  Surface *s = NULL, *d = NULL;
  const ShapeSpec disc = {
      .kind = SHAPE_CYLINDER, .radius = 1, .length = 0.5, .axis = {0, 0, 1}, .spacing = NAN};
  MustPass(PrimitiveCreate(&disc, &s));
  MustPass(SurfaceDivide(s, 0.06, &d));
  ck_assert_double_lt(worst_shape(s), 0.06);
  ck_assert_double_gt(worst_shape(d), 0.25);
  MustPass(SurfaceDestroy(&d));
  MustPass(SurfaceDestroy(&s));
}
END_TEST

START_TEST(a_spacing_that_would_fill_the_memory_is_refused)
{
  Surface *s = NULL, *d = NULL;
  MustPass(TestSurfaceCreate(TEST_BOX, 5.0, &s));
  MustFail(PETSC_ERR_USER_INPUT, SurfaceDivide(s, 1e-5, &d));
  MustPass(SurfaceDestroy(&s));
}
END_TEST

Suite *test_suite(void)
{
  Suite *suite = suite_create("geom/divide");
  TCase *tests = tcase_create("core");

  tcase_add_loop_test(tests, a_divided_surface_is_closed_and_has_no_edge_above_the_spacing, 0,
                      TEST_SHAPES);
  tcase_add_loop_test(tests, dividing_changes_neither_area_nor_volume, 0, TEST_SHAPES);
  tcase_add_test(tests, needles_on_flat_faces_become_round);
  tcase_add_test(tests, a_spacing_that_would_fill_the_memory_is_refused);
  suite_add_tcase(suite, tests);
  return suite;
}
