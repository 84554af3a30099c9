#include "contact/impact.h"
#include "random_contact.h"
#include "support.h"

/* The printed values carry this many digits. */
static const double printed_9 = 1e-9, printed_12 = 1e-11;

static ImpactInput planar_rod(double vx, double vz, double mu)
{
  return (ImpactInput){.inverse_mass = mat3_symmetric(2.5, 1.0, 2.5, 0.0, -1.5, 0.0),
                       .normal = {0, 0, 1},
                       .velocity = {vx, 0, vz},
                       .restitution = 0.8,
                       .friction = mu};
}

START_TEST(a_rod_on_its_end_slips_reverses_or_sticks_as_computed_by_hand)
{
  const double rows[3][5] = {{2.0, -1, 0.2, -0.128571428571, 0.642857142857},
                             {0.5, -1, 0.3, 0.083843293698, 0.723922090104},
                             {0.5, -1, 0.7, 0.287769069884, 0.812948449806}};
  for (int i = 0; i < 3; i++) {
    const ImpactInput in = planar_rod(rows[i][0], rows[i][1], rows[i][2]);
    const ImpactResult r = impact_stronge(&in), chosen = impact_auto(&in);
    ck_assert_double_le(fabs(r.impulse.x - rows[i][3]), printed_12);
    ck_assert_double_le(fabs(r.impulse.z - rows[i][4]), printed_12);
    ck_assert_double_le(fabs(r.impulse.y), TOL_ROUND(1));
    ck_assert_double_le(vec3_distance(chosen.impulse, r.impulse), TOL_ROUND(1));
    ck_assert_int_eq(chosen.law, i == 0 ? IMPACT_ALGEBRAIC : IMPACT_STRONGE);
    ck_assert(r.halted == (i > 0) && r.reversed == (i == 1) && r.stuck == (i == 2));
  }
}
END_TEST

static ImpactInput body_on_floor(double mu)
{
  const Mat3 inertia = mat3_diagonal(0.02, 0.05, 0.06);
  const Mobility body = mobility_free(2.0, &inertia, vec3(0, 0, 0));
  const Vec3 p = vec3(0.12, -0.07, -0.15);
  const Twist twist = {{1, 0.4, -2}, {3, -2, 5}};
  return (ImpactInput){.inverse_mass = mobility_at(&body, p),
                       .normal = {0, 0, 1},
                       .velocity = mobility_velocity(&body, twist, p),
                       .restitution = 0.7,
                       .friction = mu};
}

START_TEST(slip_that_turns_is_followed_to_nine_digits)
{
  const ImpactInput smooth = body_on_floor(0.0), rough = body_on_floor(0.3);
  const ImpactResult a = impact_auto(&smooth), b = impact_auto(&rough);
  ck_assert_int_eq(a.law, IMPACT_ALGEBRAIC);
  ck_assert_int_eq(b.law, IMPACT_STRONGE);
  ck_assert_double_le(vec3_distance(a.impulse, vec3(0, 0, 3.2420135528)), printed_9);
  ck_assert_double_le(vec3_distance(b.impulse, vec3(-0.9737451861, -0.1069230102, 3.4445850730)),
                      printed_9);
}
END_TEST

/* A ball m 1, R 0.5 on the floor: velocity and spin after the impact. */
static Twist ball_after(Twist before, double e, double mu, ImpactLaw *law)
{
  const Mat3 inertia = mat3_diagonal(0.1, 0.1, 0.1);
  const Mobility ball = mobility_free(1.0, &inertia, vec3(0, 0, 0.5));
  const Vec3 p = vec3(0, 0, 0);
  const ImpactInput in = {.inverse_mass = mobility_at(&ball, p),
                          .normal = {0, 0, 1},
                          .velocity = mobility_velocity(&ball, before, p),
                          .restitution = e,
                          .friction = mu};
  const ImpactResult r = impact_auto(&in);
  *law = r.law;
  return mobility_kick(&ball, before, p, r.impulse);
}

