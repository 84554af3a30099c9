#include "geom/primitive.h"
#include "geom/surface_check.h"
#include "geom/xray.h"
#include "shapes.h"

#include <stdlib.h>

enum { MOST_SOLIDS = 4, MOST_SIDES = 800 };

/* Convex solids and the surface of them together. */
typedef struct {
  int n;
  Surface *solid[MOST_SOLIDS];
  Surface *united;
  SurfaceReport report;
} Scene;

static void scene_add(Scene *scene, ShapeSpec spec, Pose pose)
{
  MustPass(PrimitiveCreate(&spec, &scene->solid[scene->n]));
  surface_move(scene->solid[scene->n++], pose);
}

static void add_box(Scene *scene, Vec3 size, Pose pose)
{
  scene_add(scene, (ShapeSpec){.kind = SHAPE_BOX, .size = size, .spacing = NAN}, pose);
}

static void add_ball(Scene *scene, double radius, double spacing, Pose pose)
{
  scene_add(scene, (ShapeSpec){.kind = SHAPE_SPHERE, .radius = radius, .spacing = spacing}, pose);
}

static Pose shifted(double x, double y, double z)
{
  return (Pose){vec3(x, y, z), (Quat){1, 0, 0, 0}};
}

/* All triangles, as a file would give them, through the check. */
static void scene_unite(Scene *scene)
{
  int n = 0;
  for (int k = 0; k < scene->n; k++) n += scene->solid[k]->n_triangles;
  Triangles raw = {0};
  MustPass(TrianglesCreate(3 * n, n, &raw));
  int c = 0;
  for (int k = 0; k < scene->n; k++) {
    const Surface *s = scene->solid[k];
    for (int i = 0; i < 3 * s->n_triangles; i++, c++) {
      raw.vertex[c] = s->vertex[s->triangle[i / 3][i % 3]];
      raw.triangle[c / 3][c % 3] = c;
    }
  }
  MustPass(SurfaceCheck(&raw, NAN, &scene->report, &scene->united));
  MustPass(TrianglesDestroy(&raw));
}

static void scene_destroy(Scene *scene)
{
  for (int k = 0; k < scene->n; k++) MustPass(SurfaceDestroy(&scene->solid[k]));
  MustPass(SurfaceDestroy(&scene->united));
}

/* A convex polyhedron as polygons, for cutting by planes: the plain way to an intersection. */
typedef struct {
  int n;
  Vec3 p[64];
} Side;

typedef struct {
  int n;
  Side *side; /* owned, MOST_SIDES */
} Convex;

static Convex convex_from(const Surface *s)
{
  Convex c = {s->n_triangles, calloc(MOST_SIDES, sizeof(Side))};
  ck_assert_int_le(s->n_triangles, MOST_SIDES);
  for (int t = 0; t < s->n_triangles; t++) {
    c.side[t].n = 3;
    for (int k = 0; k < 3; k++) c.side[t].p[k] = s->vertex[s->triangle[t][k]];
  }
  return c;
}

typedef struct {
  double angle;
  Vec3 p;
} CapPoint;

static int compare_cap(const void *a, const void *b)
{
  const CapPoint *p = a, *q = b;
  return (p->angle > q->angle) - (p->angle < q->angle);
}

/* The new side where a plane has cut, counter-clockwise seen along its normal. */
static void add_cap(Convex *c, Vec3 normal, int n, CapPoint cap[])
{
  if (n < 3) return;
  Vec3 middle = {0, 0, 0};
  for (int i = 0; i < n; i++) middle = vec3_axpy(middle, 1.0 / n, cap[i].p);
  const Vec3 u = vec3_normal_to(normal), v = vec3_cross(normal, u);
  for (int i = 0; i < n; i++) {
    const Vec3 r = vec3_sub(cap[i].p, middle);
    cap[i].angle = atan2(vec3_dot(r, v), vec3_dot(r, u));
  }
  qsort(cap, (size_t)n, sizeof *cap, compare_cap);
  Side *side = &c->side[c->n++];
  ck_assert_int_le(c->n, MOST_SIDES);
  ck_assert_int_le(n, 64);
  side->n = n;
  for (int i = 0; i < n; i++) side->p[i] = cap[i].p;
}

