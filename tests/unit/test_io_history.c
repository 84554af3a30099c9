#include "io/file.h"
#include "io/history.h"
#include "support.h"

#include <string.h>
#include <unistd.h>

#define NAME "test_io_history.csv"
#define WORLD PETSC_COMM_WORLD

static void must_hold(const char *text)
{
  char *bytes = NULL;
  size_t length = 0;
  MustPass(FileRead(WORLD, NAME, &bytes, &length));
  ck_assert_str_eq(bytes, text);
  MustPass(PetscFree(bytes));
}

START_TEST(rows_follow_the_heading)
{
  History *h = NULL;
  MustPass(HistoryCreate(WORLD, NAME, "a,b", &h));
  history_printf(h, "%d,%g\n", 1, 0.5);
  history_add(h, "2,3\n", 4);
  must_hold("a,b\n");
  history_write_out(h);
  must_hold("a,b\n1,0.5\n2,3\n");
  history_add(h, "4,5\n", 4);
  MustPass(HistoryDestroy(&h));
  must_hold("a,b\n1,0.5\n2,3\n4,5\n");
  unlink(NAME);
}
END_TEST

START_TEST(a_reopened_history_drops_what_came_after_the_flush)
{
  History *h = NULL;
  int64_t length = 0;
  MustPass(HistoryCreate(WORLD, NAME, "a", &h));
  history_add(h, "1\n", 2);
  MustPass(HistoryFlush(h, &length));
  ck_assert_int_eq(length, 4);
  history_add(h, "2\n", 2);
  MustPass(HistoryDestroy(&h));
  MustPass(HistoryReopen(WORLD, NAME, length, &h));
  history_add(h, "3\n", 2);
  MustPass(HistoryFlush(h, &length));
  ck_assert_int_eq(length, 6);
  MustPass(HistoryDestroy(&h));
  must_hold("a\n1\n3\n");
  unlink(NAME);
}
END_TEST

START_TEST(a_history_shorter_than_its_checkpoint_is_refused)
{
  History *h = NULL;
  MustPass(HistoryCreate(WORLD, NAME, "a", &h));
  MustPass(HistoryDestroy(&h));
  MustFail(CAROM_ERR_FILE, HistoryReopen(WORLD, NAME, 3, &h));
  MustPass(HistoryDestroy(&h));
  must_hold("a\n");
  unlink(NAME);
  MustFail(CAROM_ERR_FILE, HistoryReopen(WORLD, NAME, 0, &h));
  MustPass(HistoryDestroy(&h));
}
END_TEST

START_TEST(many_rows_are_written_before_the_flush)
{
  enum { ROWS = 300000 };
  History *h = NULL;
  int64_t length = 0;
  MustPass(HistoryCreate(WORLD, NAME, "a", &h));
  for (int k = 0; k < ROWS; k++) history_printf(h, "%08d\n", k);
  MustPass(HistoryFlush(h, &length));
  ck_assert_int_eq(length, 2 + 9 * ROWS);
  MustPass(HistoryDestroy(&h));
  unlink(NAME);
}
END_TEST

START_TEST(a_full_device_is_told_at_the_flush)
{
  History *h = NULL;
  if (access("/dev/full", W_OK) != 0) return;
  MustFail(CAROM_ERR_FILE, HistoryCreate(WORLD, "/dev/full", "a", &h));
  ck_assert(history_in_trouble(h));
  MustPass(HistoryDestroy(&h));
}
END_TEST

START_TEST(a_row_that_is_too_long_is_trouble_not_a_cut_row)
{
  History *h = NULL;
  MustPass(HistoryCreate(WORLD, NAME, "a", &h));
  history_printf(h, "%3000d\n", 1);
  ck_assert(history_in_trouble(h));
  MustFail(CAROM_ERR_FILE, HistoryFlush(h, NULL));
  MustPass(HistoryDestroy(&h));
  must_hold("a\n");
  unlink(NAME);
}
END_TEST

Suite *test_suite(void)
{
  Suite *suite = suite_create("io/history");
  TCase *tests = tcase_create("core");

  tcase_add_test(tests, rows_follow_the_heading);
  tcase_add_test(tests, a_reopened_history_drops_what_came_after_the_flush);
  tcase_add_test(tests, a_history_shorter_than_its_checkpoint_is_refused);
  tcase_add_test(tests, many_rows_are_written_before_the_flush);
  tcase_add_test(tests, a_full_device_is_told_at_the_flush);
  tcase_add_test(tests, a_row_that_is_too_long_is_trouble_not_a_cut_row);
  suite_add_tcase(suite, tests);
  return suite;
}