START_TEST(a_ball_slides_through_or_stops_slipping)
{
  ImpactLaw law;
  const Twist slides = ball_after((Twist){{3, 0, -2}, {0, -10, 0}}, 0.8, 0.1, &law);
  ck_assert_int_eq(law, IMPACT_ALGEBRAIC);
  ck_assert_double_le(vec3_distance(slides.v, vec3(2.64, 0, 1.6)), TOL_ROUND(4));
  ck_assert_double_le(vec3_distance(slides.w, vec3(0, -8.2, 0)), TOL_ROUND(16));

  const Twist stops = ball_after((Twist){{1, 0, -4}, {0, -2, 0}}, 0.6, 0.5, &law);
  ck_assert_int_eq(law, IMPACT_STRONGE);
  ck_assert_double_le(vec3_distance(stops.v, vec3(3.0 / 7.0, 0, 2.4)), TOL_ROUND(4));
  ck_assert_double_le(vec3_distance(stops.w, vec3(0, 6.0 / 7.0, 0)), TOL_ROUND(16));
}
END_TEST

static Mobility cuboid(double mass, double x, double y, double z, Vec3 center)
{
  const Mat3 inertia = mat3_diagonal(mass * (y * y + z * z) / 12.0, mass * (x * x + z * z) / 12.0,
                                     mass * (x * x + y * y) / 12.0);
  return mobility_free(mass, &inertia, center);
}

typedef struct {
  Mobility body[2];
  Twist before[2], after[2];
  double impulse, six, lost;
} CuboidPair;

/* The cuboids 4 x 5 x 2 of 1000 kg and 3 x 2.5 x 1, the first at unit speed along x. */
static CuboidPair cuboids(Vec3 arm_a, Vec3 arm_b, double e, double density_ratio)
{
  const double mass = 1000.0 * 7.5 / 40.0 / density_ratio;
  CuboidPair c = {.body = {cuboid(1000, 4, 5, 2, vec3_scale(-1, arm_a)),
                           cuboid(mass, 3, 2.5, 1, vec3_scale(-1, arm_b))},
                  .before = {{{1, 0, 0}, {0, 0, 0}}, {{0, 0, 0}, {0, 0, 0}}}};
  const Vec3 p = vec3(0, 0, 0), n = vec3(-1, 0, 0);
  const ImpactInput in = {.inverse_mass = mobility_pair(&c.body[0], &c.body[1], p),
                          .normal = n,
                          .velocity = {1, 0, 0},
                          .restitution = e};
  const ImpactResult r = impact_auto(&in);
  c.impulse = vec3_norm(r.impulse);
  c.six = impact_six_equations(&c.body[0], &c.body[1], c.before, p, n, e);
  c.lost = -r.work;
  c.after[0] = mobility_kick(&c.body[0], c.before[0], p, r.impulse);
  c.after[1] = mobility_kick(&c.body[1], c.before[1], p, vec3_scale(-1, r.impulse));
  return c;
}

static const Vec3 corner_a = {2, 2.5, 1}, corner_b = {-1.5, -1.25, -0.5};
static const Vec3 edge_a = {2, 0, 1}, edge_b = {-1.5, 0, -0.5};

START_TEST(the_closed_form_equals_the_six_equations_for_all_cuboids)
{
  const Vec3 arms[3][2] = {{corner_a, corner_b}, {edge_a, edge_b}, {{2, 0, 0}, {-1.5, 0, 0}}};
  const double es[3] = {1.0, 0.75, 0.5}, ratios[3] = {0.5, 1.0, 2.0};
  for (int k = 0; k < 27; k++) {
    const CuboidPair c = cuboids(arms[k / 9][0], arms[k / 9][1], es[k / 3 % 3], ratios[k % 3]);
    ck_assert_double_le(fabs(c.impulse - c.six), 1e-12 * c.six);
    const double approach = 1.0, e = es[k / 3 % 3];
    const double k_sum = (1 + e) * approach / c.six;
    ck_assert_double_le(fabs(c.lost - (1 - e * e) / (2 * k_sum)), 1e-12 * 500);
  }
}
END_TEST

