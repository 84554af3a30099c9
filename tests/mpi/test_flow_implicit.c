#include "near_scene.h"
#include "support.h"

static const Pose oblique = {{1, 2, 3}, {0.8, 0.0, 0.6, 0.0}};
static const Screw tumble = {{0.3, -0.2, 0.1}, {0.5, 1.0, -0.7}};

static SceneSpec shaken_box(int n, InitialKind initial)
{
  SceneSpec s = scene_spec(0.5, initial);
  s.flow.integrator = INTEGRATOR_BDF2;
  s.box = (BoxGridSpec){
      .box = {{-4, -4, -1}, {4, 4, 1}}, .n = {n, n, 2}, .kind = CELL_HEXA, .shake = 0.2, .seed = 4};
  return s;
}

static double largest_difference(const Scene *a, const Scene *b)
{
  const double *u = near_flow_state(flow_grid(a->flow, 0));
  const double *v = near_flow_state(flow_grid(b->flow, 0)) + 5 * (a->grid->first - b->grid->first);
  double worst = 0.0;
  for (LocalId i = 0; i < 5 * a->grid->n_own; i++) worst = PetscMax(worst, fabs(u[i] - v[i]));
  MPI_Allreduce(MPI_IN_PLACE, &worst, 1, MPI_DOUBLE, MPI_MAX, PETSC_COMM_WORLD);
  return worst;
}

START_TEST(a_uniform_stream_stays_on_a_tumbling_grid)
{
  const SceneSpec spec = shaken_box(6, INITIAL_FREESTREAM);
  Scene *s = NULL;
  bool sound;
  double worst = 0.0;
  MustPass(SceneCreate(PETSC_COMM_WORLD, &spec, oblique, &s));
  MustPass(SceneRun(s, oblique, tumble, 0.1, 20, &sound));
  const double *u = near_flow_state(flow_grid(s->flow, 0));
  const double wanted[] = {1.0, 0.5, 0.0, 0.0, 1.0 / (1.4 * 0.4) + 0.5 * 0.25};
  for (LocalId i = 0; i < 5 * s->grid->n_own; i++)
    worst = PetscMax(worst, fabs(u[i] - wanted[i % 5]));
  ck_assert(all_ranks(sound && worst < 1e-12));
  MustPass(SceneDestroy(&s));
}
END_TEST

START_TEST(ranks_agree_to_ten_times_the_tolerance)
{
  const double tolerance = 1e-11;
  const SceneSpec spec = shaken_box(8, INITIAL_VORTEX);
  Scene *many = NULL, *one = NULL;
  bool sound_many, sound_one;
  MustPass(PetscOptionsSetValue(NULL, "-flow_snes_rtol", "1e-12"));
  MustPass(SceneCreate(PETSC_COMM_WORLD, &spec, oblique, &many));
  MustPass(SceneCreate(PETSC_COMM_SELF, &spec, oblique, &one));
  MustPass(SceneRun(many, oblique, tumble, 0.2, 5, &sound_many));
  MustPass(SceneRun(one, oblique, tumble, 0.2, 5, &sound_one));
  ck_assert(all_ranks(sound_many && sound_one));
  ck_assert_double_le(largest_difference(many, one), tolerance);
  MustPass(SceneDestroy(&many));
  MustPass(SceneDestroy(&one));
  MustPass(PetscOptionsClearValue(NULL, "-flow_snes_rtol"));
}
END_TEST

static Scene *run_to(double t, int steps)
{
  const SceneSpec spec = shaken_box(12, INITIAL_VORTEX);
  Scene *s = NULL;
  bool sound;
  MustPass(SceneCreate(PETSC_COMM_WORLD, &spec, oblique, &s));
  MustPass(SceneRun(s, oblique, tumble, t / steps, steps, &sound));
  ck_assert(all_ranks(sound));
  return s;
}

START_TEST(a_vortex_on_a_moving_grid_is_of_second_order_in_time)
{
  Scene *coarse = run_to(1.0, 10), *fine = run_to(1.0, 20), *finest = run_to(1.0, 40);
  const double a = largest_difference(coarse, fine), b = largest_difference(fine, finest);
  ck_assert_double_ge(log2(a / b), 1.8);
  MustPass(SceneDestroy(&coarse));
  MustPass(SceneDestroy(&fine));
  MustPass(SceneDestroy(&finest));
}
END_TEST

Suite *test_suite(void)
{
  Suite *suite = suite_create("flow/implicit");
  TCase *tests = tcase_create("core");

  tcase_add_test(tests, a_uniform_stream_stays_on_a_tumbling_grid);
  tcase_add_test(tests, ranks_agree_to_ten_times_the_tolerance);
  tcase_add_test(tests, a_vortex_on_a_moving_grid_is_of_second_order_in_time);
  suite_add_tcase(suite, tests);
  return suite;
}
