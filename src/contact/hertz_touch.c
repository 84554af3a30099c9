/*
 * One touch of the law hertz: how stiff it is, what it does, and its row when it is over.
 */
#include "contact/hertz_impl.h"

#include <string.h>

/*
 * Where no curvature gives a radius, as at sharp vertices and edges, it is this share of the
 * smaller body: the paper's radius of a particle, of which eight make up its block.
 */
static const double sharp_share = 1.0 / 16.0;

/* Surfaces this share of the smaller body apart still belong to one plate contact. */
static const double cloud_share = 0.02;

ContactPair hertz_pair(const Contact *c, const HertzTouch *touch)
{
  ContactPair pair = {.a = (int)touch->a, .b = (int)touch->b};
  pair_init(c, &pair);
  return pair;
}

int hertz_find(const Hertz *s, int a, int b)
{
  int lo = 0, hi = s->n_touches;
  while (lo < hi) {
    const int mid = (lo + hi) / 2;
    const HertzTouch *touch = &s->touch[mid];
    if (touch->a == a && touch->b == b) return mid;
    if (touch->a < a || (touch->a == a && touch->b < b))
      lo = mid + 1;
    else
      hi = mid;
  }
  return -1;
}

static Vec3 to_shape(const Side *side, Vec3 p)
{
  return side->shape != NULL ? frame_to_body(&side->frame, p) : p;
}

static Vec3 from_shape(const Side *side, Vec3 p)
{
  return side->shape != NULL ? frame_to_world(&side->frame, p) : p;
}

static double larger_edge(const Side side[2])
{
  const double a = side[0].shape->edge;
  const double b = side[1].shape != NULL ? side[1].shape->edge : 0.0;
  return a > b ? a : b;
}

static double polygon_area(const Incident *in)
{
  Vec3 sum = vec3(0, 0, 0);
  for (int k = 1; k + 1 < in->n_points; k++)
    sum = vec3_add(sum, vec3_cross(vec3_sub(in->point[k], in->point[0]),
                                   vec3_sub(in->point[k + 1], in->point[0])));
  return 0.5 * vec3_norm(sum);
}

/* The sum of the outward normals of both surfaces beside p; zero where they face each other. */
static bool normals_at(const Side side[2], Vec3 p, double reach, Vec3 *sum)
{
  const SurfaceHit a = side_gap(&side[0], p, reach), b = side_gap(&side[1], p, reach);
  *sum = vec3_add(a.normal, b.normal);
  return a.found && b.found && vec3_dot(a.normal, b.normal) < -0.9;
}

/*
 * The principal values of the sum of both curvatures at a place of least distance, the larger
 * first: how fast the normals there cease to be opposite. False when they are not, as at a sharp
 * vertex.
 */
static bool curvatures_at(const Side side[2], Vec3 at, double reach, double k[2])
{
  const SurfaceHit b = side_gap(&side[1], at, reach);
  const double h = 0.025 * reach;
  if (!b.found) return false;
  const Vec3 x = vec3_normal_to(b.normal), y = vec3_cross(b.normal, x);
  Vec3 sum[4];
  for (int i = 0; i < 4; i++)
    if (!normals_at(side, vec3_axpy(at, i % 2 ? -h : h, i < 2 ? x : y), reach, &sum[i]))
      return false;
  const Vec3 dx = vec3_scale(0.5 / h, vec3_sub(sum[0], sum[1]));
  const Vec3 dy = vec3_scale(0.5 / h, vec3_sub(sum[2], sum[3]));
  const double xx = vec3_dot(dx, x), yy = vec3_dot(dy, y);
  const double xy = 0.5 * (vec3_dot(dx, y) + vec3_dot(dy, x));
  const double mean = 0.5 * (xx + yy), half = 0.5 * (xx - yy), root = sqrt(half * half + xy * xy);
  k[0] = mean + root;
  k[1] = mean - root;
  return true;
}

/* The radii of the two principal directions; those without curvature are sharp. */
static void radii_at(const Side side[2], Vec3 at, double size, double radius[2])
{
  const double sharp = sharp_share * size, reach = 4.0 * larger_edge(side);
  double k[2] = {0.0, 0.0};
  const bool smooth = curvatures_at(side, at, reach, k);
  for (int i = 0; i < 2; i++) {
    radius[i] = smooth && k[i] * size > 1e-2 ? 1.0 / k[i] : sharp;
    if (radius[i] < 0.05 * sharp) radius[i] = 0.05 * sharp;
  }
}