START_TEST(the_cuboids_of_the_tables_leave_at_the_known_velocities)
{
  const double six_digits = 1e-6;
  const CuboidPair c = cuboids(corner_a, corner_b, 0.75, 1.0);
  ck_assert_double_le(fabs(c.after[0].v.x - 0.896572), six_digits);
  ck_assert_double_le(fabs(c.after[1].v.x - 0.551616), six_digits);
  ck_assert_double_le(vec3_distance(c.after[0].w, vec3(0, -0.062057, 0.075679)), six_digits);
  ck_assert_double_le(vec3_distance(c.after[1].w, vec3(0, -0.330970, 0.542573)), six_digits);
  ck_assert_double_le(fabs(c.lost - 12.928503), six_digits);
  const CuboidPair d = cuboids(edge_a, edge_b, 0.75, 1.0);
  ck_assert_double_le(fabs(d.after[0].v.x - 0.794922), six_digits);
  ck_assert_double_le(fabs(d.after[1].v.x - 1.09375), six_digits);
  ck_assert_double_le(vec3_distance(d.after[0].w, vec3(0, -0.123047, 0)), six_digits);
  ck_assert_double_le(vec3_distance(d.after[1].w, vec3(0, -0.65625, 0)), six_digits);
  ck_assert_double_le(fabs(d.lost - 25.634766), six_digits);
}
END_TEST

START_TEST(six_equations_agree_for_any_two_free_bodies)
{
  Random r = random_seeded(11);
  for (int k = 0; k < 2000; k++) {
    const RandomContact c = random_contact(&r, MOTION_FREE, MOTION_FREE);
    ImpactInput in = random_impact(&r, &c);
    in.friction = 0.0;
    const ImpactResult one = impact_auto(&in);
    const double six =
        impact_six_equations(&c.body[0], &c.body[1], c.twist, c.point, c.normal, in.restitution);
    const double k33 = vec3_dot(c.normal, mat3_apply(&in.inverse_mass, c.normal));
    const double size = 2.0 * vec3_norm(in.velocity) / k33;
    ck_assert_double_le(fabs(vec3_dot(one.impulse, c.normal) - six), 1e-12 * size);
  }
}
END_TEST

START_TEST(no_random_impact_gains_energy_leaves_the_cone_or_goes_on_approaching)
{
  Random r = random_seeded(12);
  for (int k = 0; k < 20000; k++) {
    const RandomContact c = random_contact(&r, k % 5, k / 5 % 5);
    const ImpactInput in = random_impact(&r, &c);
    const ImpactResult results[3] = {impact_auto(&in), impact_stronge(&in), impact_algebraic(&in)};
    for (int i = 0; i < 3; i++) {
      const Vec3 P = results[i].impulse;
      const Vec3 after = vec3_add(in.velocity, mat3_apply(&in.inverse_mass, P));
      const double p = vec3_dot(P, c.normal), size = vec3_norm(P) * vec3_norm(in.velocity);
      ck_assert(vec3_finite(P));
      ck_assert_double_le(results[i].work, 1e-12 * size);
      const double sum = 0.5 * vec3_dot(P, vec3_add(in.velocity, after));
      ck_assert_double_le(fabs(results[i].work - sum), 1e-10 * size);
      ck_assert_double_le(vec3_norm(vec3_axpy(P, -p, c.normal)), p * in.friction * (1 + 1e-12));
      if (!results[i].blocked)
        ck_assert_double_ge(vec3_dot(after, c.normal), -1e-11 * vec3_norm(in.velocity));
    }
  }
}
END_TEST

START_TEST(free_pairs_keep_their_momentum)
{
  Random r = random_seeded(13);
  for (int k = 0; k < 10000; k++) {
    const RandomContact c = random_contact(&r, MOTION_FREE, MOTION_FREE);
    const ImpactInput in = random_impact(&r, &c);
    const ImpactResult one = impact_auto(&in);
    const PairMomentum before = pair_momentum(&c, c.twist);
    const Twist after[2] = {
        mobility_kick(&c.body[0], c.twist[0], c.point, one.impulse),
        mobility_kick(&c.body[1], c.twist[1], c.point, vec3_scale(-1, one.impulse))};
    const PairMomentum now = pair_momentum(&c, after);
    const double gain = now.energy - before.energy;
    ck_assert_double_le(vec3_distance(now.linear, before.linear), 1e-12 * before.size);
    ck_assert_double_le(vec3_distance(now.angular, before.angular), 1e-11 * before.size);
    ck_assert_double_le(fabs(gain - one.work), 1e-11 * (before.energy + now.energy));
  }
}
END_TEST

/* The obvious form: Runge-Kutta in the normal impulse, steps shrinking with the slip. */
typedef struct {
  double u[2], f[2], p, w;
} Plain;

