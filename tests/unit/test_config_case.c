#include "config/case.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>

#define TIME "time: {step: 0.1, end: 1}\n"
#define BALL "bodies: [{name: a, mass: 1, shape: {kind: sphere, radius: 1}}]\n"

static CaseFile *parse(const char *text)
{
  CaseFile *file = NULL;
  MustPass(CaseFileCreate("c.yaml", text, strlen(text), &file));
  return file;
}

/* The whole case of tests/cases; to be freed. */
static char *read_contract(void)
{
  char path[4096];
  const char *top = getenv("srcdir");
  snprintf(path, sizeof path, "%s/tests/cases/contract.yaml", top != NULL ? top : ".");
  FILE *in = fopen(path, "r");
  ck_assert_msg(in != NULL, "cannot read %s", path);
  char *text = calloc(1, 1 << 16);
  ck_assert(fread(text, 1, (1 << 16) - 1, in) > 0);
  fclose(in);
  return text;
}

static CaseFile *parse_contract(void)
{
  char *text = read_contract();
  CaseFile *file = parse(text);
  free(text);
  for (int k = 0; k < case_file_complaints(file); k++) puts(case_file_complaint(file, k));
  ck_assert_int_eq(case_file_complaints(file), 0);
  ck_assert_int_eq(case_file_warnings(file), 0);
  return file;
}

static bool is_vec(Vec3 v, double x, double y, double z)
{
  return v.x == x && v.y == y && v.z == z;
}

static bool is_list(const NameList *list, const char *first, const char *second)
{
  return list->n == (second != NULL ? 2 : 1) && strcmp(list->name[0], first) == 0 &&
         (second == NULL || strcmp(list->name[1], second) == 0);
}

START_TEST(a_full_free_body_is_read_value_by_value)
{
  CaseFile *file = parse_contract();
  const Case *c = case_file_case(file);
  const BodySpec *a = &c->bodies[0];
  ck_assert_str_eq(c->title, "two bodies, off-centre");
  ck_assert(is_vec(c->gravity, 0, 0, -9.81) && c->time.step == 1e-3 && c->time.end == 2);
  ck_assert_int_eq(c->n_bodies, 8);
  ck_assert_str_eq(a->name, "a");
  ck_assert(a->shape.kind == SHAPE_CYLINDER && a->shape.radius == 0.5 && a->shape.length == 1.2);
  ck_assert(is_vec(a->shape.axis, 0, 2, 0) && a->shape.spacing == 0.05);
  ck_assert(a->mass == 1.5 && isnan(a->density) && a->n_inertia == 3 && a->inertia[2] == 0.25);
  ck_assert(is_vec(a->center, 0, 0, 0.125) && is_vec(a->position, 1, 2, 3));
  ck_assert_double_le(fabs(a->attitude.w - cos(M_PI / 12)), TOL_ROUND(1));
  ck_assert_double_le(fabs(a->attitude.z - sin(M_PI / 12)), TOL_ROUND(1));
  ck_assert(is_vec(a->velocity, 1, 0, -1) && is_vec(a->spin, 0, 0, 4) && isnan(a->spin_body.x));
  ck_assert(a->motion == MOTION_FREE && a->release == 0.25);
  ck_assert(a->restitution == 0.9 && a->friction == 0.1 && a->young == 7e10 && a->poisson == 0.3);
  MustPass(CaseFileDestroy(&file));
}
END_TEST

START_TEST(loads_of_every_form_are_read)
{
  CaseFile *file = parse_contract();
  const BodySpec *a = &case_file_case(file)->bodies[0];
  const LoadSpec *push = &a->loads[0], *drag = &a->loads[1], *table = &a->loads[2];
  ck_assert_int_eq(a->n_loads, 3);
  ck_assert(is_vec(push->force, 0, 0, -1e4) && is_vec(push->moment, 1, 2, 3));
  ck_assert(is_vec(push->at, 0.2, 0, 0) && push->frame == FRAME_INERTIAL);
  ck_assert(push->from == 0.01 && push->to == 0.05 && push->stroke == 0.1);
  ck_assert_str_eq(push->relative_to, "carrier");
  ck_assert(push->table == NULL && isnan(push->drag.cd));
  ck_assert(drag->drag.cd == 0.5 && drag->drag.area == 0.785 && drag->drag.density == 1);
  ck_assert(is_vec(drag->force, 0, 0, 0) && drag->from == 0 && isinf(drag->to));
  ck_assert_str_eq(table->table, "force.csv");
  ck_assert(isinf(table->stroke) && table->relative_to == NULL && table->frame == FRAME_BODY);
  MustPass(CaseFileDestroy(&file));
}
END_TEST

