#include "support.h"

Suite *test_suite(void);

int main(int argc, char **argv)
{
  PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
  int rank = 0;
  PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, &rank));

  SRunner *runner = srunner_create(test_suite());
  srunner_set_fork_status(runner, CK_NOFORK);
  srunner_run_all(runner, rank == 0 ? CK_NORMAL : CK_SILENT);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);

  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_SUM, PETSC_COMM_WORLD));
  PetscCall(PetscFinalize());
  return failed == 0 ? 0 : 1;
}
