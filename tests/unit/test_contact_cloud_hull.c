#include "cloud_hits.h"

/* A regular polygon of radius 1 about (0.3, 0.2). */
static Hits polygon(int n)
{
  Hits hits = {0};
  for (int i = 0; i < n; i++)
    add_flat(&hits, 0.3 + cos(2.0 * M_PI * i / n), 0.2 + sin(2.0 * M_PI * i / n), 0.0, 3);
  return hits;
}

/* How far the incident's points stick out of a polygon of hits that runs counter-clockwise. */
static double sticks_out(const Incident *incident, const Hits *corners)
{
  double worst = -INFINITY;
  for (int i = 0; i < corners->n; i++) {
    const Vec3 a = corners->hit[i].point, b = corners->hit[(i + 1) % corners->n].point;
    const Vec3 out = vec3_unit(vec3_cross(vec3_sub(b, a), corners->hit[i].normal));
    for (int k = 0; k < incident->n_points; k++)
      worst = fmax(worst, vec3_dot(out, vec3_sub(incident->point[k], a)));
  }
  return worst;
}

START_TEST(a_square_patch_keeps_its_four_corners_exactly)
{
  Hits hits = {0};
  for (int i = 0; i <= 4; i++)
    for (int j = 0; j <= 4; j++) add_flat(&hits, 0.25 * i - 0.5, 0.25 * j - 0.5, 0.0, 0);
  const Answer a = condense(&hits);
  ck_assert_int_eq(a.n, 1);
  ck_assert_int_eq(a.incident[0].kind, INCIDENT_PLANE);
  ck_assert_int_eq(a.incident[0].n_points, 4);
  for (int k = 0; k < 4; k++) {
    const Vec3 corner = {k & 1 ? 0.5 : -0.5, k & 2 ? 0.5 : -0.5, 0.0};
    ck_assert_double_eq(nearest_point(&a.incident[0], corner), 0.0);
  }
  ck_assert_double_eq(vec3_norm(a.incident[0].center), 0.0);
}
END_TEST

START_TEST(a_rectangle_turned_in_space_keeps_its_corners)
{
  Random r = random_seeded(1);
  for (int t = 0; t < 50; t++) {
    Hits hits = {0};
    const double length = random_in(&r, 0.01, 5.0), width = random_in(&r, 0.01, 5.0);
    for (int k = 0; k < 4; k++) add_flat(&hits, k & 1 ? length : 0, k & 2 ? width : 0, 1e-5 * k, 7);
    hits = moved(hits, random_pose(&r));
    const Answer a = condense(&hits);
    ck_assert_int_eq(a.n, 1);
    ck_assert_int_eq(a.incident[0].n_points, 4);
    for (int k = 0; k < 4; k++)
      ck_assert_double_eq(nearest_point(&a.incident[0], hits.hit[k].point), 0.0);
    ck_assert_double_ge(area_of(&a.incident[0]), length * width - tight);
    ck_assert_double_le(vec3_distance(a.incident[0].normal, hits.hit[0].normal), TOL_ROUND(1.0));
  }
}
END_TEST

START_TEST(the_gap_of_a_tilted_box_is_that_of_each_corner)
{
  Hits hits = {0};
  for (int k = 0; k < 4; k++) add_flat(&hits, k & 1, k & 2, 1e-5 * k, 0);
  const Answer a = condense(&hits);
  for (int k = 0; k < 4; k++) {
    const Vec3 p = a.incident[0].point[k];
    ck_assert_double_eq(a.incident[0].gap[k], 1e-5 * (p.x + p.y));
  }
}
END_TEST

START_TEST(all_of_a_sunken_face_is_contact)
{
  Hits hits = {0};
  for (int k = 0; k < 4; k++) add_flat(&hits, k & 1, k & 2, k & 2 ? 0.0 : -5e-3, 0);
  ck_assert_int_eq(condense(&hits).incident[0].kind, INCIDENT_PLANE);
}
END_TEST

