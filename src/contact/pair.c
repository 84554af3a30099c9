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

static double smaller(double a, double b)
{
  return a < b ? a : b;
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

static bool pair_material(const Contact *c, ContactPair *pair)
{
  const BodySpec *a = &c->spec_of[pair->a];
  const bool wall = pair->b >= c->n_bodies;
  const double eb =
      wall ? c->wall[pair->b - c->n_bodies].restitution : c->spec_of[pair->b].restitution;
  const double mub = wall ? c->wall[pair->b - c->n_bodies].friction : c->spec_of[pair->b].friction;
  pair->restitution = smaller(a->restitution, eb);
  pair->friction = smaller(a->friction, mub);
  const PairSpec *override = c->spec->n_pairs > 0 ? override_of(c, pair) : NULL;
  if (override == NULL) return true;
  if (!isnan(override->restitution)) pair->restitution = override->restitution;
  if (!isnan(override->friction)) pair->friction = override->friction;
  return !override->ignore;
}

bool pair_init(const Contact *c, ContactPair *pair)
{
  const ContactShape *a = &c->body[pair->a].shape;
  const ContactShape *b = pair->b < c->n_bodies ? &c->body[pair->b].shape : NULL;
  pair->size = b != NULL ? smaller(a->size, b->size) : a->size;
  const double least = 4.0 * (a->error + (b != NULL ? b->error : 0.0));
  pair->tolerance = c->spec->tolerance * pair->size;
  if (pair->tolerance < least) pair->tolerance = least;
  pair->resting_speed = isnan(c->spec->resting_speed)
                            ? 1e-4 * sqrt(vec3_norm(c->gravity) * pair->size)
                            : c->spec->resting_speed;
  pair->impact = INFINITY;
  pair->clear = -INFINITY;
  pair->stale = true;
  return pair_material(c, pair);
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

static double spin_at(const Bodies *bodies, int b, const BodyState *state)
{
  return vec3_norm(body_spin(bodies_body(bodies, b), state));
}

void contact_note_motion(Contact *c, Bodies *bodies, int b, double t, double t_end)
{
  /* Under a steady pull the speed is largest at an end; what changes within the step is covered
   * by the look in the middle and a little slack. */
  const double slack = 1.05;
  const BodyState first = bodies_at(bodies, b, t), last = bodies_at(bodies, b, t_end);
  const BodyState middle = bodies_at(bodies, b, 0.5 * (t + t_end));
  ContactMotion *m = &c->motion[b];
  double most = fmax(spin_at(bodies, b, &first), spin_at(bodies, b, &last));
  most = fmax(most, spin_at(bodies, b, &middle));
  m->last = last.v;
  m->change = slack * fmax(vec3_distance(first.v, last.v), vec3_distance(middle.v, last.v));
  m->turning = slack * most * c->body[b].radius;
}

double pair_speed(const Contact *c, const ContactPair *pair)
{
  const ContactMotion *a = &c->motion[pair->a];
  if (pair->b >= c->n_bodies) return 1.05 * vec3_norm(a->last) + a->change + a->turning;
  const ContactMotion *b = &c->motion[pair->b];
  return 1.05 * vec3_distance(a->last, b->last) + a->change + b->change + a->turning + b->turning;
}

double pair_clearance(const ContactPair *pair, double t)
{
  return pair->clear - pair->speed * fabs(t - pair->clear_at);
}
