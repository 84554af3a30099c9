#include "contact/look.h"
#include "contact/tritri.h"
#include "geom/primitive.h"
#include "meeting.h"

/* Distances of triangles come from a few products of coordinates of size two. */
#define TOL_GAP 1e-10
/* Patches with h = 0.05 R are off by less than this (DESIGN.md, fourth order). */
#define TOL_CURVED 1e-6

static Side wall_side(Vec3 point, Vec3 normal)
{
  return (Side){.point = point, .normal = normal};
}

static Corners placed(const Side *s, int i)
{
  const Corners *t = xray_triangle(s->shape->xray, i);
  return (Corners){frame_to_world(&s->frame, t->a), frame_to_world(&s->frame, t->b),
                   frame_to_world(&s->frame, t->c)};
}

static double longest_from_a(const Corners *t)
{
  return fmax(vec3_distance(t->a, t->b), vec3_distance(t->a, t->c));
}

/* Every triangle against every other one, but for those that are plainly farther apart. */
static double brute_gap(const Side *a, const Side *b, bool *crossed)
{
  double best = INFINITY;
  *crossed = false;
  for (int i = 0; i < xray_n_triangles(a->shape->xray); i++) {
    const Corners ta = placed(a, i);
    for (int j = 0; j < xray_n_triangles(b->shape->xray); j++) {
      const Corners tb = placed(b, j);
      const double plain = vec3_distance(ta.a, tb.a) - longest_from_a(&ta) - longest_from_a(&tb);
      if (plain > best) continue;
      const TrianglePair p = triangle_pair(&ta, &tb);
      best = fmin(best, sqrt(p.distance2));
      *crossed |= p.crossing;
    }
  }
  return best;
}

static double brute_wall_gap(const Side *a, const Side *wall)
{
  double best = INFINITY;
  for (int k = 0; k < xray_n_vertices(a->shape->xray); k++) {
    const Vec3 p = frame_to_world(&a->frame, xray_vertex(a->shape->xray, k, NULL));
    best = fmin(best, vec3_dot(wall->normal, vec3_sub(p, wall->point)));
  }
  return best;
}

enum { N_SHAPES = 6, POSES = 100 };
static const TestShape shapes[N_SHAPES] = {TEST_SPHERE,   TEST_BOX,  TEST_CAPSULE,
                                           TEST_CYLINDER, TEST_CONE, TEST_ANGLE};

/* 21 pairs of shapes, 100 poses each. */
START_TEST(the_bound_is_the_flat_gap_less_the_bulges)
{
  Random r = random_seeded(21 + (uint64_t)_i);
  int n_wrong = 0;
  for (int j = _i; j < N_SHAPES; j++) {
    Thing a = thing_create(shapes[_i], 2.0), b = thing_create(shapes[j], 2.0);
    const double bulge = a.shape.bulge + b.shape.bulge;
    for (int k = 0; k < POSES; k++) {
      bool crossed = false;
      const Pose pose = {random_point(&r, 1.0), random_attitude(&r)};
      const Side sa = side_of(&a, pose);
      const Side sb = side_of(&b, random_meeting(&r, &a, pose, &b, random_in(&r, -0.2, 0.8)));
      const double gap = brute_gap(&sa, &sb, &crossed), cutoff = random_in(&r, 0.0, 1.0);
      const double expected = fmin(crossed ? 0.0 : gap, cutoff + bulge) - bulge;
      n_wrong += fabs(look_bound(&sa, &sb, cutoff) - expected) > TOL_GAP;
    }
    thing_destroy(&a);
    thing_destroy(&b);
  }
  ck_assert_int_eq(n_wrong, 0);
}
END_TEST

