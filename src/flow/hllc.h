/*
 * The flux through a moving face between two states: HLLC, and HLL where shocks ask for it.
 *
 * Wave speeds after Einfeldt and Batten keep density and pressure positive at first order. HLLC
 * keeps contacts and shear layers sharp but lets shocks that lie along the grid grow carbuncles;
 * HLL does not. `sharp` leads from HLL (0) to HLLC (1).
 *
 * Methods: E. F. Toro, M. Spruce, W. Speares, Shock Waves 4 (1994); P. Batten, N. Clarke,
 * C. Lambert, D. M. Causon, SIAM J. Sci. Comput. 18 (1997); J. J. Quirk, Int. J. Numer. Meth.
 * Fluids 18 (1994) for the switch.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "flow/gas.h"

/* A state seen from a face: normal velocity q relative to the face, specific energy, sound and its
 * square. */
typedef struct {
  double rho, u, v, w, p, q, e, c, c2;
} FaceState;

/* Density, momentum and energy through a unit of area. */
typedef struct {
  double rho, u, v, w, e;
} FaceFlux;

/* A unit normal and the speed of the face along it. */
typedef struct {
  double x, y, z, speed;
} FaceNormal;

static inline FaceState face_state(double gamma, FaceNormal n, double rho, double u, double v,
                                   double w, double p)
{
  const double ratio = p / rho, per = 1.0 / (gamma - 1.0);
  FaceState s = {.rho = rho, .u = u, .v = v, .w = w, .p = p};
  s.q = u * n.x + v * n.y + w * n.z - n.speed;
  s.e = ratio * per + 0.5 * (u * u + v * v + w * w);
  s.c2 = gamma * ratio;
  s.c = sqrt(s.c2);
  return s;
}

/* The flux of one state. */
static inline FaceFlux face_flux(FaceNormal n, FaceState s)
{
  const double m = s.rho * s.q;
  return (FaceFlux){m, m * s.u + s.p * n.x, m * s.v + s.p * n.y, m * s.w + s.p * n.z,
                    m * s.e + s.p * (s.q + n.speed)};
}

/* Slowest and fastest wave relative to the face. */
static inline void wave_speeds(FaceState l, FaceState r, double *slow, double *fast)
{
  /* Shares of left and right go by the roots of their densities. */
  const double both = sqrt(l.rho * r.rho);
  const double a = (l.rho + both) / (l.rho + r.rho + 2.0 * both), b = 1.0 - a;
  const double jump = r.q - l.q;
  const double q = l.q + b * jump;
  const double c = sqrt(a * l.c2 + b * r.c2 + 0.5 * a * b * jump * jump);
  *slow = l.q - l.c < q - c ? l.q - l.c : q - c;
  *fast = r.q + r.c > q + c ? r.q + r.c : q + c;
}

static inline FaceFlux hllc_flux(FaceNormal n, FaceState l, FaceState r, double slow, double fast)
{
  const double ml = l.rho * (slow - l.q), mr = r.rho * (fast - r.q);
  const double middle = (r.p - l.p + ml * l.q - mr * r.q) / (ml - mr);

  /* The side from which the contact moves away, and its outer wave as far as it crosses the
   * face. */
  const double rho = middle >= 0.0 ? l.rho : r.rho, p = middle >= 0.0 ? l.p : r.p;
  const double u = middle >= 0.0 ? l.u : r.u, v = middle >= 0.0 ? l.v : r.v,
               w = middle >= 0.0 ? l.w : r.w;
  const double q = middle >= 0.0 ? l.q : r.q, e = middle >= 0.0 ? l.e : r.e;
  const double wave = middle >= 0.0 ? slow : fast;
  const double low = slow < 0.0 ? slow : 0.0, high = fast > 0.0 ? fast : 0.0;
  const double crossing = middle >= 0.0 ? low : high;

  /* F + crossing (U* - U). */
  const double into = rho * (wave - q), per = 1.0 / (into * (wave - middle));
  const double star = into * into * per;
  const double push = middle - q;
  const double lift = star * push;
  const double energy = e + push * (middle + n.speed + p * (wave - middle) * per);
  const double m = rho * q, grow = crossing * (star - rho), along = crossing * lift + p;
  return (FaceFlux){m + grow, (m + grow) * u + along * n.x, (m + grow) * v + along * n.y,
                    (m + grow) * w + along * n.z,
                    m * e + p * (q + n.speed) + crossing * (star * energy - rho * e)};
}

static inline FaceFlux hll_flux(FaceNormal n, FaceState l, FaceState r, double slow, double fast)
{
  const double low = slow < 0.0 ? slow : 0.0, high = fast > 0.0 ? fast : 0.0;
  const double per = 1.0 / (high - low), a = high * per, b = -low * per, d = high * low * per;
  const FaceFlux f = face_flux(n, l), g = face_flux(n, r);
  return (FaceFlux){a * f.rho + b * g.rho + d * (r.rho - l.rho),
                    a * f.u + b * g.u + d * (r.rho * r.u - l.rho * l.u),
                    a * f.v + b * g.v + d * (r.rho * r.v - l.rho * l.v),
                    a * f.w + b * g.w + d * (r.rho * r.w - l.rho * l.w),
                    a * f.e + b * g.e + d * (r.rho * r.e - l.rho * l.e)};
}

/* How sharp a face may be, from the calm of its two cells: a pressure ratio of three and more
 * within a stencil is a strong shock. */
static inline double face_sharpness(double calm_left, double calm_right)
{
  const double shock = 0.35, quiet = 0.65;
  const double calm = calm_left < calm_right ? calm_left : calm_right;
  const double t = (calm - shock) / (quiet - shock);
  return t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t;
}

static inline FaceFlux blend_flux(double sharp, FaceFlux a, FaceFlux b)
{
  const double blunt = 1.0 - sharp;
  return (FaceFlux){sharp * a.rho + blunt * b.rho, sharp * a.u + blunt * b.u,
                    sharp * a.v + blunt * b.v, sharp * a.w + blunt * b.w,
                    sharp * a.e + blunt * b.e};
}
