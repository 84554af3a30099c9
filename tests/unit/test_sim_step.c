#include "allocations.h"
#include "sim/sim.h"
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define NAME "test_sim_step.yaml"

static const char text[] =
    "gravity: [0, 0, -9.81]\n"
    "time: {step: 0.01, end: 1.005}\n"
    "bodies:\n"
    "  - {name: carrier, mass: 100, shape: {kind: box, size: [2, 2, 1]}, spin: [0, 1, 0]}\n"
    "  - name: store\n"
    "    mass: 3\n"
    "    shape: {kind: sphere, radius: 0.1}\n"
    "    position: [0, 0, -2]\n"
    "    loads:\n"
    "      - {force: [0, 0, -90], at: [0.1, 0, 0], stroke: 0.2, relative_to: carrier}\n"
    "      - {force: [9, 0, 0], from: 0.033, to: 0.044}\n"
    "      - {drag: {cd: 1, area: 1, density: 1}}\n"
    "  - {name: late, mass: 1, shape: {kind: sphere, radius: 0.1}, position: [9, 0, 0],\n"
    "     release: 0.055}\n";

/* Balls that bounce off a floor and off each other, in every step. */
static const char bouncing[] =
    "gravity: [0, 0, -9.81]\n"
    "time: {step: 0.01, end: 1}\n"
    "walls:\n"
    "  - {point: [0, 0, 0], normal: [0, 0, 1], restitution: 1}\n"
    "  - {point: [0, 0, 0.405], normal: [0, 0, -1], restitution: 1}\n"
    "bodies:\n"
    "  - {name: low, mass: 1, restitution: 1, shape: {kind: sphere, radius: 0.1},\n"
    "     position: [0, 0, 0.101], velocity: [0, 0, 1]}\n"
    "  - {name: high, mass: 1, restitution: 1, shape: {kind: sphere, radius: 0.1},\n"
    "     position: [0, 0, 0.303], velocity: [0, 0, 2]}\n";

static Sim *make(const char *words)
{
  Sim *sim = NULL;
  FILE *out = fopen(NAME, "w");
  ck_assert(out != NULL && fputs(words, out) >= 0 && fclose(out) == 0);
  MustPass(SimCreate(PETSC_COMM_WORLD, NAME, NULL, NULL, &sim));
  unlink(NAME);
  return sim;
}

/* Take n steps; asserted upon once, because an assertion asks for memory itself. */
static bool take(Sim *sim, int n)
{
  bool ok = true;
  for (int k = 0; k < n; k++) {
    StepVerdict verdict = STEP_DIVERGED;
    ok = SimAdvance(sim, &verdict) == PETSC_SUCCESS && verdict == STEP_ACCEPTED && ok;
  }
  return ok;
}

START_TEST(ten_steps_ask_for_no_memory)
{
  if (!allocations_are_counted()) return;
  Sim *sim = make(text);
  const bool warm = take(sim, 2);
  const long before = allocations_so_far();
  const bool ok = take(sim, 10);
  const long asked = allocations_so_far() - before;
  void *volatile memory = malloc(1);
  const long alive = allocations_so_far() - before - asked;
  free(memory);
  ck_assert(warm && ok);
  ck_assert_int_eq(asked, 0);
  ck_assert_int_eq(alive, 1);
  MustPass(SimDestroy(&sim));
}
END_TEST

START_TEST(ten_steps_with_contact_ask_for_no_memory)
{
  if (!allocations_are_counted()) return;
  Sim *sim = make(bouncing);
  const bool warm = take(sim, 20);
  const long before = allocations_so_far();
  bool ok = true;
  int n_contacts = 0;
  for (int k = 0; k < 10; k++) {
    const ContactEvent *events = NULL;
    ok = take(sim, 1) && ok;
    n_contacts += contact_events(sim->contact, &events);
  }
  const long asked = allocations_so_far() - before;
  ck_assert(warm && ok);
  ck_assert_int_gt(n_contacts, 5);
  ck_assert_int_eq(asked, 0);
  MustPass(SimDestroy(&sim));
}
END_TEST

START_TEST(the_last_step_is_shortened_to_the_end)
{
  Sim *sim = make(text);
  ck_assert_int_eq(sim->n_steps, 101);
  ck_assert(take(sim, 100));
  ck_assert_double_eq(bodies_time(sim->bodies), 100 * 0.01);
  ck_assert(take(sim, 1));
  ck_assert_double_eq(bodies_time(sim->bodies), 1.005);
  MustPass(SimDestroy(&sim));
}
END_TEST

Suite *test_suite(void)
{
  Suite *suite = suite_create("sim/step");
  TCase *tests = tcase_create("core");

  tcase_add_test(tests, ten_steps_ask_for_no_memory);
  tcase_add_test(tests, ten_steps_with_contact_ask_for_no_memory);
  tcase_add_test(tests, the_last_step_is_shortened_to_the_end);
  suite_add_tcase(suite, tests);
  return suite;
}
