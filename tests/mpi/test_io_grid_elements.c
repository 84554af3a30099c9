#include "base/error.h"

#include "cgns_zones.h"
#include "grid/quality.h"
#include "io/grid_file.h"
#include "io/grid_write.h"
#include "support.h"

#include <cgns_io.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NAME "test_io_grid_elements.cgns"
#define OTHER "test_io_grid_elements_other.cgns"

static bool first_rank(void)
{
  int rank = 0;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  return rank == 0;
}

static void remove_file(void)
{
  MPI_Barrier(PETSC_COMM_WORLD);
  if (first_rank()) unlink(NAME);
}

static PetscErrorCode Read(MPI_Comm comm, NearGrid **grid, GridNotes *notes)
{
  const GridFileSpec spec = {.path = NAME, .scale = 1.0};
  return GridFileRead(comm, &spec, grid, notes);
}

static NearGrid *read_both_ways(GridNotes *notes)
{
  NearGrid *many = NULL, *one = NULL;
  uint64_t hash_many = 0, hash_one = 1;
  MPI_Barrier(PETSC_COMM_WORLD);
  MustPass(Read(PETSC_COMM_WORLD, &many, notes));
  MustPass(Read(PETSC_COMM_SELF, &one, notes));
  MustPass(NearGridHash(many, &hash_many));
  MustPass(NearGridHash(one, &hash_one));
  ck_assert(all_ranks(hash_many == hash_one));
  MustPass(NearGridDestroy(&one));
  remove_file();
  return many;
}

static void want(const NearGrid *g, GlobalId n_cells, double volume, const char *patch, int n_faces)
{
  GridQuality quality;
  const int p = near_grid_find_patch(g, patch);
  MustPass(GridQualityCompute(g, &quality));
  ck_assert(all_ranks(g->n_global == n_cells));
  ck_assert(all_ranks(fabs(quality.volume - volume) < TOL_SUM(100, volume)));
  ck_assert(all_ranks(p >= 0 && g->patch[p].n_faces_global == n_faces));
}

/* Two cubes in a row: vertices by x, then y, then z, from one. */
static const cgsize_t cubes[16] = {1, 2, 5, 4, 7, 8, 11, 10, 2, 3, 6, 5, 8, 9, 12, 11};
static const cgsize_t outside[40] = {1, 4, 10, 7, 3,  9,  12, 6, 1,  7,  8,  2, 2, 8,
                                     9, 3, 4,  5, 11, 10, 5,  6, 12, 11, 1,  2, 5, 4,
                                     2, 3, 6,  5, 7,  10, 11, 8, 8,  11, 12, 9};

static int two_cubes(int n_cells)
{
  Vec3 at[12];
  for (int v = 0; v < 12; v++) at[v] = vec3(v % 3, v / 3 % 2, v / 6);
  const int f = zones_start(NAME, 3, 3);
  zones_unstructured(f, "zone", 12, at, n_cells);
  return f;
}

START_TEST(a_boundary_may_be_given_by_ranges_and_lists_of_elements_or_of_vertices)
{
  const CGNS_ENUMT(PointSetType_t)
      set[5] = {CGNS_ENUMV(ElementRange), CGNS_ENUMV(ElementList), CGNS_ENUMV(PointRange),
                CGNS_ENUMV(PointList), CGNS_ENUMV(PointList)};
  GridNotes notes;
  if (first_rank()) {
    const int f = two_cubes(2);
    cgsize_t list[12];
    const bool range = _i == 0 || _i == 2, vertices = _i == 4;
    const int n = vertices ? 12 : range ? 2 : 10;
    for (int i = 0; i < 12; i++) list[i] = vertices ? 1 + i : range ? 3 + 9 * i : 3 + i;
    zones_section(f, 1, "cells", CGNS_ENUMV(HEXA_8), 1, 2, cubes);
    zones_section(f, 1, "quads", CGNS_ENUMV(QUAD_4), 3, 12, outside);
    zones_boundary(f, 1, "bc", "skin", set[_i],
                   vertices || _i < 2 ? CGNS_ENUMV(Vertex) : CGNS_ENUMV(FaceCenter), n, list);
    CgnsMust(cg_close(f));
  }
  NearGrid *g = read_both_ways(&notes);
  want(g, 2, 2.0, "skin", 10);
  ck_assert(all_ranks(g->n_patches == 1 && notes.n == 0));
  MustPass(NearGridDestroy(&g));
}
END_TEST

