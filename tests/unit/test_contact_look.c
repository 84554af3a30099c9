#include "contact/look.h"
#include "contact/tritri.h"
#include "geom/primitive.h"
#include "shapes.h"

/* Distances of triangles come from a few products of coordinates of size two. */
#define TOL_GAP 1e-10
/* Patches with h = 0.05 R are off by less than this (DESIGN.md, fourth order). */
#define TOL_CURVED 1e-6

static const XRaySpec auto_spec = {NAN, NAN};

/* A shape for contact, and what brute force needs of it. */
typedef struct {
  Surface *surface;
  XRay *xray;
  ContactShape shape;
} Thing;

static Thing thing_of(Surface *surface)
{
  Thing t = {.surface = surface};
  MustPass(XRayCreate(surface, auto_spec, &t.xray));
  t.shape = contact_shape(t.xray);
  return t;
}

static Thing thing_create(TestShape shape, double spacing)
{
  Surface *surface = NULL;
  MustPass(TestSurfaceCreate(shape, spacing, &surface));
  return thing_of(surface);
}

static void thing_destroy(Thing *t)
{
  MustPass(XRayDestroy(&t->xray));
  MustPass(SurfaceDestroy(&t->surface));
}

static Side side_of(const Thing *t, Pose pose)
{
  return (Side){.shape = &t->shape, .frame = pose_frame(pose)};
}

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

/*
 * b beside a: a random point of b faces a random point of a, with the normals about opposite,
 * over a gap that may be negative.
 */
static Pose random_meeting(Random *r, const Thing *a, Pose pose_a, const Thing *b, double gap)
{
  int ta = 0, tb = 0;
  const Vec3 pa = random_surface_point(r, a->surface, &ta);
  const Vec3 pb = random_surface_point(r, b->surface, &tb);
  const Vec3 na = quat_rotate(pose_a.q, a->surface->normal[ta][0]), nb = b->surface->normal[tb][0];
  const Vec3 want = vec3_unit(vec3_add(vec3_scale(-1.0, na), random_point(r, 0.5)));
  const Quat spin = quat_from_axis(nb, random_in(r, 0, 2 * M_PI));
  const double w = 1.0 + vec3_dot(nb, want);
  const Vec3 axis = vec3_cross(nb, want);
  const Quat turn = w > 1e-6 ? quat_unit((Quat){w, axis.x, axis.y, axis.z})
                             : quat_from_axis(vec3_normal_to(nb), M_PI);
  Pose pose = {.q = quat_unit(quat_multiply(turn, spin))};
  const Vec3 at = vec3_axpy(pose_to_world(pose_a, pa), gap, na);
  pose.x = vec3_sub(at, quat_rotate(pose.q, pb));
  return pose;
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

/* The least sampled distance from points of the patches of a to the curved surface of b. */
static double sampled_gap(const Side *a, const Side *b, double reach)
{
  enum { N = 3 };
  double best = INFINITY;
  for (int t = 0; t < xray_n_triangles(a->shape->xray); t++) {
    const Corners c = placed(a, t);
    const double around = vec3_distance(c.a, c.b) + vec3_distance(c.a, c.c);
    const Vec3 corner = frame_to_body(&b->frame, c.a);
    if (xray_distance_bound(b->shape->xray, corner) > reach + around) continue;
    for (int k = 0; k < (N + 1) * (N + 1); k++) {
      const int i = k % (N + 1), j = k / (N + 1);
      if (i + j > N) continue;
      const Vec3 p = xray_patch_point(a->shape->xray, t, (double)i / N, (double)j / N, NULL);
      const SurfaceHit hit = side_gap(b, frame_to_world(&a->frame, p), reach);
      if (hit.found && hit.distance < best) best = hit.distance;
    }
  }
  return best;
}

typedef struct {
  int missed, late, early, contacts;
} Verdict;

/* One pose: what the look says against the samples. */
static void judge(LookWork *work, const Side *a, const Side *b, Verdict *v)
{
  /* Opposite normals are an order better than the patches are: the least gaps differ by this. */
  const double reach = 0.1, patch = 1e-3, spacing = 1e-2;
  Look look;
  const double gap = fmin(sampled_gap(a, b, reach), sampled_gap(b, a, reach));
  MustPass(LookClosely(work, a, b, reach, &look));
  const bool contact = look.least < 0.0 || look.crossed;
  v->contacts += contact;
  v->missed += gap < -patch && !contact;
  v->late += gap > 0.0 && gap < reach - patch && look.least > gap + patch;
  v->early += gap > spacing && look.least < 0.0 && !look.crossed;
}

/*
 * Curved bodies: no sampled point is nearer than the least gap says, and where points lie inside
 * the other body there is contact.
 */
START_TEST(no_sampled_point_is_nearer_than_the_least_gap)
{
  Random r = random_seeded(41 + (uint64_t)_i);
  Verdict v = {0, 0, 0, 0};
  LookWork *work = NULL;
  MustPass(LookWorkCreate(&work));
  for (int j = _i; j < N_SHAPES; j++) {
    Thing a = thing_create(shapes[_i], 0.25), b = thing_create(shapes[j], 0.25);
    for (int k = 0; k < 25; k++) {
      const Pose pose = {random_point(&r, 1.0), random_attitude(&r)};
      const Side sa = side_of(&a, pose);
      const Side sb = side_of(&b, random_meeting(&r, &a, pose, &b, random_in(&r, -0.01, 0.05)));
      judge(work, &sa, &sb, &v);
    }
    thing_destroy(&a);
    thing_destroy(&b);
  }
  MustPass(LookWorkDestroy(&work));
  ck_assert_int_eq(v.missed, 0);
  ck_assert_int_eq(v.late, 0);
  ck_assert_int_eq(v.early, 0);
  ck_assert_int_gt(v.contacts, 0);
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
  tcase_add_loop_test(tests, no_sampled_point_is_nearer_than_the_least_gap, 0, N_SHAPES);
  suite_add_tcase(suite, tests);
  return suite;
}
