#include "flow/flow.h"
#include "flow/off_body_implicit.h"
#include "grid/cell_state.h"
#include "near_scene.h"
#include "support.h"

#include <math.h>

/* A wide vortex in a periodic box of four patches by four by one, or of two levels that follow it.
 */
typedef struct {
  FlowSpec flow;
  OffBodySpec off_body;
} Box2;

static Box2 box_of(IntegratorKind integrator, int levels)
{
  Box2 b = {.flow = scene_spec(0.5, INITIAL_VORTEX).flow};
  b.flow.integrator = integrator;
  b.off_body = (OffBodySpec){.given = true,
                             .box = {{-8, -8, 0}, {8, 8, 4}},
                             .spacing = 0.5,
                             .levels = levels,
                             .patch = 8,
                             .order = 5,
                             .adapt = {.given = levels > 1, .every = 2, .threshold = 0.01}};
  for (int side = 0; side < SIDES; side++) b.off_body.boundaries[side] = BOUNDARY_PERIODIC;
  return b;
}

static Flow *start(MPI_Comm comm, const Box2 *b)
{
  const FlowInput input = {
      .spec = &b->flow, .reference = {1.6, 1.0, {0, 0, 0}}, .off_body = &b->off_body};
  Flow *flow = NULL;
  MustPass(FlowCreate(comm, &input, &flow));
  MustPass(FlowInitialise(flow, NULL, 0, NULL));
  return flow;
}

static bool run(Flow *flow, double dt, int steps, bool adapt)
{
  bool sound = true, changed;
  for (int k = 0; k < steps && sound; k++) {
    FlowVerdict verdict;
    MustPass(FlowAdvance(flow, NULL, dt, &verdict));
    sound = verdict.sound;
    if (sound) MustPass(FlowAccept(flow));
    if (adapt) MustPass(FlowAdapt(flow, dt, 0, NULL, &changed));
  }
  return sound;
}

/* The largest difference in this rank's cells from a flow on the same ranks, or on one. */
static double difference(Flow *many, Flow *other)
{
  OffBody *a = flow_off_body(many), *b = flow_off_body(other);
  const Forest *f = off_body_forest(a), *g = off_body_forest(b);
  const LocalId n = PATCH_VARIABLES * off_body_n_cells(a), patch = PATCH_VARIABLES * 512;
  const double *u = off_body_state(a);
  const double *v = off_body_state(b) + patch * (forest_first(f) - forest_first(g));
  double worst = forest_total(f) == forest_total(g) ? 0.0 : INFINITY;
  for (LocalId i = 0; i < n && worst < INFINITY; i++) worst = fmax(worst, fabs(u[i] - v[i]));
  MPI_Allreduce(MPI_IN_PLACE, &worst, 1, MPI_DOUBLE, MPI_MAX, PETSC_COMM_WORLD);
  return worst;
}

START_TEST(implicit_time_is_of_second_order)
{
  const Box2 explicit_box = box_of(INTEGRATOR_SSPRK3, 1), box = box_of(INTEGRATOR_BDF2, 1);
  Flow *exact = start(PETSC_COMM_WORLD, &explicit_box);
  bool sound = run(exact, 0.1, 16, false);
  double error[3];
  for (int k = 0; k < 3; k++) {
    Flow *flow = start(PETSC_COMM_WORLD, &box);
    sound = run(flow, 0.4 / (1 << k), 4 << k, false) && sound;
    error[k] = difference(flow, exact);
    MustPass(FlowDestroy(&flow));
  }
  ck_assert(all_ranks(sound && error[2] < 1e-3));
  ck_assert(all_ranks(log2(error[1] / error[2]) >= 1.8));
  MustPass(FlowDestroy(&exact));
}
END_TEST

/* The forest changes between steps, and both time levels with it. */
START_TEST(ranks_agree_on_levels_that_change)
{
  const double tolerance = 1e-10, solver = 1e-11;
  const Box2 box = box_of(INTEGRATOR_BDF2, 2);
  char text[32];
  MustPass(PetscSNPrintf(text, sizeof text, "%g", solver));
  MustPass(PetscOptionsSetValue(NULL, "-flow_snes_rtol", text));
  Flow *many = start(PETSC_COMM_WORLD, &box), *one = start(PETSC_COMM_SELF, &box);
  const bool sound = run(many, 0.1, 6, true) && run(one, 0.1, 6, true);
  ck_assert(all_ranks(sound && difference(many, one) <= tolerance));
  MustPass(FlowDestroy(&many));
  MustPass(FlowDestroy(&one));
  MustPass(PetscOptionsClearValue(NULL, "-flow_snes_rtol"));
}
END_TEST

/* Identity rows: what is not field keeps its bits through a solve. */
START_TEST(cells_that_others_fill_stay)
{
  const Box2 box = box_of(INTEGRATOR_BDF2, 1);
  Flow *flow = start(PETSC_COMM_WORLD, &box);
  OffBody *air = flow_off_body(flow);
  const LocalId n = off_body_n_cells(air);
  uint8_t *state = NULL;
  double *before = NULL, stay = 0.0, move = 0.0;
  MustPass(PetscMalloc2(n, &state, PATCH_VARIABLES * n, &before));
  MustPass(PetscArraycpy(before, off_body_state(air), PATCH_VARIABLES * n));
  for (LocalId c = 0; c < n; c++) state[c] = c % 8 < 4 ? STATE_FRINGE : STATE_FIELD;
  MustPass(OffBodySetStates(air, state));
  const bool sound = run(flow, 0.1, 2, false);
  for (LocalId i = 0; i < PATCH_VARIABLES * n; i++) {
    const double change = fabs(off_body_state(air)[i] - before[i]);
    if (i % 8 < 4)
      stay = fmax(stay, change);
    else
      move = fmax(move, change);
  }
  ck_assert(all_ranks(sound && stay <= 1e-12 && move >= 1e-3));
  MustPass(PetscFree2(state, before));
  MustPass(FlowDestroy(&flow));
}
END_TEST

Suite *test_suite(void)
{
  Suite *suite = suite_create("flow/off_body_implicit");
  TCase *tests = tcase_create("core");

  tcase_add_test(tests, implicit_time_is_of_second_order);
  tcase_add_test(tests, ranks_agree_on_levels_that_change);
  tcase_add_test(tests, cells_that_others_fill_stay);
  suite_add_tcase(suite, tests);
  return suite;
}
