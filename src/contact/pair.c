/*
 * What is known of a pair before looking at its surfaces.
 */
#include "contact/contact_impl.h"

#include <string.h>

static Side side_at(Contact *c, Bodies *bodies, int id, double t)
{
  if (id >= c->n_bodies) {
    const WallSpec *wall = &c->wall[id - c->n_bodies];
    return (Side){.point = wall->point, .normal = vec3_unit(wall->normal)};
  }
  const ContactBody *body = &c->body[id];
  const BodyState state = bodies_at(bodies, id, t);
  Side side = {.shape = &body->shape, .frame = pose_frame(body_pose(&state))};
  side.frame.x = vec3_sub(side.frame.x, mat3_apply(&side.frame.r, body->center));
  return side;
}

void pair_sides(Contact *c, Bodies *bodies, const ContactPair *pair, double t, Side side[2])
{
  side[0] = side_at(c, bodies, pair->a, t);
  side[1] = side_at(c, bodies, pair->b, t);
}

double pair_size(const Contact *c, const ContactPair *pair)
{
  const double a = c->body[pair->a].shape.size;
  if (pair->b >= c->n_bodies) return a;
  const double b = c->body[pair->b].shape.size;
  return a < b ? a : b;
}

double pair_tolerance(const Contact *c, const ContactPair *pair)
{
  const double given = c->spec->tolerance * pair_size(c, pair);
  const double other = pair->b < c->n_bodies ? c->body[pair->b].shape.error : 0.0;
  const double least = 4.0 * (c->body[pair->a].shape.error + other);
  return given > least ? given : least;
}

static Vec3 velocity_of(Contact *c, Bodies *bodies, int id, double t, Vec3 p)
{
  if (id >= c->n_bodies) return vec3(0, 0, 0);
  const BodyState s = bodies_at(bodies, id, t);
  const Vec3 spin = body_spin(bodies_body(bodies, id), &s);
  return vec3_add(s.v, vec3_cross(spin, vec3_sub(p, s.x)));
}

Vec3 pair_velocity(Contact *c, Bodies *bodies, const ContactPair *pair, double t, Vec3 p)
{
  return vec3_sub(velocity_of(c, bodies, pair->a, t, p), velocity_of(c, bodies, pair->b, t, p));
}

/* Linear velocity and the speed of turning surfaces of both bodies at t. */
static double speed_at(Contact *c, Bodies *bodies, const ContactPair *pair, double t)
{
  const BodyState a = bodies_at(bodies, pair->a, t);
  double turning = vec3_norm(body_spin(bodies_body(bodies, pair->a), &a)) * c->body[pair->a].radius;
  Vec3 v = a.v;
  if (pair->b < c->n_bodies) {
    const BodyState b = bodies_at(bodies, pair->b, t);
    turning += vec3_norm(body_spin(bodies_body(bodies, pair->b), &b)) * c->body[pair->b].radius;
    v = vec3_sub(v, b.v);
  }
  return vec3_norm(v) + turning;
}

double pair_speed(Contact *c, Bodies *bodies, const ContactPair *pair, double t, double t_end)
{
  /* Under a steady pull the speed is largest at an end; what changes within the step is covered
   * by the look in the middle and a little slack. */
  const double slack = 1.05;
  const double first = speed_at(c, bodies, pair, t);
  const double middle = speed_at(c, bodies, pair, 0.5 * (t + t_end));
  const double last = speed_at(c, bodies, pair, t_end);
  double most = first > last ? first : last;
  if (middle > most) most = middle;
  return slack * most;
}

static const char *name_of(const Contact *c, int id)
{
  return id < c->n_bodies ? c->spec_of[id].name : c->wall[id - c->n_bodies].name;
}

static const PairSpec *override_of(const Contact *c, const ContactPair *pair)
{
  const char *a = name_of(c, pair->a), *b = name_of(c, pair->b);
  for (int k = 0; k < c->spec->n_pairs; k++) {
    const NameList names = c->spec->pairs[k].bodies;
    const bool same = strcmp(names.name[0], a) == 0 && strcmp(names.name[1], b) == 0;
    const bool turned = strcmp(names.name[0], b) == 0 && strcmp(names.name[1], a) == 0;
    if (same || turned) return &c->spec->pairs[k];
  }
  return NULL;
}

static double smaller(double a, double b)
{
  return a < b ? a : b;
}

bool pair_material(const Contact *c, const ContactPair *pair, double *restitution, double *friction)
{
  const BodySpec *a = &c->spec_of[pair->a];
  const bool wall = pair->b >= c->n_bodies;
  const double eb =
      wall ? c->wall[pair->b - c->n_bodies].restitution : c->spec_of[pair->b].restitution;
  const double mub = wall ? c->wall[pair->b - c->n_bodies].friction : c->spec_of[pair->b].friction;
  *restitution = smaller(a->restitution, eb);
  *friction = smaller(a->friction, mub);
  const PairSpec *override = c->spec->n_pairs > 0 ? override_of(c, pair) : NULL;
  if (override == NULL) return true;
  if (!isnan(override->restitution)) *restitution = override->restitution;
  if (!isnan(override->friction)) *friction = override->friction;
  return !override->ignore;
}

double contact_resting_speed(const Contact *c, double size)
{
  if (!isnan(c->spec->resting_speed)) return c->spec->resting_speed;
  return 1e-4 * sqrt(vec3_norm(c->gravity) * size);
}
