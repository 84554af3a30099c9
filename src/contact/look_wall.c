/*
 * A body over a wall: as two bodies, but that what lies below the wall is in reach however deep.
 */
#include "contact/look_impl.h"

static PetscErrorCode visit_over_wall(Inspection *l, int i)
{
  PetscFunctionBeginUser;
  const LookTriangle a = look_triangle(l->a, &l->a_in_b, i);
  const Corners *t = &a.corners;
  const Vec3 n = l->b->normal;
  const double ha = vec3_dot(n, t->a), hb = vec3_dot(n, t->b), hc = vec3_dot(n, t->c);
  const double lowest = ha <= hb && ha <= hc ? ha : hb <= hc ? hb : hc;
  const double height = lowest - vec3_dot(n, l->b->point);
  if (height > l->limit) PetscFunctionReturn(PETSC_SUCCESS);
  l->crossed |= height < 0.0;
  if (a.flags & TRIANGLE_SHARP) PetscCall(LookAtFeatures(l->work, l->a, l->b, i, -1, l->reach));
  if (!(a.flags & TRIANGLE_FLAT)) PetscCall(LookAtSmoothOverWall(l, &a));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A wall as the node below another one: flat, its ball around the feet of what that holds. */
static LookNode wall_under(const Side *wall, const LookNode *a)
{
  const double height = vec3_dot(wall->normal, vec3_sub(a->c, wall->point));
  const Vec3 c = vec3_axpy(a->c, -height, wall->normal);
  return (LookNode){.c = c, .axis = wall->normal, .r = a->r, .cone_cos = 1.0};
}

PetscErrorCode LookOverWall(Inspection *l)
{
  PetscFunctionBeginUser;
  int stack[LOOK_STACK], top = 0;
  stack[top++] = 0;
  while (top > 0) {
    const SphereNode *n = &l->tree_a.node[stack[--top]];
    const LookNode a = look_node_moved(&l->a_in_b, n), b = wall_under(l->b, &a);
    const double c = vec3_dot(a.axis, b.axis), s2 = 1.0 - c * c;
    const double height = vec3_dot(b.axis, vec3_sub(a.c, b.c));
    const double down = look_node_reach(&a, -c, s2 > 0.0 ? sqrt(s2) : 0.0) + 1e-6 * a.r;
    if (height - (down < a.r ? down : a.r) > l->limit) continue;
    if (!look_nodes_oppose(&a, &b, l->slack_cos, l->slack_sin)) continue;
    if (nodes_are_settled(l->work, &a, &b)) continue;
    for (int k = 0; k < n->n_triangles; k++)
      PetscCall(visit_over_wall(l, l->tree_a.triangle[n->first + k]));
    if (n->n_triangles > 0) continue;
    stack[top++] = n->first;
    stack[top++] = n->first + 1;
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}
