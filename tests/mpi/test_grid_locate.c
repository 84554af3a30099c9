#include "grid/box_grid.h"
#include "grid/extruded_grid.h"
#include "grid/forest.h"
#include "grid/near_locate.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>

enum { HEXA, PRISM, TETRA, THIN, CAPSULE, BLOCK, SCENES };
enum { POINTS = 2000 };

/* Layers a five-hundredth as thick as wide, across the axes: their boxes overlap by hundreds. */
static Vec3 thin_layers(Vec3 p, void *context)
{
  (void)context;
  const double s = sqrt(1.0 / 3.0), t = sqrt(0.5), u = sqrt(1.0 / 6.0), h = 0.1 * p.z;
  return vec3(t * p.x + u * p.y + s * h, -t * p.x + u * p.y + s * h, -2.0 * u * p.y + s * h);
}

static NearGrid *box_grid(MPI_Comm comm, int scene)
{
  const CellKind kind = scene == PRISM ? CELL_PRISM : scene == TETRA ? CELL_TETRA : CELL_HEXA;
  BoxGridSpec spec = {.box = {{-0.5, 0.0, 1.0}, {0.5, 1.5, 2.0}},
                      .n = {7, 6, 5},
                      .kind = kind,
                      .shake = 0.25,
                      .seed = 7};
  if (scene == THIN)
    spec = (BoxGridSpec){
        .box = {{0, 0, 0}, {1, 1, 1}}, .n = {2, 2, 500}, .kind = kind, .map = thin_layers};
  BoxGrid *box = NULL;
  NearGrid *grid = NULL;
  MustPass(BoxGridCreate(comm, "box", &spec, &box));
  MustPass(NearGridCreate(comm, box_grid_input(box), &grid));
  MustPass(BoxGridDestroy(&box));
  return grid;
}

static NearGrid *make(MPI_Comm comm, int scene)
{
  static const ShapeSpec shapes[] = {
      {.kind = SHAPE_CAPSULE, .radius = 0.5, .length = 1, .axis = {1, 2, 3}, .spacing = 0.25},
      {.kind = SHAPE_BOX, .size = {1, 2, 0.6}, .spacing = 0.3}};
  if (scene < CAPSULE) return box_grid(comm, scene);
  const ExtrudedGridSpec spec = {
      .name = "body", .shape = &shapes[scene - CAPSULE], .layers = {8, 0.01, 1.3, NULL}};
  NearGrid *grid = NULL;
  MustPass(ExtrudedGridCreate(comm, &spec, &grid, NULL));
  return grid;
}

/* Points in and around the box of a grid. */
static void random_points(const NearGrid *grid, unsigned seed, Vec3 p[POINTS])
{
  Random random = random_seeded(seed);
  const Box b = box_grow(grid->box, 0.05 * box_longest(grid->box));
  for (int i = 0; i < POINTS; i++) {
    p[i].x = random_in(&random, b.lo.x, b.hi.x);
    p[i].y = random_in(&random, b.lo.y, b.hi.y);
    p[i].z = random_in(&random, b.lo.z, b.hi.z);
  }
}

typedef struct {
  double excess;
  int id;
} Answer;

static const Answer nowhere = {INFINITY, INT32_MAX};

static Box cell_box(const NearGrid *g, LocalId c)
{
  Box box = box_empty();
  for (LocalId i = g->corner_start[c]; i < g->corner_start[c + 1]; i++)
    box = box_add_point(box, g->vertex[g->corner[i]]);
  const Vec3 margin = vec3_scale(0.01, box_size(box));
  return (Box){vec3_sub(box.lo, margin), vec3_add(box.hi, margin)};
}

static double excess_of(const NearGrid *g, LocalId c, Vec3 p)
{
  double most = -INFINITY;
  for (LocalId k = g->face_start[c]; k < g->face_start[c + 1]; k++) {
    const LocalId f = g->face[k];
    const Vec3 s = {g->sx[f], g->sy[f], g->sz[f]}, at = {g->fx[f], g->fy[f], g->fz[f]};
    const double d = g->face_sign[k] * vec3_dot(vec3_sub(p, at), s) / vec3_norm(s);
    if (d > most) most = d;
  }
  return most;
}

