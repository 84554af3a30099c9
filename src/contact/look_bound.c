/*
 * How far apart are two bodies at least? The trees are walked against each other, the nearer
 * halves first; the least distance of triangles found so far leaves out what is farther.
 */
#include "contact/exact.h"
#include "contact/look_impl.h"
#include "contact/tritri.h"

typedef struct {
  int a, b;
  double apart; /* lower bound of the distance */
} NodePair;

typedef struct {
  const Side *a, *b;
  Frame a_in_b;
  SphereTreeView tree_a, tree_b;
  double least;
} Search;

static void try_leaves(Search *s, const SphereNode *na, const SphereNode *nb)
{
  for (int i = 0; i < na->n_triangles; i++) {
    const int t = s->tree_a.triangle[na->first + i];
    const Corners ta = corners_moved(&s->a_in_b, xray_triangle(s->a->shape->xray, t));
    for (int j = 0; j < nb->n_triangles; j++) {
      const Corners *tb = xray_triangle(s->b->shape->xray, s->tree_b.triangle[nb->first + j]);
      if (triangles_apart(&ta, tb, s->least)) continue;
      const double d = sqrt(triangle_pair(&ta, tb).distance2);
      if (d < s->least) s->least = d;
    }
  }
}

static double pair_apart(const Search *s, int a, int b)
{
  const LookNode na = look_node_moved(&s->a_in_b, &s->tree_a.node[a]);
  const LookNode nb = look_node(&s->tree_b.node[b]);
  return look_nodes_apart(&na, &nb);
}

/* Push the two halves of the larger node, the nearer one last so that it is looked at first. */
static int push_halves(const Search *s, NodePair stack[], int top, NodePair p)
{
  const SphereNode *na = &s->tree_a.node[p.a], *nb = &s->tree_b.node[p.b];
  const bool split_a = nb->n_triangles > 0 || (na->n_triangles == 0 && na->radius >= nb->radius);
  NodePair q = p, r = p;
  if (split_a) {
    q.a = na->first;
    r.a = na->first + 1;
  } else {
    q.b = nb->first;
    r.b = nb->first + 1;
  }
  q.apart = pair_apart(s, q.a, q.b);
  r.apart = pair_apart(s, r.a, r.b);
  const bool q_first = q.apart <= r.apart;
  stack[top++] = q_first ? r : q;
  stack[top++] = q_first ? q : r;
  return top;
}

static void search_trees(Search *s)
{
  NodePair stack[LOOK_STACK];
  int top = 0;
  stack[top++] = (NodePair){0, 0, pair_apart(s, 0, 0)};
  while (top > 0 && s->least > 0.0) {
    const NodePair p = stack[--top];
    if (p.apart > s->least) continue;
    const SphereNode *na = &s->tree_a.node[p.a], *nb = &s->tree_b.node[p.b];
    if (na->n_triangles > 0 && nb->n_triangles > 0)
      try_leaves(s, na, nb);
    else
      top = push_halves(s, stack, top, p);
  }
}

static double corner_height(const Search *s, int i)
{
  const Corners c = corners_moved(&s->a->frame, xray_triangle(s->a->shape->xray, i));
  const double ha = vec3_dot(s->b->normal, c.a), hb = vec3_dot(s->b->normal, c.b),
               hc = vec3_dot(s->b->normal, c.c);
  const double lowest = ha <= hb && ha <= hc ? ha : hb <= hc ? hb : hc;
  return lowest - vec3_dot(s->b->normal, s->b->point);
}

static double ball_height(const Search *s, int i)
{
  const SphereNode *n = &s->tree_a.node[i];
  const Vec3 c = frame_to_world(&s->a->frame, vec3(n->x, n->y, n->z));
  return vec3_dot(s->b->normal, vec3_sub(c, s->b->point)) - n->radius;
}

static void search_over_wall(Search *s)
{
  NodePair stack[LOOK_STACK];
  int top = 0;
  stack[top++] = (NodePair){.apart = ball_height(s, 0)};
  while (top > 0) {
    const NodePair p = stack[--top];
    if (p.apart > s->least) continue;
    const SphereNode *n = &s->tree_a.node[p.a];
    for (int k = 0; k < n->n_triangles; k++) {
      const double h = corner_height(s, s->tree_a.triangle[n->first + k]);
      if (h < s->least) s->least = h;
    }
    if (n->n_triangles > 0) continue;
    const NodePair q = {n->first, 0, ball_height(s, n->first)};
    const NodePair r = {n->first + 1, 0, ball_height(s, n->first + 1)};
    const bool q_first = q.apart <= r.apart;
    stack[top++] = q_first ? r : q;
    stack[top++] = q_first ? q : r;
  }
}

double look_bound(const Side *a, const Side *b, double cutoff)
{
  if (exact_is_known(a, b)) {
    const double gap = exact_gap(a, b);
    return gap < cutoff ? gap : cutoff;
  }
  const double bulge = a->shape->bulge + (b->shape != NULL ? b->shape->bulge : 0.0);
  Search s = {a, b, .tree_a = xray_sphere_tree(a->shape->xray), .least = cutoff + bulge};
  if (b->shape != NULL) {
    s.tree_b = xray_sphere_tree(b->shape->xray);
    s.a_in_b = frame_between(a, b);
    search_trees(&s);
  } else {
    search_over_wall(&s);
  }
  return s.least - bulge;
}