START_TEST(shapes_and_motions_of_every_kind_are_read)
{
  CaseFile *file = parse_contract();
  const BodySpec *b = case_file_case(file)->bodies;
  ck_assert(b[1].shape.kind == SHAPE_CGNS && b[1].shape.scale == 0.001);
  ck_assert_str_eq(b[1].shape.file, "carrier.cgns");
  ck_assert(is_list(&b[1].shape.families, "wing", "pylon") && b[1].motion == MOTION_PRESCRIBED);
  ck_assert_str_eq(b[1].motion_table, "motion.csv");
  ck_assert(isnan(b[1].velocity.x) && isnan(b[1].spin.x));
  ck_assert(b[2].shape.kind == SHAPE_BOX && is_vec(b[2].shape.size, 1, 2, 3));
  ck_assert(b[2].density == 2700 && b[2].n_inertia == 6 && b[2].inertia[5] == 0.3);
  ck_assert(b[2].motion == MOTION_AXIS && is_vec(b[2].axis, 0, 0, 1) && isnan(b[2].velocity.x));
  const double degree = M_PI / 180;
  const Quat turned = quat_from_euler(10 * degree, 20 * degree, 30 * degree);
  ck_assert_double_le(quat_norm(quat_axpy(turned, -1, b[2].attitude)), TOL_ROUND(1));
  ck_assert(b[3].shape.kind == SHAPE_CONE && b[3].shape.radius == 1 && b[3].shape.length == 2);
  ck_assert(b[3].motion == MOTION_POINT && is_vec(b[3].pivot, 0, 0, 2));
  ck_assert_double_le(fabs(b[3].attitude.w - sqrt(0.5)), TOL_ROUND(1));
  ck_assert(b[4].shape.kind == SHAPE_SPHERE && b[5].shape.kind == SHAPE_CAPSULE);
  ck_assert(b[6].shape.kind == SHAPE_STL && b[6].shape.scale == 1 && b[6].motion == MOTION_FIXED);
  ck_assert(b[7].shape.kind == SHAPE_NONE);
  MustPass(CaseFileDestroy(&file));
}
END_TEST

START_TEST(grids_are_read)
{
  CaseFile *file = parse_contract();
  const GridSpec *g = case_file_case(file)->grids;
  ck_assert(g[0].given && g[0].file == NULL && g[0].layers == 20 && g[0].first == 1e-3);
  ck_assert(g[0].growth == 1.3 && g[0].wall_temperature == 300);
  ck_assert(is_list(&g[0].boundaries[BOUNDARY_SLIP], "body", NULL));
  ck_assert(is_list(&g[0].boundaries[BOUNDARY_OVERSET], "outer", NULL));
  ck_assert_str_eq(g[1].file, "carrier_grid.cgns");
  ck_assert(is_list(&g[1].boundaries[BOUNDARY_WALL], "wing", "pylon"));
  ck_assert(is_list(&g[1].boundaries[BOUNDARY_SYMMETRY], "sym", NULL));
  ck_assert(is_list(&g[1].boundaries[BOUNDARY_FARFIELD], "far", NULL));
  ck_assert(is_list(&g[1].boundaries[BOUNDARY_SUPERSONIC_IN], "in", NULL));
  ck_assert(is_list(&g[1].boundaries[BOUNDARY_OUT], "back", NULL));
  ck_assert(is_list(&g[1].boundaries[BOUNDARY_PERIODIC], "side", NULL));
  ck_assert(isnan(g[1].wall_temperature) && !g[2].given && g[7].given);
  MustPass(CaseFileDestroy(&file));
}
END_TEST