static Plain plain_step(const Mat3 *k, double mu, double v3, const Plain *s, double dp)
{
  const double share[4] = {0, 0.5, 0.5, 1}, weight[4] = {1 / 6., 1 / 3., 1 / 3., 1 / 6.};
  double du[2] = {0, 0}, dv = 0;
  Plain out = *s;
  for (int i = 0; i < 4; i++) {
    const double x = s->u[0] + share[i] * dp * du[0], y = s->u[1] + share[i] * dp * du[1];
    const double v = v3 + share[i] * dp * dv, c = x / hypot(x, y), d = y / hypot(x, y);
    for (int j = 0; j < 2; j++) du[j] = k->m[j][2] - mu * (k->m[j][0] * c + k->m[j][1] * d);
    dv = k->m[2][2] - mu * (k->m[2][0] * c + k->m[2][1] * d);
    for (int j = 0; j < 2; j++) out.u[j] += weight[i] * dp * du[j];
    out.f[0] -= weight[i] * dp * mu * c;
    out.f[1] -= weight[i] * dp * mu * d;
    out.w += weight[i] * dp * v;
  }
  out.p += dp;
  return out;
}

static double plain_v3(const ImpactInput *in, const Plain *s)
{
  const Mat3 *k = &in->inverse_mass;
  return in->velocity.z + k->m[2][0] * s->f[0] + k->m[2][1] * s->f[1] + k->m[2][2] * s->p;
}

/* March to the end of compression or to the halt of slip, whichever is first. */
static Plain plain_slip(const ImpactInput *in)
{
  const Mat3 *k = &in->inverse_mass;
  const double rate = (1 + in->friction) * (k->m[0][0] + k->m[1][1] + k->m[2][2]);
  Plain s = {.u = {in->velocity.x, in->velocity.y}};
  double slip = hypot(s.u[0], s.u[1]);
  for (int i = 0; i < 400000 && slip > 1e-11; i++) {
    const double v3 = plain_v3(in, &s);
    double dp = 0.01 * slip / rate;
    Plain next = plain_step(k, in->friction, v3, &s, dp);
    for (int j = 0; j < 5 && plain_v3(in, &next) > 0; j++) {
      dp *= v3 / (v3 - plain_v3(in, &next));
      next = plain_step(k, in->friction, v3, &s, dp);
    }
    s = next;
    slip = hypot(s.u[0], s.u[1]);
    if (plain_v3(in, &s) > -1e-13) break;
  }
  return s;
}

/* Slip growth along and turn across the direction phi, per normal impulse. */
static void plain_rates(const ImpactInput *in, double phi, double *g, double *h)
{
  const Mat3 *k = &in->inverse_mass;
  const double c = cos(phi), s = sin(phi), mu = in->friction;
  const double r0 = k->m[0][2] - mu * (k->m[0][0] * c + k->m[0][1] * s);
  const double r1 = k->m[1][2] - mu * (k->m[1][0] * c + k->m[1][1] * s);
  *g = r0 * c + r1 * s;
  *h = r1 * c - r0 * s;
}

/* The direction in which slip leaves rest, by a search round the circle; NaN: it sticks. */
static double plain_escape(const ImpactInput *in)
{
  enum { PARTS = 7200 };
  for (int i = 0; i < PARTS; i++) {
    double lo = 2 * M_PI * i / PARTS, hi = 2 * M_PI * (i + 1) / PARTS, g, h0, h1, h;
    plain_rates(in, lo, &g, &h0);
    plain_rates(in, hi, &g, &h1);
    if (h0 * h1 > 0 || g < 0) continue;
    for (int j = 0; j < 60; j++) {
      plain_rates(in, 0.5 * (lo + hi), &g, &h);
      if (h * h0 > 0)
        lo = 0.5 * (lo + hi);
      else
        hi = 0.5 * (lo + hi);
    }
    if (g > 0) return lo;
  }
  return NAN;
}

/* The impulse of an impact without restitution, normal z, all the way. */
static Vec3 plain_impulse(const ImpactInput *in)
{
  const Mat3 *k = &in->inverse_mass;
  const Plain s = plain_slip(in);
  const Vec3 so_far = vec3(s.f[0], s.f[1], s.p);
  const double v3 = plain_v3(in, &s);
  if (v3 > -1e-10) return so_far;
  const double phi = plain_escape(in);
  if (isnan(phi)) {
    const Mat3 inverse = mat3_inverse(k);
    return mat3_apply(&inverse, vec3_scale(-1, in->velocity));
  }
  const Vec3 d = vec3(-in->friction * cos(phi), -in->friction * sin(phi), 1);
  return vec3_axpy(so_far, -v3 / mat3_apply(k, d).z, d);
}

