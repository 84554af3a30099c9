#include "near_scene.h"

SceneSpec scene_spec(double mach, InitialKind initial)
{
  const double gamma = 1.4;
  SceneSpec s = {.reference = {.length = 1.0, .area = 1.0}, .wall_temperature = NAN};
  s.flow = (FlowSpec){.given = true, .gas = {gamma, 1.0, 0.72, NAN}, .reynolds = NAN};
  s.flow.freestream = (FreestreamSpec){mach, {NAN, NAN, NAN}, 0, 0, 1.0 / gamma, NAN, 1.0, NAN};
  s.flow.initial = initial;
  s.flow.integrator = INTEGRATOR_SSPRK3;
  s.flow.cfl = 0.5;
  for (int k = 0; k < 6; k++) s.kind[k] = BOUNDARY_FARFIELD;
  return s;
}

PetscErrorCode SceneCreate(MPI_Comm comm, const SceneSpec *spec, Pose pose, Scene **scene)
{
  PetscFunctionBeginUser;
  static const char *const sides[] = {"xmin", "xmax", "ymin", "ymax", "zmin", "zmax"};
  Scene *s = NULL;
  BoxGrid *box = NULL;
  BoundaryKind kind[6] = {0};
  PetscCall(PetscNew(&s));
  s->spec = spec->flow;
  PetscCall(BoxGridCreate(comm, "box", &spec->box, &box));
  PetscCall(NearGridCreate(comm, box_grid_input(box), &s->grid));
  PetscCall(BoxGridDestroy(&box));
  for (int k = 0; k < 6; k++) {
    const int patch = near_grid_find_patch(s->grid, sides[k]);
    if (patch >= 0) kind[patch] = spec->kind[k];
  }
  const BoundaryKind *kinds = kind;
  const FlowInput input = {&s->spec, spec->reference,         1,   &s->grid,
                           &kinds,   &spec->wall_temperature, NULL};
  PetscCall(FlowCreate(comm, &input, &s->flow));
  PetscCall(FlowInitialise(s->flow, &pose, 0, NULL));
  *scene = s;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SceneDestroy(Scene **scene)
{
  PetscFunctionBeginUser;
  PetscCall(FlowDestroy(&(*scene)->flow));
  PetscCall(NearGridDestroy(&(*scene)->grid));
  PetscCall(PetscFree(*scene));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode SceneRun(Scene *s, Pose pose, Screw twist, double dt, int n, bool *sound)
{
  PetscFunctionBeginUser;
  *sound = true;
  for (int k = 0; k < n && *sound; k++) {
    FlowVerdict verdict;
    const GridMotion motion = {pose, twist};
    PetscCall(FlowAdvance(s->flow, &motion, dt, &verdict));
    *sound = verdict.sound;
    if (*sound) PetscCall(FlowAccept(s->flow));
    pose = screw_move(pose, twist, dt);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}
