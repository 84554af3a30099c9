#include "geom/surface_check.h"
#include "io/stl.h"
#include "support.h"

#include <locale.h>
#include <string.h>

static const char facet[] =
    "facet normal 0 0 1\n outer loop\n  vertex 0 0 0\n  vertex 1.5e0 0 -.5\n"
    "  vertex 0 +1 1E-3\n endloop\nendfacet\n";

static PetscErrorCode Parse(const char *text, Triangles *triangles)
{
  return StlParse(PETSC_COMM_SELF, "a.stl", text, strlen(text), 1.0, triangles);
}

/* A binary file of n triangles with the given header; room for 100. */
static size_t binary(char bytes[5084], const char *header, uint32_t n)
{
  memset(bytes, 0, 5084);
  strncpy(bytes, header, 80);
  for (int k = 0; k < 4; k++) bytes[80 + k] = (char)(n >> (8 * k));
  for (uint32_t t = 0; t < n && t < 100; t++) {
    const float corner[9] = {(float)t, 0, 0, (float)t + 1, 0, 0, (float)t, 2, 0.5f};
    memcpy(bytes + 84 + 50 * t + 12, corner, sizeof corner);
  }
  return 84 + 50 * (size_t)n;
}

START_TEST(text_gives_the_vertices_in_order)
{
  char text[1000];
  snprintf(text, sizeof text, "solid some name\n%s%sendsolid some name\n", facet, facet);
  Triangles t = {0};
  MustPass(Parse(text, &t));
  ck_assert_int_eq(t.n_triangles, 2);
  ck_assert_int_eq(t.n_vertices, 6);
  ck_assert(t.vertex[4].x == 1.5 && t.vertex[4].z == -0.5 && t.vertex[5].z == 1e-3);
  ck_assert_int_eq(t.triangle[1][2], 5);
  MustPass(TrianglesDestroy(&t));
}
END_TEST

START_TEST(several_solids_carriage_returns_and_capitals_are_fine)
{
  char text[1000];
  snprintf(text, sizeof text, "\r\n SOLID\r\n%sEndSolid\r\nsolid facet endfacet\r\n%sendsolid",
           facet, facet);
  Triangles t = {0};
  MustPass(Parse(text, &t));
  ck_assert_int_eq(t.n_triangles, 2);
  MustPass(TrianglesDestroy(&t));
}
END_TEST

START_TEST(binary_is_told_by_its_length_even_if_it_begins_with_solid)
{
  char bytes[5084];
  const char *headers[] = {"", "solid", "solid made by a careless program  facet normal"};
  for (int k = 0; k < 3; k++) {
    const size_t n = binary(bytes, headers[k], 7);
    Triangles t = {0};
    MustPass(StlParse(PETSC_COMM_SELF, "b.stl", bytes, n, 0.5, &t));
    ck_assert_int_eq(t.n_triangles, 7);
    ck_assert(t.vertex[19].x == 3.5 && t.vertex[20].y == 1.0 && t.vertex[20].z == 0.25);
    MustPass(TrianglesDestroy(&t));
  }
}
END_TEST

START_TEST(no_triangles_are_an_empty_list)
{
  char bytes[5084];
  Triangles t = {0};
  MustPass(Parse("solid x\nendsolid x\n", &t));
  ck_assert_int_eq(t.n_triangles, 0);
  MustPass(TrianglesDestroy(&t));
  MustPass(StlParse(PETSC_COMM_SELF, "b.stl", bytes, binary(bytes, "", 0), 1, &t));
  ck_assert_int_eq(t.n_triangles, 0);
  MustPass(TrianglesDestroy(&t));
}
END_TEST

START_TEST(numbers_that_are_not_finite_are_left_to_the_check)
{
  char text[] =
      "solid\nfacet normal 0 0 0 outer loop vertex nan 0 0 vertex 1 inf 0 vertex 0 1e999 0 "
      "endloop endfacet endsolid";
  Triangles t = {0};
  MustPass(Parse(text, &t));
  ck_assert(isnan(t.vertex[0].x) && isinf(t.vertex[1].y) && isinf(t.vertex[2].y));
  SurfaceReport report;
  Surface *surface = NULL;
  MustPass(SurfaceCheck(&t, NAN, &report, &surface));
  ck_assert_int_eq(report.n_not_finite, 1);
  MustPass(TrianglesDestroy(&t));
}
END_TEST

START_TEST(every_cut_of_a_text_file_is_refused)
{
  char text[1000];
  snprintf(text, sizeof text, "solid a\n%sendsolid", facet);
  for (size_t n = 0; n < strlen(text); n++) {
    Triangles t = {0};
    MustFail(CAROM_ERR_FILE, StlParse(PETSC_COMM_SELF, "a.stl", text, n, 1.0, &t));
    ck_assert_ptr_null(t.vertex);
  }
}
END_TEST

