#include "io/table.h"
#include "support.h"

#include <string.h>

enum { SIZE = 160 };

/* The complaint about a text of three columns; "" when there is none. */
static const char *complaint_about(const char *text)
{
  static char complaint[SIZE];
  NumberTable table;
  MustPass(NumberTableParse(text, 3, &table, complaint, SIZE));
  ck_assert_int_eq(table.n_rows == 0, complaint[0] != '\0');
  ck_assert_int_eq(table.value == NULL, complaint[0] != '\0');
  MustPass(NumberTableDestroy(&table));
  return complaint;
}

START_TEST(rows_come_out_as_they_are_written)
{
  char complaint[SIZE];
  NumberTable table;
  MustPass(NumberTableParse("0,1,-2.5\n 0.5 , 1e3,\t4\r\n7,8,9", 3, &table, complaint, SIZE));
  const double wanted[9] = {0, 1, -2.5, 0.5, 1e3, 4, 7, 8, 9};
  ck_assert_str_eq(complaint, "");
  ck_assert_int_eq(table.n_rows, 3);
  for (int k = 0; k < 9; k++) ck_assert_double_eq(table.value[k], wanted[k]);
  MustPass(NumberTableDestroy(&table));
}
END_TEST

START_TEST(headings_comments_and_empty_lines_are_skipped)
{
  ck_assert_str_eq(complaint_about("t,x,y\n0,1,2\n"), "");
  ck_assert_str_eq(complaint_about("# made by hand\n\nt,x,y\n# a\n0,1,2\n\n1,1,1\n"), "");
  ck_assert_str_eq(complaint_about("\r\nt,x,y\r\n0,1,2\r\n"), "");
}
END_TEST

static const struct {
  const char *text, *complaint;
} mistakes[] = {
    {"", "no rows of 3 numbers"},
    {"t,x,y\n", "no rows of 3 numbers"},
    {"0,1\n", "line 1: 2 numbers, wanted 3"},
    {"0,1,2,3\n", "line 1: more than 3 numbers"},
    {"0,1,2,\n", "line 1: more than 3 numbers"},
    {"0,1,2\nt,x,y\n", "line 2: 't' is not a finite number"},
    {"t,x,y\nt,x,y\n0,1,2\n", "line 2: 't' is not a finite number"},
    {"0,nan,2\n", "line 1: 'nan' is not a finite number"},
    {"0,1e999,2\n", "line 1: '1e999' is not a finite number"},
    {"0,1 kg,2\n", "line 1: 'kg' is not a finite number"},
    {"0,,2\n", "line 1: '' is not a finite number"},
    {"0,1,2\n0,1,2\n", "line 2: time 0 does not come after 0"},
    {"# a\n1,1,2\n0.5,1,2\n", "line 3: time 0.5 does not come after 1"},
};

START_TEST(each_mistake_is_named_with_its_line)
{
  ck_assert_str_eq(complaint_about(mistakes[_i].text), mistakes[_i].complaint);
}
END_TEST

Suite *test_suite(void)
{
  Suite *suite = suite_create("io/table");
  TCase *tests = tcase_create("core");

  tcase_add_test(tests, rows_come_out_as_they_are_written);
  tcase_add_test(tests, headings_comments_and_empty_lines_are_skipped);
  tcase_add_loop_test(tests, each_mistake_is_named_with_its_line, 0,
                      (int)(sizeof mistakes / sizeof *mistakes));
  suite_add_tcase(suite, tests);
  return suite;
}
