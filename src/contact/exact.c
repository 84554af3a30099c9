#include "contact/exact.h"

#include "contact/exact_box.h"
#include "contact/tritri.h"

ExactShape exact_shape(const ShapeSpec *spec)
{
  if (spec->kind == SHAPE_SPHERE) return (ExactShape){EXACT_SPHERE, spec->radius, {0, 0, 0}};
  if (spec->kind == SHAPE_BOX) return (ExactShape){EXACT_BOX, 0.0, vec3_scale(0.5, spec->size)};
  if (spec->kind == SHAPE_CAPSULE)
    return (ExactShape){EXACT_CAPSULE, spec->radius,
                        vec3_scale(0.5 * spec->length, vec3_unit(spec->axis))};
  return (ExactShape){.kind = EXACT_NONE};
}

static bool is_rod(const Side *s)
{
  return s->shape->exact.kind == EXACT_SPHERE || s->shape->exact.kind == EXACT_CAPSULE;
}

bool exact_is_known(const Side *a, const Side *b)
{
  return exact_box_is_known(a, b) || (is_rod(a) && (b->shape == NULL || is_rod(b)));
}

/* A segment and the radius around it, world. */
typedef struct {
  Vec3 end[2];
  double radius;
  bool is_point;
} Rod;

static Rod rod_of(const Side *s)
{
  const ExactShape *e = &s->shape->exact;
  const Vec3 half = mat3_apply(&s->frame.r, e->half), c = s->frame.x;
  const bool is_point = e->half.x == 0.0 && e->half.y == 0.0 && e->half.z == 0.0;
  return (Rod){{vec3_sub(c, half), vec3_add(c, half)}, e->radius, is_point};
}

static Vec3 rod_point(const Rod *r, double s)
{
  return vec3_axpy(r->end[0], s, vec3_sub(r->end[1], r->end[0]));
}

static double nearest_on(const Rod *r, Vec3 p)
{
  return r->is_point ? 0.0
                     : segment_nearest(vec3_sub(r->end[1], r->end[0]), vec3_sub(p, r->end[0]));
}

/* The parameters of the nearest points of two segments. */
static void rods_nearest(const Rod *a, const Rod *b, double *s, double *t)
{
  *s = *t = 0.0;
  if (a->is_point)
    *t = nearest_on(b, a->end[0]);
  else if (b->is_point)
    *s = nearest_on(a, b->end[0]);
  else
    segments_nearest(a->end[0], a->end[1], b->end[0], b->end[1], s, t);
}

static double height_over(const Side *wall, Vec3 p)
{
  return vec3_dot(wall->normal, vec3_sub(p, wall->point));
}

double exact_gap(const Side *a, const Side *b)
{
  if (exact_box_is_known(a, b)) return exact_box_gap(a, b);
  const Rod ra = rod_of(a);
  if (b->shape == NULL) {
    const double h0 = height_over(b, ra.end[0]), h1 = height_over(b, ra.end[1]);
    return (h0 < h1 ? h0 : h1) - ra.radius;
  }
  const Rod rb = rod_of(b);
  double s, t;
  rods_nearest(&ra, &rb, &s, &t);
  return vec3_distance(rod_point(&ra, s), rod_point(&rb, t)) - ra.radius - rb.radius;
}

static double larger_edge(const Side *a, const Side *b)
{
  return b->shape != NULL && b->shape->edge > a->shape->edge ? b->shape->edge : a->shape->edge;
}

/* Between points p and q of the segments of a and b. */
static ContactHit hit_between(const Side *a, const Side *b, const Rod *ra, const Rod *rb, Vec3 p,
                              Vec3 q)
{
  const double d = vec3_distance(p, q);
  /* Segments that cross: any direction at right angles to a's will do. */
  const Vec3 along = ra->is_point ? vec3(0, 0, 1) : vec3_unit(vec3_sub(ra->end[1], ra->end[0]));
  const Vec3 n = d > 0.0 ? vec3_scale(1.0 / d, vec3_sub(p, q)) : vec3_normal_to(along);
  const Vec3 on_a = vec3_axpy(p, -ra->radius, n), on_b = vec3_axpy(q, rb->radius, n);
  return (ContactHit){.point = vec3_scale(0.5, vec3_add(on_a, on_b)),
                      .normal = n,
                      .gap = d - ra->radius - rb->radius,
                      .spacing = larger_edge(a, b),
                      .patch = -1};
}

static ContactHit hit_over_wall(const Side *a, const Side *wall, const Rod *rod, Vec3 p)
{
  const double gap = height_over(wall, p) - rod->radius;
  return (ContactHit){.point = vec3_axpy(p, -rod->radius - 0.5 * gap, wall->normal),
                      .normal = wall->normal,
                      .gap = gap,
                      .spacing = a->shape->edge,
                      .exact_normal = true,
                      .patch = -1};
}

/* Keep a hit within reach at a place of its own. */
static int keep(ContactHit hit[], int n, double reach, ContactHit new)
{
  bool keeps = new.gap <= reach;
  for (int k = 0; k < n && keeps; k++)
    keeps = vec3_distance(hit[k].point, new.point) > 1e-6 * new.spacing;
  if (keeps) hit[n] = new;
  return keeps ? n + 1 : n;
}

/* The ends of one segment that lie beside the other. */
static int add_ends(const Side *a, const Side *b, const Rod *ra, const Rod *rb, bool of_a,
                    double reach, ContactHit hit[], int n)
{
  const Rod *own = of_a ? ra : rb, *other = of_a ? rb : ra;
  if (own->is_point || other->is_point) return n;
  for (int k = 0; k < 2; k++) {
    const double t = nearest_on(other, own->end[k]);
    if (!(t > 0.0 && t < 1.0)) continue;
    const Vec3 foot = rod_point(other, t);
    n = keep(hit, n, reach,
             of_a ? hit_between(a, b, ra, rb, own->end[k], foot)
                  : hit_between(a, b, ra, rb, foot, own->end[k]));
  }
  return n;
}

int exact_hits(const Side *a, const Side *b, double reach, ContactHit hit[EXACT_HITS])
{
  if (exact_box_is_known(a, b)) return exact_box_hits(a, b, reach, hit);
  const Rod ra = rod_of(a);
  int n = 0;
  if (b->shape == NULL) {
    n = keep(hit, n, reach, hit_over_wall(a, b, &ra, ra.end[0]));
    if (!ra.is_point) n = keep(hit, n, reach, hit_over_wall(a, b, &ra, ra.end[1]));
  } else {
    const Rod rb = rod_of(b);
    double s, t;
    rods_nearest(&ra, &rb, &s, &t);
    n = keep(hit, n, reach, hit_between(a, b, &ra, &rb, rod_point(&ra, s), rod_point(&rb, t)));
    if (n > 0) n = add_ends(a, b, &ra, &rb, true, reach, hit, n);
    if (n > 0) n = add_ends(a, b, &ra, &rb, false, reach, hit, n);
  }
  /* What lies along each other is one contact, however far apart its ends. */
  for (int k = 0; k < n && n > 1; k++) hit[k].patch = 0;
  return n;
}
