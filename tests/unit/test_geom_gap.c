#include "geom/primitive.h"
#include "geom/xray.h"
#include "shapes.h"

static const XRaySpec by_itself = {NAN, NAN};

/* Exact signed distance and outward normal of a shape at p. */
typedef double (*ExactShape)(Vec3 p, Vec3 *normal);

static double exact_sphere(Vec3 p, Vec3 *normal)
{
  *normal = vec3_unit(p);
  return vec3_norm(p) - 1.0;
}

/* Side of the cylinder of radius 0.7. */
static double exact_side(Vec3 p, Vec3 *normal)
{
  *normal = vec3_unit(vec3(p.x, p.y, 0.0));
  return hypot(p.x, p.y) - 0.7;
}

static double exact_capsule(Vec3 p, Vec3 *normal)
{
  const Vec3 foot = {0.0, 0.0, fmax(-0.5, fmin(0.5, p.z))};
  *normal = vec3_unit(vec3_sub(p, foot));
  return vec3_distance(p, foot) - 0.5;
}

static double exact_torus(Vec3 p, Vec3 *normal)
{
  const double s = 0.75 / hypot(p.x, p.y);
  const Vec3 d = {p.x - s * p.x, p.y - s * p.y, p.z};
  *normal = vec3_unit(d);
  return vec3_norm(d) - 0.3;
}

/* Side of the cone of radius 0.3 and height 2. */
static double exact_cone(Vec3 p, Vec3 *normal)
{
  const double slant = hypot(0.3, 2.0), r = hypot(p.x, p.y), tip = 2.0;
  *normal = vec3_unit(vec3(2.0 * p.x / r, 2.0 * p.y / r, 0.3));
  return (2.0 * r + 0.3 * (p.z - tip)) / slant;
}

typedef struct {
  double distance, normal;
} GapError;

/* Largest errors over points near the smooth part of a shape, between two heights. */
static GapError gap_error(TestShape shape, double h, double bottom, double top, ExactShape exact,
                          double *estimate)
{
  Random r = random_seeded(21);
  Surface *s = NULL;
  XRay *x = NULL;
  MustPass(TestSurfaceCreate(shape, h, &s));
  MustPass(XRayCreate(s, by_itself, &x));
  GapError worst = {0.0, 0.0};
  for (int k = 0; k < 4000; k++) {
    int t;
    const Vec3 p = vec3_add(random_surface_point(&r, s, &t), random_point(&r, 0.02));
    if (p.z < bottom || p.z > top) continue;
    Vec3 normal;
    const double d = exact(p, &normal);
    const SurfaceHit hit = xray_gap(x, p, 0.1);
    ck_assert(hit.found);
    worst.distance = fmax(worst.distance, fabs(hit.distance - d));
    worst.normal = fmax(worst.normal, vec3_distance(hit.normal, normal));
  }
  *estimate = xray_geometry_error(x);
  MustPass(XRayDestroy(&x));
  MustPass(SurfaceDestroy(&s));
  return worst;
}

static const struct {
  TestShape shape;
  double bottom, top;
  ExactShape exact;
  double distance, normal; /* allowed at an edge length of 0.05 */
} smooth[] = {{TEST_SPHERE, -2.0, 2.0, exact_sphere, 1e-7, 4e-7},
              {TEST_CYLINDER, -0.6, 0.6, exact_side, 2e-8, 4e-8},
              {TEST_CAPSULE, -2.0, 2.0, exact_capsule, 4e-7, 4e-6},
              {TEST_CONE, 0.1, 0.4, exact_cone, 3e-6, 1e-3},
              {TEST_TORUS, -2.0, 2.0, exact_torus, 6e-6, 4e-3}};

START_TEST(the_gap_to_smooth_shapes_is_fourth_order)
{
  double coarse_estimate, fine_estimate;
  const GapError coarse = gap_error(smooth[_i].shape, 0.1, smooth[_i].bottom, smooth[_i].top,
                                    smooth[_i].exact, &coarse_estimate);
  const GapError fine = gap_error(smooth[_i].shape, 0.05, smooth[_i].bottom, smooth[_i].top,
                                  smooth[_i].exact, &fine_estimate);
  ck_assert_double_le(fine.distance, coarse.distance / 8.0);
  ck_assert_double_le(fine.normal, coarse.normal / 3.0);
  ck_assert_double_le(fine.distance, fine_estimate);
  ck_assert_double_le(fine.distance, smooth[_i].distance);
  ck_assert_double_le(fine.normal, smooth[_i].normal);
}
END_TEST

/* The nearest of many points of all patches, an upper bound that misses by little. */
static double sampled_gap(const XRay *x, Vec3 p)
{
  enum { N = 24 };
  double best = INFINITY;
  for (int t = 0; t < xray_n_triangles(x); t++) {
    const PnPatch patch = xray_patch(x, t);
    for (int i = 0; i <= N; i++)
      for (int j = 0; i + j <= N; j++) {
        const Vec3 q = pn_patch_point(&patch, (double)i / N, (double)j / N);
        best = fmin(best, vec3_distance(p, q));
      }
  }
  return best;
}