START_TEST(walls_and_contact_are_read)
{
  CaseFile *file = parse_contract();
  const Case *c = case_file_case(file);
  ck_assert_int_eq(c->n_walls, 2);
  ck_assert_str_eq(c->walls[0].name, "floor");
  ck_assert(is_vec(c->walls[0].point, 0, 0, -5) && is_vec(c->walls[0].normal, 0, 0, 1));
  ck_assert(c->walls[0].restitution == 0.8 && c->walls[0].friction == 0.2);
  ck_assert_str_eq(c->walls[1].name, "wall1");
  ck_assert(c->walls[1].restitution == 1 && c->walls[1].friction == 0);
  ck_assert(c->contact.law == LAW_STRONGE && c->contact.tolerance == 1e-7);
  ck_assert(c->contact.allow_initial_overlap && c->contact.resting_speed == 0.01);
  ck_assert_int_eq(c->contact.n_pairs, 3);
  ck_assert(is_list(&c->contact.pairs[0].bodies, "a", "flap"));
  ck_assert(c->contact.pairs[0].restitution == 0.5 && c->contact.pairs[0].friction == 0.05);
  ck_assert(!c->contact.pairs[0].ignore && c->contact.pairs[1].ignore);
  ck_assert(isnan(c->contact.pairs[1].restitution));
  MustPass(CaseFileDestroy(&file));
}
END_TEST

START_TEST(the_flow_is_read)
{
  CaseFile *file = parse_contract();
  const Case *c = case_file_case(file);
  const FlowSpec *f = &c->flow;
  ck_assert(f->given && f->equations == EQUATIONS_LAMINAR && f->gas.gamma == 1.3);
  ck_assert(f->gas.gas_constant == 290 && f->gas.prandtl == 0.7 && f->gas.viscosity == 2e-5);
  ck_assert(f->freestream.mach == 0.95 && f->freestream.alpha == 2 && f->freestream.beta == -1);
  ck_assert(f->freestream.pressure == 36000 && f->freestream.temperature == 237);
  ck_assert(isnan(f->freestream.density) && isnan(f->freestream.altitude) && isnan(f->reynolds));
  ck_assert(f->initial == INITIAL_CHECKPOINT && f->integrator == INTEGRATOR_MIXED);
  ck_assert_str_eq(f->initial_directory, "old.out/checkpoint");
  ck_assert(f->cfl == 0.4 && f->flux == FLUX_HLLC && f->coupling == COUPLING_STRONG);
  ck_assert(f->steady_start.given && f->steady_start.iterations == 300);
  ck_assert(f->steady_start.drop == 1e-5);
  ck_assert(c->reference.length == 2 && c->reference.area == 3);
  ck_assert(is_vec(c->reference.point, 1, 1, 1));
  MustPass(CaseFileDestroy(&file));
}
END_TEST

START_TEST(off_body_overset_and_output_are_read)
{
  CaseFile *file = parse_contract();
  const Case *c = case_file_case(file);
  const OffBodySpec *o = &c->off_body;
  ck_assert(o->given && is_vec(o->box.lo, -8, -8, -8) && is_vec(o->box.hi, 8, 8, 8));
  ck_assert(o->spacing == 0.5 && o->levels == 4 && o->patch == 8 && o->order == 2);
  ck_assert(o->n_refine == 1 && o->refine[0].level == 3 && is_vec(o->refine[0].max, 1, 1, 1));
  const BoundaryKind sides[SIDES] = {BOUNDARY_SUPERSONIC_IN, BOUNDARY_OUT,  BOUNDARY_PERIODIC,
                                     BOUNDARY_PERIODIC,      BOUNDARY_SLIP, BOUNDARY_SYMMETRY};
  for (int s = 0; s < SIDES; s++) ck_assert_int_eq(o->boundaries[s], sides[s]);
  ck_assert(o->adapt.given && o->adapt.every == 5 && o->adapt.sensor == SENSOR_VORTICITY);
  ck_assert(o->adapt.threshold == 0.1 && c->overset.max_orphans == 0.01 && c->overset.fringe == 3);
  ck_assert(is_list(&c->overset.priority, "a", "carrier"));
  ck_assert_str_eq(c->output.directory, "results");
  ck_assert(c->output.history == 2 && c->output.fields == 25 && c->output.checkpoint == 0);
  ck_assert(c->output.n_slices == 1 && c->output.slices[0].every == 7);
  ck_assert(is_vec(c->output.slices[0].normal, 0, 1, 0));
  MustPass(CaseFileDestroy(&file));
}
END_TEST

