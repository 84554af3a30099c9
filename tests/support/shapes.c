#include "shapes.h"

#include "geom/primitive.h"

#include <math.h>

const char *const test_shape_name[TEST_SHAPES] = {"sphere",  "box",    "plate",  "cylinder",
                                                  "capsule", "cone",   "torus",  "star",
                                                  "angle",   "cavity", "overlap"};

static PetscErrorCode Primitive(ShapeSpec spec, Surface **surface)
{
  return PrimitiveCreate(&spec, surface);
}

static PetscErrorCode TorusCreate(double spacing, Surface **surface)
{
  PetscFunctionBeginUser;
  const double major = 0.75, minor = 0.3;
  const int n = (int)ceil(2 * M_PI * (major + minor) / spacing);
  const int m = (int)ceil(2 * M_PI * minor / spacing);
  Vec3 *x = NULL, (*normal)[3] = NULL;
  int(*t)[3] = NULL;
  PetscCall(PetscMalloc1((size_t)(n * m), &x));
  PetscCall(PetscMalloc1((size_t)(2 * n * m), &t));
  PetscCall(PetscMalloc1((size_t)(2 * n * m), &normal));
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      const double a = 2 * M_PI * i / n, b = 2 * M_PI * j / m, r = major + minor * cos(b);
      x[i * m + j] = vec3(r * cos(a), r * sin(a), minor * sin(b));
      const int i1 = (i + 1) % n, j1 = (j + 1) % m;
      const int q[4] = {i * m + j, i1 * m + j, i1 * m + j1, i * m + j1};
      const int pair[2][3] = {{q[0], q[1], q[2]}, {q[0], q[2], q[3]}};
      for (int k = 0; k < 6; k++) t[2 * (i * m + j) + k / 3][k % 3] = pair[k / 3][k % 3];
    }
  for (int k = 0; k < 6 * n * m; k++) {
    const Vec3 v = x[t[k / 3][k % 3]];
    const double r = hypot(v.x, v.y), s = major / r;
    normal[k / 3][k % 3] = vec3_unit(vec3(v.x - s * v.x, v.y - s * v.y, v.z));
  }
  PetscCall(
      SurfaceCreate(n * m, x, 2 * n * m, (const int(*)[3])t, (const Vec3(*)[3])normal, surface));
  PetscCall(PetscFree(x));
  PetscCall(PetscFree(t));
  PetscCall(PetscFree(normal));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The same triangles on moved vertices, with new normals. */
