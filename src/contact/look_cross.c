/*
 * Do triangles of two bodies cross? Asked where nothing hits: then one is deep inside the other.
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
