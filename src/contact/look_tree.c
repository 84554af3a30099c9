/*
 * The walk of two sphere trees against each other.
 *
 * Smooth surfaces are nearest where their normals are opposite, so nodes whose normals cannot be
 * are left out; sharp ones are looked at wherever they come near. The walk goes down to the first
 * polished place at once; the plane between the surfaces there tells where else to look.
 */
#include "contact/look_impl.h"
#include "contact/tritri.h"

static double wider_edge(const Side *a, const Side *b)
{
  return b->shape != NULL && b->shape->edge > a->shape->edge ? b->shape->edge : a->shape->edge;
}

Inspection inspection_start(LookWork *work, const Side *a, const Side *b, double reach)
{
  /* Normals are known better than this; and a line that touches within the reach over a few edges
   * of the surface may be so much out of parallel. */
  const bool finer = b->shape != NULL && b->shape->edge < a->shape->edge;
  const double tilt = 0.25 * reach / (finer ? b : a)->shape->edge;
  const double slack = 0.01 + (tilt < 0.13 ? tilt : 0.13);
  Inspection l = {work, a, b, .reach = reach};
  l.tree_a = xray_sphere_tree(a->shape->xray);
  l.limit = reach + a->shape->bulge + (b->shape != NULL ? b->shape->bulge : 0.0);
  l.deep = l.limit + 4.0 * wider_edge(a, b);
  l.slack_cos = cos(slack);
  l.slack_sin = sin(slack);
  l.a_in_b = a->frame;
  l.b_to_world = (Frame){{0.0, 0.0, 0.0}, mat3_identity()};
  if (b->shape != NULL) {
    l.tree_b = xray_sphere_tree(b->shape->xray);
    l.a_in_b = frame_between(a, b);
    l.b_to_world = b->frame;
  }
  return l;
}

/* The triangles of a leaf in the frame of b. */
typedef struct {
  int n;
  LookTriangle triangle[SPHERE_TREE_LEAF];
} Leaf;

static Leaf leaf_of(const Side *s, const Frame *f, SphereTreeView tree, const SphereNode *node)
{
  Leaf leaf = {.n = node->n_triangles};
  for (int k = 0; k < leaf.n; k++)
    leaf.triangle[k] = look_triangle(s, f, tree.triangle[node->first + k]);
  return leaf;
}