START_TEST(what_is_left_out_of_a_dry_case_has_its_default)
{
  CaseFile *file = parse(TIME BALL);
  const Case *c = case_file_case(file);
  const BodySpec *a = &c->bodies[0];
  ck_assert_int_eq(case_file_complaints(file), 0);
  ck_assert_str_eq(c->title, "");
  ck_assert(is_vec(c->gravity, 0, 0, 0) && is_vec(a->position, 0, 0, 0));
  ck_assert(is_vec(a->velocity, 0, 0, 0) && is_vec(a->spin, 0, 0, 0));
  ck_assert(a->attitude.w == 1 && a->motion == MOTION_FREE && a->release == 0);
  ck_assert(a->restitution == 1 && a->friction == 0 && isnan(a->young) && isnan(a->center.x));
  ck_assert(a->n_inertia == 0 && a->n_loads == 0 && isnan(a->shape.spacing));
  ck_assert(c->contact.law == LAW_AUTO && c->contact.tolerance == 1e-6);
  ck_assert(!c->contact.allow_initial_overlap && isnan(c->contact.resting_speed));
  ck_assert(!c->flow.given && !c->off_body.given && !c->grids[0].given && c->n_walls == 0);
  ck_assert(c->output.directory == NULL && c->output.history == 1 && c->output.fields == 50);
  ck_assert(c->output.checkpoint == 100 && c->output.n_slices == 0);
  MustPass(CaseFileDestroy(&file));
}
END_TEST

START_TEST(what_is_left_out_of_a_wet_case_has_its_default)
{
  CaseFile *file =
      parse(TIME "flow: {freestream: {mach: 0.5, altitude: 1000}, steady_start: {}}\n"
                 "off_body: {box: {min: [0, 0, 0], max: [1, 1, 1]}, spacing: 1, adapt: {}}\n"
                 "bodies: [{name: a, mass: 1, shape: {kind: cone, radius: 1, length: 1},"
                 " grid: {first: 0.1}}]\n");
  const Case *c = case_file_case(file);
  const FlowSpec *f = &c->flow;
  ck_assert_int_eq(case_file_complaints(file), 0);
  ck_assert(f->equations == EQUATIONS_EULER && f->gas.gamma == 1.4 && f->gas.prandtl == 0.72);
  ck_assert(f->gas.gas_constant == 287.05 && isnan(f->gas.viscosity));
  ck_assert(f->freestream.alpha == 0 && f->freestream.beta == 0);
  ck_assert(f->initial == INITIAL_FREESTREAM && f->integrator == INTEGRATOR_BDF2 && f->cfl == 0.5);
  ck_assert(f->coupling == COUPLING_LOOSE && f->flux == FLUX_HLLC);
  ck_assert(f->steady_start.iterations == 500 && f->steady_start.drop == 1e-4);
  ck_assert(c->reference.length == 1 && c->reference.area == 1 && c->reference.point.x == 0);
  ck_assert(c->off_body.levels == 5 && c->off_body.patch == 16 && c->off_body.order == 5);
  for (int s = 0; s < SIDES; s++) ck_assert_int_eq(c->off_body.boundaries[s], BOUNDARY_FARFIELD);
  ck_assert(c->off_body.adapt.every == 10 && c->off_body.adapt.sensor == SENSOR_DENSITY);
  ck_assert(c->off_body.adapt.threshold == 0.05 && c->overset.max_orphans == 0.001);
  ck_assert(c->overset.fringe == 0 && c->grids[0].layers == 24 && c->grids[0].growth == 1.2);
  ck_assert(is_vec(c->bodies[0].shape.axis, 0, 0, 1));
  MustPass(CaseFileDestroy(&file));
}
END_TEST

