#include "body/bodies.h"
#include "support.h"

/* A body spec with everything unset that a case may leave out. */
static BodySpec plain_spec(void)
{
  const Vec3 none = {NAN, NAN, NAN};
  return (BodySpec){.name = "a",
                    .attitude = {1, 0, 0, 0},
                    .velocity = none,
                    .spin = none,
                    .spin_body = none,
                    .pivot = none,
                    .axis = none};
}

static LoadSpec plain_load(void)
{
  return (LoadSpec){.to = INFINITY, .stroke = INFINITY, .drag = {NAN, NAN, NAN}};
}

static Bodies *make(int n, const BodySpec specs[], double mass, Mat3 inertia, int n_loads,
                    const Load loads[], Vec3 gravity)
{
  BodyInput inputs[4];
  MotionTable *tables[4] = {NULL, NULL, NULL, NULL};
  for (int b = 0; b < n; b++) inputs[b] = (BodyInput){&specs[b], mass, inertia};
  Bodies *bodies = NULL;
  MustPass(BodiesCreate(n, inputs, tables, n_loads, loads, gravity, &bodies));
  return bodies;
}

static void run(Bodies *bodies, double end, int n_steps)
{
  for (int k = 1; k <= n_steps; k++) {
    MustPass(BodiesBegin(bodies, end * k / n_steps));
    bodies_end(bodies);
  }
}

static Vec3 spin_in_body_axes(const Bodies *bodies)
{
  const BodyState *s = bodies_state(bodies, 0);
  return quat_rotate_back(s->q, body_spin(bodies_body(bodies, 0), s));
}

/* Error of the triaxial top against Jacobi's functions (VERIFICATION B1). */
static double top_error(int n_steps)
{
  BodySpec spec = plain_spec();
  spec.spin_body = vec3(1, 0, 1);
  Bodies *bodies = make(1, &spec, 1.0, mat3_diagonal(1, 2, 3), 0, NULL, vec3(0, 0, 0));
  run(bodies, 10.0, n_steps);
  const Vec3 exact = {-0.9210699984443, 0.3893970441153, 0.9744006605831};
  const double error = vec3_distance(spin_in_body_axes(bodies), exact);
  MustPass(BodiesDestroy(&bodies));
  return error;
}

START_TEST(a_triaxial_top_follows_jacobi_at_fourth_order)
{
  const double coarse = top_error(400), fine = top_error(800);
  ck_assert_double_le(top_error(2000), 1e-8);
  ck_assert_double_ge(log2(coarse / fine), 3.9);
}
END_TEST

START_TEST(a_thrown_body_flies_a_parabola_to_rounding)
{
  BodySpec spec = plain_spec();
  spec.velocity = vec3(1, 2, 3);
  Bodies *bodies = make(1, &spec, 2.0, mat3_identity(), 0, NULL, vec3(0, 0, -9.81));
  run(bodies, 2.0, 7);
  const Vec3 exact = {2, 4, 6 - 0.5 * 9.81 * 4};
  ck_assert_double_le(vec3_distance(bodies_state(bodies, 0)->x, exact), TOL_SUM(7, 20));
  MustPass(BodiesDestroy(&bodies));
}
END_TEST

START_TEST(off_diagonal_inertia_moves_like_the_turned_body)
{
  const Quat turn = quat_from_euler(0.3, 0.5, 0.7);
  const Mat3 r = quat_matrix(turn), d = mat3_diagonal(1, 2, 3);
  BodySpec straight = plain_spec(), turned = plain_spec();
  straight.spin = vec3(1, 0.2, 1);
  turned.spin = quat_rotate(turn, straight.spin);
  Bodies *a = make(1, &straight, 1.0, d, 0, NULL, vec3(0, 0, 0));
  Bodies *b = make(1, &turned, 1.0, mat3_rotate_tensor(&r, &d), 0, NULL, vec3(0, 0, 0));
  run(a, 3.0, 300);
  run(b, 3.0, 300);
  ck_assert_double_le(vec3_distance(quat_rotate(turn, spin_in_body_axes(a)), spin_in_body_axes(b)),
                      1e-12);
  MustPass(BodiesDestroy(&a));
  MustPass(BodiesDestroy(&b));
}
END_TEST

