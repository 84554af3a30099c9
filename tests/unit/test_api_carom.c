#include "api/carom.h"
#include "support.h"

#include <math.h>
#include <string.h>

#define FLOOR "walls:\n  - {name: floor, point: [0, 0, 0], normal: [0, 0, 1]}\n"
#define BALL(name, z, more)                                                          \
  "  - {name: " name ", mass: 2, shape: {kind: sphere, radius: 0.5, spacing: 0.1}, " \
  "position: [0, 0, " z "]" more "}\n"

static CaromScene *make(const char *text, CaromStatus wanted)
{
  CaromScene *scene = NULL;
  ck_assert_int_eq(CaromInit(PETSC_COMM_WORLD), CAROM_OK);
  if (wanted != CAROM_OK) LEAKS_IGNORED(1);
  const CaromStatus got = CaromSceneCreate(PETSC_COMM_WORLD, text, ".", &scene);
  if (wanted != CAROM_OK) LEAKS_IGNORED(0);
  ck_assert_int_eq(got, wanted);
  return scene;
}

START_TEST(a_host_lifts_a_ball_against_gravity)
{
  CaromScene *scene = make("gravity: [0, 0, -10]\nbodies:\n" BALL("ball", "3", ""), CAROM_OK);
  int n = 0, ball = -1;
  double t = -1.0;
  CaromState state;
  ck_assert_int_eq(CaromGetBodyCount(scene, &n), CAROM_OK);
  ck_assert_int_eq(CaromFindBody(scene, "ball", &ball), CAROM_OK);
  ck_assert(n == 1 && ball == 0);
  const double force[3] = {0, 0, 24}, moment[3] = {0, 0, 0.1};
  ck_assert_int_eq(CaromSetForce(scene, 0, force, moment), CAROM_OK);
  for (int k = 0; k < 4; k++) ck_assert_int_eq(CaromAdvance(scene, 0.25), CAROM_OK);
  ck_assert_int_eq(CaromGetTime(scene, &t), CAROM_OK);
  ck_assert_int_eq(CaromGetState(scene, 0, &state), CAROM_OK);
  ck_assert_double_le(fabs(t - 1.0), TOL_ROUND(1));
  ck_assert_double_le(fabs(state.position[2] - 4.0), TOL_ROUND(32));
  ck_assert_double_le(fabs(state.velocity[2] - 2.0), TOL_ROUND(32));
  /* Inertia 2/5 m r^2 = 0.2. */
  ck_assert_double_le(fabs(state.spin[2] - 0.5), TOL_ROUND(4));
  ck_assert_int_eq(CaromSceneDestroy(&scene), CAROM_OK);
  ck_assert_ptr_null(scene);
}
END_TEST

START_TEST(an_impact_is_an_event_of_its_advance_alone)
{
  CaromScene *scene = make(
      "bodies:\n" BALL("ball", "1", ", velocity: [0, 0, -1], restitution: 0.5") FLOOR, CAROM_OK);
  int n = -1;
  CaromEvent event;
  ck_assert_int_eq(CaromAdvance(scene, 0.25), CAROM_OK);
  ck_assert(CaromGetEventCount(scene, &n) == CAROM_OK && n == 0);
  ck_assert_int_eq(CaromAdvance(scene, 0.5), CAROM_OK);
  ck_assert(CaromGetEventCount(scene, &n) == CAROM_OK && n == 1);
  ck_assert_int_eq(CaromGetEvent(scene, 0, &event), CAROM_OK);
  ck_assert(event.a == 0 && event.b == 1);
  ck_assert_str_eq(event.kind, "point");
  ck_assert_double_le(fabs(event.time - 0.5), 1e-5);
  ck_assert_double_le(fabs(event.impulse[2] - 3.0), 1e-5);
  ck_assert_int_eq(CaromGetEvent(scene, 1, &event), CAROM_INPUT);
  ck_assert_str_eq(CaromMessage(scene), "event 1: there are 1");
  ck_assert_int_eq(CaromAdvance(scene, 0.25), CAROM_OK);
  ck_assert(CaromGetEventCount(scene, &n) == CAROM_OK && n == 0);
  ck_assert_int_eq(CaromSceneDestroy(&scene), CAROM_OK);
}
END_TEST

START_TEST(all_mistakes_of_a_description_are_told_with_their_places)
{
  CaromScene *scene =
      make("bodies:\n" BALL("a", "0", ", mas: 1") BALL("b", "9", ", friction: -1"), CAROM_INPUT);
  const char *message = CaromMessage(scene);
  ck_assert_ptr_nonnull(strstr(message, "scene:2:"));
  ck_assert_ptr_nonnull(strstr(message, "bodies[0].mas: "));
  ck_assert_ptr_nonnull(strstr(message, "\nscene:3:"));
  ck_assert_ptr_nonnull(strstr(message, "bodies[1].friction: "));
  ck_assert_int_eq(CaromAdvance(scene, 1.0), CAROM_INPUT);
  ck_assert_str_eq(CaromMessage(scene), "the scene could not be made");
  ck_assert_int_eq(CaromSceneDestroy(&scene), CAROM_OK);
}
END_TEST

START_TEST(bodies_that_overlap_make_no_scene)
{
  CaromScene *scene = make("bodies:\n" BALL("a", "0", "") BALL("b", "0.9", ""), CAROM_INPUT);
  ck_assert_ptr_nonnull(strstr(CaromMessage(scene), "'a' and 'b' overlap at the start by 0.1"));
  ck_assert_int_eq(CaromSceneDestroy(&scene), CAROM_OK);
}
END_TEST

START_TEST(arguments_that_make_no_sense_are_refused)
{
  CaromScene *scene = make("bodies:\n" BALL("a", "0", ""), CAROM_OK);
  CaromState state;
  int body = 0;
  const double none[3] = {0, 0, 0}, wild[3] = {NAN, 0, 0};
  ck_assert_int_eq(CaromGetState(scene, 1, &state), CAROM_INPUT);
  ck_assert_str_eq(CaromMessage(scene), "body 1: there are 1");
  ck_assert_int_eq(CaromFindBody(scene, "b", &body), CAROM_INPUT);
  ck_assert_int_eq(CaromSetForce(scene, -1, none, none), CAROM_INPUT);
  ck_assert_int_eq(CaromSetForce(scene, 0, wild, none), CAROM_INPUT);
  ck_assert_int_eq(CaromAdvance(scene, 0.0), CAROM_INPUT);
  ck_assert_int_eq(CaromAdvance(scene, NAN), CAROM_INPUT);
  ck_assert_int_eq(CaromAdvance(scene, 0.1), CAROM_OK);
  ck_assert_str_eq(CaromMessage(scene), "");
  ck_assert_int_eq(CaromSceneDestroy(&scene), CAROM_OK);
}
END_TEST

Suite *test_suite(void)
{
  Suite *suite = suite_create("api");
  TCase *tests = tcase_create("carom");

  tcase_add_test(tests, a_host_lifts_a_ball_against_gravity);
  tcase_add_test(tests, an_impact_is_an_event_of_its_advance_alone);
  tcase_add_test(tests, all_mistakes_of_a_description_are_told_with_their_places);
  tcase_add_test(tests, bodies_that_overlap_make_no_scene);
  tcase_add_test(tests, arguments_that_make_no_sense_are_refused);
  suite_add_tcase(suite, tests);
  return suite;
}
