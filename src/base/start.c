#include "base/start.h"

#include <stdlib.h>
#include <string.h>

PetscErrorCode PetscStart(const char *program, int n, char *const option[])
{
  /* Given as arguments, because PETSc 3.18 reads freed memory when -skip_petscrc is set in its
   * table before it starts. PETSc keeps the list until it ends, so it is never freed. */
  const char *first[] = {program, "-no_signal_handler", "-skip_petscrc"};
  const size_t n_first = sizeof first / sizeof first[0];
  int n_all = (int)n_first + n;
  char **all = malloc((n_first + (size_t)n + 1) * sizeof *all);
  if (all == NULL) return PETSC_ERR_MEM;
  memcpy(all, first, sizeof first);
  for (int k = 0; k < n; k++) all[n_first + (size_t)k] = option[k];
  all[n_all] = NULL;
  return PetscInitialize(&n_all, &all, NULL, NULL);
}
