#include "base/pose.h"
#include "geom/primitive.h"
#include "geom/surface_check.h"
#include "support.h"

#include <string.h>

enum { MOST = 20000 };

/* Triangles one after the other, each with three vertices of its own, as in STL. */
typedef struct {
  int n;
  Vec3 corner[MOST][3];
} Soup;

static Soup soup; /* too large for the stack */

static void add_triangle(Vec3 a, Vec3 b, Vec3 c)
{
  soup.corner[soup.n][0] = a;
  soup.corner[soup.n][1] = b;
  soup.corner[soup.n++][2] = c;
}

static void add_surface(ShapeSpec spec, Vec3 at, bool inverted)
{
  Surface *s = NULL;
  MustPass(PrimitiveCreate(&spec, &s));
  for (int t = 0; t < s->n_triangles; t++) {
    const int *v = s->triangle[t];
    const Vec3 a = vec3_add(s->vertex[v[0]], at), b = vec3_add(s->vertex[v[1]], at),
               c = vec3_add(s->vertex[v[2]], at);
    add_triangle(a, inverted ? c : b, inverted ? b : c);
  }
  MustPass(SurfaceDestroy(&s));
}

static void add_cube(double size, Vec3 at, bool inverted)
{
  add_surface((ShapeSpec){.kind = SHAPE_BOX, .size = {size, size, size}, .spacing = NAN}, at,
              inverted);
}

static void start(void)
{
  soup.n = 0;
}

static SurfaceReport check_with(double tolerance, Surface **surface)
{
  Triangles raw = {0};
  MustPass(TrianglesCreate(3 * soup.n, soup.n, &raw));
  for (int c = 0; c < 3 * soup.n; c++) {
    raw.vertex[c] = soup.corner[c / 3][c % 3];
    raw.triangle[c / 3][c % 3] = c;
  }
  SurfaceReport report;
  MustPass(SurfaceCheck(&raw, tolerance, &report, surface));
  MustPass(TrianglesDestroy(&raw));
  return report;
}

static SurfaceReport check(Surface **surface)
{
  return check_with(NAN, surface);
}

/* Check what is in the soup, want it sound with this volume. */
static SurfaceReport want_volume(double volume)
{
  Surface *s = NULL;
  const SurfaceReport report = check(&s);
  ck_assert(surface_report_is_sound(&report));
  ck_assert_double_le(fabs(surface_mass_properties(s).volume - volume), TOL_SUM(100, volume));
  char defect[256];
  surface_report_defect(&report, defect, sizeof defect);
  ck_assert_str_eq(defect, "");
  MustPass(SurfaceDestroy(&s));
  return report;
}

static SurfaceReport want_defect(void)
{
  Surface *s = NULL;
  const SurfaceReport report = check(&s);
  ck_assert(!surface_report_is_sound(&report));
  char defect[256];
  surface_report_defect(&report, defect, sizeof defect);
  ck_assert_str_ne(defect, "");
  MustPass(SurfaceDestroy(&s));
  return report;
}

START_TEST(a_cube_of_loose_triangles_becomes_eight_vertices)
{
  start();
  add_cube(1, vec3(5, 0, 0), false);
  Surface *s = NULL;
  const SurfaceReport r = check(&s);
  ck_assert_int_eq(s->n_vertices, 8);
  ck_assert_int_eq(s->n_triangles, 12);
  ck_assert_int_eq(r.n_welded, 28);
  ck_assert_int_eq(r.n_shells, 1);
  ck_assert_int_eq(r.inverted.n + r.dropped.n + r.paired.n + r.overlap.n + r.n_cavities, 0);
  ck_assert_double_le(fabs(r.area - 6), TOL_ROUND(6));
  ck_assert_double_le(fabs(r.longest_edge - sqrt(2)) + fabs(r.shortest_edge - 1), TOL_ROUND(8));
  MustPass(SurfaceDestroy(&s));
}
END_TEST

START_TEST(vertices_within_the_tolerance_are_one_and_others_are_not)
{
  Random r = random_seeded(21);
  start();
  add_surface((ShapeSpec){.kind = SHAPE_SPHERE, .radius = 1, .spacing = 0.2}, vec3(1, 2, 3), false);
  for (int c = 0; c < 3 * soup.n; c++) {
    Vec3 *p = &soup.corner[c / 3][c % 3];
    *p = vec3_axpy(*p, 1e-4, vec3(random_unit(&r), random_unit(&r), random_unit(&r)));
  }
  Surface *s = NULL;
  SurfaceReport report = check_with(3e-4, &s);
  ck_assert(surface_report_is_sound(&report));
  ck_assert_int_eq(s->n_vertices, soup.n / 2 + 2);
  MustPass(SurfaceDestroy(&s));
  report = check_with(1e-6, &s);
  ck_assert(!surface_report_is_sound(&report));
  ck_assert_int_eq(report.open.n, 3 * soup.n);
  MustPass(SurfaceDestroy(&s));
}
END_TEST

