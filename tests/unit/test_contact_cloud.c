#include "cloud_hits.h"

static CloudWork *work;

static void setup(void)
{
  MustPass(CloudWorkCreate(&work));
}

static void teardown(void)
{
  MustPass(CloudWorkDestroy(&work));
}

static Hits shuffled(Hits hits, Random *r)
{
  for (int i = hits.n - 1; i > 0; i--) {
    const int j = (int)(random_unit(r) * (i + 1));
    const ContactHit swap = hits.hit[i];
    hits.hit[i] = hits.hit[j];
    hits.hit[j] = swap;
  }
  return hits;
}

START_TEST(no_hits_are_no_incident)
{
  const Hits none = {0};
  ck_assert_int_eq(condense(&none).n, 0);
}
END_TEST

START_TEST(one_hit_is_a_point_with_its_own_values)
{
  Hits hits = {0};
  add_smooth(&hits, vec3(1, 2, 3), vec3(0, 1, 1), -3e-5);
  const Answer a = condense(&hits);
  ck_assert_int_eq(a.n, 1);
  ck_assert_int_eq(a.incident[0].kind, INCIDENT_POINT);
  ck_assert_int_eq(a.incident[0].n_points, 1);
  ck_assert_double_eq(vec3_distance(a.incident[0].point[0], vec3(1, 2, 3)), 0.0);
  ck_assert_double_eq(a.incident[0].gap[0], -3e-5);
  ck_assert_double_le(vec3_distance(a.incident[0].normal, hits.hit[0].normal), TOL_ROUND(1.0));
}
END_TEST

START_TEST(a_box_on_its_edge_is_a_line_and_on_its_corner_a_point)
{
  Hits edge = {0}, corner = {0};
  for (int k = 0; k < 4; k++) {
    add_flat(&edge, k & 1, k & 2, k & 2 ? 5e-3 : 0.0, 0);
    add_flat(&corner, k & 1, k & 2, 5e-3 * k, 0);
  }
  const Answer a = condense(&edge), b = condense(&corner);
  ck_assert_int_eq(a.n, 1);
  ck_assert_int_eq(a.incident[0].kind, INCIDENT_LINE);
  ck_assert_double_le(vec3_distance(a.incident[0].center, vec3(0.5, 0, 0)), tight);
  ck_assert_int_eq(b.n, 1);
  ck_assert_int_eq(b.incident[0].kind, INCIDENT_POINT);
  ck_assert_double_eq(vec3_norm(b.incident[0].point[0]), 0.0);
}
END_TEST

START_TEST(a_row_of_hits_is_the_line_between_its_ends)
{
  Random r = random_seeded(4);
  for (int t = 0; t < 20; t++) {
    Hits hits = {0};
    for (int i = 0; i <= 20; i++) add_smooth(&hits, vec3(0.1 * i, 0, 0), vec3(0, 0, 1), 1e-6 * i);
    const Pose pose = random_pose(&r);
    hits = moved(hits, pose);
    const Answer a = condense(&hits);
    ck_assert_int_eq(a.n, 1);
    ck_assert_int_eq(a.incident[0].kind, INCIDENT_LINE);
    ck_assert_int_eq(a.incident[0].n_points, 2);
    ck_assert_double_le(nearest_point(&a.incident[0], hits.hit[0].point), tight);
    ck_assert_double_le(nearest_point(&a.incident[0], hits.hit[20].point), tight);
    ck_assert_double_le(fabs(a.incident[0].gap[0] + a.incident[0].gap[1] - 20e-6), tight);
  }
}
END_TEST

START_TEST(hits_beside_the_line_are_moved_onto_it)
{
  Hits hits = {0};
  for (int i = 0; i <= 20; i++)
    add_smooth(&hits, vec3(0.1 * i, i % 2 ? 1e-4 : -1e-4, 0), vec3(0, 0, 1), 0.0);
  const Answer a = condense(&hits);
  ck_assert_int_eq(a.incident[0].kind, INCIDENT_LINE);
  for (int k = 0; k < 2; k++) ck_assert_double_le(fabs(a.incident[0].point[k].y), 2e-5);
}
END_TEST

START_TEST(coincident_hits_are_one_point)
{
  Random r = random_seeded(5);
  Hits hits = {0};
  const Vec3 p = {0.3, -0.2, 0.9};
  for (int i = 0; i < 30; i++) {
    const Vec3 noise = {random_in(&r, -1e-9, 1e-9), random_in(&r, -1e-9, 1e-9), 0.0};
    add_smooth(&hits, vec3_add(p, noise), vec3(noise.x, noise.y, 1), 2e-5);
  }
  for (int i = 0; i < 5; i++) hits.hit[hits.n++] = hits.hit[i];
  const Answer a = condense(&hits);
  ck_assert_int_eq(a.n, 1);
  ck_assert_int_eq(a.incident[0].kind, INCIDENT_POINT);
  ck_assert_double_le(vec3_distance(a.incident[0].center, p), 2e-9);
  ck_assert_double_eq(a.incident[0].gap[0], 2e-5);
}
END_TEST