/* Keep what is below the plane through a. */
static void convex_cut(Convex *c, Vec3 normal, Vec3 a)
{
  CapPoint cap[200];
  int n_cap = 0, kept = 0;
  for (int s = 0; s < c->n; s++) {
    const Side old = c->side[s];
    Side new = {.n = 0};
    for (int i = 0; i < old.n; i++) {
      const Vec3 p = old.p[i], q = old.p[(i + 1) % old.n];
      const double hp = vec3_dot(normal, vec3_sub(p, a)), hq = vec3_dot(normal, vec3_sub(q, a));
      if (hp <= 1e-14) new.p[new.n++] = p;
      if ((hp <= 1e-14) == (hq <= 1e-14)) continue;
      const Vec3 x = vec3_axpy(p, hp / (hp - hq), vec3_sub(q, p));
      new.p[new.n++] = x;
      cap[n_cap++].p = x;
    }
    if (new.n > 2) c->side[kept++] = new;
  }
  c->n = kept;
  add_cap(c, normal, n_cap, cap);
}

static void convex_intersect(Convex *c, const Surface *s)
{
  for (int t = 0; t < s->n_triangles; t++) {
    const Vec3 a = s->vertex[s->triangle[t][0]], b = s->vertex[s->triangle[t][1]];
    const Vec3 d = s->vertex[s->triangle[t][2]];
    convex_cut(c, vec3_unit(vec3_cross(vec3_sub(b, a), vec3_sub(d, a))), a);
  }
}

/* Volume, first and second moments about the origin. */
typedef struct {
  double m[10];
} Moments;

static void add_moments(Moments *sum, double sign, Vec3 a, Vec3 b, Vec3 c)
{
  const double v = sign * vec3_dot(a, vec3_cross(b, c)) / 6.0;
  const Vec3 s = vec3_add(a, vec3_add(b, c));
  sum->m[0] += v;
  for (int i = 0, at = 4; i < 3; i++) {
    sum->m[1 + i] += v * vec3_at(s, i) / 4.0;
    for (int j = i; j < 3; j++, at++)
      sum->m[at] += v / 20.0 *
                    (vec3_at(a, i) * vec3_at(a, j) + vec3_at(b, i) * vec3_at(b, j) +
                     vec3_at(c, i) * vec3_at(c, j) + vec3_at(s, i) * vec3_at(s, j));
  }
}

/* Inclusion and exclusion: every set of solids, its intersection with alternating sign. */
static Moments expected_moments(const Scene *scene)
{
  Moments sum = {{0}};
  for (int set = 1; set < 1 << scene->n; set++) {
    int first = 0, count = 0;
    while (!(set >> first & 1)) first++;
    Convex c = convex_from(scene->solid[first]);
    for (int k = first; k < scene->n; k++) {
      if (!(set >> k & 1)) continue;
      count++;
      if (k > first) convex_intersect(&c, scene->solid[k]);
    }
    for (int s = 0; s < c.n; s++)
      for (int i = 1; i + 1 < c.side[s].n; i++)
        add_moments(&sum, count % 2 ? 1.0 : -1.0, c.side[s].p[0], c.side[s].p[i],
                    c.side[s].p[i + 1]);
    free(c.side);
  }
  return sum;
}

static Moments united_moments(const Surface *s)
{
  const MassProperties mass = surface_mass_properties(s);
  const double v = mass.volume, (*i)[3] = mass.inertia.m;
  const Vec3 c = mass.center;
  return (Moments){{v, v * c.x, v * c.y, v * c.z,
                    0.5 * (i[1][1] + i[2][2] - i[0][0]) + v * c.x * c.x, v * c.x * c.y - i[0][1],
                    v * c.x * c.z - i[0][2], 0.5 * (i[0][0] + i[2][2] - i[1][1]) + v * c.y * c.y,
                    v * c.y * c.z - i[1][2], 0.5 * (i[0][0] + i[1][1] - i[2][2]) + v * c.z * c.z}};
}

/* Rounding of a few hundred terms of size one. */
static const double tol_moments = 1e-13;

static void want_moments(const Scene *scene, const char *what, int k)
{
  ck_assert(surface_report_is_sound(&scene->report));
  ck_assert_msg(surface_report_has_mass(&scene->report), "%s %d", what, k);
  const Moments want = expected_moments(scene), got = united_moments(scene->united);
  for (int i = 0; i < 10; i++)
    ck_assert_msg(fabs(got.m[i] - want.m[i]) <= tol_moments, "%s %d: moment %d is %.17g, not %.17g",
                  what, k, i, got.m[i], want.m[i]);
}

