#include "contact/island.h"
#include "random_contact.h"
#include "support.h"

enum { MOST_BODIES = 40, MOST_CONTACTS = 120 };

/* Sums over a few dozen bodies and rounds. */
static const double tight = 1e-12, loose = 1e-9;

typedef struct {
  int n_bodies, n_contacts;
  Mobility body[MOST_BODIES];
  MotionKind motion[MOST_BODIES];
  double mass[MOST_BODIES];
  Mat3 inertia[MOST_BODIES];
  Twist twist[MOST_BODIES];
  IslandContact contact[MOST_CONTACTS];
} Scene;

typedef struct {
  Twist twist[MOST_BODIES];
  Vec3 impulse[MOST_CONTACTS];
  IslandResult result;
} Outcome;

static IslandWork *work;

static void setup(void)
{
  MustPass(IslandWorkCreate(&work));
}

static void teardown(void)
{
  MustPass(IslandWorkDestroy(&work));
}

static Outcome solve_resting(const Scene *s, double resting_speed)
{
  Outcome out;
  const IslandInput in = {.n_bodies = s->n_bodies,
                          .n_contacts = s->n_contacts,
                          .body = s->body,
                          .twist = s->twist,
                          .contact = s->contact,
                          .resting_speed = resting_speed};
  MustPass(IslandSolve(work, &in, &out.result));
  for (int b = 0; b < s->n_bodies; b++) out.twist[b] = out.result.twist[b];
  for (int c = 0; c < s->n_contacts; c++) out.impulse[c] = out.result.impulse[c];
  return out;
}

static Outcome solve(const Scene *s)
{
  return solve_resting(s, 0.0);
}

static void add_body(Scene *s, double mass, Mat3 inertia, Vec3 center, Vec3 v)
{
  const int b = s->n_bodies++;
  s->mass[b] = mass;
  s->inertia[b] = inertia;
  s->body[b] = mobility_free(mass, &inertia, center);
  s->twist[b] = (Twist){v, {0, 0, 0}};
}

/* A ball of radius 1/2 and mass 1. */
static void add_ball(Scene *s, Vec3 center, Vec3 v)
{
  add_body(s, 1.0, mat3_diagonal(0.1, 0.1, 0.1), center, v);
}

static void add_contact(Scene *s, int a, int b, Vec3 point, Vec3 normal, double e, double mu)
{
  s->contact[s->n_contacts++] = (IslandContact){.a = a,
                                                .b = b,
                                                .point = point,
                                                .normal = vec3_unit(normal),
                                                .restitution = e,
                                                .friction = mu,
                                                .incident = -1};
}

/* Two balls that touch. */
static void join_balls(Scene *s, int a, int b, double e)
{
  const Vec3 ca = s->body[a].center, cb = s->body[b].center;
  add_contact(s, a, b, vec3_scale(0.5, vec3_add(ca, cb)), vec3_sub(ca, cb), e, 0.0);
}

static Scene cradle(int n, int moving, double e)
{
  Scene s = {0};
  for (int i = 0; i < n; i++) add_ball(&s, vec3(i, 0, 0), vec3(i < moving ? 1 : 0, 0, 0));
  for (int i = 1; i < n; i++) join_balls(&s, i - 1, i, e);
  return s;
}

START_TEST(a_cradle_passes_as_many_balls_as_come_in)
{
  for (int moving = 1; moving <= 4; moving++) {
    const Scene s = cradle(5, moving, 1.0);
    const Outcome out = solve(&s);
    for (int i = 0; i < 5; i++)
      ck_assert_double_le(fabs(out.twist[i].v.x - (i >= 5 - moving ? 1 : 0)), tight);
    ck_assert_double_le(fabs(out.result.work), tight);
  }
}
END_TEST

START_TEST(an_imperfect_cradle_keeps_momentum_and_order)
{
  const Scene s = cradle(5, 1, 0.7);
  const Outcome out = solve(&s);
  double sum = 0;
  for (int i = 0; i < 5; i++) sum += out.twist[i].v.x;
  ck_assert_double_le(fabs(sum - 1.0), tight);
  for (int i = 1; i < 5; i++) ck_assert(out.twist[i].v.x >= out.twist[i - 1].v.x - tight);
  ck_assert(out.result.work < 0.0);
}
END_TEST

