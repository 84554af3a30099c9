#include "geom/primitive.h"
#include "io/surface_file.h"
#include "support.h"

#include <string.h>

#define NAME "test_io_surface_file.stl"

/* A sphere as text STL, written by rank 0; the last n_missing triangles are left out. */
static void write_sphere(int n_missing)
{
  int rank = 0;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  if (rank == 0) {
    Surface *s = NULL;
    MustPass(PrimitiveCreate(&(ShapeSpec){.kind = SHAPE_SPHERE, .radius = 1, .spacing = 0.3}, &s));
    FILE *out = fopen(NAME, "w");
    fprintf(out, "solid sphere\n");
    for (int t = 0; t < s->n_triangles - n_missing; t++) {
      fprintf(out, "facet normal 0 0 0\nouter loop\n");
      for (int k = 0; k < 3; k++) {
        const Vec3 p = s->vertex[s->triangle[t][k]];
        fprintf(out, "vertex %.9g %.9g %.9g\n", p.x, p.y, p.z);
      }
      fprintf(out, "endloop\nendfacet\n");
    }
    fprintf(out, "endsolid sphere\n");
    fclose(out);
    MustPass(SurfaceDestroy(&s));
  }
  MPI_Barrier(PETSC_COMM_WORLD);
}

static PetscErrorCode Read(const char *file, ShapeKind kind, SurfaceReport *report, Surface **s)
{
  const ShapeSpec spec = {.kind = kind, .file = file, .scale = 2};
  return SurfaceRead(PETSC_COMM_WORLD, &spec, report, s);
}

START_TEST(every_rank_gets_the_same_surface)
{
  write_sphere(0);
  SurfaceReport report;
  Surface *s = NULL;
  const int code = (int)Read(NAME, SHAPE_STL, &report, &s);
  ck_assert(all_ranks(code == PETSC_SUCCESS && surface_report_is_sound(&report)));
  double volume[2] = {surface_mass_properties(s).volume, -surface_mass_properties(s).volume};
  MPI_Allreduce(MPI_IN_PLACE, volume, 2, MPI_DOUBLE, MPI_MAX, PETSC_COMM_WORLD);
  ck_assert(all_ranks(volume[0] == -volume[1]));
  ck_assert(all_ranks(fabs(volume[0] - 32.0 / 3.0 * M_PI) < 1.0));
  MustPass(SurfaceDestroy(&s));
}
END_TEST

START_TEST(an_open_surface_is_refused_on_every_rank)
{
  write_sphere(1);
  SurfaceReport report;
  Surface *s = NULL;
  const int code = (int)Read(NAME, SHAPE_STL, &report, &s);
  ck_assert(all_ranks(code == PETSC_SUCCESS && report.open.n == 3));
  PetscPushErrorHandler(PetscReturnErrorHandler, NULL);
  const int verdict = (int)SurfaceRequireSound(PETSC_COMM_WORLD, NAME, &report);
  PetscPopErrorHandler();
  ck_assert(all_ranks(verdict == PETSC_ERR_USER_INPUT));
  MustPass(SurfaceDestroy(&s));
}
END_TEST

START_TEST(a_missing_file_and_one_that_is_not_cgns_fail_alike_on_every_rank)
{
  write_sphere(0);
  SurfaceReport report;
  Surface *s = NULL;
  PetscPushErrorHandler(PetscReturnErrorHandler, NULL);
  const int missing = (int)Read("no such file.stl", SHAPE_STL, &report, &s);
  const int gone = (int)Read("no such file.cgns", SHAPE_CGNS, &report, &s);
  const int other = (int)Read(NAME, SHAPE_CGNS, &report, &s);
  PetscPopErrorHandler();
  ck_assert(all_ranks(missing == CAROM_ERR_FILE));
  ck_assert(all_ranks(gone == CAROM_ERR_FILE && other == CAROM_ERR_FILE));
}
END_TEST

Suite *test_suite(void)
{
  Suite *suite = suite_create("io/surface_file");
  TCase *tests = tcase_create("core");

  tcase_add_test(tests, every_rank_gets_the_same_surface);
  tcase_add_test(tests, an_open_surface_is_refused_on_every_rank);
  tcase_add_test(tests, a_missing_file_and_one_that_is_not_cgns_fail_alike_on_every_rank);
  suite_add_tcase(suite, tests);
  return suite;
}
