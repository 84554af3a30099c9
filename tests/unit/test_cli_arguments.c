#include "cli/arguments.h"
#include "support.h"

#include <string.h>

/* What the parser made of a command line of two flags and at most one word. */
typedef struct {
  bool ok;
  int n_words;
  const char *word, *steps, *quiet;
  char problem[ARGUMENTS_PROBLEM];
} Parsed;

static Parsed parse(int argc, const char *argv[])
{
  Parsed p = {.ok = false};
  const Flag flags[] = {{"--steps", true, &p.steps}, {"--quiet", false, &p.quiet}};
  p.ok = arguments_parse(argc, (char **)argv, flags, 2, &p.word, 1, &p.n_words, p.problem);
  return p;
}

#define PARSE(...)                                                     \
  parse((int)(sizeof((const char *[]){__VA_ARGS__}) / sizeof(char *)), \
        (const char *[]){__VA_ARGS__})

START_TEST(flags_stand_before_and_after_the_word)
{
  const Parsed a = PARSE("--steps", "3", "case", "--quiet");
  ck_assert(a.ok && a.n_words == 1);
  ck_assert_str_eq(a.word, "case");
  ck_assert_str_eq(a.steps, "3");
  ck_assert_str_eq(a.quiet, "--quiet");
  const Parsed b = PARSE("case", "--steps=4");
  ck_assert(b.ok && b.quiet == NULL);
  ck_assert_str_eq(b.steps, "4");
}
END_TEST

START_TEST(a_lone_dash_is_a_word_and_a_value_may_look_like_a_flag)
{
  const Parsed a = PARSE("-", "--steps", "--quiet");
  ck_assert(a.ok && a.quiet == NULL);
  ck_assert_str_eq(a.word, "-");
  ck_assert_str_eq(a.steps, "--quiet");
}
END_TEST

START_TEST(mistakes_are_named)
{
  ck_assert_str_eq(PARSE("--step", "3").problem, "unknown flag '--step'");
  ck_assert_str_eq(PARSE("--stepsx=3").problem, "unknown flag '--stepsx=3'");
  ck_assert_str_eq(PARSE("--steps").problem, "flag --steps needs a value");
  ck_assert_str_eq(PARSE("--quiet=1").problem, "flag --quiet takes no value");
  ck_assert_str_eq(PARSE("a", "b").problem, "unexpected argument 'b'");
}
END_TEST

START_TEST(a_count_is_a_whole_number_and_nothing_else)
{
  long long n = 0;
  ck_assert(argument_count("0", &n) && n == 0);
  ck_assert(argument_count("9223372036854775807", &n) && n == 9223372036854775807LL);
  const char *const bad[] = {
      "", "-1", "+1", " 1", "1 ", "1e3", "0x10", "1.0", "9223372036854775808"};
  for (int k = 0; k < (int)(sizeof bad / sizeof *bad); k++)
    ck_assert_msg(!argument_count(bad[k], &n), "'%s' passed", bad[k]);
}
END_TEST

START_TEST(seconds_are_a_finite_number_that_is_not_negative)
{
  double t = 0;
  ck_assert(argument_seconds("0", &t) && t == 0.0);
  ck_assert(argument_seconds(".5", &t) && t == 0.5);
  ck_assert(argument_seconds("1e3", &t) && t == 1000.0);
  const char *const bad[] = {"", "-1", "+1", " 1", "1s", "nan", "inf", "1e999", "0x10", "."};
  for (int k = 0; k < (int)(sizeof bad / sizeof *bad); k++)
    ck_assert_msg(!argument_seconds(bad[k], &t), "'%s' passed", bad[k]);
}
END_TEST

Suite *test_suite(void)
{
  Suite *suite = suite_create("cli/arguments");
  TCase *tests = tcase_create("core");

  tcase_add_test(tests, flags_stand_before_and_after_the_word);
  tcase_add_test(tests, a_lone_dash_is_a_word_and_a_value_may_look_like_a_flag);
  tcase_add_test(tests, mistakes_are_named);
  tcase_add_test(tests, a_count_is_a_whole_number_and_nothing_else);
  tcase_add_test(tests, seconds_are_a_finite_number_that_is_not_negative);
  suite_add_tcase(suite, tests);
  return suite;
}