START_TEST(a_ball_into_two_touching_balls_divides_evenly)
{
  const double rows[3][3] = {
      {1.0, -0.2, 0.692820323028}, {0.5, 0.1, 0.519615242271}, {0.0, 0.4, 0.346410161514}};
  for (int i = 0; i < 3; i++) {
    Scene s = {0};
    add_ball(&s, vec3(-sqrt(0.75), 0, 0), vec3(1, 0, 0));
    add_ball(&s, vec3(0, 0.5, 0), vec3(0, 0, 0));
    add_ball(&s, vec3(0, -0.5, 0), vec3(0, 0, 0));
    join_balls(&s, 0, 1, rows[i][0]);
    join_balls(&s, 0, 2, rows[i][0]);
    join_balls(&s, 1, 2, rows[i][0]);
    const Outcome out = solve(&s);
    const Vec3 aside = vec3_scale(rows[i][2], vec3(sqrt(0.75), 0.5, 0));
    ck_assert_double_le(vec3_distance(out.twist[0].v, vec3(rows[i][1], 0, 0)), tight);
    ck_assert_double_le(vec3_distance(out.twist[1].v, aside), 1e-11);
    ck_assert_double_le(vec3_distance(out.twist[2].v, vec3(aside.x, -aside.y, 0)), 1e-11);
  }
}
END_TEST

/* A box 2 x 1 x 0.6 on its four lower corners. */
static Scene flat_box(Vec3 v, double e, double mu)
{
  Scene s = {0};
  add_body(&s, 3.0, mat3_diagonal(0.34, 1.09, 1.25), vec3(0.1, 0.2, 0.3), v);
  for (int i = 0; i < 4; i++)
    add_contact(&s, 0, -1, vec3(0.1 + (i % 2 ? 1 : -1), 0.2 + (i / 2 ? 0.5 : -0.5), 0),
                vec3(0, 0, 1), e, mu);
  return s;
}

START_TEST(a_flat_box_lands_flat_with_equal_impulses)
{
  const Scene s = flat_box(vec3(0, 0, -3), 1.0, 0.0);
  const Outcome out = solve(&s);
  ck_assert_double_le(vec3_distance(out.twist[0].v, vec3(0, 0, 3)), tight);
  ck_assert_double_le(vec3_norm(out.twist[0].w), tight);
  for (int i = 0; i < 4; i++) ck_assert_double_le(fabs(out.impulse[i].z - 4.5), loose);
}
END_TEST

START_TEST(a_rough_flat_drop_stays_flat_too)
{
  const Scene s = flat_box(vec3(0, 0, -3), 0.6, 0.5);
  const Outcome out = solve(&s);
  ck_assert_double_le(vec3_distance(out.twist[0].v, vec3(0, 0, 1.8)), tight);
  ck_assert_double_le(vec3_norm(out.twist[0].w), tight);
}
END_TEST

START_TEST(the_march_without_friction_is_the_complementarity_solution)
{
  Random r = random_seeded(21);
  for (int k = 0; k < 200; k++) {
    Scene s = flat_box(random_vec(&r, 1), 0, 0);
    s.twist[0].v.z = -2;
    s.twist[0].w = random_vec(&r, 0.5);
    for (int i = 0; i < 4; i++) s.contact[i].restitution = random_unit(&r);
    const Outcome smooth = solve(&s);
    for (int i = 0; i < 4; i++) s.contact[i].friction = 1e-14;
    const Outcome rough = solve(&s);
    ck_assert_double_le(vec3_distance(rough.twist[0].v, smooth.twist[0].v), 1e-8);
    ck_assert_double_le(vec3_distance(rough.twist[0].w, smooth.twist[0].w), 1e-8);
  }
}
END_TEST

