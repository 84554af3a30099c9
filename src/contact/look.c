#include "contact/look.h"

#include "contact/look_impl.h"
#include "contact/polish.h"
#include "contact/tritri.h"

#include <stdlib.h>

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

static PetscErrorCode add_hit(LookWork *w, ContactHit hit)
{
  PetscFunctionBeginUser;
  if (w->n_hits == w->hit_room) {
    w->hit_room = w->hit_room > 0 ? 2 * w->hit_room : 64;
    PetscCall(PetscRealloc(sizeof *w->hit * w->hit_room, &w->hit));
  }
  w->hit[w->n_hits++] = hit;
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Has the feature been looked at in this call? Marks it if not. */
static PetscErrorCode see(LookWork *w, uint64_t feature, bool *seen)
{
  PetscFunctionBeginUser;
  *seen = false;
  for (int k = 0; k < w->n_seen && !*seen; k++) *seen = w->seen[k] == feature;
  if (*seen) PetscFunctionReturn(PETSC_SUCCESS);
  if (w->n_seen == w->seen_room) {
    w->seen_room = w->seen_room > 0 ? 2 * w->seen_room : 256;
    PetscCall(PetscRealloc(sizeof *w->seen * w->seen_room, &w->seen));
  }
  w->seen[w->n_seen++] = feature;
  PetscFunctionReturn(PETSC_SUCCESS);
}

enum { FEATURE_VERTEX_A = 1, FEATURE_VERTEX_B = 2, FEATURE_EDGES = 3 };

static uint64_t feature_key(int kind, int i, int j)
{
  return ((uint64_t)kind << 62) | ((uint64_t)(uint32_t)i << 31) | (uint64_t)(uint32_t)j;
}

/* Is the foot inside a flat face, so that the normal is exact? */
static bool on_flat_face(const Side *side, const SurfaceHit *foot)
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
  PetscCall(see(w, feature_key(own_is_a ? FEATURE_VERTEX_A : FEATURE_VERTEX_B, vertex, 0), &seen));
  if (seen) PetscFunctionReturn(PETSC_SUCCESS);
  const Vec3 p = frame_to_world(&own->frame, p_b);
  const double deep = own->shape->edge + (other->shape != NULL ? other->shape->edge : INFINITY);
  const SurfaceHit foot = side_gap(other, p, reach > deep ? reach : deep);
  if (!foot.found || foot.distance > reach) PetscFunctionReturn(PETSC_SUCCESS);
  const double edge = other->shape != NULL && other->shape->edge > own->shape->edge
                          ? other->shape->edge
                          : own->shape->edge;
  const ContactHit hit = {vec3_scale(0.5, vec3_add(p, foot.point)),
                          own_is_a ? foot.normal : vec3_scale(-1.0, foot.normal),
                          foot.distance,
                          edge,
                          on_flat_face(other, &foot),
                          on_flat_face(other, &foot) ? 0 : -1};
  PetscCall(add_hit(w, hit));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The outward normals of the two faces at an edge, world; false for edges that are not sharp. */
static bool edge_faces(const Side *s, int edge, Vec3 n[2], Vec3 ends[2])
{
  const SurfaceEdge *e = xray_edge(s->shape->xray, edge);
  if (!(e->flags & EDGE_CREASE) || e->triangle[1] < 0) return false;
  for (int k = 0; k < 2; k++) {
    const Corners *t = xray_triangle(s->shape->xray, e->triangle[k]);
    n[k] =
        mat3_apply(&s->frame.r, vec3_unit(vec3_cross(vec3_sub(t->b, t->a), vec3_sub(t->c, t->a))));
    ends[k] = frame_to_world(&s->frame, xray_vertex(s->shape->xray, e->vertex[k], NULL));
  }
  return true;
}

/* Does the unit vector n, at right angles to the edge, lie between the normals of its faces? */
static bool in_cone(Vec3 n, const Vec3 face[2])
{
  const double slack = 1e-9, c = vec3_dot(face[0], face[1]);
  return vec3_dot(n, face[0]) >= c - slack && vec3_dot(n, face[1]) >= c - slack &&
         vec3_dot(n, vec3_add(face[0], face[1])) > 0.0;
}

/* Two sharp edges that cross each other. */
static PetscErrorCode look_at_edges(LookWork *w, const Side *a, const Side *b, int ea, int eb,
                                    double reach)
{
  PetscFunctionBeginUser;
  bool seen = false;
  Vec3 face_a[2], face_b[2], pa[2], pb[2];
  if (!edge_faces(a, ea, face_a, pa) || !edge_faces(b, eb, face_b, pb))
    PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(see(w, feature_key(FEATURE_EDGES, ea, eb), &seen));
  if (seen) PetscFunctionReturn(PETSC_SUCCESS);
  const Vec3 ua = vec3_sub(pa[1], pa[0]), ub = vec3_sub(pb[1], pb[0]);
  const Vec3 cross = vec3_cross(ua, ub);
  if (vec3_norm(cross) < 1e-6 * vec3_norm(ua) * vec3_norm(ub)) PetscFunctionReturn(PETSC_SUCCESS);
  double s = 0.0, t = 0.0;
  segments_nearest(pa[0], pa[1], pb[0], pb[1], &s, &t);
  if (s <= 0.0 || s >= 1.0 || t <= 0.0 || t >= 1.0) PetscFunctionReturn(PETSC_SUCCESS);
  Vec3 n = vec3_unit(cross);
  if (vec3_dot(n, vec3_add(face_b[0], face_b[1])) < 0.0) n = vec3_scale(-1.0, n);
  if (!in_cone(n, face_b) || !in_cone(vec3_scale(-1.0, n), face_a))
    PetscFunctionReturn(PETSC_SUCCESS);
  const Vec3 on_a = vec3_axpy(pa[0], s, ua), on_b = vec3_axpy(pb[0], t, ub);
  const double gap = vec3_dot(vec3_sub(on_a, on_b), n);
  const double edge = a->shape->edge > b->shape->edge ? a->shape->edge : b->shape->edge;
  const bool flat = vec3_dot(n, face_b[0]) > 1.0 - 1e-9 || vec3_dot(n, face_b[1]) > 1.0 - 1e-9;
  if (gap <= reach && gap > -edge)
    PetscCall(add_hit(
        w, (ContactHit){vec3_scale(0.5, vec3_add(on_a, on_b)), n, gap, edge, flat, flat ? 0 : -1}));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Sharp features of a pair of triangles. */
static PetscErrorCode look_at_features(LookWork *w, const Side *a, const Side *b, Candidate c,
                                       double reach)
{
  PetscFunctionBeginUser;
  const TriangleLinks *la = xray_triangle_links(a->shape->xray, c.a);
  for (int k = 0; k < 3; k++) PetscCall(look_at_vertex(w, a, b, la->vertex[k], true, reach));
  if (b->shape == NULL) PetscFunctionReturn(PETSC_SUCCESS);
  const TriangleLinks *lb = xray_triangle_links(b->shape->xray, c.b);
  for (int k = 0; k < 3; k++) PetscCall(look_at_vertex(w, b, a, lb->vertex[k], false, reach));
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      const int ea = la->edge[i] >= 0 ? la->edge[i] : ~la->edge[i];
      const int eb = lb->edge[j] >= 0 ? lb->edge[j] : ~lb->edge[j];
      PetscCall(look_at_edges(w, a, b, ea, eb, reach));
    }
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
      PetscCall(add_hit(w, hit));
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
  w->n_hits = w->n_seen = 0;
  PetscCall(LookCandidates(w, a, b, reach + bulge));
  qsort(w->candidate, (size_t)w->n_candidates, sizeof *w->candidate, by_distance);
  for (int k = 0; k < w->n_candidates; k++)
    PetscCall(look_at_features(w, a, b, w->candidate[k], reach));
  PetscCall(look_at_smooth(w, a, b, reach));
  *look = (Look){.n = w->n_hits, .hit = w->hit, .least = INFINITY};
  for (int k = 0; k < w->n_hits; k++)
    if (w->hit[k].gap < look->least) look->least = w->hit[k].gap;
  for (int k = 0; k < w->n_candidates; k++) look->crossed |= w->candidate[k].crossing;
  PetscFunctionReturn(PETSC_SUCCESS);
}
