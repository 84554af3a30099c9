#include "contact/polish.h"

#include "geom/xray_place.h"

/* The foot of a point on one side; world. */
typedef struct {
  const Side *side;
  XRayPlace place; /* of a body */
  Vec3 point, normal;
} Foot;

static bool foot_follow(Foot *f, Vec3 m, double reach)
{
  const Side *s = f->side;
  if (s->shape == NULL) {
    const double height = vec3_dot(s->normal, vec3_sub(m, s->point));
    f->point = vec3_axpy(m, -height, s->normal);
    f->normal = s->normal;
    return fabs(height) <= reach;
  }
  if (!xray_place_follow(s->shape->xray, frame_to_body(&s->frame, m), &f->place)) return false;
  f->point = frame_to_world(&s->frame, f->place.point);
  f->normal = mat3_apply(&s->frame.r, f->place.normal);
  return vec3_norm2(vec3_sub(m, f->point)) <= reach * reach;
}

/* How the normal at the foot turns when the point moves by dm. */
static Vec3 foot_turn(const Foot *f, Vec3 dm)
{
  if (f->side->shape == NULL) return vec3(0, 0, 0);
  const Mat3 *r = &f->side->frame.r;
  return mat3_apply(r, xray_place_turn(&f->place, mat3_apply_transposed(r, dm)));
}

/* Is the normal at the foot known exactly? */
static bool foot_is_flat(const Foot *f)
{
  return f->side->shape == NULL || xray_triangle_is_flat(f->side->shape->xray, f->place.triangle);
}

/* The feet of one point on both sides. */
typedef struct {
  Foot a, b;
  Vec3 middle; /* halfway between the feet */
} Feet;

static bool feet_follow(Feet *f, Vec3 m, double reach)
{
  if (!foot_follow(&f->a, m, reach) || !foot_follow(&f->b, m, reach)) return false;
  f->middle = vec3_scale(0.5, vec3_add(f->a.point, f->b.point));
  return true;
}

/* The change of the normals' mismatch with the position, made symmetric as curvatures are. */
typedef struct {
  Vec3 t1, t2;
  double k11, k12, k22;
} Curvature;

static Curvature curvature_at(const Feet *f)
{
  Curvature k = {.t1 = vec3_normal_to(vec3_unit(vec3_sub(f->b.normal, f->a.normal)))};
  k.t2 = vec3_unit(vec3_cross(vec3_sub(f->b.normal, f->a.normal), k.t1));
  const Vec3 d1 = vec3_add(foot_turn(&f->a, k.t1), foot_turn(&f->b, k.t1));
  const Vec3 d2 = vec3_add(foot_turn(&f->a, k.t2), foot_turn(&f->b, k.t2));
  k.k11 = vec3_dot(d1, k.t1);
  k.k22 = vec3_dot(d2, k.t2);
  k.k12 = 0.5 * (vec3_dot(d1, k.t2) + vec3_dot(d2, k.t1));
  return k;
}

/* The step against the mismatch r along an axis of the curvature k: Newton's if that bends enough,
 * else `slide` downhill. */
static double axis_step(double k, double r, double least, double slide)
{
  if (k >= least) return -r / k;
  return fabs(r) > 1e-9 ? (r > 0.0 ? -slide : slide) : 0.0;
}

/* The step, and whether the gap rises from here in all directions. */
static Vec3 polish_step(const Curvature *k, Vec3 r, double least, double slide, bool *bends)
{
  const double r1 = vec3_dot(r, k->t1), r2 = vec3_dot(r, k->t2);
  const double mean = 0.5 * (k->k11 + k->k22), half = 0.5 * (k->k11 - k->k22);
  const double root = sqrt(half * half + k->k12 * k->k12);
  *bends = mean - root >= least;
  if (*bends) {
    const double det = k->k11 * k->k22 - k->k12 * k->k12;
    return vec3_axpy(vec3_scale((k->k12 * r2 - k->k22 * r1) / det, k->t1),
                     (k->k12 * r1 - k->k11 * r2) / det, k->t2);
  }
  const double angle = 0.5 * atan2(k->k12, half), c = cos(angle), s = sin(angle);
  const double p = axis_step(mean + root, c * r1 + s * r2, least, slide);
  const double q = axis_step(mean - root, c * r2 - s * r1, least, slide);
  return vec3_axpy(vec3_scale(c * p - s * q, k->t1), s * p + c * q, k->t2);
}