START_TEST(one_contact_in_two_halves_is_that_contact)
{
  /* Two equal points at one place must do what the energetic law does at one. */
  Random r = random_seeded(22);
  for (int k = 0; k < 100; k++) {
    RandomContact c = random_contact(&r, MOTION_FREE, MOTION_FIXED);
    const ImpactInput in = random_impact(&r, &c);
    const ImpactResult one = impact_stronge(&in);
    Scene s = {.n_bodies = 1, .body = {c.body[0]}, .twist = {c.twist[0]}};
    for (int i = 0; i < 2; i++)
      add_contact(&s, 0, -1, c.point, c.normal, in.restitution, in.friction);
    const Outcome out = solve(&s);
    const Vec3 sum = vec3_add(out.impulse[0], out.impulse[1]);
    ck_assert_double_le(vec3_distance(sum, one.impulse), 2e-3 * vec3_norm(one.impulse));
  }
}
END_TEST

START_TEST(a_rocking_block_loses_the_known_share_of_its_spin)
{
  /* Half width 1, half height 4, spin about y through the left edge until the right one hits. */
  Scene s = {0};
  const double m = 1.0, b = 1.0, h = 4.0, spin = 1.0;
  add_body(&s, m, mat3_diagonal(m * (1 + h * h) / 3, m * (b * b + h * h) / 3, m * (b * b + 1) / 3),
           vec3(0, 0, h), vec3(spin * h, 0, -spin * b));
  s.twist[0].w = vec3(0, spin, 0);
  for (int i = 0; i < 4; i++)
    add_contact(&s, 0, -1, vec3(i / 2 ? b : -b, i % 2 ? 1 : -1, 0), vec3(0, 0, 1), 0.0, 0.5);
  const Outcome out = solve(&s);
  ck_assert_double_le(vec3_distance(out.twist[0].w, vec3(0, 31.0 / 34.0, 0)), loose);
  ck_assert_double_le(vec3_distance(out.twist[0].v, vec3(31.0 / 34 * h, 0, 31.0 / 34 * b)), 1e-8);
}
END_TEST

START_TEST(a_slow_box_is_brought_to_rest_and_slides_on)
{
  const Scene s = flat_box(vec3(1, 0, -0.01), 0.8, 0.3);
  const Outcome out = solve_resting(&s, 0.1);
  ck_assert(out.result.rested && !out.result.capped);
  ck_assert_double_le(fabs(out.twist[0].v.z), 0.01);
  double normal = 0, tangential = 0;
  for (int i = 0; i < 4; i++) normal += out.impulse[i].z, tangential -= out.impulse[i].x;
  ck_assert_double_le(fabs(tangential - 0.3 * normal), loose);
  ck_assert_double_le(out.result.residual, tight);
}
END_TEST

START_TEST(a_contact_parts_no_slower_than_is_wanted)
{
  Scene s = {0};
  add_ball(&s, vec3(0, 0, 0.501), vec3(0, 0, -0.05));
  add_contact(&s, 0, -1, vec3(0, 0, 0), vec3(0, 0, 1), 0.9, 0.0);
  s.contact[0].least = -0.01;
  const IslandInput in = {.n_bodies = 1,
                          .n_contacts = 1,
                          .body = s.body,
                          .twist = s.twist,
                          .contact = s.contact,
                          .resting_speed = 0.1};
  IslandResult result;
  MustPass(IslandSolve(work, &in, &result));
  ck_assert_double_le(fabs(result.twist[0].v.z + 0.01), tight);
  ck_assert_int_eq(result.law[0], IMPACT_REST);
}
END_TEST

/* Bodies of all kinds that keep still unless they can be moved, and contacts between them. */
static Scene random_scene(Random *r, int n, double friction)
{
  static const MotionKind kinds[] = {MOTION_FREE,  MOTION_FREE, MOTION_FREE,
                                     MOTION_POINT, MOTION_AXIS, MOTION_FIXED};
  Scene s = {.n_bodies = n};
  for (int b = 0; b < n; b++) {
    s.motion[b] = b == 0 ? MOTION_FREE : kinds[(int)(6 * random_unit(r))];
    s.mass[b] = pow(10, random_in(r, -0.5, 0.5));
    s.inertia[b] = random_inertia(r, s.mass[b]);
    s.body[b] = random_mobility(r, s.motion[b], &s.inertia[b], s.mass[b], random_vec(r, 2));
    s.twist[b] = random_twist(r, s.motion[b], &s.body[b]);
  }
  for (int k = 0; k < 2 * n; k++) {
    const int a = (int)(n * random_unit(r)), b = (int)((n + 1) * random_unit(r)) - 1;
    if (a == b) continue;
    const double e = random_unit(r), mu = friction * random_unit(r);
    add_contact(&s, a, b, vec3_add(s.body[a].center, random_vec(r, 1)), random_direction(r), e, mu);
  }
  return s;
}

