/*
 * Order of accuracy of the near-body solver on the isentropic vortex.
 */
#include "comm/sum.h"
#include "flow/initial.h"
#include "near_scene.h"
#include "support.h"

#include <stdio.h>

/* Mean error of the density after the vortex has crossed a periodic box of +-10 core radii by a
 * part, on n x n x layers hexahedra or what they are cut into. Prisms and tetrahedra
 * have short steps; they fly a quarter as far. */
static double vortex_error(CellKind kind, double shake, int n)
{
  const double mach = 0.5, t = kind == CELL_HEXA ? 4.0 : 1.0, half = 10.0;
  const int layers = kind == CELL_HEXA && shake == 0.0 ? 1 : 3;
  SceneSpec spec = scene_spec(mach, INITIAL_VORTEX);
  const double thick = layers * 2.0 * half / n;
  spec.box = (BoxGridSpec){.box = {{-half, -half, 0}, {half, half, thick}},
                           .n = {n, n, layers},
                           .kind = kind,
                           .shake = shake,
                           .seed = 5,
                           .periodic = {true, true, true}};
  Scene *s = NULL;
  bool sound;
  MustPass(SceneCreate(PETSC_COMM_WORLD, &spec, pose_identity(), &s));
  MustPass(SceneRun(s, pose_identity(), (Screw){{0, 0, 0}, {0, 0, 0}}, t, 1, &sound));
  ck_assert(sound);
  Initial exact = {INITIAL_VORTEX, {mach * t, 0, 0}, 1.0, 1.4, {1.0, {mach, 0, 0}, 1.0 / 1.4}};
  const double *u = near_flow_state(flow_grid(s->flow, 0));
  double sum = 0.0, volume = 0.0;
  for (LocalId c = 0; c < s->grid->n_own; c++) {
    const Primitive w = initial_at(&exact, vec3(s->grid->x[c], s->grid->y[c], 0));
    sum += s->grid->volume[c] * fabs(u[5 * c] - w.rho);
    volume += s->grid->volume[c];
  }
  const NearCounts counts = near_flow_counts(flow_grid(s->flow, 0));
  ck_assert_int_eq(counts.fallbacks, 0);
  MustPass(SceneDestroy(&s));
  return sum / volume;
}

static void check_order(CellKind kind, double shake, int n)
{
  const double wanted = 1.9;
  const double coarse = vortex_error(kind, shake, n), fine = vortex_error(kind, shake, 2 * n);
  const double order = log(coarse / fine) / log(2.0);
  printf("kind %d shake %g: %d %.4e, %d %.4e, order %.3f\n", kind, shake, n, coarse, 2 * n, fine,
         order);
  ck_assert_double_ge(order, wanted);
}

START_TEST(the_vortex_converges_on_hexahedra)
{
  check_order(CELL_HEXA, 0.0, 128);
}
END_TEST

START_TEST(the_vortex_converges_on_shaken_cells)
{
  static const CellKind kinds[] = {CELL_HEXA, CELL_PRISM, CELL_TETRA};
  check_order(kinds[_i], 0.2, _i == 2 ? 32 : 64); /* a hexahedron is six tetrahedra */
}
END_TEST

Suite *test_suite(void)
{
  Suite *suite = suite_create("flow order");
  TCase *tests = tcase_create("core");

  tcase_add_test(tests, the_vortex_converges_on_hexahedra);
  tcase_add_loop_test(tests, the_vortex_converges_on_shaken_cells, 0, 3);
  suite_add_tcase(suite, tests);
  return suite;
}
