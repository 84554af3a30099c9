#include "geom/primitive.h"
#include "geom/xray.h"
#include "grid/extrude.h"
#include "shapes.h"
#include "walls.h"

#include <stdlib.h>
#include <string.h>

static Extrusion *extrude(const WallMesh *wall, int layers, double first, double growth)
{
  Extrusion *e = NULL;
  MustPass(ExtrusionCreate(wall, (ExtrusionSpec){layers, first, growth, NULL}, &e));
  return e;
}

/* The faces of a cell with n corners below, outward; those of CGNS prisms and hexahedra. */
static int cell_face(int n, const int cell[], int f, int face[4])
{
  face[3] = -1;
  if (f < n) {
    const int next = (f + 1) % n;
    const int side[4] = {cell[f], cell[next], cell[n + next], cell[n + f]};
    memcpy(face, side, sizeof side);
    return 4;
  }
  for (int k = 0; k < n; k++) face[k] = f == n ? cell[n - 1 - k] : cell[n + k];
  return n;
}

static const int *cell_of(const Extrusion *e, int c, int *n)
{
  *n = c < e->n_prisms ? 3 : 4;
  return c < e->n_prisms ? e->prism[c] : e->hexahedron[c - e->n_prisms];
}

static int n_cells(const Extrusion *e)
{
  return e->n_prisms + e->n_hexahedra;
}

/* Area and volume of a cell from its faces, each cut around its middle. */
static double cell_volume(const Extrusion *e, int c, Vec3 *area, double *all)
{
  int n = 0;
  const int *cell = cell_of(e, c, &n);
  double volume = 0.0;
  *area = vec3(0, 0, 0);
  *all = 0.0;
  for (int f = 0; f < n + 2; f++) {
    int face[4];
    const int m = cell_face(n, cell, f, face);
    Vec3 middle = {0, 0, 0};
    for (int k = 0; k < m; k++) middle = vec3_axpy(middle, 1.0 / m, e->vertex[face[k]]);
    for (int k = 0; k < m; k++) {
      const Vec3 a = vec3_sub(e->vertex[face[k]], middle);
      const Vec3 b = vec3_sub(e->vertex[face[(k + 1) % m]], middle);
      const Vec3 s = vec3_scale(0.5, vec3_cross(a, b));
      *area = vec3_add(*area, s);
      *all += vec3_norm(s);
      volume += vec3_dot(vec3_sub(middle, e->vertex[cell[0]]), s) / 3.0;
    }
  }
  return volume;
}

static void check_cells(const Extrusion *e)
{
  double sum = 0.0;
  for (int c = 0; c < n_cells(e); c++) {
    Vec3 area;
    double all;
    const double volume = cell_volume(e, c, &area, &all);
    ck_assert_double_gt(volume, 0.0);
    ck_assert_double_le(vec3_norm(area), TOL_SUM(24, all));
    sum += volume;
  }
  ck_assert_double_gt(e->quality.smallest_volume.value, 0.0);
  ck_assert_double_lt(e->quality.worst_skewness.value, 1.0);
  /* Volumes of warped faces depend a little on how they are cut, but the sides cancel. */
  ck_assert_double_le(fabs(sum - e->quality.volume), 1e-3 * sum);
}

START_TEST(cells_of_the_seven_bodies_have_volume_and_close_for_random_layers)
{
  Random random = random_seeded(20 + _i);
  WallMesh *wall = WallOf(&wall_bodies[_i]);
  for (int k = 0; k < (_i < WALL_DART ? 6 : 2); k++) {
    const int layers = 1 + (int)(20 * random_unit(&random));
    const double first = 0.1 * pow(10.0, random_in(&random, -3, 0));
    Extrusion *e = extrude(wall, layers, first, random_in(&random, 0.9, 1.4));
    check_cells(e);
    MustPass(ExtrusionDestroy(&e));
  }
  MustPass(WallMeshDestroy(&wall));
}
END_TEST

typedef struct {
  int key[4];
  int way;
} Side;

static int compare_sides(const void *a, const void *b)
{
  return memcmp(((const Side *)a)->key, ((const Side *)b)->key, sizeof((Side *)0)->key);
}

/* A face by its sorted corners, and which way round it runs. */
static Side side_of(int m, const int face[4])
{
  Side side = {{-1, -1, -1, -1}, 0};
  int low = 0;
  for (int k = 1; k < m; k++)
    if (face[k] < face[low]) low = k;
  side.way = face[(low + 1) % m] < face[(low + m - 1) % m] ? 1 : -1;
  for (int k = 0; k < m; k++) {
    int j = k;
    for (; j > 0 && side.key[j - 1] > face[k]; j--) side.key[j] = side.key[j - 1];
    side.key[j] = face[k];
  }
  return side;
}

