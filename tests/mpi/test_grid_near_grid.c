#include "base/hash.h"
#include "grid/box_grid.h"
#include "grid/near_grid.h"
#include "support.h"

/* Rounding of sums over the faces of a cell, in units of the box. */
#define TOL_CLOSE 1e-14

static const CellKind kinds[] = {CELL_HEXA, CELL_PRISM, CELL_TETRA};

static BoxGridSpec warped_box(CellKind kind, bool periodic)
{
  return (BoxGridSpec){.box = {{-0.5, 0.0, 1.0}, {0.5, 1.5, 2.0}},
                       .n = {7, 6, 5},
                       .kind = kind,
                       .shake = 0.2,
                       .seed = 7,
                       .periodic = {periodic, periodic, periodic}};
}

static NearGrid *make(MPI_Comm comm, const BoxGridSpec *spec)
{
  BoxGrid *box = NULL;
  NearGrid *grid = NULL;
  MustPass(BoxGridCreate(comm, "box", spec, &box));
  MustPass(NearGridCreate(comm, box_grid_input(box), &grid));
  MustPass(BoxGridDestroy(&box));
  return grid;
}

static double sum_over_ranks(double x)
{
  MPI_Allreduce(MPI_IN_PLACE, &x, 1, MPI_DOUBLE, MPI_SUM, PETSC_COMM_WORLD);
  return x;
}

START_TEST(areas_and_moments_close_around_every_warped_cell)
{
  const BoxGridSpec spec = warped_box(kinds[_i % 3], _i >= 3);
  NearGrid *g = make(PETSC_COMM_WORLD, &spec);
  double worst = 0.0;
  for (LocalId c = 0; c < g->n_own; c++) {
    double sum[6] = {0};
    for (LocalId k = g->face_start[c]; k < g->face_start[c + 1]; k++) {
      const LocalId f = g->face[k];
      const double part[6] = {g->sx[f], g->sy[f], g->sz[f], g->tx[f], g->ty[f], g->tz[f]};
      for (int i = 0; i < 6; i++) sum[i] += g->face_sign[k] * part[i];
    }
    for (int i = 0; i < 6; i++) worst = PetscMax(worst, fabs(sum[i]));
  }
  ck_assert(all_ranks(worst < TOL_CLOSE));
  MustPass(NearGridDestroy(&g));
}
END_TEST

START_TEST(the_cells_fill_the_box_and_balance_about_its_centre)
{
  const BoxGridSpec spec = warped_box(kinds[_i], false);
  NearGrid *g = make(PETSC_COMM_WORLD, &spec);
  double volume = 0.0, first = 0.0;
  for (LocalId c = 0; c < g->n_own; c++) {
    volume += g->volume[c];
    first += g->volume[c] * g->y[c];
  }
  volume = sum_over_ranks(volume);
  first = sum_over_ranks(first);
  ck_assert(fabs(volume - 1.5) < 1e-13);
  ck_assert(fabs(first - 1.5 * 0.75) < 1e-13);
  MustPass(NearGridDestroy(&g));
}
END_TEST

START_TEST(the_grid_does_not_depend_on_the_number_of_ranks)
{
  const BoxGridSpec spec = warped_box(kinds[_i % 3], _i >= 3);
  NearGrid *many = make(PETSC_COMM_WORLD, &spec), *one = make(PETSC_COMM_SELF, &spec);
  uint64_t hash_many = 0, hash_one = 1;
  MustPass(NearGridHash(many, &hash_many));
  MustPass(NearGridHash(one, &hash_one));
  ck_assert(all_ranks(hash_many == hash_one));
  ck_assert(all_ranks(many->n_global == one->n_global));
  MustPass(NearGridDestroy(&many));
  MustPass(NearGridDestroy(&one));
}
END_TEST

START_TEST(faces_point_from_the_lower_cell_to_the_higher)
{
  const BoxGridSpec spec = warped_box(kinds[_i], false);
  NearGrid *g = make(PETSC_COMM_WORLD, &spec);
  bool good = true;
  for (LocalId f = 0; f < g->n_interior; f++) {
    const LocalId l = g->left[f], r = g->right[f];
    const double along = (g->x[r] - g->x[l]) * g->sx[f] + (g->y[r] - g->y[l]) * g->sy[f] +
                         (g->z[r] - g->z[l]) * g->sz[f];
    good = good && g->cell_id[l] < g->cell_id[r] && along > 0.0;
    good = good && (f < g->n_inner) == (l < g->n_own && r < g->n_own);
  }
  ck_assert(all_ranks(good));
  MustPass(NearGridDestroy(&g));
}
END_TEST

START_TEST(boundary_faces_stand_patch_by_patch_and_point_out)
{
  const BoxGridSpec spec = warped_box(kinds[_i], false);
  NearGrid *g = make(PETSC_COMM_WORLD, &spec);
  bool good = g->n_patches == 6;
  LocalId f = g->n_interior;
  for (int p = 0; p < g->n_patches; p++) {
    const double *s[3] = {g->sx, g->sy, g->sz};
    good = good && g->patch[p].first_face == f;
    for (; f < g->patch[p].first_face + g->patch[p].n_faces; f++)
      good = good && g->right[f] == -1 && (p % 2 ? 1.0 : -1.0) * s[p / 2][f] > 0.0;
  }
  good = good && f == g->n_faces && near_grid_find_patch(g, "ymax") == 3;
  const GlobalId squares = g->patch[4].n_faces_global;
  ck_assert(all_ranks(good && squares == (kinds[_i] == CELL_HEXA ? 42 : 84)));
  MustPass(NearGridDestroy(&g));
}
END_TEST

