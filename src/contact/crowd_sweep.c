#include "contact/crowd_sweep.h"

/* No more sweeps than this, and no more visits of contacts. */
enum { SWEEPS = 600, VISITS = 1000000 };

/* One axis of a contact: its arms on both bodies, and how these turn under a unit impulse. */
typedef struct {
  Vec3 axis, arm_a, arm_b, turn_a, turn_b;
} SweepAxis;

typedef struct {
  int a, b;
  double mass_a, mass_b; /* inverse */
  double yield, slip;    /* inverse of the inverse mass along the normal, and the larger across */
  double least, mu;
  double p, f1, f2;
  SweepAxis n, t1, t2;
} SweepRow;

struct CrowdSweep {
  int room_bodies, room_rows;
  Twist *twist, *before; /* owned; the world is the last */
  SweepRow *row;         /* owned */
  Vec3 *impulse;         /* owned */
};

PetscErrorCode CrowdSweepCreate(CrowdSweep **work)
{
  PetscFunctionBeginUser;
  PetscCall(PetscNew(work));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode CrowdSweepDestroy(CrowdSweep **work)
{
  PetscFunctionBeginUser;
  if (*work == NULL) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscFree2((*work)->twist, (*work)->before));
  PetscCall(PetscFree2((*work)->row, (*work)->impulse));
  PetscCall(PetscFree(*work));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode grow(CrowdSweep *w, int bodies, int rows)
{
  PetscFunctionBeginUser;
  if (bodies > w->room_bodies) {
    PetscCall(PetscFree2(w->twist, w->before));
    const int n = w->room_bodies = bodies + bodies / 2;
    PetscCall(PetscMalloc2(n, &w->twist, n, &w->before));
  }
  if (rows > w->room_rows) {
    PetscCall(PetscFree2(w->row, w->impulse));
    const int n = w->room_rows = rows + rows / 2;
    PetscCall(PetscMalloc2(n, &w->row, n, &w->impulse));
  }
  PetscFunctionReturn(PETSC_SUCCESS);
}

static inline double speed_along(const SweepAxis *x, const Twist *a, const Twist *b)
{
  return vec3_dot(x->axis, vec3_sub(a->v, b->v)) + vec3_dot(x->arm_a, a->w) -
         vec3_dot(x->arm_b, b->w);
}

static inline void kick(const SweepRow *r, const SweepAxis *x, double p, Twist *a, Twist *b)
{
  a->v = vec3_axpy(a->v, p * r->mass_a, x->axis);
  b->v = vec3_axpy(b->v, -p * r->mass_b, x->axis);
  a->w = vec3_axpy(a->w, p, x->turn_a);
  b->w = vec3_axpy(b->w, -p, x->turn_b);
}

/* The axis through a point, and the inverse mass along it. */
static double set_axis(SweepAxis *x, const Mobility *a, const Mobility *b, Vec3 p, Vec3 axis)
{
  x->axis = axis;
  x->arm_a = vec3_cross(vec3_sub(p, a->center), axis);
  x->arm_b = vec3_cross(vec3_sub(p, b->center), axis);
  x->turn_a = mat3_apply(&a->inverse_inertia, x->arm_a);
  x->turn_b = mat3_apply(&b->inverse_inertia, x->arm_b);
  return a->inverse_mass + b->inverse_mass + vec3_dot(x->arm_a, x->turn_a) +
         vec3_dot(x->arm_b, x->turn_b);
}

static Vec3 any_across(Vec3 n)
{
  const Vec3 x = fabs(n.x) < 0.6 ? vec3(1, 0, 0) : vec3(0, 1, 0);
  return vec3_unit(vec3_cross(n, x));
}

static void set_row(CrowdSweep *w, const CrowdInput *in, int k)
{
  static const Mobility world = {0};
  const IslandContact *c = &in->contact[k];
  SweepRow *r = &w->row[k];
  const Mobility *a = &in->body[c->a], *b = c->b < 0 ? &world : &in->body[c->b];
  const Vec3 t1 = any_across(c->normal), t2 = vec3_cross(c->normal, t1);
  r->a = c->a;
  r->b = c->b < 0 ? in->n_bodies : c->b;
  r->mass_a = a->inverse_mass;
  r->mass_b = b->inverse_mass;
  const double yield = set_axis(&r->n, a, b, c->point, c->normal);
  const double a1 = set_axis(&r->t1, a, b, c->point, t1);
  const double a2 = set_axis(&r->t2, a, b, c->point, t2);
  const double slip = fmax(a1, a2);
  r->yield = yield > 0.0 ? 1.0 / yield : 0.0;
  r->slip = slip > 0.0 ? 1.0 / slip : 0.0;
  r->least = c->least;
  r->mu = c->friction;
}

static double to_disc(double f1, double f2, double radius)
{
  const double size = sqrt(f1 * f1 + f2 * f2);
  return size > radius ? radius / size : 1.0;
}

static void start(CrowdSweep *w, const CrowdInput *in, int k)
{
  SweepRow *r = &w->row[k];
  const Vec3 guess = in->contact[k].guess;
  Twist *a = &w->twist[r->a], *b = &w->twist[r->b];
  r->p = r->yield > 0.0 ? fmax(0.0, vec3_dot(r->n.axis, guess)) : 0.0;
  r->f1 = vec3_dot(r->t1.axis, guess);
  r->f2 = vec3_dot(r->t2.axis, guess);
  const double part = to_disc(r->f1, r->f2, r->mu * r->p);
  r->f1 *= part, r->f2 *= part;
  if (r->p <= 0.0) return;
  kick(r, &r->n, r->p, a, b);
  kick(r, &r->t1, r->f1, a, b);
  kick(r, &r->t2, r->f2, a, b);
}

/* Let one contact answer the others; the change it made, as a speed. */
static inline double relax(CrowdSweep *w, SweepRow *r)
{
  Twist a = w->twist[r->a], b = w->twist[r->b];
  const double vn = speed_along(&r->n, &a, &b);
  const double p = fmax(0.0, r->p + (r->least - vn) * r->yield);
  if (p == 0.0 && r->p == 0.0) return 0.0;
  const double dp = p - r->p;
  kick(r, &r->n, dp, &a, &b);
  r->p = p;
  double change = fabs(dp) / r->yield;
  if (r->mu > 0.0) {
    const double u1 = speed_along(&r->t1, &a, &b), u2 = speed_along(&r->t2, &a, &b);
    const double g1 = r->f1 - u1 * r->slip, g2 = r->f2 - u2 * r->slip;
    const double part = to_disc(g1, g2, r->mu * p);
    const double d1 = part * g1 - r->f1, d2 = part * g2 - r->f2;
    kick(r, &r->t1, d1, &a, &b);
    kick(r, &r->t2, d2, &a, &b);
    r->f1 += d1, r->f2 += d2;
    change += (fabs(d1) + fabs(d2)) / r->slip;
  }
  w->twist[r->a] = a;
  w->twist[r->b] = b;
  return change;
}

static Vec3 impulse_of(const SweepRow *r)
{
  const Vec3 t = vec3_axpy(vec3_scale(r->f1, r->t1.axis), r->f2, r->t2.axis);
  return vec3_axpy(t, r->p, r->n.axis);
}

static double sum_of_work(const SweepRow *r, const Twist *a, const Twist *b)
{
  return r->p * speed_along(&r->n, a, b) + r->f1 * speed_along(&r->t1, a, b) +
         r->f2 * speed_along(&r->t2, a, b);
}

/* The work is a parabola in a common factor of the impulses: where it is positive, the factor. */
static double harmless_part(const CrowdSweep *w, int n)
{
  double before = 0.0, after = 0.0;
  for (int k = 0; k < n; k++) {
    const SweepRow *r = &w->row[k];
    before += sum_of_work(r, &w->before[r->a], &w->before[r->b]);
    after += sum_of_work(r, &w->twist[r->a], &w->twist[r->b]);
  }
  const double bend = after - before;
  if (before + after <= 0.0 || bend <= 0.0) return 1.0;
  return fmax(0.0, -2.0 * before / bend);
}

static Twist between(Twist a, Twist b, double part)
{
  return (Twist){vec3_axpy(a.v, part, vec3_sub(b.v, a.v)),
                 vec3_axpy(a.w, part, vec3_sub(b.w, a.w))};
}

PetscErrorCode CrowdSweepSolve(CrowdSweep *w, const CrowdInput *in, CrowdResult *result)
{
  PetscFunctionBeginUser;
  const int n = in->n_contacts, bodies = in->n_bodies;
  PetscCall(grow(w, bodies + 1, n));
  for (int b = 0; b < bodies; b++) w->twist[b] = in->twist[b];
  w->twist[bodies] = (Twist){{0, 0, 0}, {0, 0, 0}};
  for (int b = 0; b <= bodies; b++) w->before[b] = w->twist[b];
  for (int k = 0; k < n; k++) {
    set_row(w, in, k);
    start(w, in, k);
  }
  *result = (CrowdResult){.twist = w->twist, .impulse = w->impulse, .residual = INFINITY};
  const int most = n * SWEEPS > VISITS ? 1 + VISITS / n : SWEEPS;
  while (result->sweeps < most && result->residual > in->enough) {
    double largest = 0.0;
    for (int k = 0; k < n; k++) {
      SweepRow *r = &w->row[result->sweeps % 2 ? n - 1 - k : k];
      if (r->yield > 0.0) largest = fmax(largest, relax(w, r));
    }
    result->residual = largest;
    result->sweeps++;
  }
  const double part = in->dissipates ? harmless_part(w, n) : 1.0;
  for (int k = 0; k < n; k++) w->impulse[k] = vec3_scale(part, impulse_of(&w->row[k]));
  if (part < 1.0)
    for (int b = 0; b < bodies; b++) w->twist[b] = between(w->before[b], w->twist[b], part);
  PetscFunctionReturn(PETSC_SUCCESS);
}
