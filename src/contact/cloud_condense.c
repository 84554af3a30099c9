/*
 * What does one cloud of hits condense to: a point, a line or a plane?
 *
 * The principal axes of the hits in the plane across the normal tell in how many directions the
 * contact extends. The points that stand for it are hits of the cloud, moved within the contact
 * where needed; gap and height follow such a move by their mean slopes over the cloud.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/cloud_impl.h"

/* Less than this many tolerances, or this share of the local spacing, is no extent. */
static const double extent_tolerances = 4.0, extent_spacings = 0.05;

/* Hits this share of the tolerance behind the nearest one weigh a quarter of it. */
static const double weight_fade = 0.1;

/* A cloud in its own plane: axes u and v, with normal right-handed, origin at the mean. */
typedef struct {
  Vec3 origin, u, v, normal;
  double extent_u, extent_v; /* extent_u is the larger */
  double gap_u, gap_v;       /* slopes of the gap */
  double height_u, height_v; /* slopes of the hits over the plane */
} CloudFrame;

static double least_gap(const ContactHit hit[], int n, const int member[])
{
  double best = INFINITY;
  for (int m = 0; m < n; m++)
    if (hit[member[m]].gap < best) best = hit[member[m]].gap;
  return best;
}

/*
 * The hits that touch when the nearest does. Round a curved contact the gap grows by itself, so
 * that only those count that are as near as the nearest; all of a flat patch that has sunk in is
 * contact.
 */
static int keep_touching(CloudWork *w, int n, const int member[], double best, double allowance)
{
  int n_active = 0;
  for (int m = 0; m < n; m++) {
    const ContactHit *hit = &w->hit[member[m]];
    const double from = hit->patch >= 0 && best < 0.0 ? 0.0 : best;
    if (hit->gap <= from + allowance) w->active[n_active++] = member[m];
  }
  return n_active;
}

static double weight_of(const ContactHit *hit, double best, double tolerance)
{
  const double behind = 1.0 + (hit->gap - best) / (weight_fade * tolerance);
  return 1.0 / (behind * behind);
}

/* Exact normals win; of others the nearest hits have the say. */
static Vec3 mean_normal(const CloudWork *w, int n, double best, double tolerance)
{
  Vec3 exact = {0.0, 0.0, 0.0}, smooth = exact;
  bool any = false;
  for (int m = 0; m < n; m++) {
    const ContactHit *hit = &w->hit[w->active[m]];
    smooth = vec3_axpy(smooth, weight_of(hit, best, tolerance), hit->normal);
    if (!hit->exact_normal) continue;
    exact = vec3_add(exact, hit->normal);
    any = true;
  }
  return vec3_unit(any ? exact : smooth);
}

static Vec3 mean_point(const CloudWork *w, int n)
{
  /* Sums begin at the first hit, so that a cloud far from the origin loses no digits. */
  const Vec3 first = w->hit[w->active[0]].point;
  Vec3 sum = {0.0, 0.0, 0.0};
  for (int m = 0; m < n; m++) sum = vec3_add(sum, vec3_sub(w->hit[w->active[m]].point, first));
  return vec3_axpy(first, 1.0 / n, sum);
}

/* Turn u and v to the principal axes of the hits in their plane. */
static void turn_to_principal(const CloudWork *w, int n, CloudFrame *f)
{
  double uu = 0.0, vv = 0.0, uv = 0.0;
  for (int m = 0; m < n; m++) {
    const Vec3 r = vec3_sub(w->hit[w->active[m]].point, f->origin);
    const double a = vec3_dot(r, f->u), b = vec3_dot(r, f->v);
    uu += a * a;
    vv += b * b;
    uv += a * b;
  }
  const double angle = 0.5 * atan2(2.0 * uv, uu - vv);
  f->u = vec3_unit(vec3_axpy(vec3_scale(cos(angle), f->u), sin(angle), f->v));
  f->v = vec3_cross(f->normal, f->u);
}

