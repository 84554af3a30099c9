#include "io/checkpoint.h"
#include "io/file.h"
#include "support.h"

#include <string.h>
#include <unistd.h>

#define WORLD PETSC_COMM_WORLD
#define FOLDER "test_io_checkpoint.dir"

enum { N = 1001, TEXT = 37 };

static int my_rank(void)
{
  int rank = 0;
  MPI_Comm_rank(WORLD, &rank);
  return rank;
}

/* The share of a rank: even, or everything on the last one. */
static CheckpointArray share(const char *name, CheckpointType type, int64_t total, bool even)
{
  int size = 1;
  MPI_Comm_size(WORLD, &size);
  const int rank = my_rank();
  CheckpointArray a = {.name = name, .type = type, .total = total};
  a.first = even ? total * rank / size : rank == size - 1 ? 0 : total;
  a.n = even ? total * (rank + 1) / size - a.first : rank == size - 1 ? total : 0;
  return a;
}

static double number_at(int64_t i)
{
  return 1.0 / (double)(i + 3);
}

/* Write the checkpoint of a step, divided evenly or not. */
static PetscErrorCode Write(int64_t step, bool even)
{
  PetscFunctionBeginUser;
  Checkpoint *c = NULL;
  double numbers[N];
  char letters[TEXT];
  const CheckpointArray a = share("numbers", CHECKPOINT_DOUBLE, N, even);
  const CheckpointArray b = share("letters", CHECKPOINT_TEXT, TEXT, even);
  const CheckpointArray none = share("none", CHECKPOINT_INT64, 0, even);
  for (int64_t i = 0; i < a.n; i++) numbers[i] = number_at(a.first + i);
  for (int64_t i = 0; i < b.n; i++) letters[i] = (char)('a' + (b.first + i) % 26);
  PetscCall(CheckpointCreate(WORLD, FOLDER, step, &c));
  PetscCall(CheckpointPut(c, a, numbers));
  PetscCall(CheckpointPut(c, b, letters));
  PetscCall(CheckpointPut(c, none, numbers));
  PetscCall(CheckpointCommit(&c));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Read it back with another division; false when a number is not what was written. */
static PetscErrorCode Read(Checkpoint *c, bool even, bool *same)
{
  PetscFunctionBeginUser;
  double numbers[N];
  char letters[TEXT];
  const CheckpointArray a = share("numbers", CHECKPOINT_DOUBLE, N, even);
  const CheckpointArray b = share("letters", CHECKPOINT_TEXT, TEXT, even);
  PetscCall(CheckpointGet(c, a, numbers));
  PetscCall(CheckpointGet(c, b, letters));
  *same = true;
  for (int64_t i = 0; i < a.n; i++) *same = *same && numbers[i] == number_at(a.first + i);
  for (int64_t i = 0; i < b.n; i++) *same = *same && letters[i] == 'a' + (b.first + i) % 26;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void write_steps(int n, const int64_t steps[], bool even)
{
  MustPass(FileRemove(WORLD, FOLDER));
  for (int k = 0; k < n; k++) MustPass(Write(steps[k], even));
}

static bool has_step(int64_t step)
{
  char path[128];
  bool there = false;
  snprintf(path, sizeof path, FOLDER "/step_%010lld.h5", (long long)step);
  MustPass(FileExists(WORLD, path, &there));
  return there;
}

START_TEST(what_was_put_in_comes_out_in_any_division)
{
  for (int k = 0; k < 4; k++) {
    write_steps(1, (int64_t[]){5}, k % 2 == 0);
    Checkpoint *c = NULL;
    bool same = false;
    int64_t total = 0, nothing = 0;
    MustPass(CheckpointOpenNewest(WORLD, FOLDER, &c));
    MustPass(Read(c, k / 2 == 0, &same));
    MustPass(CheckpointGetSize(c, "letters", &total));
    MustPass(CheckpointGetSize(c, "nothing", &nothing));
    MustPass(CheckpointClose(&c));
    ck_assert(all_ranks(same));
    ck_assert_int_eq(total, TEXT);
    ck_assert_int_eq(nothing, -1);
  }
}
END_TEST

START_TEST(an_array_of_another_size_or_type_is_refused)
{
  write_steps(1, (int64_t[]){5}, true);
  Checkpoint *c = NULL;
  double numbers[N + 1];
  MustPass(CheckpointOpenNewest(WORLD, FOLDER, &c));
  PetscPushErrorHandler(PetscReturnErrorHandler, NULL);
  const int longer =
      (int)CheckpointGet(c, share("numbers", CHECKPOINT_DOUBLE, N + 1, true), numbers);
  const int other = (int)CheckpointGet(c, share("numbers", CHECKPOINT_INT64, N, true), numbers);
  PetscPopErrorHandler();
  MustPass(CheckpointClose(&c));
  ck_assert(all_ranks(longer == CAROM_ERR_FILE && other == CAROM_ERR_FILE));
}
END_TEST

START_TEST(the_newest_two_are_kept)
{
  write_steps(4, (int64_t[]){5, 10, 99, 1000}, true);
  ck_assert(!has_step(5) && !has_step(10) && has_step(99) && has_step(1000));

  /* After going back to 99 what was later is not newest any more. */
  MustPass(Write(110, true));
  ck_assert(has_step(99) && has_step(110) && !has_step(1000));
}
END_TEST

/* Flip bits of one byte of a file on rank 0. */
static void damage(const char *path, long place)
{
  if (my_rank() == 0) {
    FILE *file = fopen(path, "r+b");
    fseek(file, place, SEEK_SET);
    const int byte = fgetc(file);
    fseek(file, place, SEEK_SET);
    fputc(byte ^ 0x14, file);
    fclose(file);
  }
  MPI_Barrier(WORLD);
}

/* Opened, a damaged file must either be refused or still give back everything. */
static bool never_lies(const char *path, bool *refused)
{
  Checkpoint *c = NULL;
  char problem[320];
  bool same = true;
  MustPass(CheckpointOpen(WORLD, path, &c, problem, sizeof problem));
  *refused = c == NULL;
  if (c != NULL) MustPass(Read(c, true, &same));
  MustPass(CheckpointClose(&c));
  return all_ranks(same);
}

START_TEST(no_flipped_byte_goes_unnoticed)
{
  enum { PLACES = 150 };
  const char *path = FOLDER "/step_0000000005.h5";
  write_steps(1, (int64_t[]){5}, true);
  char *bytes = NULL;
  size_t length = 0;
  MustPass(FileRead(WORLD, path, &bytes, &length));
  int n_refused = 0;
  for (int k = 0; k < PLACES; k++) {
    bool refused = false;
    const long place = (long)length * k / PLACES;
    damage(path, place);
    ck_assert_msg(never_lies(path, &refused), "byte %ld", place);
    n_refused += refused;
    damage(path, place);
  }
  /* What is neither data nor description is padding. */
  ck_assert_int_gt(n_refused, PLACES / 2);
  MustPass(PetscFree(bytes));
}
END_TEST

START_TEST(a_damaged_newest_one_is_passed_over)
{
  write_steps(2, (int64_t[]){5, 6}, true);
  Checkpoint *c = NULL;
  if (my_rank() == 0) ck_assert_int_eq(truncate(FOLDER "/step_0000000006.h5", 700), 0);
  MPI_Barrier(WORLD);
  MustPass(CheckpointOpenNewest(WORLD, FOLDER, &c));
  ck_assert_str_eq(checkpoint_path(c), FOLDER "/step_0000000005.h5");
  MustPass(CheckpointClose(&c));
  MustPass(FileRemove(WORLD, FOLDER));
  MustFail(CAROM_ERR_FILE, CheckpointOpenNewest(WORLD, FOLDER, &c));
}
END_TEST

Suite *test_suite(void)
{
  Suite *suite = suite_create("io/checkpoint");
  TCase *tests = tcase_create("core");

  tcase_add_test(tests, what_was_put_in_comes_out_in_any_division);
  tcase_add_test(tests, an_array_of_another_size_or_type_is_refused);
  tcase_add_test(tests, the_newest_two_are_kept);
  tcase_add_test(tests, no_flipped_byte_goes_unnoticed);
  tcase_add_test(tests, a_damaged_newest_one_is_passed_over);
  suite_add_tcase(suite, tests);
  return suite;
}