/* Final velocity under a force that acts from 0.103 to 0.417 and follows the turning body. */
static Vec3 pushed(int n_steps)
{
  BodySpec spec = plain_spec();
  spec.spin_body = vec3(1, 2, 3);
  LoadSpec push = plain_load();
  push.force = vec3(1, 0, 0);
  push.at = vec3(0, 0.3, 0.1);
  push.from = 0.103;
  push.to = 0.417;
  const Load load = {.spec = push, .body = 0, .carrier = -1};
  Bodies *bodies = make(1, &spec, 1.0, mat3_diagonal(1, 2, 3), 1, &load, vec3(0, 0, 0));
  run(bodies, 1.0, n_steps);
  const Vec3 v = bodies_state(bodies, 0)->v;
  MustPass(BodiesDestroy(&bodies));
  return v;
}

START_TEST(a_load_that_ends_inside_a_step_keeps_fourth_order)
{
  const Vec3 exact = pushed(2000);
  const double coarse = vec3_distance(pushed(40), exact), fine = vec3_distance(pushed(80), exact);
  ck_assert_double_ge(log2(coarse / fine), 3.8);
}
END_TEST

START_TEST(a_stroke_ends_where_the_point_has_gone_its_length)
{
  BodySpec spec = plain_spec();
  LoadSpec push = plain_load();
  push.force = vec3(2, 0, 0);
  push.stroke = 0.25;
  const Load load = {.spec = push, .body = 0, .carrier = -1};
  Bodies *bodies = make(1, &spec, 1.0, mat3_identity(), 1, &load, vec3(0, 0, 0));
  run(bodies, 2.0, 3);
  /* x = t^2 until x = 1/4, so v stays at 1 from t = 1/2. */
  ck_assert_double_le(fabs(bodies_state(bodies, 0)->v.x - 1.0), TOL_ROUND(8));
  ck_assert_double_le(fabs(bodies_state(bodies, 0)->x.x - 1.75), TOL_ROUND(8));
  MustPass(BodiesDestroy(&bodies));
}
END_TEST

START_TEST(a_carrier_takes_the_reaction)
{
  BodySpec specs[2] = {plain_spec(), plain_spec()};
  specs[0].position = vec3(0, 0, 0.5);
  LoadSpec push = plain_load();
  push.force = vec3(0, 0, 4);
  push.moment = vec3(0.1, 0.2, 0.3);
  push.at = vec3(0.3, 0, -0.5);
  push.stroke = 0.1;
  const Load load = {.spec = push, .body = 0, .carrier = 1};
  Bodies *bodies = make(2, specs, 1.0, mat3_diagonal(1, 2, 3), 1, &load, vec3(0, 0, 0));
  run(bodies, 1.0, 130);
  const BodyState a = *bodies_state(bodies, 0), b = *bodies_state(bodies, 1);
  const Vec3 turning =
      vec3_add(vec3_add(a.L, b.L), vec3_add(vec3_cross(a.x, a.v), vec3_cross(b.x, b.v)));
  ck_assert_double_gt(a.v.z, 0.1);
  ck_assert_double_le(vec3_norm(vec3_add(a.v, b.v)), TOL_SUM(130, 1));
  ck_assert_double_le(vec3_norm(turning), 1e-9);
  MustPass(BodiesDestroy(&bodies));
}
END_TEST

START_TEST(a_body_stands_still_until_its_release)
{
  BodySpec spec = plain_spec();
  spec.release = 0.25;
  spec.velocity = vec3(1, 0, 0);
  Bodies *bodies = make(1, &spec, 1.0, mat3_identity(), 0, NULL, vec3(0, 0, -1));
  ck_assert_double_eq(bodies_state(bodies, 0)->v.x, 0.0);
  run(bodies, 1.0, 3);
  ck_assert_double_le(fabs(bodies_state(bodies, 0)->x.x - 0.75), TOL_ROUND(1));
  ck_assert_double_le(fabs(bodies_state(bodies, 0)->x.z + 0.28125), TOL_ROUND(1));
  MustPass(BodiesDestroy(&bodies));
}
END_TEST

START_TEST(a_path_begun_anew_from_its_own_state_ends_at_the_same_place)
{
  BodySpec spec = plain_spec();
  spec.spin_body = vec3(1, 2, 3);
  Bodies *bodies = make(1, &spec, 1.0, mat3_diagonal(1, 2, 3), 0, NULL, vec3(0, 0, -1));
  MustPass(BodiesBegin(bodies, 0.01));
  const BodyState end = bodies_at(bodies, 0, 0.01), middle = bodies_at(bodies, 0, 0.004);
  const int id = 0;
  MustPass(BodiesReset(bodies, 0.004, 1, &id, &middle));
  ck_assert_double_le(vec3_distance(bodies_at(bodies, 0, 0.01).x, end.x), TOL_ROUND(1));
  ck_assert_double_le(fabs(bodies_at(bodies, 0, 0.01).q.x - end.q.x), pow(0.04, 5));
  ck_assert(bodies_at(bodies, 0, 0.004).q.x == middle.q.x);
  MustPass(BodiesDestroy(&bodies));
}
END_TEST