static void check_conforming(const Extrusion *e)
{
  const size_t most = 6 * (size_t)n_cells(e) + 2 * (size_t)e->n_faces;
  Side *side = malloc(most * sizeof *side);
  size_t n = 0;
  for (int c = 0; c < n_cells(e); c++) {
    int m = 0, face[4];
    const int *cell = cell_of(e, c, &m);
    for (int f = 0; f < m + 2; f++) {
      const int corners = cell_face(m, cell, f, face);
      side[n++] = side_of(corners, face);
    }
  }
  /* Seen from outside, boundary faces run the other way. */
  for (int f = 0; f < 2 * e->n_faces; f++) {
    const int *face = f < e->n_faces ? e->body[f] : e->outer[f - e->n_faces];
    side[n] = side_of(face_corners(face), face);
    side[n++].way *= -1;
  }
  qsort(side, n, sizeof *side, compare_sides);
  ck_assert_uint_eq(n % 2, 0);
  for (size_t k = 0; k < n; k += 2) {
    ck_assert_int_eq(compare_sides(&side[k], &side[k + 1]), 0);
    ck_assert_int_eq(side[k].way + side[k + 1].way, 0);
    ck_assert(k == 0 || compare_sides(&side[k - 1], &side[k]) != 0);
  }
  free(side);
}

START_TEST(every_face_belongs_to_two_cells_or_to_one_and_a_boundary)
{
  WallMesh *wall = WallOf(&wall_bodies[_i]);
  Extrusion *e = extrude(wall, 5, 0.01, 1.2);
  check_conforming(e);
  MustPass(ExtrusionDestroy(&e));
  MustPass(WallMeshDestroy(&wall));
}
END_TEST

/* Faces of one end of the columns as a surface; the outer ones point out of the body. */
static Surface *boundary_surface(const Extrusion *e, const int (*face)[4], bool reversed)
{
  int n = 0, (*t)[3] = malloc(2 * (size_t)e->n_faces * sizeof *t);
  const int first = reversed ? 0 : e->n_layers * e->n_wall_vertices;
  for (int f = 0; f < e->n_faces; f++) {
    const int m = face_corners(face[f]);
    int low = 0;
    for (int k = 1; k < m; k++)
      if (face[f][k] < face[f][low]) low = k;
    for (int half = 1; half + 1 < m; half++, n++) {
      const int corner[3] = {low, (low + half) % m, (low + half + 1) % m};
      for (int k = 0; k < 3; k++) t[n][reversed ? 2 - k : k] = face[f][corner[k]] - first;
    }
  }
  Surface *s = NULL;
  MustPass(SurfaceCreate(e->n_wall_vertices, e->vertex + first, n, (const int(*)[3])t, NULL, &s));
  free(t);
  return s;
}

static double tetra6(Vec3 a, Vec3 b, Vec3 c, Vec3 d)
{
  return vec3_dot(vec3_cross(vec3_sub(b, a), vec3_sub(c, a)), vec3_sub(d, a));
}

/* Is p in the cell, whose faces are cut into fans around their lowest vertices? By the winding of
 * its triangles. */
static bool cell_contains(const Extrusion *e, int c, Vec3 p)
{
  int n = 0;
  const int *cell = cell_of(e, c, &n);
  Box box = box_empty();
  for (int k = 0; k < 2 * n; k++) box = box_add_point(box, e->vertex[cell[k]]);
  if (!box_contains(box, p)) return false;
  double angle = 0.0;
  for (int f = 0; f < n + 2; f++) {
    int face[4], low = 0;
    const int m = cell_face(n, cell, f, face);
    for (int k = 1; k < m; k++)
      if (face[k] < face[low]) low = k;
    for (int k = 1; k + 1 < m; k++) {
      const Vec3 a = vec3_sub(e->vertex[face[low]], p);
      const Vec3 b = vec3_sub(e->vertex[face[(low + k) % m]], p);
      const Vec3 q = vec3_sub(e->vertex[face[(low + k + 1) % m]], p);
      const double la = vec3_norm(a), lb = vec3_norm(b), lq = vec3_norm(q);
      angle += 2.0 *
               atan2(tetra6(vec3(0, 0, 0), a, b, q), la * lb * lq + vec3_dot(a, b) * lq +
                                                         vec3_dot(b, q) * la + vec3_dot(q, a) * lb);
    }
  }
  return angle > 2.0 * M_PI;
}