START_TEST(every_cut_of_a_binary_file_is_refused)
{
  char bytes[5084];
  const size_t whole = binary(bytes, "", 3);
  for (size_t n = 0; n < whole + 20; n++) {
    Triangles t = {0};
    if (n != whole) MustFail(CAROM_ERR_FILE, StlParse(PETSC_COMM_SELF, "b.stl", bytes, n, 1.0, &t));
  }
}
END_TEST

START_TEST(files_that_are_not_stl_are_refused)
{
  const char *texts[] = {
      "hello",
      "version https://git-lfs.github.com/spec/v1\noid sha256:12\nsize 11003676\n",
      "solidity is no word of STL\nfacet",
      "solid\nfacet normal 0 0 zero outer loop",
      "solid\nfacet normal 0 0 1 outer loop vertex 0 0 0 vertex 1 0 0 vertex 0,5 1 0 endloop",
      "solid\nfacet normal 0 0 1 outer loop vertex 0 0 0 vertex 1 0 0 endloop endfacet endsolid",
      "solid\nendsolid\nand more",
      "solid\nfacet outer loop",
      "<?xml version=\"1.0\"?><mesh>a long file that has nothing to do with triangles, yet is long "
      "enough to be taken for a binary one by its length alone</mesh>"};
  for (int k = 0; k < 9; k++) {
    Triangles t = {0};
    MustFail(CAROM_ERR_FILE, Parse(texts[k], &t));
  }
}
END_TEST

/* The promise of the header alone must not take memory. */
START_TEST(a_header_that_promises_too_much_is_refused_with_figures)
{
  char bytes[5084];
  binary(bytes, "", 4000000000u);
  Triangles t = {0};
  MustFail(CAROM_ERR_FILE, StlParse(PETSC_COMM_SELF, "b.stl", bytes, sizeof bytes, 1.0, &t));
}
END_TEST

START_TEST(a_scale_must_be_positive_and_finite)
{
  const double scales[] = {0.0, -1.0, NAN, INFINITY};
  for (int k = 0; k < 4; k++) {
    Triangles t = {0};
    MustFail(PETSC_ERR_USER_INPUT,
             StlParse(PETSC_COMM_SELF, "a.stl", "solid\nendsolid", 14, scales[k], &t));
  }
}
END_TEST

START_TEST(random_damage_never_does_more_than_fail)
{
  Random r = random_seeded(31);
  char text[1000], bytes[5084], damaged[5084];
  snprintf(text, sizeof text, "solid a\n%s%sendsolid", facet, facet);
  const size_t n_binary = binary(bytes, "solid", 5);
  for (int k = 0; k < 4000; k++) {
    const size_t n = k % 2 == 0 ? strlen(text) : n_binary;
    memcpy(damaged, k % 2 == 0 ? text : bytes, n);
    for (int i = 0; i < 1 + k % 7; i++)
      damaged[(size_t)(random_unit(&r) * n)] = (char)(256 * random_unit(&r));
    Triangles t = {0};
    PetscPushErrorHandler(PetscReturnErrorHandler, NULL);
    const int code = (int)StlParse(PETSC_COMM_SELF, "x.stl", damaged, n, 1.0, &t);
    PetscPopErrorHandler();
    ck_assert(code == PETSC_SUCCESS || code == CAROM_ERR_FILE || code == PETSC_ERR_USER_INPUT);
    MustPass(TrianglesDestroy(&t));
  }
}
END_TEST

START_TEST(the_locale_of_the_user_does_not_matter)
{
  const char *names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8"};
  for (int k = 0; k < 3; k++)
    if (setlocale(LC_NUMERIC, names[k]) != NULL) break;
  char text[1000];
  snprintf(text, sizeof text, "solid a\n%sendsolid", facet);
  Triangles t = {0};
  MustPass(Parse(text, &t));
  ck_assert(t.vertex[1].x == 1.5);
  MustPass(TrianglesDestroy(&t));
  setlocale(LC_NUMERIC, "C");
}
END_TEST

Suite *test_suite(void)
{
  Suite *suite = suite_create("io/stl");
  TCase *tests = tcase_create("core");

  tcase_add_test(tests, text_gives_the_vertices_in_order);
  tcase_add_test(tests, several_solids_carriage_returns_and_capitals_are_fine);
  tcase_add_test(tests, binary_is_told_by_its_length_even_if_it_begins_with_solid);
  tcase_add_test(tests, no_triangles_are_an_empty_list);
  tcase_add_test(tests, numbers_that_are_not_finite_are_left_to_the_check);
  tcase_add_test(tests, every_cut_of_a_text_file_is_refused);
  tcase_add_test(tests, every_cut_of_a_binary_file_is_refused);
  tcase_add_test(tests, files_that_are_not_stl_are_refused);
  tcase_add_test(tests, a_header_that_promises_too_much_is_refused_with_figures);
  tcase_add_test(tests, a_scale_must_be_positive_and_finite);
  tcase_add_test(tests, random_damage_never_does_more_than_fail);
  tcase_add_test(tests, the_locale_of_the_user_does_not_matter);
  suite_add_tcase(suite, tests);
  return suite;
}