START_TEST(a_triangle_keeps_its_three_corners)
{
  Random r = random_seeded(2);
  for (int t = 0; t < 50; t++) {
    const double x = random_in(&r, -2, 2), y = random_in(&r, 0.3, 2);
    Hits hits = {0};
    add_flat(&hits, 0, 0, 0, 0);
    add_flat(&hits, 1, 0, 0, 0);
    add_flat(&hits, x, y, 0, 0);
    hits = moved(hits, random_pose(&r));
    const Answer a = condense(&hits);
    ck_assert_int_eq(a.incident[0].n_points, 3);
    for (int k = 0; k < 3; k++)
      ck_assert_double_le(nearest_point(&a.incident[0], hits.hit[k].point), tight);
  }
}
END_TEST

START_TEST(a_hexagon_is_its_widest_rectangle)
{
  const Hits hits = polygon(6);
  const Answer a = condense(&hits);
  ck_assert_int_eq(a.incident[0].n_points, 4);
  ck_assert_double_le(vec3_distance(a.incident[0].center, vec3(0.3, 0.2, 0)), tight);
  ck_assert_double_le(fabs(area_of(&a.incident[0]) - sqrt(3.0)), tight);
  ck_assert_double_le(sticks_out(&a.incident[0], &hits), tight);
}
END_TEST

START_TEST(regular_polygons_keep_centroid_and_hull)
{
  Random r = random_seeded(3);
  for (int n = 3; n <= 100; n++) {
    Pose pose = random_pose(&r);
    const Hits hits = moved(polygon(n), pose);
    const Answer a = condense(&hits);
    const Vec3 center = pose_to_world(pose, vec3(0.3, 0.2, 0));
    ck_assert_int_eq(a.n, 1);
    ck_assert_int_eq(a.incident[0].kind, INCIDENT_PLANE);
    ck_assert_double_le(vec3_distance(a.incident[0].center, center), tight);
    ck_assert_double_le(sticks_out(&a.incident[0], &hits), tight);
    ck_assert_double_ge(area_of(&a.incident[0]), 1.1);
  }
}
END_TEST

START_TEST(a_trapezium_keeps_its_centroid_and_most_of_its_area)
{
  Hits hits = {0};
  add_flat(&hits, -1, 0, 0, 0);
  add_flat(&hits, 1, 0, 0, 0);
  add_flat(&hits, 0.5, 1, 0, 0);
  add_flat(&hits, -0.5, 1, 0, 0);
  const Answer a = condense(&hits);
  /* Height of the centroid: (long + 2 short) / (long + short) / 3. */
  ck_assert_double_le(vec3_distance(a.incident[0].center, vec3(0, 4.0 / 9.0, 0)), tight);
  ck_assert_double_le(sticks_out(&a.incident[0], &hits), tight);
  ck_assert_double_ge(area_of(&a.incident[0]), 1.0);
}
END_TEST

START_TEST(a_triangle_with_a_clipped_corner_is_nearly_the_triangle)
{
  Hits hits = {0};
  add_flat(&hits, 0, 0, 0, 0);
  add_flat(&hits, 1, 0, 0, 0);
  add_flat(&hits, 0.001, 0.999, 0, 0);
  add_flat(&hits, 0, 0.999, 0, 0);
  const Answer a = condense(&hits);
  ck_assert_int_eq(a.incident[0].n_points, 3);
  ck_assert_double_ge(area_of(&a.incident[0]), 0.49);
}
END_TEST

START_TEST(gap_and_height_follow_points_that_are_moved)
{
  Hits hits = {0};
  const double x[] = {-1, 1, 0.5, -0.5}, y[] = {0, 0, 1, 1};
  for (int k = 0; k < 4; k++) {
    add_flat(&hits, x[k], y[k], 1e-5 * (2 * x[k] + 3 * y[k]), 0);
    hits.hit[k].point.z = 1e-3 * (x[k] - y[k]);
  }
  const Answer a = condense(&hits);
  for (int k = 0; k < a.incident[0].n_points; k++) {
    const Vec3 p = a.incident[0].point[k];
    ck_assert_double_le(fabs(a.incident[0].gap[k] - 1e-5 * (2 * p.x + 3 * p.y)), tight);
    ck_assert_double_le(fabs(p.z - 1e-3 * (p.x - p.y)), tight);
  }
}
END_TEST

START_TEST(corners_hit_several_times_are_corners_once)
{
  Random r = random_seeded(6);
  Hits hits = {0};
  for (int i = 0; i < 40; i++)
    add_flat(&hits, (i & 1) + random_in(&r, 0, 1e-15), (i / 2 & 1) + random_in(&r, 0, 1e-15), 0, 0);
  const Answer a = condense(&hits);
  ck_assert_int_eq(a.incident[0].n_points, 4);
  ck_assert_double_le(fabs(area_of(&a.incident[0]) - 1.0), tight);
  ck_assert_double_le(vec3_distance(a.incident[0].center, vec3(0.5, 0.5, 0)), tight);
}
END_TEST

