#include "geom/xray.h"
#include "shapes.h"

#include <stdlib.h>
#include <string.h>

static const XRaySpec by_itself = {NAN, NAN};

/* A point far from or near to the surface, or right above a vertex. */
static Vec3 query_point(Random *r, const Surface *s)
{
  const double kind = random_unit(r);
  if (kind < 0.3) return vec3_add(box_center(s->box), random_point(r, 1.3));
  int t;
  const Vec3 on = random_surface_point(r, s, &t);
  if (kind < 0.4) {
    const Vec3 v = s->vertex[s->triangle[t][0]];
    return kind < 0.35 ? vec3(v.x, v.y, on.z + 0.3) : vec3(v.x, on.y, v.z);
  }
  const double away = pow(10.0, random_in(r, -11.0, -0.5));
  return vec3_add(on, random_point(r, away));
}

/* Number of inside tests that disagree with the solid angle, away from the surface. */
static int wrong_inside(const Surface *s, const XRay *x, int n, uint64_t seed)
{
  Random r = random_seeded(seed);
  int wrong = 0;
  for (int k = 0; k < n; k++) {
    const Vec3 p = query_point(&r, s);
    const bool inside = xray_contains(x, p);
    if (inside == (brute_winding(s, p) != 0) || brute_distance(s, p) < 2e-12) continue;
    wrong++;
  }
  return wrong;
}

START_TEST(inside_agrees_with_solid_angles)
{
  Random r = random_seeded((uint64_t)_i);
  Surface *s = NULL;
  XRay *x = NULL;
  MustPass(TestSurfaceCreate((TestShape)_i, 0.25, &s));
  for (int turn = 0; turn < 2; turn++) {
    MustPass(XRayCreate(s, by_itself, &x));
    ck_assert_msg(wrong_inside(s, x, 3000, (uint64_t)(10 + turn)) == 0, "%s, turn %d",
                  test_shape_name[_i], turn);
    MustPass(XRayDestroy(&x));
    surface_move(s, (Pose){random_point(&r, 1.0), random_attitude(&r)});
  }
  MustPass(SurfaceDestroy(&s));
}
END_TEST

START_TEST(every_ray_leaves_as_often_as_it_enters)
{
  Random r = random_seeded(7);
  for (int k = 0; k < 300; k++) {
    Surface *s = NULL;
    XRay *x = NULL;
    MustPass(RandomSurfaceCreate(&r, k % 3 == 0 ? 1.0 : 0.2, &s));
    /* The eighth part puts vertices exactly onto rays. */
    MustPass(XRayCreate(s, (XRaySpec){k % 2 == 0 ? 0.125 : random_in(&r, 0.02, 0.3), NAN}, &x));
    MustPass(XRayDestroy(&x));
    MustPass(SurfaceDestroy(&s));
  }
}
END_TEST

START_TEST(inside_holds_on_surfaces_that_cross_themselves)
{
  Random r = random_seeded(8);
  for (int k = 0; k < 20; k++) {
    Surface *s = NULL;
    XRay *x = NULL;
    MustPass(RandomSurfaceCreate(&r, 0.7, &s));
    MustPass(XRayCreate(s, by_itself, &x));
    ck_assert_int_eq(wrong_inside(s, x, 500, (uint64_t)k), 0);
    MustPass(XRayDestroy(&x));
    MustPass(SurfaceDestroy(&s));
  }
}
END_TEST

START_TEST(a_point_just_above_an_upright_face_is_outside)
{
  Random r = random_seeded(13);
  const int faces[4][3] = {{0, 1, 2}, {1, 0, 3}, {2, 1, 3}, {0, 2, 3}};
  for (int k = 0; k < 200; k++) {
    Surface *s = NULL;
    XRay *x = NULL;
    /* A tetrahedron whose first face stands upright but for rounding, with its tip at the top. */
    const Vec3 d = quat_rotate(quat_from_axis(vec3(0, 0, 1), random_in(&r, 0, 6)), vec3(1, 0, 0));
    const Vec3 corner[4] = {vec3_scale(-1, d), d, vec3(0.3 * d.x, 0.3 * d.y, 0.5),
                            vec3(-2 * d.y, 2 * d.x, 0)};
    MustPass(SurfaceCreate(4, corner, 4, faces, NULL, &s));
    MustPass(XRayCreate(s, by_itself, &x));
    for (int i = 0; i < 300; i++) {
      const Vec3 on = vec3_axpy(corner[i % 2], random_unit(&r), vec3_sub(corner[2], corner[i % 2]));
      ck_assert(!xray_contains(x, vec3(on.x, on.y, on.z + 1e-8)));
    }
    MustPass(XRayDestroy(&x));
    MustPass(SurfaceDestroy(&s));
  }
}
END_TEST

