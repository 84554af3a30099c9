/*
 * Numbers of a page: surfaces, frames, contacts, the history of the flow.
 */
#include "report/page_impl.h"

#include <stdlib.h>
#include <string.h>

/* A unit vector as two numbers: the octahedron it points to, unfolded. */
static void fold_normal(Vec3 n, int16_t out[2])
{
  const double size = fabs(n.x) + fabs(n.y) + fabs(n.z), s = size > 0.0 ? 1.0 / size : 0.0;
  double u = n.x * s, v = n.y * s;
  if (n.z < 0.0) {
    const double a = (1.0 - fabs(v)) * (u < 0.0 ? -1.0 : 1.0);
    v = (1.0 - fabs(u)) * (v < 0.0 ? -1.0 : 1.0);
    u = a;
  }
  out[0] = (int16_t)lround(32767.0 * u);
  out[1] = (int16_t)lround(32767.0 * v);
}

typedef struct {
  int vertices, triangles;
} SurfaceSize;

static SurfaceSize size_of_all(const Shapes *shapes)
{
  SurfaceSize sum = {0, 0};
  for (int k = 0; k < shapes->n; k++) {
    const Surface *s = shapes->shape[k].surface;
    if (s == NULL) continue;
    sum.vertices += s->n_vertices;
    sum.triangles += s->n_triangles;
  }
  return sum;
}