START_TEST(a_missing_triangle_is_three_open_edges_with_a_place)
{
  start();
  add_cube(1, vec3(0, 0, 0), false);
  const Vec3 *gone = soup.corner[--soup.n];
  const SurfaceReport r = want_defect();
  ck_assert_int_eq(r.open.n, 3);
  double nearest = INFINITY;
  for (int k = 0; k < 3; k++) {
    const Vec3 middle = vec3_scale(0.5, vec3_add(gone[k], gone[(k + 1) % 3]));
    nearest = fmin(nearest, vec3_distance(middle, r.open.at));
  }
  ck_assert_double_le(nearest, TOL_ROUND(1));
}
END_TEST

START_TEST(one_turned_triangle_is_inconsistent_orientation)
{
  start();
  add_cube(1, vec3(0, 0, 0), false);
  const Vec3 swap = soup.corner[4][1];
  soup.corner[4][1] = soup.corner[4][2];
  soup.corner[4][2] = swap;
  const SurfaceReport r = want_defect();
  ck_assert_int_eq(r.twisted.n, 3);
  ck_assert_int_eq(r.open.n + r.unbalanced.n, 0);
}
END_TEST

START_TEST(a_triangle_given_twice_does_not_balance)
{
  start();
  add_cube(1, vec3(0, 0, 0), false);
  add_triangle(soup.corner[3][0], soup.corner[3][1], soup.corner[3][2]);
  const SurfaceReport r = want_defect();
  ck_assert_int_eq(r.unbalanced.n, 3);
}
END_TEST

START_TEST(an_inverted_cube_is_turned_and_noted)
{
  start();
  add_cube(1, vec3(0, 0, 0), true);
  const SurfaceReport r = want_volume(1.0);
  ck_assert(r.inverted_whole);
  ck_assert_int_eq(r.inverted.n, 1);
  ck_assert_int_eq(r.n_cavities, 0);
}
END_TEST

START_TEST(an_inner_shell_of_opposite_orientation_is_a_cavity)
{
  start();
  add_cube(2, vec3(0, 0, 0), false);
  add_cube(1, vec3(0.2, 0, 0), true);
  const SurfaceReport r = want_volume(7.0);
  ck_assert_int_eq(r.n_shells, 2);
  ck_assert_int_eq(r.n_cavities, 1);
  ck_assert_int_eq(r.inverted.n, 0);
}
END_TEST

START_TEST(a_cube_with_cavity_given_inside_out_keeps_its_cavity_and_the_ball_in_it)
{
  start();
  add_cube(2, vec3(0, 0, 0), true);
  add_cube(1, vec3(0.2, 0, 0), false);
  add_cube(0.5, vec3(0.2, 0, 0), true);
  const SurfaceReport r = want_volume(7.125);
  ck_assert(r.inverted_whole);
  ck_assert_int_eq(r.n_shells, 3);
  ck_assert_int_eq(r.n_cavities, 1);
}
END_TEST

START_TEST(two_disjoint_shells_are_counted_and_only_the_inverted_one_is_turned)
{
  start();
  add_cube(1, vec3(0, 0, 0), false);
  add_cube(1, vec3(3, 0, 0), true);
  const SurfaceReport r = want_volume(2.0);
  ck_assert_int_eq(r.n_shells, 2);
  ck_assert_int_eq(r.inverted.n, 1);
  ck_assert(!r.inverted_whole);
  ck_assert_double_gt(r.inverted.at.x, 2.0);
}
END_TEST

START_TEST(two_cubes_may_share_an_edge_or_a_corner)
{
  start();
  add_cube(1, vec3(0, 0, 0), false);
  add_cube(1, vec3(1, 1, 0), false);
  add_cube(1, vec3(-1, -1, -1), false);
  const SurfaceReport r = want_volume(3.0);
  ck_assert_int_eq(r.n_shells, 3);
  ck_assert_int_eq(r.overlap.n, 0);
}
END_TEST