/* The same in plain words: every cell of the whole grid, one by one. */
static Answer brute(const NearGrid *g, const Box box[], Vec3 p)
{
  Answer best = nowhere;
  for (LocalId c = 0; c < g->n_own; c++) {
    if (!box_contains(box[c], p)) continue;
    const double excess = excess_of(g, c, p);
    if (excess < best.excess) best = (Answer){excess, (int)c};
  }
  return best;
}

/* Is an answer that of all cells of the grid? Cells whose sides lie in one plane differ by rounding
 * where a point is outside of all of them. */
static bool agrees(const NearGrid *g, const Box box[], Vec3 p, Answer found)
{
  const double tol = TOL_ROUND(10.0);
  const Answer plain = brute(g, box, p);
  if (plain.id == nowhere.id || found.id == nowhere.id) return plain.id == found.id;
  if (fabs(found.excess - plain.excess) > tol) return false;
  return found.id == plain.id || (plain.excess > 0.0 && box_contains(box[found.id], p) &&
                                  fabs(excess_of(g, found.id, p) - plain.excess) < tol);
}

/* What this rank answers. */
static void ask(const NearGrid *grid, const NearLocator *locator, const Vec3 p[POINTS],
                Answer answer[POINTS])
{
  static NearPlace place[POINTS];
  near_locator_find_many(locator, POINTS, p, place);
  for (int i = 0; i < POINTS; i++)
    answer[i] =
        place[i].cell < 0 ? nowhere : (Answer){place[i].excess, (int)grid->cell_id[place[i].cell]};
}

/* The least of all ranks, by excess, then by id. */
static void reduce(Answer answer[POINTS])
{
  MPI_Allreduce(MPI_IN_PLACE, answer, POINTS, MPI_DOUBLE_INT, MPI_MINLOC, PETSC_COMM_WORLD);
}

START_TEST(the_cell_of_a_point_is_that_of_a_search_through_all_cells)
{
  static Vec3 p[POINTS];
  static Answer found[POINTS];
  NearGrid *many = make(PETSC_COMM_WORLD, _i), *one = make(PETSC_COMM_SELF, _i);
  NearLocator *locator = NULL;
  MustPass(NearLocatorCreate(many, &locator));
  random_points(one, 11, p);
  ask(many, locator, p, found);
  reduce(found);
  Box *box = malloc(sizeof *box * (size_t)one->n_own);
  for (LocalId c = 0; c < one->n_own; c++) box[c] = cell_box(one, c);
  int same = 0, inside = 0;
  for (int i = 0; i < POINTS; i++) {
    inside += found[i].excess < 0.0;
    same += agrees(one, box, p[i], found[i]);
  }
  free(box);
  ck_assert(all_ranks(same == POINTS));
  ck_assert(all_ranks(inside > POINTS / 50));
  MustPass(NearLocatorDestroy(&locator));
  ck_assert_ptr_null(locator);
  MustPass(NearGridDestroy(&many));
  MustPass(NearGridDestroy(&one));
}
END_TEST

START_TEST(the_cell_of_a_point_does_not_depend_on_the_number_of_ranks)
{
  static Vec3 p[POINTS];
  static Answer shared[POINTS], alone[POINTS];
  NearGrid *many = make(PETSC_COMM_WORLD, _i), *one = make(PETSC_COMM_SELF, _i);
  NearLocator *locator_many = NULL, *locator_one = NULL;
  MustPass(NearLocatorCreate(many, &locator_many));
  MustPass(NearLocatorCreate(one, &locator_one));
  random_points(one, 12, p);
  ask(many, locator_many, p, shared);
  reduce(shared);
  ask(one, locator_one, p, alone);
  bool same = true;
  for (int i = 0; i < POINTS; i++)
    same = same && shared[i].id == alone[i].id && shared[i].excess == alone[i].excess;
  ck_assert(all_ranks(same));
  MustPass(NearLocatorDestroy(&locator_many));
  MustPass(NearLocatorDestroy(&locator_one));
  MustPass(NearGridDestroy(&many));
  MustPass(NearGridDestroy(&one));
}
END_TEST

