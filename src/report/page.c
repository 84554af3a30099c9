#include "report/page.h"

#include "io/file.h"
#include "report/page_impl.h"

#include <stdlib.h>
#include <string.h>

/* The block of one run: its arrays, then the heading that lists them. */
static PetscErrorCode write_block(const Results *r, FILE *out)
{
  PetscFunctionBeginUser;
  Pack *pack = NULL;
  char *heading = NULL;
  size_t length = 0;
  PetscCall(PackCreate(&pack));
  PetscCall(PageAddShapes(r, pack));
  PetscCall(PageAddFrames(r, pack));
  PetscCall(PageAddContacts(r, pack));
  PetscCall(PageAddFlow(r, pack));
  PetscCall(PageAddSlices(r, pack));
  PetscCall(PageAddSkin(r, pack));
  FILE *text = open_memstream(&heading, &length);
  PetscCheck(text != NULL, PETSC_COMM_SELF, PETSC_ERR_MEM, "no memory for the report");
  page_put_heading(r, pack, text);
  fclose(text);
  PetscCall(PackWrite(pack, heading, length, out));
  free(heading);
  PetscCall(PackDestroy(&pack));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Where a mark stands in the template. */
static const char *find_mark(const char *mark)
{
  return strstr((const char *)page_template, mark);
}

static PetscErrorCode write_page(const Results *results, const Results *ghost, FILE *out)
{
  PetscFunctionBeginUser;
  const char *start = (const char *)page_template, *end = start + strlen(start);
  const char *run = find_mark(PAGE_MARK_RUN), *other = find_mark(PAGE_MARK_GHOST);
  PetscCheck(run != NULL && other > run, PETSC_COMM_SELF, PETSC_ERR_PLIB, "no page template");
  const char *after_run = run + strlen(PAGE_MARK_RUN);
  const char *after_other = other + strlen(PAGE_MARK_GHOST);
  fwrite(start, 1, (size_t)(run - start), out);
  PetscCall(write_block(results, out));
  fwrite(after_run, 1, (size_t)(other - after_run), out);
  if (ghost != NULL) PetscCall(write_block(ghost, out));
  fwrite(after_other, 1, (size_t)(end - after_other), out);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode PageWrite(const char *path, const Results *results, const Results *ghost)
{
  PetscFunctionBeginUser;
  char *bytes = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&bytes, &length);
  PetscCheck(out != NULL, PETSC_COMM_SELF, PETSC_ERR_MEM, "no memory for the report");
  PetscCall(write_page(results, ghost, out));
  fclose(out);
  PetscCall(FileReplace(PETSC_COMM_SELF, path, bytes, length));
  free(bytes);
  PetscFunctionReturn(PETSC_SUCCESS);
}