START_TEST(boxes_that_overlap_have_the_moments_of_their_union)
{
  /* Some of these share planes, edges and corners. */
  const Vec3 offsets[] = {{0.5, 0.5, 0.5},    {0.1, 0.2, 0.3}, {0.5, 0, 0.25}, {0.9, 0.9, 0.9},
                          {0.5, 0, 0},        {0, 0, 0.25},    {0, -0.5, 0},   {-0.3, 0, 0},
                          {-0.5, -0.5, -0.5}, {0.25, 0.25, 0}};
  for (int k = 0; k < 10; k++) {
    Scene scene = {0};
    add_box(&scene, vec3(1, 1, 1), shifted(0, 0, 0));
    add_box(&scene, vec3(1, 1, 1), shifted(offsets[k].x, offsets[k].y, offsets[k].z));
    scene_unite(&scene);
    want_moments(&scene, "offset", k);
    scene_destroy(&scene);
  }
}
END_TEST

START_TEST(a_post_through_a_plate_and_a_lid_flush_with_its_box_are_trimmed)
{
  Scene scene = {0};
  add_box(&scene, vec3(2, 2, 0.1), shifted(0, 0, 0));
  add_box(&scene, vec3(0.3, 0.3, 1), shifted(0.2, 0.1, 0));
  scene_unite(&scene);
  want_moments(&scene, "post", 0);
  scene_destroy(&scene);

  scene = (Scene){0};
  add_box(&scene, vec3(1, 1, 1), shifted(0, 0, 0));
  add_box(&scene, vec3(1, 1, 0.5), shifted(0, 0, 0.5));
  scene_unite(&scene);
  want_moments(&scene, "lid", 0);
  scene_destroy(&scene);
}
END_TEST

START_TEST(boxes_and_balls_in_random_poses_have_the_moments_of_their_union)
{
  Random r = random_seeded(41);
  int n_trimmed = 0;
  for (int k = 0; k < 150; k++) {
    Scene scene = {0};
    const int n = 2 + k % 3;
    for (int i = 0; i < n; i++) {
      const Pose pose = {random_point(&r, 0.4), random_attitude(&r)};
      if ((k + i) % 3 == 0)
        add_ball(&scene, random_in(&r, 0.3, 0.6), 0.4, pose);
      else
        add_box(&scene, vec3(random_in(&r, 0.2, 1), random_in(&r, 0.2, 1), random_in(&r, 0.1, 1)),
                pose);
    }
    scene_unite(&scene);
    want_moments(&scene, "random", k);
    n_trimmed += scene.report.trimmed;
    scene_destroy(&scene);
  }
  ck_assert_int_ge(n_trimmed, 120);
}
END_TEST

/* Turned by the same small angle, faces are nearly in one plane and edges nearly parallel. */
START_TEST(faces_that_nearly_coincide_are_trimmed_too)
{
  for (int k = 0; k < 60; k++) {
    const double tiny = pow(10.0, -2.0 - k % 15);
    Scene scene = {0};
    const Quat turn = quat_from_axis(vec3(0.3, k % 2, 0.5), tiny);
    add_box(&scene, vec3(1, 1, 1), shifted(0, 0, 0));
    add_box(&scene, vec3(1, 1, 1), (Pose){vec3(0.4, k % 3 == 0 ? 0.3 : 0, tiny), turn});
    scene_unite(&scene);
    ck_assert_msg(surface_report_has_mass(&scene.report), "tiny %g", tiny);
    const double want = k % 3 == 0 ? 2 - 0.6 * 0.7 : 1.4;
    ck_assert_double_le(fabs(surface_mass_properties(scene.united).volume - want), 8 * tiny + 1e-9);
    scene_destroy(&scene);
  }
}
END_TEST

/* Is p inside one of the solids, deeper than a hair? */
static bool is_buried(const Scene *scene, Vec3 p)
{
  for (int k = 0; k < scene->n; k++)
    if (brute_winding(scene->solid[k], p) != 0 && brute_distance(scene->solid[k], p) > 1e-9)
      return true;
  return false;
}

/* Outside, the distance is that to the nearest solid; inside, nothing buried is ever found. */
static void want_distances(const Scene *scene, Random *r)
{
  XRay *x = NULL;
  MustPass(XRayCreate(scene->united, (XRaySpec){NAN, NAN}, &x));
  for (int i = 0; i < 400; i++) {
    const Vec3 p = random_point(r, i % 2 ? 0.5 : 1.0);
    const SurfaceHit hit = xray_distance(x, p, INFINITY);
    double outside = INFINITY;
    bool inside = false;
    for (int k = 0; k < scene->n; k++) {
      inside = inside || brute_winding(scene->solid[k], p) != 0;
      outside = fmin(outside, brute_distance(scene->solid[k], p));
    }
    ck_assert(hit.found);
    if (outside > 1e-9) ck_assert(inside == (hit.distance < 0.0));
    if (!inside) ck_assert_double_le(fabs(hit.distance - outside), 1e-10);
    ck_assert(!is_buried(scene, hit.point));
    ck_assert_double_le(vec3_distance(vec3_axpy(hit.point, hit.distance, hit.normal), p), 1e-9);
    int k = (int)(random_unit(r) * scene->n), t;
    const Vec3 q = random_surface_point(r, scene->solid[k], &t);
    if (!is_buried(scene, q)) ck_assert_double_le(fabs(hit.distance), vec3_distance(p, q) + 1e-9);
  }
  MustPass(XRayDestroy(&x));
}

