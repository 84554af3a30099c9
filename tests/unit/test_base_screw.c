#include "base/hash.h"
#include "base/screw.h"
#include "support.h"

static Vec3 random_vec3(Random *r, double size)
{
  return vec3(random_in(r, -size, size), random_in(r, -size, size), random_in(r, -size, size));
}

static Pose random_pose(Random *r)
{
  return (Pose){random_vec3(r, 2), quat_from_vector(random_vec3(r, 1.5))};
}

static double pose_distance(Pose a, Pose b)
{
  const Quat turn = quat_multiply(quat_conjugate(a.q), b.q);
  return vec3_distance(a.x, b.x) + vec3_norm(quat_to_vector(turn));
}

START_TEST(a_screw_between_two_poses_leads_from_one_to_the_other)
{
  Random r = random_seeded(1);
  for (int k = 0; k < 1000; k++) {
    const double size = k % 2 == 0 ? 1.0 : 1e-6, dt = 0.01;
    const Pose start = random_pose(&r);
    const Pose end =
        pose_multiply(start, (Pose){random_vec3(&r, 2), quat_from_vector(random_vec3(&r, size))});
    const Screw twist = screw_between(start, end, dt);
    ck_assert_double_le(pose_distance(screw_move(start, twist, dt), end), TOL_ROUND(16));
  }
}
END_TEST

START_TEST(two_half_moves_are_one_whole)
{
  Random r = random_seeded(2);
  for (int k = 0; k < 1000; k++) {
    const Pose start = random_pose(&r);
    const Screw twist = {random_vec3(&r, 1), random_vec3(&r, 1)};
    const Pose half = screw_move(start, twist, 0.5);
    ck_assert_double_le(pose_distance(screw_move(half, twist, 0.5), screw_move(start, twist, 1.0)),
                        TOL_ROUND(16));
  }
}
END_TEST

START_TEST(a_point_moves_with_the_velocity_of_the_twist)
{
  Random r = random_seeded(3);
  const double h = 1e-5, difference_error = 1e-8;
  for (int k = 0; k < 100; k++) {
    const Pose start = random_pose(&r);
    const Screw twist = {random_vec3(&r, 1), random_vec3(&r, 1)};
    const Vec3 p = random_vec3(&r, 1);
    const Vec3 after = pose_to_world(screw_move(start, twist, h), p);
    const Vec3 before = pose_to_world(screw_move(start, twist, -h), p);
    const Vec3 v = vec3_scale(0.5 / h, vec3_sub(after, before));
    const Vec3 wanted = quat_rotate(start.q, vec3_add(twist.v, vec3_cross(twist.w, p)));
    ck_assert_double_le(vec3_distance(v, wanted), difference_error);
  }
}
END_TEST

Suite *test_suite(void)
{
  Suite *suite = suite_create("base/screw");
  TCase *tests = tcase_create("core");

  tcase_add_test(tests, a_screw_between_two_poses_leads_from_one_to_the_other);
  tcase_add_test(tests, two_half_moves_are_one_whole);
  tcase_add_test(tests, a_point_moves_with_the_velocity_of_the_twist);
  suite_add_tcase(suite, tests);
  return suite;
}
