/*
 * Smooth places: polished from pairs of triangles that face each other, one per neighbourhood.
 */
#include "contact/look_impl.h"
#include "contact/polish.h"
#include "contact/tritri.h"

bool nodes_are_settled(const LookWork *w, const LookNode *a, const LookNode *b)
{
  if (w->n_settled == 0 || a->cone_cos < 0.0 || b->cone_cos < 0.0) return false;
  const Vec3 middle = vec3_scale(0.5, vec3_add(a->c, b->c));
  const double r = 0.5 * (a->r + b->r);
  bool settled = false;
  for (int k = 0; k < w->n_settled && !settled; k++) {
    const SettledPlace *s = &w->settled[k];
    const double room = s->radius - r;
    settled = room > 0.0 && vec3_norm2(vec3_sub(middle, s->point)) < room * room &&
              look_cone_is_near(b, s->normal) && look_cone_is_near(a, vec3_scale(-1.0, s->normal));
  }
  return settled;
}

/* Is a place with the normal n of b in the neighbourhood of one that has been looked at? */
static bool is_settled(const LookWork *w, Vec3 p, Vec3 n)
{
  bool settled = false;
  for (int k = 0; k < w->n_settled && !settled; k++) {
    const SettledPlace *s = &w->settled[k];
    settled = vec3_norm2(vec3_sub(p, s->point)) < s->radius * s->radius &&
              vec3_dot(n, s->normal) > look_cos_near;
  }
  return settled;
}