START_TEST(a_round_contact_is_its_nearest_hit)
{
  Hits hits = {0};
  for (int i = -3; i <= 3; i++)
    for (int j = -3; j <= 3; j++) {
      const double x = 0.05 * i, y = 0.05 * j;
      add_smooth(&hits, vec3(x, y, 0), vec3(-x, -y, 1), 0.5 * (x * x + y * y) - 2e-3);
    }
  const Answer a = condense(&hits);
  ck_assert_int_eq(a.n, 1);
  ck_assert_int_eq(a.incident[0].kind, INCIDENT_POINT);
  ck_assert_double_le(vec3_norm(a.incident[0].point[0]), TOL_ROUND(1.0));
  ck_assert_double_le(vec3_distance(a.incident[0].normal, vec3(0, 0, 1)), TOL_ROUND(1.0));
}
END_TEST

START_TEST(an_exact_normal_wins_over_the_others)
{
  Hits hits = {0};
  add_flat(&hits, 0, 0, 5e-5, -1);
  for (int i = 1; i < 5; i++) add_smooth(&hits, vec3(1e-5 * i, 0, 0), vec3(0.1, 0, 1), 0.0);
  const Answer a = condense(&hits);
  ck_assert_int_eq(a.n, 1);
  ck_assert_double_eq(vec3_distance(a.incident[0].normal, vec3(0, 0, 1)), 0.0);
}
END_TEST

/* Four feet, and loose hits that bridge two of them. */
START_TEST(the_feet_of_a_table_stay_apart)
{
  Hits hits = {0};
  for (int foot = 0; foot < 4; foot++)
    for (int k = 0; k < 4; k++)
      add_flat(&hits, (foot & 1) + 0.1 * (k & 1), (foot / 2) + 0.05 * (k & 2), 0, foot);
  for (int i = 1; i < 90; i++) add_flat(&hits, 0.1 + 0.01 * i, 0.0, 0.0, -1);
  for (int i = 0; i < hits.n; i++) hits.hit[i].spacing = 0.02;
  const Answer a = condense(&hits);
  ck_assert_int_eq(a.n, 4);
  for (int i = 0; i < 4; i++) ck_assert_int_eq(a.incident[i].kind, INCIDENT_PLANE);
}
END_TEST

START_TEST(distant_round_contacts_stay_apart)
{
  Hits hits = {0};
  add_smooth(&hits, vec3(0, 0, 0), vec3(0, 0, 1), 0);
  add_smooth(&hits, vec3(0.151, 0, 0), vec3(0, 0, 1), 0);
  ck_assert_int_eq(condense(&hits).n, 2);
  hits.hit[1].point.x = 0.149;
  ck_assert_int_eq(condense(&hits).n, 1);
}
END_TEST

START_TEST(two_normals_at_one_place_are_two_incidents)
{
  Hits hits = {0};
  for (int k = 0; k < 4; k++) add_flat(&hits, k & 1, k & 2, 0, 0);
  for (int k = 0; k < 4; k++) {
    add_flat(&hits, 0, k & 2, 0, 1);
    hits.hit[4 + k].point.z = k & 1;
    hits.hit[4 + k].normal = vec3(1, 0, 0);
  }
  const Answer a = condense(&hits);
  ck_assert_int_eq(a.n, 2);
  const double along = vec3_dot(a.incident[0].normal, a.incident[1].normal);
  ck_assert_double_eq(along, 0.0);
  for (int i = 0; i < 2; i++) ck_assert_int_eq(a.incident[i].n_points, 4);
}
END_TEST

START_TEST(a_pin_that_fills_its_hole_has_several_unit_normals)
{
  Hits hits = {0};
  for (int i = 0; i < 72; i++) {
    const Vec3 out = {cos(2 * M_PI * i / 72), sin(2 * M_PI * i / 72), 0};
    add_smooth(&hits, out, out, 0.0);
  }
  const Answer a = condense(&hits);
  ck_assert_int_ge(a.n, 4);
  for (int i = 0; i < a.n; i++) {
    ck_assert_double_le(fabs(vec3_norm(a.incident[i].normal) - 1.0), TOL_ROUND(1.0));
    ck_assert_double_ge(vec3_dot(a.incident[i].normal, a.incident[i].center), 0.8);
  }
}
END_TEST

