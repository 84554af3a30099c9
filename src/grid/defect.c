#include "grid/defect.h"

PetscErrorCode DefectGather(MPI_Comm comm, Defect *defect)
{
  PetscFunctionBeginUser;
  const GlobalId none = (GlobalId)1 << 62;
  GlobalId n = 0, lowest = 0;
  const GlobalId mine = defect->n > 0 ? defect->id : none;
  PetscCallMPI(MPI_Allreduce(&defect->n, &n, 1, MPIU_INT64, MPI_SUM, comm));
  PetscCallMPI(MPI_Allreduce(&mine, &lowest, 1, MPIU_INT64, MPI_MIN, comm));

  /* Ranks that saw the same id saw the same place: the largest of copies is a copy. */
  const bool it_is_mine = n > 0 && mine == lowest;
  double place[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
  if (it_is_mine) {
    place[0] = defect->place.x;
    place[1] = defect->place.y;
    place[2] = defect->place.z;
  }
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, place, 3, MPI_DOUBLE, MPI_MAX, comm));
  *defect = (Defect){.n = n, .id = n > 0 ? lowest : 0, .place = {place[0], place[1], place[2]}};
  PetscFunctionReturn(PETSC_SUCCESS);
}
