/*
 * Contact of pairs is found exactly when brute force on the same surfaces says
 * so: every two of nine shapes, round, flat, sharp, thin and concave, in more
 * than ten thousand poses near touching.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/look.h"
#include "meeting.h"

enum { N_SHAPES = 9, POSES = 230 };
static const TestShape shapes[N_SHAPES] = {TEST_SPHERE,   TEST_BOX,     TEST_PLATE,
                                           TEST_CYLINDER, TEST_CAPSULE, TEST_CONE,
                                           TEST_TORUS,    TEST_STAR,    TEST_ANGLE};
static const double spacing = 0.2, reach = 0.05;

typedef struct {
  int judged, contacts, wrong;
  double worst; /* error of gaps */
} Verdict;

/* How far the least distance may be from the gap between opposite normals: as
 * contact has it. */
static double known_to(const Thing *a, const Thing *b)
{
  return fmax(1e-8, 4.0 * (a->shape.error + b->shape.error));
}

/* Deeper than half of its thickness a body may have been passed; bodies are
 * looked at before. */
static double deepest(const Thing *a, const Thing *b)
{
  return -0.5 * fmin(a->shape.thickness, b->shape.thickness);
}

static void judge(LookWork *work, const Thing *a, const Thing *b, Random *r, Verdict *v)
{
  Look look;
  const Pose pose = {random_point(r, 1.0), random_attitude(r)};
  const Side sa = side_of(a, pose);
  const Side sb = side_of(b, random_meeting(r, a, pose, b, random_in(r, -0.01, 0.01)));
  const double gap = curved_gap(&sa, &sb, reach), tolerance = known_to(a, b);
  if (fabs(gap) <= tolerance || gap < deepest(a, b)) return;
  MustPass(LookClosely(work, &sa, &sb, reach, &look));
  const bool contact = look.least < 0.0 || look_crossing_depth(work, &sa, &sb, 0.0) > 0.0;
  v->judged++;
  v->contacts += contact;
  v->wrong += contact != (gap < 0.0);
  if (gap > 0.0 && gap < reach - tolerance)
    v->worst = fmax(v->worst, fabs(look.least - gap) / tolerance);
}

START_TEST(pairs_touch_when_brute_force_says_so)
{
  Random r = random_seeded(900 + (uint64_t)_i);
  LookWork *work = NULL;
  MustPass(LookWorkCreate(&work));
  Thing a = thing_create(shapes[_i], spacing);
  for (int j = _i; j < N_SHAPES; j++) {
    Verdict v = {0, 0, 0, 0.0};
    Thing b = thing_create(shapes[j], spacing);
    for (int k = 0; k < POSES; k++) judge(work, &a, &b, &r, &v);
    const char *one = test_shape_name[shapes[_i]], *two = test_shape_name[shapes[j]];
    ck_assert_msg(v.wrong == 0, "%s, %s: %d of %d wrong", one, two, v.wrong, v.judged);
    ck_assert_msg(v.worst <= 1.0, "%s, %s: gap %g times the tolerance off", one, two, v.worst);
    ck_assert_msg(v.contacts > 0, "%s, %s: no contact", one, two);
    thing_destroy(&b);
  }
  thing_destroy(&a);
  MustPass(LookWorkDestroy(&work));
}
END_TEST

Suite *test_suite(void)
{
  Suite *suite = suite_create("pairs, long");
  TCase *t = tcase_create("pairs");
  tcase_add_loop_test(t, pairs_touch_when_brute_force_says_so, 0, N_SHAPES);
  suite_add_tcase(suite, t);
  return suite;
}
