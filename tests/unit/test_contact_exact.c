#include "contact/exact.h"
#include "contact/look.h"
#include "geom/primitive.h"
#include "shapes.h"

/* Patches with h = 0.05 R are off by less than this (DESIGN.md, fourth order). */
#define TOL_PATCH 1e-6
/* A direction across the surface is known to the patch's slope. */
#define TOL_NORMAL 1e-5

typedef struct {
  Surface *surface;
  XRay *xray;
  ContactShape by_xray, exact;
} Thing;

static Thing thing_of(ShapeKind kind)
{
  Thing t = {.surface = NULL};
  ShapeSpec spec = {.kind = kind,
                    .radius = 1,
                    .length = 2,
                    .axis = {1, 2, 2},
                    .size = {1, 2, 3},
                    .spacing = 0.05};
  if (kind == SHAPE_BOX) spec.spacing = NAN;
  MustPass(PrimitiveCreate(&spec, &t.surface));
  MustPass(XRayCreate(t.surface, (XRaySpec){NAN, NAN}, &t.xray));
  t.by_xray = t.exact = contact_shape(t.xray);
  t.exact.exact = exact_shape(&spec);
  return t;
}

static void thing_destroy(Thing *t)
{
  MustPass(XRayDestroy(&t->xray));
  MustPass(SurfaceDestroy(&t->surface));
}

static const ContactHit *nearest(const Look *look)
{
  const ContactHit *best = look->hit;
  for (int k = 1; k < look->n; k++)
    if (look->hit[k].gap < best->gap) best = &look->hit[k];
  return best;
}

/* A hit of the closed form is one of the x-ray's, or the other way round. */
static bool agree(LookWork *work, Side a[2], Side b[2], double reach, int *n_hits)
{
  Look look;
  MustPass(LookClosely(work, &a[0], &b[0], reach, &look));
  const bool touches = look.n > 0;
  const ContactHit exact = touches ? *nearest(&look) : (ContactHit){.gap = INFINITY};
  MustPass(LookClosely(work, &a[1], &b[1], reach, &look));
  *n_hits += touches;
  if (!touches || look.n == 0)
    return touches == (look.n > 0) || fabs(exact.gap - reach) < TOL_PATCH ||
           fabs(look.least - reach) < TOL_PATCH;
  const ContactHit *other = nearest(&look);
  return fabs(exact.gap - other->gap) < TOL_PATCH && exact.spacing == other->spacing &&
         vec3_distance(exact.normal, other->normal) < TOL_NORMAL &&
         exact.exact_normal == other->exact_normal;
}

/* Spheres and capsules beside each other over a small gap or depth, and over a wall. */
START_TEST(closed_forms_agree_with_the_x_rays)
{
  enum { POSES = 1500 };
  Random r = random_seeded(61);
  LookWork *work = NULL;
  Thing thing[2] = {thing_of(SHAPE_SPHERE), thing_of(SHAPE_CAPSULE)};
  int n_wrong = 0, n_hits = 0;
  MustPass(LookWorkCreate(&work));
  for (int k = 0; k < POSES; k++) {
    const Thing *ta = &thing[k % 2], *tb = &thing[k / 2 % 2];
    const Frame fa = pose_frame((Pose){random_point(&r, 1.0), random_attitude(&r)});
    Frame fb = pose_frame((Pose){fa.x, random_attitude(&r)});
    Side a[2] = {{.shape = &ta->exact, .frame = fa}, {.shape = &ta->by_xray, .frame = fa}};
    Side b[2] = {{.shape = &tb->exact, .frame = fb}, {.shape = &tb->by_xray, .frame = fb}};
    const Vec3 way = vec3_unit(random_point(&r, 1.0));
    const double gap = random_in(&r, -1e-3, 2e-3);
    if (k % 3 == 0) {
      const Side wall = {.point = fa.x, .normal = way};
      b[0] = b[1] = wall;
      b[0].point = b[1].point = vec3_axpy(fa.x, exact_gap(&a[0], &b[0]) - gap, way);
    } else {
      for (int i = 0; i < 60; i++) {
        const double step = gap - exact_gap(&a[0], &b[0]);
        b[0].frame.x = b[1].frame.x = vec3_axpy(b[0].frame.x, step, way);
      }
    }
    n_wrong += !agree(work, a, b, 1e-3, &n_hits);
  }
  MustPass(LookWorkDestroy(&work));
  thing_destroy(&thing[0]);
  thing_destroy(&thing[1]);
  ck_assert_int_eq(n_wrong, 0);
  ck_assert_int_gt(n_hits, POSES / 3);
}
END_TEST