START_TEST(a_boundary_between_cells_is_said_to_bound_nothing)
{
  GridNotes notes;
  if (first_rank()) {
    const cgsize_t between[4] = {2, 5, 11, 8}, last[2] = {13, 13};
    const int f = two_cubes(2);
    zones_section(f, 1, "cells", CGNS_ENUMV(HEXA_8), 1, 2, cubes);
    zones_section(f, 1, "skin", CGNS_ENUMV(QUAD_4), 3, 12, outside);
    zones_section(f, 1, "inner", CGNS_ENUMV(QUAD_4), 13, 13, between);
    zones_boundary(f, 1, "bc", "baffle", CGNS_ENUMV(PointRange), CGNS_ENUMV(FaceCenter), 2, last);
    CgnsMust(cg_close(f));
  }
  NearGrid *g = read_both_ways(&notes);
  want(g, 2, 2.0, "skin", 10);
  ck_assert(all_ranks(notes.n == 1 && strstr(notes.line[0], "boundary baffle lies between")));
  MustPass(NearGridDestroy(&g));
}
END_TEST

/* The second cube is cut to half along a diagonal: corners that are one. */
START_TEST(a_hexahedron_of_which_corners_are_one_is_a_prism)
{
  GridNotes notes;
  if (first_rank()) {
    cgsize_t corner[16], quads[32];
    const cgsize_t cut[8] = {2, 3, 5, 5, 8, 9, 11, 11}, triangles[6] = {2, 5, 3, 8, 9, 11};
    const cgsize_t slant[4] = {3, 5, 11, 9};
    const int kept[7] = {0, 2, 3, 4, 6, 8, -1};
    for (int i = 0; i < 16; i++) corner[i] = i < 8 ? cubes[i] : cut[i - 8];
    for (int q = 0; q < 7; q++)
      for (int i = 0; i < 4; i++)
        quads[4 * q + i] = kept[q] < 0 ? slant[i] : outside[4 * kept[q] + i];
    const int f = two_cubes(2);
    zones_section(f, 1, "cells", CGNS_ENUMV(HEXA_8), 1, 2, corner);
    zones_section(f, 1, "skin", CGNS_ENUMV(QUAD_4), 3, 9, quads);
    zones_section(f, 1, "rest", CGNS_ENUMV(TRI_3), 10, 11, triangles);
    CgnsMust(cg_close(f));
  }
  NearGrid *g = read_both_ways(&notes);
  want(g, 2, 1.5, "skin", 7);
  MustPass(NearGridDestroy(&g));
}
END_TEST

START_TEST(vertices_name_faces_that_no_element_stands_for)
{
  GridNotes notes;
  if (first_rank()) {
    const int f = two_cubes(2);
    cgsize_t list[12];
    for (int i = 0; i < 12; i++) list[i] = 1 + i;
    zones_section(f, 1, "cells", CGNS_ENUMV(HEXA_8), 1, 2, cubes);
    zones_boundary(f, 1, "all", NULL, CGNS_ENUMV(PointList), CGNS_ENUMV(Vertex), 12, list);
    CgnsMust(cg_close(f));
  }
  NearGrid *g = read_both_ways(&notes);
  want(g, 2, 2.0, "all", 10);
  MustPass(NearGridDestroy(&g));
}
END_TEST

