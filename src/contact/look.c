#include "contact/look.h"

#include "base/hash.h"
#include "base/sort.h"
#include "contact/look_impl.h"
#include "contact/polish.h"

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
  PetscCall(PetscFree((*work)->candidate));
  PetscCall(PetscFree((*work)->hit));
  PetscCall(PetscFree((*work)->seen));
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

/* Sharp features of a pair of triangles. */
static PetscErrorCode look_at_features(LookWork *w, const Side *a, const Side *b, Candidate c,
                                       double reach)
{
  PetscFunctionBeginUser;
  const TriangleLinks *la = xray_triangle_links(a->shape->xray, c.a);
  for (int k = 0; k < 3; k++) {
    PetscCall(look_at_vertex(w, a, b, la->vertex[k], true, reach));
    PetscCall(LookAlongEdge(w, a, b, edge_of(la, k), true, reach));
  }
  if (b->shape == NULL) PetscFunctionReturn(PETSC_SUCCESS);
  const TriangleLinks *lb = xray_triangle_links(b->shape->xray, c.b);
  for (int k = 0; k < 3; k++) {
    PetscCall(look_at_vertex(w, b, a, lb->vertex[k], false, reach));
    PetscCall(LookAlongEdge(w, b, a, edge_of(lb, k), false, reach));
  }
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      PetscCall(LookAtEdges(w, a, b, edge_of(la, i), edge_of(lb, j), reach));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Is the place near a smooth hit that is there already? */
static bool near_smooth_hit(const LookWork *w, int first, Vec3 p, double around)
{
  for (int k = first; k < w->n_hits; k++)
    if (vec3_distance(w->hit[k].point, p) < around) return true;
  return false;
}

/* Smooth places: polished from the nearest candidates on, one per neighbourhood. */
static PetscErrorCode look_at_smooth(LookWork *w, const Side *a, const Side *b, double reach)
{
  PetscFunctionBeginUser;
  const int first = w->n_hits;
  for (int k = 0; k < w->n_candidates; k++) {
    const Candidate c = w->candidate[k];
    const bool flat = xray_triangle_is_flat(a->shape->xray, c.a) &&
                      (b->shape == NULL || xray_triangle_is_flat(b->shape->xray, c.b));
    const Vec3 guess = vec3_scale(0.5, vec3_add(c.on_a, c.on_b));
    const double edge =
        a->shape->edge > (b->shape ? b->shape->edge : 0.0) ? a->shape->edge : b->shape->edge;
    if (flat || near_smooth_hit(w, first, guess, 2.5 * edge)) continue;
    ContactHit hit;
    if (!contact_polish(a, b, guess, 4.0 * edge, &hit)) continue;
    if (hit.gap <= reach && !near_smooth_hit(w, first, hit.point, 1.5 * edge))
      PetscCall(LookAddHit(w, hit));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Nearest candidates first; ties by triangle, so that the order is always the same. */
static int by_distance(const void *x, const void *y)
{
  const Candidate *p = x, *q = y;
  if (p->distance != q->distance) return p->distance < q->distance ? -1 : 1;
  if (p->a != q->a) return p->a < q->a ? -1 : 1;
  return (p->b > q->b) - (p->b < q->b);
}

PetscErrorCode LookClosely(LookWork *w, const Side *a, const Side *b, double reach, Look *look)
{
  PetscFunctionBeginUser;
  const double bulge = a->shape->bulge + (b->shape != NULL ? b->shape->bulge : 0.0);
  w->n_hits = 0;
  forget_seen(w);
  PetscCall(LookCandidates(w, a, b, reach + bulge));
  sort_in_place(w->candidate, (size_t)w->n_candidates, sizeof *w->candidate, by_distance);
  for (int k = 0; k < w->n_candidates; k++)
    PetscCall(look_at_features(w, a, b, w->candidate[k], reach));
  PetscCall(look_at_smooth(w, a, b, reach));
  *look = (Look){.n = w->n_hits, .hit = w->hit, .least = INFINITY};
  for (int k = 0; k < w->n_hits; k++)
    if (w->hit[k].gap < look->least) look->least = w->hit[k].gap;
  for (int k = 0; k < w->n_candidates; k++) look->crossed |= w->candidate[k].crossing;
  PetscFunctionReturn(PETSC_SUCCESS);
}
