#include "grid/survey.h"

#include "grid/near_draft_impl.h"

/* A draft whose own cells are those given here. */
static PetscErrorCode DraftAsGiven(MPI_Comm comm, const GridInput *input, NearDraft *draft)
{
  PetscFunctionBeginUser;
  const LocalId n = input->n_cells_here, n_corners = n > 0 ? input->corner_start[n] : 0;
  *draft = (NearDraft){.comm = comm, .input = input, .survey = true, .n_own = n};
  PetscCallMPI(MPI_Comm_rank(comm, &draft->rank));
  PetscCallMPI(MPI_Comm_size(comm, &draft->size));
  PetscCall(DraftCheckInput(draft));
  PetscCall(PetscMalloc4(n, &draft->file_id, n, &draft->kind, n + 1, &draft->corner_start,
                         n_corners, &draft->corner));
  draft->corner_start[0] = 0;
  PetscCall(PetscArraycpy(draft->kind, input->kind, n));
  if (n > 0) PetscCall(PetscArraycpy(draft->corner_start, input->corner_start, n + 1));
  PetscCall(PetscArraycpy(draft->corner, input->corner, n_corners));
  for (LocalId c = 0; c < n; c++) draft->file_id[c] = grid_input_number(input, c);

  /* Ids of cells need only tell them apart here. */
  GlobalId here = n, before = 0;
  PetscCallMPI(MPI_Exscan(&here, &before, 1, MPIU_INT64, MPI_SUM, comm));
  draft->first = draft->rank == 0 ? 0 : before;
  const CellList own = {n, draft->kind, draft->corner_start, draft->corner};
  PetscCall(CellVerticesCreate(comm, input, &own, &draft->vertices));
  draft->box = box_empty();
  for (LocalId v = 0; v < draft->vertices.n; v++)
    draft->box = box_add_point(draft->box, draft->vertices.at[v]);
  PetscCall(DraftShareBox(draft));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode ListOpen(const NearDraft *draft, GridSurvey *survey)
{
  PetscFunctionBeginUser;
  LocalId n = 0, n_ring = 0;
  for (LocalId s = 0; s < draft->n_sides; s++) {
    if (draft->side[s].beyond != BEYOND_UNKNOWN) continue;
    n++;
    n_ring += draft->side[s].n;
  }
  PetscCall(PetscMalloc3(n + 1, &survey->start, n_ring, &survey->ring, n_ring, &survey->at));
  survey->n_open = n;
  survey->start[0] = 0;
  n = n_ring = 0;
  for (LocalId s = 0; s < draft->n_sides; s++) {
    const Side *side = &draft->side[s];
    if (side->beyond != BEYOND_UNKNOWN) continue;
    for (int i = 0; i < side->n; i++) {
      const LocalId v = draft->ring[side->first + i];
      survey->ring[n_ring] = draft->vertices.id[v];
      survey->at[n_ring++] = draft->vertices.at[v];
    }
    survey->start[++n] = n_ring;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode GridSurveyCreate(MPI_Comm comm, const GridInput *input, GridSurvey *survey)
{
  PetscFunctionBeginUser;
  NearDraft draft = {0};
  PetscCall(DraftAsGiven(comm, input, &draft));
  PetscCall(DraftSides(&draft));
  PetscCall(DraftMatch(&draft));
  PetscCall(PetscMalloc1(draft.n_own, &survey->volume));
  PetscCall(PetscArraycpy(survey->volume, draft.volume, draft.n_own));
  PetscCall(ListOpen(&draft, survey));
  PetscCall(DraftFree(&draft));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode GridSurveyFree(GridSurvey *survey)
{
  PetscFunctionBeginUser;
  PetscCall(PetscFree(survey->volume));
  PetscCall(PetscFree3(survey->start, survey->ring, survey->at));
  PetscFunctionReturn(PETSC_SUCCESS);
}
