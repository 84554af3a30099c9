#include "grid/box_grid.h"
#include "grid/quality.h"
#include "io/grid_file.h"
#include "io/grid_write.h"
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NAME "test_io_grid_file.cgns"

static const CellKind kinds[] = {CELL_HEXA, CELL_PRISM, CELL_TETRA};

static NearGrid *make_box(CellKind kind)
{
  const BoxGridSpec spec = {
      .box = {{0, 0, 0}, {1, 2, 1}}, .n = {4, 5, 3}, .kind = kind, .shake = 0.2, .seed = 3};
  BoxGrid *box = NULL;
  NearGrid *grid = NULL;
  MustPass(BoxGridCreate(PETSC_COMM_WORLD, "box", &spec, &box));
  MustPass(NearGridCreate(PETSC_COMM_WORLD, box_grid_input(box), &grid));
  MustPass(BoxGridDestroy(&box));
  return grid;
}

static PetscErrorCode Read(MPI_Comm comm, const char *path, NearGrid **grid)
{
  const GridFileSpec spec = {.path = path, .scale = 1.0};
  GridNotes notes;
  return GridFileRead(comm, &spec, grid, &notes);
}

static uint64_t hash_of(const NearGrid *grid)
{
  uint64_t hash = 0;
  MustPass(NearGridHash(grid, &hash));
  return hash;
}

/* Rank 0 alone removes files; the others must have closed them. */
static void remove_file(const char *path)
{
  int rank = 0;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  MPI_Barrier(PETSC_COMM_WORLD);
  if (rank == 0) unlink(path);
  MPI_Barrier(PETSC_COMM_WORLD);
}

START_TEST(a_grid_that_is_written_is_read_back_to_the_bit)
{
  NearGrid *grid = make_box(kinds[_i]), *back = NULL;
  MustPass(GridFileWrite(grid, NAME));
  MustPass(Read(PETSC_COMM_WORLD, NAME, &back));
  const bool same = hash_of(grid) == hash_of(back);
  ck_assert(all_ranks(same && back->n_patches == 6 && near_grid_find_patch(back, "zmax") == 5));
  MustPass(NearGridDestroy(&grid));
  MustPass(NearGridDestroy(&back));
  remove_file(NAME);
}
END_TEST

/* cgnscheck leaves with 0 even when it finds errors: look for the word. */
static bool checker_is_content(const char *path)
{
  char command[256], line[512];
  bool good = true, ended = false;
  snprintf(command, sizeof command, "cgnscheck %s 2>&1", path);
  FILE *in = popen(command, "r");
  while (in != NULL && fgets(line, sizeof line, in) != NULL) {
    good = good && strstr(line, "ERROR") == NULL;
    ended = ended || strstr(line, "checking complete") != NULL;
    if (strstr(line, "not found") != NULL) ended = true;
  }
  if (in != NULL) pclose(in);
  return good && ended;
}

START_TEST(the_checker_of_cgns_accepts_grid_and_fields)
{
  NearGrid *grid = make_box(kinds[_i]);
  GridWriter *writer = NULL;
  int rank = 0, good = 1;
  MustPass(GridWriterOpen(grid, NAME, &writer));
  MustPass(GridWriterField(writer, "Density", grid->volume));
  MustPass(GridWriterField(writer, "Pressure", grid->x));
  MustPass(GridWriterClose(&writer));
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  if (rank == 0) good = checker_is_content(NAME);
  ck_assert(all_ranks(good));
  MustPass(NearGridDestroy(&grid));
  remove_file(NAME);
}
END_TEST

/* Files of several programs; see the names. Code 0: read, with cells, patches and volume. */
static const struct {
  const char *file;
  PetscErrorCode code;
  int n_cells, n_patches;
  double volume, tolerance; /* relative; coordinates may be of single precision */
} rows[] = {
    {"bcube_RG15.cgns", CAROM_ERR_FILE, 0, 0, 0, 0},
    {"cgns_vers-3000.cgns", 0, 2560, 3, 2560.0, 1e-12},
    {"cgns_vers-4400.cgns", 0, 2560, 3, 2560.0, 1e-12},
    {"hopr_sphere_agglo_S3.cgns", 0, 21168, 4, 7.3541973e12, 1e-6},
    {"hopr_spheremesh01.cgns", 0, 113, 4, 4.91518e13, 1e-5},
    {"mdolab_block_4x2x3.cgns", CAROM_ERR_MESH, 0, 0, 0, 0},
    {"msh2cgns_3D_mixed_29v_39e.cgns", 0, 39, 6, 1.0, 1e-12},
    {"pycgns_5blocks.cgns", CAROM_ERR_MESH, 0, 0, 0, 0},
    {"su2_cylinder3D.cgns", 0, 27591, 6, 0.24611273, 1e-6},
};

START_TEST(files_of_other_programs_are_read_or_refused_alike_on_all_ranks)
{
  char path[512];
  const char *top = getenv("srcdir");
  snprintf(path, sizeof path, "%s/../shared/meshes/%s", top != NULL ? top : ".", rows[_i].file);
  if (access(path, R_OK) != 0) return;
  NearGrid *many = NULL, *one = NULL;
  GridQuality quality;
  if (rows[_i].code != 0) {
    MustFail(rows[_i].code, Read(PETSC_COMM_WORLD, path, &many));
    return;
  }
  MustPass(Read(PETSC_COMM_WORLD, path, &many));
  MustPass(Read(PETSC_COMM_SELF, path, &one));
  MustPass(GridQualityCompute(many, &quality));
  const double off = fabs(quality.volume - rows[_i].volume);
  const bool same = hash_of(many) == hash_of(one);
  ck_assert(all_ranks(same && off < rows[_i].tolerance * rows[_i].volume));
  ck_assert(all_ranks(many->n_global == rows[_i].n_cells && many->n_patches == rows[_i].n_patches));
  MustPass(NearGridDestroy(&many));
  MustPass(NearGridDestroy(&one));
}
END_TEST

START_TEST(a_scale_and_an_origin_move_the_grid)
{
  NearGrid *grid = make_box(CELL_PRISM), *back = NULL;
  const GridFileSpec spec = {.path = NAME, .scale = 2.0, .origin = {1, 0, 0}};
  GridNotes notes;
  GridQuality quality;
  MustPass(GridFileWrite(grid, NAME));
  MustPass(GridFileRead(PETSC_COMM_WORLD, &spec, &back, &notes));
  MustPass(GridQualityCompute(back, &quality));
  ck_assert(all_ranks(fabs(quality.volume - 16.0) < TOL_SUM(400, 16.0) && notes.n == 0));
  ck_assert(all_ranks(back->box.lo.x == -1.0 && back->box.hi.x == 1.0 && back->box.hi.y == 4.0));
  MustPass(NearGridDestroy(&grid));
  MustPass(NearGridDestroy(&back));
  remove_file(NAME);
}
END_TEST

Suite *test_suite(void)
{
  Suite *suite = suite_create("io/grid_file");
  TCase *tests = tcase_create("core");
  tcase_add_loop_test(tests, a_grid_that_is_written_is_read_back_to_the_bit, 0, 3);
  tcase_add_loop_test(tests, the_checker_of_cgns_accepts_grid_and_fields, 0, 3);
  tcase_add_loop_test(tests, files_of_other_programs_are_read_or_refused_alike_on_all_ranks, 0,
                      (int)(sizeof rows / sizeof *rows));
  tcase_add_test(tests, a_scale_and_an_origin_move_the_grid);
  suite_add_tcase(suite, tests);
  return suite;
}
