/*
 * Which bodies are in a crowd, and which of their pairs may touch?
 */
#include "contact/crowd_impl.h"

enum { CROWD = 64 };

/* How far a body may move in one part of a step, of its thickness: what turns less than a ball. */
static const double far_for_balls = 0.5, far_for_others = 0.05;

static bool is_free(const Bodies *bodies, int b, double t)
{
  return body_moves_freely(bodies_body(bodies, b), t);
}

double crowd_reach(const Contact *c, const ContactPair *pair)
{
  const double b = pair->b < c->n_bodies ? c->crowd->way[pair->b] : 0.0;
  return pair->tolerance + 1.1 * (c->crowd->way[pair->a] + b);
}

static bool is_ball(const Contact *c, int b)
{
  return b >= c->n_bodies || c->body[b].shape.exact.kind == EXACT_SPHERE;
}

/* The gap of balls around the two bodies, or of one and the wall. */
static double balls_gap(const Contact *c, Bodies *bodies, const ContactPair *pair, double t)
{
  const Vec3 x = bodies_at(bodies, pair->a, t).x;
  const double gap = -c->body[pair->a].radius;
  if (pair->b < c->n_bodies)
    return gap + vec3_distance(x, bodies_at(bodies, pair->b, t).x) - c->body[pair->b].radius;
  const WallSpec *wall = &c->wall[pair->b - c->n_bodies];
  return gap + vec3_dot(vec3_unit(wall->normal), vec3_sub(x, wall->point));
}

/* May the two touch within the step? Balls around the bodies tell, then their surfaces. */
static bool may_touch(Contact *c, Bodies *bodies, const ContactPair *pair, double t)
{
  const double reach = crowd_reach(c, pair);
  if (balls_gap(c, bodies, pair, t) > reach) return false;
  if ((is_ball(c, pair->a) && is_ball(c, pair->b)) || pair->lasting) return true;
  Side side[2];
  pair_sides(c, bodies, pair, t, side);
  return look_bound(&side[0], &side[1], 2.0 * reach) <= reach;
}

static int root_of(int parent[], int b)
{
  while (parent[b] != b) b = parent[b] = parent[parent[b]];
  return b;
}

/* How far bodies move from t to t_end: as in free flight, or as a neighbour that may push them. */
static void measure_ways(Contact *c, Bodies *bodies, double t, double t_end)
{
  enum { HOPS = 2 };
  Crowd *s = c->crowd;
  for (int b = 0; b < c->n_bodies; b++) {
    const BodyState from = bodies_at(bodies, b, t), to = bodies_at(bodies, b, t_end);
    const Body *body = bodies_body(bodies, b);
    const double turning = fmax(vec3_norm(body_spin(body, &from)), vec3_norm(body_spin(body, &to)));
    s->way[b] = vec3_distance(from.x, to.x) + (t_end - t) * turning * c->body[b].radius;
  }
  for (int hop = 0; hop < HOPS; hop++)
    for (int k = 0; k < c->n_pairs; k++) {
      const ContactPair *pair = &c->pair[k];
      if (pair->b >= c->n_bodies || !c->body[pair->b].exists) continue;
      const double most = fmax(s->way[pair->a], s->way[pair->b]);
      if (balls_gap(c, bodies, pair, t) <= 2.0 * most) s->way[pair->a] = s->way[pair->b] = most;
    }
}

/* Mark the pairs that may touch, of those that can move. */
static void mark_pairs(Contact *c, Bodies *bodies, double t)
{
  for (int k = 0; k < c->n_pairs; k++) {
    ContactPair *pair = &c->pair[k];
    const bool moves =
        is_free(bodies, pair->a, t) || (pair->b < c->n_bodies && is_free(bodies, pair->b, t));
    pair->seen = moves && may_touch(c, bodies, pair, t);
  }
}

/* Leave the marks of those pairs alone that have to do with a crowd. */
static void unmark_others(Contact *c)
{
  for (int k = 0; k < c->n_pairs; k++) {
    ContactPair *pair = &c->pair[k];
    pair->seen = pair->seen && (contact_in_crowd(c, pair->a) || contact_in_crowd(c, pair->b));
  }
}

/* Which bodies hang together by the marked pairs, and how many. */
static void connect(Contact *c, const Bodies *bodies, double t)
{
  Crowd *s = c->crowd;
  for (int b = 0; b < c->n_bodies; b++) s->parent[b] = b, s->size[b] = 0;
  for (int k = 0; k < c->n_pairs; k++) {
    const ContactPair *pair = &c->pair[k];
    if (!pair->seen || pair->b >= c->n_bodies) continue;
    if (is_free(bodies, pair->a, t) && is_free(bodies, pair->b, t))
      s->parent[root_of(s->parent, pair->a)] = root_of(s->parent, pair->b);
  }
  for (int b = 0; b < c->n_bodies; b++)
    if (is_free(bodies, b, t)) s->size[root_of(s->parent, b)]++;
}

void crowd_mark(Contact *c, Bodies *bodies, double t, double t_end)
{
  measure_ways(c, bodies, t, t_end);
  mark_pairs(c, bodies, t);
  unmark_others(c);
}

bool crowd_find(Contact *c, Bodies *bodies, double t, double t_end)
{
  Crowd *s = c->crowd;
  int n_free = 0;
  for (int b = 0; b < c->n_bodies; b++) {
    s->inside[b] = false;
    n_free += c->body[b].exists && is_free(bodies, b, t);
  }
  if (n_free <= CROWD) return false;
  measure_ways(c, bodies, t, t_end);
  mark_pairs(c, bodies, t);
  connect(c, bodies, t);
  bool any = false;
  for (int b = 0; b < c->n_bodies; b++) {
    s->inside[b] = is_free(bodies, b, t) && s->size[root_of(s->parent, b)] > CROWD;
    any = any || s->inside[b];
  }
  unmark_others(c);
  return any;
}

int crowd_parts(const Contact *c)
{
  enum { MOST = 16 };
  const Crowd *s = c->crowd;
  double most = 1.0;
  for (int b = 0; b < c->n_bodies; b++) {
    if (!s->inside[b]) continue;
    const double part = is_ball(c, b) ? far_for_balls : far_for_others;
    most = fmax(most, s->way[b] / (part * c->body[b].shape.thickness));
  }
  return most >= MOST ? MOST : (int)ceil(most);
}
