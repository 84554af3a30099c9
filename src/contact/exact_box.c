#include "contact/exact_box.h"

#include "contact/tritri.h"

/* A box in the world. */
typedef struct {
  Vec3 center, axis[3];
  double half[3];
} WorldBox;

/* How far from a face, in sizes of the box, its rim still belongs to it. */
static const double rim = 1e-6;

bool exact_box_is_known(const Side *a, const Side *b)
{
  const ExactKind ka = a->shape->exact.kind;
  if (b->shape == NULL) return ka == EXACT_BOX;
  const ExactKind kb = b->shape->exact.kind;
  return (ka == EXACT_BOX && (kb == EXACT_BOX || kb == EXACT_SPHERE)) ||
         (ka == EXACT_SPHERE && kb == EXACT_BOX);
}

static WorldBox world_box(const Side *s)
{
  const Mat3 *r = &s->frame.r;
  const Vec3 h = s->shape->exact.half;
  WorldBox box = {.center = s->frame.x, .half = {h.x, h.y, h.z}};
  for (int k = 0; k < 3; k++) box.axis[k] = vec3(r->m[0][k], r->m[1][k], r->m[2][k]);
  return box;
}

static double sign_of(int corner, int k)
{
  return corner >> k & 1 ? 1.0 : -1.0;
}

static Vec3 corner_of(const WorldBox *box, int corner)
{
  Vec3 p = box->center;
  for (int k = 0; k < 3; k++) p = vec3_axpy(p, sign_of(corner, k) * box->half[k], box->axis[k]);
  return p;
}

/* The sum of the normals of the faces at a corner. */
static Vec3 corner_outward(const WorldBox *box, int corner)
{
  Vec3 sum = {0, 0, 0};
  for (int k = 0; k < 3; k++) sum = vec3_axpy(sum, sign_of(corner, k), box->axis[k]);
  return vec3_unit(sum);
}

/* Half the extent of the box along a unit vector. */
static double reach_along(const WorldBox *box, Vec3 n)
{
  double sum = 0.0;
  for (int k = 0; k < 3; k++) sum += box->half[k] * fabs(vec3_dot(n, box->axis[k]));
  return sum;
}

static double longest(const WorldBox *box)
{
  return 2.0 * fmax(box->half[0], fmax(box->half[1], box->half[2]));
}

/* Keep the axis if it separates more than the best so far; n from b to a. */
static void try_axis(const WorldBox *a, const WorldBox *b, Vec3 n, double *best, Vec3 *best_axis)
{
  const double along = vec3_dot(n, vec3_sub(a->center, b->center));
  const double apart = fabs(along) - reach_along(a, n) - reach_along(b, n);
  if (apart <= *best) return;
  *best = apart;
  *best_axis = along < 0.0 ? vec3_scale(-1.0, n) : n;
}

/* The greatest separation over the axes of faces and of pairs of edges. */
static double separation(const WorldBox *a, const WorldBox *b, Vec3 *axis)
{
  double best = -INFINITY;
  for (int k = 0; k < 3; k++) try_axis(a, b, a->axis[k], &best, axis);
  for (int k = 0; k < 3; k++) try_axis(a, b, b->axis[k], &best, axis);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      const Vec3 cross = vec3_cross(a->axis[i], b->axis[j]);
      const double size = vec3_norm(cross);
      if (size > 1e-6) try_axis(a, b, vec3_scale(1.0 / size, cross), &best, axis);
    }
  return best;
}

/* The nearest place of a box to a point. */
typedef struct {
  double distance; /* negative inside */
  Vec3 foot, normal;
  bool on_face;
} BoxFoot;

static BoxFoot foot_on_face(const WorldBox *box, Vec3 p, int k, double side, double height)
{
  const Vec3 n = vec3_scale(side, box->axis[k]);
  return (BoxFoot){height, vec3_axpy(p, -height, n), n, true};
}

static BoxFoot box_foot(const WorldBox *box, Vec3 p)
{
  const Vec3 away = vec3_sub(p, box->center);
  double q[3], over[3], out2 = 0.0;
  int face = 0, n_out = 0;
  Vec3 foot = box->center;
  for (int k = 0; k < 3; k++) {
    q[k] = vec3_dot(box->axis[k], away);
    over[k] = fabs(q[k]) - box->half[k];
    if (over[k] > over[face]) face = k;
    n_out += over[k] > 0.0;
    out2 += over[k] > 0.0 ? over[k] * over[k] : 0.0;
    foot = vec3_axpy(foot, over[k] > 0.0 ? copysign(box->half[k], q[k]) : q[k], box->axis[k]);
  }
  if (n_out <= 1) return foot_on_face(box, p, face, copysign(1.0, q[face]), over[face]);
  const double d = sqrt(out2);
  return (BoxFoot){d, foot, vec3_scale(1.0 / d, vec3_sub(p, foot)), false};
}

