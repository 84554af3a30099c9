#include "body/motion_table.h"

struct MotionTable {
  int n;
  double *t;  /* owned, n */
  Vec3 *x;    /* owned, n */
  Vec3 *bend; /* owned, n: second derivatives of the spline */
  Quat *q;    /* owned, n, unit */
};

/* Slope of the straight line over interval i. */
static Vec3 chord(const MotionTable *s, int i)
{
  return vec3_scale(1.0 / (s->t[i + 1] - s->t[i]), vec3_sub(s->x[i + 1], s->x[i]));
}

/*
 * Second derivatives of the spline. Inside, slopes agree at every row; at the ends the third
 * derivative is continuous over the neighbouring row, which closes the tridiagonal system for
 * rows 1 to n-2 after the end values are eliminated.
 */
static PetscErrorCode bend_spline(MotionTable *s)
{
  PetscFunctionBeginUser;
  const int n = s->n;
  if (n < 3) PetscFunctionReturn(PETSC_SUCCESS);
  if (n == 3) {
    const double span = s->t[2] - s->t[0];
    const Vec3 bend = vec3_scale(2.0 / span, vec3_sub(chord(s, 1), chord(s, 0)));
    for (int i = 0; i < 3; i++) s->bend[i] = bend;
    PetscFunctionReturn(PETSC_SUCCESS);
  }

  double *diagonal, *upper;
  PetscCall(PetscMalloc2(n, &diagonal, n, &upper));
  for (int i = 1; i < n - 1; i++) {
    const double h0 = s->t[i] - s->t[i - 1], h1 = s->t[i + 1] - s->t[i];
    double lower = h0;
    diagonal[i] = 2.0 * (h0 + h1);
    upper[i] = h1;
    if (i == 1) {
      diagonal[i] += h0 + h0 * h0 / h1;
      upper[i] -= h0 * h0 / h1;
    }
    if (i == n - 2) {
      diagonal[i] += h1 + h1 * h1 / h0;
      lower -= h1 * h1 / h0;
    }
    Vec3 right = vec3_scale(6.0, vec3_sub(chord(s, i), chord(s, i - 1)));
    if (i > 1) {
      const double factor = lower / diagonal[i - 1];
      diagonal[i] -= factor * upper[i - 1];
      right = vec3_axpy(right, -factor, s->bend[i - 1]);
    }
    s->bend[i] = right;
  }
  for (int i = n - 2; i >= 1; i--) {
    if (i < n - 2) s->bend[i] = vec3_axpy(s->bend[i], -upper[i], s->bend[i + 1]);
    s->bend[i] = vec3_scale(1.0 / diagonal[i], s->bend[i]);
  }
  const double first = (s->t[1] - s->t[0]) / (s->t[2] - s->t[1]);
  const double last = (s->t[n - 1] - s->t[n - 2]) / (s->t[n - 2] - s->t[n - 3]);
  s->bend[0] = vec3_axpy(s->bend[1], -first, vec3_sub(s->bend[2], s->bend[1]));
  s->bend[n - 1] = vec3_axpy(s->bend[n - 2], last, vec3_sub(s->bend[n - 2], s->bend[n - 3]));
  PetscCall(PetscFree2(diagonal, upper));
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode MotionTableCreate(int n_rows, const double rows[][8], MotionTable **table)
{
  PetscFunctionBeginUser;
  PetscCheck(n_rows > 0, PETSC_COMM_SELF, PETSC_ERR_ARG_SIZ, "a motion table needs a row");
  MotionTable *s = NULL;
  PetscCall(PetscNew(&s));
  s->n = n_rows;
  PetscCall(PetscCalloc4(n_rows, &s->t, n_rows, &s->x, n_rows, &s->bend, n_rows, &s->q));
  for (int i = 0; i < n_rows; i++) {
    const double *row = rows[i];
    s->t[i] = row[0];
    s->x[i] = vec3(row[1], row[2], row[3]);
    s->q[i] = quat_unit((Quat){row[4], row[5], row[6], row[7]});
  }
  PetscCall(bend_spline(s));
  *table = s;
  PetscFunctionReturn(PETSC_SUCCESS);
}

PetscErrorCode MotionTableDestroy(MotionTable **table)
{
  PetscFunctionBeginUser;
  if (*table == NULL) PetscFunctionReturn(PETSC_SUCCESS);
  PetscCall(PetscFree4((*table)->t, (*table)->x, (*table)->bend, (*table)->q));
  PetscCall(PetscFree(*table));
  PetscFunctionReturn(PETSC_SUCCESS);
}

/* The interval that holds t, by bisection; t lies within the table. */
static int interval_of(const MotionTable *s, double t)
{
  int lo = 0, hi = s->n - 1;
  while (hi - lo > 1) {
    const int mid = lo + (hi - lo) / 2;
    if (s->t[mid] <= t)
      lo = mid;
    else
      hi = mid;
  }
  return lo;
}

MotionPoint motion_table_at(const MotionTable *s, double t)
{
  MotionPoint p = {.pose = {s->x[0], s->q[0]}};
  if (t <= s->t[0] && (s->n == 1 || t < s->t[0])) return p;
  if (t > s->t[s->n - 1] || s->n == 1) {
    p.pose = (Pose){s->x[s->n - 1], s->q[s->n - 1]};
    return p;
  }

  const int i = interval_of(s, t);
  const double h = s->t[i + 1] - s->t[i], b = (t - s->t[i]) / h, a = 1.0 - b;
  const Vec3 bend0 = s->bend[i], bend1 = s->bend[i + 1];
  Vec3 x = vec3_add(vec3_scale(a, s->x[i]), vec3_scale(b, s->x[i + 1]));
  x = vec3_axpy(x, h * h / 6.0 * (a * a * a - a), bend0);
  p.pose.x = vec3_axpy(x, h * h / 6.0 * (b * b * b - b), bend1);
  Vec3 v = vec3_axpy(chord(s, i), -h / 6.0 * (3.0 * a * a - 1.0), bend0);
  p.velocity = vec3_axpy(v, h / 6.0 * (3.0 * b * b - 1.0), bend1);

  const Vec3 turn = quat_to_vector(quat_multiply(s->q[i + 1], quat_conjugate(s->q[i])));
  p.spin = vec3_scale(1.0 / h, turn);
  p.pose.q = quat_unit(quat_multiply(quat_from_vector(vec3_scale(b, turn)), s->q[i]));
  return p;
}
