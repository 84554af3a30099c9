#include "base/hash.h"
#include "comm/block.h"
#include "comm/sum.h"
#include "support.h"

enum { ITEMS = 1000 };

/* Numbers of very different sizes that nearly cancel, the same on any number of ranks. */
static void make_values(double value[ITEMS][2])
{
  Random r = random_seeded(1);
  for (int i = 0; i < ITEMS; i++) {
    value[i][0] = ldexp(random_in(&r, -1, 1), (int)random_in(&r, -20, 20));
    value[i][1] = i % 2 == 0 ? ldexp(1.0, 40) + i : -ldexp(1.0, 40);
  }
}

static void my_share(int *first, int *n)
{
  int rank, size;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  MPI_Comm_size(PETSC_COMM_WORLD, &size);
  *first = (int)block_first(ITEMS, size, rank);
  *n = block_count(ITEMS, size, rank);
}

START_TEST(a_sum_does_not_depend_on_the_ranks)
{
  double value[ITEMS][2], divided[2], alone[2];
  int first, n;
  make_values(value);
  my_share(&first, &n);
  MustPass(SumExactly(PETSC_COMM_WORLD, n, 2, value[first], divided));
  MustPass(SumExactly(PETSC_COMM_SELF, ITEMS, 2, value[0], alone));
  ck_assert(all_ranks(divided[0] == alone[0] && divided[1] == alone[1]));
  ck_assert(all_ranks(divided[1] == 249500.0));
}
END_TEST

START_TEST(the_order_of_the_items_does_not_matter)
{
  double value[ITEMS][2], turned[ITEMS][2], a[2], b[2];
  make_values(value);
  for (int i = 0; i < ITEMS; i++)
    for (int k = 0; k < 2; k++) turned[i][k] = value[ITEMS - 1 - i][k];
  MustPass(SumExactly(PETSC_COMM_SELF, ITEMS, 2, value[0], a));
  MustPass(SumExactly(PETSC_COMM_SELF, ITEMS, 2, turned[0], b));
  ck_assert(all_ranks(a[0] == b[0] && a[1] == b[1]));
}
END_TEST

START_TEST(nothing_adds_up_to_zero_and_infinity_to_nothing_sound)
{
  const double zeros[] = {0.0, 0.0}, infinite[] = {1.0, INFINITY};
  double total = -1;
  MustPass(SumExactly(PETSC_COMM_WORLD, 0, 1, NULL, &total));
  ck_assert(all_ranks(total == 0.0));
  MustPass(SumExactly(PETSC_COMM_WORLD, 2, 1, zeros, &total));
  ck_assert(all_ranks(total == 0.0));
  MustPass(SumExactly(PETSC_COMM_WORLD, 2, 1, infinite, &total));
  ck_assert(all_ranks(isnan(total)));
}
END_TEST

Suite *test_suite(void)
{
  Suite *suite = suite_create("comm/sum");
  TCase *tests = tcase_create("core");

  tcase_add_test(tests, a_sum_does_not_depend_on_the_ranks);
  tcase_add_test(tests, the_order_of_the_items_does_not_matter);
  tcase_add_test(tests, nothing_adds_up_to_zero_and_infinity_to_nothing_sound);
  suite_add_tcase(suite, tests);
  return suite;
}
