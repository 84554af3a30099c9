#include "io/surface_file.h"
#include "support.h"

#include <cgns_io.h>
#include <cgnslib.h>
#include <string.h>
#include <unistd.h>

#define NAME "test_io_cgns_surface.cgns"

/* The unit cube: corners are numbered by their bits x, y, z; quads run outward. */
static const cgsize_t quads[24] = {1, 3, 4, 2, 5, 6, 8, 7, 1, 2, 6, 5,
                                   3, 7, 8, 4, 1, 5, 7, 3, 2, 4, 8, 6};

static void write_corners(int f, int b, int z)
{
  double x[8];
  const char *names[3] = {"CoordinateX", "CoordinateY", "CoordinateZ"};
  for (int d = 0; d < 3; d++) {
    int id = 0;
    for (int v = 0; v < 8; v++) x[v] = v >> d & 1;
    ck_assert_int_eq(cg_coord_write(f, b, z, CGNS_ENUMV(RealDouble), names[d], x, &id), CG_OK);
  }
}

/* A file with one base and one zone of eight vertices and no elements yet. */
static int start_file(int cell_dim, const char *base)
{
  int f = 0, b = 0, z = 0;
  const cgsize_t size[3] = {8, 6, 0};
  ck_assert_int_eq(cg_open(NAME, CG_MODE_WRITE, &f), CG_OK);
  ck_assert_int_eq(cg_base_write(f, base, cell_dim, 3, &b), CG_OK);
  ck_assert_int_eq(cg_zone_write(f, b, "zone", size, CGNS_ENUMV(Unstructured), &z), CG_OK);
  write_corners(f, b, z);
  return f;
}

static void write_quads(int f, const char *name, int first, int n)
{
  int s = 0;
  ck_assert_int_eq(cg_section_write(f, 1, 1, name, CGNS_ENUMV(QUAD_4), first + 1, first + n, 0,
                                    quads + 4 * first, &s),
                   CG_OK);
}

static PetscErrorCode Read(int n, const char *names[], SurfaceReport *report, Surface **surface)
{
  const ShapeSpec spec = {.kind = SHAPE_CGNS, .file = NAME, .scale = 2.0, .families = {n, names}};
  return SurfaceRead(PETSC_COMM_SELF, &spec, report, surface);
}

static void want_cube(int n, const char *names[])
{
  SurfaceReport report;
  Surface *s = NULL;
  MustPass(Read(n, names, &report, &s));
  MustPass(SurfaceRequireSound(PETSC_COMM_SELF, NAME, &report));
  ck_assert_int_eq(s->n_triangles, 12);
  ck_assert_int_eq(s->n_vertices, 8);
  ck_assert_double_le(fabs(surface_mass_properties(s).volume - 8), TOL_ROUND(8));
  MustPass(SurfaceDestroy(&s));
}

START_TEST(a_surface_file_of_quads_is_read_whole)
{
  const int f = start_file(2, "surface");
  write_quads(f, "sides", 0, 6);
  cg_close(f);
  const char *section[] = {"sides"}, *zone[] = {"zone"};
  want_cube(0, NULL);
  want_cube(1, section);
  want_cube(1, zone);
}
END_TEST

START_TEST(mixed_sections_give_triangles_and_quads)
{
  cgsize_t data[5 * 5 + 2 * 4], offset[8] = {0};
  for (int q = 0; q < 5; q++) {
    data[5 * q] = CGNS_ENUMV(QUAD_4);
    for (int k = 0; k < 4; k++) data[5 * q + 1 + k] = quads[4 * q + k];
    offset[q + 1] = 5 * (q + 1);
  }
  const cgsize_t rest[8] = {CGNS_ENUMV(TRI_3), 2, 4, 8, CGNS_ENUMV(TRI_3), 2, 8, 6};
  memcpy(data + 25, rest, sizeof rest);
  offset[6] = 29;
  offset[7] = 33;
  const int f = start_file(2, "surface");
  int s = 0;
  ck_assert_int_eq(
      cg_poly_section_write(f, 1, 1, "all", CGNS_ENUMV(MIXED), 1, 7, 0, data, offset, &s), CG_OK);
  cg_close(f);
  want_cube(0, NULL);
}
END_TEST

