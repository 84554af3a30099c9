#include "config/number_impl.h"
#include "config/suggest_impl.h"
#include "support.h"

#include <limits.h>
#include <math.h>
#include <string.h>

START_TEST(decimal_numbers_are_read)
{
  static const struct {
    const char *text;
    double value;
  } good[] = {{"0", 0},      {"-1", -1},         {"+2", 2},  {".5", 0.5},      {"5.", 5},
              {"1e3", 1000}, {"1.5E-3", 1.5e-3}, {"007", 7}, {"-.25e+2", -25}, {"0e999", 0}};
  for (size_t k = 0; k < sizeof good / sizeof good[0]; k++) {
    double value = NAN;
    ck_assert_int_eq(number_read(good[k].text, strlen(good[k].text), &value), NUMBER_GOOD);
    ck_assert(value == good[k].value);
  }
}
END_TEST

START_TEST(everything_else_is_no_number)
{
  static const char *const bad[] = {"",     " ",    "-",     "+",    ".",   "e3",   "1e",   "1e+",
                                    "1 kg", "1e3x", "nan",   ".nan", "inf", ".inf", "0x10", "1_000",
                                    "1,5",  "--1",  "1.2.3", " 1",   "1 ",  "1d3",  "1f",   "０"};
  for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
    double value = 7;
    int integer = 7;
    ck_assert_int_eq(number_read(bad[k], strlen(bad[k]), &value), NUMBER_NOT_ONE);
    ck_assert_int_eq(number_read_integer(bad[k], strlen(bad[k]), &integer), NUMBER_NOT_ONE);
    ck_assert(value == 7 && integer == 7);
  }
}
END_TEST

START_TEST(numbers_beyond_the_range_are_told_apart)
{
  double value;
  ck_assert_int_eq(number_read("1e400", 5, &value), NUMBER_TOO_LARGE);
  ck_assert_int_eq(number_read("-1e400", 6, &value), NUMBER_TOO_LARGE);
  ck_assert_int_eq(number_read("1e-400", 6, &value), NUMBER_TOO_SMALL);
}
END_TEST

START_TEST(integers_have_digits_only_and_fit)
{
  int value = 0;
  ck_assert_int_eq(number_read_integer("2147483647", 10, &value), NUMBER_GOOD);
  ck_assert_int_eq(value, INT_MAX);
  ck_assert_int_eq(number_read_integer("-12", 3, &value), NUMBER_GOOD);
  ck_assert_int_eq(value, -12);
  ck_assert_int_eq(number_read_integer("2147483648", 10, &value), NUMBER_TOO_LARGE);
  ck_assert_int_eq(number_read_integer("99999999999999999999999", 23, &value), NUMBER_TOO_LARGE);
  ck_assert_int_eq(number_read_integer("1e3", 3, &value), NUMBER_NOT_ONE);
  ck_assert_int_eq(number_read_integer("1.0", 3, &value), NUMBER_NOT_ONE);
}
END_TEST

START_TEST(printed_numbers_read_back_the_same)
{
  Random r = random_seeded(11);
  for (int k = 0; k < 10000; k++) {
    const double value = random_in(&r, -1, 1) * pow(10, random_in(&r, -300, 300));
    char text[NUMBER_PRINTED];
    double back = NAN;
    number_print(value, text);
    ck_assert_int_eq(number_read(text, strlen(text), &back), NUMBER_GOOD);
    ck_assert(back == value);
  }
  char text[NUMBER_PRINTED];
  ck_assert_str_eq(number_print(0.1, text), "0.1");
}
END_TEST

START_TEST(the_distance_counts_slips_of_typing)
{
  ck_assert_int_eq(word_distance("radius", 6, "radius", 6), 0);
  ck_assert_int_eq(word_distance("radus", 5, "radius", 6), 1);
  ck_assert_int_eq(word_distance("raduis", 6, "radius", 6), 1);
  ck_assert_int_eq(word_distance("Radius", 6, "radius", 6), 0);
  ck_assert_int_eq(word_distance("", 0, "abc", 3), 3);
}
END_TEST

START_TEST(the_nearest_word_is_suggested_and_far_ones_are_not)
{
  Suggestion near = suggestion_for("frition", 7);
  suggestion_offer(&near, "restitution");
  suggestion_offer(&near, "friction");
  suggestion_offer(&near, "motion");
  ck_assert_str_eq(near.nearest, "friction");
  Suggestion far = suggestion_for("colour", 6);
  suggestion_offer(&far, "mass");
  suggestion_offer(&far, "density");
  ck_assert_ptr_null(far.nearest);
}
END_TEST

Suite *test_suite(void)
{
  Suite *suite = suite_create("config/number");
  TCase *tests = tcase_create("core");

  tcase_add_test(tests, decimal_numbers_are_read);
  tcase_add_test(tests, everything_else_is_no_number);
  tcase_add_test(tests, numbers_beyond_the_range_are_told_apart);
  tcase_add_test(tests, integers_have_digits_only_and_fit);
  tcase_add_test(tests, printed_numbers_read_back_the_same);
  tcase_add_test(tests, the_distance_counts_slips_of_typing);
  tcase_add_test(tests, the_nearest_word_is_suggested_and_far_ones_are_not);
  suite_add_tcase(suite, tests);
  return suite;
}