/* A ball that presses as the incident does: of its curvature, its length or its area. */
static double effective_radius(const Side side[2], const Incident *in, double size)
{
  double radius[2];
  if (in->kind == INCIDENT_PLANE) return sqrt(polygon_area(in) / M_PI);
  radii_at(side, in->center, size, radius);
  if (in->kind == INCIDENT_POINT) return sqrt(radius[0] * radius[1]);
  return sqrt(0.5 * vec3_distance(in->point[0], in->point[1]) * radius[0]);
}

static bool is_smooth_point(const Side side[2], const Incident *in, double size)
{
  double k[2];
  return in->kind == INCIDENT_POINT &&
         curvatures_at(side, in->center, 4.0 * larger_edge(side), k) && k[1] * size > 1e-2;
}

/* The incident of least gap. */
static PetscErrorCode nearest_incident(Contact *c, const Side side[2], double reach, double within,
                                       Incident *out, bool *found)
{
  PetscFunctionBeginUser;
  Look look;
  int n = 0;
  const Incident *in = NULL;
  double least = INFINITY;
  PetscCall(LookClosely(c->look, &side[0], &side[1], reach, &look));
  *found = look.n > 0;
  if (!*found) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(CloudCondense(c->cloud, look.n, look.hit, within, CLOUD_NO_PREVIOUS, &n, &in));
  for (int k = 0; k < n; k++)
    for (int i = 0; i < in[k].n_points; i++)
      if (in[k].gap[i] < least) {
        least = in[k].gap[i];
        *out = in[k];
      }
  *found = n > 0;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static double pair_modulus(const Contact *c, const ContactPair *pair)
{
  const BodySpec *a = &c->spec_of[pair->a];
  if (pair->b >= c->n_bodies) return hertz_modulus(a->young, a->poisson, INFINITY, 0.0);
  const BodySpec *b = &c->spec_of[pair->b];
  return hertz_modulus(a->young, a->poisson, b->young, b->poisson);
}

/* Inverse of the mass that moves along n at p; zero when neither body can. */
static double inverse_mass(Contact *c, Bodies *bodies, const ContactPair *pair, double t, Vec3 p,
                           Vec3 n)
{
  double sum = 0.0;
  const int id[2] = {pair->a, pair->b};
  for (int i = 0; i < 2; i++) {
    if (id[i] >= c->n_bodies) continue;
    const BodyState state = bodies_at(bodies, id[i], t);
    const Mobility body = contact_mobility(bodies_body(bodies, id[i]), &state, t);
    const Mat3 k = mobility_at(&body, p);
    sum += vec3_dot(n, mat3_apply(&k, n));
  }
  return sum;
}

static double pair_energy(const Contact *c, Bodies *bodies, const ContactPair *pair, double t)
{
  const BodyState a = bodies_at(bodies, pair->a, t);
  const double sum = body_kinetic_energy(bodies_body(bodies, pair->a), &a);
  if (pair->b >= c->n_bodies) return sum;
  const BodyState b = bodies_at(bodies, pair->b, t);
  return sum + body_kinetic_energy(bodies_body(bodies, pair->b), &b);
}

/* Room for one more, in its place of the order. */
static PetscErrorCode insert(Hertz *s, const HertzTouch *touch)
{
  PetscFunctionBeginUser;
  if (s->n_touches == s->touch_room) {
    s->touch_room = s->touch_room > 0 ? 2 * s->touch_room : 64;
    PetscCall(PetscRealloc(sizeof *s->touch * s->touch_room, &s->touch));
    PetscCall(PetscRealloc(sizeof *s->force * s->touch_room * HERTZ_STAGES, &s->force));
  }
  int k = s->n_touches++;
  for (; k > 0; k--) {
    const HertzTouch *before = &s->touch[k - 1];
    if (before->a < touch->a || (before->a == touch->a && before->b < touch->b)) break;
    s->touch[k] = *before;
  }
  s->touch[k] = *touch;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Stiffness and inertia of one point of the plate, line or point that touches. */
static PetscErrorCode law_of(Contact *c, Bodies *bodies, const ContactPair *pair, double t,
                             const Side side[2], const Incident *near, HertzPoint *law)
{
  PetscFunctionBeginUser;
  const double size = pair->size, within = cloud_share * size;
  Incident plate = *near;
  bool found = true;
  if (!is_smooth_point(side, near, size))
    PetscCall(nearest_incident(c, side, within, within, &plate, &found));
  if (!found) plate = *near;
  law->friction = pair->friction;
  const double radius = effective_radius(side, &plate, size);
  const double mobility = inverse_mass(c, bodies, pair, t, plate.center, plate.normal);
  law->stiffness = hertz_stiffness(pair_modulus(c, pair), radius) / plate.n_points;
  law->mass = mobility > 0.0 ? 1.0 / (plate.n_points * mobility) : INFINITY;
  law->damping = hertz_damping(pair->restitution);
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode HertzBegin(Contact *c, Bodies *bodies, const ContactPair *pair, double t)
{
  PetscFunctionBeginUser;
  Side side[2];
  Incident in;
  bool found = false;
  const double within = pair->tolerance;
  pair_sides(c, bodies, pair, t, side);
  PetscCall(nearest_incident(c, side, 10.0 * within, within, &in, &found));
  if (!found) PetscFunctionReturn(PETSC_SUCCESS);
  HertzTouch touch = {.a = pair->a,
                      .b = pair->b,
                      .kind = in.kind,
                      .n_points = in.n_points,
                      .since = t,
                      .seen = t,
                      .point = in.center,
                      .normal = in.normal};
  for (int i = 0; i < in.n_points; i++) {
    const Vec3 v = pair_velocity(c, bodies, pair, t, in.point[i]);
    touch.approach = fmax(touch.approach, -vec3_dot(in.normal, v));
    touch.offset = fmax(touch.offset, -in.gap[i]);
  }
  PetscCall(law_of(c, bodies, pair, t, side, &in, &touch.law));
  if (isinf(touch.law.mass)) PetscFunctionReturn(PETSC_SUCCESS);
  touch.on_a = to_shape(&side[0], in.center);
  touch.on_b = to_shape(&side[1], in.center);
  touch.axis =
      side[1].shape != NULL ? mat3_apply_transposed(&side[1].frame.r, in.normal) : in.normal;
  touch.step = hertz_sub_step(&touch.law, 0.0, touch.approach);
  PetscCall(insert(c->hertz, &touch));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/*
 * The energies of the row are the kinetic one of both bodies in the end, and the same with what the
 * contact has taken: other contacts and gravity, at work meanwhile, do not count.
 */
PetscErrorCode HertzAnnounce(Contact *c, Bodies *bodies, HertzTouch *touch, double t)
{
  PetscFunctionBeginUser;
  const ContactPair pair = hertz_pair(c, touch);
  const double energy = pair_energy(c, bodies, &pair, t);
  const ContactEvent event = {.time = t,
                              .a = pair.a,
                              .b = pair.b,
                              .kind = (IncidentKind)touch->kind,
                              .n_points = (int)touch->n_points,
                              .point = touch->point,
                              .normal = touch->normal,
                              .approach = touch->approach,
                              .impulse = touch->impulse,
                              .law = IMPACT_HERTZ,
                              .energy_before = energy - touch->work,
                              .energy_after = energy};
  /* A touch that pressed nothing was none. */
  if (vec3_norm2(touch->impulse) > 0.0) PetscCall(ContactAddEvent(c, &event));
  touch->announced = true;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode HertzEnd(Contact *c, Bodies *bodies, int k, double t, double gap)
{
  PetscFunctionBeginUser;
  Hertz *s = c->hertz;
  HertzTouch *touch = &s->touch[k];
  double end = t;
  if (touch->gap < 0.0 && gap > 0.0)
    end = touch->seen + (t - touch->seen) * touch->gap / (touch->gap - gap);
  if (!touch->announced) PetscCall(HertzAnnounce(c, bodies, touch, end));
  s->n_touches--;
  memmove(touch, touch + 1, sizeof *touch * (size_t)(s->n_touches - k));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* One point of an incident presses: add its force and what it tells of time. */
static void press_point(const HertzTouch *touch, Vec3 normal, double gap, Vec3 v, double h,
                        Vec3 *force, TouchForce *sum)
{
  const HertzPoint *law = &touch->law;
  const double rate = -vec3_dot(normal, v), depth = -gap - touch->offset;
  const double press = hertz_normal_force(law, depth, rate);
  const double speed = hertz_speed(law, depth, rate);
  const Vec3 slip = vec3_axpy(v, rate, normal);
  const double drag = hertz_friction(law, press, vec3_norm(slip), speed, h);
  *force = vec3_axpy(vec3_scale(press, normal), -drag, slip);
  sum->force = vec3_add(sum->force, *force);
  sum->power += vec3_dot(*force, v);
  if (depth <= 0.0 && rate <= 0.0) return;
  sum->step = fmin(sum->step, hertz_sub_step(law, depth, rate));
  sum->contact = fmin(sum->contact, hertz_contact_time(law, speed));
}

static void add_wrench(Wrench *sum, Vec3 arm, double sign, Vec3 force)
{
  sum->force = vec3_axpy(sum->force, sign, force);
  sum->moment = vec3_axpy(sum->moment, sign, vec3_cross(arm, force));
}

void hertz_remember(Contact *c, Bodies *bodies, int k, double t, const TouchForce *force)
{
  HertzTouch *touch = &c->hertz->touch[k];
  const ContactPair pair = hertz_pair(c, touch);
  Side side[2];
  pair_sides(c, bodies, &pair, t, side);
  const Vec3 n = force->normal;
  touch->gap = force->gap;
  touch->seen = t;
  touch->step = force->step;
  touch->on_a = to_shape(&side[0], vec3_axpy(force->point, 0.5 * force->gap, n));
  touch->on_b = to_shape(&side[1], vec3_axpy(force->point, -0.5 * force->gap, n));
  touch->axis = side[1].shape != NULL ? mat3_apply_transposed(&side[1].frame.r, n) : n;
}

/* The incident that the touch would have if the place where it was deepest kept still. */
static Incident remembered(const HertzTouch *touch, const Side side[2])
{
  const Vec3 a = from_shape(&side[0], touch->on_a), b = from_shape(&side[1], touch->on_b);
  const Vec3 n = side[1].shape != NULL ? mat3_apply(&side[1].frame.r, touch->axis) : touch->axis;
  const Vec3 middle = vec3_scale(0.5, vec3_add(a, b));
  return (Incident){.kind = INCIDENT_POINT,
                    .n_points = 1,
                    .point = {middle},
                    .gap = {vec3_dot(n, vec3_sub(a, b))},
                    .normal = n,
                    .center = middle};
}

/* Incidents of a touch. Surfaces that cross where no place of contact is found, as features do that
 * have sunk in far, touch where they last did. */
static PetscErrorCode find_incidents(Contact *c, const HertzTouch *touch, const Side side[2],
                                     double within, Incident *spare, int *n, const Incident **in)
{
  PetscFunctionBeginUser;
  Look look;
  *n = 0;
  PetscCall(LookClosely(c->look, &side[0], &side[1], within, &look));
  if (look.n > 0) {
    PetscCall(CloudCondense(c->cloud, look.n, look.hit, within, CLOUD_NO_PREVIOUS, n, in));
  } else if (look.crossed) {
    *spare = remembered(touch, side);
    *n = 1;
    *in = spare;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode HertzPress(Contact *c, Bodies *bodies, int k, double t, double h, TouchForce *out,
                          Wrench wrench[])
{
  PetscFunctionBeginUser;
  const HertzTouch *touch = &c->hertz->touch[k];
  const ContactPair pair = hertz_pair(c, touch);
  const bool wall = pair.b >= c->n_bodies;
  Side side[2];
  Incident spare;
  int n = 0;
  const Incident *in = NULL;
  *out = (TouchForce){.gap = INFINITY, .step = INFINITY, .contact = INFINITY};
  pair_sides(c, bodies, &pair, t, side);
  PetscCall(find_incidents(c, touch, side, pair.tolerance, &spare, &n, &in));
  const Vec3 xa = bodies_at(bodies, pair.a, t).x;
  const Vec3 xb = wall ? vec3(0, 0, 0) : bodies_at(bodies, pair.b, t).x;
  for (int j = 0; j < n; j++)
    for (int i = 0; i < in[j].n_points; i++) {
      const Vec3 p = in[j].point[i], v = pair_velocity(c, bodies, &pair, t, p);
      Vec3 force;
      if (in[j].gap[i] < out->gap) {
        out->gap = in[j].gap[i];
        out->point = p;
        out->normal = in[j].normal;
      }
      press_point(touch, in[j].normal, in[j].gap[i], v, h, &force, out);
      add_wrench(&wrench[pair.a], vec3_sub(p, xa), 1.0, force);
      if (!wall) add_wrench(&wrench[pair.b], vec3_sub(p, xb), -1.0, force);
    }
  PetscFunctionReturn(PETSC_SUCCESS);
}
