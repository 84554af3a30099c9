/*
 * Files of a folder of the results, by name, which is by time.
 */
#include "io/file.h"
#include "report/results_impl.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

static int compare_names(const void *a, const void *b)
{
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static bool ends_with(const char *name, const char *ending)
{
  const size_t n = strlen(name), m = strlen(ending);
  return n > m && strcmp(name + n - m, ending) == 0;
}

PetscErrorCode ResultsList(Results *r, const char *folder, const char *ending, int *n,
                           const char ***name)
{
  PetscFunctionBeginUser;
  char path[PETSC_MAX_PATH_LEN];
  int room = 0;
  *n = 0;
  *name = NULL;
  PetscCall(FileJoin(r->directory, folder, path, sizeof path));
  DIR *open = opendir(path);
  if (open == NULL) PetscFunctionReturn(PETSC_SUCCESS);
  for (const struct dirent *entry = readdir(open); entry != NULL; entry = readdir(open)) {
    if (!ends_with(entry->d_name, ending)) continue;
    if (*n == room) {
      room = 2 * room + 64;
      PetscCall(PetscRealloc((size_t)room * sizeof **name, name));
    }
    PetscCall(ArenaCopyText(r->arena, entry->d_name, strlen(entry->d_name), &(*name)[(*n)++]));
  }
  closedir(open);
  if (*n > 1) qsort(*name, (size_t)*n, sizeof **name, compare_names);
  PetscFunctionReturn(PETSC_SUCCESS);
}