/*
 * The same for a corner with this outward direction: on the rim of a face it touches the face that
 * it points at, since from foot to corner there is no direction but rounding.
 */
static BoxFoot corner_foot(const WorldBox *box, Vec3 p, Vec3 outward)
{
  const BoxFoot nearest = box_foot(box, p);
  const double near = rim * longest(box);
  if (fabs(nearest.distance) > near) return nearest;
  if (nearest.on_face && vec3_dot(outward, nearest.normal) < -0.1) return nearest;
  const Vec3 away = vec3_sub(p, box->center);
  double q[3], over[3], least = -INFINITY;
  int face = -1;
  bool alone = true;
  for (int k = 0; k < 3; k++) {
    q[k] = vec3_dot(box->axis[k], away);
    over[k] = fabs(q[k]) - box->half[k];
  }
  for (int k = 0; k < 3; k++) {
    const bool beside = over[(k + 1) % 3] > near || over[(k + 2) % 3] > near;
    if (beside || vec3_dot(outward, box->axis[k]) * q[k] > -0.1 * fabs(q[k])) continue;
    if (over[k] < least - near) continue;
    alone = over[k] > least + near;
    if (over[k] > least) least = over[k], face = k;
  }
  if (face < 0 || !alone) return nearest;
  return foot_on_face(box, p, face, copysign(1.0, q[face]), over[face]);
}

static double larger_edge(const Side *a, const Side *b)
{
  return b->shape != NULL && b->shape->edge > a->shape->edge ? b->shape->edge : a->shape->edge;
}

/* The hits being gathered. */
typedef struct {
  const Side *a, *b;
  double reach, spacing;
  int n;
  ContactHit *hit;
} Gathered;

static void add(Gathered *g, Vec3 point, Vec3 normal, double gap, bool exact, int patch)
{
  if (!(gap <= g->reach) || g->n == EXACT_BOX_HITS) return;
  g->hit[g->n++] = (ContactHit){point, normal, gap, g->spacing, exact, patch};
}

static void add_over_wall(Gathered *g)
{
  const WorldBox box = world_box(g->a);
  const Vec3 n = g->b->normal;
  for (int c = 0; c < 8; c++) {
    const Vec3 p = corner_of(&box, c);
    const double gap = vec3_dot(n, vec3_sub(p, g->b->point));
    add(g, vec3_axpy(p, -0.5 * gap, n), n, gap, true, 0);
  }
}

static void add_sphere(Gathered *g)
{
  const bool box_is_b = g->b->shape->exact.kind == EXACT_BOX;
  const Side *ball = box_is_b ? g->a : g->b;
  const WorldBox box = world_box(box_is_b ? g->b : g->a);
  const BoxFoot f = box_foot(&box, ball->frame.x);
  const double gap = f.distance - ball->shape->exact.radius;
  add(g, vec3_axpy(f.foot, 0.5 * gap, f.normal), box_is_b ? f.normal : vec3_scale(-1.0, f.normal),
      gap, f.on_face, -1);
}

/* Corners of one box, those marked, over the other. */
static void add_corners(Gathered *g, const WorldBox *own, const WorldBox *other, unsigned marked,
                        bool own_is_a)
{
  for (int c = 0; c < 8; c++) {
    if (!(marked >> c & 1)) continue;
    const Vec3 p = corner_of(own, c);
    const BoxFoot f = corner_foot(other, p, corner_outward(own, c));
    add(g, vec3_scale(0.5, vec3_add(p, f.foot)), own_is_a ? f.normal : vec3_scale(-1.0, f.normal),
        f.distance, f.on_face, f.on_face ? 0 : -1);
  }
}

/* An edge of a box: along an axis, between the corners from and to. */
typedef struct {
  Vec3 from, to, face[2];
} BoxEdge;

static BoxEdge edge_of(const WorldBox *box, int axis, int corner)
{
  const int i = (axis + 1) % 3, j = (axis + 2) % 3;
  return (BoxEdge){
      corner_of(box, corner & ~(1 << axis)),
      corner_of(box, corner | 1 << axis),
      {vec3_scale(sign_of(corner, i), box->axis[i]), vec3_scale(sign_of(corner, j), box->axis[j])}};
}

/* Does the unit vector, at right angles to the edge, lie between the normals of its faces? */
static bool in_cone(Vec3 n, const BoxEdge *e)
{
  const double slack = 1e-9;
  return vec3_dot(n, e->face[0]) >= -slack && vec3_dot(n, e->face[1]) >= -slack;
}

/* Edges have passed each other only if what lies halfway is about as deep in both boxes. */
static bool have_passed(const WorldBox *a, const WorldBox *b, Vec3 halfway, double depth)
{
  return box_foot(a, halfway).distance < -0.1 * depth &&
         box_foot(b, halfway).distance < -0.1 * depth;
}