/* Polyhedra: the least gap is that of brute force, and they touch when triangles cross. */
static void compare_polyhedra(TestShape one, TestShape two, int n_poses, uint64_t seed)
{
  Random r = random_seeded(seed);
  const double reach = 0.3;
  int n_wrong = 0, n_near = 0, n_missed = 0, n_crossed = 0;
  Thing a = thing_create(one, 2.0), b = thing_create(two, 2.0);
  LookWork *work = NULL;
  MustPass(LookWorkCreate(&work));
  for (int k = 0; k < n_poses; k++) {
    bool crossed = false;
    Look look;
    const Pose pose = {random_point(&r, 1.0), random_attitude(&r)};
    const Side sa = side_of(&a, pose);
    const Side sb = side_of(&b, random_meeting(&r, &a, pose, &b, random_in(&r, -0.02, 0.1)));
    const double gap = brute_gap(&sa, &sb, &crossed);
    MustPass(LookClosely(work, &sa, &sb, reach, &look));
    n_crossed += crossed;
    n_near += !crossed && gap <= reach;
    n_missed += crossed != look.crossed;
    if (!crossed && gap <= reach) n_wrong += fabs(look.least - gap) > TOL_GAP;
    if (!crossed && gap > reach) n_wrong += look.n > 0;
  }
  MustPass(LookWorkDestroy(&work));
  thing_destroy(&a);
  thing_destroy(&b);
  ck_assert_int_eq(n_wrong, 0);
  ck_assert_int_eq(n_missed, 0);
  ck_assert_int_gt(n_crossed, n_poses / 20);
  ck_assert_int_gt(n_near, n_poses / 20);
}

START_TEST(boxes_have_the_gap_of_brute_force)
{
  compare_polyhedra(TEST_BOX, TEST_BOX, 10000, 31);
}
END_TEST

START_TEST(concave_blocks_have_the_gap_of_brute_force)
{
  compare_polyhedra(TEST_BOX, TEST_ANGLE, 5000, 32);
  compare_polyhedra(TEST_ANGLE, TEST_ANGLE, 5000, 33);
}
END_TEST

START_TEST(polyhedra_over_a_wall_have_the_height_of_their_lowest_vertex)
{
  Random r = random_seeded(34);
  LookWork *work = NULL;
  MustPass(LookWorkCreate(&work));
  for (int s = 0; s < 2; s++) {
    Thing a = thing_create(s == 0 ? TEST_BOX : TEST_ANGLE, 2.0);
    for (int k = 0; k < 1000; k++) {
      Look look;
      const Side sa = side_of(&a, (Pose){random_point(&r, 1.0), random_attitude(&r)});
      const Side wall = wall_side(random_point(&r, 2.0), vec3_unit(random_point(&r, 1.0)));
      const double gap = brute_wall_gap(&sa, &wall);
      MustPass(LookClosely(work, &sa, &wall, 0.3, &look));
      ck_assert_int_eq(look.n > 0, gap <= 0.3);
      if (look.n > 0) ck_assert_double_eq_tol(look.least, gap, TOL_GAP);
      ck_assert_int_eq(look.crossed, gap < 0.0);
      ck_assert_double_le(look_bound(&sa, &wall, 5.0), gap + TOL_GAP);
    }
    thing_destroy(&a);
  }
  MustPass(LookWorkDestroy(&work));
}
END_TEST

/*
 * Curved bodies: they touch when brute force on the same surfaces says so, and are as far apart as
 * it says. The long version, with more shapes, is tests/verify/verify_pairs.c.
 */
START_TEST(curved_bodies_have_the_gap_of_brute_force)
{
  Random r = random_seeded(41 + (uint64_t)_i);
  const double reach = 0.05;
  int n_contacts = 0;
  LookWork *work = NULL;
  MustPass(LookWorkCreate(&work));
  for (int j = _i; j < N_SHAPES; j++) {
    Thing a = thing_create(shapes[_i], 0.25), b = thing_create(shapes[j], 0.25);
    const double tolerance = fmax(TOL_CURVED, 4.0 * (a.shape.error + b.shape.error));
    for (int k = 0; k < 12; k++) {
      Look look;
      const Pose pose = {random_point(&r, 1.0), random_attitude(&r)};
      const Side sa = side_of(&a, pose);
      const Side sb = side_of(&b, random_meeting(&r, &a, pose, &b, random_in(&r, -0.01, 0.02)));
      const double gap = curved_gap(&sa, &sb, reach);
      MustPass(LookClosely(work, &sa, &sb, reach, &look));
      n_contacts += gap < 0.0;
      if (gap < -tolerance)
        ck_assert(look.least < 0.0 || look_crossing_depth(work, &sa, &sb, 0.0) > 0.0);
      if (gap > tolerance && gap < reach - tolerance)
        ck_assert_double_eq_tol(look.least, gap, tolerance);
    }
    thing_destroy(&a);
    thing_destroy(&b);
  }
  MustPass(LookWorkDestroy(&work));
  ck_assert_int_gt(n_contacts, 0);
}
END_TEST

