/*
 * How fast is contact detection? Pairs of spheres of 20,480 triangles, pairs of a concave shape of
 * as many, and a thousand bodies that do not meet.
 *
 * A query finds all contacts of a pair from its poses alone. The lines contact/overlap and
 * contact/distance are those of the peers.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "contact/contact.h"
#include "bench.h"
#include "contact/look.h"
#include "geom/primitive.h"

#include <stdint.h>

enum { QUERIES = 1000, ROUNDS = 2, BODIES = 1000 };

static double unit_random(uint64_t *state)
{
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (double)(*state >> 11) / 9007199254740992.0;
}

static double centered(uint64_t *state)
{
  return 2.0 * unit_random(state) - 1.0;
}

static Quat random_turn(uint64_t *s)
{
  return quat_unit((Quat){centered(s), centered(s), centered(s), centered(s)});
}

static Vec3 random_direction(uint64_t *s)
{
  Vec3 v = {0, 0, 0};
  while (!(vec3_norm(v) > 0.1 && vec3_norm(v) < 1.0))
    v = vec3(centered(s), centered(s), centered(s));
  return vec3_unit(v);
}

/* The two sides of each query. */
typedef struct {
  Side a[QUERIES], b[QUERIES];
} Queries;

static Side placed(const ContactShape *shape, Quat q, Vec3 x)
{
  return (Side){.shape = shape, .frame = pose_frame((Pose){x, q})};
}

/* Two unit spheres with a gap, in attitudes at random. */
static void set_random(Queries *q, const ContactShape *shape, double gap)
{
  uint64_t s = 12345;
  for (int k = 0; k < QUERIES; k++) {
    q->a[k] = placed(shape, random_turn(&s), vec3(0, 0, 0));
    q->b[k] = placed(shape, random_turn(&s), vec3_scale(2.0 + gap, random_direction(&s)));
  }
}

/* The same sphere rolling over the other, a little further each time. */
static void set_slow(Queries *q, const ContactShape *shape, double gap)
{
  uint64_t s = 54321;
  const Quat first = random_turn(&s);
  for (int k = 0; k < QUERIES; k++) {
    const Quat turn = quat_from_axis(vec3(1, 2, 3), 1e-3 * k);
    const Vec3 way = quat_rotate(quat_from_axis(vec3(-1, 1, 0.5), 1e-3 * k), vec3(0.6, 0.64, 0.48));
    q->a[k] = placed(shape, first, vec3(0, 0, 0));
    q->b[k] = placed(shape, quat_multiply(turn, first), vec3_scale(2.0 + gap, vec3_unit(way)));
  }
}

/* Dented balls brought together from afar, first by the bound, then by the gap, until they touch.
 */