static double extent_along(const CloudWork *w, int n, Vec3 axis, Vec3 origin)
{
  double lo = INFINITY, hi = -INFINITY;
  for (int m = 0; m < n; m++) {
    const double t = vec3_dot(vec3_sub(w->hit[w->active[m]].point, origin), axis);
    if (t < lo) lo = t;
    if (t > hi) hi = t;
  }
  return hi - lo;
}

/* Mean slopes of gap and height; along principal axes the two directions do not mix. */
static void fit_slopes(const CloudWork *w, int n, CloudFrame *f)
{
  double uu = 0.0, vv = 0.0, mean_gap = 0.0;
  for (int m = 0; m < n; m++) mean_gap += w->hit[w->active[m]].gap / n;
  for (int m = 0; m < n; m++) {
    const ContactHit *hit = &w->hit[w->active[m]];
    const Vec3 r = vec3_sub(hit->point, f->origin);
    const double u = vec3_dot(r, f->u), v = vec3_dot(r, f->v), height = vec3_dot(r, f->normal);
    uu += u * u;
    vv += v * v;
    f->gap_u += u * (hit->gap - mean_gap);
    f->gap_v += v * (hit->gap - mean_gap);
    f->height_u += u * height;
    f->height_v += v * height;
  }
  f->gap_u /= uu;
  f->height_u /= uu;
  f->gap_v /= vv;
  f->height_v /= vv;
}

static CloudFrame frame_of(const CloudWork *w, int n, Vec3 normal)
{
  CloudFrame f = {.origin = mean_point(w, n), .normal = normal, .u = vec3_normal_to(normal)};
  f.v = vec3_cross(normal, f.u);
  turn_to_principal(w, n, &f);
  f.extent_u = extent_along(w, n, f.u, f.origin);
  f.extent_v = extent_along(w, n, f.v, f.origin);
  if (f.extent_v <= f.extent_u) return f;

  /* Many hits on a short stretch can outweigh a few on the long one. */
  const double longer = f.extent_v;
  f.extent_v = f.extent_u;
  f.extent_u = longer;
  f.u = f.v;
  f.v = vec3_cross(normal, f.u);
  return f;
}

static IncidentKind kind_of(const CloudWork *w, int n, const CloudFrame *f, double tolerance,
                            int previous)
{
  double limit = extent_tolerances * tolerance;
  for (int m = 0; m < n; m++) {
    const double share = extent_spacings * w->hit[w->active[m]].spacing;
    if (share > limit) limit = share;
  }
  /* What was a line or a plane stays so down to half the limit, what was not up to twice. */
  const double widen_u = previous < 0 ? 1.0 : previous >= INCIDENT_LINE ? 0.5 : 2.0;
  const double widen_v = previous < 0 ? 1.0 : previous >= INCIDENT_PLANE ? 0.5 : 2.0;
  if (f->extent_u <= widen_u * limit) return INCIDENT_POINT;
  return f->extent_v <= widen_v * limit ? INCIDENT_LINE : INCIDENT_PLANE;
}

/* The gap at a hit: the least of those at its place, so that twins of a corner agree. */
static double gap_at(const CloudWork *w, int n, int i, double tolerance)
{
  double gap = w->hit[i].gap;
  for (int m = 0; m < n; m++) {
    const ContactHit *other = &w->hit[w->active[m]];
    if (other->gap < gap && vec3_distance(other->point, w->hit[i].point) <= tolerance)
      gap = other->gap;
  }
  return gap;
}

static void add_point(Incident *incident, Vec3 point, double gap)
{
  incident->point[incident->n_points] = point;
  incident->gap[incident->n_points++] = gap;
}

