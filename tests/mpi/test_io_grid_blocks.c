#include "base/error.h"

#include "cgns_zones.h"
#include "grid/quality.h"
#include "io/grid_file.h"
#include "support.h"

#include <stdlib.h>
#include <unistd.h>

#define NAME "test_io_grid_blocks.cgns"

static bool first_rank(void)
{
  int rank = 0;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  return rank == 0;
}

/* Read on all ranks together and on each alone; the same grid must come out. */
static NearGrid *read_both_ways(GridNotes *notes)
{
  const GridFileSpec spec = {.path = NAME, .scale = 1.0};
  NearGrid *many = NULL, *one = NULL;
  uint64_t hash_many = 0, hash_one = 1;
  MPI_Barrier(PETSC_COMM_WORLD);
  MustPass(GridFileRead(PETSC_COMM_WORLD, &spec, &many, notes));
  MustPass(GridFileRead(PETSC_COMM_SELF, &spec, &one, notes));
  MustPass(NearGridHash(many, &hash_many));
  MustPass(NearGridHash(one, &hash_one));
  ck_assert(all_ranks(hash_many == hash_one));
  MustPass(NearGridDestroy(&one));
  if (first_rank()) unlink(NAME);
  return many;
}

static GlobalId faces_of(const NearGrid *grid, const char *name)
{
  const int p = near_grid_find_patch(grid, name);
  return p < 0 ? -1 : grid->patch[p].n_faces_global;
}

static double volume_of(const NearGrid *grid)
{
  GridQuality quality;
  MustPass(GridQualityCompute(grid, &quality));
  return quality.volume;
}

static void range_boundary(int f, int z, const char *name, const char *family,
                           const cgsize_t range[6])
{
  zones_boundary(f, z, name, family, CGNS_ENUMV(PointRange), CGNS_ENUMV(Vertex), 2, range);
}

/* Block a runs along x, y, z; block b behind it along z, y, x, so it is left-handed. */
static Vec3 place_a(int i, int j, int k)
{
  return vec3(i / 3.0, j / 2.0, k / 2.0);
}

static Vec3 place_b(int i, int j, int k)
{
  return vec3(1.0 + k / 2.0, j / 2.0, i / 2.0);
}

static void name_sides(int f)
{
  const cgsize_t a[5][6] = {{1, 1, 1, 1, 3, 3},
                            {1, 1, 1, 4, 1, 3},
                            {1, 3, 1, 4, 3, 3},
                            {1, 1, 1, 4, 3, 1},
                            {1, 1, 3, 4, 3, 3}};
  const cgsize_t b[5][6] = {{1, 1, 3, 3, 3, 3},
                            {1, 1, 1, 1, 3, 3},
                            {3, 1, 1, 3, 3, 3},
                            {1, 1, 1, 3, 1, 3},
                            {1, 3, 1, 3, 3, 3}};
  const char *const names[5] = {"end", "s1", "s2", "s3", "s4"};
  for (int k = 0; k < 5; k++) {
    range_boundary(f, 1, names[k], k == 0 ? NULL : "side", a[k]);
    range_boundary(f, 2, k == 0 ? "far" : names[k], k == 0 ? NULL : "side", b[k]);
  }
}

START_TEST(blocks_are_joined_along_their_transform_and_turned_if_left_handed)
{
  GridNotes notes;
  if (first_rank()) {
    const int na[3] = {4, 3, 3}, nb[3] = {3, 3, 3}, transform[3] = {3, 2, 1};
    const cgsize_t here[6] = {4, 1, 1, 4, 3, 3}, there[6] = {1, 1, 1, 3, 3, 1};
    int id = 0;
    const int f = zones_start(NAME, 3, 3);
    zones_block(f, "a", na, place_a);
    zones_block(f, "b", nb, place_b);
    CgnsMust(cg_1to1_write(f, 1, 1, "ab", "b", here, there, transform, &id));
    CgnsMust(cg_1to1_write(f, 1, 2, "ba", "a", there, here, transform, &id));
    name_sides(f);
    CgnsMust(cg_close(f));
  }
  NearGrid *g = read_both_ways(&notes);
  ck_assert(all_ranks(g->n_global == 20 && fabs(volume_of(g) - 2.0) < TOL_SUM(200, 2.0)));
  ck_assert(all_ranks(faces_of(g, "end") == 4 && faces_of(g, "far") == 4));
  ck_assert(all_ranks(faces_of(g, "side") == 40 && g->n_patches == 3 && notes.n == 1));
  MustPass(NearGridDestroy(&g));
}
END_TEST

/* The unsaid join of the same blocks is found by place. */
START_TEST(blocks_that_touch_are_joined_even_if_the_file_does_not_say_so)
{
  GridNotes notes;
  if (first_rank()) {
    const int na[3] = {4, 3, 3}, nb[3] = {3, 3, 3};
    const int f = zones_start(NAME, 3, 3);
    zones_block(f, "a", na, place_a);
    zones_block(f, "b", nb, place_b);
    name_sides(f);
    CgnsMust(cg_close(f));
  }
  NearGrid *g = read_both_ways(&notes);
  ck_assert(all_ranks(g->n_global == 20 && faces_of(g, "side") == 40 && notes.n == 2));
  MustPass(NearGridDestroy(&g));
}
END_TEST