START_TEST(a_section_names_its_faces_if_nothing_else_does)
{
  GridNotes notes;
  if (first_rank()) {
    const int f = two_cubes(2);
    zones_section(f, 1, "left", CGNS_ENUMV(QUAD_4), 1, 1, outside);
    zones_section(f, 1, "rest", CGNS_ENUMV(QUAD_4), 2, 10, outside + 4);
    zones_section(f, 1, "cells", CGNS_ENUMV(HEXA_8), 11, 12, cubes);
    CgnsMust(cg_close(f));
  }
  NearGrid *g = read_both_ways(&notes);
  want(g, 2, 2.0, "left", 1);
  want(g, 2, 2.0, "rest", 9);
  MustPass(NearGridDestroy(&g));
}
END_TEST

START_TEST(elements_of_higher_order_are_reduced_and_this_is_said)
{
  GridNotes notes;
  if (first_rank()) {
    Vec3 at[10] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const int ends[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};
    for (int e = 0; e < 6; e++)
      at[4 + e] = vec3_scale(0.5, vec3_add(at[ends[e][0]], at[ends[e][1]]));
    const cgsize_t cell[10] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    const cgsize_t skin[24] = {1, 3, 2, 7, 6,  5, 1, 2, 4, 5, 9, 8,
                               2, 3, 4, 6, 10, 9, 3, 1, 4, 7, 8, 10};
    const int f = zones_start(NAME, 3, 3);
    zones_unstructured(f, "zone", 10, at, 1);
    zones_section(f, 1, "cell", CGNS_ENUMV(TETRA_10), 1, 1, cell);
    zones_section(f, 1, "skin", CGNS_ENUMV(TRI_6), 2, 5, skin);
    CgnsMust(cg_close(f));
  }
  NearGrid *g = read_both_ways(&notes);
  want(g, 1, 1.0 / 6.0, "skin", 4);
  ck_assert(all_ranks(notes.n == 1 && strstr(notes.line[0], "reduced") != NULL));
  MustPass(NearGridDestroy(&g));
}
END_TEST

/* Two cubes as polygons and polyhedra; signs are left out, as some programs do. */
static void write_polyhedra(void)
{
  cgsize_t corner[44], offset[12], face[12] = {1, 11, 3, 5, 7, 9, 2, 11, 4, 6, 8, 10};
  cgsize_t face_offset[3] = {0, 6, 12}, list[10];
  const cgsize_t middle[4] = {2, 5, 11, 8};
  int s = 0;
  for (int i = 0; i < 40; i++) corner[i] = outside[i];
  for (int i = 0; i < 4; i++) corner[40 + i] = middle[i];
  for (int i = 0; i < 12; i++) offset[i] = 4 * i;
  for (int i = 0; i < 10; i++) list[i] = 1 + i;
  const int f = two_cubes(2);
  CgnsMust(
      cg_poly_section_write(f, 1, 1, "polygons", CGNS_ENUMV(NGON_n), 1, 11, 0, corner, offset, &s));
  CgnsMust(cg_poly_section_write(f, 1, 1, "polyhedra", CGNS_ENUMV(NFACE_n), 12, 13, 0, face,
                                 face_offset, &s));
  zones_boundary(f, 1, "skin", NULL, CGNS_ENUMV(PointList), CGNS_ENUMV(FaceCenter), 10, list);
  CgnsMust(cg_close(f));
}

START_TEST(polyhedra_are_made_of_their_polygons_whatever_the_signs)
{
  GridNotes notes;
  if (first_rank()) write_polyhedra();
  NearGrid *g = read_both_ways(&notes);
  want(g, 2, 2.0, "skin", 10);
  ck_assert(all_ranks(g->n_own == 0 || g->kind[0] == CELL_POLYHEDRON));
  MustPass(NearGridDestroy(&g));
}
END_TEST

