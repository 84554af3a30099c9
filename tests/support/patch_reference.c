#include "patch_reference.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

static void plain_physical(Plain s, double gamma, double f[PATCH_VARIABLES])
{
  const double rho = s.q[0], u = s.q[1], v = s.q[2], w = s.q[3], p = s.q[4];
  const double energy = p / (gamma - 1.0) + 0.5 * rho * (u * u + v * v + w * w);
  f[0] = rho * u;
  f[1] = rho * u * u + p;
  f[2] = rho * u * v;
  f[3] = rho * u * w;
  f[4] = u * (energy + p);
}

static void plain_conserved(Plain s, double gamma, double u[PATCH_VARIABLES])
{
  const double *q = s.q;
  u[0] = q[0];
  for (int c = 1; c < 4; c++) u[c] = q[0] * q[c];
  u[4] = q[4] / (gamma - 1.0) + 0.5 * q[0] * (q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
}

static double plain_sound(Plain s, double gamma)
{
  return sqrt(gamma * s.q[4] / s.q[0]);
}

/* HLLC as in the textbook: four cases, star states written out (Toro 2009, section 10.4). */
static void plain_hllc(Plain l, Plain r, double c, double gamma, double f[PATCH_VARIABLES])
{
  const double sl = fmin(l.q[1], r.q[1]) - c, sr = fmax(l.q[1], r.q[1]) + c;
  const double ml = l.q[0] * (sl - l.q[1]), mr = r.q[0] * (sr - r.q[1]);
  const double sm = (r.q[4] - l.q[4] + ml * l.q[1] - mr * r.q[1]) / (ml - mr);
  const Plain k = sm < 0.0 ? r : l;
  const double s = sm < 0.0 ? sr : sl, u = k.q[1];
  double state[PATCH_VARIABLES], star[PATCH_VARIABLES];
  plain_physical(k, gamma, f);
  if (sl >= 0.0 || sr <= 0.0) return;
  plain_conserved(k, gamma, state);
  const double rho = k.q[0] * (s - u) / (s - sm);
  star[0] = rho;
  star[1] = rho * sm;
  star[2] = rho * k.q[2];
  star[3] = rho * k.q[3];
  star[4] = rho * (state[4] / k.q[0] + (sm - u) * (sm + k.q[4] / (k.q[0] * (s - u))));
  for (int c1 = 0; c1 < PATCH_VARIABLES; c1++) f[c1] += s * (star[c1] - state[c1]);
}

/* Value at the upper end of the middle of five cells. */
static double plain_linear(const double q[5])
{
  return (3.0 * q[0] - 20.0 * q[1] + 90.0 * q[2] + 60.0 * q[3] - 5.0 * q[4]) / 128.0;
}

static double plain_weno(const double q[5])
{
  const double ideal[3] = {1.0 / 16, 10.0 / 16, 5.0 / 16};
  const double value[3] = {(3.0 * q[0] - 10.0 * q[1] + 15.0 * q[2]) / 8.0,
                           (-q[1] + 6.0 * q[2] + 3.0 * q[3]) / 8.0,
                           (3.0 * q[2] + 6.0 * q[3] - q[4]) / 8.0};
  const double slope[3] = {q[0] - 4.0 * q[1] + 3.0 * q[2], q[1] - q[3],
                           3.0 * q[2] - 4.0 * q[3] + q[4]};
  double beta[3], sum = 0.0, mean = 0.0;
  for (int k = 0; k < 3; k++) {
    const double bend = q[k] - 2.0 * q[k + 1] + q[k + 2];
    beta[k] = 13.0 / 12.0 * bend * bend + 0.25 * slope[k] * slope[k] + 1e-20;
  }
  for (int k = 0; k < 3; k++) {
    const double ratio = (beta[2] - beta[0]) / beta[k], weight = ideal[k] * (1.0 + ratio * ratio);
    sum += weight;
    mean += weight * value[k];
  }
  return mean / sum;
}

/* Both sides of the face between s[2] and s[3] by one of the two. */
static void plain_sides(const Plain s[6], double (*value)(const double[5]), Plain *l, Plain *r)
{
  for (int c = 0; c < PATCH_VARIABLES; c++) {
    double up[5], down[5];
    for (int k = 0; k < 5; k++) {
      up[k] = s[k].q[c];
      down[k] = s[5 - k].q[c];
    }
    l->q[c] = value(up);
    r->q[c] = value(down);
  }
}

static bool plain_is_rough(Plain l, Plain r, double c, double smooth)
{
  double du = 0.0;
  for (int k = 1; k < 4; k++) du = fmax(du, fabs(r.q[k] - l.q[k]));
  return fabs(r.q[0] - l.q[0]) > smooth * fmin(l.q[0], r.q[0]) ||
         fabs(r.q[4] - l.q[4]) > smooth * fmin(l.q[4], r.q[4]) || du > smooth * c;
}

static bool plain_empties(Plain cell, const double flux[], double s, double gamma)
{
  double u[PATCH_VARIABLES], f[PATCH_VARIABLES];
  plain_conserved(cell, gamma, u);
  plain_physical(cell, gamma, f);
  for (int c = 0; c < PATCH_VARIABLES; c++) u[c] += s * (flux[c] - f[c]);
  const double kinetic = 0.5 * (u[1] * u[1] + u[2] * u[2] + u[3] * u[3]) / u[0];
  const double p = (gamma - 1.0) * (u[4] - kinetic);
  return !(u[0] > 1e-3 * cell.q[0] && p > 1e-3 * cell.q[4]);
}

static bool plain_face_empties(const Plain s[6], const double flux[], const PatchScheme *scheme)
{
  const double ratio = 6.0 * scheme->time_ratio;
  return ratio > 0.0 && (plain_empties(s[2], flux, -ratio, scheme->gamma) ||
                         plain_empties(s[3], flux, ratio, scheme->gamma));
}

static void plain_flux5(const Plain s[6], const PatchScheme *scheme, double c, double flux[])
{
  const double weight[6] = {57.0, -411.0, 354.0, 354.0, -411.0, 57.0}, gamma = scheme->gamma;
  const double slow = fmin(plain_sound(s[2], gamma), plain_sound(s[3], gamma));
  Plain l, r;
  plain_sides(s, plain_linear, &l, &r);
  const bool rough = plain_is_rough(l, r, slow, scheme->smooth);
  if (rough) plain_sides(s, plain_weno, &l, &r);
  double bare[PATCH_VARIABLES];
  plain_hllc(l, r, c, gamma, bare);
  memcpy(flux, bare, sizeof bare);
  for (int k = 0; k < 6; k++) {
    double f[PATCH_VARIABLES];
    plain_physical(s[k], gamma, f);
    for (int v = 0; v < PATCH_VARIABLES; v++) flux[v] += weight[k] / 11520.0 * f[v];
  }
  if (!rough || !plain_face_empties(s, flux, scheme)) return;
  memcpy(flux, bare, sizeof bare);
  if (plain_face_empties(s, flux, scheme)) plain_hllc(s[2], s[3], c, gamma, flux);
}

static double plain_half_slope(double m1, double q, double p1)
{
  const double back = q - m1, ahead = p1 - q, mean = 0.25 * (back + ahead);
  if (back * ahead <= 0.0) return 0.0;
  const double size = fmin(fmin(fabs(back), fabs(ahead)), fabs(mean));
  return back > 0.0 ? size : -size;
}

void plain_flux(const Plain s[6], const PatchScheme *scheme, double flux[PATCH_VARIABLES])
{
  const double c = fmax(plain_sound(s[2], scheme->gamma), plain_sound(s[3], scheme->gamma));
  if (scheme->order == 5) {
    plain_flux5(s, scheme, c, flux);
    return;
  }
  Plain l, r;
  for (int v = 0; v < PATCH_VARIABLES; v++) {
    l.q[v] = s[2].q[v] + plain_half_slope(s[1].q[v], s[2].q[v], s[3].q[v]);
    r.q[v] = s[3].q[v] - plain_half_slope(s[2].q[v], s[3].q[v], s[4].q[v]);
  }
  plain_hllc(l, r, c, scheme->gamma, flux);
}
