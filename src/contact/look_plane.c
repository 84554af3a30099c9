/*
 * What else is there, once two surfaces have been found to be nearest somewhere?
 *
 * The plane between them there often has all of b below it and all of a above. Then only the few
 * parts of each that come near the plane can touch. Each tree alone tells which they are, which
 * is much less work than to walk both against each other from the top.
 */
#include "contact/look_impl.h"

/* The plane through a polished place: its normal points from b to a. Frame of the body that is
 * held against it. */
typedef struct {
  Vec3 point, normal;
} Plane;

static double node_height(const Plane *p, const SphereNode *node, double sign)
{
  const LookNode n = look_node(node);
  const double c = sign * vec3_dot(p->normal, n.axis), s2 = 1.0 - c * c;
  const double slab = look_node_reach(&n, c, s2 > 0.0 ? sqrt(s2) : 0.0) + 1e-6 * n.r;
  return sign * vec3_dot(p->normal, vec3_sub(n.c, p->point)) + (slab < n.r ? slab : n.r);
}

/* How far the triangle and its patch reach over the plane (sign 1) or below it (sign -1). */
static double triangle_height(const Plane *p, const XRay *xray, int t, double sign)
{
  const Corners *c = xray_triangle(xray, t);
  const Vec3 n = vec3_scale(sign, p->normal);
  const double ha = vec3_dot(n, c->a), hb = vec3_dot(n, c->b), hc = vec3_dot(n, c->c);
  const double high = ha > hb ? (ha > hc ? ha : hc) : (hb > hc ? hb : hc);
  return high - vec3_dot(n, p->point) + xray_triangle_links(xray, t)->bulge;
}

/* A bound, no farther off than the slack, of how far a body reaches over the plane (sign 1) or
 * below it (sign -1). */
static double farthest(const Plane *p, SphereTreeView tree, const XRay *xray, double sign,
                       double slack)
{
  double least = -INFINITY;
  struct {
    int node;
    double height;
  } stack[LOOK_STACK];
  int top = 0;
  stack[top].node = 0;
  stack[top++].height = node_height(p, &tree.node[0], sign);
  while (top > 0) {
    top--;
    if (stack[top].height <= least + slack) continue;
    const SphereNode *n = &tree.node[stack[top].node];
    for (int k = 0; k < n->n_triangles; k++) {
      const double h = triangle_height(p, xray, tree.triangle[n->first + k], sign);
      if (h > least) least = h;
    }
    if (n->n_triangles > 0) continue;
    const double h0 = node_height(p, &tree.node[n->first], sign);
    const double h1 = node_height(p, &tree.node[n->first + 1], sign);
    const int lower = h0 < h1 ? 0 : 1;
    stack[top].node = n->first + lower;
    stack[top++].height = lower == 0 ? h0 : h1;
    stack[top].node = n->first + 1 - lower;
    stack[top++].height = lower == 0 ? h1 : h0;
  }
  return least + slack;
}

enum { NODES = 32 };

/* Nodes, no larger than asked if that can be, that hold all of a body that reaches beyond `height`
 * over the plane; 0: more than there is room for. */
static int nodes_beyond(const Plane *p, SphereTreeView tree, double sign, double height,
                        double radius, int nodes[NODES])
{
  int stack[LOOK_STACK], top = 0, n_nodes = 0;
  stack[top++] = 0;
  while (top > 0) {
    const int i = stack[--top];
    const SphereNode *n = &tree.node[i];
    if (node_height(p, n, sign) < height) continue;
    if (n->n_triangles == 0 && n->radius > radius) {
      stack[top++] = n->first;
      stack[top++] = n->first + 1;
    } else {
      if (n_nodes == NODES) return 0;
      nodes[n_nodes++] = i;
    }
  }
  return n_nodes;
}

/* Walk every node of one list against every node of the other. */
static PetscErrorCode walk_lists(Inspection *l, int n_a, const int a[], int n_b, const int b[])
{
  PetscFunctionBeginUser;
  LookNode nodes_b[NODES];
  for (int j = 0; j < n_b; j++) nodes_b[j] = look_node(&l->tree_b.node[b[j]]);
  for (int i = 0; i < n_a; i++) {
    const LookNode node_a = look_node_moved(&l->a_in_b, &l->tree_a.node[a[i]]);
    for (int j = 0; j < n_b; j++)
      if (!nodes_are_idle(l, &node_a, &nodes_b[j])) {
        LookWalk walk = {.n = 1};
        walk.pair[0].a = a[i], walk.pair[0].b = b[j];
        PetscCall(LookThroughPairs(l, &walk, false));
      }
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode LookBesidePlane(Inspection *l, bool *done)
{
  PetscFunctionBeginUser;
  const SettledPlace place = l->work->settled[l->work->n_settled - 1];
  const Plane in_b = {place.point, place.normal};
  const Plane in_a = {frame_to_body(&l->a_in_b, place.point),
                      mat3_apply_transposed(&l->a_in_b.r, place.normal)};
  int a[NODES], b[NODES], n_b = 0;
  const double above = farthest(&in_b, l->tree_b, l->b->shape->xray, 1.0, 0.25 * l->limit);
  const int n_a = nodes_beyond(&in_a, l->tree_a, -1.0, -above - l->limit, place.radius, a);
  if (n_a > 0) {
    const double below = farthest(&in_a, l->tree_a, l->a->shape->xray, -1.0, 0.25 * l->limit);
    n_b = nodes_beyond(&in_b, l->tree_b, 1.0, -below - l->limit, place.radius, b);
  }
  *done = n_b > 0;
  if (*done) PetscCall(walk_lists(l, n_a, a, n_b, b));
  PetscFunctionReturn(PETSC_SUCCESS);
}