/* The layout before version 4: counts among the entries, no offsets. */
static void use_counts(const char *section, int n_lists, int n_each)
{
  int io = 0;
  double root = 0.0, parent = 0.0, node = 0.0;
  char path[128];
  cgsize_t old[64], new[80], n = n_lists *(n_each + 1);
  CgnsMust(cgio_open_file(NAME, CGIO_MODE_MODIFY, CGIO_FILE_NONE, &io));
  CgnsMust(cgio_get_root_id(io, &root));
  snprintf(path, sizeof path, "/base/zone/%s", section);
  CgnsMust(cgio_get_node_id(io, root, path, &parent));
  CgnsMust(cgio_get_node_id(io, parent, "ElementConnectivity", &node));
  CgnsMust(cgio_read_all_data(io, node, old));
  for (int i = 0; i < n_lists; i++) {
    new[i * (n_each + 1)] = n_each;
    for (int k = 0; k < n_each; k++) new[i * (n_each + 1) + 1 + k] = old[i * n_each + k];
  }
  CgnsMust(cgio_set_dimensions(io, node, "I4", 1, &n));
  CgnsMust(cgio_write_all_data(io, node, new));
  CgnsMust(cgio_get_node_id(io, parent, "ElementStartOffset", &node));
  CgnsMust(cgio_delete_node(io, parent, node));
  CgnsMust(cgio_close_file(io));
}

START_TEST(polyhedra_of_older_files_are_read_too)
{
  GridNotes notes;
  if (first_rank()) {
    write_polyhedra();
    use_counts("polygons", 11, 4);
    use_counts("polyhedra", 2, 6);
  }
  NearGrid *g = read_both_ways(&notes);
  want(g, 2, 2.0, "skin", 10);
  MustPass(NearGridDestroy(&g));
}
END_TEST

START_TEST(polyhedra_that_are_written_are_read_back)
{
  GridNotes notes;
  NearGrid *g = NULL, *back = NULL;
  if (first_rank()) write_polyhedra();
  MPI_Barrier(PETSC_COMM_WORLD);
  MustPass(Read(PETSC_COMM_WORLD, &g, &notes));
  remove_file();
  GridWriter *writer = NULL;
  MustPass(GridWriterOpen(g, NAME, &writer));
  MustPass(GridWriterField(writer, "Density", g->volume));
  MustPass(GridWriterClose(&writer));
  back = read_both_ways(&notes);
  want(back, 2, 2.0, "skin", 10);
  MustPass(NearGridDestroy(&g));
  MustPass(NearGridDestroy(&back));
}
END_TEST

/* A cube of its own at x from `from` to from + 1; its quads but the one across. */
static int add_cube(int f, const char *name, double from, int open_quad)
{
  Vec3 at[8];
  static const cgsize_t cell[8] = {1, 2, 4, 3, 5, 6, 8, 7};
  static const cgsize_t quad[6][4] = {{1, 3, 7, 5}, {2, 6, 8, 4}, {1, 5, 6, 2},
                                      {3, 4, 8, 7}, {1, 2, 4, 3}, {5, 7, 8, 6}};
  cgsize_t skin[20];
  int n = 0;
  for (int v = 0; v < 8; v++) at[v] = vec3(from + v % 2, v / 2 % 2, v / 4);
  for (int q = 0; q < 6; q++)
    for (int i = 0; i < 4 && q != open_quad; i++) skin[n++] = quad[q][i];
  const int z = zones_unstructured(f, name, 8, at, 1);
  zones_section(f, z, "cell", CGNS_ENUMV(HEXA_8), 1, 1, cell);
  zones_section(f, z, "skin", CGNS_ENUMV(QUAD_4), 2, 6, skin);
  return z;
}