START_TEST(what_it_was_before_widens_the_limits)
{
  Hits strip = {0};
  /* The limit is 0.05 spacings of 0.1: 5e-3 across. */
  for (int k = 0; k < 42; k++)
    add_smooth(&strip, vec3(0.05 * (k / 2), k & 1 ? 4e-3 : 0, 0), vec3(0, 0, 1), 0);
  ck_assert_int_eq(condense(&strip).incident[0].kind, INCIDENT_LINE);
  ck_assert_int_eq(condense_after(&strip, INCIDENT_LINE).incident[0].kind, INCIDENT_LINE);
  ck_assert_int_eq(condense_after(&strip, INCIDENT_PLANE).incident[0].kind, INCIDENT_PLANE);
  for (int k = 1; k < 42; k += 2) strip.hit[k].point.y = 6e-3;
  ck_assert_int_eq(condense(&strip).incident[0].kind, INCIDENT_PLANE);
  ck_assert_int_eq(condense_after(&strip, INCIDENT_LINE).incident[0].kind, INCIDENT_LINE);
}
END_TEST

START_TEST(a_loose_hit_joins_the_nearest_patch)
{
  Hits hits = {0};
  for (int k = 0; k < 4; k++) {
    add_flat(&hits, 0.1 * (k & 1), 0.05 * (k & 2), 0, 0);
    add_flat(&hits, 0.13 + 0.1 * (k & 1), 0.05 * (k & 2), 0, 1);
  }
  add_flat(&hits, 0.11, 0, 0, -1);
  for (int i = 0; i < hits.n; i++) hits.hit[i].spacing = 0.02;
  const Answer a = condense(&hits);
  ck_assert_int_eq(a.n, 2);
  ck_assert_double_ge(a.incident[0].center.x, 0.0501);
  ck_assert_double_le(vec3_distance(a.incident[1].center, vec3(0.18, 0.05, 0)), tight);
}
END_TEST

START_TEST(exact_normals_that_differ_are_of_two_faces)
{
  Hits hits = {0};
  add_flat(&hits, 0, 0, 0, -1);
  add_flat(&hits, 1e-3, 0, 0, -1);
  ck_assert_int_eq(condense(&hits).n, 1);
  hits.hit[1].normal = vec3_unit(vec3(0.05, 0, 1));
  ck_assert_int_eq(condense(&hits).n, 2);
}
END_TEST

START_TEST(few_hits_far_out_make_the_line_not_many_close_by)
{
  Hits hits = {0};
  for (int i = 0; i < 300; i++)
    add_smooth(&hits, vec3(i & 1 ? 2e-3 : -2e-3, 0, 0), vec3(0, 0, 1), 0);
  for (int i = -1; i <= 1; i += 2) add_smooth(&hits, vec3(0, 0.02 * i, 0), vec3(0, 0, 1), 0);
  const Answer a = condense(&hits);
  ck_assert_int_eq(a.incident[0].kind, INCIDENT_LINE);
  ck_assert_double_le(nearest_point(&a.incident[0], vec3(0, -0.02, 0)), tight);
  ck_assert_double_le(nearest_point(&a.incident[0], vec3(0, 0.02, 0)), tight);
}
END_TEST

static Hits random_hits(Random *r)
{
  Hits hits = {0};
  const int n_patches = 1 + (int)(3 * random_unit(r)), n = 5 + (int)(60 * random_unit(r));
  for (int i = 0; i < n; i++) {
    const int patch = (int)(n_patches * random_unit(r));
    add_flat(&hits, 2.0 * patch + random_unit(r), random_unit(r), random_in(r, -1, 1) * 4e-5,
             patch);
  }
  for (int i = 0; i < n; i++) {
    const Vec3 p = {random_in(r, -3, 3), random_in(r, -3, 3), 0.01 * random_unit(r)};
    const Vec3 normal = {random_in(r, -0.1, 0.1), random_in(r, -0.1, 0.1), 1.0};
    add_smooth(&hits, p, normal, random_in(r, -1, 1) * 1e-4);
    hits.hit[hits.n - 1].spacing = random_in(r, 0.05, 0.2);
  }
  return hits;
}

/* Enough room for random clouds, which have more incidents than the answers above hold. */
static int condense_into(const Hits *hits, Incident out[])
{
  int n;
  const Incident *incident;
  MustPass(CloudCondense(work, hits->n, hits->hit, tolerance, CLOUD_NO_PREVIOUS, &n, &incident));
  for (int i = 0; i < n; i++) out[i] = incident[i];
  return n;
}

