#include "base/hash.h"
#include "base/pose.h"
#include "support.h"

static Vec3 random_vec3(Random *r)
{
  return vec3(random_in(r, -1, 1), random_in(r, -1, 1), random_in(r, -1, 1));
}

static Quat random_quat(Random *r)
{
  return quat_unit(
      (Quat){random_in(r, -1, 1), random_in(r, -1, 1), random_in(r, -1, 1), random_in(r, -1, 1)});
}

START_TEST(a_rotation_by_quaternion_equals_its_matrix)
{
  Random r = random_seeded(1);
  for (int k = 0; k < 1000; k++) {
    const Quat q = random_quat(&r);
    const Vec3 v = random_vec3(&r);
    const Mat3 m = quat_matrix(q);
    ck_assert_double_le(vec3_distance(quat_rotate(q, v), mat3_apply(&m, v)), TOL_ROUND(4));
    ck_assert_double_le(vec3_distance(quat_rotate_back(q, quat_rotate(q, v)), v), TOL_ROUND(4));
  }
}
END_TEST

START_TEST(the_logarithm_undoes_the_exponential)
{
  Random r = random_seeded(2);
  for (int k = 0; k < 1000; k++) {
    const Vec3 w = vec3_scale(k < 500 ? 1e-6 : 1.7, random_vec3(&r));
    ck_assert_double_le(vec3_distance(quat_to_vector(quat_from_vector(w)), w), TOL_ROUND(8));
  }
}
END_TEST

START_TEST(euler_angles_survive_the_round_trip)
{
  Random r = random_seeded(3);
  for (int k = 0; k < 1000; k++) {
    const Vec3 e = vec3(random_in(&r, -3, 3), random_in(&r, -1.5, 1.5), random_in(&r, -3, 3));
    const Vec3 back = quat_to_euler(quat_from_euler(e.x, e.y, e.z));
    ck_assert_double_le(vec3_distance(back, e), 1e-12);
  }
}
END_TEST

START_TEST(yaw_turns_x_towards_y)
{
  const Vec3 v = quat_rotate(quat_from_euler(0, 0, M_PI / 2), vec3(1, 0, 0));
  ck_assert_double_le(vec3_distance(v, vec3(0, 1, 0)), TOL_ROUND(1));
}
END_TEST

START_TEST(slerp_half_way_is_half_the_angle)
{
  const Quat a = quat_identity(), b = quat_from_axis(vec3(0, 0, 2), 1.0);
  const Vec3 half = quat_to_vector(quat_slerp(a, b, 0.5));
  ck_assert_double_le(vec3_distance(half, vec3(0, 0, 0.5)), TOL_ROUND(1));
}
END_TEST

START_TEST(an_inverse_pose_brings_points_home)
{
  Random r = random_seeded(4);
  for (int k = 0; k < 100; k++) {
    const Pose pose = {random_vec3(&r), random_quat(&r)};
    const Pose none = pose_multiply(pose_inverse(pose), pose);
    const Vec3 p = random_vec3(&r);
    ck_assert_double_le(vec3_distance(pose_to_world(none, p), p), TOL_ROUND(8));
  }
}
END_TEST

START_TEST(principal_axes_rebuild_the_tensor)
{
  Random r = random_seeded(5);
  for (int k = 0; k < 1000; k++) {
    const Vec3 d = random_vec3(&r), o = random_vec3(&r);
    const Mat3 a = mat3_symmetric(d.x, d.y, d.z, o.x, o.y, o.z);
    Mat3 axes;
    const Vec3 values = mat3_eigen_symmetric(&a, &axes);
    const Mat3 diagonal = mat3_diagonal(values.x, values.y, values.z);
    const Mat3 back = mat3_rotate_tensor(&axes, &diagonal);
    ck_assert(values.x <= values.y && values.y <= values.z);
    for (int i = 0; i < 9; i++)
      ck_assert_double_le(fabs(back.m[i / 3][i % 3] - a.m[i / 3][i % 3]), TOL_ROUND(8));
  }
}
END_TEST

START_TEST(a_checksum_does_not_care_how_the_bytes_are_divided)
{
  uint64_t data[100];
  for (int i = 0; i < 100; i++) data[i] = (uint64_t)i * 77;
  const uint64_t whole = hash_bytes(0, data, sizeof data);
  ck_assert(whole == hash_bytes(60, data + 60, 320) + hash_bytes(0, data, 480));
  data[3] ^= 1;
  ck_assert(whole != hash_bytes(0, data, sizeof data));
}
END_TEST

Suite *test_suite(void)
{
  Suite *suite = suite_create("base");
  TCase *tests = tcase_create("math");

  tcase_add_test(tests, a_rotation_by_quaternion_equals_its_matrix);
  tcase_add_test(tests, the_logarithm_undoes_the_exponential);
  tcase_add_test(tests, euler_angles_survive_the_round_trip);
  tcase_add_test(tests, yaw_turns_x_towards_y);
  tcase_add_test(tests, slerp_half_way_is_half_the_angle);
  tcase_add_test(tests, an_inverse_pose_brings_points_home);
  tcase_add_test(tests, principal_axes_rebuild_the_tensor);
  tcase_add_test(tests, a_checksum_does_not_care_how_the_bytes_are_divided);
  suite_add_tcase(suite, tests);
  return suite;
}