START_TEST(distances_are_those_to_what_can_be_seen)
{
  Random r = random_seeded(42);
  for (int k = 0; k < 12; k++) {
    Scene scene = {0};
    const Pose still = {random_point(&r, 0.1), random_attitude(&r)};
    add_box(&scene, vec3(1, 0.6, 0.8), k < 3 ? shifted(0, 0, 0) : still);
    if (k % 2)
      add_ball(&scene, 0.45, 0.2, (Pose){random_point(&r, 0.3), random_attitude(&r)});
    else
      add_box(&scene, vec3(0.4, 0.4, 0.7),
              k < 3 ? shifted(0.4, 0.1, 0.1 * k)
                    : (Pose){random_point(&r, 0.4), random_attitude(&r)});
    scene_unite(&scene);
    want_distances(&scene, &r);
    scene_destroy(&scene);
  }
}
END_TEST

START_TEST(a_cavity_that_another_solid_reaches_into_is_kept_where_it_is_open)
{
  /* A cube with a cubic hollow, and a bar through the wall that ends in the hollow. */
  Scene scene = {0};
  add_box(&scene, vec3(2, 2, 2), shifted(0, 0, 0));
  add_box(&scene, vec3(1, 1, 1), shifted(0, 0, 0));
  add_box(&scene, vec3(1.5, 0.2, 0.2), shifted(0.95, 0.03, 0.01));
  Surface *hollow = scene.solid[1];
  for (int t = 0; t < hollow->n_triangles; t++) {
    const int second = hollow->triangle[t][1];
    hollow->triangle[t][1] = hollow->triangle[t][2];
    hollow->triangle[t][2] = second;
  }
  scene_unite(&scene);
  ck_assert(scene.report.trimmed);
  ck_assert_int_eq(scene.report.n_cavities, 1);
  const double want = 8 - 1 + 0.04 * 0.3 + 0.04 * 0.7;
  ck_assert_double_le(fabs(surface_mass_properties(scene.united).volume - want), 1e-13);
  scene_destroy(&scene);
}
END_TEST

START_TEST(balls_keep_their_smooth_normals_where_they_are_cut)
{
  Scene scene = {0};
  add_ball(&scene, 0.7, 0.1, shifted(0, 0, 0));
  add_ball(&scene, 0.5, 0.1, shifted(0.5, 0.1, 0.2));
  scene_unite(&scene);
  const Surface *s = scene.united;
  double worst = 0.0;
  for (int i = 0; i < 3 * s->n_triangles; i++) {
    const Vec3 p = s->vertex[s->triangle[i / 3][i % 3]];
    const Vec3 a = vec3_unit(p), b = vec3_unit(vec3_sub(p, vec3(0.5, 0.1, 0.2)));
    const Vec3 n = s->normal[i / 3][i % 3];
    worst = fmax(worst, fmin(vec3_distance(a, n), vec3_distance(b, n)));
  }
  /* The normals of the whole balls are Max's, exact at vertices, and the interpolation of second
   * order between them. */
  ck_assert_double_le(worst, 0.01);
  scene_destroy(&scene);
}
END_TEST

Suite *test_suite(void)
{
  Suite *suite = suite_create("geom/trim");
  TCase *tests = tcase_create("core");
  tcase_add_test(tests, boxes_that_overlap_have_the_moments_of_their_union);
  tcase_add_test(tests, a_post_through_a_plate_and_a_lid_flush_with_its_box_are_trimmed);
  tcase_add_test(tests, boxes_and_balls_in_random_poses_have_the_moments_of_their_union);
  tcase_add_test(tests, faces_that_nearly_coincide_are_trimmed_too);
  tcase_add_test(tests, distances_are_those_to_what_can_be_seen);
  tcase_add_test(tests, a_cavity_that_another_solid_reaches_into_is_kept_where_it_is_open);
  tcase_add_test(tests, balls_keep_their_smooth_normals_where_they_are_cut);
  suite_add_tcase(suite, tests);
  return suite;
}