START_TEST(the_halo_brings_the_values_of_its_owners)
{
  const BoxGridSpec spec = warped_box(CELL_PRISM, _i == 1);
  NearGrid *g = make(PETSC_COMM_WORLD, &spec);
  double *u = NULL;
  MustPass(PetscCalloc1(2 * (size_t)g->n_local, &u));
  for (LocalId c = 0; c < g->n_own; c++) {
    u[2 * c] = (double)g->cell_id[c];
    u[2 * c + 1] = -2.0 * (double)g->cell_id[c];
  }
  double *const record[] = {u, u + 1};
  MustPass(ExchangeUpdate(g->halo, 2, 2, record));
  bool good = true;
  for (LocalId c = 0; c < g->n_local; c++)
    good = good && u[2 * c] == (double)g->cell_id[c] && u[2 * c + 1] == -2.0 * u[2 * c];
  ck_assert(all_ranks(good));
  MustPass(PetscFree(u));
  MustPass(NearGridDestroy(&g));
}
END_TEST

START_TEST(a_periodic_box_has_no_boundary_and_images_stand_beside_their_faces)
{
  const BoxGridSpec spec = warped_box(kinds[_i], true);
  NearGrid *g = make(PETSC_COMM_WORLD, &spec);
  bool good = g->n_faces == g->n_interior;
  for (LocalId f = 0; f < g->n_faces; f++) {
    const LocalId l = g->left[f], r = g->right[f];
    const Vec3 across = {g->x[r] - g->x[l], g->y[r] - g->y[l], g->z[r] - g->z[l]};
    good = good && vec3_norm(across) < 0.5;
    good = good && vec3_dot(across, vec3(g->sx[f], g->sy[f], g->sz[f])) > 0.0;
  }
  ck_assert(all_ranks(good));
  MustPass(NearGridDestroy(&g));
}
END_TEST

/* The same box with `given` pairs of sides, or with the six sides named and the pairs to be found.
 */
static NearGrid *make_joined(MPI_Comm comm, CellKind kind, bool found)
{
  static const int sides[] = {0, 1, 2, 3, 4, 5};
  const BoxGridSpec spec = warped_box(kind, true);
  BoxGrid *box = NULL;
  NearGrid *grid = NULL;
  MustPass(BoxGridCreate(comm, "box", &spec, &box));
  GridInput input = *box_grid_input(box);
  if (found) input.n_periodic = 0, input.n_joined = 6, input.joined = sides;
  MustPass(NearGridCreate(comm, &input, &grid));
  MustPass(BoxGridDestroy(&box));
  return grid;
}

START_TEST(periodic_sides_find_their_opposites)
{
  NearGrid *given = make_joined(PETSC_COMM_WORLD, kinds[_i], false);
  NearGrid *found = make_joined(PETSC_COMM_WORLD, kinds[_i], true);
  bool good = found->n_faces == found->n_interior && found->n_faces == given->n_faces;
  for (LocalId f = 0; good && f < given->n_faces; f++)
    good = given->left[f] == found->left[f] && given->right[f] == found->right[f];
  for (LocalId c = 0; good && c < given->n_local; c++)
    good = fabs(given->x[c] - found->x[c]) < TOL_CLOSE * 10 &&
           fabs(given->y[c] - found->y[c]) < TOL_CLOSE * 10 &&
           fabs(given->z[c] - found->z[c]) < TOL_CLOSE * 10;
  ck_assert(all_ranks(good));
  MustPass(NearGridDestroy(&given));
  MustPass(NearGridDestroy(&found));
}
END_TEST

START_TEST(a_periodic_side_without_an_opposite_is_refused)
{
  static const int sides[] = {0, 3}; /* xmin, ymax */
  BoxGridSpec spec = warped_box(CELL_HEXA, false);
  BoxGrid *box = NULL;
  NearGrid *grid = NULL;
  MustPass(BoxGridCreate(PETSC_COMM_WORLD, "box", &spec, &box));
  GridInput input = *box_grid_input(box);
  input.n_joined = 2, input.joined = sides;
  MustFail(CAROM_ERR_MESH, NearGridCreate(PETSC_COMM_WORLD, &input, &grid));
  MustPass(BoxGridDestroy(&box));
}
END_TEST

Suite *test_suite(void)
{
  Suite *suite = suite_create("grid/near_grid");
  TCase *tests = tcase_create("core");
  tcase_add_loop_test(tests, areas_and_moments_close_around_every_warped_cell, 0, 6);
  tcase_add_loop_test(tests, the_cells_fill_the_box_and_balance_about_its_centre, 0, 3);
  tcase_add_loop_test(tests, the_grid_does_not_depend_on_the_number_of_ranks, 0, 6);
  tcase_add_loop_test(tests, faces_point_from_the_lower_cell_to_the_higher, 0, 3);
  tcase_add_loop_test(tests, boundary_faces_stand_patch_by_patch_and_point_out, 0, 3);
  tcase_add_loop_test(tests, the_halo_brings_the_values_of_its_owners, 0, 2);
  tcase_add_loop_test(tests, a_periodic_box_has_no_boundary_and_images_stand_beside_their_faces, 0,
                      3);
  tcase_add_loop_test(tests, periodic_sides_find_their_opposites, 0, 3);
  tcase_add_test(tests, a_periodic_side_without_an_opposite_is_refused);
  suite_add_tcase(suite, tests);
  return suite;
}
