#include "grid/forest.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>

static RefineSpec boxes[] = {{{0.1, 0.1, 0.1}, {0.9, 0.9, 0.9}, 3}, {{3, 3, 0}, {4, 4, 0.4}, 2}};

/* A box of 4 x 4 x 2 with two finer places, periodic along x. */
static OffBodySpec spec_of(double top)
{
  return (OffBodySpec){.given = true,
                       .box = {{0, 0, 0}, {4, 4, top}},
                       .spacing = 0.125,
                       .n_refine = 2,
                       .refine = boxes,
                       .levels = 4,
                       .patch = 8,
                       .boundaries = {BOUNDARY_PERIODIC, BOUNDARY_PERIODIC}};
}

/* The volume of this rank's patches. */
static double own_volume(const Forest *forest)
{
  double sum = 0.0;
  for (LocalId c = 0; c < forest_n(forest); c++) {
    const double edge = 8.0 * forest_spacing(forest, forest_places(forest)[c].level);
    sum += edge * edge * edge;
  }
  return sum;
}

/* Do all links of this rank's patches lead to where they should? */
static bool links_fit(const Forest *forest)
{
  for (LocalId c = 0; c < forest_n(forest); c++) {
    const PatchPlace p = forest_places(forest)[c];
    for (int side = 0; side < SIDES; side++) {
      const Link *link = &forest_links(forest)[c][side];
      const bool low = side % 2 == 0 && p.index[side / 2] == 0;
      const int most = forest_domain_of(forest)->n[side / 2] << p.level;
      const bool high = side % 2 == 1 && p.index[side / 2] + 1 == most;
      if ((link->kind == LINK_OUTSIDE) != ((low || high) && side / 2 != 0)) return false;
      if (link->kind != LINK_SAME || link->other[0].ghost >= 0) continue;
      PatchPlace q = forest_places(forest)[link->other[0].local];
      const int step = side % 2 == 0 ? 1 : -1, n = forest_domain_of(forest)->n[0] << p.level;
      q.index[side / 2] += step;
      if (side / 2 == 0) q.index[0] = (q.index[0] + n) % n;
      if (memcmp(&p, &q, sizeof p) != 0) return false;
    }
  }
  return true;
}

START_TEST(patches_fill_the_domain_and_know_their_neighbours)
{
  const OffBodySpec spec = spec_of(2.0);
  Forest *forest = NULL;
  MustPass(ForestCreate(PETSC_COMM_WORLD, &spec, 0, NULL, &forest));
  double volume = own_volume(forest);
  MPI_Allreduce(MPI_IN_PLACE, &volume, 1, MPI_DOUBLE, MPI_SUM, PETSC_COMM_WORLD);
  ck_assert(all_ranks(volume == 32.0));
  ck_assert(all_ranks(links_fit(forest)));
  MustPass(ForestDestroy(&forest));
  ck_assert_ptr_null(forest);
}
END_TEST

START_TEST(a_box_grows_to_whole_patches_at_its_upper_sides)
{
  const OffBodySpec spec = spec_of(2.3);
  const ForestDomain domain = forest_domain(&spec);
  ck_assert(domain.grown && domain.n[2] == 3);
  ck_assert_double_eq(domain.box.hi.z, 3.0);
  ck_assert_double_eq(domain.box.lo.z, 0.0);
  const OffBodySpec fits = spec_of(2.0);
  ck_assert(!forest_domain(&fits).grown);
}
END_TEST

/* All places of a forest, on every rank. */
static PatchPlace *all_places(const Forest *forest)
{
  int size = 0, n = (int)(forest_n(forest) * (LocalId)sizeof(PatchPlace));
  MPI_Comm_size(PETSC_COMM_WORLD, &size);
  int *count = malloc(sizeof *count * (size_t)size), *at = calloc((size_t)size, sizeof *at);
  PatchPlace *all = malloc(sizeof *all * (size_t)forest_total(forest));
  (void)MPI_Allgather(&n, 1, MPI_INT, count, 1, MPI_INT, PETSC_COMM_WORLD);
  for (int k = 1; k < size; k++) at[k] = at[k - 1] + count[k - 1];
  (void)MPI_Allgatherv(forest_places(forest), n, MPI_BYTE, all, count, at, MPI_BYTE,
                       PETSC_COMM_WORLD);
  free(count);
  free(at);
  return all;
}

