#include "near_scene.h"
#include "support.h"

/* Rounding of a hundred steps, in units of rho, rho c, rho c^2. */
#define TOL_STREAM 1e-12

static const CellKind kinds[] = {CELL_HEXA, CELL_PRISM, CELL_TETRA};
static const Pose oblique = {{1, 2, 3}, {0.8, 0.0, 0.6, 0.0}};
static const Screw tumble = {{0.3, -0.2, 0.1}, {0.5, 1.0, -0.7}};

static SceneSpec warped(CellKind kind, double mach, InitialKind initial)
{
  SceneSpec s = scene_spec(mach, initial);
  s.box = (BoxGridSpec){
      .box = {{-1, -1, -1}, {1, 1.2, 1}}, .n = {6, 5, 4}, .kind = kind, .shake = 0.2, .seed = 3};
  return s;
}

START_TEST(a_uniform_stream_stays_on_a_warped_tumbling_grid)
{
  const SceneSpec spec = warped(kinds[_i], 0.7, INITIAL_FREESTREAM);
  Scene *s = NULL;
  bool sound;
  double worst = 0.0;
  MustPass(SceneCreate(PETSC_COMM_WORLD, &spec, oblique, &s));
  MustPass(SceneRun(s, oblique, tumble, 0.05, 100, &sound));
  const double *u = near_flow_state(flow_grid(s->flow, 0));
  const double wanted[] = {1.0, 0.7, 0.0, 0.0, 1.0 / (1.4 * 0.4) + 0.5 * 0.49};
  for (LocalId i = 0; i < 5 * s->grid->n_own; i++)
    worst = PetscMax(worst, fabs(u[i] - wanted[i % 5]));
  ck_assert(all_ranks(sound && worst < TOL_STREAM));
  MustPass(SceneDestroy(&s));
}
END_TEST

START_TEST(an_explicit_run_does_not_depend_on_the_ranks)
{
  SceneSpec spec = warped(kinds[_i], 2.0, INITIAL_SOD);
  spec.kind[2] = BOUNDARY_SLIP;
  spec.kind[3] = BOUNDARY_SYMMETRY;
  spec.flow.equations = _i == 0 ? EQUATIONS_EULER : EQUATIONS_LAMINAR;
  spec.kind[4] = BOUNDARY_WALL;
  spec.flow.gas.viscosity = 1.0; /* constant */
  spec.flow.reynolds = 100;
  Scene *many = NULL, *one = NULL;
  bool sound_many, sound_one, same = true;
  MustPass(SceneCreate(PETSC_COMM_WORLD, &spec, oblique, &many));
  MustPass(SceneCreate(PETSC_COMM_SELF, &spec, oblique, &one));
  MustPass(SceneRun(many, oblique, tumble, 0.02, 50, &sound_many));
  MustPass(SceneRun(one, oblique, tumble, 0.02, 50, &sound_one));
  const double *u = near_flow_state(flow_grid(many->flow, 0));
  const double *v = near_flow_state(flow_grid(one->flow, 0)) + 5 * many->grid->first;
  for (LocalId i = 0; i < 5 * many->grid->n_own; i++) same = same && u[i] == v[i];
  ck_assert(all_ranks(sound_many && sound_one && same));

  GridLoads loads, alone;
  const GridMotion motion = {oblique, tumble};
  MustPass(FlowLoads(many->flow, &motion, &loads));
  MustPass(FlowLoads(one->flow, &motion, &alone));
  ck_assert(all_ranks(memcmp(&loads, &alone, sizeof loads) == 0));
  MustPass(SceneDestroy(&many));
  MustPass(SceneDestroy(&one));
}
END_TEST

START_TEST(mass_is_kept_but_for_what_passes_the_boundary)
{
  const SceneSpec spec = warped(kinds[_i], 0.5, INITIAL_VORTEX);
  Scene *s = NULL;
  bool sound;
  FlowSummary before, after;
  MustPass(SceneCreate(PETSC_COMM_WORLD, &spec, oblique, &s));
  MustPass(FlowSummarise(s->flow, &before));
  MustPass(SceneRun(s, oblique, tumble, 0.05, 20, &sound));
  MustPass(FlowSummarise(s->flow, &after));
  const double defect = after.range.mass + after.range.passed - before.range.mass;
  ck_assert(all_ranks(sound && fabs(after.range.passed) > 1e-3 && fabs(defect) < TOL_STREAM));
  MustPass(SceneDestroy(&s));
}
END_TEST

START_TEST(an_even_pressure_gives_no_load_on_a_closed_surface)
{
  SceneSpec spec = warped(kinds[_i], 0.0, INITIAL_BLAST);
  spec.reference.length = 100.0; /* all of the box is inside the blast */
  for (int k = 0; k < 6; k++) spec.kind[k] = BOUNDARY_SLIP;
  Scene *s = NULL;
  GridLoads loads;
  const GridMotion motion = {oblique, {{0, 0, 0}, {0, 0, 0}}};
  MustPass(SceneCreate(PETSC_COMM_WORLD, &spec, oblique, &s));
  MustPass(FlowLoads(s->flow, &motion, &loads));
  const double scale = 1e5 / 1.4 * 24.0;
  ck_assert(all_ranks(vec3_norm(loads.pressure_force) < 1e-12 * scale));
  ck_assert(all_ranks(vec3_norm(loads.pressure_moment) < 1e-12 * scale));
  MustPass(SceneDestroy(&s));
}
END_TEST

Suite *test_suite(void)
{
  Suite *suite = suite_create("flow/near");
  TCase *tests = tcase_create("core");

  tcase_add_loop_test(tests, a_uniform_stream_stays_on_a_warped_tumbling_grid, 0, 3);
  tcase_add_loop_test(tests, an_explicit_run_does_not_depend_on_the_ranks, 0, 3);
  tcase_add_loop_test(tests, mass_is_kept_but_for_what_passes_the_boundary, 0, 3);
  tcase_add_loop_test(tests, an_even_pressure_gives_no_load_on_a_closed_surface, 0, 3);
  suite_add_tcase(suite, tests);
  return suite;
}
