#include "comm/post.h"
#include "support.h"

/* Rank r sends n records that say where they come from; answers tell who has seen them. */
static bool round_trip(Post *post, int n, int rank, int size)
{
  enum { MOST = 64 };
  int to[MOST], record[MOST], got[4 * MOST], answer[MOST];
  bool ok = true;
  for (int i = 0; i < n; i++) {
    to[i] = (rank + i * i) % size;
    record[i] = 1000 * rank + i;
  }
  MustPass(PostAddress(post, n, to));
  ok = ok && post_n_leaving(post) == n && post_n_arriving(post) <= 4 * MOST;
  MustPass(PostSend(post, sizeof(int), record, got));
  for (int i = 1; i < post_n_arriving(post); i++) ok = ok && got[i] > got[i - 1];
  for (int i = 0; i < post_n_arriving(post); i++) got[i] = 10000 * rank + got[i];
  MustPass(PostReply(post, sizeof(int), got, answer));
  for (int i = 0; i < n; i++) ok = ok && answer[i] == 10000 * to[i] + record[i];
  return ok;
}

START_TEST(answers_come_back_beside_their_records_whatever_the_addresses)
{
  int rank, size;
  Post *post = NULL;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  MPI_Comm_size(PETSC_COMM_WORLD, &size);
  MustPass(PostCreate(PETSC_COMM_WORLD, &post));
  bool ok = round_trip(post, 7, rank, size);
  ok = round_trip(post, rank == 0 ? 60 : 0, rank, size) && ok;
  ok = round_trip(post, 0, rank, size) && ok;
  ok = round_trip(post, 30, rank, size) && ok;
  MustPass(PostDestroy(&post));
  ck_assert(all_ranks(ok));
}
END_TEST

Suite *test_suite(void)
{
  Suite *suite = suite_create("comm/post");
  TCase *tests = tcase_create("core");
  tcase_add_test(tests, answers_come_back_beside_their_records_whatever_the_addresses);
  suite_add_tcase(suite, tests);
  return suite;
}