/* At random points: as many cells as the windings of outer and inner boundary say, 0 or 1. */
static void check_no_overlap(const Extrusion *e, Random *random, int n_points)
{
  Surface *body = boundary_surface(e, (const int(*)[4])e->body, true);
  Surface *outer = boundary_surface(e, (const int(*)[4])e->outer, false);
  XRay *xray = NULL;
  MustPass(XRayCreate(outer, (XRaySpec){NAN, NAN}, &xray));
  for (int k = 0; k < n_points; k++) {
    const Vec3 size = box_size(outer->box);
    const Vec3 p =
        vec3_add(outer->box.lo, vec3(size.x * random_unit(random), size.y * random_unit(random),
                                     size.z * random_unit(random)));
    const int around = brute_winding(outer, p), in = brute_winding(body, p);
    ck_assert(around == 0 || around == 1);
    ck_assert_int_eq(xray_contains(xray, p), around);
    int n = 0;
    for (int c = 0; c < n_cells(e); c++) n += cell_contains(e, c, p);
    ck_assert_msg(n == around - in, "%d cells at (%g, %g, %g), wanted %d", n, p.x, p.y, p.z,
                  around - in);
  }
  for (int v = 0; v < body->n_vertices; v += 1 + body->n_vertices / 50)
    ck_assert(xray_contains(xray, body->vertex[v]));
  MustPass(XRayDestroy(&xray));
  MustPass(SurfaceDestroy(&body));
  MustPass(SurfaceDestroy(&outer));
}

START_TEST(cells_fill_the_room_between_the_boundaries_once)
{
  Random random = random_seeded(40 + _i);
  WallMesh *wall = WallOf(&wall_bodies[_i]);
  Extrusion *e = extrude(wall, 8, 0.02, 1.3);
  check_no_overlap(e, &random, 60);
  MustPass(ExtrusionDestroy(&e));
  MustPass(WallMeshDestroy(&wall));
}
END_TEST

START_TEST(layers_of_other_shapes_are_sound_or_refused_by_name_of_the_place)
{
  Random random = random_seeded(60 + _i);
  Surface *s = NULL;
  WallMesh *wall = NULL;
  Extrusion *e = NULL;
  MustPass(TestSurfaceCreate((TestShape)_i, 0.2, &s));
  MustPass(WallMeshFromSurface(s, 0.25, &wall));
  PetscPushErrorHandler(PetscReturnErrorHandler, NULL);
  LEAKS_IGNORED(1);
  const PetscErrorCode code = ExtrusionCreate(wall, (ExtrusionSpec){10, 0.01, 1.2, NULL}, &e);
  LEAKS_IGNORED(0);
  PetscPopErrorHandler();
  if (_i == TEST_OVERLAP) {
    ck_assert_int_eq(code, CAROM_ERR_MESH);
  } else {
    ck_assert_int_eq(code, PETSC_SUCCESS);
    check_cells(e);
    if (_i != TEST_CAVITY) check_no_overlap(e, &random, 20);
  }
  MustPass(ExtrusionDestroy(&e));
  MustPass(WallMeshDestroy(&wall));
  MustPass(SurfaceDestroy(&s));
}
END_TEST

START_TEST(layers_in_a_narrow_gap_leave_each_other_room)
{
  /* A fork: two prongs with a gap of one block between them. */
  char filled[5 * 3 * 6];
  for (int b = 0; b < 5 * 3 * 6; b++) filled[b] = b / 15 < 2 || b % 5 != 2 ? '#' : ' ';
  const Blocks blocks = {{5, 3, 6}, filled};
  Random random = random_seeded(80);
  WallMesh *wall = WallOfBlocks(&blocks, 0.2);
  Extrusion *e = extrude(wall, 10, 0.01, 1.3);
  ck_assert_int_gt(e->n_hexahedra, 0);
  ck_assert_int_eq(e->n_prisms, 0);
  ck_assert_double_gt(e->quality.full_thickness, 0.4);
  ck_assert_int_gt(e->quality.n_thinned, 20);
  ck_assert_double_lt(e->quality.thinnest.value, 0.12);
  ck_assert_double_gt(e->quality.thickest.value, 0.2);
  check_cells(e);
  check_conforming(e);
  check_no_overlap(e, &random, 300);
  MustPass(ExtrusionDestroy(&e));
  MustPass(WallMeshDestroy(&wall));
}
END_TEST