/* A volume zone with one section of all faces and boundary conditions over them. */
static void write_boundaries(bool on_vertices)
{
  const int f = start_file(3, "volume");
  write_quads(f, "faces", 0, 6);
  const cgsize_t low[3] = {1, 2, 3}, range[2] = {4, 6}, vertex[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  int bc = 0;
  if (on_vertices) {
    cg_boco_write(f, 1, 1, "low", CGNS_ENUMV(BCWall), CGNS_ENUMV(PointList), 8, vertex, &bc);
  } else {
    cg_boco_write(f, 1, 1, "low", CGNS_ENUMV(BCWall), CGNS_ENUMV(PointList), 3, low, &bc);
    cg_boco_gridlocation_write(f, 1, 1, bc, CGNS_ENUMV(FaceCenter));
    cg_boco_write(f, 1, 1, "high", CGNS_ENUMV(BCWall), CGNS_ENUMV(PointRange), 2, range, &bc);
    cg_boco_gridlocation_write(f, 1, 1, bc, CGNS_ENUMV(FaceCenter));
    ck_assert_int_eq(cg_goto(f, 1, "Zone_t", 1, "ZoneBC_t", 1, "BC_t", bc, "end"), CG_OK);
    cg_famname_write("fins");
  }
  cg_close(f);
}

START_TEST(families_pick_the_faces_of_their_boundary_conditions)
{
  write_boundaries(false);
  const char *both[] = {"low", "fins"};
  want_cube(2, both);
  SurfaceReport report;
  Surface *s = NULL;
  MustPass(Read(1, both, &report, &s));
  ck_assert_int_eq(s->n_triangles, 6);
  ck_assert_int_gt(report.open.n, 0);
  MustFail(PETSC_ERR_USER_INPUT, SurfaceRequireSound(PETSC_COMM_SELF, NAME, &report));
  MustPass(SurfaceDestroy(&s));
}
END_TEST

START_TEST(boundary_conditions_on_vertices_pick_faces_with_all_corners)
{
  write_boundaries(true);
  const char *names[] = {"low"};
  want_cube(1, names);
}
END_TEST

static char message[2000];

static PetscErrorCode keep_message(MPI_Comm comm, int line, const char *function, const char *file,
                                   PetscErrorCode code, PetscErrorType type, const char *text,
                                   void *context)
{
  (void)comm, (void)line, (void)function, (void)file, (void)context;
  if (type == PETSC_ERROR_INITIAL) snprintf(message, sizeof message, "%s", text);
  return code;
}

START_TEST(a_family_that_is_not_there_is_refused_and_the_others_are_listed)
{
  write_boundaries(false);
  const char *names[] = {"low", "wings"};
  SurfaceReport report;
  Surface *s = NULL;
  PetscPushErrorHandler(keep_message, NULL);
  const int code = (int)Read(2, names, &report, &s);
  PetscPopErrorHandler();
  ck_assert_int_eq(code, PETSC_ERR_USER_INPUT);
  ck_assert_str_eq(message, NAME ": no family wings, it has faces, low, high, fins");
}
END_TEST

START_TEST(a_file_stamped_by_a_later_library_is_read_through_a_copy)
{
  const int f = start_file(2, "surface");
  write_quads(f, "sides", 0, 6);
  cg_close(f);
  int io = 0;
  double root = 0, node = 0;
  const float later = 4.4f;
  ck_assert_int_eq(cgio_open_file(NAME, CGIO_MODE_MODIFY, CGIO_FILE_NONE, &io), CGIO_ERR_NONE);
  cgio_get_root_id(io, &root);
  ck_assert_int_eq(cgio_get_node_id(io, root, "CGNSLibraryVersion", &node), CGIO_ERR_NONE);
  ck_assert_int_eq(cgio_write_all_data(io, node, &later), CGIO_ERR_NONE);
  cgio_close_file(io);
  int refused = 0;
  ck_assert_int_ne(cg_open(NAME, CG_MODE_READ, &refused), CG_OK);
  want_cube(0, NULL);
}
END_TEST

START_TEST(structured_surface_zones_are_sheets_of_quads)
{
  int f = 0, b = 0;
  ck_assert_int_eq(cg_open(NAME, CG_MODE_WRITE, &f), CG_OK);
  cg_base_write(f, "surface", 2, 3, &b);
  for (int q = 0; q < 6; q++) {
    char name[16];
    snprintf(name, sizeof name, "side%d", q);
    const cgsize_t size[6] = {2, 2, 1, 1, 0, 0};
    const cgsize_t *c = quads + 4 * q;
    const int corner[4] = {(int)c[0] - 1, (int)c[1] - 1, (int)c[3] - 1, (int)c[2] - 1};
    int z = 0, id = 0;
    cg_zone_write(f, b, name, size, CGNS_ENUMV(Structured), &z);
    for (int d = 0; d < 3; d++) {
      double x[4];
      for (int k = 0; k < 4; k++) x[k] = corner[k] >> d & 1;
      cg_coord_write(f, b, z, CGNS_ENUMV(RealDouble),
                     (const char *[]){"CoordinateX", "CoordinateY", "CoordinateZ"}[d], x, &id);
    }
  }
  cg_close(f);
  want_cube(0, NULL);
}
END_TEST

START_TEST(a_quad_is_cut_along_its_shorter_diagonal_from_whichever_corner_it_starts)
{
  for (int turn = 0; turn < 4; turn++) {
    const int f = start_file(2, "surface");
    const int ring[4] = {1, 2, 4, 7}; /* corners 1, 2, 4 of the floor and 7, which is far */
    cgsize_t quad[4];
    for (int k = 0; k < 4; k++) quad[k] = ring[(k + turn) % 4];
    int s = 0;
    cg_section_write(f, 1, 1, "q", CGNS_ENUMV(QUAD_4), 1, 1, 0, quad, &s);
    cg_close(f);
    SurfaceReport report;
    Surface *surface = NULL;
    MustPass(Read(0, NULL, &report, &surface));
    ck_assert_int_eq(surface->n_triangles, 2);
    ck_assert_double_le(fabs(report.longest_edge - 2 * sqrt(2)), TOL_ROUND(4));
    MustPass(SurfaceDestroy(&surface));
  }
}
END_TEST

START_TEST(files_that_are_not_cgns_are_refused)
{
  const char *contents[] = {"", "hello", "version https://git-lfs.github.com/spec/v1\noid 1\n",
                            "\x89HDF\r\n\x1a\n and then nothing sensible at all, only words"};
  SurfaceReport report;
  Surface *s = NULL;
  for (int k = 0; k < 4; k++) {
    FILE *out = fopen(NAME, "w");
    fputs(contents[k], out);
    fclose(out);
    MustFail(CAROM_ERR_FILE, Read(0, NULL, &report, &s));
  }
  remove(NAME);
  MustFail(CAROM_ERR_FILE, Read(0, NULL, &report, &s));
  const ShapeSpec folder = {.kind = SHAPE_CGNS, .file = ".", .scale = 1};
  MustFail(CAROM_ERR_FILE, SurfaceRead(PETSC_COMM_SELF, &folder, &report, &s));
  const ShapeSpec stl = {.kind = SHAPE_STL, .file = ".", .scale = 1};
  MustFail(CAROM_ERR_FILE, SurfaceRead(PETSC_COMM_SELF, &stl, &report, &s));
}
END_TEST

START_TEST(every_cut_of_a_file_is_refused_or_read_but_never_crashes)
{
  const int f = start_file(2, "surface");
  write_quads(f, "sides", 0, 6);
  cg_close(f);
  FILE *in = fopen(NAME, "rb");
  static char bytes[1 << 17];
  const size_t n = fread(bytes, 1, sizeof bytes, in);
  fclose(in);
  for (int k = 1; k < 12; k++) {
    FILE *out = fopen(NAME, "wb");
    fwrite(bytes, 1, n * k / 12, out);
    fclose(out);
    SurfaceReport report;
    Surface *s = NULL;
    PetscPushErrorHandler(PetscReturnErrorHandler, NULL);
    const int code = (int)Read(0, NULL, &report, &s);
    PetscPopErrorHandler();
    ck_assert(code == PETSC_SUCCESS || code == CAROM_ERR_FILE);
    MustPass(SurfaceDestroy(&s));
  }
  remove(NAME);
}
END_TEST

/* Meshes that other programs wrote, beside the project where they are at hand. */
START_TEST(meshes_of_other_programs_can_be_read)
{
  const struct {
    const char *file, *family;
    int n_triangles;
  } rows[] = {{"su2_cylinder3D.cgns", "CYLINDER_UP", 1040},
              {"hopr_spheremesh01.cgns", "BC_sphere", 12},
              {"cgns_vers-3000.cgns", "Walls", 1920},
              {"cgns_vers-4400.cgns", "Walls", 1920},
              {"msh2cgns_3D_mixed_29v_39e.cgns", "NORTH", 6}};
  const char *top = getenv("srcdir");
  for (int k = 0; k < 5; k++) {
    char path[1000];
    snprintf(path, sizeof path, "%s/../shared/meshes/%s", top != NULL ? top : ".", rows[k].file);
    if (access(path, R_OK) != 0) continue;
    const char *names[] = {rows[k].family};
    const ShapeSpec spec = {.kind = SHAPE_CGNS, .file = path, .scale = 1, .families = {1, names}};
    SurfaceReport report;
    Surface *s = NULL;
    MustPass(SurfaceRead(PETSC_COMM_SELF, &spec, &report, &s));
    ck_assert_int_eq(report.n_given, rows[k].n_triangles);
    MustPass(SurfaceDestroy(&s));
  }
}
END_TEST

Suite *test_suite(void)
{
  Suite *suite = suite_create("io/cgns_surface");
  TCase *tests = tcase_create("core");

  tcase_add_test(tests, a_surface_file_of_quads_is_read_whole);
  tcase_add_test(tests, mixed_sections_give_triangles_and_quads);
  tcase_add_test(tests, families_pick_the_faces_of_their_boundary_conditions);
  tcase_add_test(tests, boundary_conditions_on_vertices_pick_faces_with_all_corners);
  tcase_add_test(tests, a_family_that_is_not_there_is_refused_and_the_others_are_listed);
  tcase_add_test(tests, a_file_stamped_by_a_later_library_is_read_through_a_copy);
  tcase_add_test(tests, structured_surface_zones_are_sheets_of_quads);
  tcase_add_test(tests, a_quad_is_cut_along_its_shorter_diagonal_from_whichever_corner_it_starts);
  tcase_add_test(tests, files_that_are_not_cgns_are_refused);
  tcase_add_test(tests, every_cut_of_a_file_is_refused_or_read_but_never_crashes);
  tcase_add_test(tests, meshes_of_other_programs_can_be_read);
  suite_add_tcase(suite, tests);
  return suite;
}