START_TEST(a_list_of_places_makes_the_same_forest_again)
{
  const OffBodySpec spec = spec_of(2.0);
  Forest *first = NULL, *again = NULL;
  MustPass(ForestCreate(PETSC_COMM_WORLD, &spec, 0, NULL, &first));
  PatchPlace *place = all_places(first);
  MustPass(ForestCreateFrom(PETSC_COMM_WORLD, &spec, forest_total(first), place, &again));
  const size_t bytes = (size_t)forest_n(again) * sizeof *place;
  ck_assert(all_ranks(forest_total(first) == forest_total(again)));
  ck_assert(all_ranks(bytes == 0 ||
                      memcmp(forest_places(again), place + forest_first(again), bytes) == 0));
  free(place);
  MustPass(ForestDestroy(&first));
  MustPass(ForestDestroy(&again));
}
END_TEST

/* Carry the number of each patch through a change and see where it arrives. */
static bool carried(Forest *forest, ForestChange *change)
{
  double *made = malloc(sizeof *made * (size_t)(change->n + 1));
  for (LocalId c = 0; c < change->n; c++) made[c] = change->source[c].kind;
  MustPass(ForestPartition(forest, NULL, change));
  double *now = malloc(sizeof *now * (size_t)(forest_n(forest) + 1));
  MustPass(ForestCarry(forest, change, sizeof *made, made, now));
  bool fits = true;
  for (LocalId c = 0; c < forest_n(forest); c++)
    fits = fits && now[c] >= SOURCE_COPY && now[c] <= SOURCE_COARSEN;
  free(made);
  free(now);
  return fits;
}

START_TEST(a_forest_follows_a_ball_and_then_rests)
{
  OffBodySpec spec = spec_of(2.0);
  spec.n_refine = 0;
  const ForestBall ball = {{1.3, 2.2, 1.1}, 0.3, 0.1, 2};
  Forest *forest = NULL;
  ForestChange change;
  MustPass(ForestCreate(PETSC_COMM_WORLD, &spec, 0, NULL, &forest));
  const GlobalId before = forest_total(forest);
  for (int k = 0; k < 2; k++) {
    MustPass(ForestAdapt(forest, NULL, 1, &ball, &change));
    ck_assert(all_ranks(change.changed && carried(forest, &change) && links_fit(forest)));
    MustPass(ForestChangeDestroy(&change));
  }
  ck_assert(all_ranks(forest_total(forest) > before));
  MustPass(ForestAdapt(forest, NULL, 1, &ball, &change));
  ck_assert(all_ranks(!change.changed));

  /* Without the ball it goes back to where it began, level by level. */
  for (int k = 0; k < 4; k++) {
    MustPass(ForestAdapt(forest, NULL, 0, NULL, &change));
    if (change.changed) MustPass(ForestPartition(forest, NULL, &change));
    MustPass(ForestChangeDestroy(&change));
  }
  ck_assert(all_ranks(forest_total(forest) == before));
  MustPass(ForestDestroy(&forest));
}
END_TEST

Suite *test_suite(void)
{
  Suite *suite = suite_create("grid/forest");
  TCase *tests = tcase_create("core");

  tcase_add_test(tests, patches_fill_the_domain_and_know_their_neighbours);
  tcase_add_test(tests, a_box_grows_to_whole_patches_at_its_upper_sides);
  tcase_add_test(tests, a_list_of_places_makes_the_same_forest_again);
  tcase_add_test(tests, a_forest_follows_a_ball_and_then_rests);
  suite_add_tcase(suite, tests);
  return suite;
}