static bool is_same(const Incident *a, const Incident *b, double within)
{
  bool same = a->kind == b->kind && a->n_points == b->n_points &&
              vec3_distance(a->normal, b->normal) <= within &&
              vec3_distance(a->center, b->center) <= within;
  for (int k = 0; same && k < a->n_points; k++) {
    bool found = false;
    for (int j = 0; j < b->n_points; j++)
      found = found || (vec3_distance(a->point[k], b->point[j]) <= within &&
                        fabs(a->gap[k] - b->gap[j]) <= within);
    same = found;
  }
  return same;
}

START_TEST(the_order_of_hits_does_not_matter_to_the_last_bit)
{
  static Incident one[MOST_HITS], two[MOST_HITS];
  Random r = random_seeded(7);
  for (int t = 0; t < 300; t++) {
    const Hits hits = random_hits(&r), mixed = shuffled(hits, &r);
    const int n = condense_into(&hits, one);
    ck_assert_int_eq(condense_into(&mixed, two), n);
    for (int i = 0; i < n; i++) {
      ck_assert(is_same(&one[i], &two[i], 0.0));
      for (int k = 0; k < one[i].n_points; k++)
        ck_assert_double_eq(vec3_distance(one[i].point[k], two[i].point[k]), 0.0);
    }
  }
}
END_TEST

START_TEST(incidents_move_with_the_bodies)
{
  static Incident one[MOST_HITS], two[MOST_HITS];
  Random r = random_seeded(8);
  for (int t = 0; t < 300; t++) {
    const Hits hits = random_hits(&r);
    const Pose pose = random_pose(&r);
    const Hits there = moved(hits, pose);
    const int n = condense_into(&hits, one);
    ck_assert_int_eq(condense_into(&there, two), n);
    for (int i = 0; i < n; i++) {
      Incident want = one[i];
      want.center = pose_to_world(pose, want.center);
      want.normal = quat_rotate(pose.q, want.normal);
      for (int k = 0; k < want.n_points; k++) want.point[k] = pose_to_world(pose, want.point[k]);
      bool found = false;
      for (int j = 0; j < n; j++) found = found || is_same(&want, &two[j], tight);
      ck_assert_msg(found, "trial %d: incident %d is lost", t, i);
    }
  }
}
END_TEST

START_TEST(a_hit_that_is_no_number_is_refused)
{
  Hits hits = {0};
  int n;
  const Incident *incident;
  for (int i = 0; i < 4; i++) add_flat(&hits, i, 0, 0, 0);
  hits.hit[2].gap = NAN;
  MustFail(PETSC_ERR_FP, CloudCondense(work, 4, hits.hit, tolerance, -1, &n, &incident));
  MustFail(PETSC_ERR_ARG_OUTOFRANGE, CloudCondense(work, 1, hits.hit, 0.0, -1, &n, &incident));
}
END_TEST

Suite *test_suite(void)
{
  Suite *suite = suite_create("contact");
  TCase *tests = tcase_create("cloud");

  tcase_add_checked_fixture(tests, setup, teardown);
  tcase_add_test(tests, no_hits_are_no_incident);
  tcase_add_test(tests, one_hit_is_a_point_with_its_own_values);
  tcase_add_test(tests, a_box_on_its_edge_is_a_line_and_on_its_corner_a_point);
  tcase_add_test(tests, a_row_of_hits_is_the_line_between_its_ends);
  tcase_add_test(tests, hits_beside_the_line_are_moved_onto_it);
  tcase_add_test(tests, coincident_hits_are_one_point);
  tcase_add_test(tests, a_round_contact_is_its_nearest_hit);
  tcase_add_test(tests, an_exact_normal_wins_over_the_others);
  tcase_add_test(tests, the_feet_of_a_table_stay_apart);
  tcase_add_test(tests, distant_round_contacts_stay_apart);
  tcase_add_test(tests, two_normals_at_one_place_are_two_incidents);
  tcase_add_test(tests, a_pin_that_fills_its_hole_has_several_unit_normals);
  tcase_add_test(tests, what_it_was_before_widens_the_limits);
  tcase_add_test(tests, the_order_of_hits_does_not_matter_to_the_last_bit);
  tcase_add_test(tests, incidents_move_with_the_bodies);
  tcase_add_test(tests, a_hit_that_is_no_number_is_refused);
  tcase_add_test(tests, a_loose_hit_joins_the_nearest_patch);
  tcase_add_test(tests, exact_normals_that_differ_are_of_two_faces);
  tcase_add_test(tests, few_hits_far_out_make_the_line_not_many_close_by);
  suite_add_tcase(suite, tests);
  return suite;
}