static double height(const Extrusion *e, int v, int layer)
{
  const size_t n = (size_t)e->n_wall_vertices;
  return vec3_distance(e->vertex[v + layer * n], e->vertex[v + (layer + 1) * n]);
}

/* Drawing vertices together slants columns a little, which makes steps longer in the second order.
 */
#define TOL_SLANT 0.02

START_TEST(heights_start_with_first_and_grow_as_asked_away_from_corners)
{
  const ShapeSpec box = {.kind = SHAPE_BOX, .size = {1, 1, 1}, .spacing = 0.1};
  for (int k = 0; k < 2; k++) {
    WallMesh *wall = WallOf(k == 0 ? &wall_bodies[0] : &box);
    Extrusion *e = extrude(wall, 12, 0.003, 1.25);
    for (int v = 0; v < wall->n_vertices; v++) {
      const Vec3 x = wall->vertex[v];
      const bool near_edge = fabs(x.x) + fabs(x.y) + fabs(x.z) > 0.9;
      if (k == 1 && near_edge) continue;
      for (int layer = 0; layer < 12; layer++) {
        const double wanted = 0.003 * pow(1.25, layer);
        ck_assert_double_le(fabs(height(e, v, layer) - wanted), TOL_SLANT * wanted);
      }
    }
    MustPass(ExtrusionDestroy(&e));
    MustPass(WallMeshDestroy(&wall));
  }
}
END_TEST

START_TEST(boxes_get_hexahedra_of_full_thickness_however_they_are_turned_in_space)
{
  Random random = random_seeded(90);
  for (int k = 0; k < 10; k++) {
    Surface *s = NULL;
    WallMesh *wall = NULL;
    MustPass(PrimitiveCreate(&wall_bodies[1], &s));
    surface_move(s, (Pose){random_point(&random, 3), random_attitude(&random)});
    MustPass(WallMeshFromSurface(s, INFINITY, &wall));
    Extrusion *e = extrude(wall, 4, 1e-3, 1.2);
    ck_assert_int_eq(e->n_prisms, 0);
    ck_assert_int_eq(e->n_hexahedra, 2 * s->n_triangles);
    ck_assert_int_eq(e->quality.n_thinned, 0);
    MustPass(ExtrusionDestroy(&e));
    MustPass(WallMeshDestroy(&wall));
    MustPass(SurfaceDestroy(&s));
  }
}
END_TEST

START_TEST(the_volume_around_a_sphere_converges_to_that_of_the_shell)
{
  double error[3], h[3];
  for (int k = 0; k < 3; k++) {
    ShapeSpec sphere = wall_bodies[0];
    sphere.spacing = 0.4 / (1 << k);
    WallMesh *wall = WallOf(&sphere);
    Extrusion *e = extrude(wall, 8, 0.02, 1.2);
    const double outer = 1.0 + e->quality.full_thickness;
    const double exact = 4.0 / 3.0 * M_PI * (outer * outer * outer - 1.0);
    error[k] = fabs(e->quality.volume / exact - 1.0);
    h[k] = 1.0 / sqrt(wall->n_faces);
    MustPass(ExtrusionDestroy(&e));
    MustPass(WallMeshDestroy(&wall));
  }
  for (int k = 0; k < 2; k++)
    ck_assert_double_gt(log(error[k] / error[k + 1]) / log(h[k] / h[k + 1]), 1.8);
  ck_assert_double_lt(error[2], 5e-3);
}
END_TEST

START_TEST(the_size_of_outer_cells_is_that_of_the_cells)
{
  WallMesh *wall = WallOf(&wall_bodies[0]);
  Extrusion *e = extrude(wall, 4, 0.1, 1.1);
  const int first = (e->n_layers - 1) * e->n_faces;
  for (int f = 0; f < e->n_faces; f++) {
    Vec3 area;
    double all;
    const double size = cbrt(2.0 * cell_volume(e, first + f, &area, &all));
    ck_assert_double_le(fabs(e->outer_size[f] - size), 1e-2 * size);
  }
  MustPass(ExtrusionDestroy(&e));
  MustPass(WallMeshDestroy(&wall));
}
END_TEST