START_TEST(an_open_surface_is_refused)
{
  Surface *s = NULL, *open = NULL;
  XRay *x = NULL;
  MustPass(TestSurfaceCreate(TEST_SPHERE, 0.3, &s));
  MustPass(SurfaceCreate(s->n_vertices, s->vertex, s->n_triangles - 1, (const int(*)[3])s->triangle,
                         NULL, &open));
  MustFail(PETSC_ERR_USER_INPUT, XRayCreate(open, (XRaySpec){0.02, NAN}, &x));
  MustFail(PETSC_ERR_USER_INPUT, XRayCreate(s, (XRaySpec){1e-7, NAN}, &x));
  MustFail(PETSC_ERR_USER_INPUT, XRayCreate(s, (XRaySpec){-1.0, NAN}, &x));
  MustFail(PETSC_ERR_USER_INPUT, XRayCreate(s, (XRaySpec){NAN, -1.0}, &x));
  MustPass(SurfaceDestroy(&s));
  MustPass(SurfaceDestroy(&open));
}
END_TEST

START_TEST(many_points_at_once_get_the_same_answers)
{
  enum { N = 2000 };
  static double p[3][N];
  static bool inside[N];
  Random r = random_seeded(9);
  Surface *s = NULL;
  XRay *x = NULL;
  MustPass(TestSurfaceCreate(TEST_STAR, 0.2, &s));
  MustPass(XRayCreate(s, by_itself, &x));
  for (int k = 0; k < N; k++) {
    const Vec3 q = query_point(&r, s);
    p[0][k] = q.x, p[1][k] = q.y, p[2][k] = k == 77 ? NAN : q.z;
  }
  xray_contains_many(x, N, p[0], p[1], p[2], inside);
  for (int k = 0; k < N; k++)
    ck_assert(inside[k] == xray_contains(x, vec3(p[0][k], p[1][k], p[2][k])));
  ck_assert(!inside[77]);
  MustPass(XRayDestroy(&x));
  MustPass(SurfaceDestroy(&s));
}
END_TEST

/* Largest error of signed distances; INFINITY for a hit that is missing or inconsistent. */
static double distance_error(const Surface *s, const XRay *x, int n, double reach, uint64_t seed)
{
  Random r = random_seeded(seed);
  double worst = 0.0;
  for (int k = 0; k < n; k++) {
    const Vec3 p = query_point(&r, s);
    const double d = brute_distance(s, p);
    const SurfaceHit hit = xray_distance(x, p, reach);
    if (fabs(d - reach) > 1e-10 && hit.found != (d <= reach)) return INFINITY;
    if (!hit.found) continue;
    const double sign = brute_winding(s, p) != 0 ? -1.0 : 1.0;
    if (d > 2e-12) worst = fmax(worst, fabs(hit.distance - sign * d));
    const Vec3 back = vec3_axpy(hit.point, hit.distance, hit.normal);
    worst = fmax(worst, vec3_distance(back, p));
    worst = fmax(worst, fabs(vec3_norm(hit.normal) - 1.0));
  }
  return worst;
}

START_TEST(signed_distances_agree_with_every_triangle)
{
  Random r = random_seeded((uint64_t)_i);
  Surface *s = NULL;
  XRay *x = NULL;
  MustPass(TestSurfaceCreate((TestShape)_i, 0.25, &s));
  for (int turn = 0; turn < 2; turn++) {
    MustPass(XRayCreate(s, by_itself, &x));
    const double near = distance_error(s, x, 1500, xray_reach(x), 3);
    const double far = distance_error(s, x, 1500, 10.0, 4);
    ck_assert_msg(near < 1e-10 && far < 1e-10, "%s: %g %g", test_shape_name[_i], near, far);
    MustPass(XRayDestroy(&x));
    surface_move(s, (Pose){random_point(&r, 1.0), random_attitude(&r)});
  }
  MustPass(SurfaceDestroy(&s));
}
END_TEST

