#include "flow/atmosphere.h"
#include "flow/freestream.h"
#include "support.h"

/* The table is printed to five digits, at geometric altitudes. */
static const double TOL_TABLE = 6e-5;

START_TEST(the_atmosphere_is_that_of_its_table)
{
  /* U.S. Standard Atmosphere 1976, table I: altitude [m], temperature [K], pressure [Pa]. */
  static const double table[][3] = {
      {-5000, 320.676, 1.7776e5}, {0, 288.150, 1.01325e5},    {1000, 281.651, 8.9876e4},
      {5000, 255.676, 5.4048e4},  {10000, 223.252, 2.6500e4}, {11000, 216.774, 2.2700e4},
      {15000, 216.650, 1.2112e4}, {20000, 216.650, 5.5293e3}, {25000, 221.552, 2.5492e3},
      {30000, 226.509, 1.1970e3}, {40000, 250.350, 2.8714e2}, {47000, 269.684, 1.1585e2},
      {50000, 270.650, 7.9779e1}, {60000, 247.021, 2.1959e1}, {70000, 219.585, 5.2210},
      {80000, 198.639, 1.0525}};
  for (int k = 0; k < (int)(sizeof table / sizeof *table); k++) {
    const Air air = atmosphere_at(table[k][0]);
    ck_assert_double_eq_tol(air.temperature, table[k][1], 1e-3);
    ck_assert_double_eq_tol(air.pressure / table[k][2], 1.0, TOL_TABLE);
  }
}
END_TEST

static FlowSpec some_flow(void)
{
  return (FlowSpec){.given = true,
                    .gas = {1.4, 287.05, 0.72, NAN},
                    .freestream = {NAN, {NAN, NAN, NAN}, 0.0, 0.0, NAN, NAN, NAN, NAN},
                    .reynolds = NAN};
}

static const ReferenceSpec two_metres = {.length = 2.0, .area = 1.0};

START_TEST(any_two_of_the_state_give_the_third)
{
  const double p = 36000, t = 237, rho = p / (287.05 * t);
  const double given[3][3] = {{p, t, NAN}, {p, NAN, rho}, {NAN, t, rho}};
  for (int k = 0; k < 3; k++) {
    FlowSpec spec = some_flow();
    spec.freestream.mach = 0.95;
    spec.freestream.pressure = given[k][0];
    spec.freestream.temperature = given[k][1];
    spec.freestream.density = given[k][2];
    const FreeStream s = freestream_of(&spec, &two_metres);
    ck_assert_double_eq_tol(s.pressure, p, TOL_ROUND(p));
    ck_assert_double_eq_tol(s.temperature, t, TOL_ROUND(t));
    ck_assert_double_eq_tol(s.density, rho, TOL_ROUND(rho));
    ck_assert_double_eq_tol(s.sound, sqrt(1.4 * 287.05 * t), TOL_ROUND(s.sound));
    ck_assert_double_eq_tol(s.velocity.x, 0.95 * s.sound, TOL_ROUND(s.sound));
  }
}
END_TEST

START_TEST(altitude_stands_for_pressure_and_temperature)
{
  FlowSpec spec = some_flow();
  spec.freestream.mach = 0.95;
  spec.freestream.altitude = 10000;
  const FreeStream s = freestream_of(&spec, &two_metres);
  ck_assert_double_eq_tol(s.density, 0.41351, 2e-5);
  ck_assert_double_eq_tol(s.sound, 299.53, 0.02);
}
END_TEST

START_TEST(alpha_turns_the_stream_up_and_beta_to_the_left)
{
  FlowSpec spec = some_flow();
  spec.freestream.mach = 1.0;
  spec.freestream.pressure = 1.0;
  spec.freestream.density = 1.4;
  spec.freestream.alpha = 30.0;
  const FreeStream up = freestream_of(&spec, &two_metres);
  ck_assert_double_eq_tol(up.velocity.z, 0.5, TOL_ROUND(1));
  ck_assert_double_eq_tol(up.velocity.x, sqrt(0.75), TOL_ROUND(1));
  ck_assert_double_eq(up.velocity.y, 0.0);
  spec.freestream.alpha = 0.0;
  spec.freestream.beta = 30.0;
  const FreeStream left = freestream_of(&spec, &two_metres);
  ck_assert_double_eq_tol(left.velocity.y, 0.5, TOL_ROUND(1));
  ck_assert_double_eq(left.velocity.z, 0.0);
}
END_TEST

