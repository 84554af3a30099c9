/*
 * How deep are two bodies, or a body and a wall, in each other when a run begins?
 *
 * Near the surface the looks of contact tell. Bodies that are far inside, or one within the other
 * so that no surfaces cross, are told by their vertices: the deepest of one below the surface of
 * the other.
 */
#include "contact/contact_impl.h"

/* A finer surface is asked at so many of its vertices. */
enum { MOST_VERTICES = 4000 };

static double depth_below(const Side *other, Vec3 p)
{
  if (other->shape == NULL) return -vec3_dot(other->normal, vec3_sub(p, other->point));
  if (!xray_contains(other->shape->xray, frame_to_body(&other->frame, p))) return 0.0;
  return -side_gap(other, p, INFINITY).distance;
}

static double deepest_vertex(const Side *own, const Side *other)
{
  const int n = xray_n_vertices(own->shape->xray);
  const int stride = other->shape == NULL ? 1 : 1 + n / MOST_VERTICES;
  double deepest = 0.0;
  for (int k = 0; k < n; k += stride) {
    const Vec3 p = frame_to_world(&own->frame, xray_vertex(own->shape->xray, k, NULL));
    deepest = fmax(deepest, depth_below(other, p));
  }
  return deepest;
}

/* Is some vertex of own inside other? Enough where no surfaces cross. */
static bool holds_first_vertex(const Side *own, const Side *other)
{
  const Vec3 p = frame_to_world(&own->frame, xray_vertex(own->shape->xray, 0, NULL));
  return depth_below(other, p) > 0.0;
}

PetscErrorCode PairOverlap(Contact *c, Bodies *bodies, const ContactPair *pair, double t,
                           double *depth)
{
  PetscFunctionBeginUser;
  Side side[2];
  Look look;
  const Side *a = &side[0], *b = &side[1];
  *depth = 0.0;
  pair_sides(c, bodies, pair, t, side);
  if (look_bound(a, b, 1e-6 * pair->size) > 0.0 && !holds_first_vertex(a, b) &&
      (b->shape == NULL || !holds_first_vertex(b, a)))
    PetscFunctionReturn(PETSC_SUCCESS);
  const double allowed = 1e-4 * pair->size;
  PetscCall(LookClosely(c->look, a, b, allowed, &look));
  if (look.n > 0) *depth = fmax(0.0, -look.least);
  /* A place that only touches says nothing of the others. */
  if (b->shape != NULL) *depth = fmax(*depth, look_crossing_depth(c->look, a, b, allowed));
  if (*depth <= allowed && look.n > 0 && b->shape != NULL) PetscFunctionReturn(PETSC_SUCCESS);
  *depth = fmax(*depth, deepest_vertex(a, b));
  if (b->shape != NULL) *depth = fmax(*depth, deepest_vertex(b, a));
  if (look.n == 0 && look.crossed) *depth = fmax(*depth, 2.0 * allowed);
  PetscFunctionReturn(PETSC_SUCCESS);
}