START_TEST(the_bound_is_below_every_distance)
{
  Random r = random_seeded(11);
  Surface *s = NULL;
  XRay *x = NULL;
  MustPass(TestSurfaceCreate((TestShape)_i, 0.25, &s));
  MustPass(XRayCreate(s, by_itself, &x));
  for (int k = 0; k < 5000; k++) {
    const Vec3 p = k % 4 == 0 ? random_point(&r, 50.0) : query_point(&r, s);
    const double bound = xray_distance_bound(x, p);
    const double d = xray_distance(x, p, INFINITY).distance;
    ck_assert_double_le(bound, d);
    ck_assert_double_le(bound, xray_gap(x, p, INFINITY).distance);
    if (fabs(d) > 3.0) ck_assert_double_ge(bound, 0.5 * d);
  }
  MustPass(XRayDestroy(&x));
  MustPass(SurfaceDestroy(&s));
}
END_TEST

START_TEST(bytes_make_the_same_xray_again)
{
  Surface *s = NULL;
  XRay *x = NULL, *copy = NULL;
  const void *bytes = NULL;
  size_t n = 0;
  MustPass(TestSurfaceCreate(TEST_CONE, 0.25, &s));
  MustPass(XRayCreate(s, by_itself, &x));
  MustPass(XRayGetBytes(x, &bytes, &n));
  MustPass(XRayFromBytes(bytes, n, surface_hash(s), &copy));
  MustPass(XRayDestroy(&x));
  ck_assert_int_eq(wrong_inside(s, copy, 500, 1), 0);
  ck_assert_double_le(distance_error(s, copy, 500, 10.0, 2), 1e-10);
  MustPass(XRayDestroy(&copy));
  MustPass(SurfaceDestroy(&s));
}
END_TEST

START_TEST(damaged_bytes_are_refused)
{
  Random r = random_seeded(12);
  Surface *s = NULL;
  XRay *x = NULL, *copy = NULL;
  const void *bytes = NULL;
  size_t n = 0;
  MustPass(TestSurfaceCreate(TEST_ANGLE, 1.0, &s));
  MustPass(XRayCreate(s, (XRaySpec){0.1, NAN}, &x));
  MustPass(XRayGetBytes(x, &bytes, &n));
  char *bad = malloc(n);
  MustFail(CAROM_ERR_FILE, XRayFromBytes(bytes, n, surface_hash(s) + 1, &copy));
  MustFail(CAROM_ERR_FILE, XRayFromBytes(bytes, n - 8, surface_hash(s), &copy));
  MustFail(CAROM_ERR_FILE, XRayFromBytes(bytes, 3, surface_hash(s), &copy));
  for (int k = 0; k < 300; k++) {
    memcpy(bad, bytes, n);
    bad[(size_t)(random_unit(&r) * (k < 100 ? 400.0 : (double)n))] ^= (char)(1 << k % 8);
    MustFail(CAROM_ERR_FILE, XRayFromBytes(bad, n, surface_hash(s), &copy));
  }
  free(bad);
  MustPass(XRayDestroy(&x));
  MustPass(SurfaceDestroy(&s));
}
END_TEST

Suite *test_suite(void)
{
  Suite *suite = suite_create("xray");
  TCase *t = tcase_create("xray");
  tcase_add_loop_test(t, inside_agrees_with_solid_angles, 0, TEST_SHAPES);
  tcase_add_test(t, every_ray_leaves_as_often_as_it_enters);
  tcase_add_test(t, inside_holds_on_surfaces_that_cross_themselves);
  tcase_add_test(t, a_point_just_above_an_upright_face_is_outside);
  tcase_add_test(t, an_open_surface_is_refused);
  tcase_add_test(t, many_points_at_once_get_the_same_answers);
  tcase_add_loop_test(t, signed_distances_agree_with_every_triangle, 0, TEST_SHAPES);
  tcase_add_loop_test(t, the_bound_is_below_every_distance, 0, TEST_SHAPES);
  tcase_add_test(t, bytes_make_the_same_xray_again);
  tcase_add_test(t, damaged_bytes_are_refused);
  suite_add_tcase(suite, t);
  return suite;
}