START_TEST(a_velocity_is_kept_as_it_is)
{
  FlowSpec spec = some_flow();
  spec.freestream.velocity = vec3(3, -4, 12);
  spec.freestream.temperature = 300;
  spec.freestream.density = 1.2;
  const FreeStream s = freestream_of(&spec, &two_metres);
  ck_assert(s.velocity.x == 3 && s.velocity.y == -4 && s.velocity.z == 12);
}
END_TEST

START_TEST(far_away_all_reference_units_are_one)
{
  FlowSpec spec = some_flow();
  spec.equations = EQUATIONS_LAMINAR;
  spec.freestream.mach = 2.5;
  spec.freestream.altitude = 3000;
  spec.reynolds = 1e4;
  const FreeStream s = freestream_of(&spec, &two_metres);
  const Units units = units_of(&s, two_metres.length);
  const Gas gas = gas_of(&spec, &s, &units);
  const Primitive w = freestream_primitive(&s, &units);
  ck_assert_double_eq_tol(w.rho, 1.0, TOL_ROUND(1));
  ck_assert_double_eq_tol(gas_sound(&gas, w), 1.0, TOL_ROUND(1));
  ck_assert_double_eq_tol(gas_temperature(&gas, w), 1.0, TOL_ROUND(1));
  ck_assert_double_eq_tol(w.u.x, 2.5, TOL_ROUND(2.5));
  ck_assert_double_eq_tol(w.rho * w.u.x / gas_viscosity(&gas, 1.0), 1e4, TOL_ROUND(1e4));
}
END_TEST

START_TEST(sutherland_makes_hot_air_thicker)
{
  FlowSpec spec = some_flow();
  spec.equations = EQUATIONS_LAMINAR;
  spec.freestream.mach = 0.5;
  spec.freestream.temperature = 273.15;
  spec.freestream.pressure = 101325;
  const FreeStream s = freestream_of(&spec, &two_metres);
  const Units units = units_of(&s, two_metres.length);
  const Gas gas = gas_of(&spec, &s, &units);
  ck_assert_double_eq_tol(s.viscosity, 1.716e-5, 1e-8);
  const double unit = units.density * units.speed * units.length;
  ck_assert_double_eq_tol(gas_viscosity(&gas, 550 / 273.15) * unit, 2.8481e-5, 2e-8);
  spec.gas.viscosity = 1e-5;
  const Gas constant = gas_of(&spec, &s, &units);
  ck_assert_double_eq(gas_viscosity(&constant, 2.0), gas_viscosity(&constant, 1.0));
}
END_TEST

START_TEST(primitive_and_conserved_are_the_same_gas)
{
  const Gas gas = {.gamma = 1.3};
  const Primitive w = {0.7, {1, -2, 3}, 0.4};
  const Primitive back = gas_primitive(&gas, gas_conserved(&gas, w));
  ck_assert_double_eq_tol(back.p, w.p, TOL_ROUND(20));
  ck_assert_double_le(vec3_distance(back.u, w.u), TOL_ROUND(4));
  ck_assert_double_eq(back.rho, w.rho);
}
END_TEST

Suite *test_suite(void)
{
  Suite *suite = suite_create("flow/freestream");
  TCase *tests = tcase_create("core");

  tcase_add_test(tests, the_atmosphere_is_that_of_its_table);
  tcase_add_test(tests, any_two_of_the_state_give_the_third);
  tcase_add_test(tests, altitude_stands_for_pressure_and_temperature);
  tcase_add_test(tests, alpha_turns_the_stream_up_and_beta_to_the_left);
  tcase_add_test(tests, a_velocity_is_kept_as_it_is);
  tcase_add_test(tests, far_away_all_reference_units_are_one);
  tcase_add_test(tests, sutherland_makes_hot_air_thicker);
  tcase_add_test(tests, primitive_and_conserved_are_the_same_gas);
  suite_add_tcase(suite, tests);
  return suite;
}