START_TEST(slip_halt_stick_and_reversal_agree_with_a_plain_integration)
{
  Random r = random_seeded(14);
  int slipped = 0, stuck = 0, reversed = 0;
  for (int k = 0; k < 1000; k++) {
    RandomContact c = random_contact(&r, MOTION_FREE, MOTION_FIXED);
    c.normal = vec3(0, 0, 1);
    ImpactInput in = random_impact(&r, &c);
    in.restitution = 0.0;
    in.friction *= 0.2;
    in.velocity.x *= k % 2 ? 0.3 : 0.05;
    in.velocity.y *= k % 2 ? 0.3 : 0.05;
    if (in.velocity.z > -0.1) continue;
    const Vec3 want = plain_impulse(&in);
    const ImpactResult got = impact_stronge(&in);
    ck_assert_double_le(vec3_distance(got.impulse, want), 1e-9 * vec3_norm(want));
    slipped += !got.halted;
    stuck += got.stuck;
    reversed += got.reversed;
  }
  ck_assert(slipped > 20 && stuck > 20 && reversed >= 5);
}
END_TEST

START_TEST(a_pair_that_cannot_yield_gets_no_impulse)
{
  const Mobility door = mobility_axis(vec3(0, 0, 2), 3.0, vec3(0, 0, 0));
  const Vec3 p = vec3(0.7, 0, 0.4);
  const ImpactInput through_axis = {.inverse_mass = mobility_at(&door, p),
                                    .normal = {-1, 0, 0},
                                    .velocity = {1, 0.2, 0},
                                    .restitution = 0.5,
                                    .friction = 0.4};
  const ImpactResult r = impact_auto(&through_axis);
  ck_assert(r.blocked && r.law == IMPACT_NONE);
  ck_assert(vec3_norm(r.impulse) == 0.0);
}
END_TEST

START_TEST(a_door_struck_by_a_free_ball_swings)
{
  /* I = 3 about z, struck at the arm 0.5 by m = 2: effective masses 12 and 2. */
  const Mat3 inertia = mat3_diagonal(1, 1, 1);
  const Mobility door = mobility_axis(vec3(0, 0, 1), 3.0, vec3(0, 0, 0));
  const Mobility ball = mobility_free(2.0, &inertia, vec3(0.5, -1, 0));
  const Vec3 p = vec3(0.5, 0, 0);
  const ImpactInput in = {.inverse_mass = mobility_pair(&ball, &door, p),
                          .normal = {0, -1, 0},
                          .velocity = {0, 7, 0},
                          .restitution = 0.5};
  const ImpactResult r = impact_auto(&in);
  const Twist after =
      mobility_kick(&door, (Twist){{0, 0, 0}, {0, 0, 0}}, p, vec3_scale(-1, r.impulse));
  ck_assert_double_le(fabs(after.w.z - 1.5 * 7 * (12.0 / 7.0) * 0.5 / 3.0), TOL_ROUND(4));
  ck_assert(vec3_norm(after.v) == 0.0);
}
END_TEST

Suite *test_suite(void)
{
  Suite *suite = suite_create("contact");
  TCase *tests = tcase_create("impact");

  tcase_add_test(tests, a_rod_on_its_end_slips_reverses_or_sticks_as_computed_by_hand);
  tcase_add_test(tests, slip_that_turns_is_followed_to_nine_digits);
  tcase_add_test(tests, a_ball_slides_through_or_stops_slipping);
  tcase_add_test(tests, the_closed_form_equals_the_six_equations_for_all_cuboids);
  tcase_add_test(tests, the_cuboids_of_the_tables_leave_at_the_known_velocities);
  tcase_add_test(tests, six_equations_agree_for_any_two_free_bodies);
  tcase_add_test(tests, no_random_impact_gains_energy_leaves_the_cone_or_goes_on_approaching);
  tcase_add_test(tests, free_pairs_keep_their_momentum);
  tcase_add_test(tests, slip_halt_stick_and_reversal_agree_with_a_plain_integration);
  tcase_add_test(tests, a_pair_that_cannot_yield_gets_no_impulse);
  tcase_add_test(tests, a_door_struck_by_a_free_ball_swings);
  suite_add_tcase(suite, tests);
  return suite;
}