/* The text of CasePrint; to be freed. */
static char *print(const CaseFile *file)
{
  char *text = NULL;
  size_t n = 0;
  FILE *out = open_memstream(&text, &n);
  MustPass(CasePrint(case_file_case(file), out));
  fclose(out);
  return text;
}

START_TEST(a_printed_case_reads_back_as_the_same_case)
{
  const char *const dry =
      TIME "title: \"a \\\"b\\\" \\u2028 \\t c\"\n"
           "bodies:\n"
           "  - {name: x, mass: 1, shape: {kind: sphere, radius: 0.1},"
           " attitude: {axis: [1, 2, 3], angle: 77}}\n"
           "  - {name: y, mass: 1, shape: {kind: sphere, radius: 0.3},"
           " motion: axis, axis: [1, 1, 1], pivot: [1, 0, 0], spin: [1, 0, 0]}\n"
           "walls: [{point: [0, 0, 0], normal: [1, 2, 3]}]\n";
  char *contract = read_contract();
  const char *const texts[] = {contract, dry, TIME BALL};
  for (int k = 0; k < 3; k++) {
    CaseFile *file = parse(texts[k]);
    ck_assert_int_eq(case_file_complaints(file), 0);
    char *first = print(file);
    CaseFile *again = parse(first);
    ck_assert_int_eq(case_file_complaints(again), 0);
    char *second = print(again);
    ck_assert_str_eq(first, second);
    ck_assert_str_eq(case_file_case(again)->title, case_file_case(file)->title);
    free(first);
    free(second);
    MustPass(CaseFileDestroy(&file));
    MustPass(CaseFileDestroy(&again));
  }
  free(contract);
}
END_TEST

START_TEST(a_byte_order_mark_and_dos_line_ends_are_fine)
{
  CaseFile *file = parse("\xef\xbb\xbftime:\r\n  step: 0.1\r\n  end: 1\r\nbodies:\r\n"
                         "  - {name: a, mass: 1, shape: {kind: sphere, radius: -1}}\r\n");
  ck_assert_int_eq(case_file_complaints(file), 1);
  ck_assert_str_eq(case_file_complaint(file, 0),
                   "c.yaml:5:54: bodies[0].shape.radius: must be positive, got -1");
  MustPass(CaseFileDestroy(&file));
}
END_TEST

START_TEST(a_late_complaint_finds_the_place_of_its_key)
{
  CaseFile *file = parse(TIME BALL);
  MustPass(CaseFileComplain(file, "bodies[0].shape.kind", "is %s", "odd"));
  MustPass(CaseFileComplain(file, "bodies[0].shape.file", "cannot be read"));
  MustPass(CaseFileComplain(file, "time.step", "is long"));
  ck_assert_int_eq(case_file_complaints(file), 3);
  ck_assert_str_eq(case_file_complaint(file, 0), "c.yaml:1:14: time.step: is long");
  ck_assert_str_eq(case_file_complaint(file, 1),
                   "c.yaml:2:36: bodies[0].shape.file: cannot be read");
  ck_assert_str_eq(case_file_complaint(file, 2), "c.yaml:2:43: bodies[0].shape.kind: is odd");
  MustPass(CaseFileDestroy(&file));
}
END_TEST

START_TEST(what_is_odd_but_allowed_is_a_warning)
{
  CaseFile *file = parse(TIME "bodies: [{name: a, mass: 1, inertia: [1, 1, 3], pivot: [0, 0, 0],"
                              " shape: {kind: sphere, radius: 1}}]\n");
  ck_assert_int_eq(case_file_complaints(file), 0);
  ck_assert_int_eq(case_file_warnings(file), 2);
  ck_assert_str_eq(case_file_warning(file, 0),
                   "c.yaml:2:38: bodies[0].inertia: no solid has principal moments 1, 1, 3: the "
                   "largest exceeds the sum of the others");
  ck_assert_str_eq(case_file_warning(file, 1),
                   "c.yaml:2:56: bodies[0].pivot: does nothing, it is for motion axis and point");
  MustPass(CaseFileDestroy(&file));
}
END_TEST

