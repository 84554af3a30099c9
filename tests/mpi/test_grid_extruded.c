#include "grid/extruded_grid.h"
#include "support.h"

static const ShapeSpec box = {.kind = SHAPE_BOX, .size = {1, 2, 0.5}, .spacing = NAN};
static const ExtrudedGridSpec spec = {
    .name = "box", .shape = &box, .layers = {6, 0.01, 1.3, NULL}, .origin = {0.1, 0.2, 0.3}};

START_TEST(an_extruded_grid_is_the_same_on_any_number_of_ranks)
{
  NearGrid *alone = NULL, *shared = NULL;
  uint64_t hash[2];
  MustPass(ExtrudedGridCreate(PETSC_COMM_SELF, &spec, &alone, NULL));
  MustPass(ExtrudedGridCreate(PETSC_COMM_WORLD, &spec, &shared, NULL));
  MustPass(NearGridHash(alone, &hash[0]));
  MustPass(NearGridHash(shared, &hash[1]));
  ck_assert(all_ranks(hash[0] == hash[1]));
  MustPass(NearGridDestroy(&alone));
  MustPass(NearGridDestroy(&shared));
}
END_TEST

START_TEST(it_has_the_boundaries_body_and_outer_and_the_volume_that_was_reported)
{
  NearGrid *grid = NULL;
  ExtrusionQuality quality;
  MustPass(ExtrudedGridCreate(PETSC_COMM_WORLD, &spec, &grid, &quality));
  const int body = near_grid_find_patch(grid, "body"), outer = near_grid_find_patch(grid, "outer");
  const bool both = body >= 0 && outer >= 0;
  ck_assert(all_ranks(both && grid->n_patches == 2));
  ck_assert(all_ranks(grid->patch[body].n_faces_global == grid->patch[outer].n_faces_global));

  /* Volumes here and there come from the same triangles. */
  double volume = 0.0, area[2] = {0, 0};
  for (LocalId c = 0; c < grid->n_own; c++) volume += grid->volume[c];
  for (int p = 0; p < 2; p++)
    for (LocalId f = 0; f < grid->patch[p].n_faces; f++) {
      const LocalId at = grid->patch[p].first_face + f;
      area[p] += vec3_norm(vec3(grid->sx[at], grid->sy[at], grid->sz[at]));
    }
  MPI_Allreduce(MPI_IN_PLACE, &volume, 1, MPI_DOUBLE, MPI_SUM, PETSC_COMM_WORLD);
  MPI_Allreduce(MPI_IN_PLACE, area, 2, MPI_DOUBLE, MPI_SUM, PETSC_COMM_WORLD);
  ck_assert(all_ranks(fabs(volume - quality.volume) < TOL_SUM(1e4, volume)));
  ck_assert(all_ranks(fabs(area[body] - 2 * (2 + 1 + 0.5)) < TOL_SUM(1e4, 7)));
  ck_assert(all_ranks(area[outer] > area[body]));
  MustPass(NearGridDestroy(&grid));
}
END_TEST

Suite *test_suite(void)
{
  Suite *suite = suite_create("grid/extruded_grid");
  TCase *tests = tcase_create("core");

  tcase_add_test(tests, an_extruded_grid_is_the_same_on_any_number_of_ranks);
  tcase_add_test(tests, it_has_the_boundaries_body_and_outer_and_the_volume_that_was_reported);
  suite_add_tcase(suite, tests);
  return suite;
}
