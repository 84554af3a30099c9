#include "flow/sa.h"
#include "support.h"

/* A differentiable join: what two branches may differ by, so near to it. */
#define TOL_JOIN 1e-6

static const SaSpec plain = {false, false, 2};

/* Air in which nothing happens but what a test adds. */
static SaPoint still(double nu_tilde)
{
  return (SaPoint){.rho = 1.3, .nu = 1e-5, .nu_tilde = nu_tilde, .distance = HUGE_VAL, .width = 1};
}

START_TEST(a_logarithmic_layer_is_in_balance)
{
  /* nu_tilde = kappa u_tau d and a shear of u_tau / (kappa d); little nu, so that chi is large. */
  const double u_tau = 0.7, d = 0.2, made = SA_KAPPA * u_tau;
  SaPoint p = {.rho = 1.3, .nu = 1e-9, .nu_tilde = made * d, .distance = d};
  p.vorticity = p.strain = p.shear = u_tau / (SA_KAPPA * d);
  p.steep2 = made * made;
  const double spread = p.rho * made * made / SA_SIGMA;
  ck_assert_double_le(fabs(sa_source(&plain, &p) + spread), TOL_JOIN * spread);
}
END_TEST

START_TEST(the_viscosity_follows_nu_tilde_far_from_walls_and_never_falls_below_zero)
{
  const double nu = 1e-5;
  ck_assert_double_eq(sa_eddy(1.3, nu, -5.0 * nu), 0.0);
  ck_assert_double_eq(sa_eddy(1.3, nu, 0.0), 0.0);
  ck_assert_double_eq_tol(sa_eddy(1.3, nu, 7.1 * nu), 0.5 * 1.3 * 7.1 * nu, 1e-15);
  ck_assert_double_eq_tol(sa_eddy(1.3, nu, 1e4 * nu), 1.3 * 1e4 * nu, 1e-6);
}
END_TEST

START_TEST(below_zero_it_is_driven_up)
{
  SaPoint p = still(-3e-5);
  p.distance = 0.01;
  p.vorticity = p.strain = 10.0;
  ck_assert_double_gt(sa_balance(&plain, &p), 0.0);
  p.distance = HUGE_VAL;
  ck_assert_double_gt(sa_balance(&plain, &p), 0.0);
}
END_TEST

START_TEST(source_and_spread_join_at_zero)
{
  const double little = 1e-6;
  SaPoint up = still(1e-5 * little), down = still(-1e-5 * little);
  up.vorticity = down.vorticity = up.strain = down.strain = 100.0;
  up.distance = down.distance = 0.01;
  const double scale = 1e-5 * 100.0;
  ck_assert_double_le(fabs(sa_source(&plain, &up) - sa_source(&plain, &down)), TOL_JOIN * scale);
  ck_assert_double_le(fabs(sa_spread(1e-5, 1e-11) - sa_spread(1e-5, -1e-11)), 1e-5 * 3.0 * little);
}
END_TEST

START_TEST(the_changed_vorticity_stays_positive_and_has_no_step)
{
  for (int k = 0; k < 60; k++) ck_assert_double_gt(sa_vorticity(2.0, -pow(2.0, k - 10)), 0.199);
  const double at = -SA_CV2 * 2.0;
  ck_assert_double_eq_tol(sa_vorticity(2.0, at * (1.0 + 1e-9)), sa_vorticity(2.0, at), 1e-8);
}
END_TEST

START_TEST(far_air_makes_nothing_where_it_does_not_turn)
{
  const SaPoint p = still(3e-5);
  ck_assert_double_eq(sa_source(&plain, &p), 0.0);
}
END_TEST

START_TEST(rotation_makes_less_only_where_the_flow_turns_more_than_it_strains)
{
  const SaSpec rotation = {true, false, 2};
  SaPoint p = still(1e-3);
  p.vorticity = p.strain = 50.0;
  ck_assert_double_eq(sa_source(&rotation, &p), sa_source(&plain, &p));
  p.strain = 30.0;
  ck_assert_double_lt(sa_source(&rotation, &p), 0.5 * sa_source(&plain, &p));
}
END_TEST

START_TEST(detached_eddies_are_bounded_by_cells_but_layers_by_walls)
{
  const SaSpec ddes = {false, true, 2};
  SaPoint p = still(1e-3);
  p.distance = 1.0, p.width = 0.01, p.shear = 1e3;
  ck_assert_double_eq_tol(sa_length(&ddes, &p), 0.65 * 0.01, 1e-6);
  /* Within a layer: nu_tilde and shear of the logarithmic law. */
  p.distance = 0.1, p.nu_tilde = SA_KAPPA * 0.1, p.shear = 1.0 / (SA_KAPPA * 0.1);
  ck_assert_double_eq_tol(sa_length(&ddes, &p), 0.1, 1e-12);
}
END_TEST

Suite *test_suite(void)
{
  Suite *suite = suite_create("flow/sa");
  TCase *tests = tcase_create("core");

  tcase_add_test(tests, a_logarithmic_layer_is_in_balance);
  tcase_add_test(tests, the_viscosity_follows_nu_tilde_far_from_walls_and_never_falls_below_zero);
  tcase_add_test(tests, below_zero_it_is_driven_up);
  tcase_add_test(tests, source_and_spread_join_at_zero);
  tcase_add_test(tests, the_changed_vorticity_stays_positive_and_has_no_step);
  tcase_add_test(tests, far_air_makes_nothing_where_it_does_not_turn);
  tcase_add_test(tests, rotation_makes_less_only_where_the_flow_turns_more_than_it_strains);
  tcase_add_test(tests, detached_eddies_are_bounded_by_cells_but_layers_by_walls);
  suite_add_tcase(suite, tests);
  return suite;
}