START_TEST(points_alone_and_together_are_found_alike)
{
  static Vec3 p[POINTS];
  static NearPlace together[POINTS];
  NearGrid *grid = make(PETSC_COMM_WORLD, _i);
  NearLocator *locator = NULL;
  MustPass(NearLocatorCreate(grid, &locator));
  random_points(grid, 13, p);
  near_locator_find_many(locator, POINTS, p, together);
  bool same = true;
  for (int i = 0; i < POINTS; i++) {
    const NearPlace alone = near_locator_find(locator, p[i]);
    same = same && alone.cell == together[i].cell && alone.excess == together[i].excess;
  }
  ck_assert(all_ranks(same));
  MustPass(NearLocatorDestroy(&locator));
  MustPass(NearGridDestroy(&grid));
}
END_TEST

START_TEST(every_rank_that_finds_a_cell_is_among_those_to_ask)
{
  enum { MOST = 64 };
  static Vec3 p[POINTS];
  NearGrid *grid = make(PETSC_COMM_WORLD, _i);
  NearLocator *locator = NULL;
  int me = 0, total[2] = {0, 0};
  MPI_Comm_rank(PETSC_COMM_WORLD, &me);
  MustPass(NearLocatorCreate(grid, &locator));
  random_points(grid, 14, p);
  bool good = true;
  for (int i = 0; i < POINTS; i++) {
    int rank[MOST];
    const int n = near_locator_ranks(locator, p[i], MOST, rank);
    bool asked = false;
    for (int k = 0; k < n; k++) {
      asked = asked || rank[k] == me;
      good = good && (k == 0 || rank[k] > rank[k - 1]);
    }
    const bool found = near_locator_find(locator, p[i]).cell >= 0;
    good = good && (asked || !found) && n <= near_locator_most_ranks(locator);
    good = good && near_locator_ranks(locator, p[i], 1, rank) == (n > 0);
    total[0] += asked;
    total[1] += found;
  }
  ck_assert(all_ranks(good && total[0] >= total[1] && total[1] > 0));
  MustPass(NearLocatorDestroy(&locator));
  MustPass(NearGridDestroy(&grid));
}
END_TEST

START_TEST(points_outside_of_a_grid_say_so)
{
  NearGrid *grid = make(PETSC_COMM_WORLD, _i);
  NearLocator *locator = NULL;
  MustPass(NearLocatorCreate(grid, &locator));
  const double far = 10.0 * box_longest(grid->box);
  const Vec3 out[] = {{far, 0, 0}, {0, -far, 0}, {0, 0, far}, {-1e300, 0, 0}, {NAN, 0, 0}};
  bool good = true;
  for (int i = 0; i < 5; i++) {
    int rank[1];
    const NearPlace place = near_locator_find(locator, out[i]);
    good = good && place.cell == -1 && place.excess == INFINITY;
    good = good && near_locator_ranks(locator, out[i], 1, rank) == 0;
  }
  /* The body itself is no part of the grid around it. */
  if (_i >= CAPSULE) good = good && near_locator_find(locator, vec3(0, 0, 0)).cell == -1;
  ck_assert(all_ranks(good));
  MustPass(NearLocatorDestroy(&locator));
  MustPass(NearGridDestroy(&grid));
}
END_TEST