/* A cylinder around its axis: i from the axis outward, j around and closed on itself. */
static Vec3 place_polar(int i, int j, int k)
{
  const double angle = (j % 8) * PETSC_PI / 4.0;
  return vec3(i * cos(angle), i * sin(angle), k);
}

START_TEST(a_block_around_an_axis_has_no_face_at_the_axis)
{
  GridNotes notes;
  if (first_rank()) {
    const int n[3] = {4, 9, 3}, transform[3] = {1, 2, 3};
    const cgsize_t low[6] = {1, 1, 1, 4, 1, 3}, high[6] = {1, 9, 1, 4, 9, 3};
    const cgsize_t outer[6] = {4, 1, 1, 4, 9, 3}, bottom[6] = {1, 1, 1, 4, 9, 1};
    const cgsize_t top[6] = {1, 1, 3, 4, 9, 3};
    int id = 0;
    const int f = zones_start(NAME, 3, 3);
    zones_block(f, "ring", n, place_polar);
    CgnsMust(cg_1to1_write(f, 1, 1, "cut", "ring", low, high, transform, &id));
    range_boundary(f, 1, "outer", NULL, outer);
    range_boundary(f, 1, "bottom", "ends", bottom);
    range_boundary(f, 1, "top", "ends", top);
    CgnsMust(cg_close(f));
  }
  NearGrid *g = read_both_ways(&notes);
  const double volume = 2.0 * 8.0 * 0.5 * 9.0 * sin(PETSC_PI / 4.0);
  ck_assert(all_ranks(g->n_global == 48 && fabs(volume_of(g) - volume) < TOL_SUM(500, volume)));
  ck_assert(all_ranks(faces_of(g, "outer") == 16 && faces_of(g, "ends") == 48));
  MustPass(NearGridDestroy(&g));
}
END_TEST

/* Faces of a block by their own indices, and by lists of vertices. */
START_TEST(boundaries_of_a_block_may_be_given_by_faces_or_vertices)
{
  GridNotes notes;
  if (first_rank()) {
    const int n[3] = {3, 3, 3};
    const cgsize_t i_faces[6] = {1, 1, 1, 1, 2, 2};
    const cgsize_t i_list[12] = {3, 1, 1, 3, 2, 1, 3, 1, 2, 3, 2, 2};
    cgsize_t j_low[27], j_high[27], k_range[6] = {1, 1, 1, 3, 3, 1};
    const cgsize_t k_faces[6] = {1, 1, 3, 2, 2, 3};
    for (int v = 0; v < 9; v++)
      for (int d = 0; d < 3; d++) {
        j_low[3 * v + d] = d == 0 ? 1 + v % 3 : d == 1 ? 1 : 1 + v / 3;
        j_high[3 * v + d] = d == 1 ? 3 : j_low[3 * v + d];
      }
    const int f = zones_start(NAME, 3, 3);
    const int z = zones_block(f, "a", n, place_a);
    zones_boundary(f, z, "imin", NULL, CGNS_ENUMV(PointRange), CGNS_ENUMV(IFaceCenter), 2, i_faces);
    zones_boundary(f, z, "imax", NULL, CGNS_ENUMV(PointList), CGNS_ENUMV(IFaceCenter), 4, i_list);
    zones_boundary(f, z, "jmin", NULL, CGNS_ENUMV(PointList), CGNS_ENUMV(Vertex), 9, j_low);
    zones_boundary(f, z, "jmax", NULL, CGNS_ENUMV(PointList), CGNS_ENUMV(Vertex), 9, j_high);
    zones_boundary(f, z, "kmin", NULL, CGNS_ENUMV(PointRange), CGNS_ENUMV(Vertex), 2, k_range);
    zones_boundary(f, z, "kmax", NULL, CGNS_ENUMV(PointRange), CGNS_ENUMV(KFaceCenter), 2, k_faces);
    CgnsMust(cg_close(f));
  }
  NearGrid *g = read_both_ways(&notes);
  bool good = g->n_patches == 6;
  for (int p = 0; p < 6 && good; p++) good = g->patch[p].n_faces_global == 4;
  ck_assert(all_ranks(good));
  MustPass(NearGridDestroy(&g));
}
END_TEST

Suite *test_suite(void)
{
  Suite *suite = suite_create("io/grid_blocks");
  TCase *tests = tcase_create("core");
  tcase_add_test(tests, blocks_are_joined_along_their_transform_and_turned_if_left_handed);
  tcase_add_test(tests, blocks_that_touch_are_joined_even_if_the_file_does_not_say_so);
  tcase_add_test(tests, a_block_around_an_axis_has_no_face_at_the_axis);
  tcase_add_test(tests, boundaries_of_a_block_may_be_given_by_faces_or_vertices);
  suite_add_tcase(suite, tests);
  return suite;
}