START_TEST(on_an_axis_only_the_spin_along_it_is_kept)
{
  CaseFile *file = parse(TIME "bodies: [{name: a, mass: 1, shape: {kind: sphere, radius: 1},"
                              " motion: axis, pivot: [0, 0, 0], axis: [0, 0, 2],"
                              " position: [1, 0, 0], spin: [5, 6, 7], velocity: [0, 7, 0]}]\n");
  ck_assert_int_eq(case_file_complaints(file), 0);
  ck_assert(is_vec(case_file_case(file)->bodies[0].spin, 0, 0, 7));
  MustPass(CaseFileDestroy(&file));
}
END_TEST

START_TEST(a_report_of_mistakes_is_an_error_of_the_user)
{
  CaseFile *file = parse(TIME BALL);
  MustPass(CaseFileReport(file, PETSC_COMM_SELF));
  MustPass(CaseFileComplain(file, "time.step", "is long, as this line on the screen shows"));
  MustFail(PETSC_ERR_USER_INPUT, CaseFileReport(file, PETSC_COMM_SELF));
  MustPass(CaseFileDestroy(&file));
}
END_TEST

/* Overwrite, remove or repeat a few bytes of a text of n bytes; returns the new length. */
static size_t mutate(Random *r, char *text, size_t n)
{
  static const char letters[] = "-:{}[],#&*!|>'\"%@`~ \t\n0123456789eabz.\\\xff\xc3\x00";
  for (int k = (int)random_in(r, 1, 6); k > 0 && n > 0; k--) {
    const size_t at = (size_t)random_in(r, 0, (double)n);
    const size_t span = (size_t)random_in(r, 1, 12);
    if (random_unit(r) < 0.6) {
      text[at] = letters[(size_t)random_in(r, 0, sizeof letters - 1)];
    } else if (at + span < n) {
      memmove(text + at, text + at + span, n - at - span);
      n -= span;
    }
  }
  return n;
}

START_TEST(mutated_files_never_crash_and_complaints_have_a_place)
{
  Random r = random_seeded(42);
  char *contract = read_contract();
  const size_t length = strlen(contract);
  char *text = malloc(length);
  for (int k = 0; k < 3000; k++) {
    memcpy(text, contract, length);
    const size_t n = mutate(&r, text, length);
    CaseFile *file = NULL;
    MustPass(CaseFileCreate("m.yaml", text, n, &file));
    for (int j = 0; j < case_file_complaints(file); j++) {
      int line = 0, column = 0;
      const char *complaint = case_file_complaint(file, j);
      ck_assert_int_eq(sscanf(complaint, "m.yaml:%d:%d: ", &line, &column), 2);
      ck_assert(line >= 1 && column >= 1 && strchr(complaint, '\n') == NULL);
    }
    MustPass(CaseFileDestroy(&file));
  }
  free(text);
  free(contract);
}
END_TEST

Suite *test_suite(void)
{
  Suite *suite = suite_create("config/case");
  TCase *tests = tcase_create("core");

  tcase_add_test(tests, a_full_free_body_is_read_value_by_value);
  tcase_add_test(tests, loads_of_every_form_are_read);
  tcase_add_test(tests, shapes_and_motions_of_every_kind_are_read);
  tcase_add_test(tests, grids_are_read);
  tcase_add_test(tests, walls_and_contact_are_read);
  tcase_add_test(tests, the_flow_is_read);
  tcase_add_test(tests, off_body_overset_and_output_are_read);
  tcase_add_test(tests, what_is_left_out_of_a_dry_case_has_its_default);
  tcase_add_test(tests, what_is_left_out_of_a_wet_case_has_its_default);
  tcase_add_test(tests, a_printed_case_reads_back_as_the_same_case);
  tcase_add_test(tests, a_byte_order_mark_and_dos_line_ends_are_fine);
  tcase_add_test(tests, a_late_complaint_finds_the_place_of_its_key);
  tcase_add_test(tests, what_is_odd_but_allowed_is_a_warning);
  tcase_add_test(tests, on_an_axis_only_the_spin_along_it_is_kept);
  tcase_add_test(tests, a_report_of_mistakes_is_an_error_of_the_user);
  tcase_add_test(tests, mutated_files_never_crash_and_complaints_have_a_place);
  suite_add_tcase(suite, tests);
  return suite;
}
