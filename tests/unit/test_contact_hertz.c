#include "contact/hertz_law.h"
#include "support.h"

#include <math.h>

/* A head-on impact at unit speed, integrated by Runge-Kutta until the surfaces part. */
typedef struct {
  double restitution, time, depth;
} Impact;

static double pull_apart(const HertzPoint *p, double depth, double rate)
{
  return -hertz_normal_force(p, depth, rate) / p->mass;
}

/* Depth and rate after a step h. */
static void plain_step(const HertzPoint *p, double h, double *x, double *v)
{
  const double share[4] = {0, 0.5, 0.5, 1}, weight[4] = {1 / 6., 1 / 3., 1 / 3., 1 / 6.};
  double dx = 0, dv = 0, sum_x = 0, sum_v = 0;
  for (int i = 0; i < 4; i++) {
    const double u = *v + share[i] * h * dv;
    dv = pull_apart(p, *x + share[i] * h * dx, u);
    dx = u;
    sum_x += weight[i] * dx;
    sum_v += weight[i] * dv;
  }
  *x += h * sum_x;
  *v += h * sum_v;
}

static Impact strike(const HertzPoint *p, double speed)
{
  Impact out = {0};
  double x = 0.0, v = speed;
  do {
    const double h = 0.2 * hertz_sub_step(p, x, v);
    plain_step(p, h, &x, &v);
    out.time += h;
    out.depth = fmax(out.depth, x);
  } while (x > 0.0);
  out.restitution = -v / speed;
  return out;
}

START_TEST(an_impact_has_the_restitution_that_was_asked_for)
{
  for (int k = 0; k <= 40; k++)
    for (int fast = 0; fast < 2; fast++) {
      const double e = k / 40.0;
      const HertzPoint p = {.stiffness = 3e6, .mass = 0.7, .damping = hertz_damping(e)};
      const double wanted = e > 8e-4 ? e : 8e-4;
      ck_assert_double_le(fabs(strike(&p, fast ? 20.0 : 0.01).restitution - wanted), 5e-5);
    }
}
END_TEST

START_TEST(an_impact_without_losses_lasts_and_sinks_in_as_hertz_says)
{
  const HertzPoint p = {.stiffness = 2e7, .mass = 0.4};
  const Impact got = strike(&p, 3.0);
  const double depth = pow(1.25 * 0.4 * 9.0 / 2e7, 0.4);
  ck_assert_double_le(fabs(got.depth / depth - 1), 1e-4);
  ck_assert_double_le(fabs(got.time / (2.9432746 * depth / 3.0) - 1), 1e-2);
  ck_assert_double_le(fabs(hertz_contact_time(&p, 3.0) / (2.9432746 * depth / 3.0) - 1), 1e-12);
}
END_TEST

START_TEST(moduli_add_up_as_compliances_and_a_rigid_side_has_none)
{
  const double one = hertz_modulus(2e9, 0.3, INFINITY, 0.0);
  const double two = hertz_modulus(2e9, 0.3, 2e9, 0.3);
  ck_assert_double_le(fabs(one - 2e9 / 0.91), TOL_ROUND(4e9));
  ck_assert_double_le(fabs(two - 0.5 * one), TOL_ROUND(4e9));
  ck_assert_double_le(fabs(hertz_stiffness(3.0, 4.0) - 8.0), TOL_ROUND(8));
}
END_TEST

START_TEST(no_contact_pulls_and_friction_stays_in_its_cone)
{
  Random r = random_seeded(31);
  for (int k = 0; k < 10000; k++) {
    const HertzPoint p = {.stiffness = pow(10, random_in(&r, 3, 11)),
                          .mass = pow(10, random_in(&r, -3, 3)),
                          .damping = hertz_damping(random_unit(&r)),
                          .friction = random_in(&r, 0, 3)};
    const double depth = random_in(&r, -1e-4, 1e-3), rate = random_in(&r, -5, 5);
    const double slip = random_in(&r, 0, 5), h = pow(10, random_in(&r, -8, -3));
    const double press = hertz_normal_force(&p, depth, rate);
    const double drag = hertz_friction(&p, press, slip, hertz_speed(&p, depth, rate), h);
    ck_assert(press >= 0.0 && (depth > 0.0 || press == 0.0));
    ck_assert(drag >= 0.0 && drag * slip <= p.friction * press * (1 + TOL_ROUND(1)));
    /* A step of length h never turns the slip of the mass itself around. */
    ck_assert_double_le(drag * h, 0.5 * p.mass * (1 + 1e-9));
  }
}
END_TEST

START_TEST(fast_slip_meets_all_of_coulombs_friction)
{
  const HertzPoint p = {.stiffness = 1e6, .mass = 1.0, .friction = 0.3};
  ck_assert_double_le(fabs(5.0 * hertz_friction(&p, 10.0, 5.0, 1.0, 1e-6) - 3.0), 1e-12);
}
END_TEST

Suite *test_suite(void)
{
  Suite *suite = suite_create("contact/hertz");
  TCase *tests = tcase_create("law");

  tcase_add_test(tests, an_impact_has_the_restitution_that_was_asked_for);
  tcase_add_test(tests, an_impact_without_losses_lasts_and_sinks_in_as_hertz_says);
  tcase_add_test(tests, moduli_add_up_as_compliances_and_a_rigid_side_has_none);
  tcase_add_test(tests, no_contact_pulls_and_friction_stays_in_its_cone);
  tcase_add_test(tests, fast_slip_meets_all_of_coulombs_friction);
  suite_add_tcase(suite, tests);
  return suite;
}
