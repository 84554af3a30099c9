#include "base/pose.h"
#include "geom/primitive.h"
#include "support.h"

static const Vec3 tetra_vertex[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
static const int tetra_triangle[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};

static Surface *primitive(ShapeSpec spec)
{
  Surface *s = NULL;
  MustPass(PrimitiveCreate(&spec, &s));
  return s;
}

/* The same triangles with normals made from them, vertices moved by a pose. */
static Surface *moved(const Surface *s, Pose pose)
{
  Vec3 *vertex = NULL;
  MustPass(PetscMalloc1(s->n_vertices, &vertex));
  for (int v = 0; v < s->n_vertices; v++) vertex[v] = pose_to_world(pose, s->vertex[v]);
  Surface *copy = NULL;
  MustPass(SurfaceCreate(s->n_vertices, vertex, s->n_triangles, (const int(*)[3])s->triangle, NULL,
                         &copy));
  MustPass(PetscFree(vertex));
  return copy;
}

START_TEST(a_tetrahedron_has_the_moments_of_the_textbook)
{
  Surface *s = NULL;
  MustPass(SurfaceCreate(4, tetra_vertex, 4, tetra_triangle, NULL, &s));
  const MassProperties m = surface_mass_properties(s);
  ck_assert_double_le(fabs(m.volume - 1.0 / 6), TOL_ROUND(1));
  ck_assert_double_le(vec3_distance(m.center, vec3(0.25, 0.25, 0.25)), TOL_ROUND(1));
  for (int i = 0; i < 9; i++) {
    const double wanted = i % 4 == 0 ? 1.0 / 80 : 1.0 / 480;
    ck_assert_double_le(fabs(m.inertia.m[i / 3][i % 3] - wanted), TOL_ROUND(1));
  }
  MustPass(SurfaceDestroy(&s));
  ck_assert_ptr_null(s);
}
END_TEST

START_TEST(mass_properties_turn_with_the_surface_and_do_not_suffer_far_from_the_origin)
{
  Surface *box = primitive((ShapeSpec){.kind = SHAPE_BOX, .size = {1, 2, 3}, .spacing = 0.5});
  Random r = random_seeded(11);
  for (int k = 0; k < 20; k++) {
    const double far = k % 2 == 0 ? 1.0 : 1e6;
    const Pose pose = {
        vec3(random_in(&r, -far, far), random_in(&r, -far, far), random_in(&r, -far, far)),
        quat_unit((Quat){random_in(&r, -1, 1), random_in(&r, -1, 1), random_in(&r, -1, 1),
                         random_in(&r, -1, 1)})};
    Surface *s = moved(box, pose);
    const MassProperties m = surface_mass_properties(s);
    const Mat3 turn = quat_matrix(pose.q), exact = mat3_diagonal(6.5, 5.0, 2.5);
    const Mat3 wanted = mat3_rotate_tensor(&turn, &exact);
    const double rounding = TOL_SUM(100, 10 * far);
    ck_assert_double_le(fabs(m.volume - 6.0), rounding);
    ck_assert_double_le(vec3_distance(m.center, pose.x), rounding);
    for (int i = 0; i < 9; i++)
      ck_assert_double_le(fabs(m.inertia.m[i / 3][i % 3] - wanted.m[i / 3][i % 3]), rounding);
    MustPass(SurfaceDestroy(&s));
  }
  MustPass(SurfaceDestroy(&box));
}
END_TEST

START_TEST(made_normals_are_exact_on_a_sphere)
{
  Surface *sphere = primitive((ShapeSpec){.kind = SHAPE_SPHERE, .radius = 2, .spacing = 0.4});
  Surface *made = moved(sphere, pose_identity());
  for (int c = 0; c < 3 * made->n_triangles; c++)
    ck_assert_double_le(vec3_distance(made->normal[c / 3][c % 3], sphere->normal[c / 3][c % 3]),
                        TOL_ROUND(8));
  MustPass(SurfaceDestroy(&sphere));
  MustPass(SurfaceDestroy(&made));
}
END_TEST

START_TEST(made_normals_split_at_the_edges_of_a_box)
{
  Surface *box = primitive((ShapeSpec){.kind = SHAPE_BOX, .size = {1, 2, 3}, .spacing = NAN});
  Surface *made = moved(box, pose_identity());
  for (int c = 0; c < 3 * made->n_triangles; c++)
    ck_assert_double_le(vec3_distance(made->normal[c / 3][c % 3], box->normal[c / 3][c % 3]),
                        TOL_ROUND(1));
  MustPass(SurfaceDestroy(&box));
  MustPass(SurfaceDestroy(&made));
}
END_TEST

START_TEST(made_normals_of_a_cylinder_are_smooth_around_and_split_at_the_rim)
{
  Surface *tube = primitive((ShapeSpec){
      .kind = SHAPE_CYLINDER, .radius = 1, .length = 2, .axis = {0, 0, 1}, .spacing = 0.2});
  Surface *made = moved(tube, pose_identity());
  for (int c = 0; c < 3 * made->n_triangles; c++) {
    const Vec3 exact = tube->normal[c / 3][c % 3], got = made->normal[c / 3][c % 3];
    if (fabs(exact.z) > 0.5)
      ck_assert_double_le(vec3_distance(exact, got), TOL_ROUND(1));
    else
      ck_assert_double_le(fabs(got.z), 0.05);
    ck_assert_double_ge(vec3_dot(exact, got), cos(0.1));
  }
  MustPass(SurfaceDestroy(&tube));
  MustPass(SurfaceDestroy(&made));
}
END_TEST

START_TEST(given_normals_are_kept)
{
  Vec3 normal[4][3];
  for (int c = 0; c < 12; c++) normal[c / 3][c % 3] = vec3(c, 1, 2);
  Surface *s = NULL;
  MustPass(SurfaceCreate(4, tetra_vertex, 4, tetra_triangle, (const Vec3(*)[3])normal, &s));
  ck_assert(s->normal[3][2].x == 11 && s->box.hi.z == 1 && s->box.lo.x == 0);
  MustPass(SurfaceDestroy(&s));
}
END_TEST

START_TEST(a_vertex_number_out_of_range_is_a_bug_of_the_caller)
{
  const int wrong[1][3] = {{0, 1, 4}};
  Surface *s = NULL;
  MustFail(PETSC_ERR_ARG_OUTOFRANGE, SurfaceCreate(4, tetra_vertex, 1, wrong, NULL, &s));
  ck_assert_ptr_null(s);
}
END_TEST

Suite *test_suite(void)
{
  Suite *suite = suite_create("geom/surface");
  TCase *tests = tcase_create("core");

  tcase_add_test(tests, a_tetrahedron_has_the_moments_of_the_textbook);
  tcase_add_test(tests,
                 mass_properties_turn_with_the_surface_and_do_not_suffer_far_from_the_origin);
  tcase_add_test(tests, made_normals_are_exact_on_a_sphere);
  tcase_add_test(tests, made_normals_split_at_the_edges_of_a_box);
  tcase_add_test(tests, made_normals_of_a_cylinder_are_smooth_around_and_split_at_the_rim);
  tcase_add_test(tests, given_normals_are_kept);
  tcase_add_test(tests, a_vertex_number_out_of_range_is_a_bug_of_the_caller);
  suite_add_tcase(suite, tests);
  return suite;
}