static double normal_speed(const Scene *s, const IslandContact *c, const Twist twist[])
{
  const Vec3 va = mobility_velocity(&s->body[c->a], twist[c->a], c->point);
  const Vec3 vb =
      c->b < 0 ? vec3(0, 0, 0) : mobility_velocity(&s->body[c->b], twist[c->b], c->point);
  return vec3_dot(c->normal, vec3_sub(va, vb));
}

static bool is_blocked(const Scene *s, const IslandContact *c)
{
  const Mobility world = mobility_none(vec3(0, 0, 0));
  const Mat3 k = mobility_pair(&s->body[c->a], c->b < 0 ? &world : &s->body[c->b], c->point);
  return impact_blocked(&k, c->normal);
}

/* The kinetic energy of the bodies that move. */
static double energy(const Scene *s, const Twist twist[])
{
  double sum = 0;
  for (int b = 0; b < s->n_bodies; b++) {
    const Twist t = twist[b];
    const double spin = s->motion[b] == MOTION_AXIS
                            ? s->mass[b] * vec3_norm2(t.w)
                            : vec3_dot(t.w, mat3_apply(&s->inertia[b], t.w));
    if (s->motion[b] != MOTION_FIXED) sum += 0.5 * (s->mass[b] * vec3_norm2(t.v) + spin);
  }
  return sum;
}

static void check_outcome(const Scene *s, const Outcome *out, double approach)
{
  const double before = energy(s, s->twist), after = energy(s, out->twist);
  ck_assert_double_le(after, before * (1 + tight));
  ck_assert_double_le(out->result.work, tight * before);
  /* Bodies that are nearly locked take huge impulses, and velocities the rounding of them. */
  double impulses = 0;
  for (int c = 0; c < s->n_contacts; c++) impulses += vec3_norm(out->impulse[c]);
  const double size = before + impulses * sqrt(before);
  ck_assert_double_le(fabs(after - before - out->result.work), 1e-10 * size);
  for (int c = 0; c < s->n_contacts; c++) {
    const IslandContact *contact = &s->contact[c];
    const double p = vec3_dot(out->impulse[c], contact->normal);
    const double t = vec3_norm(vec3_axpy(out->impulse[c], -p, contact->normal));
    ck_assert_double_ge(p, 0);
    ck_assert_double_le(t, contact->friction * p * (1 + loose) + tight * p);
    if (!is_blocked(s, contact))
      ck_assert_double_ge(normal_speed(s, contact, out->twist), -approach - 1e-14 * impulses);
  }
}

START_TEST(smooth_islands_lose_energy_and_stop_approaching)
{
  Random r = random_seeded(23);
  for (int k = 0; k < 1000; k++) {
    const Scene s = random_scene(&r, 3 + k % 28, 0.0);
    const Outcome out = solve(&s);
    check_outcome(&s, &out, 1e-10);
  }
}
END_TEST

START_TEST(rough_islands_lose_energy_and_stop_approaching)
{
  Random r = random_seeded(24);
  for (int k = 0; k < 1000; k++) {
    const Scene s = random_scene(&r, 3 + k % 28, 1.0);
    const Outcome out = solve(&s);
    check_outcome(&s, &out, 1e-10);
  }
}
END_TEST

/* The scene with bodies and contacts in another order, and the sides of contacts exchanged. */
static Scene shuffled(Random *r, const Scene *s, int place[])
{
  Scene t = {.n_bodies = s->n_bodies, .n_contacts = s->n_contacts};
  for (int b = 0; b < s->n_bodies; b++) place[b] = b;
  for (int b = s->n_bodies - 1; b > 0; b--) {
    const int j = (int)((b + 1) * random_unit(r)), swap = place[b];
    place[b] = place[j];
    place[j] = swap;
  }
  for (int b = 0; b < s->n_bodies; b++) {
    t.body[place[b]] = s->body[b];
    t.twist[place[b]] = s->twist[b];
  }
  for (int c = 0; c < s->n_contacts; c++) {
    IslandContact *to = &t.contact[s->n_contacts - 1 - c];
    *to = s->contact[c];
    to->a = place[to->a];
    if (to->b < 0) continue;
    to->b = place[to->b];
    if (c % 2) continue;
    const int a = to->a;
    to->a = to->b;
    to->b = a;
    to->normal = vec3_scale(-1, to->normal);
  }
  return t;
}