static PetscErrorCode visit_triangles(Inspection *l, const LookTriangle *a, const LookTriangle *b)
{
  PetscFunctionBeginUser;
  const bool flat = a->flags & b->flags & TRIANGLE_FLAT;
  const bool sharp = (a->flags | b->flags) & TRIANGLE_SHARP;
  if (sharp && !triangles_apart(&a->corners, &b->corners, l->reach + a->bulge + b->bulge)) {
    l->crossed = l->crossed || triangles_cross(&a->corners, &b->corners);
    PetscCall(LookAtFeatures(l->work, l->a, l->b, a->id, b->id, l->reach));
  }
  if (!flat) PetscCall(LookAtSmooth(l, a, b));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode visit_leaves(Inspection *l, const SphereNode *na, const SphereNode *nb)
{
  PetscFunctionBeginUser;
  const Leaf a = leaf_of(l->a, &l->a_in_b, l->tree_a, na);
  const Leaf b = leaf_of(l->b, NULL, l->tree_b, nb);
  for (int i = 0; i < a.n; i++)
    for (int j = 0; j < b.n; j++) PetscCall(visit_triangles(l, &a.triangle[i], &b.triangle[j]));
  PetscFunctionReturn(PETSC_SUCCESS);
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

static bool leaf_apart(const Inspection *l, const SphereNode *na, const SphereNode *nb)
{
  const Vec3 ca = {na->x, na->y, na->z}, cb = {nb->x, nb->y, nb->z};
  if (nb->n_triangles > 0 && nb->radius >= 2.0 * na->radius)
    return far_from_leaf(l->b, l->tree_b, nb, frame_to_world(&l->a_in_b, ca),
                         l->limit + na->radius);
  if (na->n_triangles > 0 && na->radius >= 2.0 * nb->radius)
    return far_from_leaf(l->a, l->tree_a, na, frame_to_body(&l->a_in_b, cb), l->limit + nb->radius);
  return false;
}

/*
 * Is there nothing to find between two nodes, which hold the patches too? Smooth surfaces that face
 * each other may have passed each other, and then be farther apart than the limit.
 */
bool nodes_are_idle(const Inspection *l, const LookNode *a, const LookNode *b)
{
  const bool smooth = look_node_is_smooth(a) && look_node_is_smooth(b);
  const double far = (smooth ? l->deep : l->reach) + a->r + b->r;
  if (vec3_norm2(vec3_sub(a->c, b->c)) > far * far) return true;
  if (!smooth) return look_nodes_apart(a, b) > l->reach;
  if (!look_nodes_oppose(a, b, l->slack_cos, l->slack_sin)) return true;
  if (a->cone_cos < 0.0 || b->cone_cos < 0.0) return look_nodes_apart(a, b) > l->deep;
  return !look_nodes_face(a, b, l->reach, l->deep, l->slack_cos, l->slack_sin);
}

/* Push the two halves of the larger node where there is something to find, the nearer one last so
 * that it is looked at first. */
static void push_halves(const Inspection *l, LookWalk *walk, int a, int b)
{
  const SphereNode *na = &l->tree_a.node[a], *nb = &l->tree_b.node[b];
  const bool split_a = nb->n_triangles > 0 || (na->n_triangles == 0 && na->radius >= nb->radius);
  const LookNode whole = split_a ? look_node(nb) : look_node_moved(&l->a_in_b, na);
  double last = 0.0;
  for (int k = 0, n = 0; k < 2; k++) {
    const int half = (split_a ? na : nb)->first + k;
    const LookNode part = split_a ? look_node_moved(&l->a_in_b, &l->tree_a.node[half])
                                  : look_node(&l->tree_b.node[half]);
    if (split_a ? nodes_are_idle(l, &part, &whole) : nodes_are_idle(l, &whole, &part)) continue;
    const double far = vec3_norm2(vec3_sub(part.c, whole.c));
    int at = walk->n++;
    if (n++ == 1 && far > last) {
      walk->pair[at] = walk->pair[at - 1];
      at--;
    }
    walk->pair[at].a = split_a ? half : a;
    walk->pair[at].b = split_a ? b : half;
    last = far;
  }
}

/* Has the neighbourhood of a pair been settled since it was pushed? */
static bool is_settled_now(const Inspection *l, int a, int b)
{
  if (l->work->n_settled == 0) return false;
  const LookNode node_a = look_node_moved(&l->a_in_b, &l->tree_a.node[a]);
  const LookNode node_b = look_node(&l->tree_b.node[b]);
  return nodes_are_settled(l->work, &node_a, &node_b);
}

PetscErrorCode LookThroughPairs(Inspection *l, LookWalk *walk, bool to_first_place)
{
  PetscFunctionBeginUser;
  while (walk->n > 0 && !(to_first_place && l->work->n_polished > 0)) {
    walk->n--;
    const int a = walk->pair[walk->n].a, b = walk->pair[walk->n].b;
    const SphereNode *na = &l->tree_a.node[a], *nb = &l->tree_b.node[b];
    if (is_settled_now(l, a, b) || leaf_apart(l, na, nb)) continue;
    if (na->n_triangles > 0 && nb->n_triangles > 0)
      PetscCall(visit_leaves(l, na, nb));
    else
      push_halves(l, walk, a, b);
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode LookThroughTrees(Inspection *l)
{
  PetscFunctionBeginUser;
  if (l->b->shape == NULL) {
    PetscCall(LookOverWall(l));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  LookWalk walk;
  bool done = false;
  walk.n = 1;
  walk.pair[0].a = walk.pair[0].b = 0;
  PetscCall(LookThroughPairs(l, &walk, true));
  if (l->work->n_polished > 0) PetscCall(LookBesidePlane(l, &done));
  if (!done) PetscCall(LookThroughPairs(l, &walk, false));
  PetscFunctionReturn(PETSC_SUCCESS);
}