static void add_edges(Gathered *g, const WorldBox *a, const WorldBox *b, const BoxEdge *ea,
                      const BoxEdge *eb)
{
  const Vec3 ua = vec3_sub(ea->to, ea->from), ub = vec3_sub(eb->to, eb->from);
  const Vec3 cross = vec3_cross(ua, ub);
  if (vec3_norm(cross) < 1e-6 * vec3_norm(ua) * vec3_norm(ub)) return;
  Vec3 n = vec3_unit(cross);
  if (vec3_dot(n, vec3_add(eb->face[0], eb->face[1])) < 0.0) n = vec3_scale(-1.0, n);
  if (!in_cone(n, eb) || !in_cone(vec3_scale(-1.0, n), ea)) return;
  double s = 0.0, t = 0.0;
  segments_nearest(ea->from, ea->to, eb->from, eb->to, &s, &t);
  if (s <= 0.0 || s >= 1.0 || t <= 0.0 || t >= 1.0) return;
  const Vec3 on_a = vec3_axpy(ea->from, s, ua), on_b = vec3_axpy(eb->from, t, ub);
  const Vec3 halfway = vec3_scale(0.5, vec3_add(on_a, on_b));
  const double gap = vec3_dot(vec3_sub(on_a, on_b), n);
  if (gap < -1e-9 * g->spacing && !have_passed(a, b, halfway, -gap)) return;
  const bool flat = vec3_dot(n, eb->face[0]) > 1.0 - 1e-9 || vec3_dot(n, eb->face[1]) > 1.0 - 1e-9;
  add(g, halfway, n, gap, flat, flat ? 0 : -1);
}

/* Bits of the corners no farther along n than a limit. */
static unsigned mark_corners(const WorldBox *box, Vec3 n, double limit)
{
  unsigned marked = 0;
  for (int c = 0; c < 8; c++)
    if (vec3_dot(n, corner_of(box, c)) <= limit) marked |= 1u << c;
  return marked;
}

/* Edges with an end among the marked corners; returns how many. */
static int list_edges(const WorldBox *box, unsigned marked, BoxEdge edge[12])
{
  int n = 0;
  for (int axis = 0; axis < 3; axis++)
    for (int c = 0; c < 8; c++)
      if (!(c >> axis & 1) && (marked >> c & 1 || marked >> (c | 1 << axis) & 1))
        edge[n++] = edge_of(box, axis, c);
  return n;
}

static void add_boxes(Gathered *g)
{
  const WorldBox a = world_box(g->a), b = world_box(g->b);
  Vec3 n = {0, 0, 1};
  const double apart = separation(&a, &b, &n);
  if (apart > g->reach) return;
  /* What comes within reach of the other lies this near to the plane before its own box. */
  const double slab = g->reach - apart + 1e-9 * g->spacing;
  const double low = vec3_dot(n, a.center) - reach_along(&a, n);
  const double high = vec3_dot(n, b.center) + reach_along(&b, n);
  const unsigned of_a = mark_corners(&a, n, low + slab);
  const unsigned of_b = mark_corners(&b, vec3_scale(-1.0, n), -high + slab);
  add_corners(g, &a, &b, of_a, true);
  add_corners(g, &b, &a, of_b, false);
  BoxEdge ea[12], eb[12];
  const int na = list_edges(&a, of_a, ea), nb = list_edges(&b, of_b, eb);
  for (int i = 0; i < na; i++)
    for (int j = 0; j < nb; j++) add_edges(g, &a, &b, &ea[i], &eb[j]);
}

double exact_box_gap(const Side *a, const Side *b)
{
  if (b->shape == NULL) {
    const WorldBox box = world_box(a);
    return vec3_dot(b->normal, vec3_sub(box.center, b->point)) - reach_along(&box, b->normal);
  }
  if (a->shape->exact.kind == EXACT_SPHERE || b->shape->exact.kind == EXACT_SPHERE) {
    const Side *ball = a->shape->exact.kind == EXACT_SPHERE ? a : b;
    const WorldBox box = world_box(ball == a ? b : a);
    return box_foot(&box, ball->frame.x).distance - ball->shape->exact.radius;
  }
  const WorldBox wa = world_box(a), wb = world_box(b);
  Vec3 n;
  return separation(&wa, &wb, &n);
}

int exact_box_hits(const Side *a, const Side *b, double reach, ContactHit hit[EXACT_BOX_HITS])
{
  Gathered g = {a, b, reach, larger_edge(a, b), 0, hit};
  if (b->shape == NULL)
    add_over_wall(&g);
  else if (a->shape->exact.kind == EXACT_BOX && b->shape->exact.kind == EXACT_BOX)
    add_boxes(&g);
  else
    add_sphere(&g);
  return g.n;
}
