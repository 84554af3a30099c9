/*
 * The main of every test program: one suite, one verdict over all ranks.
 *
 * Under the address sanitizer leaks are looked for after the suite and before MPI is taken down:
 * what libraries still hold then is reachable, so only memory that a test or our code lost is
 * reported. At exit the plugins of MPI are gone and their leaks could not be told from ours.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "support.h"

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/lsan_interface.h>

const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
  return "leak_check_at_exit=0";
}
#else
#define __lsan_disable()
#define __lsan_enable()
#define __lsan_do_recoverable_leak_check() 0
#endif

Suite *test_suite(void);

int main(int argc, char **argv)
{
  __lsan_disable();
  PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
  __lsan_enable();
  int rank = 0;
  PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, &rank));

  SRunner *runner = srunner_create(test_suite());
  srunner_set_fork_status(runner, CK_NOFORK);
  srunner_run_all(runner, rank == 0 ? CK_NORMAL : CK_SILENT);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  failed += __lsan_do_recoverable_leak_check();

  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_SUM, PETSC_COMM_WORLD));
  PetscCall(PetscFinalize());
  return failed == 0 ? 0 : 1;
}