START_TEST(lists_of_vertices_join_unstructured_zones)
{
  GridNotes notes;
  if (first_rank()) {
    const cgsize_t right[4] = {2, 4, 6, 8}, left[4] = {1, 3, 5, 7};
    const int f = zones_start(NAME, 3, 3);
    int id = 0;
    add_cube(f, "a", 0.0, 1);
    add_cube(f, "b", 1.0 + 1e-2, 0); /* too far to be joined by place */
    CgnsMust(cg_conn_write(f, 1, 1, "ab", CGNS_ENUMV(Vertex), CGNS_ENUMV(Abutting1to1),
                           CGNS_ENUMV(PointList), 4, right, "b", CGNS_ENUMV(Unstructured),
                           CGNS_ENUMV(PointListDonor), CGNS_ENUMV(Integer), 4, left, &id));
    CgnsMust(cg_close(f));
  }
  NearGrid *g = read_both_ways(&notes);
  want(g, 2, 2.0 + 1e-2, "skin", 10);
  ck_assert(all_ranks(notes.n == 0));
  MustPass(NearGridDestroy(&g));
}
END_TEST

/* Faults, each a file that must be refused with this code. */
static void write_faulty(int k)
{
  cgsize_t cell[24];
  memcpy(cell, cubes, sizeof cubes);
  memcpy(cell + 16, cubes, 8 * sizeof *cubes);
  if (k == 3) {
    CgnsMust(cg_close(zones_start(NAME, 2, 2)));
    return;
  }
  const int f = two_cubes(k == 1 ? 3 : 2);
  if (k == 0)
    for (int i = 0; i < 4; i++) { /* the second cube upside down */
      cell[8 + i] = cubes[12 + i];
      cell[12 + i] = cubes[8 + i];
    }
  if (k == 4) cell[3] = 13;
  zones_section(f, 1, "cells", CGNS_ENUMV(HEXA_8), 1, k == 1 ? 3 : 2, cell);
  zones_section(f, 1, "skin", CGNS_ENUMV(QUAD_4), 11, k == 2 ? 19 : 20, outside);
  if (k == 5) CgnsMust(cg_goto(f, 1, "end"));
  if (k == 5) CgnsMust(cg_link_write("beyond", OTHER, "/base/zone"));
  CgnsMust(cg_close(f));
  if (k == 6 && truncate(NAME, 6000) != 0) MPI_Abort(MPI_COMM_WORLD, 1);
}

START_TEST(faulty_files_are_refused_alike_on_all_ranks)
{
  const PetscErrorCode code[7] = {CAROM_ERR_MESH, CAROM_ERR_MESH, CAROM_ERR_MESH, CAROM_ERR_FILE,
                                  CAROM_ERR_FILE, CAROM_ERR_FILE, CAROM_ERR_FILE};
  NearGrid *g = NULL;
  GridNotes notes;
  if (first_rank()) write_faulty(_i);
  MPI_Barrier(PETSC_COMM_WORLD);
  MustFail(code[_i], Read(PETSC_COMM_WORLD, &g, &notes));
  remove_file();
}
END_TEST

Suite *test_suite(void)
{
  Suite *suite = suite_create("io/grid_elements");
  TCase *tests = tcase_create("core");
  tcase_add_loop_test(tests, a_boundary_may_be_given_by_ranges_and_lists_of_elements_or_of_vertices,
                      0, 5);
  tcase_add_test(tests, a_boundary_between_cells_is_said_to_bound_nothing);
  tcase_add_test(tests, a_hexahedron_of_which_corners_are_one_is_a_prism);
  tcase_add_test(tests, vertices_name_faces_that_no_element_stands_for);
  tcase_add_test(tests, a_section_names_its_faces_if_nothing_else_does);
  tcase_add_test(tests, elements_of_higher_order_are_reduced_and_this_is_said);
  tcase_add_test(tests, polyhedra_are_made_of_their_polygons_whatever_the_signs);
  tcase_add_test(tests, polyhedra_of_older_files_are_read_too);
  tcase_add_test(tests, polyhedra_that_are_written_are_read_back);
  tcase_add_test(tests, lists_of_vertices_join_unstructured_zones);
  tcase_add_loop_test(tests, faulty_files_are_refused_alike_on_all_ranks, 0, 7);
  suite_add_tcase(suite, tests);
  return suite;
}
