#include "contact/tritri.h"

#include "shapes.h"

/* Nearest points come from a few products of coordinates of size one. */
#define TOL_POINT 1e-12

static Corners random_triangle(Random *r, double size, Vec3 at)
{
  return (Corners){vec3_add(at, random_point(r, size)), vec3_add(at, random_point(r, size)),
                   vec3_add(at, random_point(r, size))};
}

static double lowest(const Corners *t, Vec3 u)
{
  return fmin(vec3_dot(t->a, u), fmin(vec3_dot(t->b, u), vec3_dot(t->c, u)));
}

/*
 * The points lie on their triangles, and the planes through them at right angles to their
 * difference hold the triangles apart: then no other points are nearer.
 */
static bool is_nearest(const Corners *a, const Corners *b, const TrianglePair *p)
{
  const bool on_both = triangle_foot(a, p->on_a).distance2 < TOL_POINT * TOL_POINT &&
                       triangle_foot(b, p->on_b).distance2 < TOL_POINT * TOL_POINT;
  const Vec3 u = vec3_unit(vec3_sub(p->on_a, p->on_b));
  const double d2 = vec3_norm2(vec3_sub(p->on_a, p->on_b));
  /* The direction is known to the rounding of the points over their distance. */
  const double slack = TOL_POINT + TOL_ROUND(10.0) / sqrt(d2);
  const bool apart = lowest(a, u) > vec3_dot(p->on_a, u) - slack &&
                     -lowest(b, vec3_scale(-1.0, u)) < vec3_dot(p->on_b, u) + slack;
  return on_both && apart && fabs(d2 - p->distance2) <= TOL_ROUND(1.0);
}

/* Both triangles hold the point. */
static bool is_common(const Corners *a, const Corners *b, const TrianglePair *p)
{
  return p->distance2 == 0.0 && triangle_foot(a, p->on_a).distance2 < TOL_POINT * TOL_POINT &&
         triangle_foot(b, p->on_b).distance2 < TOL_POINT * TOL_POINT;
}

START_TEST(random_triangles_are_crossing_or_held_apart_by_a_plane)
{
  Random r = random_seeded(11);
  int n_crossing = 0, n_wrong = 0;
  for (int k = 0; k < 100000; k++) {
    const Corners a = random_triangle(&r, 1.0, vec3(0, 0, 0));
    const Corners b = random_triangle(&r, 1.0, random_point(&r, 1.0));
    const TrianglePair p = triangle_pair(&a, &b);
    n_crossing += p.crossing;
    n_wrong += !(p.crossing ? is_common(&a, &b, &p) : is_nearest(&a, &b, &p));
  }
  ck_assert_int_eq(n_wrong, 0);
  ck_assert_int_gt(n_crossing, 5000);
}
END_TEST

START_TEST(parallel_triangles_are_as_far_apart_as_their_planes)
{
  Random r = random_seeded(12);
  int n_wrong = 0;
  for (int k = 0; k < 10000; k++) {
    const Quat q = random_attitude(&r);
    const double h = random_in(&r, 1e-6, 1.0);
    Corners a, b;
    Vec3 *to[2][3] = {{&a.a, &a.b, &a.c}, {&b.a, &b.b, &b.c}};
    for (int i = 0; i < 3; i++) {
      const double angle = 2.0 * M_PI * i / 3.0;
      *to[0][i] = quat_rotate(q, vec3(cos(angle), sin(angle), 0));
      *to[1][i] = quat_rotate(
          q, vec3_add(vec3(-cos(angle), sin(angle), h), vec3(random_in(&r, -0.3, 0.3), 0, 0)));
    }
    const TrianglePair p = triangle_pair(&a, &b);
    n_wrong += p.crossing || fabs(sqrt(p.distance2) - h) > TOL_POINT;
  }
  ck_assert_int_eq(n_wrong, 0);
}
END_TEST

START_TEST(triangles_of_one_plane_are_held_apart_by_a_plane)
{
  Random r = random_seeded(13);
  int n_wrong = 0;
  for (int k = 0; k < 10000; k++) {
    Corners a = random_triangle(&r, 1.0, vec3(0, 0, 0));
    Corners b = random_triangle(&r, 1.0, vec3(2.5, 0, 0));
    a.a.z = a.b.z = a.c.z = b.a.z = b.b.z = b.c.z = 0.25;
    const TrianglePair p = triangle_pair(&a, &b);
    n_wrong += p.crossing || !is_nearest(&a, &b, &p);
  }
  ck_assert_int_eq(n_wrong, 0);
}
END_TEST

START_TEST(needles_and_points_have_nearest_points_too)
{
  Random r = random_seeded(14);
  int n_wrong = 0;
  for (int k = 0; k < 10000; k++) {
    Corners a = random_triangle(&r, 1.0, vec3(0, 0, 0));
    Corners b = random_triangle(&r, 1.0, vec3(0.5, 2.5, 0));
    /* Short numbers, so that the three corners are on one line exactly. */
    a.a = vec3(round(1024 * a.a.x) / 1024, round(1024 * a.a.y) / 1024, round(1024 * a.a.z) / 1024);
    a.b = vec3(round(1024 * a.b.x) / 1024, round(1024 * a.b.y) / 1024, round(1024 * a.b.z) / 1024);
    a.c = vec3_scale(0.5, vec3_add(a.a, a.b));
    if (k % 2 == 0) b.b = b.c = b.a;
    if (k % 4 == 0) a.b = a.c = a.a;
    const TrianglePair p = triangle_pair(&a, &b);
    n_wrong += p.crossing || !is_nearest(&a, &b, &p);
  }
  ck_assert_int_eq(n_wrong, 0);
}
END_TEST

START_TEST(an_edge_through_a_face_crosses_it)
{
  const Corners ground = {{0, 0, 0}, {3, 0, 0}, {0, 3, 0}};
  const Corners through = {{0.5, 0.5, 1}, {0.6, 0.5, -1}, {0.5, 0.6, 1}};
  const Corners beside = {{-0.5, 0.5, 1}, {-0.4, 0.5, -1}, {-0.5, 0.6, 1}};
  ck_assert(triangle_pair(&ground, &through).crossing);
  ck_assert(triangle_pair(&through, &ground).crossing);
  ck_assert(!triangle_pair(&ground, &beside).crossing);
}
END_TEST

Suite *test_suite(void)
{
  Suite *suite = suite_create("contact/tritri");
  TCase *tests = tcase_create("core");

  tcase_add_test(tests, random_triangles_are_crossing_or_held_apart_by_a_plane);
  tcase_add_test(tests, parallel_triangles_are_as_far_apart_as_their_planes);
  tcase_add_test(tests, triangles_of_one_plane_are_held_apart_by_a_plane);
  tcase_add_test(tests, needles_and_points_have_nearest_points_too);
  tcase_add_test(tests, an_edge_through_a_face_crosses_it);
  suite_add_tcase(suite, tests);
  return suite;
}