static PetscErrorCode SetTouching(Queries *q, const ContactShape *shape, double reach)
{
  PetscFunctionBeginUser;
  uint64_t s = 777;
  LookWork *work = NULL;
  PetscCall(LookWorkCreate(&work));
  for (int k = 0; k < QUERIES; k++) {
    const Vec3 way = random_direction(&s);
    double far = 2.0 * shape->size;
    q->a[k] = placed(shape, random_turn(&s), vec3(0, 0, 0));
    q->b[k] = placed(shape, random_turn(&s), vec3_scale(far, way));
    for (int i = 0; i < 40; i++) {
      Look look;
      double gap = look_bound(&q->a[k], &q->b[k], 3.0 * far);
      if (gap < 0.5 * reach) {
        PetscCall(LookClosely(work, &q->a[k], &q->b[k], reach + 4.0 * shape->bulge, &look));
        gap = look.least;
      }
      if (!(gap > 0.5 * reach && isfinite(gap))) break;
      far -= gap;
      q->b[k].frame.x = vec3_scale(far, way);
    }
  }
  PetscCall(LookWorkDestroy(&work));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode TimeLook(const char *name, const Queries *q, double reach)
{
  PetscFunctionBeginUser;
  LookWork *work = NULL;
  double seconds = 0.0;
  int n_hits = 0;
  PetscCall(LookWorkCreate(&work));
  for (int round = 0; round < ROUNDS; round++) {
    const double start = bench_now();
    n_hits = 0;
    for (int k = 0; k < QUERIES; k++) {
      Look look;
      PetscCall(LookClosely(work, &q->a[k], &q->b[k], reach, &look));
      n_hits += look.n;
    }
    seconds = bench_now() - start;
  }
  bench_report(name, QUERIES, "queries", seconds);
  fprintf(stderr, "%s: %.4g us each, %.3g hits each\n", name, 1e6 * seconds / QUERIES,
          (double)n_hits / QUERIES);
  PetscCall(LookWorkDestroy(&work));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A ball with dents: the same triangles on moved vertices. */
static PetscErrorCode DentedCreate(const Surface *ball, Surface **dented)
{
  PetscFunctionBeginUser;
  Vec3 *v = NULL;
  PetscCall(PetscMalloc1((size_t)ball->n_vertices, &v));
  for (int k = 0; k < ball->n_vertices; k++) {
    const Vec3 u = vec3_unit(ball->vertex[k]);
    const double bumps = sin(4 * u.x + 1) * sin(5 * u.y) + sin(6 * u.z + 2 * u.x);
    v[k] = vec3_scale(0.85 + 0.2 * bumps, u);
  }
  PetscCall(SurfaceCreate(ball->n_vertices, v, ball->n_triangles, (const int(*)[3])ball->triangle,
                          NULL, dented));
  PetscCall(PetscFree(v));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode TimePairs(void)
{
  PetscFunctionBeginUser;
  const double reach = 1e-3;
  Surface *ball = NULL, *dented = NULL;
  XRay *ball_xray = NULL, *dented_xray = NULL;
  Queries *q = NULL;
  const ShapeSpec spec = {.kind = SHAPE_SPHERE, .radius = 1.0, .spacing = 0.0415};
  PetscCall(PetscNew(&q));
  PetscCall(PrimitiveCreate(&spec, &ball));
  PetscCall(DentedCreate(ball, &dented));
  PetscCall(XRayCreate(ball, (XRaySpec){NAN, NAN}, &ball_xray));
  PetscCall(XRayCreate(dented, (XRaySpec){NAN, NAN}, &dented_xray));
  const ContactShape smooth = contact_shape(ball_xray), concave = contact_shape(dented_xray);
  set_random(q, &smooth, -1e-3);
  PetscCall(TimeLook("contact/overlap", q, reach));
  set_random(q, &smooth, 1e-3);
  PetscCall(TimeLook("contact/distance", q, 2.0 * reach));
  set_slow(q, &smooth, 0.0);
  PetscCall(TimeLook("contact/slow", q, reach));
  PetscCall(SetTouching(q, &concave, reach));
  PetscCall(TimeLook("contact/concave", q, reach));
  PetscCall(XRayDestroy(&ball_xray));
  PetscCall(XRayDestroy(&dented_xray));
  PetscCall(SurfaceDestroy(&ball));
  PetscCall(SurfaceDestroy(&dented));
  PetscCall(PetscFree(q));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode CloudOfBodies(BodySpec specs[], Bodies **bodies)
{
  PetscFunctionBeginUser;
  BodyInput *inputs = NULL;
  MotionTable **tables = NULL;
  uint64_t s = 99;
  const Vec3 none = {NAN, NAN, NAN};
  PetscCall(PetscCalloc2(BODIES, &inputs, BODIES, &tables));
  for (int b = 0; b < BODIES; b++) {
    const Vec3 at = {3.0 * (b % 10), 3.0 * (b / 10 % 10), 3.0 * (b / 100)};
    specs[b] = (BodySpec){.name = "a", .attitude = {1, 0, 0, 0}, .pivot = none, .axis = none};
    specs[b].position = vec3_axpy(at, 0.2, random_direction(&s));
    specs[b].velocity = random_direction(&s);
    specs[b].spin = random_direction(&s);
    specs[b].spin_body = none;
    inputs[b] = (BodyInput){&specs[b], 1.0, mat3_diagonal(0.4, 0.4, 0.4)};
  }
  PetscCall(BodiesCreate(BODIES, inputs, tables, 0, NULL, vec3(0, 0, -9.81), bodies));
  PetscCall(PetscFree2(inputs, tables));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* One detection pass: the step has been begun, nothing meets. */
static PetscErrorCode TimePasses(Contact *contact, Bodies *bodies)
{
  PetscFunctionBeginUser;
  enum { PASSES = 100 };
  double seconds = 0.0;
  for (int k = 0; k < PASSES; k++) {
    const double end = bodies_time(bodies) + 1e-3;
    PetscCall(BodiesBegin(bodies, end));
    const double start = bench_now();
    PetscCall(ContactAdvance(contact, bodies, end));
    seconds += bench_now() - start;
    bodies_end(bodies);
  }
  bench_report("contact/apart", PASSES, "passes", seconds);
  fprintf(stderr, "contact/apart: %.4g ms each\n", 1e3 * seconds / PASSES);
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* A thousand balls on a lattice, slowly moving, half a diameter apart. */
static PetscErrorCode TimeApart(void)
{
  PetscFunctionBeginUser;
  Surface *ball = NULL;
  XRay *xray = NULL;
  Bodies *bodies = NULL;
  Contact *contact = NULL;
  BodySpec *specs = NULL;
  const XRay **xrays = NULL;
  Vec3 *centers = NULL;
  const ContactSpec spec = {.law = LAW_AUTO, .tolerance = 1e-6, .resting_speed = NAN};
  const ShapeSpec shape = {.kind = SHAPE_SPHERE, .radius = 1.0, .spacing = 0.1};
  PetscCall(PrimitiveCreate(&shape, &ball));
  PetscCall(XRayCreate(ball, (XRaySpec){NAN, NAN}, &xray));
  PetscCall(PetscCalloc3(BODIES, &specs, BODIES, &xrays, BODIES, &centers));
  PetscCall(CloudOfBodies(specs, &bodies));
  for (int b = 0; b < BODIES; b++) xrays[b] = xray;
  const ContactInput input = {&spec, BODIES, specs, xrays, centers, 0, NULL, vec3(0, 0, -9.81)};
  PetscCall(ContactCreate(PETSC_COMM_SELF, &input, &contact));
  PetscCall(TimePasses(contact, bodies));
  PetscCall(ContactDestroy(&contact));
  PetscCall(BodiesDestroy(&bodies));
  PetscCall(PetscFree3(specs, xrays, centers));
  PetscCall(XRayDestroy(&xray));
  PetscCall(SurfaceDestroy(&ball));
  PetscFunctionReturn(PETSC_SUCCESS);
}

int main(int argc, char **argv)
{
  PetscFunctionBeginUser;
  PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
  PetscCall(TimePairs());
  PetscCall(TimeApart());
  PetscCall(PetscFinalize());
  return 0;
}