START_TEST(a_reset_velocity_bends_the_path_from_there_on)
{
  BodySpec spec = plain_spec();
  spec.velocity = vec3(0, 0, -1);
  Bodies *bodies = make(1, &spec, 1.0, mat3_identity(), 0, NULL, vec3(0, 0, 0));
  MustPass(BodiesBegin(bodies, 1.0));
  BodyState bounce = bodies_at(bodies, 0, 0.25);
  bounce.v.z = 2.0;
  const int id = 0;
  MustPass(BodiesReset(bodies, 0.25, 1, &id, &bounce));
  ck_assert_double_le(fabs(bodies_at(bodies, 0, 0.125).x.z + 0.125), TOL_ROUND(1));
  bodies_end(bodies);
  ck_assert_double_le(fabs(bodies_state(bodies, 0)->x.z - 1.25), TOL_ROUND(1));
  MustPass(BodiesDestroy(&bodies));
}
END_TEST

START_TEST(a_record_brings_a_run_back_bit_for_bit)
{
  BodySpec spec = plain_spec();
  spec.spin_body = vec3(1, 2, 3);
  LoadSpec push = plain_load();
  push.force = vec3(1, 0, 0);
  push.stroke = 0.3;
  const Load load = {.spec = push, .body = 0, .carrier = -1};
  Bodies *a = make(1, &spec, 1.0, mat3_diagonal(1, 2, 3), 1, &load, vec3(0, 0, -1));
  Bodies *b = make(1, &spec, 1.0, mat3_diagonal(1, 2, 3), 1, &load, vec3(0, 0, -1));
  run(a, 1.0, 10); /* past the end of the stroke */
  double record[64];
  ck_assert_int_le(bodies_record_size(a), 64);
  bodies_record_get(a, record);
  bodies_record_set(b, record);
  for (int k = 1; k <= 10; k++) {
    MustPass(BodiesBegin(a, 1.0 + 0.1 * k));
    MustPass(BodiesBegin(b, 1.0 + 0.1 * k));
    bodies_end(a);
    bodies_end(b);
  }
  ck_assert_mem_eq(bodies_state(a, 0), bodies_state(b, 0), sizeof(BodyState));
  MustPass(BodiesDestroy(&a));
  MustPass(BodiesDestroy(&b));
}
END_TEST

/* Period of a rod pendulum on an axis at its end, let go from an amplitude of 2 rad. */
START_TEST(a_rod_pendulum_swings_with_the_period_of_the_elliptic_integral)
{
  const double g = 9.81, half_length = 0.5, amplitude = 2.0;
  BodySpec spec = plain_spec();
  spec.motion = MOTION_AXIS;
  spec.pivot = vec3(0, 0, 0);
  spec.axis = vec3(0, 2, 0);
  spec.attitude = quat_from_axis(vec3(0, 1, 0), -amplitude);
  spec.position = quat_rotate(spec.attitude, vec3(0, 0, -half_length));
  Bodies *bodies =
      make(1, &spec, 1.0, mat3_diagonal(1.0 / 12, 1.0 / 12, 1e-3), 0, NULL, vec3(0, 0, -g));
  double a = 1.0, b = cos(amplitude / 2);
  for (int k = 0; k < 8; k++) {
    const double mean = 0.5 * (a + b);
    b = sqrt(a * b);
    a = mean;
  }
  const double period = 2.0 * M_PI / sqrt(1.5 * g) / a;
  run(bodies, period, 2000);
  ck_assert_double_le(vec3_distance(bodies_state(bodies, 0)->x, spec.position), 1e-9);
  MustPass(BodiesDestroy(&bodies));
}
END_TEST