static Thing fine_thing(ShapeKind kind)
{
  Surface *surface = NULL;
  const ShapeSpec spec = {
      .kind = kind, .radius = 1, .length = 2, .axis = {0, 0, 1}, .spacing = 0.05};
  MustPass(PrimitiveCreate(&spec, &surface));
  return thing_of(surface);
}

/* The distance from a point to a capsule of radius 1 and length 2 along z. */
static double capsule_distance(Vec3 p)
{
  const double z = fmin(1.0, fmax(-1.0, p.z));
  return vec3_distance(p, vec3(0, 0, z)) - 1.0;
}

START_TEST(curved_gaps_are_those_of_the_exact_shapes)
{
  Random r = random_seeded(51);
  LookWork *work = NULL;
  Thing ball = fine_thing(SHAPE_SPHERE), capsule = fine_thing(SHAPE_CAPSULE);
  MustPass(LookWorkCreate(&work));
  for (int k = 0; k < 600; k++) {
    const Pose pose = {random_point(&r, 1.0), random_attitude(&r)};
    const double gap = random_in(&r, -1e-3, 1e-3);
    const double angle = random_in(&r, 0, 2 * M_PI);
    const Vec3 way = quat_rotate(pose.q, vec3(cos(angle), sin(angle), 0));
    const Side sa = side_of(k % 3 == 2 ? &capsule : &ball, pose);
    Side sb = wall_side(vec3_axpy(pose.x, -1.0 - gap, way), way);
    double exact = gap;
    if (k % 3 > 0) {
      const Vec3 from = k % 3 == 2 ? vec3(0, 0, random_in(&r, -1, 1)) : vec3(0, 0, 0);
      const Vec3 x = vec3_axpy(pose_to_world(pose, from), 2.0 + gap, way);
      sb = side_of(&ball, (Pose){x, random_attitude(&r)});
      if (k % 3 == 2) exact = capsule_distance(pose_to_body(pose, x)) - 1.0;
    }
    Look look;
    MustPass(LookClosely(work, &sa, &sb, 2e-3, &look));
    ck_assert_int_eq(look.n > 0, exact <= 2e-3);
    if (look.n > 0) ck_assert_double_eq_tol(look.least, exact, TOL_CURVED);
    ck_assert_double_le(look_bound(&sa, &sb, 1.0), fmax(exact, 0.0) + TOL_CURVED);
  }
  MustPass(LookWorkDestroy(&work));
  thing_destroy(&ball);
  thing_destroy(&capsule);
}
END_TEST

Suite *test_suite(void)
{
  Suite *suite = suite_create("contact/look");
  TCase *tests = tcase_create("core");

  tcase_add_loop_test(tests, the_bound_is_the_flat_gap_less_the_bulges, 0, N_SHAPES);
  tcase_add_test(tests, boxes_have_the_gap_of_brute_force);
  tcase_add_test(tests, concave_blocks_have_the_gap_of_brute_force);
  tcase_add_test(tests, polyhedra_over_a_wall_have_the_height_of_their_lowest_vertex);
  tcase_add_test(tests, curved_gaps_are_those_of_the_exact_shapes);
  tcase_add_loop_test(tests, curved_bodies_have_the_gap_of_brute_force, 0, N_SHAPES);
  suite_add_tcase(suite, tests);
  return suite;
}