/* Corners on an ellipse at growing angles, all on the hull, and hits between them. */
START_TEST(any_convex_patch_keeps_centroid_and_hull)
{
  Random r = random_seeded(9);
  for (int t = 0; t < 300; t++) {
    Hits corners = {0};
    const double width = random_in(&r, 0.1, 1.0);
    for (double angle = 0.0; angle < 2.0 * M_PI; angle += random_in(&r, 0.05, 1.9))
      add_flat(&corners, cos(angle), width * sin(angle), 0.0, 0);
    if (corners.n < 3) continue;
    Vec3 center = {0.0, 0.0, 0.0};
    double area = 0.0;
    for (int i = 0; i < corners.n; i++) {
      const Vec3 a = corners.hit[i].point, b = corners.hit[(i + 1) % corners.n].point;
      const double part = 0.5 * (a.x * b.y - a.y * b.x);
      center = vec3_axpy(center, part / 3.0, vec3_add(a, b));
      area += part;
    }
    Hits hits = corners;
    for (int i = 0; i < corners.n; i++)
      add_flat(&hits, 0.6 * corners.hit[i].point.x + 0.4 * center.x / area,
               0.6 * corners.hit[i].point.y + 0.4 * center.y / area, 0.0, 0);
    const Answer a = condense(&hits);
    ck_assert_double_le(vec3_distance(a.incident[0].center, vec3_scale(1 / area, center)), tight);
    ck_assert_double_le(sticks_out(&a.incident[0], &corners), tight);
    ck_assert_double_ge(area_of(&a.incident[0]), 0.3 * area);
  }
}
END_TEST

START_TEST(corners_that_differ_by_rounding_do_not_turn_the_edges)
{
  Random r = random_seeded(10);
  const double x[] = {-1, 1, 0.5, -0.5}, y[] = {0, 0, 1, 1};
  for (int t = 0; t < 100; t++) {
    Hits corners = {0}, hits = {0};
    for (int k = 0; k < 4; k++) add_flat(&corners, x[k], y[k], 0, 0);
    for (int k = 0; k < 40; k++)
      add_flat(&hits, x[k % 4] + random_in(&r, -1e-15, 1e-15),
               y[k % 4] + random_in(&r, -1e-15, 1e-15), 0, 0);
    const Pose pose = random_pose(&r);
    corners = moved(corners, pose);
    hits = moved(hits, pose);
    const Answer a = condense(&corners), b = condense(&hits);
    ck_assert_double_le(sticks_out(&b.incident[0], &corners), tight);
    ck_assert_double_le(fabs(area_of(&a.incident[0]) - area_of(&b.incident[0])), tight);
  }
}
END_TEST

Suite *test_suite(void)
{
  Suite *suite = suite_create("contact");
  TCase *tests = tcase_create("hull");

  tcase_add_test(tests, a_square_patch_keeps_its_four_corners_exactly);
  tcase_add_test(tests, a_rectangle_turned_in_space_keeps_its_corners);
  tcase_add_test(tests, the_gap_of_a_tilted_box_is_that_of_each_corner);
  tcase_add_test(tests, all_of_a_sunken_face_is_contact);
  tcase_add_test(tests, a_triangle_keeps_its_three_corners);
  tcase_add_test(tests, a_hexagon_is_its_widest_rectangle);
  tcase_add_test(tests, regular_polygons_keep_centroid_and_hull);
  tcase_add_test(tests, a_trapezium_keeps_its_centroid_and_most_of_its_area);
  tcase_add_test(tests, a_triangle_with_a_clipped_corner_is_nearly_the_triangle);
  tcase_add_test(tests, gap_and_height_follow_points_that_are_moved);
  tcase_add_test(tests, corners_hit_several_times_are_corners_once);
  tcase_add_test(tests, any_convex_patch_keeps_centroid_and_hull);
  tcase_add_test(tests, corners_that_differ_by_rounding_do_not_turn_the_edges);
  suite_add_tcase(suite, tests);
  return suite;
}