START_TEST(the_order_of_bodies_and_contacts_does_not_matter)
{
  Random r = random_seeded(25);
  for (int k = 0; k < 300; k++) {
    const Scene s = random_scene(&r, 3 + k % 28, 0.0);
    int place[MOST_BODIES];
    const Scene t = shuffled(&r, &s, place);
    const Outcome one = solve(&s), two = solve(&t);
    for (int b = 0; b < s.n_bodies; b++) {
      ck_assert_double_le(vec3_distance(one.twist[b].v, two.twist[place[b]].v), loose);
      ck_assert_double_le(vec3_distance(one.twist[b].w, two.twist[place[b]].w), loose);
    }
  }
}
END_TEST

static Vec3 mirror(Vec3 v)
{
  return vec3(-v.x, v.y, v.z);
}

/* Spins and other axial vectors turn the other way round. */
static Vec3 mirror_axial(Vec3 w)
{
  return vec3(w.x, -w.y, -w.z);
}

static Scene mirrored(const Scene *s)
{
  Scene t = *s;
  const Mat3 flip = mat3_diagonal(-1, 1, 1);
  for (int b = 0; b < s->n_bodies; b++) {
    t.body[b].center = mirror(s->body[b].center);
    t.body[b].inverse_inertia = mat3_rotate_tensor(&flip, &s->body[b].inverse_inertia);
    t.twist[b] = (Twist){mirror(s->twist[b].v), mirror_axial(s->twist[b].w)};
  }
  for (int c = 0; c < s->n_contacts; c++) {
    t.contact[c].point = mirror(s->contact[c].point);
    t.contact[c].normal = mirror(s->contact[c].normal);
  }
  return t;
}

START_TEST(a_mirrored_island_moves_as_the_mirror_image)
{
  Random r = random_seeded(26);
  for (int k = 0; k < 300; k++) {
    const Scene s = random_scene(&r, 3 + k % 28, 0.0), t = mirrored(&s);
    const Outcome one = solve(&s), two = solve(&t);
    for (int b = 0; b < s.n_bodies; b++) {
      ck_assert_double_le(vec3_distance(mirror(one.twist[b].v), two.twist[b].v), loose);
      ck_assert_double_le(vec3_distance(mirror_axial(one.twist[b].w), two.twist[b].w), loose);
    }
  }
}
END_TEST

Suite *test_suite(void)
{
  Suite *suite = suite_create("contact");
  TCase *tests = tcase_create("island");

  tcase_add_checked_fixture(tests, setup, teardown);
  tcase_add_test(tests, a_cradle_passes_as_many_balls_as_come_in);
  tcase_add_test(tests, an_imperfect_cradle_keeps_momentum_and_order);
  tcase_add_test(tests, a_ball_into_two_touching_balls_divides_evenly);
  tcase_add_test(tests, a_flat_box_lands_flat_with_equal_impulses);
  tcase_add_test(tests, a_rough_flat_drop_stays_flat_too);
  tcase_add_test(tests, the_march_without_friction_is_the_complementarity_solution);
  tcase_add_test(tests, one_contact_in_two_halves_is_that_contact);
  tcase_add_test(tests, a_rocking_block_loses_the_known_share_of_its_spin);
  tcase_add_test(tests, a_slow_box_is_brought_to_rest_and_slides_on);
  tcase_add_test(tests, a_contact_parts_no_slower_than_is_wanted);
  tcase_add_test(tests, smooth_islands_lose_energy_and_stop_approaching);
  tcase_add_test(tests, rough_islands_lose_energy_and_stop_approaching);
  tcase_add_test(tests, the_order_of_bodies_and_contacts_does_not_matter);
  tcase_add_test(tests, a_mirrored_island_moves_as_the_mirror_image);
  suite_add_tcase(suite, tests);
  return suite;
}
