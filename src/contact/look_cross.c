/*
 * Do triangles of two bodies cross, and how deep is one in the other there? Asked where nothing
 * hits: then one is deep inside the other.
 */
#include "contact/look_impl.h"
#include "contact/tritri.h"

typedef struct {
  int a, b;
} NodePair;

/* Push the two halves of the larger node. */
static int push_halves(const SphereNode *na, const SphereNode *nb, NodePair stack[], int top,
                       NodePair p)
{
  const bool split_a = nb->n_triangles > 0 || (na->n_triangles == 0 && na->radius >= nb->radius);
  stack[top] = stack[top + 1] = p;
  if (split_a) {
    stack[top].a = na->first;
    stack[top + 1].a = na->first + 1;
  } else {
    stack[top].b = nb->first;
    stack[top + 1].b = nb->first + 1;
  }
  return top + 2;
}

static bool leaves_cross(const Inspection *l, const SphereNode *na, const SphereNode *nb)
{
  bool cross = false;
  for (int i = 0; i < na->n_triangles && !cross; i++) {
    const int t = l->tree_a.triangle[na->first + i];
    const Corners ta = corners_moved(&l->a_in_b, xray_triangle(l->a->shape->xray, t));
    for (int j = 0; j < nb->n_triangles && !cross; j++) {
      const Corners *tb = xray_triangle(l->b->shape->xray, l->tree_b.triangle[nb->first + j]);
      cross = !triangles_apart(&ta, tb, 0.0) && triangles_cross(&ta, tb);
    }
  }
  return cross;
}

bool look_for_crossing(const Inspection *l)
{
  if (l->b->shape == NULL) return look_bound(l->a, l->b, 0.0) < -l->a->shape->bulge;
  NodePair stack[LOOK_STACK];
  int top = 0;
  stack[top++] = (NodePair){0, 0};
  while (top > 0) {
    const NodePair p = stack[--top];
    const SphereNode *na = &l->tree_a.node[p.a], *nb = &l->tree_b.node[p.b];
    const LookNode a = look_node_moved(&l->a_in_b, na), b = look_node(nb);
    if (look_nodes_apart(&a, &b) > 0.0) continue;
    if (na->n_triangles == 0 || nb->n_triangles == 0)
      top = push_halves(na, nb, stack, top, p);
    else if (leaves_cross(l, na, nb))
      return true;
  }
  return false;
}

/* How deep in the other body are points of an edge on both sides of where it pierces that? The
 * steps away from there double, so that the way through a thin body is not stepped over. */
static double edge_depth(const Side *other, Vec3 p, Vec3 q, Vec3 x, double enough)
{
  enum { STEPS = 14 };
  double depth = 0.0;
  for (int k = 0; k < 2 * STEPS && depth <= enough; k++) {
    const Vec3 end = k % 2 == 0 ? p : q;
    const Vec3 at = vec3_axpy(x, ldexp(1.0, -(k / 2)), vec3_sub(end, x));
    if (!xray_contains(other->shape->xray, at)) continue;
    depth = fmax(depth, -xray_gap(other->shape->xray, at, INFINITY).distance);
  }
  return depth;
}

/* How deep in the other body is the curved edge of t at least, where its flat one pierces? */
static double pierced_depth(const Side *other, const Corners *t, double bulge,
                            const Corners *pierced, double enough)
{
  const Vec3 corner[3] = {t->a, t->b, t->c};
  double depth = 0.0;
  for (int k = 0; k < 3 && depth <= enough; k++) {
    Vec3 x;
    if (segment_pierces(corner[k], corner[(k + 1) % 3], pierced, &x))
      depth =
          fmax(depth, edge_depth(other, corner[k], corner[(k + 1) % 3], x, enough + bulge) - bulge);
  }
  return depth;
}

/* Triangle i of a against j of b, each pierced by the edges of the other in the frame of that. */
static double triangles_depth(const Inspection *l, int i, int j, double enough)
{
  const Corners *own_a = xray_triangle(l->a->shape->xray, i);
  const Corners *own_b = xray_triangle(l->b->shape->xray, j);
  const Corners a_in_b = corners_moved(&l->a_in_b, own_a);
  if (triangles_apart(&a_in_b, own_b, 0.0)) return 0.0;
  const Frame to_a = frame_between(l->b, l->a);
  const Corners b_in_a = corners_moved(&to_a, own_b);
  const double bulge_a = xray_triangle_links(l->a->shape->xray, i)->bulge;
  const double bulge_b = xray_triangle_links(l->b->shape->xray, j)->bulge;
  const double a_depth = pierced_depth(l->b, &a_in_b, bulge_a, own_b, enough);
  const double b_depth = pierced_depth(l->a, &b_in_a, bulge_b, own_a, enough);
  return fmax(a_depth, b_depth);
}

double look_crossing_depth(LookWork *work, const Side *a, const Side *b, double enough)
{
  const Inspection l = inspection_start(work, a, b, 0.0);
  NodePair stack[LOOK_STACK];
  double depth = 0.0;
  int top = 0;
  stack[top++] = (NodePair){0, 0};
  while (top > 0 && depth <= enough) {
    const NodePair p = stack[--top];
    const SphereNode *na = &l.tree_a.node[p.a], *nb = &l.tree_b.node[p.b];
    const LookNode node_a = look_node_moved(&l.a_in_b, na), node_b = look_node(nb);
    if (look_nodes_apart(&node_a, &node_b) > 0.0) continue;
    if (na->n_triangles == 0 || nb->n_triangles == 0) top = push_halves(na, nb, stack, top, p);
    for (int k = 0; nb->n_triangles > 0 && k < na->n_triangles * nb->n_triangles; k++) {
      const int i = l.tree_a.triangle[na->first + k / nb->n_triangles];
      const int j = l.tree_b.triangle[nb->first + k % nb->n_triangles];
      depth = fmax(depth, triangles_depth(&l, i, j, enough));
    }
  }
  return depth;
}
