/*
 * The walk of two sphere trees against each other, or of one against a plane.
 */
#include "contact/look_impl.h"
#include "contact/tritri.h"

typedef struct {
  int a, b;
} NodePair;

enum { STACK = 2048 };

/* Node i of a tree as a sphere in the frame of the other body. */
typedef struct {
  Vec3 c;
  double r;
} Ball;

static Ball node_ball(const SphereNode *n)
{
  return (Ball){{n->x, n->y, n->z}, n->radius};
}

static Frame relative_frame(const Side *a, const Side *b)
{
  const Mat3 back = mat3_transpose(&b->frame.r);
  return (Frame){frame_to_body(&b->frame, a->frame.x), mat3_multiply(&back, &a->frame.r)};
}

static Corners moved(const Frame *f, const Corners *t)
{
  return (Corners){frame_to_world(f, t->a), frame_to_world(f, t->b), frame_to_world(f, t->c)};
}

/* What a walk does with two leaves; returns the distance beyond which nothing matters. */
typedef struct {
  const Side *a, *b;
  Frame a_in_b;
  SphereTreeView tree_a, tree_b;
  double limit;   /* pairs farther apart than this are skipped */
  bool narrowing; /* the least distance found becomes the limit */
  LookWork *work; /* collects candidates; NULL: only the least distance */
  bool full;      /* no memory for a candidate */
} Walk;

static bool room_for_candidate(LookWork *w)
{
  if (w->n_candidates < w->candidate_room) return true;
  const int room = w->candidate_room > 0 ? 2 * w->candidate_room : 256;
  if (PetscRealloc(sizeof *w->candidate * room, &w->candidate) != 0) return false;
  w->candidate_room = room;
  return true;
}

/* Has the triangle no sharp corner? */
static bool is_smooth(const XRay *xray, int t)
{
  const TriangleLinks *links = xray_triangle_links(xray, t);
  int sharp = 0;
  for (int k = 0; k < 3; k++) {
    int flags = 0;
    xray_vertex(xray, links->vertex[k], &flags);
    sharp |= flags & VERTEX_CREASE;
  }
  return sharp == 0;
}

/* Smooth triangles that are collected are only first guesses of places on their patches. */
static TrianglePair pair_of(const Walk *w, int i, const Corners *ta, int j, const Corners *tb)
{
  const bool rough =
      !w->narrowing && is_smooth(w->a->shape->xray, i) && is_smooth(w->b->shape->xray, j);
  return rough ? triangle_pair_roughly(ta, tb) : triangle_pair(ta, tb);
}

static void visit_triangles(Walk *w, int i, const Corners *ta, int j)
{
  const Corners *tb = xray_triangle(w->b->shape->xray, j);
  if (triangles_apart(ta, tb, w->limit)) return;
  const TrianglePair p = pair_of(w, i, ta, j, tb);
  const double d = sqrt(p.distance2);
  if (w->narrowing && d < w->limit) w->limit = d;
  if (w->work == NULL) return;
  if (!room_for_candidate(w->work)) {
    w->full = true;
    return;
  }
  w->work->candidate[w->work->n_candidates++] = (Candidate){i,
                                                            j,
                                                            d,
                                                            p.crossing,
                                                            frame_to_world(&w->b->frame, p.on_a),
                                                            frame_to_world(&w->b->frame, p.on_b)};
}

static void visit_leaves(Walk *w, const SphereNode *na, const SphereNode *nb)
{
  for (int i = 0; i < na->n_triangles; i++) {
    const int t = w->tree_a.triangle[na->first + i];
    const Corners ta = moved(&w->a_in_b, xray_triangle(w->a->shape->xray, t));
    for (int j = 0; j < nb->n_triangles; j++)
      visit_triangles(w, t, &ta, w->tree_b.triangle[nb->first + j]);
  }
}

static double ball_distance(const Walk *w, int a, int b)
{
  const Ball ba = node_ball(&w->tree_a.node[a]), bb = node_ball(&w->tree_b.node[b]);
  return vec3_distance(frame_to_world(&w->a_in_b, ba.c), bb.c) - ba.r - bb.r;
}

