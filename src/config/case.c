/*
 * From the bytes of a file to a case: read the tree, walk the schema, check, keep complaints.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config/case.h"

#include "config/check_impl.h"
#include "config/read_impl.h"

#include <string.h>

struct CaseFile {
  Arena *arena; /* owned: all texts and lists */
  Complaints complaints, warnings;
  const Node *root; /* NULL when the text is no YAML */
  Case the;
};

static PetscErrorCode Complain(CaseFile *file, const char *format, ...)
{
  PetscFunctionBeginUser;
  va_list arguments;
  va_start(arguments, format);
  PetscCall(ComplaintsAdd(&file->complaints, 1, 1, "", format, arguments));
  va_end(arguments);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Bodies and their grids live apart in a case. */
static PetscErrorCode TakeBodies(CaseFile *file, const CaseDraft *draft)
{
  PetscFunctionBeginUser;
  file->the = draft->the;
  Case *c = &file->the;
  c->n_bodies = draft->n_bodies;
  PetscCall(ArenaTake(file->arena, ((size_t)c->n_bodies + 1) * sizeof *c->bodies, &c->bodies));
  PetscCall(ArenaTake(file->arena, ((size_t)c->n_bodies + 1) * sizeof *c->grids, &c->grids));
  for (int b = 0; b < c->n_bodies; b++) {
    c->bodies[b] = draft->bodies[b].body;
    c->grids[b] = draft->bodies[b].grid;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode Interpret(CaseFile *file)
{
  PetscFunctionBeginUser;
  CaseDraft draft;
  schema_defaults(&schema_case, &draft);
  if (file->complaints.n > 0) {
    /* The text is no YAML: there is nothing more to look at. */
  } else if (file->root == NULL || node_is_empty(file->root)) {
    PetscCall(Complain(file, "the file is empty, wanted a case"));
  } else {
    Reader reader = {file->arena, &file->complaints};
    PetscCall(SectionRead(&reader, &schema_case, file->root, NULL, &draft));
    const Place top = {&file->complaints, &file->warnings, file->root, ""};
    if (file->root->kind == NODE_MAP) PetscCall(CheckCase(file->arena, &top, &draft));
  }
  PetscCall(TakeBodies(file, &draft));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CaseFileCreate(const char *name, const char *text, size_t length, CaseFile **file)
{
  PetscFunctionBeginUser;
  CaseFile *self = NULL;
  PetscCall(PetscNew(&self));
  PetscCall(ArenaCreate(&self->arena));
  const char *copy = NULL;
  PetscCall(ArenaCopyText(self->arena, name, strlen(name), &copy));
  self->complaints = self->warnings = (Complaints){.arena = self->arena, .file = copy};

  PetscCall(NodeRead(self->arena, text, length, &self->complaints, &self->root));
  PetscCall(Interpret(self));
  PetscCall(ComplaintsSort(&self->complaints));
  PetscCall(ComplaintsShorten(&self->complaints));
  PetscCall(ComplaintsSort(&self->warnings));
  *file = self;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CaseFileDestroy(CaseFile **file)
{
  PetscFunctionBeginUser;
  if (*file == NULL) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(ComplaintsFree(&(*file)->complaints));
  PetscCall(ComplaintsFree(&(*file)->warnings));
  PetscCall(ArenaDestroy(&(*file)->arena));
  PetscCall(PetscFree(*file));
  PetscFunctionReturn(PETSC_SUCCESS);
}

const Case *case_file_case(const CaseFile *file)
{
  return &file->the;
}

int case_file_complaints(const CaseFile *file)
{
  return file->complaints.n;
}

const char *case_file_complaint(const CaseFile *file, int k)
{
  return file->complaints.list[k].text;
}

int case_file_warnings(const CaseFile *file)
{
  return file->warnings.n;
}

const char *case_file_warning(const CaseFile *file, int k)
{
  return file->warnings.list[k].text;
}

PetscErrorCode CaseFileComplain(CaseFile *file, const char *path, const char *format, ...)
{
  PetscFunctionBeginUser;
  const Node *node = file->root != NULL ? node_locate(file->root, path) : NULL;
  va_list arguments;
  va_start(arguments, format);
  PetscCall(ComplaintsAdd(&file->complaints, node != NULL ? node->line : 1,
                          node != NULL ? node->column : 1, path, format, arguments));
  va_end(arguments);
  PetscCall(ComplaintsSort(&file->complaints));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CaseFileReport(const CaseFile *file, MPI_Comm comm)
{
  PetscFunctionBeginUser;
  if (file->complaints.n == 0) PetscFunctionReturn(PETSC_SUCCESS);
  int rank = 0;
  PetscCallMPI(MPI_Comm_rank(comm, &rank));
  if (rank == 0) fflush(stdout);
  for (int k = 0; k < file->complaints.n && rank == 0; k++)
    fprintf(stderr, "%s\n", file->complaints.list[k].text);
  SETERRQ(comm, PETSC_ERR_USER_INPUT, "%s", "");
}