START_TEST(a_heavy_top_keeps_energy_and_vertical_momentum)
{
  BodySpec spec = plain_spec();
  spec.motion = MOTION_POINT;
  spec.pivot = vec3(0, 0, 0);
  spec.attitude = quat_from_axis(vec3(0, 1, 0), 0.5);
  spec.position = quat_rotate(spec.attitude, vec3(0, 0, 0.3));
  spec.spin_body = vec3(0, 0, 40);
  Bodies *bodies = make(1, &spec, 1.0, mat3_diagonal(0.02, 0.02, 0.03), 0, NULL, vec3(0, 0, -9.81));
  const double lift = 9.81 * spec.position.z;
  const double energy = body_kinetic_energy(bodies_body(bodies, 0), bodies_state(bodies, 0)) + lift;
  const double vertical = bodies_state(bodies, 0)->L.z;
  run(bodies, 2.0, 4000);
  const BodyState *s = bodies_state(bodies, 0);
  ck_assert_double_le(fabs(body_kinetic_energy(bodies_body(bodies, 0), s) + 9.81 * s->x.z - energy),
                      1e-9 * energy);
  ck_assert_double_le(fabs(s->L.z - vertical), TOL_SUM(4000, vertical));
  MustPass(BodiesDestroy(&bodies));
}
END_TEST

START_TEST(a_motion_table_reproduces_a_cubic)
{
  double rows[6][8];
  for (int i = 0; i < 6; i++) {
    const double t = 0.1 * i * i;
    const double row[8] = {t, t * t * t - t, 2 * t * t, 1.0, cos(0.5 * t), sin(0.5 * t), 0.0, 0.0};
    for (int k = 0; k < 8; k++) rows[i][k] = row[k];
  }
  MotionTable *table = NULL;
  MustPass(MotionTableCreate(6, rows, &table));
  for (int k = 0; k <= 100; k++) {
    const double t = 2.5 * k / 100;
    const MotionPoint p = motion_table_at(table, t);
    ck_assert_double_le(vec3_distance(p.pose.x, vec3(t * t * t - t, 2 * t * t, 1)), 1e-13);
    ck_assert_double_le(vec3_distance(p.velocity, vec3(3 * t * t - 1, 4 * t, 0)), 1e-12);
    ck_assert_double_le(vec3_distance(p.spin, vec3(1, 0, 0)), 1e-12);
  }
  MustPass(MotionTableDestroy(&table));
}
END_TEST

START_TEST(a_push_that_grows_moves_a_body_as_its_integral)
{
  /* Mass 2, from t = 0.25 on F = 3 + 8 (t - 0.25): v and x are its integrals over the mass. */
  const BodySpec spec = plain_spec();
  const Wrench value = {{3, 0, 0}, {0, 0, 0}}, rate = {{8, 0, 0}, {0, 0, 0}};
  Bodies *bodies = make(1, &spec, 2.0, mat3_identity(), 0, NULL, vec3(0, 0, 0));
  MustPass(BodiesBegin(bodies, 1.0));
  const int id = 0;
  const BodyState at = bodies_at(bodies, 0, 0.25);
  bodies_push_from(bodies, 0, 0.25, value, rate);
  MustPass(BodiesReset(bodies, 0.25, 1, &id, &at));
  bodies_end(bodies);
  const double s = 0.75;
  const BodyState *end = bodies_state(bodies, 0);
  ck_assert_double_le(fabs(end->v.x - (3 * s + 4 * s * s) / 2), TOL_ROUND(2));
  ck_assert_double_le(fabs(end->x.x - (1.5 * s * s + 4.0 / 3.0 * s * s * s) / 2), TOL_ROUND(1));
  MustPass(BodiesDestroy(&bodies));
}
END_TEST

Suite *test_suite(void)
{
  Suite *suite = suite_create("body");
  TCase *tests = tcase_create("path");

  tcase_add_test(tests, a_triaxial_top_follows_jacobi_at_fourth_order);
  tcase_add_test(tests, a_thrown_body_flies_a_parabola_to_rounding);
  tcase_add_test(tests, off_diagonal_inertia_moves_like_the_turned_body);
  tcase_add_test(tests, a_load_that_ends_inside_a_step_keeps_fourth_order);
  tcase_add_test(tests, a_stroke_ends_where_the_point_has_gone_its_length);
  tcase_add_test(tests, a_carrier_takes_the_reaction);
  tcase_add_test(tests, a_body_stands_still_until_its_release);
  tcase_add_test(tests, a_path_begun_anew_from_its_own_state_ends_at_the_same_place);
  tcase_add_test(tests, a_reset_velocity_bends_the_path_from_there_on);
  tcase_add_test(tests, a_record_brings_a_run_back_bit_for_bit);
  tcase_add_test(tests, a_rod_pendulum_swings_with_the_period_of_the_elliptic_integral);
  tcase_add_test(tests, a_heavy_top_keeps_energy_and_vertical_momentum);
  tcase_add_test(tests, a_motion_table_reproduces_a_cubic);
  tcase_add_test(tests, a_push_that_grows_moves_a_body_as_its_integral);
  suite_add_tcase(suite, tests);
  return suite;
}