START_TEST(numbers_without_sense_are_refused)
{
  const ExtrusionSpec bad[] = {
      {.layers = 0, .first = 0.1, .growth = 1.2},  {.layers = 4, .first = 0.0, .growth = 1.2},
      {.layers = 4, .first = -1.0, .growth = 1.2}, {.layers = 4, .first = 3.0, .growth = 1.2},
      {.layers = 4, .first = 0.1, .growth = 0.0},  {.layers = 4, .first = 0.1, .growth = -1.0},
      {.layers = 4, .first = 0.1, .growth = NAN},  {.layers = 4, .first = 1e-14, .growth = 1.2},
      {.layers = 500, .first = 0.1, .growth = 1.2}};
  WallMesh *wall = WallOf(&wall_bodies[0]);
  Extrusion *e = NULL;
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
    MustFail(PETSC_ERR_USER_INPUT, ExtrusionCreate(wall, bad[k], &e));
  MustPass(WallMeshDestroy(&wall));
}
END_TEST

START_TEST(a_first_height_left_open_makes_the_last_layer_as_high_as_edges_are_long)
{
  WallMesh *wall = WallOf(&wall_bodies[0]);
  Extrusion *e = extrude(wall, 8, NAN, 1.3);
  double edge = 0.0;
  for (int k = 0; k < 3 * wall->n_faces; k++)
    edge += vec3_distance(wall->vertex[wall->face[k / 3][k % 3]],
                          wall->vertex[wall->face[k / 3][(k % 3 + 1) % 3]]) /
            (3 * wall->n_faces);
  ck_assert_double_le(fabs(e->quality.outer_height[1] - edge), TOL_SLANT * edge);
  MustPass(ExtrusionDestroy(&e));
  MustPass(WallMeshDestroy(&wall));
}
END_TEST

START_TEST(a_surface_with_a_hole_is_refused)
{
  WallMesh *wall = WallOf(&wall_bodies[0]), *open = NULL;
  MustFail(CAROM_ERR_MESH, WallMeshCreate(wall->n_vertices, wall->vertex, wall->n_faces - 1,
                                          (const int(*)[4])wall->face, &open));
  MustPass(WallMeshDestroy(&wall));
}
END_TEST

START_TEST(two_blocks_that_touch_in_a_corner_are_refused)
{
  const Blocks touching = {{2, 2, 2}, "#      #"};
  WallMesh *wall = WallOfBlocks(&touching, 1.0);
  Extrusion *e = NULL;
  MustFail(CAROM_ERR_MESH, ExtrusionCreate(wall, (ExtrusionSpec){4, 0.01, 1.2, NULL}, &e));
  MustPass(WallMeshDestroy(&wall));
}
END_TEST

START_TEST(the_same_input_gives_the_same_bits)
{
  WallMesh *wall = WallOf(&wall_bodies[WALL_RAMP]);
  Extrusion *a = extrude(wall, 6, 0.02, 1.3), *b = extrude(wall, 6, 0.02, 1.3);
  ck_assert_int_eq(memcmp(a->vertex, b->vertex, (size_t)a->n_vertices * sizeof(Vec3)), 0);
  MustPass(ExtrusionDestroy(&a));
  MustPass(ExtrusionDestroy(&b));
  MustPass(WallMeshDestroy(&wall));
}
END_TEST

Suite *test_suite(void)
{
  Suite *suite = suite_create("grid/extrude");
  TCase *tests = tcase_create("core");

  tcase_add_loop_test(tests, cells_of_the_seven_bodies_have_volume_and_close_for_random_layers, 0,
                      WALL_BODIES);
  tcase_add_loop_test(tests, every_face_belongs_to_two_cells_or_to_one_and_a_boundary, 0,
                      WALL_BODIES);
  tcase_add_loop_test(tests, cells_fill_the_room_between_the_boundaries_once, 0, WALL_BODIES);
  tcase_add_loop_test(tests, layers_of_other_shapes_are_sound_or_refused_by_name_of_the_place, 0,
                      TEST_SHAPES);
  tcase_add_test(tests, layers_in_a_narrow_gap_leave_each_other_room);
  tcase_add_test(tests, heights_start_with_first_and_grow_as_asked_away_from_corners);
  tcase_add_test(tests, boxes_get_hexahedra_of_full_thickness_however_they_are_turned_in_space);
  tcase_add_test(tests, the_volume_around_a_sphere_converges_to_that_of_the_shell);
  tcase_add_test(tests, the_size_of_outer_cells_is_that_of_the_cells);
  tcase_add_test(tests, numbers_without_sense_are_refused);
  tcase_add_test(tests, a_first_height_left_open_makes_the_last_layer_as_high_as_edges_are_long);
  tcase_add_test(tests, a_surface_with_a_hole_is_refused);
  tcase_add_test(tests, two_blocks_that_touch_in_a_corner_are_refused);
  tcase_add_test(tests, the_same_input_gives_the_same_bits);
  suite_add_tcase(suite, tests);
  return suite;
}
