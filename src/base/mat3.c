#include "base/mat3.h"

Mat3 mat3_add(const Mat3 *a, const Mat3 *b)
{
  Mat3 c;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) c.m[i][j] = a->m[i][j] + b->m[i][j];
  return c;
}

Mat3 mat3_scale(double s, const Mat3 *a)
{
  Mat3 c;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) c.m[i][j] = s * a->m[i][j];
  return c;
}

Mat3 mat3_multiply(const Mat3 *a, const Mat3 *b)
{
  Mat3 c;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      c.m[i][j] = a->m[i][0] * b->m[0][j] + a->m[i][1] * b->m[1][j] + a->m[i][2] * b->m[2][j];
  return c;
}

Mat3 mat3_transpose(const Mat3 *a)
{
  Mat3 c;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) c.m[i][j] = a->m[j][i];
  return c;
}

static double cofactor(const Mat3 *a, int i, int j)
{
  const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
  return a->m[i1][j1] * a->m[i2][j2] - a->m[i1][j2] * a->m[i2][j1];
}

double mat3_determinant(const Mat3 *a)
{
  return a->m[0][0] * cofactor(a, 0, 0) + a->m[0][1] * cofactor(a, 0, 1) +
         a->m[0][2] * cofactor(a, 0, 2);
}

Mat3 mat3_inverse(const Mat3 *a)
{
  const double scale = 1.0 / mat3_determinant(a);
  Mat3 c;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) c.m[i][j] = scale * cofactor(a, j, i);
  return c;
}

Mat3 mat3_rotate_tensor(const Mat3 *r, const Mat3 *a)
{
  const Mat3 ra = mat3_multiply(r, a);
  const Mat3 rt = mat3_transpose(r);
  return mat3_multiply(&ra, &rt);
}

Mat3 mat3_steiner(Vec3 r)
{
  return mat3_symmetric(r.y * r.y + r.z * r.z, r.x * r.x + r.z * r.z, r.x * r.x + r.y * r.y,
                        -r.x * r.y, -r.x * r.z, -r.y * r.z);
}

/* One Jacobi rotation in the plane (p, q) that makes a->m[p][q] vanish. */
static void jacobi_rotate(Mat3 *a, Mat3 *axes, int p, int q)
{
  const double apq = a->m[p][q];
  if (apq == 0.0) return;
  const double theta = (a->m[q][q] - a->m[p][p]) / (2.0 * apq);
  const double t = (theta >= 0.0 ? 1.0 : -1.0) / (fabs(theta) + sqrt(theta * theta + 1.0));
  const double c = 1.0 / sqrt(t * t + 1.0), s = t * c;

  for (int k = 0; k < 3; k++) {
    const double akp = a->m[k][p], akq = a->m[k][q];
    a->m[k][p] = c * akp - s * akq;
    a->m[k][q] = s * akp + c * akq;
  }
  for (int k = 0; k < 3; k++) {
    const double apk = a->m[p][k], aqk = a->m[q][k];
    a->m[p][k] = c * apk - s * aqk;
    a->m[q][k] = s * apk + c * aqk;
    const double vkp = axes->m[k][p], vkq = axes->m[k][q];
    axes->m[k][p] = c * vkp - s * vkq;
    axes->m[k][q] = s * vkp + c * vkq;
  }
}

static Vec3 column(const Mat3 *a, int j)
{
  return vec3(a->m[0][j], a->m[1][j], a->m[2][j]);
}

Vec3 mat3_eigen_symmetric(const Mat3 *a, Mat3 *axes)
{
  enum { SWEEPS = 24 }; /* convergence is quadratic: six are enough in practice */
  Mat3 d = *a, v = mat3_identity();
  for (int sweep = 0; sweep < SWEEPS; sweep++) {
    jacobi_rotate(&d, &v, 0, 1);
    jacobi_rotate(&d, &v, 0, 2);
    jacobi_rotate(&d, &v, 1, 2);
  }

  int order[3] = {0, 1, 2};
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2 - i; j++)
      if (d.m[order[j]][order[j]] > d.m[order[j + 1]][order[j + 1]]) {
        const int swap = order[j];
        order[j] = order[j + 1];
        order[j + 1] = swap;
      }

  const Vec3 e0 = column(&v, order[0]), e1 = column(&v, order[1]), e2 = vec3_cross(e0, e1);
  *axes = (Mat3){{{e0.x, e1.x, e2.x}, {e0.y, e1.y, e2.y}, {e0.z, e1.z, e2.z}}};
  return vec3(d.m[order[0]][order[0]], d.m[order[1]][order[1]], d.m[order[2]][order[2]]);
}