/* Boxes, and spheres on boxes, that come to a small gap or depth along some way. */
START_TEST(boxes_agree_with_the_x_rays)
{
  enum { POSES = 3000 };
  Random r = random_seeded(67);
  LookWork *work = NULL;
  Thing thing[2] = {thing_of(SHAPE_BOX), thing_of(SHAPE_SPHERE)};
  int n_wrong = 0, n_hits = 0;
  MustPass(LookWorkCreate(&work));
  for (int k = 0; k < POSES; k++) {
    const Thing *ta = &thing[k % 3 == 1], *tb = &thing[k % 3 == 2];
    const Frame fa = pose_frame((Pose){random_point(&r, 1.0), random_attitude(&r)});
    Frame fb = pose_frame((Pose){fa.x, random_attitude(&r)});
    Side a[2] = {{.shape = &ta->exact, .frame = fa}, {.shape = &ta->by_xray, .frame = fa}};
    Side b[2] = {{.shape = &tb->exact, .frame = fb}, {.shape = &tb->by_xray, .frame = fb}};
    const Vec3 way = vec3_unit(random_point(&r, 1.0));
    const double gap = random_in(&r, -1e-4, 2e-3);
    if (k % 7 == 0 && ta == &thing[0]) {
      b[0] = b[1] = (Side){.point = fa.x, .normal = way};
      b[0].point = b[1].point = vec3_axpy(fa.x, exact_gap(&a[0], &b[0]) - gap, way);
    } else {
      for (int i = 0; i < 200; i++) {
        const double step = gap - exact_gap(&a[0], &b[0]);
        b[0].frame.x = b[1].frame.x = vec3_axpy(b[0].frame.x, step, way);
      }
    }
    n_wrong += !agree(work, a, b, 1e-3, &n_hits);
  }
  MustPass(LookWorkDestroy(&work));
  thing_destroy(&thing[0]);
  thing_destroy(&thing[1]);
  ck_assert_int_eq(n_wrong, 0);
  ck_assert_int_gt(n_hits, POSES / 4);
}
END_TEST

/* Two capsules side by side touch along the stretch they share. */
START_TEST(parallel_capsules_touch_at_the_ends_of_a_line)
{
  const ShapeSpec spec = {.kind = SHAPE_CAPSULE, .radius = 1, .length = 4, .axis = {0, 0, 1}};
  ContactShape shape = {.edge = 0.1, .exact = exact_shape(&spec)};
  const Side a = {.shape = &shape, .frame = pose_frame(pose_identity())};
  Side b = a;
  b.frame.x = vec3(2, 0, 1);
  ContactHit hit[EXACT_HITS];
  ck_assert_int_eq(exact_hits(&a, &b, 1e-6, hit), 2);
  ck_assert_double_eq_tol(fabs(hit[0].point.z - hit[1].point.z), 3.0, 1e-12);
  for (int k = 0; k < 2; k++) {
    ck_assert_int_eq(hit[k].patch, 0);
    ck_assert_double_eq_tol(hit[k].gap, 0.0, 1e-15);
    ck_assert_double_eq_tol(hit[k].normal.x, -1.0, 1e-15);
  }
}
END_TEST

START_TEST(a_sphere_over_a_wall_has_its_depth)
{
  const ShapeSpec spec = {.kind = SHAPE_SPHERE, .radius = 2};
  ContactShape shape = {.edge = 0.1, .exact = exact_shape(&spec)};
  const Side a = {.shape = &shape, .frame = pose_frame((Pose){{5, 6, 1.5}, {1, 0, 0, 0}})};
  const Side wall = {.normal = {0, 0, 1}};
  ContactHit hit[EXACT_HITS];
  ck_assert_int_eq(exact_hits(&a, &wall, 0.1, hit), 1);
  ck_assert_double_eq(hit[0].gap, -0.5);
  ck_assert_double_eq(hit[0].point.z, -0.25);
  ck_assert(hit[0].exact_normal);
  ck_assert_double_eq(look_bound(&a, &wall, 1.0), -0.5);
}
END_TEST

Suite *test_suite(void)
{
  Suite *suite = suite_create("contact/exact");
  TCase *tests = tcase_create("core");

  tcase_add_test(tests, closed_forms_agree_with_the_x_rays);
  tcase_add_test(tests, boxes_agree_with_the_x_rays);
  tcase_add_test(tests, parallel_capsules_touch_at_the_ends_of_a_line);
  tcase_add_test(tests, a_sphere_over_a_wall_has_its_depth);
  suite_add_tcase(suite, tests);
  return suite;
}