START_TEST(the_common_face_of_two_cubes_leaves)
{
  start();
  add_cube(1, vec3(0, 0, 0), false);
  const int first = soup.n;
  for (int t = 0; t < first; t++) {
    Vec3 p[3];
    for (int k = 0; k < 3; k++) {
      p[k] = soup.corner[t][k];
      p[k].x = 1.0 - p[k].x;
    }
    add_triangle(p[0], p[2], p[1]);
  }
  const SurfaceReport r = want_volume(2.0);
  ck_assert_int_eq(r.paired.n, 2);
  ck_assert_int_eq(r.n_shells, 1);
}
END_TEST

START_TEST(triangles_without_area_are_dropped_and_counted_without_a_hole)
{
  start();
  add_cube(1, vec3(0, 0, 0), false);
  const Vec3 *t = soup.corner[7];
  add_triangle(t[0], t[0], t[1]);
  add_triangle(t[2], t[2], t[2]);
  const SurfaceReport r = want_volume(1.0);
  ck_assert_int_eq(r.dropped.n, 2);
}
END_TEST

/* An edge of triangle 0 gets a vertex on one side, and a triangle without area fills the crack. */
START_TEST(a_crack_filler_leaves_by_cutting_its_neighbour)
{
  start();
  add_cube(1, vec3(0, 0, 0), false);
  Vec3 *t = soup.corner[0];
  const Vec3 a = t[0], b = t[1], c = t[2], m = vec3_axpy(a, 0.3, vec3_sub(b, a));
  t[1] = m;
  add_triangle(m, b, c);
  const SurfaceReport before = want_defect();
  ck_assert_int_eq(before.open.n, 3);
  add_triangle(a, b, m);
  Surface *s = NULL;
  const SurfaceReport r = check(&s);
  ck_assert(surface_report_is_sound(&r));
  ck_assert_int_eq(r.dropped.n, 1);
  ck_assert_int_eq(r.flat.n, 0);
  ck_assert_int_eq(s->n_triangles, 14);
  ck_assert_double_le(fabs(surface_mass_properties(s).volume - 1), TOL_SUM(100, 1));
  MustPass(SurfaceDestroy(&s));
}
END_TEST

START_TEST(a_stray_triangle_without_area_leaves)
{
  start();
  add_cube(1, vec3(0, 0, 0), false);
  add_triangle(vec3(0, 0, 0.1), vec3(0, 0, 0.2), vec3(0, 0, 0.35));
  const SurfaceReport r = want_volume(1.0);
  ck_assert_int_eq(r.dropped.n, 1);
}
END_TEST

START_TEST(what_is_empty_or_not_finite_or_smaller_than_its_tolerance_is_refused)
{
  start();
  SurfaceReport r = want_defect();
  ck_assert_int_eq(r.n_given, 0);

  add_cube(1, vec3(0, 0, 0), false);
  soup.corner[5][1].y = NAN;
  soup.corner[6][1].x = INFINITY;
  soup.corner[7][1].x = 1e200;
  r = want_defect();
  ck_assert_int_eq(r.n_not_finite, 3);
  ck_assert_int_eq(r.first_not_finite, 5);

  start();
  add_cube(1, vec3(0, 0, 0), false);
  Surface *s = NULL;
  r = check_with(10.0, &s);
  ck_assert_ptr_null(s);
  ck_assert(!surface_report_is_sound(&r));
  ck_assert_int_eq(r.dropped.n, 12);
}
END_TEST

START_TEST(a_shell_buried_in_the_solid_leaves)
{
  start();
  add_cube(2, vec3(0, 0, 0), false);
  add_cube(1, vec3(0.2, 0.1, 0), false);
  const SurfaceReport r = want_volume(8.0);
  ck_assert_int_eq(r.buried.n, 1);
  ck_assert_int_eq(r.n_shells, 1);
  ck_assert_int_eq(r.overlap.n, 0);
}
END_TEST

START_TEST(shells_that_touch_do_not_overlap)
{
  start();
  add_cube(1, vec3(0, 0, 0), false);
  add_cube(1, vec3(1, 1, 0.5), false);
  add_cube(1, vec3(-1, 0.3, 0.2), false);
  add_cube(0.5, vec3(0.1, -0.75, 0.2), false);
  const SurfaceReport r = want_volume(3.125);
  ck_assert_int_eq(r.overlap.n, 0);
}
END_TEST

