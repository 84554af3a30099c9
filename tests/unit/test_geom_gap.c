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

typedef struct {
  double distance, normal;
} GapError;

/* Largest errors over points near the smooth part of a shape, within the band |z| < top. */
static GapError gap_error(TestShape shape, double h, double top, ExactShape exact, double *estimate)
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
    if (fabs(p.z) > top) continue;
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
  double top;
  ExactShape exact;
} smooth[] = {{TEST_SPHERE, 2.0, exact_sphere},
              {TEST_CYLINDER, 0.6, exact_side},
              {TEST_CAPSULE, 2.0, exact_capsule},
              {TEST_TORUS, 2.0, exact_torus}};

START_TEST(the_gap_to_smooth_shapes_is_fourth_order)
{
  double coarse_estimate, fine_estimate;
  const GapError coarse =
      gap_error(smooth[_i].shape, 0.1, smooth[_i].top, smooth[_i].exact, &coarse_estimate);
  const GapError fine =
      gap_error(smooth[_i].shape, 0.05, smooth[_i].top, smooth[_i].exact, &fine_estimate);
  printf("%s: %g %g  %g %g  est %g %g\n", test_shape_name[smooth[_i].shape], coarse.distance,
         fine.distance, coarse.normal, fine.normal, coarse_estimate, fine_estimate);
}
END_TEST

Suite *test_suite(void)
{
  Suite *suite = suite_create("gap");
  TCase *t = tcase_create("gap");
  tcase_add_loop_test(t, the_gap_to_smooth_shapes_is_fourth_order, 0, 4);
  suite_add_tcase(suite, t);
  return suite;
}