/* Are the spheres of two nodes farther apart than the limit? */
static bool balls_apart(const Walk *w, int a, int b)
{
  const Ball ba = node_ball(&w->tree_a.node[a]), bb = node_ball(&w->tree_b.node[b]);
  const Vec3 way = vec3_sub(frame_to_world(&w->a_in_b, ba.c), bb.c);
  const double far = ba.r + bb.r + w->limit;
  return vec3_norm2(way) > far * far;
}

/* How far a node reaches along a direction at angle acos(c) to its slab. */
static double slab_reach(const SphereNode *n, double c)
{
  const double s2 = 1.0 - c * c, along = c > 0.0 ? c * n->high : c * n->low;
  return along + (s2 > 0.0 ? sqrt(s2) * n->radius : 0.0);
}

/* The space between the slab of p and the node q, whose middle lies `way` further along p's slab,
 * and whose own slab makes an angle acos(c) with it. */
static double slab_space(const SphereNode *p, const SphereNode *q, double way, double c)
{
  const double above = way - slab_reach(q, -c) - p->high;
  const double below = p->low - way - slab_reach(q, c);
  return above > below ? above : below;
}

/* Do the slabs of two nodes show that they are farther apart than the limit? */
static bool slabs_apart(const Walk *w, int a, int b)
{
  const SphereNode *na = &w->tree_a.node[a], *nb = &w->tree_b.node[b];
  const Vec3 axis_a = mat3_apply(&w->a_in_b.r, vec3(na->nx, na->ny, na->nz));
  const Vec3 axis_b = {nb->nx, nb->ny, nb->nz};
  const Vec3 way = vec3_sub(node_ball(nb).c, frame_to_world(&w->a_in_b, node_ball(na).c));
  /* The axes are unit vectors in single precision. */
  const double rounding = 1e-6 * (na->radius + nb->radius + vec3_norm(way));
  const double c = vec3_dot(axis_a, axis_b), limit = w->limit + rounding;
  return slab_space(na, nb, vec3_dot(way, axis_a), c) > limit ||
         slab_space(nb, na, -vec3_dot(way, axis_b), c) > limit;
}

/* Push the two halves of the larger node, the nearer one last so that it is looked at first. */
static int push_halves(const Walk *w, NodePair stack[], int top, NodePair p)
{
  const SphereNode *na = &w->tree_a.node[p.a], *nb = &w->tree_b.node[p.b];
  const bool split_a = nb->n_triangles > 0 || (na->n_triangles == 0 && na->radius >= nb->radius);
  NodePair q = p, r = p;
  if (split_a) {
    q.a = na->first;
    r.a = na->first + 1;
  } else {
    q.b = nb->first;
    r.b = nb->first + 1;
  }
  const bool q_first = w->narrowing && ball_distance(w, q.a, q.b) <= ball_distance(w, r.a, r.b);
  stack[top++] = q_first ? r : q;
  stack[top++] = q_first ? q : r;
  return top;
}

/*
 * Is the ball of one node farther than the limit from every triangle in the leaf of the other? The
 * sphere of a large triangle says little about where it is.
 */
static bool far_from_leaf(const Side *side, SphereTreeView tree, const SphereNode *leaf, Vec3 c,
                          double reach)
{
  bool far = true;
  for (int j = 0; j < leaf->n_triangles && far; j++) {
    const int t = tree.triangle[leaf->first + j];
    far = triangle_foot(xray_triangle(side->shape->xray, t), c).distance2 > reach * reach;
  }
  return far;
}

static bool leaf_apart(const Walk *w, int i, int j)
{
  const SphereNode *na = &w->tree_a.node[i], *nb = &w->tree_b.node[j];
  const Vec3 ca = {na->x, na->y, na->z}, cb = {nb->x, nb->y, nb->z};
  if (w->limit < 0.0) return false;
  if (nb->n_triangles > 0 && nb->radius >= na->radius)
    return far_from_leaf(w->b, w->tree_b, nb, frame_to_world(&w->a_in_b, ca),
                         w->limit + na->radius);
  if (na->n_triangles > 0 && na->radius >= nb->radius)
    return far_from_leaf(w->a, w->tree_a, na, frame_to_body(&w->a_in_b, cb), w->limit + nb->radius);
  return false;
}