static PetscErrorCode Rebuild(Surface **surface)
{
  PetscFunctionBeginUser;
  Surface *old = *surface;
  PetscCall(SurfaceCreate(old->n_vertices, old->vertex, old->n_triangles,
                          (const int(*)[3])old->triangle, NULL, surface));
  PetscCall(SurfaceDestroy(&old));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode StarCreate(double spacing, Surface **surface)
{
  PetscFunctionBeginUser;
  PetscCall(
      Primitive((ShapeSpec){.kind = SHAPE_SPHERE, .radius = 0.8, .spacing = spacing}, surface));
  for (int k = 0; k < (*surface)->n_vertices; k++) {
    Vec3 *v = &(*surface)->vertex[k];
    const Vec3 u = vec3_unit(*v);
    const double bumps = sin(4 * u.x + 1) * sin(5 * u.y) + sin(6 * u.z + 2 * u.x);
    *v = vec3_scale(0.7 + 0.22 * bumps, u);
  }
  PetscCall(Rebuild(surface));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static PetscErrorCode AngleCreate(Surface **surface)
{
  const double c[6][2] = {{-1, -1}, {1, -1}, {1, 0}, {0, 0}, {0, 1}, {-1, 1}};
  const int cap[4][3] = {{0, 1, 2}, {0, 2, 3}, {0, 3, 5}, {3, 4, 5}};
  Vec3 x[12];
  int t[20][3], n = 0;
  for (int k = 0; k < 6; k++) {
    const int next = (k + 1) % 6;
    x[k] = vec3(c[k][0], c[k][1], -0.5);
    x[k + 6] = vec3(c[k][0], c[k][1], 0.5);
    const int side[2][3] = {{k, next, next + 6}, {k, next + 6, k + 6}};
    for (int s = 0; s < 2; s++, n++)
      for (int i = 0; i < 3; i++) t[n][i] = side[s][i];
  }
  for (int s = 0; s < 4; s++, n += 2)
    for (int i = 0; i < 3; i++) {
      t[n][i] = cap[s][2 - i];
      t[n + 1][i] = cap[s][i] + 6;
    }
  return SurfaceCreate(12, x, n, (const int(*)[3])t, NULL, surface);
}

/* Two balls in one surface; the second may be turned inside out. */
static PetscErrorCode BallsCreate(double spacing, double radius, Vec3 shift, bool hollow,
                                  Surface **surface)
{
  PetscFunctionBeginUser;
  Surface *a = NULL, *b = NULL;
  PetscCall(Primitive((ShapeSpec){.kind = SHAPE_SPHERE, .radius = 0.7, .spacing = spacing}, &a));
  PetscCall(Primitive((ShapeSpec){.kind = SHAPE_SPHERE, .radius = radius, .spacing = spacing}, &b));
  const int n_v = a->n_vertices + b->n_vertices, n_t = a->n_triangles + b->n_triangles;
  Vec3 *x = NULL, (*normal)[3] = NULL;
  int(*t)[3] = NULL;
  PetscCall(PetscMalloc1((size_t)n_v, &x));
  PetscCall(PetscMalloc1((size_t)n_t, &t));
  PetscCall(PetscMalloc1((size_t)n_t, &normal));
  for (int k = 0; k < n_v; k++)
    x[k] = k < a->n_vertices ? a->vertex[k] : vec3_add(shift, b->vertex[k - a->n_vertices]);
  for (int k = 0; k < n_t; k++)
    for (int i = 0; i < 3; i++) {
      const int kb = k - a->n_triangles, ib = hollow ? 2 - i : i;
      t[k][i] = kb < 0 ? a->triangle[k][i] : b->triangle[kb][ib] + a->n_vertices;
      normal[k][i] = kb < 0 ? a->normal[k][i] : vec3_scale(hollow ? -1 : 1, b->normal[kb][ib]);
    }
  PetscCall(SurfaceCreate(n_v, x, n_t, (const int(*)[3])t, (const Vec3(*)[3])normal, surface));
  PetscCall(SurfaceDestroy(&a));
  PetscCall(SurfaceDestroy(&b));
  PetscCall(PetscFree(x));
  PetscCall(PetscFree(t));
  PetscCall(PetscFree(normal));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode TestSurfaceCreate(TestShape shape, double h, Surface **surface)
{
  const Vec3 axis = {0.0, 0.0, 1.0};
  switch (shape) {
  case TEST_SPHERE:
    return Primitive((ShapeSpec){.kind = SHAPE_SPHERE, .radius = 1, .spacing = h}, surface);
  case TEST_BOX:
    return Primitive((ShapeSpec){.kind = SHAPE_BOX, .size = {2, 1.5, 1}, .spacing = h}, surface);
  case TEST_PLATE:
    return Primitive((ShapeSpec){.kind = SHAPE_BOX, .size = {2, 2, 0.002}, .spacing = h}, surface);
  case TEST_CYLINDER:
    return Primitive(
        (ShapeSpec){
            .kind = SHAPE_CYLINDER, .radius = 0.7, .length = 1.5, .axis = axis, .spacing = h},
        surface);
  case TEST_CAPSULE:
    return Primitive(
        (ShapeSpec){.kind = SHAPE_CAPSULE, .radius = 0.5, .length = 1, .axis = axis, .spacing = h},
        surface);
  case TEST_CONE:
    return Primitive(
        (ShapeSpec){.kind = SHAPE_CONE, .radius = 0.3, .length = 2, .axis = axis, .spacing = h},
        surface);
  case TEST_TORUS:
    return TorusCreate(h, surface);
  case TEST_STAR:
    return StarCreate(h, surface);
  case TEST_ANGLE:
    return AngleCreate(surface);
  case TEST_CAVITY:
    return BallsCreate(h, 0.3, vec3(0.2, 0.1, 0), true, surface);
  case TEST_OVERLAP:
    return BallsCreate(h, 0.5, vec3(0.5, 0.1, 0.2), false, surface);
  default:
    return PETSC_ERR_ARG_OUTOFRANGE;
  }
}

PetscErrorCode RandomSurfaceCreate(Random *random, double amount, Surface **surface)
{
  PetscFunctionBeginUser;
  PetscCall(Primitive((ShapeSpec){.kind = SHAPE_SPHERE, .radius = 1, .spacing = 0.6}, surface));
  for (int k = 0; k < (*surface)->n_vertices; k++) {
    Vec3 *v = &(*surface)->vertex[k];
    *v = vec3_add(*v, random_point(random, amount));
    /* Now and then coordinates that fall together, as in drawings. */
    if (random_unit(random) < 0.5) *v = vec3(round(8 * v->x) / 8, round(8 * v->y) / 8, v->z);
  }
  PetscCall(Rebuild(surface));
  PetscFunctionReturn(PETSC_SUCCESS);
}

void surface_move(Surface *s, Pose pose)
{
  s->box = box_empty();
  for (int k = 0; k < s->n_vertices; k++) {
    s->vertex[k] = pose_to_world(pose, s->vertex[k]);
    s->box = box_add_point(s->box, s->vertex[k]);
  }
  for (int k = 0; k < 3 * s->n_triangles; k++)
    s->normal[k / 3][k % 3] = quat_rotate(pose.q, s->normal[k / 3][k % 3]);
}

Quat random_attitude(Random *r)
{
  return quat_unit(
      (Quat){random_in(r, -1, 1), random_in(r, -1, 1), random_in(r, -1, 1), random_in(r, -1, 1)});
}

Vec3 random_point(Random *r, double half)
{
  const double x = random_in(r, -half, half), y = random_in(r, -half, half);
  return vec3(x, y, random_in(r, -half, half));
}

Vec3 random_surface_point(Random *r, const Surface *s, int *triangle)
{
  *triangle = (int)(random_unit(r) * s->n_triangles);
  const int *v = s->triangle[*triangle];
  const double a = sqrt(random_unit(r)), b = random_unit(r);
  const Vec3 p = vec3_axpy(vec3_scale(1 - a, s->vertex[v[0]]), a * (1 - b), s->vertex[v[1]]);
  return vec3_axpy(p, a * b, s->vertex[v[2]]);
}

int brute_winding(const Surface *s, Vec3 p)
{
  double sum = 0.0;
  for (int t = 0; t < s->n_triangles; t++) {
    const Vec3 a = vec3_sub(s->vertex[s->triangle[t][0]], p);
    const Vec3 b = vec3_sub(s->vertex[s->triangle[t][1]], p);
    const Vec3 c = vec3_sub(s->vertex[s->triangle[t][2]], p);
    const double la = vec3_norm(a), lb = vec3_norm(b), lc = vec3_norm(c);
    const double volume = vec3_dot(a, vec3_cross(b, c));
    sum += 2.0 * atan2(volume, la * lb * lc + vec3_dot(a, b) * lc + vec3_dot(b, c) * la +
                                   vec3_dot(c, a) * lb);
  }
  return (int)lround(sum / (4.0 * M_PI));
}

/* Squared distance to a segment. */
static double segment2(Vec3 p, Vec3 a, Vec3 b)
{
  const Vec3 e = vec3_sub(b, a), r = vec3_sub(p, a);
  const double t = fmin(1.0, fmax(0.0, vec3_dot(e, r) / fmax(vec3_norm2(e), DBL_MIN)));
  return vec3_norm2(vec3_axpy(r, -t, e));
}

double brute_distance(const Surface *s, Vec3 p)
{
  double best = INFINITY;
  for (int t = 0; t < s->n_triangles; t++) {
    const Vec3 a = s->vertex[s->triangle[t][0]], b = s->vertex[s->triangle[t][1]];
    const Vec3 c = s->vertex[s->triangle[t][2]];
    best = fmin(best, fmin(segment2(p, a, b), fmin(segment2(p, b, c), segment2(p, c, a))));
    /* Over the face: barycentric weights by the normal equations. */
    const Vec3 e = vec3_sub(b, a), f = vec3_sub(c, a), r = vec3_sub(p, a);
    const double ee = vec3_dot(e, e), ef = vec3_dot(e, f), ff = vec3_dot(f, f);
    const double re = vec3_dot(r, e), rf = vec3_dot(r, f), det = ee * ff - ef * ef;
    const double u = (ff * re - ef * rf) / det, v = (ee * rf - ef * re) / det;
    if (u > 0 && v > 0 && u + v < 1) {
      const double height = vec3_dot(r, vec3_unit(vec3_cross(e, f)));
      best = fmin(best, height * height);
    }
  }
  return sqrt(best);
}