START_TEST(shells_that_cut_each_other_are_trimmed_and_noted)
{
  const Vec3 offsets[] = {{0.5, 0.5, 0.5}, {0.1, 0.2, 0.3}, {0.5, 0, 0.25}, {0.5, 0, 0}};
  for (int k = 0; k < 4; k++) {
    start();
    add_cube(1, vec3(0, 0, 0), false);
    add_cube(1, offsets[k], false);
    const Vec3 o = offsets[k];
    const SurfaceReport r = want_volume(2.0 - (1 - o.x) * (1 - o.y) * (1 - o.z));
    ck_assert(surface_report_has_mass(&r) && r.trimmed);
    ck_assert_int_eq(r.overlap.n, 1);
  }
}
END_TEST

START_TEST(a_shell_that_pokes_out_of_another_is_not_buried_in_it)
{
  start();
  add_surface((ShapeSpec){.kind = SHAPE_SPHERE, .radius = 1, .spacing = 0.2}, vec3(0, 0, 0), false);
  add_cube(1.2, vec3(0, 0, 0), false);
  Surface *s = NULL;
  const SurfaceReport r = check(&s);
  ck_assert_int_eq(r.overlap.n, 1);
  ck_assert_int_eq(r.buried.n, 0);
  ck_assert_int_eq(r.n_shells, 2);
  /* The corners of the cube are the outermost points. */
  double farthest = 0.0;
  for (int v = 0; v < s->n_vertices; v++) farthest = fmax(farthest, vec3_norm(s->vertex[v]));
  ck_assert_double_le(fabs(farthest - 0.6 * sqrt(3)), TOL_ROUND(1));
  MustPass(SurfaceDestroy(&s));
}
END_TEST

START_TEST(a_report_prints_counts_mass_and_defects)
{
  start();
  add_cube(2, vec3(1, 0, 0), true);
  Surface *s = NULL;
  SurfaceReport r = check(&s);
  char text[4096] = "";
  FILE *to = fmemopen(text, sizeof text, "w");
  surface_describe(s, &r, to);
  fclose(to);
  ck_assert_ptr_nonnull(strstr(text, "triangles        12 (12 given)"));
  ck_assert_ptr_nonnull(strstr(text, "volume           8\n"));
  ck_assert_ptr_nonnull(strstr(text, "centroid         1 0 0\n"));
  ck_assert_ptr_nonnull(strstr(text, "inside out as a whole, turned"));
  ck_assert_ptr_nonnull(strstr(text, "defects          none"));
  MustPass(SurfaceDestroy(&s));

  soup.n--;
  r = check(&s);
  to = fmemopen(text, sizeof text, "w");
  surface_describe(s, &r, to);
  fclose(to);
  ck_assert_ptr_nonnull(strstr(text, "defect           3 open edges"));
  MustPass(SurfaceDestroy(&s));
}
END_TEST

Suite *test_suite(void)
{
  Suite *suite = suite_create("geom/surface_check");
  TCase *tests = tcase_create("core");

  tcase_add_test(tests, a_cube_of_loose_triangles_becomes_eight_vertices);
  tcase_add_test(tests, vertices_within_the_tolerance_are_one_and_others_are_not);
  tcase_add_test(tests, a_missing_triangle_is_three_open_edges_with_a_place);
  tcase_add_test(tests, one_turned_triangle_is_inconsistent_orientation);
  tcase_add_test(tests, a_triangle_given_twice_does_not_balance);
  tcase_add_test(tests, an_inverted_cube_is_turned_and_noted);
  tcase_add_test(tests, an_inner_shell_of_opposite_orientation_is_a_cavity);
  tcase_add_test(tests, a_cube_with_cavity_given_inside_out_keeps_its_cavity_and_the_ball_in_it);
  tcase_add_test(tests, two_disjoint_shells_are_counted_and_only_the_inverted_one_is_turned);
  tcase_add_test(tests, two_cubes_may_share_an_edge_or_a_corner);
  tcase_add_test(tests, the_common_face_of_two_cubes_leaves);
  tcase_add_test(tests, triangles_without_area_are_dropped_and_counted_without_a_hole);
  tcase_add_test(tests, a_crack_filler_leaves_by_cutting_its_neighbour);
  tcase_add_test(tests, a_stray_triangle_without_area_leaves);
  tcase_add_test(tests, what_is_empty_or_not_finite_or_smaller_than_its_tolerance_is_refused);
  tcase_add_test(tests, a_shell_buried_in_the_solid_leaves);
  tcase_add_test(tests, shells_that_touch_do_not_overlap);
  tcase_add_test(tests, shells_that_cut_each_other_are_trimmed_and_noted);
  tcase_add_test(tests, a_shell_that_pokes_out_of_another_is_not_buried_in_it);
  tcase_add_test(tests, a_report_prints_counts_mass_and_defects);
  suite_add_tcase(suite, tests);
  return suite;
}
