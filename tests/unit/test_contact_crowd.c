#include "contact/crowd_sweep.h"
#include "support.h"

#include <math.h>

enum { BALLS = 10, MOST = 40 };

static CrowdSweep *work;

static void setup(void)
{
  MustPass(CrowdSweepCreate(&work));
}

static void teardown(void)
{
  MustPass(CrowdSweepDestroy(&work));
}

typedef struct {
  int n_bodies, n_contacts;
  Mobility body[MOST];
  Twist twist[MOST];
  IslandContact contact[MOST];
} Scene;

static CrowdResult solve(const Scene *s, bool dissipates)
{
  CrowdResult result;
  const CrowdInput in = {.n_bodies = s->n_bodies,
                         .n_contacts = s->n_contacts,
                         .body = s->body,
                         .twist = s->twist,
                         .contact = s->contact,
                         .enough = 1e-12,
                         .dissipates = dissipates};
  MustPass(CrowdSweepSolve(work, &in, &result));
  return result;
}

/* Balls of mass 1 and radius 1/2 upon each other, which all fall at v. */
static Scene column(Vec3 v, double mu)
{
  const Mat3 inertia = mat3_diagonal(0.1, 0.1, 0.1);
  Scene s = {.n_bodies = BALLS, .n_contacts = BALLS};
  for (int b = 0; b < BALLS; b++) {
    s.body[b] = mobility_free(1.0, &inertia, vec3(0, 0, b + 0.5));
    s.twist[b] = (Twist){v, {0, 0, 0}};
    s.contact[b] = (IslandContact){.a = b,
                                   .b = b - 1,
                                   .point = {0, 0, b},
                                   .normal = {0, 0, 1},
                                   .friction = mu,
                                   .incident = -1};
  }
  return s;
}

START_TEST(a_column_whose_forces_are_known_is_held_at_once)
{
  Scene s = column(vec3(0, 0, -1), 0.0);
  for (int b = 0; b < BALLS; b++) s.contact[b].guess = vec3(0, 0, BALLS - b);
  const CrowdResult r = solve(&s, true);
  ck_assert_int_eq(r.sweeps, 1);
  for (int b = 0; b < BALLS; b++) {
    ck_assert_double_le(vec3_norm(r.twist[b].v), 1e-14);
    ck_assert_double_le(fabs(r.impulse[b].z - (BALLS - b)), 1e-13);
  }
}
END_TEST

START_TEST(sweeps_come_nearer_to_rest_from_step_to_step)
{
  Scene s = column(vec3(0, 0, -1), 0.3);
  double left = INFINITY;
  for (int step = 0; step < 8; step++) {
    const CrowdResult r = solve(&s, true);
    double most = 0.0;
    for (int b = 0; b < BALLS; b++) {
      most = fmax(most, vec3_norm(r.twist[b].v));
      s.contact[b].guess = r.impulse[b];
    }
    ck_assert(most < left || most < 1e-11);
    left = most;
  }
  ck_assert_double_le(left, 1e-5);
}
END_TEST

START_TEST(friction_stops_a_ball_that_can_stick_and_stays_in_its_cone)
{
  for (int k = 0; k < 2; k++) {
    const double mu = k == 0 ? 0.1 : 2.0;
    Scene s = column(vec3(1, 0, -1), mu);
    s.n_bodies = s.n_contacts = 1;
    const CrowdResult r = solve(&s, true);
    /* Impulse 1 along the normal; sticking takes m v / (1 + m r^2 / I) = 2 / 7 of friction. */
    const double wanted = k == 0 ? 0.1 : 2.0 / 7.0;
    ck_assert_double_le(fabs(r.impulse[0].z - 1.0), 1e-12);
    ck_assert_double_le(fabs(r.impulse[0].x + wanted), 1e-10);
    ck_assert_double_le(fabs(r.impulse[0].y), 1e-12);
  }
}
END_TEST

START_TEST(speeds_that_are_wanted_are_had_unless_they_take_work)
{
  Scene s = column(vec3(0, 0, -1), 0.0);
  s.n_bodies = s.n_contacts = 1;
  s.contact[0].least = 2.0;
  ck_assert_double_le(fabs(solve(&s, false).twist[0].v.z - 2.0), 1e-12);
  ck_assert_double_le(fabs(solve(&s, true).twist[0].v.z - 1.0), 1e-12);
}
END_TEST

START_TEST(bodies_that_part_are_left_alone)
{
  const Scene s = column(vec3(0.5, 0, 1), 0.5);
  Scene one = s;
  one.n_bodies = one.n_contacts = 1;
  const CrowdResult r = solve(&one, true);
  ck_assert(r.twist[0].v.z == 1.0 && r.twist[0].v.x == 0.5 && vec3_norm(r.impulse[0]) == 0.0);
}
END_TEST

Suite *test_suite(void)
{
  Suite *suite = suite_create("contact/crowd");
  TCase *tests = tcase_create("core");

  tcase_add_checked_fixture(tests, setup, teardown);
  tcase_add_test(tests, a_column_whose_forces_are_known_is_held_at_once);
  tcase_add_test(tests, sweeps_come_nearer_to_rest_from_step_to_step);
  tcase_add_test(tests, friction_stops_a_ball_that_can_stick_and_stays_in_its_cone);
  tcase_add_test(tests, speeds_that_are_wanted_are_had_unless_they_take_work);
  tcase_add_test(tests, bodies_that_part_are_left_alone);
  suite_add_tcase(suite, tests);
  return suite;
}