START_TEST(no_patch_is_nearer_than_the_gap)
{
  Random r = random_seeded((uint64_t)_i);
  Surface *s = NULL;
  XRay *x = NULL;
  MustPass(TestSurfaceCreate((TestShape)_i, 0.5, &s));
  surface_move(s, (Pose){random_point(&r, 0.5), random_attitude(&r)});
  MustPass(XRayCreate(s, by_itself, &x));
  for (int k = 0; k < 60; k++) {
    int t;
    const Vec3 p = vec3_add(random_surface_point(&r, s, &t), random_point(&r, 0.3));
    const SurfaceHit hit = xray_gap(x, p, INFINITY);
    const double sampled = sampled_gap(x, p);
    ck_assert(hit.found);
    ck_assert_double_eq_tol(vec3_distance(hit.point, p), fabs(hit.distance), 1e-14);
    /* Samples lie up to 0.5 / 24 apart, so the nearest is farther by no more than that. */
    ck_assert_double_le(fabs(hit.distance), sampled + 1e-12);
    ck_assert_double_ge(fabs(hit.distance), sampled - 0.02);
  }
  MustPass(XRayDestroy(&x));
  MustPass(SurfaceDestroy(&s));
}
END_TEST

START_TEST(the_gap_to_flat_shapes_is_their_distance)
{
  Random r = random_seeded(31);
  Surface *s = NULL;
  XRay *x = NULL;
  MustPass(TestSurfaceCreate((TestShape)_i, 0.4, &s));
  MustPass(XRayCreate(s, by_itself, &x));
  ck_assert_double_eq(xray_geometry_error(x), 0.0);
  for (int k = 0; k < 2000; k++) {
    const Vec3 p = random_point(&r, 1.5);
    const SurfaceHit gap = xray_gap(x, p, 5.0), flat = xray_distance(x, p, 5.0);
    ck_assert(gap.found && flat.found);
    ck_assert_double_eq_tol(gap.distance, flat.distance, 1e-14);
    const Vec3 back = vec3_axpy(gap.point, gap.distance, gap.normal);
    ck_assert_double_le(vec3_distance(back, p), 1e-12);
  }
  MustPass(XRayDestroy(&x));
  MustPass(SurfaceDestroy(&s));
}
END_TEST

START_TEST(beyond_a_rim_the_normal_points_at_the_query)
{
  Surface *s = NULL;
  XRay *x = NULL;
  MustPass(TestSurfaceCreate(TEST_CYLINDER, 0.05, &s));
  MustPass(XRayCreate(s, by_itself, &x));
  Random r = random_seeded(32);
  for (int k = 0; k < 500; k++) {
    const double a = random_in(&r, -M_PI, M_PI), out = random_in(&r, 0.001, 0.03);
    const double up = random_in(&r, 0.001, 0.03), top = s->box.hi.z;
    const Vec3 rim = {0.7 * cos(a), 0.7 * sin(a), top};
    const Vec3 p = {(0.7 + out) * cos(a), (0.7 + out) * sin(a), top + up};
    const SurfaceHit hit = xray_gap(x, p, 0.1);
    ck_assert(hit.found);
    ck_assert_double_eq_tol(hit.distance, hypot(out, up), 1e-7);
    ck_assert_double_le(vec3_distance(hit.normal, vec3_unit(vec3_sub(p, rim))), 1e-3);
  }
  MustPass(XRayDestroy(&x));
  MustPass(SurfaceDestroy(&s));
}
END_TEST

START_TEST(spheres_of_the_tree_hold_the_patches)
{
  Surface *s = NULL;
  XRay *x = NULL;
  MustPass(TestSurfaceCreate((TestShape)_i, 0.4, &s));
  MustPass(XRayCreate(s, by_itself, &x));
  const SphereTreeView tree = xray_sphere_tree(x);
  int seen = 0;
  for (int k = 0; k < tree.n_nodes; k++) {
    const SphereNode *node = &tree.node[k];
    seen += node->n_triangles;
    for (int i = 0; i < 15 * node->n_triangles; i++) {
      const double u = 0.25 * (i % 5), v = (1.0 - u) * 0.5 * (i / 5 % 3);
      const int t = tree.triangle[node->first + i / 15];
      const Vec3 q = xray_patch_point(x, t, u, v, NULL);
      ck_assert_double_le(sphere_node_distance(node, q), 0.0);
      ck_assert_double_le(sphere_node_distance(&tree.node[0], q), 0.0);
    }
  }
  ck_assert_int_eq(seen, s->n_triangles);
  MustPass(XRayDestroy(&x));
  MustPass(SurfaceDestroy(&s));
}
END_TEST

Suite *test_suite(void)
{
  Suite *suite = suite_create("gap");
  TCase *t = tcase_create("gap");
  tcase_add_loop_test(t, the_gap_to_smooth_shapes_is_fourth_order, 0, 5);
  tcase_add_loop_test(t, no_patch_is_nearer_than_the_gap, 0, TEST_SHAPES);
  tcase_add_loop_test(t, the_gap_to_flat_shapes_is_their_distance, TEST_BOX, TEST_PLATE + 1);
  tcase_add_loop_test(t, the_gap_to_flat_shapes_is_their_distance, TEST_ANGLE, TEST_ANGLE + 1);
  tcase_add_test(t, beyond_a_rim_the_normal_points_at_the_query);
  tcase_add_loop_test(t, spheres_of_the_tree_hold_the_patches, 0, TEST_SHAPES);
  suite_add_tcase(suite, t);
  return suite;
}