PetscErrorCode PageAddShapes(const Results *r, Pack *pack)
{
  PetscFunctionBeginUser;
  const SurfaceSize all = size_of_all(&r->shapes);
  float *vertex;
  int *corner, v = 0, t = 0;
  int16_t *normal;
  PetscCall(PetscMalloc3(3 * all.vertices, &vertex, 3 * all.triangles, &corner, 6 * all.triangles,
                         &normal));
  for (int k = 0; k < r->shapes.n; k++) {
    const Surface *s = r->shapes.shape[k].surface;
    if (s == NULL) continue;
    for (int i = 0; i < s->n_vertices; i++, v++)
      for (int j = 0; j < 3; j++) vertex[3 * v + j] = (float)vec3_at(s->vertex[i], j);
    for (int i = 0; i < s->n_triangles; i++, t++)
      for (int j = 0; j < 3; j++) {
        corner[3 * t + j] = s->triangle[i][j];
        fold_normal(s->normal[i][j], &normal[6 * t + 2 * j]);
      }
  }
  PetscCall(PackAddHistory(pack, "vertex", 1, 3 * all.vertices, vertex));
  PetscCall(PackAddInt(pack, "corner", 1, 3 * all.triangles, corner));
  PetscCall(PackAddShort(pack, "normal", 1, 6 * all.triangles, normal));
  PetscCall(PetscFree3(vertex, corner, normal));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Energies of all frames, and what contacts had taken by then. */
static PetscErrorCode add_energies(const Results *r, Pack *pack)
{
  PetscFunctionBeginUser;
  const int n = r->frames.n;
  double *energy;
  PetscCall(PetscMalloc1((size_t)4 * n + 1, &energy));
  for (int f = 0, k = 0; f < n; f++) {
    while (k < r->n_contacts && r->contact[k].time <= r->frames.time[f]) k++;
    const ResultEnergy e = result_energy(r, f);
    energy[f] = e.linear;
    energy[n + f] = e.turning;
    energy[2 * n + f] = e.potential;
    energy[3 * n + f] = k > 0 ? r->contact[k - 1].lost : 0.0;
  }
  PetscCall(PackAddDouble(pack, "energy", 4, n, energy));
  PetscCall(PetscFree(energy));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode PageAddFrames(const Results *r, Pack *pack)
{
  PetscFunctionBeginUser;
  static const char *const names[CHANNEL_COUNT] = {"x",  "y",  "z",  "qw", "qx", "qy", "qz",
                                                   "vx", "vy", "vz", "wx", "wy", "wz", "fx",
                                                   "fy", "fz", "mx", "my", "mz"};
  const int n = r->frames.n, rows = n > 0 ? r->n_bodies : 0;
  float *history;
  double *origin;
  PetscCall(PackAddDouble(pack, "time", 1, n, r->frames.time));
  PetscCall(PetscMalloc2((size_t)rows * n + 1, &history, 3 * rows + 1, &origin));
  /* Positions are kept from that of the first frame, so that single precision is enough. */
  for (int b = 0; b < rows; b++)
    for (int k = 0; k < 3; k++) origin[3 * b + k] = result_state(r, 0, b)[CHANNEL_X + k];
  PetscCall(PackAddDouble(pack, "origin", rows, 3, origin));
  for (int k = 0; k < CHANNEL_COUNT; k++) {
    for (int b = 0; b < rows; b++)
      for (int f = 0; f < n; f++)
        history[(size_t)b * n + f] =
            (float)(result_state(r, f, b)[k] - (k < 3 ? origin[3 * b + k] : 0.0));
    PetscCall(PackAddHistory(pack, names[k], rows, n, history));
  }
  PetscCall(PetscFree2(history, origin));
  PetscCall(add_energies(r, pack));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode PageAddContacts(const Results *r, Pack *pack)
{
  PetscFunctionBeginUser;
  enum { INTS = 5, NUMBERS = 14 };
  const int n = r->n_contacts;
  int *whole;
  double *number;
  PetscCall(PetscMalloc2((size_t)INTS * n + 1, &whole, (size_t)NUMBERS * n + 1, &number));
  for (int k = 0; k < n; k++) {
    const ResultContact *c = &r->contact[k];
    const int ints[INTS] = {c->a, c->b, c->kind, c->n_points, c->law};
    const double numbers[NUMBERS] = {c->time,         c->point.x,   c->point.y,   c->point.z,
                                     c->normal.x,     c->normal.y,  c->normal.z,  c->approach,
                                     c->impulse.x,    c->impulse.y, c->impulse.z, c->energy_before,
                                     c->energy_after, c->lost};
    for (int i = 0; i < INTS; i++) whole[(size_t)k * INTS + i] = ints[i];
    for (int i = 0; i < NUMBERS; i++) number[(size_t)k * NUMBERS + i] = numbers[i];
  }
  PetscCall(PackAddInt(pack, "contact_words", n, INTS, whole));
  PetscCall(PackAddDouble(pack, "contact_numbers", n, NUMBERS, number));
  PetscCall(PetscFree2(whole, number));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode PageAddFlow(const Results *r, Pack *pack)
{
  PetscFunctionBeginUser;
  if (r->flow.n_rows > 0)
    PetscCall(PackAddDouble(pack, "flow", r->flow.n_rows, r->flow.n_columns, r->flow.value));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* All pictures, one after the other; the heading says where each begins. */
PetscErrorCode PageAddSlices(const Results *r, Pack *pack)
{
  PetscFunctionBeginUser;
  size_t n = 0, at = 0;
  unsigned char *bytes;
  for (int k = 0; k < r->n_slices; k++) n += r->slice[k].length;
  PetscCheck(n < INT32_MAX, PETSC_COMM_SELF, CAROM_ERR_FILE, "%s: %.3g GB of slices are too many",
             r->directory, (double)n * 1e-9);
  PetscCall(PetscMalloc1(n, &bytes));
  for (int k = 0; k < r->n_slices; at += r->slice[k++].length)
    memcpy(bytes + at, r->slice[k].bytes, r->slice[k].length);
  PetscCall(PackAddBytes(pack, "slices", (int)n, bytes));
  PetscCall(PetscFree(bytes));
  PetscFunctionReturn(PETSC_SUCCESS);
}

static int compare_floats(const void *a, const void *b)
{
  const float p = *(const float *)a, q = *(const float *)b;
  return (p > q) - (p < q);
}

/* Lowest and highest pressure but for one value in a hundred at each end: where bodies meet it may
 * be many times that of all else. False: nothing is known. */
static PetscErrorCode skin_range(const ResultSkin *skin, double range[2], bool *known)
{
  PetscFunctionBeginUser;
  const size_t all = (size_t)skin->n * skin->n_vertices;
  size_t n = 0;
  float *sorted;
  PetscCall(PetscMalloc1(all, &sorted));
  for (size_t k = 0; k < all; k++)
    if (!isnan(skin->value[k])) sorted[n++] = skin->value[k];
  *known = n > 0;
  if (*known) {
    qsort(sorted, n, sizeof *sorted, compare_floats);
    range[0] = sorted[n / 100];
    range[1] = sorted[n - 1 - n / 100];
  }
  PetscCall(PetscFree(sorted));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* Pressures as steps from the low end of the colours to the high one; -1: not known. */
PetscErrorCode PageAddSkin(const Results *r, Pack *pack)
{
  PetscFunctionBeginUser;
  enum { STEPS = 32767 };
  const ResultSkin *skin = &r->skin;
  const size_t n = (size_t)skin->n * skin->n_vertices;
  double range[2];
  bool known = false;
  int16_t *step;
  PetscCall(skin_range(skin, range, &known));
  if (!known) PetscFunctionReturn(PETSC_SUCCESS);
  const double per = range[1] > range[0] ? STEPS / (range[1] - range[0]) : 0.0;
  PetscCall(PetscMalloc1(n, &step));
  for (size_t k = 0; k < n; k++) {
    const double now = fmin(fmax(per * (skin->value[k] - range[0]), 0.0), STEPS);
    step[k] = isnan(skin->value[k]) ? -1 : (int16_t)lround(now);
  }
  PetscCall(PackAddDouble(pack, "skin_range", 1, 2, range));
  PetscCall(PackAddDouble(pack, "skin_time", 1, skin->n, skin->time));
  PetscCall(PackAddShort(pack, "skin", skin->n, skin->n_vertices, step));
  PetscCall(PetscFree(step));
  PetscFunctionReturn(PETSC_SUCCESS);
}