START_TEST(a_point_that_several_cells_share_goes_to_the_least_of_them)
{
  static Vec3 p[POINTS];
  static Answer found[POINTS];
  const BoxGridSpec spec = {.box = {{0, 0, 0}, {1, 1, 1}}, .n = {8, 8, 8}, .kind = CELL_HEXA};
  BoxGrid *box = NULL;
  NearGrid *many = NULL, *one = NULL;
  NearLocator *locator = NULL;
  MustPass(BoxGridCreate(PETSC_COMM_WORLD, "box", &spec, &box));
  MustPass(NearGridCreate(PETSC_COMM_WORLD, box_grid_input(box), &many));
  MustPass(BoxGridDestroy(&box));
  MustPass(BoxGridCreate(PETSC_COMM_SELF, "box", &spec, &box));
  MustPass(NearGridCreate(PETSC_COMM_SELF, box_grid_input(box), &one));
  MustPass(BoxGridDestroy(&box));
  MustPass(NearLocatorCreate(many, &locator));
  for (int i = 0; i < POINTS; i++)
    p[i] = vec3(0.125 * (i % 9), 0.125 * (i / 9 % 9), 0.125 * (i / 81 % 9));
  ask(many, locator, p, found);
  reduce(found);
  Box cell[512];
  bool same = true;
  for (LocalId c = 0; c < 512; c++) cell[c] = cell_box(one, c);
  for (int i = 0; i < POINTS; i++)
    same = same && found[i].excess == 0.0 && found[i].id == brute(one, cell, p[i]).id;
  ck_assert(all_ranks(same));
  MustPass(NearLocatorDestroy(&locator));
  MustPass(NearGridDestroy(&many));
  MustPass(NearGridDestroy(&one));
}
END_TEST

static RefineSpec boxes[] = {{{0.1, 0.2, 0.1}, {0.9, 0.9, 0.9}, 3}, {{2, 1, 0}, {3, 2, 0.4}, 2}};

/* Of three sizes of domain: one tree, several in a brick, and one that no power of two divides;
 * the spacing is no sum of powers of two. */
static Forest *make_forest(int scene)
{
  static const Vec3 size[] = {{4, 4, 4}, {4, 2, 6}, {3, 5, 2}};
  const double unit = 0.9;
  const Vec3 lo = {-0.3, 0.1, 0.7};
  const OffBodySpec spec = {.given = true,
                            .box = {lo, vec3_axpy(lo, unit, size[scene])},
                            .spacing = unit / 8.0,
                            .n_refine = 2,
                            .refine = boxes,
                            .levels = 4,
                            .patch = 8,
                            .boundaries = {BOUNDARY_PERIODIC, BOUNDARY_PERIODIC}};
  Forest *forest = NULL;
  MustPass(ForestCreate(PETSC_COMM_WORLD, &spec, 0, NULL, &forest));
  return forest;
}

/* Is x at its lower side or above, and below its upper one unless the domain ends there? */
static bool holds_along(double x, double from, double to, double end)
{
  return x >= from && (x < to || (x == to && to == end));
}

/* This rank's patch around a point, each asked in turn. */
static LocalId brute_patch(const Forest *forest, Vec3 x)
{
  const Vec3 end = forest_domain_of(forest)->box.hi;
  for (LocalId c = 0; c < forest_n(forest); c++) {
    PatchPlace place = forest_places(forest)[c];
    const Vec3 lo = forest_corner(forest, place);
    for (int i = 0; i < 3; i++) place.index[i]++;
    const Vec3 hi = forest_corner(forest, place);
    if (holds_along(x.x, lo.x, hi.x, end.x) && holds_along(x.y, lo.y, hi.y, end.y) &&
        holds_along(x.z, lo.z, hi.z, end.z))
      return c;
  }
  return -1;
}

/* Points anywhere in a box around the domain; every other one is pulled to a corner of a patch. */
static Vec3 forest_point(const Forest *forest, Random *random, int i)
{
  const Box b = box_grow(forest_domain_of(forest)->box, 0.2);
  const Vec3 x = {random_in(random, b.lo.x, b.hi.x), random_in(random, b.lo.y, b.hi.y),
                  random_in(random, b.lo.z, b.hi.z)};
  if (i % 2 == 0) return x;
  const Vec3 lo = forest_domain_of(forest)->box.lo;
  const double edge = 8.0 * forest_spacing(forest, 3);
  const PatchPlace place = {3,
                            {(int32_t)lround((x.x - lo.x) / edge),
                             (int32_t)lround((x.y - lo.y) / edge),
                             (int32_t)lround((x.z - lo.z) / edge)}};
  const Vec3 corner = forest_corner(forest, place);
  return i % 4 == 1 ? corner : vec3(corner.x, x.y, corner.z);
}

