#include "meeting.h"

#include <stdlib.h>

static const XRaySpec auto_spec = {NAN, NAN};

Thing thing_of(Surface *surface)
{
  Thing t = {.surface = surface};
  MustPass(XRayCreate(surface, auto_spec, &t.xray));
  t.shape = contact_shape(t.xray);
  return t;
}

Thing thing_create(TestShape shape, double spacing)
{
  Surface *surface = NULL;
  MustPass(TestSurfaceCreate(shape, spacing, &surface));
  return thing_of(surface);
}

void thing_destroy(Thing *t)
{
  MustPass(XRayDestroy(&t->xray));
  MustPass(SurfaceDestroy(&t->surface));
}

Side side_of(const Thing *t, Pose pose)
{
  return (Side){.shape = &t->shape, .frame = pose_frame(pose)};
}

Pose random_meeting(Random *r, const Thing *a, Pose pose_a, const Thing *b, double gap)
{
  int ta = 0, tb = 0;
  const Vec3 pa = random_surface_point(r, a->surface, &ta);
  const Vec3 pb = random_surface_point(r, b->surface, &tb);
  const Vec3 na = quat_rotate(pose_a.q, a->surface->normal[ta][0]), nb = b->surface->normal[tb][0];
  const Vec3 want = vec3_unit(vec3_add(vec3_scale(-1.0, na), random_point(r, 0.5)));
  const Quat spin = quat_from_axis(nb, random_in(r, 0, 2 * M_PI));
  const double w = 1.0 + vec3_dot(nb, want);
  const Vec3 axis = vec3_cross(nb, want);
  const Quat turn = w > 1e-6 ? quat_unit((Quat){w, axis.x, axis.y, axis.z})
                             : quat_from_axis(vec3_normal_to(nb), M_PI);
  Pose pose = {.q = quat_unit(quat_multiply(turn, spin))};
  const Vec3 at = vec3_axpy(pose_to_world(pose_a, pa), gap, na);
  pose.x = vec3_sub(at, quat_rotate(pose.q, pb));
  return pose;
}

/* A part of a patch by the weights of its corners, and the distance at its middle. */
typedef struct {
  int triangle;
  double u[3], v[3], size, distance;
} Part;

enum { KEPT = 6, STACK = 256 };

typedef struct {
  const Side *a, *b;
  double reach, best;
  int n_kept;
  Part kept[KEPT]; /* the best of those that are not split further */
} Search;

static Vec3 point_at(const Search *s, int triangle, double u, double v)
{
  return frame_to_world(&s->a->frame, xray_patch_point(s->a->shape->xray, triangle, u, v, NULL));
}

/* Beyond the reach all distances count as the reach. */
static double distance_at(Search *s, int triangle, double u, double v)
{
  const Vec3 p = point_at(s, triangle, u, v);
  const Vec3 p_b = frame_to_body(&s->b->frame, p);
  double d = s->reach;
  if (xray_distance_bound(s->b->shape->xray, p_b) < s->reach) {
    const SurfaceHit hit = side_gap(s->b, p, s->reach);
    d = hit.found ? hit.distance : xray_contains(s->b->shape->xray, p_b) ? -s->reach : s->reach;
  }
  if (d < s->best) s->best = d;
  return d;
}

static Part part_of(Search *s, int triangle, const double u[3], const double v[3])
{
  Part part = {.triangle = triangle};
  const double um = (u[0] + u[1] + u[2]) / 3.0, vm = (v[0] + v[1] + v[2]) / 3.0;
  const Vec3 middle = point_at(s, triangle, um, vm);
  for (int k = 0; k < 3; k++) {
    part.u[k] = u[k], part.v[k] = v[k];
    /* Patches bend, so that a corner is not surely what is farthest from the middle. */
    part.size = fmax(part.size, 1.3 * vec3_distance(middle, point_at(s, triangle, u[k], v[k])));
  }
  part.distance = distance_at(s, triangle, um, vm);
  return part;
}

static void keep_part(Search *s, const Part *part)
{
  int at = s->n_kept < KEPT ? s->n_kept++ : KEPT - 1;
  if (at == KEPT - 1 && s->n_kept == KEPT && s->kept[at].distance <= part->distance &&
      s->kept[at].size > 0.0)
    return;
  for (; at > 0 && s->kept[at - 1].distance > part->distance; at--) s->kept[at] = s->kept[at - 1];
  s->kept[at] = *part;
}

static void search_patch(Search *s, int triangle, double smallest)
{
  Part stack[STACK];
  int top = 0;
  stack[top++] = part_of(s, triangle, (double[]){0, 1, 0}, (double[]){0, 0, 1});
  while (top > 0) {
    const Part p = stack[--top];
    if (p.distance - p.size > s->best || p.distance - p.size >= s->reach) continue;
    if (p.size < smallest) {
      keep_part(s, &p);
      continue;
    }
    double u[3], v[3];
    for (int k = 0; k < 3; k++) {
      u[k] = 0.5 * (p.u[(k + 1) % 3] + p.u[(k + 2) % 3]);
      v[k] = 0.5 * (p.v[(k + 1) % 3] + p.v[(k + 2) % 3]);
    }
    stack[top++] = part_of(s, triangle, u, v);
    for (int k = 0; k < 3; k++) {
      const int i = (k + 1) % 3, j = (k + 2) % 3;
      stack[top++] =
          part_of(s, triangle, (double[]){p.u[k], u[i], u[j]}, (double[]){p.v[k], v[i], v[j]});
    }
  }
}

/* Downhill along six directions of the patch, with ever shorter steps. */
static void go_downhill(Search *s, const Part *from)
{
  static const double du[] = {1, -1, 0, 0, 1, -1}, dv[] = {0, 0, 1, -1, -1, 1};
  double u = (from->u[0] + from->u[1] + from->u[2]) / 3.0;
  double v = (from->v[0] + from->v[1] + from->v[2]) / 3.0, here = from->distance;
  for (double step = 0.125; step > 1e-8;) {
    bool moved = false;
    for (int k = 0; k < 6 && !moved; k++) {
      const double un = fmin(1.0, fmax(0.0, u + step * du[k]));
      const double vn = fmin(1.0 - un, fmax(0.0, v + step * dv[k]));
      const double there = distance_at(s, from->triangle, un, vn);
      if (!(there < here)) continue;
      u = un, v = vn, here = there, moved = true;
    }
    if (!moved) step *= 0.5;
  }
}

static double one_sided_gap(const Side *a, const Side *b, double reach)
{
  Search s = {.a = a, .b = b, .reach = reach, .best = INFINITY};
  const double smallest = 0.25 * fmin(a->shape->edge, b->shape->edge);
  const int n = xray_n_triangles(a->shape->xray);
  for (int t = 0; t < n; t++) distance_at(&s, t, 1.0 / 3.0, 1.0 / 3.0);
  /* Far inside it is not asked how far. */
  if (s.best < -0.2 * reach) return s.best;
  for (int t = 0; t < n; t++) search_patch(&s, t, smallest);
  for (int k = 0; k < s.n_kept; k++) go_downhill(&s, &s.kept[k]);
  return s.best < reach ? s.best : INFINITY;
}

double curved_gap(const Side *a, const Side *b, double reach)
{
  const double gap = one_sided_gap(a, b, reach);
  return gap < 0.0 ? gap : fmin(gap, one_sided_gap(b, a, reach));
}
