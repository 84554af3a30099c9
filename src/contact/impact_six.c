/*
 * The frictionless impulse from six linear equations, as a check on the closed form.
 *
 * Along the normal the unknowns are the velocities of both mass centres and, of each body, the
 * two spins about the tangents; the spin about the normal does not enter the velocity of the
 * contact along it. The impulse is written as the momentum that body a gains, m_a (v' - v).
 */
#include "contact/impact.h"

enum { SIX = 6 };

static void swap_rows(double a[SIX][SIX + 1], int i, int j)
{
  for (int k = 0; k <= SIX; k++) {
    const double t = a[i][k];
    a[i][k] = a[j][k];
    a[j][k] = t;
  }
}

/* Gauss with row pivoting on the matrix with its right side in the last column. */
static void solve_six(double a[SIX][SIX + 1], double x[SIX])
{
  for (int c = 0; c < SIX; c++) {
    int pivot = c;
    for (int r = c + 1; r < SIX; r++)
      if (fabs(a[r][c]) > fabs(a[pivot][c])) pivot = r;
    swap_rows(a, c, pivot);
    for (int r = c + 1; r < SIX; r++) {
      const double factor = a[r][c] / a[c][c];
      for (int k = c; k <= SIX; k++) a[r][k] -= factor * a[c][k];
    }
  }
  for (int r = SIX - 1; r >= 0; r--) {
    x[r] = a[r][SIX];
    for (int k = r + 1; k < SIX; k++) x[r] -= a[r][k] * x[k];
    x[r] /= a[r][r];
  }
}

double impact_six_equations(const Mobility *a, const Mobility *b, const Twist twist[2], Vec3 p,
                            Vec3 n, double restitution)
{
  const Vec3 t[2] = {vec3_normal_to(n), vec3_cross(n, vec3_normal_to(n))};
  const double mass[2] = {1.0 / a->inverse_mass, 1.0 / b->inverse_mass};
  const double v[2] = {vec3_dot(n, twist[0].v), vec3_dot(n, twist[1].v)};
  const Mobility *body[2] = {a, b};
  double m[SIX][SIX + 1] = {{0}}, x[SIX];

  /* Momentum along the normal; then, with the spins below, restitution at the contact. */
  m[0][0] = mass[0], m[0][1] = mass[1], m[0][SIX] = mass[0] * v[0] + mass[1] * v[1];
  m[1][0] = 1.0, m[1][1] = -1.0, m[1][SIX] = -restitution * (v[0] - v[1]);
  for (int k = 0; k < 2; k++) {
    const double sign = k == 0 ? 1.0 : -1.0;
    const Vec3 lever = vec3_cross(vec3_sub(p, body[k]->center), n);
    const Vec3 gain = vec3_scale(sign, mat3_apply(&body[k]->inverse_inertia, lever));
    for (int i = 0; i < 2; i++) {
      const int row = 2 + 2 * k + i;
      const double spin = vec3_dot(t[i], twist[k].w), arm = sign * vec3_dot(t[i], lever);
      m[1][row] = arm;
      m[1][SIX] -= restitution * arm * spin;
      m[row][row] = 1.0;
      m[row][0] = -mass[0] * vec3_dot(t[i], gain);
      m[row][SIX] = spin + m[row][0] * v[0];
    }
  }
  solve_six(m, x);
  return mass[0] * (x[0] - v[0]);
}