static double smaller(const Side *a, const Side *b, double of_a, double of_b)
{
  return b->shape == NULL || (a->shape != NULL && of_a < of_b) ? of_a : of_b;
}

/* Is the foot the nearest point of its body, or has the way led to another side of it? */
static bool is_nearest(const Foot *f, Vec3 m, double small)
{
  const SurfaceHit hit = side_gap(f->side, m, vec3_distance(m, f->point));
  return !hit.found || fabs(hit.distance) > vec3_distance(m, f->point) - small;
}

static ContactHit hit_between(const Feet *f)
{
  ContactHit hit = {.point = f->middle, .patch = -1};
  hit.normal = vec3_unit(vec3_sub(f->b.normal, f->a.normal));
  if (foot_is_flat(&f->b))
    hit.normal = f->b.normal;
  else if (foot_is_flat(&f->a))
    hit.normal = vec3_scale(-1.0, f->a.normal);
  hit.exact_normal = foot_is_flat(&f->b) || foot_is_flat(&f->a);
  hit.gap = vec3_dot(vec3_sub(f->a.point, f->b.point), hit.normal);
  const ContactShape *a = f->a.side->shape, *b = f->b.side->shape;
  hit.spacing = b == NULL || a->edge > b->edge ? a->edge : b->edge;
  return hit;
}

/* Newton's method from the feet of the guess. *settles: it ended where the gap is least. */
static bool find_place(Feet *f, double size, double edge, double reach, bool slides, bool *settles)
{
  enum { ITERATIONS = 24 };
  const double least = 1e-4 / size, small = 1e-12 * size, far = 8.0 * edge;
  const Vec3 guess = f->middle;
  double last = INFINITY;
  *settles = false;
  for (int i = 0; i < ITERATIONS; i++) {
    const Curvature k = curvature_at(f);
    /* Late slides are short, for where the slope changes its sign at a bend. */
    const double slide = slides ? edge / (i < 12 ? 1.0 : (double)(1 << (i - 11))) : 0.0;
    bool bends = false;
    Vec3 step = polish_step(&k, vec3_add(f->a.normal, f->b.normal), least, slide, &bends);
    const double length = vec3_norm(step);
    if (length > edge) step = vec3_scale(edge / length, step);
    if (length < small) {
      f->middle = vec3_add(f->middle, step);
      *settles = bends;
      return true;
    }
    if (!feet_follow(f, vec3_add(f->middle, step), reach)) return false;
    if (vec3_distance(f->middle, guess) > far) return false;
    /* Feet near the border of two patches are known only to the mismatch of these: steps that no
     * longer shrink are as small as they get. */
    *settles = bends && length < 1e-6 * size && length > 0.5 * last;
    if (length < 1e-6 * size && length > 0.5 * last) return true;
    last = length;
  }
  return true;
}

bool contact_polish(const Side *a, const Side *b, Vec3 guess, double reach, Polish *polish,
                    ContactHit *hit)
{
  const double size = smaller(a, b, a->shape->size, b->shape != NULL ? b->shape->size : 0.0);
  const double edge = smaller(a, b, a->shape->edge, b->shape != NULL ? b->shape->edge : 0.0);
  Feet f = {.a.side = a, .b.side = b};
  f.a.place = xray_place(a->shape->xray, polish->ta);
  if (b->shape != NULL) f.b.place = xray_place(b->shape->xray, polish->tb);
  bool settles = false;
  if (!feet_follow(&f, guess, reach) || !find_place(&f, size, edge, reach, polish->slide, &settles))
    return false;
  if (vec3_dot(f.a.normal, f.b.normal) >= -0.99) return false;
  polish->level = settles || vec3_norm(vec3_add(f.a.normal, f.b.normal)) < 1e-6;
  polish->ta = f.a.place.triangle;
  polish->tb = f.b.place.triangle;
  *hit = hit_between(&f);
  /* A depth may be that of a thin body, from its far side. */
  const bool deep = hit->gap < -1e-6 * size;
  return !deep ||
         (is_nearest(&f.a, f.middle, 1e-3 * edge) && is_nearest(&f.b, f.middle, 1e-3 * edge));
}