static PetscErrorCode AddSettled(LookWork *w, SettledPlace place)
{
  PetscFunctionBeginUser;
  if (w->n_settled == w->settled_room) {
    w->settled_room = w->settled_room > 0 ? 2 * w->settled_room : 64;
    PetscCall(PetscRealloc(sizeof *w->settled * w->settled_room, &w->settled));
  }
  w->settled[w->n_settled++] = place;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Corner normals of a triangle as the cone of a node. */
static LookNode triangle_cone(const Frame *f, const Vec3 n[3])
{
  const Vec3 axis = vec3_unit(vec3_add(n[0], vec3_add(n[1], n[2])));
  const double c0 = vec3_dot(axis, n[0]), c1 = vec3_dot(axis, n[1]), c2 = vec3_dot(axis, n[2]);
  double c = c0 < c1 ? (c0 < c2 ? c0 : c2) : (c1 < c2 ? c1 : c2);
  if (!(c < 1.0)) c = 1.0;
  LookNode cone = {.axis = f != NULL ? mat3_apply(&f->r, axis) : axis, .cone_cos = -1.0};
  if (c > 0.0) {
    cone.cone_cos = c;
    cone.cone_sin = sqrt(1.0 - c * c);
  }
  return cone;
}

LookTriangle look_triangle(const Side *s, const Frame *f, int id)
{
  const XRay *xray = s->shape->xray;
  const Corners *c = xray_triangle(xray, id);
  const TriangleLinks *links = xray_triangle_links(xray, id);
  return (LookTriangle){id, links->flags, links->bulge, f != NULL ? corners_moved(f, c) : *c,
                        triangle_cone(f, xray_corner_normals(xray, id))};
}

/* The length that tells how finely a surface is resolved at a triangle; flat ones need none. */
static double local_edge(const Side *s, int t)
{
  if (s->shape == NULL || xray_triangle_is_flat(s->shape->xray, t)) return INFINITY;
  const Corners *c = xray_triangle(s->shape->xray, t);
  const double edge = sqrt(vec3_norm(vec3_cross(vec3_sub(c->b, c->a), vec3_sub(c->c, c->a))));
  return edge < s->shape->edge ? edge : s->shape->edge;
}

/* Has a polished place been found already? Where nothing bends in one direction neighbours stay a
 * little apart. */
static bool is_known(const LookWork *w, Vec3 p, Vec3 n)
{
  bool known = false;
  for (int k = 0; k < w->n_settled && !known; k++) {
    const SettledPlace *s = &w->settled[k];
    known = s->polished && vec3_distance(p, s->point) < 0.6 * s->radius &&
            vec3_dot(n, s->normal) > look_cos_near;
  }
  return known;
}

/* A polished place becomes a hit, unless it is known already or out of reach. */
static PetscErrorCode add_place(Inspection *l, const ContactHit *hit, double radius)
{
  PetscFunctionBeginUser;
  const SettledPlace place = {frame_to_body(&l->b_to_world, hit->point),
                              mat3_apply_transposed(&l->b_to_world.r, hit->normal), radius, true};
  if (is_known(l->work, place.point, place.normal)) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(AddSettled(l->work, place));
  l->work->n_polished++;
  if (hit->gap <= l->reach) PetscCall(LookAddHit(l->work, *hit));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/*
 * Polish from a guess in the frame of b with normal n there. Along a line that touches, the guess
 * stays where it is, and makes one of many hits; if that is not level it leads to the least gap.
 */
static PetscErrorCode polish_from(Inspection *l, int i, int j, Vec3 guess, Vec3 n)
{
  PetscFunctionBeginUser;
  const double ea = local_edge(l->a, i), eb = local_edge(l->b, j), edge = ea < eb ? ea : eb;
  ContactHit hit;
  Polish polish = {.ta = i, .tb = j};
  PetscCall(AddSettled(l->work, (SettledPlace){guess, n, 0.5 * edge, false}));
  const Vec3 start = frame_to_world(&l->b_to_world, guess);
  if (!contact_polish(l->a, l->b, start, l->deep, &polish, &hit))
    PetscFunctionReturn(PETSC_SUCCESS);
  if (!polish.level) {
    ContactHit least;
    Polish slide = {.slide = true, .ta = polish.ta, .tb = polish.tb};
    if (contact_polish(l->a, l->b, hit.point, l->deep, &slide, &least))
      PetscCall(add_place(l, &least, slide.level ? 2.5 * edge : edge));
  }
  PetscCall(add_place(l, &hit, polish.level ? 2.5 * edge : edge));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode LookAtSmooth(Inspection *l, const LookTriangle *a, const LookTriangle *b)
{
  PetscFunctionBeginUser;
  const Corners *ta = &a->corners, *tb = &b->corners;
  const bool facing = look_nodes_oppose(&a->cone, &b->cone, l->slack_cos, l->slack_sin);
  const bool sharp = (a->flags | b->flags) & TRIANGLE_SHARP;
  if (!facing && !(sharp && triangles_cross(ta, tb))) PetscFunctionReturn(PETSC_SUCCESS);
  const Vec3 middle = vec3_scale(1.0 / 3.0, vec3_add(ta->a, vec3_add(ta->b, ta->c)));
  const Vec3 on_b = triangle_foot(tb, middle).point, on_a = triangle_foot(ta, on_b).point;
  const Vec3 way = vec3_sub(on_a, on_b), guess = vec3_axpy(on_b, 0.5, way), n = b->cone.axis;
  if (vec3_norm2(way) > l->deep * l->deep || is_settled(l->work, guess, n))
    PetscFunctionReturn(PETSC_SUCCESS);
  if (vec3_dot(n, way) > 0.0 && triangles_apart(ta, tb, l->reach + a->bulge + b->bulge))
    PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(polish_from(l, a->id, b->id, guess, n));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode LookAtSmoothOverWall(Inspection *l, const LookTriangle *a)
{
  PetscFunctionBeginUser;
  const Vec3 n = l->b->normal;
  const Corners *t = &a->corners;
  const LookNode wall = {.axis = n, .cone_cos = 1.0};
  const double ha = vec3_dot(n, t->a), hb = vec3_dot(n, t->b), hc = vec3_dot(n, t->c);
  const Vec3 low = ha <= hb && ha <= hc ? t->a : hb <= hc ? t->b : t->c;
  const Vec3 guess = vec3_axpy(low, -0.5 * vec3_dot(n, vec3_sub(low, l->b->point)), n);
  if (is_settled(l->work, guess, n)) PetscFunctionReturn(PETSC_SUCCESS);
  if (look_nodes_oppose(&a->cone, &wall, l->slack_cos, l->slack_sin))
    PetscCall(polish_from(l, a->id, -1, guess, n));
  PetscFunctionReturn(PETSC_SUCCESS);
}
