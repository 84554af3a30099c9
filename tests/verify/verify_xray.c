/*
 * The long version of the x-ray tests: more than a million inside tests against solid angles and
 * more than 1e5 signed distances against every triangle, on shapes that are concave, thin,
 * hollow, overlapping and sharp, in random attitudes; thousands of random closed surfaces.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "geom/xray.h"
#include "shapes.h"

#define INSIDE_POINTS 25000
#define DISTANCE_POINTS 2500
#define TURNS 4

static const XRaySpec by_itself = {NAN, NAN};

/* A third anywhere, the rest at distances from the surface spread over eleven decades. */
static Vec3 query_point(Random *r, const Surface *s)
{
  if (random_unit(r) < 0.33) return vec3_add(box_center(s->box), random_point(r, 1.3));
  int t;
  const Vec3 on = random_surface_point(r, s, &t);
  const Vec3 v = s->vertex[s->triangle[t][0]];
  if (random_unit(r) < 0.05) return vec3(v.x, v.y, random_in(r, s->box.lo.z, s->box.hi.z));
  return vec3_add(on, random_point(r, pow(10.0, random_in(r, -11.0, -0.5))));
}

START_TEST(no_inside_test_is_wrong)
{
  Random r = random_seeded(100 + (uint64_t)_i);
  Surface *s = NULL;
  MustPass(TestSurfaceCreate((TestShape)_i, 0.2, &s));
  int wrong = 0;
  for (int turn = 0; turn < TURNS; turn++) {
    XRay *x = NULL;
    MustPass(XRayCreate(s, (XRaySpec){turn % 2 == 0 ? NAN : 0.0625, NAN}, &x));
    for (int k = 0; k < INSIDE_POINTS; k++) {
      const Vec3 p = query_point(&r, s);
      if (xray_contains(x, p) == (brute_winding(s, p) != 0)) continue;
      wrong += brute_distance(s, p) > 2e-12;
    }
    MustPass(XRayDestroy(&x));
    surface_move(s, (Pose){random_point(&r, 1.0), random_attitude(&r)});
  }
  ck_assert_msg(wrong == 0, "%s: %d wrong", test_shape_name[_i], wrong);
  MustPass(SurfaceDestroy(&s));
}
END_TEST

START_TEST(signed_distances_are_exact)
{
  Random r = random_seeded(200 + (uint64_t)_i);
  Surface *s = NULL;
  MustPass(TestSurfaceCreate((TestShape)_i, 0.2, &s));
  double worst = 0.0;
  for (int turn = 0; turn < TURNS; turn++) {
    XRay *x = NULL;
    MustPass(XRayCreate(s, by_itself, &x));
    for (int k = 0; k < DISTANCE_POINTS; k++) {
      const Vec3 p = query_point(&r, s);
      const double d = brute_distance(s, p);
      const double exact = brute_winding(s, p) != 0 ? -d : d;
      const SurfaceHit hit = xray_distance(x, p, INFINITY);
      if (d > 2e-12) worst = fmax(worst, fabs(hit.distance - exact));
    }
    MustPass(XRayDestroy(&x));
    surface_move(s, (Pose){random_point(&r, 1.0), random_attitude(&r)});
  }
  ck_assert_msg(worst < 1e-10, "%s: %g", test_shape_name[_i], worst);
  MustPass(SurfaceDestroy(&s));
}
END_TEST

START_TEST(rays_balance_on_thousands_of_random_surfaces)
{
  Random r = random_seeded(300);
  for (int k = 0; k < 4000; k++) {
    Surface *s = NULL;
    XRay *x = NULL;
    MustPass(RandomSurfaceCreate(&r, k % 3 == 0 ? 1.0 : 0.2, &s));
    MustPass(XRayCreate(s, (XRaySpec){k % 2 == 0 ? 0.125 : random_in(&r, 0.03, 0.3), NAN}, &x));
    for (int q = 0; q < 40; q++) {
      const Vec3 p = query_point(&r, s);
      const bool same = xray_contains(x, p) == (brute_winding(s, p) != 0);
      ck_assert(same || brute_distance(s, p) < 2e-12);
    }
    MustPass(XRayDestroy(&x));
    MustPass(SurfaceDestroy(&s));
  }
}
END_TEST

Suite *test_suite(void)
{
  Suite *suite = suite_create("xray, long");
  TCase *t = tcase_create("xray");
  tcase_add_loop_test(t, no_inside_test_is_wrong, 0, TEST_SHAPES);
  tcase_add_loop_test(t, signed_distances_are_exact, 0, TEST_SHAPES);
  tcase_add_test(t, rays_balance_on_thousands_of_random_surfaces);
  suite_add_tcase(suite, t);
  return suite;
}
