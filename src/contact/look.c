#include "contact/look.h"

#include "base/hash.h"
#include "contact/exact.h"
#include "contact/look_impl.h"

#include <string.h>

PetscErrorCode LookWorkCreate(LookWork **work)
{
  PetscFunctionBeginUser;
  PetscCall(PetscNew(work));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode LookWorkDestroy(LookWork **work)
{
  PetscFunctionBeginUser;
  if (*work == NULL) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscFree((*work)->hit));
  PetscCall(PetscFree((*work)->seen));
  PetscCall(PetscFree((*work)->settled));
  PetscCall(PetscFree(*work));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode LookAddHit(LookWork *w, ContactHit hit)
{
  PetscFunctionBeginUser;
  if (w->n_hits == w->hit_room) {
    w->hit_room = w->hit_room > 0 ? 2 * w->hit_room : 64;
    PetscCall(PetscRealloc(sizeof *w->hit * w->hit_room, &w->hit));
  }
  w->hit[w->n_hits++] = hit;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Twice the room, and every feature in its new place. */
static PetscErrorCode grow_seen(LookWork *w)
{
  PetscFunctionBeginUser;
  uint64_t *old = w->seen;
  const int n_old = w->seen_room;
  w->seen_room = n_old > 0 ? 2 * n_old : 256;
  w->n_seen = 0;
  PetscCall(PetscCalloc1(w->seen_room, &w->seen));
  for (int k = 0; k < n_old; k++) {
    bool seen = false;
    if (old[k] != 0) PetscCall(LookSee(w, old[k], &seen));
  }
  PetscCall(PetscFree(old));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode LookSee(LookWork *w, uint64_t feature, bool *seen)
{
  PetscFunctionBeginUser;
  if (2 * w->n_seen >= w->seen_room) PetscCall(grow_seen(w));
  const uint64_t mask = (uint64_t)w->seen_room - 1;
  uint64_t at = hash_word(0, feature) & mask;
  while (w->seen[at] != 0 && w->seen[at] != feature) at = (at + 1) & mask;
  *seen = w->seen[at] == feature;
  if (!*seen) w->n_seen++;
  w->seen[at] = feature;
  PetscFunctionReturn(PETSC_SUCCESS);
}

static void forget_seen(LookWork *w)
{
  if (w->n_seen > 0) memset(w->seen, 0, sizeof *w->seen * (size_t)w->seen_room);
  w->n_seen = 0;
}

bool foot_is_on_flat_face(const Side *side, const SurfaceHit *foot)
{
  if (side->shape == NULL) return true;
  if (!xray_triangle_is_flat(side->shape->xray, foot->triangle)) return false;
  const Corners *t = xray_triangle(side->shape->xray, foot->triangle);
  const Vec3 n_b = vec3_unit(vec3_cross(vec3_sub(t->b, t->a), vec3_sub(t->c, t->a)));
  return vec3_dot(mat3_apply(&side->frame.r, n_b), foot->normal) > 1.0 - 1e-12;
}

/* A sharp vertex of one side against the x-ray of the other. */
static PetscErrorCode look_at_vertex(LookWork *w, const Side *own, const Side *other, int vertex,
                                     bool own_is_a, double reach)
{
  PetscFunctionBeginUser;
  int flags = 0;
  const Vec3 p_b = xray_vertex(own->shape->xray, vertex, &flags);
  if (!(flags & VERTEX_CREASE)) PetscFunctionReturn(PETSC_SUCCESS);
  bool seen = false;
  PetscCall(
      LookSee(w, feature_key(own_is_a ? FEATURE_VERTEX_A : FEATURE_VERTEX_B, vertex, 0), &seen));
  if (seen) PetscFunctionReturn(PETSC_SUCCESS);
  const Vec3 p = frame_to_world(&own->frame, p_b);
  const double deep = own->shape->edge + (other->shape != NULL ? other->shape->edge : INFINITY);
  SurfaceHit foot = side_gap(other, p, reach > deep ? reach : deep);
  if (!foot.found || foot.distance > reach) PetscFunctionReturn(PETSC_SUCCESS);
  const Vec3 outward = mat3_apply(&own->frame.r, xray_vertex_normal(own->shape->xray, vertex));
  look_onto_face(other, p, outward, &foot);
  const double edge = other->shape != NULL && other->shape->edge > own->shape->edge
                          ? other->shape->edge
                          : own->shape->edge;
  const ContactHit hit = {vec3_scale(0.5, vec3_add(p, foot.point)),
                          own_is_a ? foot.normal : vec3_scale(-1.0, foot.normal),
                          foot.distance,
                          edge,
                          foot_is_on_flat_face(other, &foot),
                          foot_is_on_flat_face(other, &foot) ? 0 : -1};
  PetscCall(LookAddHit(w, hit));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static int edge_of(const TriangleLinks *links, int k)
{
  return links->edge[k] >= 0 ? links->edge[k] : ~links->edge[k];
}

PetscErrorCode LookAtFeatures(LookWork *w, const Side *a, const Side *b, int i, int j, double reach)
{
  PetscFunctionBeginUser;
  const TriangleLinks *la = xray_triangle_links(a->shape->xray, i);
  for (int k = 0; k < 3; k++) {
    PetscCall(look_at_vertex(w, a, b, la->vertex[k], true, reach));
    PetscCall(LookAlongEdge(w, a, b, edge_of(la, k), true, reach));
  }
  if (b->shape == NULL) PetscFunctionReturn(PETSC_SUCCESS);
  const TriangleLinks *lb = xray_triangle_links(b->shape->xray, j);
  for (int k = 0; k < 3; k++) {
    PetscCall(look_at_vertex(w, b, a, lb->vertex[k], false, reach));
    PetscCall(LookAlongEdge(w, b, a, edge_of(lb, k), false, reach));
  }
  for (int p = 0; p < 3; p++)
    for (int q = 0; q < 3; q++)
      PetscCall(LookAtEdges(w, a, b, edge_of(la, p), edge_of(lb, q), reach));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The hits of shapes in closed form. */
static PetscErrorCode look_exactly(LookWork *w, const Side *a, const Side *b, double reach,
                                   Look *look)
{
  PetscFunctionBeginUser;
  ContactHit hit[EXACT_HITS];
  const int n = exact_hits(a, b, reach, hit);
  w->n_hits = 0;
  for (int k = 0; k < n; k++) PetscCall(LookAddHit(w, hit[k]));
  *look = (Look){.n = n, .hit = w->hit, .least = INFINITY};
  for (int k = 0; k < n; k++)
    if (hit[k].gap < look->least) look->least = hit[k].gap;
  look->crossed = exact_gap(a, b) < 0.0;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode LookClosely(LookWork *w, const Side *a, const Side *b, double reach, Look *look)
{
  PetscFunctionBeginUser;
  if (exact_is_known(a, b)) {
    PetscCall(look_exactly(w, a, b, reach, look));
    PetscFunctionReturn(PETSC_SUCCESS);
  }
  Inspection l = inspection_start(w, a, b, reach);
  w->n_hits = 0;
  w->n_settled = 0;
  w->n_polished = 0;
  forget_seen(w);
  PetscCall(LookThroughTrees(&l));
  *look = (Look){.n = w->n_hits, .hit = w->hit, .least = INFINITY, .crossed = l.crossed};
  for (int k = 0; k < w->n_hits; k++)
    if (w->hit[k].gap < look->least) look->least = w->hit[k].gap;
  if (look->n == 0 && !look->crossed) look->crossed = look_for_crossing(&l);
  PetscFunctionReturn(PETSC_SUCCESS);
}