static void condense_to_point(const CloudWork *w, int n, double best, double tolerance,
                              Incident *incident)
{
  const Vec3 first = w->hit[w->active[0]].point;
  Vec3 sum = {0.0, 0.0, 0.0};
  double total = 0.0;
  for (int m = 0; m < n; m++) {
    const ContactHit *hit = &w->hit[w->active[m]];
    const double weight = weight_of(hit, best, tolerance);
    sum = vec3_axpy(sum, weight, vec3_sub(hit->point, first));
    total += weight;
  }
  add_point(incident, vec3_axpy(first, 1.0 / total, sum), best);
}

/* The two extreme hits, moved sideways onto the axis. */
static void condense_to_line(const CloudWork *w, int n, const CloudFrame *f, double tolerance,
                             Incident *incident)
{
  int end[2] = {w->flat[0].hit, w->flat[0].hit};
  double lo = w->flat[0].u, hi = lo;
  for (int m = 1; m < n; m++) {
    const FlatPoint *p = &w->flat[m];
    if (p->u < lo) {
      lo = p->u;
      end[0] = p->hit;
    }
    if (p->u > hi) {
      hi = p->u;
      end[1] = p->hit;
    }
  }
  for (int e = 0; e < 2; e++) {
    const Vec3 point = w->hit[end[e]].point;
    const double aside = vec3_dot(vec3_sub(point, f->origin), f->v);
    add_point(incident, vec3_axpy(point, -aside, f->v), gap_at(w, n, end[e], tolerance));
  }
}

static void condense_to_plane(const CloudWork *w, int n, const FlatPick *pick, CloudFrame f,
                              double tolerance, Incident *incident)
{
  fit_slopes(w, n, &f);
  for (int k = 0; k < pick->n; k++) {
    const FlatPoint *corner = &pick->corner[k];
    const double du = pick->u[k] - corner->u, dv = pick->v[k] - corner->v;
    const Vec3 sideways = vec3_axpy(vec3_scale(du, f.u), dv, f.v);
    const Vec3 move = vec3_axpy(sideways, f.height_u * du + f.height_v * dv, f.normal);
    add_point(incident, vec3_add(w->hit[corner->hit].point, move),
              gap_at(w, n, corner->hit, tolerance) + f.gap_u * du + f.gap_v * dv);
  }
}

static Vec3 mean_of_points(const Incident *incident)
{
  Vec3 sum = {0.0, 0.0, 0.0};
  for (int k = 1; k < incident->n_points; k++)
    sum = vec3_add(sum, vec3_sub(incident->point[k], incident->point[0]));
  return vec3_axpy(incident->point[0], 1.0 / incident->n_points, sum);
}

Incident cloud_condense(CloudWork *work, int n_members, const int member[], double tolerance,
                        int previous)
{
  const double best = least_gap(work->hit, n_members, member);
  const double allowance = (previous > INCIDENT_POINT ? 2.0 : 1.0) * tolerance;
  const int n = keep_touching(work, n_members, member, best, allowance);
  Incident incident = {.normal = mean_normal(work, n, best, tolerance)};
  const CloudFrame f = frame_of(work, n, incident.normal);

  incident.kind = kind_of(work, n, &f, tolerance, previous);
  for (int m = 0; m < n; m++) {
    const Vec3 r = vec3_sub(work->hit[work->active[m]].point, f.origin);
    work->flat[m] = (FlatPoint){vec3_dot(r, f.u), vec3_dot(r, f.v), work->active[m]};
  }
  if (incident.kind == INCIDENT_PLANE) {
    const int n_hull = cloud_hull(n, work->flat, f.extent_u, work->order, work->hull);
    const FlatPick pick = n_hull < 3 ? (FlatPick){0} : cloud_pick(n_hull, work->hull, f.extent_u);
    condense_to_plane(work, n, &pick, f, tolerance, &incident);
    if (pick.n == 0) incident.kind = INCIDENT_LINE;
  }
  if (incident.kind == INCIDENT_LINE) condense_to_line(work, n, &f, tolerance, &incident);
  if (incident.kind == INCIDENT_POINT) condense_to_point(work, n, best, tolerance, &incident);
  incident.center = mean_of_points(&incident);
  return incident;
}