static void walk_trees(Walk *w)
{
  NodePair stack[STACK];
  int top = 0;
  stack[top++] = (NodePair){0, 0};
  while (top > 0) {
    const NodePair p = stack[--top];
    if (balls_apart(w, p.a, p.b) || slabs_apart(w, p.a, p.b) || leaf_apart(w, p.a, p.b)) continue;
    const SphereNode *na = &w->tree_a.node[p.a], *nb = &w->tree_b.node[p.b];
    if ((na->n_triangles > 0 && nb->n_triangles > 0) || top + 2 > STACK)
      visit_leaves(w, na, nb);
    else
      top = push_halves(w, stack, top, p);
  }
}

/* The lowest corner of a triangle over a wall. */
static Vec3 lowest_corner(const Side *body, const Side *wall, const Corners *t)
{
  const Corners c = moved(&body->frame, t);
  const double ha = vec3_dot(wall->normal, c.a), hb = vec3_dot(wall->normal, c.b),
               hc = vec3_dot(wall->normal, c.c);
  return ha <= hb && ha <= hc ? c.a : hb <= hc ? c.b : c.c;
}

static void visit_over_wall(Walk *w, int i)
{
  const Vec3 p = lowest_corner(w->a, w->b, xray_triangle(w->a->shape->xray, i));
  const double d = vec3_dot(w->b->normal, vec3_sub(p, w->b->point));
  if (d > w->limit) return;
  if (w->narrowing) w->limit = d;
  if (w->work == NULL) return;
  if (!room_for_candidate(w->work)) {
    w->full = true;
    return;
  }
  w->work->candidate[w->work->n_candidates++] =
      (Candidate){i, -1, d, d < 0.0, p, vec3_axpy(p, -d, w->b->normal)};
}

static double ball_height(const Walk *w, int i)
{
  const Ball ball = node_ball(&w->tree_a.node[i]);
  const Vec3 c = frame_to_world(&w->a->frame, ball.c);
  return vec3_dot(w->b->normal, vec3_sub(c, w->b->point)) - ball.r;
}

static void walk_over_wall(Walk *w)
{
  int stack[STACK], top = 0;
  stack[top++] = 0;
  while (top > 0) {
    const int i = stack[--top];
    if (ball_height(w, i) > w->limit) continue;
    const SphereNode *n = &w->tree_a.node[i];
    for (int k = 0; k < n->n_triangles; k++) visit_over_wall(w, w->tree_a.triangle[n->first + k]);
    if (n->n_triangles > 0 || top + 2 > STACK) continue;
    const bool left = ball_height(w, n->first) <= ball_height(w, n->first + 1);
    stack[top++] = left ? n->first + 1 : n->first;
    stack[top++] = left ? n->first : n->first + 1;
  }
}

static Walk walk_start(const Side *a, const Side *b, double limit)
{
  Walk w = {.a = a, .b = b, .limit = limit, .tree_a = xray_sphere_tree(a->shape->xray)};
  if (b->shape != NULL) {
    w.tree_b = xray_sphere_tree(b->shape->xray);
    w.a_in_b = relative_frame(a, b);
  }
  return w;
}

double look_bound(const Side *a, const Side *b, double cutoff)
{
  const double bulge = a->shape->bulge + (b->shape != NULL ? b->shape->bulge : 0.0);
  Walk w = walk_start(a, b, cutoff + bulge);
  w.narrowing = true;
  if (b->shape != NULL)
    walk_trees(&w);
  else
    walk_over_wall(&w);
  return w.limit - bulge;
}

PetscErrorCode LookCandidates(LookWork *work, const Side *a, const Side *b, double reach)
{
  PetscFunctionBeginUser;
  Walk w = walk_start(a, b, reach);
  w.work = work;
  work->n_candidates = 0;
  if (b->shape != NULL)
    walk_trees(&w);
  else
    walk_over_wall(&w);
  PetscCheck(!w.full, PETSC_COMM_SELF, PETSC_ERR_MEM, "no memory for contact candidates");
  PetscFunctionReturn(PETSC_SUCCESS);
}
