#include "flow/near_cell_kernels.h"
#include "near_scene.h"
#include "support.h"

/* Rounding of a hundred steps, in units of what flows in. */
#define TOL_STREAM 1e-12

static const CellKind kinds[] = {CELL_HEXA, CELL_PRISM, CELL_TETRA};
static const Pose oblique = {{1, 2, 3}, {0.8, 0.0, 0.6, 0.0}};
static const Screw tumble = {{0.3, -0.2, 0.1}, {0.5, 1.0, -0.7}};

static SceneSpec turbulent_box(CellKind kind, InitialKind initial)
{
  SceneSpec s = scene_spec(0.7, initial);
  s.flow.equations = EQUATIONS_RANS;
  s.flow.turbulence.order = 2;
  s.flow.gas.viscosity = 1.0; /* constant */
  s.flow.reynolds = 1000;
  s.box = (BoxGridSpec){
      .box = {{-1, -1, -1}, {1, 1.2, 1}}, .n = {6, 5, 4}, .kind = kind, .shake = 0.2, .seed = 3};
  return s;
}

START_TEST(a_uniform_stream_keeps_its_turbulence_on_a_warped_tumbling_grid)
{
  SceneSpec spec = turbulent_box(kinds[_i], INITIAL_FREESTREAM);
  if (_i == 0) spec.flow.integrator = INTEGRATOR_BDF2;
  Scene *s = NULL;
  bool sound;
  double worst = 0.0;
  MustPass(SceneCreate(PETSC_COMM_WORLD, &spec, oblique, &s));
  MustPass(SceneRun(s, oblique, tumble, 0.05, _i == 0 ? 20 : 100, &sound));
  const double *nu = near_flow_turbulence(flow_grid(s->flow, 0)), far = 3.0 * 0.7 / 1000.0;
  for (LocalId c = 0; c < s->grid->n_own; c++) worst = PetscMax(worst, fabs(nu[c] / far - 1.0));
  ck_assert(all_ranks(sound && worst < TOL_STREAM));
  MustPass(SceneDestroy(&s));
}
END_TEST

/* A box with a wall, in which turbulence is made. */
static SceneSpec over_a_wall(CellKind kind)
{
  SceneSpec spec = turbulent_box(kind, INITIAL_FREESTREAM);
  spec.kind[2] = BOUNDARY_WALL;
  spec.kind[4] = BOUNDARY_SYMMETRY;
  return spec;
}

START_TEST(an_explicit_turbulent_run_does_not_depend_on_the_ranks)
{
  const SceneSpec spec = over_a_wall(kinds[_i]);
  Scene *many = NULL, *one = NULL;
  bool sound_many, sound_one, same = true;
  double most = 0.0;
  MustPass(SceneCreate(PETSC_COMM_WORLD, &spec, oblique, &many));
  MustPass(SceneCreate(PETSC_COMM_SELF, &spec, oblique, &one));
  MustPass(SceneRun(many, oblique, tumble, 0.02, 50, &sound_many));
  MustPass(SceneRun(one, oblique, tumble, 0.02, 50, &sound_one));
  const double *u = near_flow_turbulence(flow_grid(many->flow, 0));
  const double *v = near_flow_turbulence(flow_grid(one->flow, 0)) + many->grid->first;
  for (LocalId c = 0; c < many->grid->n_own; c++) {
    same = same && u[c] == v[c];
    most = PetscMax(most, fabs(u[c] / (3.0 * 0.7 / 1000.0) - 1.0));
  }
  MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_DOUBLE, MPI_MAX, PETSC_COMM_WORLD);
  ck_assert(all_ranks(sound_many && sound_one && same && most > 0.01));
  MustPass(SceneDestroy(&many));
  MustPass(SceneDestroy(&one));
}
END_TEST

START_TEST(turbulence_is_solved_for_with_the_gas)
{
  /* What is left of the equations of all six variables after an implicit step. */
  SceneSpec spec = over_a_wall(CELL_HEXA);
  spec.flow.integrator = INTEGRATOR_BDF2;
  Scene *many = NULL, *one = NULL;
  bool sound_many, sound_one;
  double worst = 0.0;
  MustPass(PetscOptionsSetValue(NULL, "-flow_snes_rtol", "1e-11"));
  MustPass(SceneCreate(PETSC_COMM_WORLD, &spec, oblique, &many));
  MustPass(SceneCreate(PETSC_COMM_SELF, &spec, oblique, &one));
  MustPass(SceneRun(many, oblique, tumble, 0.1, 4, &sound_many));
  MustPass(SceneRun(one, oblique, tumble, 0.1, 4, &sound_one));
  const double *u = near_flow_turbulence(flow_grid(many->flow, 0));
  const double *v = near_flow_turbulence(flow_grid(one->flow, 0)) + many->grid->first;
  for (LocalId c = 0; c < many->grid->n_own; c++) worst = PetscMax(worst, fabs(u[c] / v[c] - 1.0));
  ck_assert(all_ranks(sound_many && sound_one && worst < 1e-7));
  MustPass(SceneDestroy(&many));
  MustPass(SceneDestroy(&one));
  MustPass(PetscOptionsClearValue(NULL, "-flow_snes_rtol"));
}
END_TEST

/* The distance from the wall y = -1 of the box, whose corners end it. */
START_TEST(distances_from_walls_are_exact)
{
  SceneSpec spec = over_a_wall(kinds[_i]);
  spec.kind[5] = BOUNDARY_WALL;
  Scene *s = NULL;
  double worst = 0.0;
  MustPass(SceneCreate(PETSC_COMM_WORLD, &spec, oblique, &s));
  const double *d = near_flow_own_distance(flow_grid(s->flow, 0));
  for (LocalId c = 0; c < s->grid->n_local; c++) {
    const double low = s->grid->y[c] + 1.0, high = 1.0 - s->grid->z[c];
    worst = PetscMax(worst, fabs(d[c] - PetscMin(low, high)));
  }
  ck_assert(all_ranks(worst < 1e-14));
  MustPass(SceneDestroy(&s));
}
END_TEST

Suite *test_suite(void)
{
  Suite *suite = suite_create("flow/turbulence");
  TCase *tests = tcase_create("core");

  tcase_add_loop_test(tests, a_uniform_stream_keeps_its_turbulence_on_a_warped_tumbling_grid, 0, 3);
  tcase_add_loop_test(tests, an_explicit_turbulent_run_does_not_depend_on_the_ranks, 0, 3);
  tcase_add_test(tests, turbulence_is_solved_for_with_the_gas);
  tcase_add_loop_test(tests, distances_from_walls_are_exact, 0, 3);
  suite_add_tcase(suite, tests);
  return suite;
}