START_TEST(a_point_of_the_domain_has_one_patch_and_all_ranks_know_whose)
{
  static int owner[POINTS], expected[POINTS];
  Forest *forest = make_forest(_i);
  Random random = random_seeded(21);
  int me = 0, inside = 0;
  bool good = true;
  MPI_Comm_rank(PETSC_COMM_WORLD, &me);
  for (int i = 0; i < POINTS; i++) {
    const Vec3 x = forest_point(forest, &random, i);
    const LocalId plain = brute_patch(forest, x);
    owner[i] = forest_owner(forest, x);
    expected[i] = plain >= 0 ? me : -1;
    good = good && forest_find(forest, x) == plain;
  }
  MPI_Allreduce(MPI_IN_PLACE, expected, POINTS, MPI_INT, MPI_MAX, PETSC_COMM_WORLD);
  for (int i = 0; i < POINTS; i++) {
    good = good && owner[i] == expected[i];
    inside += owner[i] >= 0;
  }
  ck_assert(all_ranks(good));
  ck_assert(all_ranks(inside > POINTS / 4 && inside < POINTS));
  MustPass(ForestDestroy(&forest));
}
END_TEST

START_TEST(the_sides_of_the_domain_belong_to_it_and_what_is_beyond_does_not)
{
  Forest *forest = make_forest(_i);
  const Box b = forest_domain_of(forest)->box;
  const Vec3 mid = box_center(b);
  const Vec3 on[] = {b.lo, b.hi, {b.hi.x, mid.y, mid.z}, {mid.x, b.lo.y, b.hi.z}};
  const Vec3 out[] = {{nextafter(b.hi.x, INFINITY), mid.y, mid.z},
                      {mid.x, nextafter(b.lo.y, -INFINITY), mid.z},
                      {mid.x, mid.y, 1e300},
                      {NAN, mid.y, mid.z}};
  bool good = true;
  for (int i = 0; i < 4; i++) {
    const int mine = forest_find(forest, on[i]) >= 0;
    good = good && forest_owner(forest, on[i]) >= 0;
    good = good && mine == (forest_owner(forest, on[i]) == forest_rank(forest));
    good = good && forest_owner(forest, out[i]) == -1 && forest_find(forest, out[i]) == -1;
  }
  ck_assert(all_ranks(good));
  MustPass(ForestDestroy(&forest));
}
END_TEST

Suite *test_suite(void)
{
  Suite *suite = suite_create("grid/locate");
  TCase *near = tcase_create("near"), *forest = tcase_create("forest");
  tcase_add_loop_test(near, the_cell_of_a_point_is_that_of_a_search_through_all_cells, 0, SCENES);
  tcase_add_loop_test(near, the_cell_of_a_point_does_not_depend_on_the_number_of_ranks, 0, SCENES);
  tcase_add_loop_test(near, points_alone_and_together_are_found_alike, 0, SCENES);
  tcase_add_loop_test(near, every_rank_that_finds_a_cell_is_among_those_to_ask, 0, SCENES);
  tcase_add_loop_test(near, points_outside_of_a_grid_say_so, 0, SCENES);
  tcase_add_test(near, a_point_that_several_cells_share_goes_to_the_least_of_them);
  suite_add_tcase(suite, near);
  tcase_add_loop_test(forest, a_point_of_the_domain_has_one_patch_and_all_ranks_know_whose, 0, 3);
  tcase_add_loop_test(forest, the_sides_of_the_domain_belong_to_it_and_what_is_beyond_does_not, 0,
                      3);
  suite_add_tcase(suite, forest);
  return suite;
}
